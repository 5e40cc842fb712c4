"""The form that plans the remaining rounds of a block again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.entrants import entrant_label
from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import Player
from league.selectors.competitions.block_rounds import BlockRounds
from league.selectors.competitions.seating.replanning import Candidates, ReplanWish
from league.wording.names import table_name
from scoring.seating.replan import Aim

MOST_NEWCOMERS = 40


class ReplanForm(ServiceForm):
    """Players who leave and join, and tables that are lost, from a round on."""

    first = forms.TypedChoiceField(
        label=gettext_lazy("From which round on"),
        coerce=int,
        help_text=gettext_lazy("Rounds that have begun stay as they are."),
    )
    leaving = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who plays no more"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    joining = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who joins"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    newcomers = forms.CharField(
        label=gettext_lazy("New players who join"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One name per line. They are entered when the plan is saved."),
    )
    lost = forms.MultipleChoiceField(
        label=gettext_lazy("Tables that cannot be used any more"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    keeps_clubs_apart = forms.BooleanField(label=gettext_lazy("Keep players of one affiliation apart"), required=False)
    keeps_countries_apart = forms.BooleanField(label=gettext_lazy("Keep players of one country apart"), required=False)
    pointers: Mapping[str, str] = {"/newcomers": "newcomers"}

    def __init__(
        self,
        data: object = None,
        *,
        rounds: BlockRounds,
        candidates: Candidates,
        chosen: Mapping[str, Sequence[str]],
    ) -> None:
        super().__init__(data, initial=chosen)
        choices: Mapping[str, Sequence[tuple[object, str]]] = {
            "first": [(turn.numbers[0], turn.name) for turn in rounds.open_turns],
            "leaving": [(one.pk, entrant_label(one)) for one in candidates.present],
            "joining": [(one.pk, entrant_label(one)) for one in candidates.others],
            "lost": [(label, table_name(label) or "–") for label in rounds.labels],
        }
        for name, offered in choices.items():
            field_of(self, name, forms.ChoiceField).choices = list(offered)

    def clean_newcomers(self) -> tuple[str, ...]:
        """Return the names, one for each line that is not empty."""
        names = tuple(filter(None, map(str.strip, self.cleaned_data["newcomers"].splitlines())))
        if len(names) > MOST_NEWCOMERS:
            raise forms.ValidationError(_("These are too many new players at once. Enter them in the roster first."))
        longest = Player._meta.get_field("name").max_length or 0
        if long := [name for name in names if len(name) > longest]:
            raise forms.ValidationError(_("A name has at most %(count)s characters: %(name)s") % {
                "count": longest, "name": long[0][:longest],
            })  # fmt: skip
        return names

    def wish(self, aim: Aim) -> ReplanWish:
        """Return the wish of a valid form."""
        typed = self.cleaned_data
        return ReplanWish(
            first=typed["first"],
            aim=aim,
            leaving=frozenset(typed["leaving"]),
            joining=frozenset(typed["joining"]),
            newcomers=typed["newcomers"],
            lost=frozenset(typed["lost"]),
            keeps_clubs_apart=typed["keeps_clubs_apart"],
            keeps_countries_apart=typed["keeps_countries_apart"],
        )
