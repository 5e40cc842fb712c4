"""Forms of the guided set-up of a league: rules and days, blocks, schedule, draws of seats."""

from __future__ import annotations

import datetime as dt
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.competitions.entrants import entrant_label
from league.forms.competitions.setup import ruleset_choices
from league.forms.fields import DAY_INPUT, TIME_INPUT, FieldOptions, field_of, plain
from league.forms.rulebooks.ruleset_form import RulesetForm, ruleset_named
from league.forms.service import ServiceForm
from league.models import Block, Competition, Entrant, RulesInForce
from league.selectors.competitions.seating.plans import Calendar, Days, Wishes
from league.services.competitions.roster import MOST_HOUSE_PLAYERS
from league.services.competitions.wizard import LONGEST_SEED
from league.wording.names import title_of
from scoring.format import EntrantKind, Format, Seating, close_roster, smallest_roster
from scoring.format.limits import MOST_ENTRANTS
from scoring.ruleset import FaultsError

RHYTHMS = (
    (7, gettext_lazy("every week")),
    (14, gettext_lazy("every two weeks")),
    (28, gettext_lazy("every four weeks")),
    (1, gettext_lazy("every day")),
    (0, gettext_lazy("all on one day")),
)
WEEK = 7
USUAL_ENTRANTS = 32
"""Players of an open tournament that are proposed, where its format allows as many."""
_ABSENCE = re.compile(r"(?P<who>\d{1,6})[::](?P<first>\d{1,3})(?:-(?P<last>\d{1,3}))?")


def fresh_seed() -> str:
    """Return a random seed as a proposal. Organizers who need a verifiable draw type their own."""
    return secrets.token_hex(4)


def fitting_rulesets(league_format: Format) -> list[tuple[str, str]]:
    """Return the rulesets with the same number of players at a table as the format."""
    found = []
    for name, label in ruleset_choices():
        rules = ruleset_named(name)
        if rules is not None and league_format.players in {None, rules.players}:
            found.append((name, label))
    return found


def first_day() -> dt.date:
    """Return the Saturday of next week, as the first day to propose."""
    today = timezone.localdate()
    return today + dt.timedelta(days=WEEK + (5 - today.weekday()) % WEEK)


def day_field() -> forms.DateField:
    """Return a date field that uses the browser's picker."""
    return forms.DateField(label=gettext_lazy("First day"), widget=DAY_INPUT)


def rhythm_field() -> forms.TypedChoiceField:
    """Return the field for the number of days between two days of play."""
    return forms.TypedChoiceField(label=gettext_lazy("Rhythm"), choices=RHYTHMS, coerce=int, initial=WEEK)


def hour_field() -> forms.TimeField:
    """Return the field for the time at which a day of play begins."""
    return forms.TimeField(label=gettext_lazy("Start time"), widget=TIME_INPUT)


def venue_field() -> forms.CharField:
    """Return the field for the venue."""
    return forms.CharField(label=gettext_lazy("Venue"), max_length=100, required=False)


def tables_field() -> forms.IntegerField:
    """Return a new field for the number of tables that the venue has."""
    return forms.IntegerField(
        label=gettext_lazy("Tables at a time"),
        min_value=1,
        max_value=1_000,
        required=False,
        help_text=gettext_lazy("For a venue with few tables. Empty: as many as the players fill."),
    )


def seed_field() -> forms.CharField:
    """Return the field for the seed of a draw."""
    return forms.CharField(
        label=gettext_lazy("Seed"),
        max_length=LONGEST_SEED,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Everything drawn follows from it, so that anyone can repeat the draw. Leave the one proposed, or enter "
            "something not known before, such as numbers of a lottery."
        ),
    )


def expected_entrants(league_format: Format) -> int | None:
    """Return a number of players to propose for a format of open size; None for one of fixed size."""
    bounds = league_format.bounds
    if bounds is None:
        return None
    first = min(max(bounds.least, USUAL_ENTRANTS), bounds.most)
    for entrants in range(first, min(first + (league_format.players or 1), bounds.most + 1)):
        with suppress(FaultsError):
            return close_roster(league_format, entrants).seeds
    return smallest_roster(league_format).seeds


class LeagueForm(RulesetForm):
    """A league's name, rules, dates and venue."""

    name = forms.CharField(label=pgettext_lazy("a competition", "Name"), max_length=100)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=64,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Lower-case letters, digits and hyphens. Empty: made from the name. It can be changed later; the former one"
            " then leads to the new one."
        ),
    )
    entrants = forms.IntegerField(label=gettext_lazy("Players expected"))
    first_day = day_field()
    every = rhythm_field()
    starts_at = hour_field()
    venue = venue_field()
    tables = tables_field()
    confirmation = forms.ChoiceField(
        label=gettext_lazy("Confirmation of results"), choices=Competition.Confirmation.choices
    )
    field_order = ["name", "name_en", "slug", "entrants"]
    pointers = {"/format": "ruleset"}

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        league_format: Format,
        ruleset: str = "",
        initial: Mapping[str, object] | None = None,
        in_force: RulesInForce | None = None,
    ) -> None:
        choices = fitting_rulesets(league_format)
        usual = league_format.rulebook or "cinderella"
        known = [name for name, _label in choices]
        same = [name for name in known if in_force and name.partition("@")[0] == in_force.ruleset.name]
        proposed = {
            "first_day": first_day(),
            "starts_at": dt.time(12, 0),
            "entrants": expected_entrants(league_format),
            **(initial or {}),
        }
        chosen = next(name for name in (ruleset, *same, usual, *known) if name in known)
        super().__init__(data, rulesets=choices, ruleset_name=chosen, initial=proposed, in_force=in_force)
        self._limit_entrants(league_format)

    def _limit_entrants(self, league_format: Format) -> None:
        """Ask for the number of players only if the format leaves it open."""
        bounds = league_format.bounds
        if bounds is None:
            del self.fields["entrants"]
            return
        told = _("%(least)s to %(most)s. Once the players are entered, the roster is closed with their number.")
        if league_format.kind is EntrantKind.TEAMS:
            told = _("%(least)s to %(most)s. Once the teams are entered, the roster is closed with their number.")
            self.fields["entrants"].label = _("Teams expected")
        self.fields["entrants"].help_text = told % {"least": bounds.least, "most": bounds.most}
        self.fields["entrants"].widget.attrs |= {"min": bounds.least, "max": bounds.most}

    def calendar(self) -> Calendar:
        """Return the days, times and venue of play."""
        typed = self.cleaned_data
        return Calendar(
            first_day=typed["first_day"],
            every=typed["every"],
            starts_at=typed["starts_at"],
            venue=typed["venue"].strip(),
            tables=typed["tables"],
        )


class DrawBlocksForm(ServiceForm):
    """The seed of a draw over the blocks."""

    seed = seed_field()


class RosterSizeForm(ServiceForm):
    """The number of entrants with which the roster is closed."""

    entrants = forms.IntegerField(label=gettext_lazy("Number of players"), min_value=1, max_value=MOST_ENTRANTS)
    only_present = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: object = None, *, has_teams: bool) -> None:
        super().__init__(data)
        if has_teams:
            self.fields["entrants"].label = _("Number of teams")


class HousePlayersForm(ServiceForm):
    """The number of house players to enter."""

    count = forms.IntegerField(
        label=gettext_lazy("House players"), min_value=1, max_value=MOST_HOUSE_PLAYERS, initial=1
    )


class ByHandForm(ServiceForm):
    """Assign a block to each entrant."""

    pointers = {"/blocks": "__all__"}

    def __init__(
        self, data: object = None, *, blocks: Sequence[Block], entrants: Sequence[Entrant], placed: Mapping[int, int]
    ) -> None:
        super().__init__(data)
        self.blocks, self.entrants = blocks, entrants
        choices = [("", gettext_lazy("not in a block")), *((str(block.pk), title_of(block)) for block in blocks)]
        for entrant in entrants:
            self.fields[f"entrant_{entrant.pk}"] = forms.ChoiceField(
                label=entrant_label(entrant),
                choices=choices,
                required=False,
                initial=str(placed.get(entrant.pk, "")),
            )

    def by_hand(self) -> dict[int, list[Entrant]]:
        """Return the entrants of each block, in the order of their numbers."""
        filled: dict[int, list[Entrant]] = {block.pk: [] for block in self.blocks}
        for entrant in self.entrants:
            chosen = self.cleaned_data[f"entrant_{entrant.pk}"]
            if chosen:
                filled[int(chosen)].append(entrant)
        return filled


SEATINGS = (
    ("", gettext_lazy("as the format says")),
    (Seating.STAY.value, gettext_lazy("four stay at one table for a session (as broadcasts have it)")),
    (Seating.ROUNDS.value, gettext_lazy("new tables for every hanchan")),
)
DAYS = (
    (Days.SESSION.value, gettext_lazy("all tables of a session on one day")),
    (Days.BLOCK.value, gettext_lazy("each block on a day of its own")),
    (Days.TABLE.value, gettext_lazy("each table on a day of its own")),
)


class AbsencesField(forms.CharField):
    """Hanchan missed by late arrivals and early leavers: entrant's number, colon, hanchan, such as `5: 1-2`."""

    widget = forms.Textarea(attrs={"rows": 3, "cols": 30})

    def __init__(self, **options: Unpack[FieldOptions]) -> None:
        super().__init__(max_length=5_000, **options)

    def clean(self, value: object) -> object:
        """Return the hanchan missed, by entrant number."""
        found: dict[int, frozenset[int]] = {}
        for line in super().clean(value).splitlines():
            text = plain(line)
            if not text:
                continue
            said = _ABSENCE.fullmatch(text)
            if said is None:
                message = _("“%(line)s” is not understood. Write the entrant's number and the hanchan, such as 5: 1-2.")
                raise ValidationError(message % {"line": line.strip()})
            first, last = int(said["first"]), int(said["last"] or said["first"])
            found[int(said["who"])] = found.get(int(said["who"]), frozenset()) | frozenset(range(first, last + 1))
        return found


LABELS_OF_TEAMS = {
    "hanchan": gettext_lazy("Hanchan for each team"),
    "apart": gettext_lazy("Keep teams of one affiliation apart"),
    "apart_countries": gettext_lazy("Keep teams of one country apart"),
}
HELP_OF_TEAMS = {
    "seating": gettext_lazy(
        "Those who stay play all hanchan of the session together; in the next they meet others. Where the "
        "teams of a block do not fill its tables, some rest in each round, and all play equally often."
    ),
    "absent": gettext_lazy("One to a line: the team's number and the hanchan missed, such as 5: 1-2."),
    "tables": gettext_lazy("For a venue with few tables. Empty: as many as the teams fill."),
    "fewer_tables": gettext_lazy("When tables are lost during the event: the teams left over rest by turns."),
}
"""Explanations of fields in a league of teams."""


class ScheduleForm(ServiceForm):
    """Parameters of a schedule to generate."""

    seating = forms.ChoiceField(
        label=gettext_lazy("Seating"),
        choices=SEATINGS,
        required=False,
        help_text=gettext_lazy(
            "Those who stay play all hanchan of the session together; in the next they meet others. Where the "
            "players of a block do not fill its tables, some rest in each round, and all play equally often."
        ),
    )
    hanchan = forms.IntegerField(label=gettext_lazy("Hanchan for each player"), min_value=1, max_value=100)
    sessions = forms.IntegerField(label=gettext_lazy("Number of sessions"), min_value=1, max_value=100)
    first_day = day_field()
    every = rhythm_field()
    starts_at = hour_field()
    venue = venue_field()
    days = forms.ChoiceField(label=gettext_lazy("Days"), choices=DAYS)
    tables = tables_field()
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for a hanchan"),
        min_value=10,
        max_value=600,
        help_text=gettext_lazy("Says when the tables of the next hanchan begin."),
    )
    apart = forms.BooleanField(label=gettext_lazy("Keep players of one affiliation apart"), required=False)
    apart_countries = forms.BooleanField(label=gettext_lazy("Keep players of one country apart"), required=False)
    absent = AbsencesField(
        label=gettext_lazy("Late arrivals and absences"),
        required=False,
        help_text=gettext_lazy("One to a line: the entrant's number and the hanchan missed, such as 5: 1-2."),
    )
    fewer_from = forms.IntegerField(
        label=gettext_lazy("Fewer tables from this hanchan on"), min_value=1, max_value=1_000, required=False
    )
    fewer_tables = forms.IntegerField(
        label=gettext_lazy("Tables of a block from then on"),
        min_value=1,
        max_value=1_000,
        required=False,
        help_text=gettext_lazy("When tables are lost during the event: the players left over rest by turns."),
    )
    seed = seed_field()
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: object = None,
        *,
        asks_hanchan: bool,
        asks_sessions: bool,
        has_teams: bool = False,
        **options: object,
    ) -> None:
        super().__init__(data, **options)
        if has_teams:
            for name, label in LABELS_OF_TEAMS.items():
                self.fields[name].label = label
            for name, text in HELP_OF_TEAMS.items():
                self.fields[name].help_text = text
        if not asks_hanchan:
            del self.fields["hanchan"]
        if not asks_sessions:
            del self.fields["sessions"]

    def clean(self) -> dict[str, object]:
        """Require both values of fewer tables, or neither."""
        typed = dict(super().clean() or self.cleaned_data)
        missing = [name for name in ("fewer_from", "fewer_tables") if not self.data.get(name)]
        if len(missing) == 1:
            self.add_error(missing[0], _("Enter both, the hanchan and the number of tables, or neither."))
        return typed

    def wishes(self) -> Wishes:
        """Return the parameters of a valid form."""
        typed = self.cleaned_data
        return Wishes(
            calendar=Calendar(
                first_day=typed["first_day"],
                every=typed["every"],
                starts_at=typed["starts_at"],
                venue=typed["venue"].strip(),
            ),
            seed=typed["seed"].strip(),
            seating=Seating(typed["seating"]) if typed["seating"] else None,
            days=Days(typed["days"]),
            minutes=typed["minutes"],
            keeps_clubs_apart=typed["apart"],
            keeps_countries_apart=typed["apart_countries"],
            fewer_tables=(typed["fewer_from"], typed["fewer_tables"]) if typed["fewer_from"] else None,
            absent=typed["absent"],
            hanchan=typed.get("hanchan"),
            sessions=typed.get("sessions"),
            tables=typed["tables"],
        )


class SeatDrawForm(ServiceForm):
    """Parameters of a draw of seats for a session."""

    seed = seed_field()
    is_for_all = forms.BooleanField(
        label=gettext_lazy("For all hanchan of the session at once"),
        required=False,
        help_text=gettext_lazy("Otherwise for each block's next hanchan without seats."),
    )
    rotates = forms.BooleanField(
        label=gettext_lazy("Draw the first hanchan only, then take turns"),
        required=False,
        help_text=gettext_lazy("Each starts once from each wind in four hanchan."),
    )
    redraws = forms.BooleanField(
        label=gettext_lazy("Draw seats that are set already, too"),
        required=False,
        help_text=gettext_lazy("Those at a table stay together; the balance of winds is lost."),
    )


class SwapForm(ServiceForm):
    """Two players who swap seats in a session, or in one hanchan."""

    numbers = forms.ChoiceField(label=gettext_lazy("Where"))
    one = forms.ChoiceField(label=gettext_lazy("Player"))
    other = forms.ChoiceField(label=gettext_lazy("Changes places with"))
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: object = None, *, players: Sequence[Entrant], where: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        self.players = {str(entrant.pk): entrant for entrant in players}
        people = [(pk, entrant_label(entrant)) for pk, entrant in self.players.items()]
        for name, choices in (("numbers", where), ("one", people), ("other", people)):
            field_of(self, name, forms.ChoiceField).choices = list(choices)

    @property
    def asked(self) -> str:
        """The swap as a text; it is saved only if the preview showed the same one."""
        return "/".join(str(self.data.get(name, "")) for name in ("numbers", "one", "other"))

    def hanchan(self) -> list[int]:
        """Return the chosen hanchan numbers."""
        return [int(number) for number in self.cleaned_data["numbers"].split(",")]
