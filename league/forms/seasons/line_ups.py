"""Form of a team's line-up for one hanchan."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.service import EditForm, ServiceForm
from league.models import Player, TableSession
from league.selectors.seasons.line_ups import TeamGame
from league.wording.names import person_name


class LineUpForm(ServiceForm):
    """The member who sits for a team in a hanchan; empty takes the line-up back.

    With `keeps_shown` the page holds the member that it showed, so that teams saved together with others are left as
    they are unless the user chose for them.
    """

    pointers = {"/player": "player"}

    def __init__(self, data: object = None, *, game: TeamGame, keeps_shown: bool = False) -> None:
        super().__init__(data, prefix=prefix_of(game))
        self.game = game
        named = game.line_up.player if game.line_up else None
        self.people = choices_of(game.members, named)
        choices = [("", "–"), *((str(one.pk), person_name(one)) for one in self.people)]
        self.fields["player"] = forms.ChoiceField(
            choices=choices,
            required=False,
            label=gettext_lazy("Member"),
            initial=str(named.pk) if named else "",
            show_hidden_initial=keeps_shown,
        )

    @property
    def player(self) -> Player | None:
        """The member chosen, or None."""
        chosen = self.cleaned_data["player"]
        return next((one for one in self.people if str(one.pk) == chosen), None)


class LineUpReasonForm(ServiceForm):
    """The organizers' reason for the line-ups of a session."""

    reason = forms.CharField(required=False, max_length=1000, label=gettext_lazy("Reason"))


def prefix_of(game: TeamGame) -> str:
    """Return the prefix of the fields of a team's hanchan."""
    return f"g{game.hanchan.pk}-{game.entrant.pk}"


def choices_of(members: Sequence[Player], named: Player | None) -> list[Player]:
    """Return the members of the day, and the person who is named although no member any more."""
    return [*members, *([named] if named and named not in members else [])]


class DeadlineForm(EditForm):
    """The time until which the line-ups of some tables are named, and whether they are secret until then."""

    due_at = forms.DateTimeField(
        required=False,
        label=gettext_lazy("Line-ups named until"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    are_secret = forms.BooleanField(required=False, label=gettext_lazy("Secret until then"))

    def __init__(self, data: object = None, *, tables: Sequence[TableSession]) -> None:
        found = {(table.line_ups_due_at, table.line_ups_are_secret) for table in tables}
        initial: dict[str, object] = {}
        if len(found) == 1:
            ((due_at, are_secret),) = found
            initial = {"due_at": due_at, "are_secret": are_secret}
        super().__init__(data, initial=initial)
        self.tables = tables
        if len(found) > 1:
            help_text = _("The tables of this session have different times. Saving sets this one for all of them.")
            self.fields["due_at"].help_text = help_text
