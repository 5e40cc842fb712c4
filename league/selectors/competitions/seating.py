"""The whole schedule as it would be written, and how even a schedule is.

The one idea: a plan is a pure function of the competition and of what is wished, seed included, so that what is shown
is what is written, and anybody can make it again. Its digest says whether it still is the one that was looked at.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from league.models import Block, Change, Competition, Entrant, HanchanSeat, Session, Slot, TableSession
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.wording.names import title_of
from scoring.format import Seating
from scoring.format import Stage as FormatStage
from scoring.seating import Balance, Constraints, SeatingError, balance_of, in_order_of_lots, seating, staying
from scoring.seating.balance import Pair, Schedule

MOVES = 100_000
"""How long the search goes on where no perfect design is known: about a second."""
USUAL_MINUTES = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """When and where a league plays: the first day, the days from one day of play to the next, hour and venue."""

    first_day: dt.date
    every: int
    starts_at: dt.time
    venue: str = ""


def calendar_of(competition: Competition) -> Calendar | None:
    """What was said of its days when it was set up; the newest word counts."""
    kept = Change.objects.filter(competition=competition, kind="calendar.planned").order_by("-n").first()
    if kept is None:
        return None
    said: dict[str, Any] = kept.after or {}
    return Calendar(
        first_day=dt.date.fromisoformat(said["first_day"]),
        every=said["every"],
        starts_at=dt.time.fromisoformat(said["starts_at"]),
        venue=said["venue"],
    )


class Days(StrEnum):
    """Which tables of a session play on one day."""

    SESSION = "session"
    """All of them."""
    BLOCK = "block"
    """Those of one block."""
    TABLE = "table"
    """One table alone, as broadcasts have it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """What a schedule is made from; `seating` of None is the format's own, `minutes` are those of one hanchan."""

    calendar: Calendar
    seed: str
    seating: Seating | None = None
    days: Days = Days.SESSION
    minutes: int = USUAL_MINUTES
    keeps_clubs_apart: bool = False
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Numbers of the hanchan that an entrant, by number, misses."""
    hanchan: int | None = None
    """Where the format counts none."""
    sessions: int | None = None
    """Where the format counts none."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """People at a table for hanchan of these numbers; the seats of each, none where it is open who plays."""

    block: Block
    table: int
    starts_at: dt.datetime
    numbers: tuple[int, ...]
    seats: tuple[tuple[Entrant, ...], ...]


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session with its tables."""

    number: int
    name: str
    name_en: str
    tables: tuple[PlannedTable, ...]


@dataclass(frozen=True, slots=True)
class Evenness:
    """How even a block's schedule is: `turns` counts people who stay together once, `games` every hanchan."""

    block: Block
    players: tuple[Entrant, ...]
    games: Balance
    turns: Balance
    is_staying: bool

    @property
    def _order(self) -> list[int]:
        """Places among the players in the order of their numbers."""
        return sorted(range(len(self.players)), key=lambda place: self.players[place].number)

    @property
    def people(self) -> list[Entrant]:
        """The players by number."""
        return [self.players[place] for place in self._order]

    @property
    def rows(self) -> list[tuple[Entrant, list[int | None], tuple[int, ...], int]]:
        """By number, each player's meetings with each (nobody meets themselves), starts and games."""
        order = self._order
        met, winds, games = self.turns.meetings, self.games.winds, self.games.games
        return [
            (self.players[one], [None if one == other else met[one][other] for other in order], winds[one], games[one])
            for one in order
        ]


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """A schedule that is not written yet; with faults it cannot be."""

    sessions: tuple[PlannedSession, ...]
    evenness: tuple[Evenness, ...]
    faults: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A fingerprint of who plays where and when."""
        said = [
            [table.block.pk, table.table, table.starts_at.isoformat(), table.numbers,
             [[entrant.pk for entrant in seats] for seats in table.seats]]
            for session in self.sessions for table in session.tables
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def unscheduled_blocks(competition: Competition) -> list[Block]:
    """The blocks without a table, in the order of play."""
    rows = Block.objects.filter(competition=competition, table_sessions=None).select_related("stage")
    return list(rows.order_by("stage__order", "order"))


def counts_no_hanchan(competition: Competition) -> bool:
    """Whether the format leaves open how many hanchan somebody plays."""
    return any(stage.hanchan is None for stage in format_of(rules_at(competition)).stages)


def planned_schedule(competition: Competition, wishes: Wishes) -> SchedulePlan:
    """The schedule of all blocks that have no table yet."""
    league_format = format_of(rules_at(competition))
    planner = _Planner(competition, wishes)
    blocks = defaultdict(list)
    for block in unscheduled_blocks(competition):
        blocks[block.stage.key].append(block)
    for place, stage in enumerate(league_format.stages):
        if blocks[stage.key]:
            planner.add(stage, blocks[stage.key], is_first=place == 0)
    planner.faults += _unknown(competition, wishes)
    return SchedulePlan(tuple(planner.sessions), tuple(planner.evenness), tuple(planner.faults))


def _unknown(competition: Competition, wishes: Wishes) -> list[str]:
    """Absences of somebody who is not there at all are a slip of the pen."""
    known = {entrant.number for entrant in _everybody(competition)}
    return [_("There is no player %(player)s.") % {"player": number} for number in sorted(set(wishes.absent) - known)]


class _Planner:
    """Stage by stage, day by day."""

    def __init__(self, competition: Competition, wishes: Wishes) -> None:
        self.competition, self.wishes = competition, wishes
        self.size = ruleset_of(rules_at(competition)).players
        self.zone = ZoneInfo(competition.time_zone)
        self.days = 0
        self.minutes = 0
        last = Session.objects.filter(competition=competition).order_by("-number").first()
        self.number = last.number if last else 0
        self.sessions: list[PlannedSession] = []
        self.evenness: list[Evenness] = []
        self.faults: list[str] = []

    def add(self, stage: FormatStage, blocks: Sequence[Block], *, is_first: bool) -> None:
        """All sessions of a stage."""
        hanchan = stage.hanchan or self.wishes.hanchan
        sessions = stage.sessions or self.wishes.sessions or 1
        if not hanchan:
            self.faults.append(
                _("%(stage)s: enter how many hanchan each player plays.") % {"stage": title_of(blocks[0])}
            )
            return
        turns = tuple(hanchan // sessions + (turn < hanchan % sessions) for turn in range(min(sessions, hanchan)))
        form = self.wishes.seating or stage.seating
        companies = [(block, *self._company(block, form, turns)) for block in blocks]
        first = 0
        for turn, games in enumerate(turns):
            self.number += 1
            name, name_en = _session_name(stage, turn, len(turns), self.number, is_first=is_first)
            numbers = range(first + 1, first + games + 1)
            tables = list(self._tables(companies, form, numbers))
            self.sessions.append(PlannedSession(self.number, name, name_en, tuple(tables)))
            first += games

    def _company(
        self, block: Block, form: Seating, turns: tuple[int, ...]
    ) -> tuple[int, tuple[Entrant, ...], Schedule]:
        """How many tables a block has, its players, and their schedule; no players while it is open who plays."""
        slots = list(Slot.objects.filter(block=block).select_related("seeded__player").order_by("number"))
        if slots and not any(slot.source.startswith("seed:") for slot in slots):
            certain = _certain_players(block)
            if len(certain) < len(slots):
                return self._full_tables(block, len(slots)), (), ()
            return self._seated(block, certain, form, turns)
        people = [slot.seeded for slot in slots if slot.seeded] if slots else _everybody(self.competition)
        if len(people) < len(slots):
            message = _("%(block)s has %(there)s of %(places)s players.")
            self.faults.append(message % {"block": title_of(block), "there": len(people), "places": len(slots)})
            return 0, (), ()
        return self._seated(block, people, form, turns)

    def _full_tables(self, block: Block, places: int) -> int:
        if places % self.size:
            self._fault(block, SeatingError("tables_not_full", {
                "round": 1, "present": places, "size": self.size,
                "missing": self.size - places % self.size, "over": places % self.size,
            }))  # fmt: skip
        return places // self.size

    def _seated(
        self, block: Block, people: Sequence[Entrant], form: Seating, turns: tuple[int, ...]
    ) -> tuple[int, tuple[Entrant, ...], Schedule]:
        by_number = {entrant.number: entrant for entrant in people}
        players = tuple(by_number[number] for number in in_order_of_lots(by_number, f"{self.wishes.seed}:{block.key}"))
        absent = _absences(players, self.wishes.absent, form, turns)
        apart = frozenset(clubmates(players)) if self.wishes.keeps_clubs_apart else frozenset()
        try:
            schedule = designed(form, len(players), turns, self.size, apart, absent)
        except SeatingError as error:
            self._fault(block, error)
            return 0, (), ()
        self.evenness.append(evenness(block, players, schedule, apart))
        return len(players) // self.size, players, schedule

    def _fault(self, block: Block, error: SeatingError) -> None:
        self.faults.append(f"{title_of(block)}: {seating_words(error)}")

    def _tables(
        self, companies: Iterable[tuple[Block, int, tuple[Entrant, ...], Schedule]], form: Seating, numbers: range
    ) -> Iterable[PlannedTable]:
        """The tables of one session, with their days; the calendar moves on behind each day of play."""
        days, counted = self.wishes.days, Counter[dt.datetime]()
        is_moved = False
        for block, tables, players, schedule in companies:
            for company in _companies(tables, players, schedule, form, numbers):
                starts_at = self._moment(company.numbers[0] - numbers[0] if form is Seating.ROUNDS else 0)
                counted[starts_at] += 1
                yield PlannedTable(block, counted[starts_at], starts_at, company.numbers, company.seats)
                is_moved = days is Days.TABLE and form is Seating.STAY
                if is_moved:
                    self._move_on(len(numbers))
            if days is Days.BLOCK or (days is Days.TABLE and form is Seating.ROUNDS):
                self._move_on(len(numbers))
                is_moved = True
        if not is_moved:
            self._move_on(len(numbers))

    def _moment(self, round_: int) -> dt.datetime:
        """When the n-th hanchan of this day of play begins, by the clock where it is played."""
        calendar = self.wishes.calendar
        begin = dt.datetime.combine(calendar.first_day + dt.timedelta(days=self.days), calendar.starts_at)
        return (begin + dt.timedelta(minutes=self.minutes + round_ * self.wishes.minutes)).replace(tzinfo=self.zone)

    def _move_on(self, games: int) -> None:
        """To the next day of play; where all is played on one day, to the hour after these games."""
        if self.wishes.calendar.every:
            self.days += self.wishes.calendar.every
        else:
            self.minutes += games * self.wishes.minutes


@dataclass(frozen=True, slots=True)
class _Company:
    numbers: tuple[int, ...]
    seats: tuple[tuple[Entrant, ...], ...]


def _companies(
    tables: int, players: tuple[Entrant, ...], schedule: Schedule, form: Seating, numbers: range
) -> Iterable[_Company]:
    """Who sits together for which hanchan: for all of the session, or for one."""
    runs = [tuple(numbers)] if form is Seating.STAY else [(number,) for number in numbers]
    for run in runs:
        there = len(schedule[run[0] - 1]) if players else tables
        for place in range(there):
            yield _Company(run, tuple(
                tuple(players[player] for player in schedule[number - 1][place]) if players else () for number in run
            ))  # fmt: skip


def _session_name(stage: FormatStage, turn: int, turns: int, number: int, *, is_first: bool) -> tuple[str, str]:
    """The sessions of the first stage are counted, those of a later stage are named after it."""
    if is_first:
        return f"第{number}節", f"Session {number}"
    if turns == 1:
        return stage.title.ja, stage.title.en
    return f"{stage.title.ja} 第{turn + 1}節", f"{stage.title.en}, session {turn + 1}"


def _everybody(competition: Competition) -> list[Entrant]:
    rows = Entrant.objects.filter(competition=competition, merged_into=None, withdrawn_at=None)
    return list(rows.select_related("player").order_by("number"))


def _certain_players(block: Block) -> list[Entrant]:
    """Who certainly plays in a block, by number."""
    rows = Entrant.objects.filter(pk__in=entrants_who_may_play(block))
    return list(rows.select_related("player").order_by("number"))


def clubmates(players: Sequence[Entrant]) -> Iterable[Pair]:
    """Pairs of one club, by their places."""
    for (one, first), (other, second) in combinations(enumerate(players), 2):
        if first.affiliation.strip() and first.affiliation.strip() == second.affiliation.strip():
            yield one, other


def _absences(
    players: Sequence[Entrant], absent: Mapping[int, frozenset[int]], form: Seating, turns: tuple[int, ...]
) -> tuple[tuple[int, frozenset[int]], ...]:
    """Who is missing in each round, by place; a round of people who stay is a whole turn."""
    rounds = defaultdict(set)
    turn_of = [turn for turn, games in enumerate(turns) for _game in range(games)]
    for place, player in enumerate(players):
        for number in absent.get(player.number, ()):
            if 1 <= number <= len(turn_of):
                rounds[turn_of[number - 1] if form is Seating.STAY else number - 1].add(place)
    return tuple((number, frozenset(missing)) for number, missing in sorted(rounds.items()))


@lru_cache(maxsize=128)
def designed(
    form: Seating,
    players: int,
    turns: tuple[int, ...],
    size: int,
    apart: frozenset[Pair] = frozenset(),
    absent: tuple[tuple[int, frozenset[int]], ...] = (),
) -> Schedule:
    """A block's schedule, a round for each hanchan; kept, since the search may take a second.

    Raise SeatingError where the tables cannot be filled.
    """
    constraints = Constraints(apart=apart, absent=dict(absent))
    if form is Seating.STAY:
        return staying(players, turns, size=size, constraints=constraints, moves=MOVES)
    return seating(players, sum(turns), size=size, constraints=constraints, moves=MOVES)


def evenness(block: Block, players: Sequence[Entrant], schedule: Schedule, apart: Iterable[Pair] = ()) -> Evenness:
    """How even a schedule of these players is."""
    turns = turns_of(schedule)
    pairs = tuple(apart)
    return Evenness(
        block=block,
        players=tuple(players),
        games=balance_of(schedule, len(players), pairs),
        turns=balance_of(turns, len(players), pairs),
        is_staying=len(turns) < len(schedule),
    )


def turns_of(schedule: Schedule) -> Schedule:
    """The rounds in which somebody sits with other people than in the round before."""
    companies = [frozenset(map(frozenset, each)) for each in schedule]
    return tuple(
        each for number, each in enumerate(schedule) if number == 0 or companies[number] != companies[number - 1]
    )


def seating_words(error: SeatingError) -> str:
    """Why a schedule cannot be, in the reader's language."""
    return {
        "too_few_players": _("%(players)s players do not fill a table of %(size)s."),
        "tables_not_full": _(
            "In round %(round)s there are %(present)s players, which tables of %(size)s do not take evenly. "
            "Let %(missing)s more play, or %(over)s fewer."
        ),
        "no_such_player": _("There is no player %(player)s."),
        "no_rounds": _("A schedule has at least one round, not %(rounds)s."),
    }[error.code] % dict(error.params)


def scheduled_players(block: Block) -> tuple[list[Entrant], dict[int, list[list[int]]]]:
    """Who is seated in a block, and for each hanchan's number the tables: places among them in the order of seats."""
    seats = (
        HanchanSeat.objects.filter(hanchan__block=block, hanchan__table_session__is_cancelled=False)
        .exclude(hanchan__state="abandoned")
        .select_related("hanchan", "entrant__player")
        .order_by("hanchan__number", "hanchan__table_session__order", "hanchan", "seat")
    )
    people = {seat.entrant_id: seat.entrant for seat in seats}
    players = sorted(people.values(), key=lambda entrant: entrant.number)
    place_of = {entrant.pk: place for place, entrant in enumerate(players)}
    tables: dict[int, dict[int, list[int]]] = {}
    for seat in seats:
        tables.setdefault(seat.hanchan.number, {}).setdefault(seat.hanchan_id, []).append(place_of[seat.entrant_id])
    return players, {number: list(each.values()) for number, each in tables.items()}


def block_evenness(block: Block) -> Evenness | None:
    """How even a block's schedule is as it stands; None while nobody is seated."""
    players, tables = scheduled_players(block)
    if not players:
        return None
    schedule = tuple(tuple(map(tuple, tables[number])) for number in sorted(tables))
    return evenness(block, players, schedule, clubmates(players))


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two players who change places in some hanchan, and what becomes of the evenness."""

    before: Evenness
    after: Evenness

    @property
    def both(self) -> tuple[Evenness, Evenness]:
        """Now, and afterwards."""
        return self.before, self.after


def exchanged(block: Block, numbers: Iterable[int], one: Entrant, other: Entrant) -> Exchange | None:
    """What it costs if two players change places in the hanchan of these numbers; None where nobody is seated."""
    players, tables = scheduled_players(block)
    place_of = {entrant.pk: place for place, entrant in enumerate(players)}
    if one.pk not in place_of or other.pk not in place_of:
        return None
    first, second = place_of[one.pk], place_of[other.pk]
    swapped = {first: second, second: first}
    wanted = set(numbers)
    now = {number: tuple(map(tuple, each)) for number, each in sorted(tables.items())}
    then = tuple(
        tuple(tuple(swapped.get(who, who) for who in table) for table in each) if number in wanted else each
        for number, each in now.items()
    )
    pairs = tuple(clubmates(players))
    return Exchange(evenness(block, players, tuple(now.values()), pairs), evenness(block, players, then, pairs))


def has_schedule(competition: Competition) -> bool:
    """Whether any table is scheduled."""
    return TableSession.objects.filter(competition=competition).exists()
