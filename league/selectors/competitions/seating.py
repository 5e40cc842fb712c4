"""Planning of a whole schedule before it is written, and the evenness of schedules.

A plan is a pure function of the competition and the wishes, the seed included. The page shows it with its
digest, and the service computes it again under the lock and compares digests, so that the plan shown is the one
written.
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
"""Limit of the search where no perfect design is known; it takes about a second."""
USUAL_MINUTES = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """The days of a league: first day, days between playing days, start time and venue."""

    first_day: dt.date
    every: int
    starts_at: dt.time
    venue: str = ""


def calendar_of(competition: Competition) -> Calendar | None:
    """Return the calendar entered when the competition was set up, the newest if it was changed; None without one."""
    kept = Change.objects.filter(competition=competition, kind="calendar.planned").order_by("-n").first()
    if kept is None:
        return None
    said = kept.after or {}
    return Calendar(
        first_day=dt.date.fromisoformat(said["first_day"]),
        every=said["every"],
        starts_at=dt.time.fromisoformat(said["starts_at"]),
        venue=said["venue"],
    )


class Days(StrEnum):
    """The tables of a session that play on the same day."""

    SESSION = "session"
    """All tables of the session."""
    BLOCK = "block"
    """The tables of one block."""
    TABLE = "table"
    """One table alone, as in broadcasts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """The input of a plan; `seating` None is the format's own, `minutes` is the length of one hanchan."""

    calendar: Calendar
    seed: str
    seating: Seating | None = None
    days: Days = Days.SESSION
    minutes: int = USUAL_MINUTES
    keeps_clubs_apart: bool = False
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """By entrant number: the numbers of the hanchan that the entrant misses."""
    hanchan: int | None = None
    """Number of hanchan, where the format does not set one."""
    sessions: int | None = None
    """Number of sessions, where the format does not set one."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table for the hanchan of these numbers with the seats of each.

    Without seats while its entrants are not known.
    """

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
    """The balance of a block's schedule: `games` counts each hanchan, `turns` each group that stays together once."""

    block: Block
    players: tuple[Entrant, ...]
    games: Balance
    turns: Balance
    is_staying: bool

    @property
    def _order(self) -> list[int]:
        """Return the players' indexes in the order of their numbers."""
        return sorted(range(len(self.players)), key=lambda place: self.players[place].number)

    @property
    def people(self) -> list[Entrant]:
        """Return the players by number."""
        return [self.players[place] for place in self._order]

    @property
    def rows(self) -> list[tuple[Entrant, list[int | None], tuple[int, ...], int]]:
        """Return a row for each player by number: meetings by player (None for themselves), start winds, games."""
        order = self._order
        met, winds, games = self.turns.meetings, self.games.winds, self.games.games
        return [
            (self.players[one], [None if one == other else met[one][other] for other in order], winds[one], games[one])
            for one in order
        ]


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """A schedule that is not written yet; with faults it cannot be written."""

    sessions: tuple[PlannedSession, ...]
    evenness: tuple[Evenness, ...]
    faults: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Return a digest of all players, tables and times."""
        said = [
            [table.block.pk, table.table, table.starts_at.isoformat(), table.numbers,
             [[entrant.pk for entrant in seats] for seats in table.seats]]
            for session in self.sessions for table in session.tables
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def unscheduled_blocks(competition: Competition) -> list[Block]:
    """Return the blocks without a table, in playing order."""
    rows = Block.objects.filter(competition=competition, table_sessions=None).select_related("stage")
    return list(rows.order_by("stage__order", "order"))


def counts_no_hanchan(competition: Competition) -> bool:
    """Return True if the format does not set the number of hanchan of some stage."""
    return any(stage.hanchan is None for stage in format_of(rules_at(competition)).stages)


def planned_schedule(competition: Competition, wishes: Wishes) -> SchedulePlan:
    """Plan the schedule of all blocks that have no table yet."""
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
    """Return faults for absences of entrant numbers that do not exist, which are typing errors."""
    known = {entrant.number for entrant in _everybody(competition)}
    return [_("There is no player %(player)s.") % {"player": number} for number in sorted(set(wishes.absent) - known)]


class _Planner:
    """Builds the plan stage by stage and day by day."""

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
        """Plan all sessions of a stage."""
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
        """Return a block's number of tables, players and schedule; no players while they are not known."""
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
            schedule = design_schedule(form, len(players), turns, self.size, apart, absent)
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
        """Yield the tables of one session with their start times; the calendar advances after each playing day."""
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
        """Return the start of the n-th hanchan of this playing day, in local time of the competition."""
        calendar = self.wishes.calendar
        begin = dt.datetime.combine(calendar.first_day + dt.timedelta(days=self.days), calendar.starts_at)
        # The zone is set last, so that 13:00 stays 13:00 across a change to summer time.
        return (begin + dt.timedelta(minutes=self.minutes + round_ * self.wishes.minutes)).replace(tzinfo=self.zone)

    def _move_on(self, games: int) -> None:
        """Advance to the next playing day, or past these games if everything is played on one day."""
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
    """Yield the groups of players that sit together: for the whole session, or for one hanchan each."""
    runs = [tuple(numbers)] if form is Seating.STAY else [(number,) for number in numbers]
    for run in runs:
        there = len(schedule[run[0] - 1]) if players else tables
        for place in range(there):
            yield _Company(run, tuple(
                tuple(players[player] for player in schedule[number - 1][place]) if players else () for number in run
            ))  # fmt: skip


def _session_name(stage: FormatStage, turn: int, turns: int, number: int, *, is_first: bool) -> tuple[str, str]:
    """Return a session's Japanese and English name: numbered in the first stage, later named by the stage."""
    if is_first:
        return f"第{number}節", f"Session {number}"
    if turns == 1:
        return stage.title.ja, stage.title.en
    return f"{stage.title.ja} 第{turn + 1}節", f"{stage.title.en}, session {turn + 1}"


def _everybody(competition: Competition) -> list[Entrant]:
    rows = Entrant.objects.filter(competition=competition, merged_into=None, withdrawn_at=None)
    return list(rows.select_related("player").order_by("number"))


def _certain_players(block: Block) -> list[Entrant]:
    """Return the entrants that certainly play in a block, by number."""
    rows = Entrant.objects.filter(pk__in=entrants_who_may_play(block))
    return list(rows.select_related("player").order_by("number"))


def clubmates(players: Sequence[Entrant]) -> Iterable[Pair]:
    """Yield the pairs of players with the same affiliation, by index."""
    for (one, first), (other, second) in combinations(enumerate(players), 2):
        if first.affiliation.strip() and first.affiliation.strip() == second.affiliation.strip():
            yield one, other


def _absences(
    players: Sequence[Entrant], absent: Mapping[int, frozenset[int]], form: Seating, turns: tuple[int, ...]
) -> tuple[tuple[int, frozenset[int]], ...]:
    """Return the indexes of missing players by round; in the staying form a round is a whole session."""
    rounds = defaultdict(set)
    turn_of = [turn for turn, games in enumerate(turns) for _game in range(games)]
    for place, player in enumerate(players):
        for number in absent.get(player.number, ()):
            if 1 <= number <= len(turn_of):
                rounds[turn_of[number - 1] if form is Seating.STAY else number - 1].add(place)
    return tuple((number, frozenset(missing)) for number, missing in sorted(rounds.items()))


@lru_cache(maxsize=128)
def design_schedule(
    form: Seating,
    players: int,
    turns: tuple[int, ...],
    size: int,
    apart: frozenset[Pair] = frozenset(),
    absent: tuple[tuple[int, frozenset[int]], ...] = (),
) -> Schedule:
    """Return a block's schedule with a round for each hanchan; cached, since the search may take a second.

    Raise SeatingError if the tables cannot be filled.
    """
    constraints = Constraints(apart=apart, absent=dict(absent))
    if form is Seating.STAY:
        return staying(players, turns, size=size, constraints=constraints, moves=MOVES)
    return seating(players, sum(turns), size=size, constraints=constraints, moves=MOVES)


def evenness(block: Block, players: Sequence[Entrant], schedule: Schedule, apart: Iterable[Pair] = ()) -> Evenness:
    """Compute the evenness of a schedule of these players."""
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
    """Return the rounds in which the groups at the tables differ from the round before."""
    companies = [frozenset(map(frozenset, each)) for each in schedule]
    return tuple(
        each for number, each in enumerate(schedule) if number == 0 or companies[number] != companies[number - 1]
    )


def seating_words(error: SeatingError) -> str:
    """Return a seating error as a sentence in the active language."""
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
    """Return a block's seated entrants by number, and by hanchan number its tables as indexes of them in seat order."""
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
    """Return the evenness of a block's present schedule; None while it has no seats."""
    players, tables = scheduled_players(block)
    if not players:
        return None
    schedule = tuple(tuple(map(tuple, tables[number])) for number in sorted(tables))
    return evenness(block, players, schedule, clubmates(players))


@dataclass(frozen=True, slots=True)
class Exchange:
    """The evenness of a block before and after two players exchange seats in some hanchan."""

    before: Evenness
    after: Evenness

    @property
    def both(self) -> tuple[Evenness, Evenness]:
        """Return the evenness before and after."""
        return self.before, self.after


def exchange_effect(block: Block, numbers: Iterable[int], one: Entrant, other: Entrant) -> Exchange | None:
    """Compute the effect of exchanging two players in the hanchan of these numbers; None if one has no seat."""
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
    """Return True if any table is scheduled."""
    return TableSession.objects.filter(competition=competition).exists()
