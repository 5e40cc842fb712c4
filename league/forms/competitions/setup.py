"""Forms to create a competition: names and rules, entrants, seeds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.competitions.entrants import entrant_label
from league.forms.competitions.schedule import date_time_field
from league.forms.fields import TIME_INPUT, field_of
from league.forms.rulebooks.ruleset_form import RulesetForm, ruleset_named, title_of_ruleset
from league.forms.service import EditForm, ServiceForm
from league.models import Audience, Block, Competition, Entrant, Player, RulesInForce
from league.models.rules import Revision
from league.selectors.people.rosters import possible_entrants
from league.selectors.rulebooks.catalogue import own_formats, own_rulesets
from league.wording.marks import COLOUR_NAMES, LONGEST_GLYPH
from league.wording.names import person_name, title_in
from rulesets import loader
from rulesets.formats import format_names, load_format
from rulesets.normalization import normalize

LONGEST_ROSTER = 500


def ruleset_choices() -> list[tuple[str, str]]:
    """Return the shipped rulesets by title, then the organizers' own with their newest revisions first."""
    return [
        *((name, f"{title_in(loader.load(name).title)} ({name})") for name in loader.names()),
        *(
            (f"{row.name}@{row.number}", f"{title_in(rules.title)} ({row}, {row.sha256[:8]})")
            for row, rules in own_rulesets()
        ),
    ]


def in_force_from() -> forms.SplitDateTimeField:
    """Return a field for the moment from which rules are in force; empty means now."""
    return date_time_field(
        gettext_lazy("In force from"), gettext_lazy("Empty: from now on. Games already scheduled keep their rules.")
    )


def format_choices() -> list[tuple[str, str]]:
    """Return the shipped formats by title, then the organizers' own, newest revisions first."""
    shipped = [(name, load_format(name), name) for name in format_names()]
    own = [(f"{row.name}@{row.number}", found, f"{row}, {row.sha256[:8]}") for row, found in own_formats()]
    return [(name, f"{title_in(each.title)} ({label})") for name, each, label in (*shipped, *own)]


def time_zones() -> list[tuple[str, str]]:
    """Return the names of all time zones."""
    return [(name, name) for name in sorted(available_timezones())]


class AddressForm(ServiceForm):
    """Another address of a competition."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("Lower-case letters, digits and hyphens, such as cinderella-2027."),
    )


class MarkForm(EditForm):
    """The tile of a player or a competition; an empty field is derived from name and key."""

    mark_glyph = forms.CharField(
        label=gettext_lazy("Character on the tile"),
        max_length=LONGEST_GLYPH,
        required=False,
        widget=forms.TextInput(attrs={"size": 2, "autocomplete": "off"}),
        help_text=gettext_lazy("Empty: the first character of the name."),
    )
    mark_colour = forms.TypedChoiceField(
        label=gettext_lazy("Colour of the tile"),
        choices=[("", gettext_lazy("chosen by the service")), *enumerate(COLOUR_NAMES)],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=gettext_lazy("At one table no colour is shown twice: the next free one is taken."),
    )

    def clean_mark_glyph(self) -> str:
        """Return the composed form, since some systems send a character and its accent apart."""
        return normalize("NFC", self.cleaned_data["mark_glyph"])


class CompetitionWordsForm(MarkForm):
    """The fields of a competition that may be changed at any time."""

    name = forms.CharField(label=pgettext_lazy("a competition", "Name"), max_length=100)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)
    confirmation = forms.ChoiceField(
        label=gettext_lazy("Confirmation of results"), choices=Competition.Confirmation.choices
    )
    audience = forms.ChoiceField(label=gettext_lazy("Readable by"), choices=Audience.choices)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=time_zones)
    day_starts_at = forms.TimeField(label=gettext_lazy("Business day starts at"), widget=TIME_INPUT)
    shows_odds = forms.BooleanField(
        label=gettext_lazy("Show odds"),
        required=False,
        help_text=gettext_lazy(
            "How likely each player is to go on, by simulation. Leagues only; off, none are computed."
        ),
    )
    live_delay = forms.IntegerField(
        label=gettext_lazy("Delay of live tables in minutes"),
        min_value=0,
        help_text=gettext_lazy("The public follows a table hand by hand so many minutes late; staff at once."),
    )
    advice = forms.ChoiceField(
        label=gettext_lazy("What the last hand needs is shown"),
        choices=Competition.Advice.choices,
        help_text=gettext_lazy(
            "Advice at the table is coaching: in a league no device that came in by a link reads it while a "
            "hanchan is played."
        ),
    )
    accent = forms.CharField(
        label=gettext_lazy("Accent colour"),
        max_length=7,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "#0d5241", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Replaces the green of borders and buttons, as #rrggbb; contrast on paper 4.5 : 1 and more. In the dark it "
            "is lightened. Empty: green."
        ),
    )
    field_order = ["name", "name_en", "mark_glyph", "mark_colour", "accent"]

    def __init__(self, *args: Any, has_business_days: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_business_days:
            del self.fields["day_starts_at"]

    def clean_accent(self) -> str:
        """Return the colour in lower case."""
        accent: str = self.cleaned_data["accent"]
        return accent.lower()


class RulesForm(RulesetForm):
    """Other rules for a competition from a moment on; house options in force are kept for a ruleset of that name."""

    league_format = forms.ChoiceField(label=gettext_lazy("Format"), choices=format_choices)
    entrants = forms.IntegerField(
        label=gettext_lazy("Number of players"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Only for a format of open size. Empty: as many as now."),
    )
    since = in_force_from()
    pointers = {"/format": "league_format"}

    def __init__(
        self, data: QueryDict | None = None, *, ruleset: str, rules: RulesInForce, initial: Mapping[str, object]
    ) -> None:
        choices = ruleset_choices()
        if ruleset_named(ruleset) and ruleset not in dict(choices):
            choices.append((ruleset, f"{title_of_ruleset(ruleset)} ({ruleset})"))
        chosen = ruleset if ruleset in dict(choices) else choice_of(rules.ruleset, loader.names())
        super().__init__(data, rulesets=choices, ruleset_name=chosen, initial=initial, in_force=rules)


def choice_of(revision: Revision, shipped: Sequence[str]) -> str:
    """Return a revision as the selects offer it: a shipped text by its name, an own one as `name@number`."""
    return revision.name if revision.name in shipped else f"{revision.name}@{revision.number}"


def localize_moment(typed: dt.datetime | None, competition: Competition) -> dt.datetime | None:
    """Return a typed moment in the competition's time zone instead of the server's."""
    return typed and typed.replace(tzinfo=ZoneInfo(competition.time_zone))


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A pasted line of a roster: name, reading, roman letters, affiliation, country."""

    name: str
    kana: str = ""
    romaji: str = ""
    affiliation: str = ""
    country: str = ""

    @classmethod
    def read(cls, text: str) -> RosterLine:
        """Parse a line with cells separated by tabs, as a spreadsheet copies them, or by commas."""
        cells = [cell.strip() for cell in (text.split("\t") if "\t" in text else text.replace("、", ",").split(","))]
        return cls(*cells[:5])


MOST_KNOWN = 1000
"""Most known players that a select offers."""

if TYPE_CHECKING:
    PlayersFieldBase = forms.ModelMultipleChoiceField[Player]
else:
    PlayersFieldBase = forms.ModelMultipleChoiceField


class PlayersField(PlayersFieldBase):
    """Choice of known players. With more than `MOST_KNOWN` the field is hidden and players are pasted instead."""

    def __init__(self, *, lines: int) -> None:
        super().__init__(
            label=gettext_lazy("Known players"),
            queryset=Player.objects.none(),
            required=False,
            widget=forms.SelectMultiple(attrs={"size": lines}),
            help_text=gettext_lazy("They are entered after those pasted. Players already entered are not listed."),
        )

    def offer_to(self, competition: Competition) -> None:
        """Offer the players who have not entered the competition yet."""
        rows = possible_entrants(competition).exclude(entrants__competition=competition)
        # One row behind the limit tells that there are too many, without counting them all.
        if rows[MOST_KNOWN : MOST_KNOWN + 1].exists():
            rows, self.widget = rows.none(), forms.MultipleHiddenInput()
        self.queryset = rows

    def label_from_instance(self, obj: Player) -> str:
        """Return name, affiliation and key, which tells players with the same name apart."""
        return " · ".join(filter(None, (person_name(obj), obj.affiliation, obj.key)))


class PastedRosterForm(ServiceForm):
    """Players to enter, pasted one to a line or chosen among those known."""

    pasted = forms.CharField(
        label=gettext_lazy("New players"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 60}),
        help_text=gettext_lazy(
            "One to a line: name, reading, roman letters, affiliation, country, separated by tabs (as a spreadsheet "
            "copies them) or commas. The name alone will do. A known player of exactly this name is taken, not added "
            "again; a key in the place of the name names one player."
        ),
    )
    known = PlayersField(lines=12)
    pointers = {"/name": "pasted"}

    def __init__(self, data: object = None, *, competition: Competition) -> None:
        super().__init__(data)
        self.competition = competition
        field_of(self, "known", PlayersField).offer_to(competition)

    def clean_pasted(self) -> list[RosterLine | Player]:
        """Return each pasted line as a known player, or as the line of a new one."""
        lines = [RosterLine.read(text) for text in self.cleaned_data["pasted"].splitlines() if text.strip()]
        if len(lines) > LONGEST_ROSTER:
            raise ValidationError(_("At most %(most)s lines at a time.") % {"most": LONGEST_ROSTER})
        faults: list[str] = []
        found = [self._known(number, line, faults) for number, line in enumerate(lines, start=1)]
        faults += duplicate_name_errors(lines)
        if faults:
            raise ValidationError(faults)
        return found

    def _known(self, number: int, line: RosterLine, faults: list[str]) -> RosterLine | Player:
        if not line.name:
            faults.append(_("Line %(number)s has no name.") % {"number": number})
        there = possible_entrants(self.competition)
        same = list(there.filter(key=line.name)[:1]) or list(there.filter(name=line.name)[:2])
        if len(same) > 1:
            faults.append(
                _("Line %(number)s: several known players are called %(name)s. Write the key instead: %(keys)s.")
                % {"number": number, "name": line.name, "keys": ", ".join(player.key for player in same)}
            )
        return same[0] if len(same) == 1 else line

    def clean(self) -> dict[str, object]:
        """Require at least one player."""
        typed = super().clean() or {}
        if not self.errors and not typed.get("pasted") and not typed.get("known"):
            raise ValidationError(_("Paste or choose at least one player."))
        return typed


def duplicate_name_errors(lines: Sequence[RosterLine]) -> list[str]:
    """Return an error for each name pasted more than once."""
    names = [line.name for line in lines if line.name]
    again = sorted({name for name in names if names.count(name) > 1})
    return [_("%(name)s is named twice. Each player enters once.") % {"name": name} for name in again]


MOST_SELECTS = 32
"""The largest block with a select for each place; more would be as many lists of all entrants."""


class SeedsForm(ServiceForm):
    """Assign entrants to the slots of a block: by selects, in a large block by a list of lines in a text."""

    def __init__(self, data: object = None, *, block: Block, all_entrants: Sequence[Entrant]) -> None:
        super().__init__(data)
        self.slots = list(block.slots.order_by("number"))
        by_number = {entrant.number: entrant for entrant in all_entrants}
        self.all_entrants = {entrant.pk: entrant for entrant in all_entrants}
        self.is_text = len(self.slots) > MOST_SELECTS
        choices = [("", "—"), *((str(one.pk), entrant_label(one)) for one in all_entrants)]
        is_new = not any(slot.seeded_id for slot in self.slots)
        initial = {}
        for slot in self.slots:
            seed = slot.source.removeprefix("seed:")
            proposed = by_number.get(int(seed)) if is_new and seed.isdigit() else None
            initial[slot.number] = str(slot.seeded_id or (proposed.pk if proposed else ""))
        if self.is_text:
            lines = dict(choices[1:])
            self.fields["order"] = forms.CharField(
                label=_("Order of the seeds"),
                help_text=_(
                    "One player a line, first seed first: the number, then what you like. Move the lines; places left "
                    "out at the end stay open."
                ),
                widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false"}),
                required=False,
                initial="\n".join(lines[pk] for pk in initial.values() if pk in lines),
            )
            return
        for number, chosen in initial.items():
            self.fields[f"slot_{number}"] = forms.ChoiceField(
                label=_("Place %(number)s") % {"number": number}, choices=choices, required=False, initial=chosen
            )

    def clean_order(self) -> str:
        """Require the number of an entrant at the beginning of each line, and no more lines than places."""
        lines = [line.strip() for line in str(self.cleaned_data["order"]).splitlines() if line.strip()]
        if len(lines) > len(self.slots):
            told: dict[str, object] = {"lines": len(lines), "places": len(self.slots)}
            raise ValidationError(_("%(lines)s lines, but the block has %(places)s places.") % told)
        numbers = {str(entrant.number): str(pk) for pk, entrant in self.all_entrants.items()}
        for place, line in enumerate(lines, start=1):
            number = line.split(maxsplit=1)[0]
            if number not in numbers:
                told = {"line": place, "text": line[:40]}
                raise ValidationError(_("Line %(line)s: “%(text)s” begins with no entrant's number.") % told)
            self.cleaned_data[f"slot_{self.slots[place - 1].number}"] = numbers[number]
        return str(self.cleaned_data["order"])

    def clean(self) -> dict[str, object]:
        """Require each entrant at most once and no gaps: seeds fill the slots from the first on."""
        typed = super().clean() or {}
        chosen = [typed.get(f"slot_{slot.number}") for slot in self.slots]
        filled = [pk for pk in chosen if pk]
        if len(set(filled)) < len(filled):
            raise ValidationError(_("A player is named twice. Each player has one place."))
        if filled != chosen[: len(filled)]:
            raise ValidationError(_("There is a gap. Fill the places from the first on."))
        return typed

    def entrants(self) -> list[Entrant]:
        """Return the entrants in the order of the slots."""
        chosen = (self.cleaned_data.get(f"slot_{slot.number}") for slot in self.slots)
        return [self.all_entrants[int(pk)] for pk in chosen if pk]


class EntrantForm(EditForm):
    """Affiliation and country of an entrant in one competition."""

    affiliation = forms.CharField(label=gettext_lazy("Affiliation"), max_length=100, required=False)
    country = forms.CharField(label=gettext_lazy("Country or region"), max_length=40, required=False)


class PlayerForm(ServiceForm):
    """Names, affiliation, country and numbers of a player."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    name_kana = forms.CharField(label=gettext_lazy("Name in kana"), max_length=100, required=False)
    name_romaji = forms.CharField(label=gettext_lazy("Name in roman letters"), max_length=100, required=False)
    affiliation = forms.CharField(label=gettext_lazy("Affiliation"), max_length=100, required=False)
    country = forms.CharField(label=gettext_lazy("Country or region"), max_length=40, required=False)
    number = forms.CharField(label=gettext_lazy("Member number"), max_length=32, required=False)
    handle = forms.CharField(label=gettext_lazy("Public handle"), max_length=50, required=False)
    is_public = forms.BooleanField(
        label=gettext_lazy("Shown in public rankings of open tables"),
        required=False,
        help_text=gettext_lazy("Only with the player's consent; under the handle."),
    )


class PlayerWordsForm(MarkForm, PlayerForm):
    """Everything of a player that an organizer may change."""
