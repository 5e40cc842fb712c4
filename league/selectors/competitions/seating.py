"""Planning of a whole schedule before it is written.

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
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from league.models import Block, Change, Competition, Entrant, Session, Slot, TableSession
from league.selectors.competitions.evenness import Evenness, clubmates, evenness
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.wording.names import title_of
from scoring.format import Seating
from scoring.format import Stage as FormatStage
from scoring.seating import Constraints, SeatingError, in_order_of_lots, seating, staying, with_rests
from scoring.seating.balance import Pair, Schedule
from scoring.seating.rests import refuse_unfilled

MOVES = 100_000
"""Limit of the search where no perfect design is known; it takes about a second."""
USUAL_MINUTES = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """The days of a league: first day, days between playing days, start time, venue and its number of tables."""

    first_day: dt.date
    every: int
    starts_at: dt.time
    venue: str = ""
    tables: int | None = None
    """Tables at a time; None if there are as many as the players fill."""


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
        tables=said.get("tables"),
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
    tables: int | None = None
    """Number of tables that can play at a time, where the venue has few."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table for the hanchan of these numbers and rounds (回戦 of the session), with the seats of each.

    Without seats while its entrants are not known.
    """

    block: Block
    table: int
    starts_at: dt.datetime
    numbers: tuple[int, ...]
    rounds: tuple[int, ...]
    seats: tuple[tuple[Entrant, ...], ...]


@dataclass(frozen=True, slots=True)
class PlannedRest:
    """The players of a block who rest in these rounds of the session, which have these numbers in the block."""

    block: Block
    numbers: tuple[int, ...]
    rounds: tuple[int, ...]
    players: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session with its tables, and who rests in it where a block's players do not fill tables."""

    number: int
    name: str
    name_en: str
    tables: tuple[PlannedTable, ...]
    rests: tuple[PlannedRest, ...] = ()


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """A schedule that is not written yet; with faults it cannot be written."""

    sessions: tuple[PlannedSession, ...]
    evenness: tuple[Evenness, ...]
    faults: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    """Why some stages are not in it yet."""

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
        # Sessions are numbered in the order of play, so no stage is planned before one that has to wait.
        if blocks[stage.key] and not planner.waiting:
            planner.add(stage, blocks[stage.key], is_first=place == 0)
    planner.faults += _unknown(competition, wishes)
    return SchedulePlan(tuple(planner.sessions), tuple(planner.evenness), tuple(planner.faults), tuple(planner.waiting))


def _unknown(competition: Competition, wishes: Wishes) -> list[str]:
    """Return faults for absences of entrant numbers that do not exist, which are typing errors."""
    known = {entrant.number for entrant in _all_entrants(competition)}
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
        self.waiting: list[str] = []
        """Why some stages cannot be planned yet."""

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
        courses = list(filter(None, (self._course(block, form, turns, stage) for block in blocks)))
        if self.waiting:
            return
        for turn in range(len(turns)):
            self.number += 1
            name, name_en = _session_name(stage, turn, len(turns), self.number, is_first=is_first)
            here = [(course, course.sessions[turn]) for course in courses if turn < len(course.sessions)]
            tables = tuple(self._tables(here, form))
            rests = tuple(rest for course, runs in here for rest in course.rests(runs))
            self.sessions.append(PlannedSession(self.number, name, name_en, tables, rests))

    def _course(self, block: Block, form: Seating, turns: tuple[int, ...], stage: FormatStage) -> _Course | None:
        """Return a block's rounds, without players while they are not known; None if they cannot be planned."""
        slots = list(Slot.objects.filter(block=block).select_related("seeded__player").order_by("number"))
        if slots and not any(slot.source.startswith("seed:") for slot in slots):
            people = _certain_players(block)
            people = people if len(people) >= len(slots) else []
        else:
            people = [slot.seeded for slot in slots if slot.seeded] if slots else _all_entrants(self.competition)
            if len(people) < len(slots):
                message = _("%(block)s has %(there)s of %(places)s players.")
                self.faults.append(message % {"block": title_of(block), "there": len(people), "places": len(slots)})
                return None
        count = len(people) or len(slots)
        # An open block has no own numbers of hanchan, so with a fixed number of them no player may rest.
        has_rests = count % self.size != 0 and bool(slots or stage.hanchan is None)
        try:
            if has_rests:
                return self._with_rests(block, people, count, form, turns)
            return self._in_full(block, people, count, form, turns)
        except SeatingError as error:
            self._fault(block, error)
            return None

    def _in_full(
        self, block: Block, people: Sequence[Entrant], count: int, form: Seating, turns: tuple[int, ...]
    ) -> _Course:
        """Return the rounds of a block in which every player present plays every round."""
        if people or not count:
            players, apart = self._players(block, people)
            absent = _absences(players, self.wishes.absent, form, turns)
            schedule = design_schedule(form, len(players), turns, self.size, apart, absent)
            self.evenness.append(evenness(block, players, schedule, apart))
        else:
            players = ()
            schedule = (((),) * (count // self.size),) * sum(turns)
        sessions, first = [], 1
        for games in turns:
            sessions.append(_runs(range(first, first + games), games if form is Seating.STAY else 1))
            first += games
        return _Course(block, players, schedule, tuple(sessions), self.wishes.tables)

    def _with_rests(
        self, block: Block, people: Sequence[Entrant], count: int, form: Seating, turns: tuple[int, ...]
    ) -> _Course | None:
        """Return the rounds of a block in which some players rest; its sessions have equal numbers of rounds."""
        games = turns[0] if form is Seating.STAY else 1
        if sum(turns) % games or (form is Seating.STAY and len(set(turns)) > 1):
            message = _("%(block)s: %(hanchan)s hanchan do not divide into %(sessions)s equal sessions.")
            told = {"block": title_of(block), "hanchan": sum(turns), "sessions": len(turns)}
            self.faults.append(message % told)
            return None
        each, tables = sum(turns) // games, self.wishes.tables
        refuse_unfilled(count, each, games, self.size)
        if not people:
            # Who rests depends on who plays: seats cannot be drawn round by round, as at tables that all fill.
            message = _("%(block)s and later stages are scheduled once it is known who plays, since some rest.")
            self.waiting.append(message % {"block": title_of(block)})
            return None
        players, apart = self._players(block, people)
        most = -(-count * each // (self.size * max(1, min(tables or count, count // self.size))))
        absent = _absences(players, self.wishes.absent, form, (games,) * most)
        schedule = rest_schedule(count, each, games, self.size, tables, apart, absent)
        self.evenness.append(evenness(block, players, schedule, apart))
        runs = _runs(range(1, len(schedule) + 1), games)
        share, more = divmod(len(runs), len(turns))
        sessions, first = [], 0
        for turn in range(len(turns)):
            size = share + (turn < more)
            sessions.append(runs[first : first + size])
            first += size
        return _Course(block, players, schedule, tuple(sessions), None, has_rests=True)

    def _players(self, block: Block, people: Sequence[Entrant]) -> tuple[tuple[Entrant, ...], frozenset[Pair]]:
        """Return the players in the order of their lots, and the pairs of them that are to be kept apart."""
        by_number = {entrant.number: entrant for entrant in people}
        players = tuple(by_number[number] for number in in_order_of_lots(by_number, f"{self.wishes.seed}:{block.key}"))
        return players, frozenset(clubmates(players)) if self.wishes.keeps_clubs_apart else frozenset()

    def _fault(self, block: Block, error: SeatingError) -> None:
        self.faults.append(f"{title_of(block)}: {seating_words(error)}")

    def _tables(self, courses: Sequence[tuple[_Course, Runs]], form: Seating) -> Iterable[PlannedTable]:
        """Yield the tables of one session with their start times; the calendar advances after each playing day."""
        days, counted = self.wishes.days, Counter[dt.datetime]()
        alone = days is Days.TABLE and form is Seating.STAY
        begins = _begins(courses, self.wishes.tables) if days is Days.SESSION else [0] * len(courses)
        longest = 0
        for (course, runs), begin in zip(courses, begins, strict=True):
            slot, rounds = begin, round_numbers(number for run in runs for number in run)
            for run in runs:
                here = tuple(rounds[number] for number in run)
                for place, seats in enumerate(course.tables(run)):
                    starts_at = self._moment(0 if alone else slot + course.wave(place) * len(run))
                    counted[starts_at] += 1
                    yield PlannedTable(course.block, counted[starts_at], starts_at, run, here, seats)
                    if alone:
                        self._move_on(len(run))
                slot += course.duration(run)
            longest = max(longest, slot)
            if days is Days.BLOCK or (days is Days.TABLE and not alone):
                self._move_on(slot)
        if days is Days.SESSION:
            self._move_on(longest)

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


def round_numbers(numbers: Iterable[int]) -> Mapping[int, int]:
    """Return the round (回戦) of a session by the block's number of a hanchan, from all numbers played in it."""
    return {number: round_ for round_, number in enumerate(sorted(set(numbers)), start=1)}


Runs = tuple[tuple[int, ...], ...]
"""Hanchan numbers, in groups that one company plays without changing tables."""


def _runs(numbers: range, games: int) -> Runs:
    """Return the numbers in groups of so many games."""
    return tuple(tuple(numbers[first : first + games]) for first in range(0, len(numbers), games))


@dataclass(frozen=True, slots=True)
class _Course:
    """The rounds of one block; `schedule` has a round for each hanchan number, with indexes of the players."""

    block: Block
    players: tuple[Entrant, ...]
    """Empty while they are not known."""
    schedule: Schedule
    sessions: tuple[Runs, ...]
    at_once: int | None
    """Tables that play at a time, where a round has more: the others play after them."""
    has_rests: bool = False

    def tables(self, run: tuple[int, ...]) -> Iterable[tuple[tuple[Entrant, ...], ...]]:
        """Yield the seats of each table in the hanchan of these numbers; empty seats while players are not known."""
        for place in range(len(self.schedule[run[0] - 1])):
            seats = (self.schedule[number - 1][place] for number in run)
            yield tuple(tuple(self.players[one] for one in table) if self.players else () for table in seats)

    def wave(self, place: int) -> int:
        """Return how many groups of tables of a round play before this table."""
        return place // self.at_once if self.at_once else 0

    def duration(self, run: tuple[int, ...]) -> int:
        """Return how many hanchan are played one after another until all tables have played these."""
        return len(run) * (self.wave(len(self.schedule[run[0] - 1]) - 1) + 1)

    def width(self, runs: Runs) -> int:
        """Return the largest number of tables that play at a time."""
        most = max((len(self.schedule[run[0] - 1]) for run in runs), default=0)
        return min(most, self.at_once or most)

    def rests(self, runs: Runs) -> Iterable[PlannedRest]:
        """Yield the players who rest in each group of hanchan."""
        rounds = round_numbers(number for run in runs for number in run)
        for run in runs if self.has_rests else ():
            there = {one for table in self.schedule[run[0] - 1] for one in table}
            resting = (entrant for place, entrant in enumerate(self.players) if place not in there)
            players = tuple(sorted(resting, key=lambda entrant: entrant.number))
            yield PlannedRest(self.block, run, tuple(rounds[number] for number in run), players)


def _begins(courses: Sequence[tuple[_Course, Runs]], at_once: int | None) -> list[int]:
    """Return when each block begins, in hanchan from the start of the day: blocks share the tables of the venue."""
    begins: list[int] = []
    now = used = until = 0
    for course, runs in courses:
        width = course.width(runs)
        if at_once and used and used + width > at_once:
            now, used = until, 0
        begins.append(now)
        used += width
        until = max(until, now + sum(map(course.duration, runs)))
    return begins


def _session_name(stage: FormatStage, turn: int, turns: int, number: int, *, is_first: bool) -> tuple[str, str]:
    """Return a session's Japanese and English name: numbered in the first stage, later named by the stage."""
    if is_first:
        return f"第{number}節", f"Session {number}"
    if turns == 1:
        return stage.title.ja, stage.title.en
    return f"{stage.title.ja} 第{turn + 1}節", f"{stage.title.en}, session {turn + 1}"


def _all_entrants(competition: Competition) -> list[Entrant]:
    rows = Entrant.objects.filter(competition=competition, merged_into=None, withdrawn_at=None)
    return list(rows.select_related("player").order_by("number"))


def _certain_players(block: Block) -> list[Entrant]:
    """Return the entrants that certainly play in a block, by number."""
    rows = Entrant.objects.filter(pk__in=entrants_who_may_play(block))
    return list(rows.select_related("player").order_by("number"))


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


@lru_cache(maxsize=128)
def rest_schedule(
    players: int,
    turns: int,
    games: int,
    size: int,
    tables: int | None,
    apart: frozenset[Pair] = frozenset(),
    absent: tuple[tuple[int, frozenset[int]], ...] = (),
) -> Schedule:
    """Return the same for a block in which some players rest; each plays `turns` turns of `games` hanchan."""
    constraints = Constraints(apart=apart, absent=dict(absent))
    return with_rests(players, turns, games=games, size=size, tables=tables, constraints=constraints, moves=MOVES)


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
        "hanchan_fill_no_tables": _(
            "%(players)s players × %(hanchan)s hanchan do not fill tables of %(size)s: take %(lower)s or %(upper)s "
            "hanchan."
        ),
        "too_few_hanchan": _(
            "%(players)s players × %(hanchan)s hanchan do not fill tables of %(size)s: take %(upper)s hanchan."
        ),
        "too_many_absences": _(
            "With these absences %(left)s players have hanchan left in the end, too few for a table of %(size)s."
        ),
    }[error.code] % dict(error.params)


def has_schedule(competition: Competition) -> bool:
    """Return True if any table is scheduled."""
    return TableSession.objects.filter(competition=competition).exists()
