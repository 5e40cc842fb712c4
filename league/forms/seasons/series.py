"""Forms of series: a new one, its rules, the tiers of a term, decisions on moves, and the roster that is written."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import field_of
from league.forms.service import EditForm, ReasonForm, ServiceForm
from league.models import Competition, MoveDecision, Player
from league.selectors.seasons.series_people import people_named
from scoring.format.series import Tier

LONGEST_TEXT = 60_000
Choices = Iterable[tuple[str, str]]


class RulesTextForm(ServiceForm):
    """The text of a series, pasted or as a file."""

    text = forms.CharField(
        label=gettext_lazy("Text of the series (TOML)"),
        required=False,
        strip=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("or its file"), required=False)

    def clean(self) -> dict[str, object]:
        """Put the text of the file into `text`; a file goes before the field."""
        typed = super().clean() or self.cleaned_data
        file = typed.get("file")
        if file is not None:
            try:
                typed["text"] = file.read(LONGEST_TEXT + 1).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("This is no text. Choose the .toml file of a series."))
        elif not str(typed.get("text") or "").strip() and "text" not in self.errors:
            self.add_error("text", _("Paste the text of a series, or choose its file."))
        return typed


class NewSeriesForm(RulesTextForm):
    """A new series."""

    name = forms.CharField(label=gettext_lazy("Name of the series"), max_length=100)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=64,
        help_text=gettext_lazy("Lower-case letters, digits and hyphens, such as spring-league."),
    )
    first_term = forms.IntegerField(
        label=gettext_lazy("Number of the first term"), min_value=1, max_value=9_999, initial=1
    )
    is_public = forms.BooleanField(label=gettext_lazy("Readable by the public"), required=False)
    field_order = ["name", "name_en", "slug", "first_term", "is_public", "text", "file"]


class SeriesWordsForm(EditForm):
    """Names of a series, and its readers."""

    name = forms.CharField(label=gettext_lazy("Name of the series"), max_length=100)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)
    is_public = forms.BooleanField(label=gettext_lazy("Readable by the public"), required=False)


class ReviseForm(RulesTextForm, ReasonForm):
    """Other rules for a series, with the reason."""

    field_order = ["text", "file", "reason"]


class TermForm(ServiceForm):
    """The number of a further term."""

    number = forms.IntegerField(label=gettext_lazy("Number of the term"), min_value=1, max_value=9_999)


class AttachForm(ServiceForm):
    """An existing competition as a tier of a term."""

    competition = forms.ModelChoiceField(
        label=gettext_lazy("Competition"), queryset=Competition.objects.none(), empty_label=gettext_lazy("Choose...")
    )

    def __init__(self, *args: object, competitions: QuerySet[Competition], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "competition", forms.ModelChoiceField).queryset = competitions


class TiersForm(ServiceForm):
    """Drafts for the tiers of a term: the ruleset, and how many are expected where the format is of open size."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Rule book"))

    def __init__(
        self, *args: object, rulesets: Choices, tiers: Iterable[tuple[Tier, str, bool]], **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "ruleset", forms.ChoiceField).choices = list(rulesets)
        for tier, title, is_of_teams in tiers:
            label = _("Teams expected in %(tier)s") if is_of_teams else _("Players expected in %(tier)s")
            self.fields[f"entrants_{tier.key}"] = forms.IntegerField(
                label=label % {"tier": title},
                min_value=1,
                max_value=999,
                initial=tier.size.least,
            )

    @property
    def entrants(self) -> dict[str, int]:
        """The numbers typed, by tier."""
        start = "entrants_"
        return {name.removeprefix(start): n for name, n in self.cleaned_data.items() if name.startswith(start)}


class PersonForm(ServiceForm):
    """A player or team, named by key or name."""

    who = forms.CharField(
        label=gettext_lazy("Player or team"),
        max_length=100,
        help_text=gettext_lazy("The name as it is kept, or the key in the address of the page."),
    )
    pointers = {"/player": "who", "/name": "who"}
    player: Player | None = None

    def find(self, text: str) -> Player | None:
        """Return the player named; report an error at the field if there are none or several."""
        found = people_named(text)
        if len(found) > 1:
            keys = ", ".join(player.key for player in found[:10])
            self.add_error("who", _("Several have this name. Enter the key of one of them: %(keys)s.") % {"keys": keys})
        elif not found:
            self.add_error("who", _("There is no player or team “%(name)s”.") % {"name": text})
        return found[0] if len(found) == 1 else None

    def clean(self) -> dict[str, object]:
        """Find the player."""
        typed = super().clean() or self.cleaned_data
        if text := str(typed.get("who") or "").strip():
            self.player = self.find(text)
        return typed


class DecisionForm(PersonForm):
    """An exception to the moves, for one player."""

    kind = forms.ChoiceField(label=gettext_lazy("Decision"), choices=MoveDecision.Kind.choices)
    tier = forms.ChoiceField(
        label=gettext_lazy("To tier"),
        required=False,
        help_text=gettext_lazy("Only for those who return, and for those placed by the organizers."),
    )
    is_new = forms.BooleanField(
        label=gettext_lazy("A newcomer who is not kept here yet"),
        required=False,
        help_text=gettext_lazy("Adds a player, or in a tier of teams a team, of this name, placed in the tier."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("It is published with the decision."),
    )

    def __init__(self, *args: object, tiers: Choices, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "tier", forms.ChoiceField).choices = [("", "–"), *tiers]

    def find(self, text: str) -> Player | None:
        """Return the player named; None for a newcomer, who is not looked up."""
        return None if self.cleaned_data.get("is_new") else super().find(text)


class OpeningForm(PersonForm, ReasonForm):
    """Promotion points brought into the first term."""

    points = forms.IntegerField(label=gettext_lazy("Promotion points"), min_value=0, max_value=999)
    field_order = ["who", "points", "reason"]


class WriteForm(ServiceForm):
    """The roster of the next term, as its preview had it."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    reason = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("It is published with the roster."),
    )
