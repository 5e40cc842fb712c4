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
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from league.models import Block, Change, Competition, Entrant, Hanchan, Session, Slot
from league.selectors.competitions.block_rounds import later_rounds, paired_later, paired_rounds
from league.selectors.competitions.courses import (
    Course,
    PlannedSession,
    PlannedTable,
    Runs,
    begins_of,
    round_numbers,
    runs_of,
    sessions_of,
)
from league.selectors.competitions.roster import active_entrants, house_places, house_players
from league.selectors.competitions.seating.designs import (
    Cost,
    Design,
    costs_of,
    countries_of,
    design_schedule,
    groups_of,
    rounds_of,
    seating_words,
)
from league.selectors.competitions.seating.evenness import Evenness, evenness
from league.selectors.competitions.seating.searches import BlockSearch
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.wording.names import title_of
from scoring.format import Format, Seating
from scoring.format import Stage as FormatStage
from scoring.format.numbers import odd_by
from scoring.seating import SeatingError, in_order_of_lots
from scoring.seating.balance import Round, Schedule
from scoring.seating.rests import refuse_unfilled

USUAL_MINUTES = 60
USUAL_HANCHAN = 4


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
    keeps_countries_apart: bool = False
    fewer_tables: tuple[int, int] | None = None
    """The number of a hanchan, and the most tables of a block from that hanchan on."""
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """By entrant number: the numbers of the hanchan that the entrant misses."""
    hanchan: int | None = None
    """Number of hanchan, where the format does not set one."""
    sessions: int | None = None
    """Number of sessions of the first stage whose format does not set one."""
    tables: int | None = None
    """Number of tables that can play at a time, where the venue has few."""


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """A schedule that is not written yet; with faults it cannot be written."""

    sessions: tuple[PlannedSession, ...]
    evenness: tuple[Evenness, ...]
    faults: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    """Why some stages are not in it yet."""
    later: tuple[str, ...] = ()
    """Which rounds are paired or drawn later, and when."""
    designs: tuple[tuple[Block, Design, Schedule], ...] = ()
    """The input of each block's schedule, and the schedule."""
    searches: tuple[BlockSearch, ...] = ()

    @property
    def costs(self) -> list[Cost]:
        """Return the cost of each wish, block by block; it takes the time of a schedule for each of them."""
        return [cost for each in self.designs for cost in costs_of(*each)]

    @property
    def is_improvable(self) -> bool:
        """Return True if a search may find a more even seating for some block."""
        return any(search.is_improvable for search in self.searches)

    @property
    def is_searching(self) -> bool:
        """Return True while a search goes on."""
        return any(search.row and search.row.is_pending for search in self.searches)

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


def counts_no_sessions(competition: Competition) -> bool:
    """Return True if organizers choose the number of sessions: hanchan are not set, or fixtures fill the days."""
    stages = format_of(rules_at(competition)).stages
    return any(
        stage.hanchan is None or (stage.seating is Seating.FIXTURES and stage.sessions is None) for stage in stages
    )


def awaits_seats(session: Session) -> bool:
    """Return True if seats of a hanchan of this session are still to be drawn; rounds that are paired are left out."""
    open_ones = Hanchan.objects.filter(table_session__session=session, table_session__is_cancelled=False)
    unseated = open_ones.filter(state=Hanchan.State.SCHEDULED, seats=None)
    numbers: defaultdict[int, set[int]] = defaultdict(set)
    for block, number in unseated.order_by().values_list("block", "number").distinct():
        numbers[block].add(number)
    blocks = Block.objects.filter(pk__in=numbers).select_related("competition")
    return any(numbers[block.pk] - paired_later(block) for block in blocks)


def usual_sessions(competition: Competition) -> int:
    """Return the number of sessions to propose: evenings of four hanchan; 1 where the hanchan are open as well."""
    stages = format_of(rules_at(competition)).stages
    hanchan = next((stage.hanchan for stage in stages if stage.sessions is None and stage.hanchan), 1)
    return -(-hanchan // USUAL_HANCHAN)


def planned_schedule(competition: Competition, wishes: Wishes) -> SchedulePlan:
    """Plan the schedule of all blocks that have no table yet."""
    league_format = format_of(rules_at(competition))
    planner = _Planner(competition, wishes, league_format)
    blocks = defaultdict(list)
    for block in unscheduled_blocks(competition):
        blocks[block.stage.key].append(block)
    for place, stage in enumerate(league_format.stages):
        # Sessions are numbered in the order of play, so no stage is planned before one that has to wait.
        if blocks[stage.key] and not planner.waiting:
            planner.add(stage, blocks[stage.key], is_first=place == 0)
    planner.faults += _unknown(competition, wishes)
    return SchedulePlan(
        sessions=tuple(planner.sessions),
        evenness=tuple(planner.evenness),
        faults=tuple(planner.faults),
        waiting=tuple(planner.waiting),
        later=tuple(planner.later),
        designs=tuple(planner.designs),
        searches=tuple(planner.searches),
    )


def _unknown(competition: Competition, wishes: Wishes) -> list[str]:
    """Return faults for absences of entrant numbers that do not exist, which are typing errors."""
    known = {entrant.number for entrant in active_entrants(competition)}
    return [_("There is no player %(player)s.") % {"player": number} for number in sorted(set(wishes.absent) - known)]


class _Planner:
    """Builds the plan stage by stage and day by day."""

    def __init__(self, competition: Competition, wishes: Wishes, league_format: Format) -> None:
        self.competition, self.wishes, self.format = competition, wishes, league_format
        self.size = ruleset_of(rules_at(competition)).players
        self.zone = ZoneInfo(competition.time_zone)
        self.days = 0
        self.minutes = 0
        self.a_session = 0
        """Hanchan a session in stages whose number of sessions the organizer chooses; 0 before the first."""
        last = Session.objects.filter(competition=competition).order_by("-number").first()
        self.number = last.number if last else 0
        self.sessions: list[PlannedSession] = []
        self.evenness: list[Evenness] = []
        self.designs: list[tuple[Block, Design, Schedule]] = []
        self.searches: list[BlockSearch] = []
        self.faults: list[str] = []
        self.waiting: list[str] = []
        """Why some stages cannot be planned yet."""
        self.later: list[str] = []
        """Which rounds are paired or drawn later."""
        self.house = house_players(competition)
        self.house_places = house_places(league_format, self.size)

    def add(self, stage: FormatStage, blocks: Sequence[Block], *, is_first: bool) -> None:
        """Plan all sessions of a stage."""
        hanchan = stage.hanchan or self.wishes.hanchan
        if not hanchan:
            self.faults.append(
                _("%(stage)s: enter how many hanchan each player plays.") % {"stage": title_of(blocks[0])}
            )
            return
        sessions = stage.sessions or self._sessions_of(hanchan)
        turns = tuple(hanchan // sessions + (turn < hanchan % sessions) for turn in range(min(sessions, hanchan)))
        is_by_rounds = bool(stage.rounds) or odd_by(self.format, stage) is not None
        form = stage.seating if is_by_rounds else self.wishes.seating or stage.seating
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

    def _sessions_of(self, hanchan: int) -> int:
        """Return the number of sessions of a stage whose format leaves it open.

        The number wished for is that of the first such stage; later ones keep its hanchan a session.
        """
        if self.a_session:
            return -(-hanchan // self.a_session)
        sessions = self.wishes.sessions or 1
        self.a_session = -(-hanchan // sessions)
        return sessions

    def _course(self, block: Block, form: Seating, turns: tuple[int, ...], stage: FormatStage) -> Course | None:
        """Return a block's rounds, without players while they are not known; None if they cannot be planned."""
        slots = list(Slot.objects.filter(block=block).select_related("seeded__player").order_by("number"))
        if slots and not all(slot.source.startswith("seed:") for slot in slots):
            people = _certain_players(block)
            people = people if len(people) >= len(slots) else []
        else:
            people = [slot.seeded for slot in slots if slot.seeded] if slots else active_entrants(self.competition)
            if len(people) < len(slots):
                message = _("%(block)s: %(there)s of %(places)s places are filled.")
                self.faults.append(message % {"block": title_of(block), "there": len(people), "places": len(slots)})
                return None
        count = len(people) or len(slots)
        if slots and (stage.rounds or odd_by(self.format, stage)):
            try:
                return self._in_rounds(block, people, count, turns, stage)
            except SeatingError as error:
                self._fault(block, error)
                return None
        # An open block has no own numbers of hanchan, so with a fixed number of them no player may rest. A block that
        # its entrants fill has a fixed number of rounds: those who rest there have fewer hanchan, as after an absence.
        may_rest = bool(slots or stage.hanchan is None) and count % self.size != 0
        is_over = self._leaves_players_over(people, count, sum(turns))
        try:
            if may_rest or (stage.hanchan is None and is_over):
                return self._with_rests(block, people, count, form, turns)
            return self._in_full(block, people, count, form, turns, has_rests=is_over)
        except SeatingError as error:
            self._fault(block, error)
            return None

    def _in_rounds(
        self, block: Block, people: Sequence[Entrant], count: int, turns: tuple[int, ...], stage: FormatStage
    ) -> Course | None:
        """Return the rounds of a block of which some may be paired later, and whose tables a policy may fill.

        House players play like the others; without them those whom the tables do not take have a bye in the round.
        """
        rounds = range(1, sum(turns) + 1)
        paired = paired_rounds(stage)
        planned = tuple(number for number in rounds if number not in paired)
        places = self.house_places.get(block.key, range(0))
        if places.stop > len(self.house):
            message = _("%(block)s needs %(count)s house players at a time. Close the roster, which enters them.")
            self.faults.append(message % {"block": title_of(block), "count": places.stop})
            return None
        sitting = count + len(places)
        has_rests = bool(sitting % self.size) or self._leaves_players_over(people, sitting, len(rounds))
        if planned and not people and (has_rests or places):
            self._wait(block)
            return None
        self.later += (later_rounds(block, plan, self.format) for plan in dict.fromkeys(paired.values()))
        seated = [*people, *self.house[places.start : places.stop]] if people else []
        players = self._players(block, seated) if planned else ()
        schedule: dict[int, Round] = dict.fromkeys(rounds, ((),) * (sitting // self.size))
        if players:
            design = self._design_of_rounds(players, planned)
            schedule |= zip(planned, self._improved(block, players, design), strict=True)
        sessions = sessions_of(turns, (1,) * len(turns))
        return Course(block, players, tuple(schedule.values()), sessions, self.wishes.tables, has_rests=has_rests)

    def _design_of_rounds(self, players: Sequence[Entrant], numbers: Sequence[int]) -> Design:
        """Return the input for these rounds alone, in which all players present sit, but those left over."""
        wishes = self.wishes
        first, most = wishes.fewer_tables or (0, 0)
        absent = [wishes.absent.get(player.number, frozenset()) for player in players]
        away = (
            (round_, frozenset(place for place, missed in enumerate(absent) if number in missed))
            for round_, number in enumerate(numbers)
        )
        return Design(
            form=Seating.ROUNDS,
            players=len(players),
            turns=(len(numbers),),
            size=self.size,
            has_byes=bool(len(players) % self.size),
            clubs=groups_of(entrant.affiliation for entrant in players) if wishes.keeps_clubs_apart else (),
            countries=groups_of(countries_of(players)) if wishes.keeps_countries_apart else (),
            absent=tuple(each for each in away if each[1]),
            tables=tuple(
                (round_, most)
                for round_, number in enumerate(numbers)
                if first and number >= first and most < len(players) // self.size
            ),
        )

    def _in_full(
        self,
        block: Block,
        people: Sequence[Entrant],
        count: int,
        form: Seating,
        turns: tuple[int, ...],
        *,
        has_rests: bool,
    ) -> Course | None:
        """Return the rounds of a block in which every player present plays, but for those left over."""
        if has_rests and count and not people:
            self._wait(block)
            return None
        if people or not count:
            players = self._players(block, people)
            design = self._design(players, form, turns)
            schedule = self._improved(block, players, design)
        else:
            players = ()
            schedule = (((),) * (count // self.size),) * sum(turns)
        sessions = sessions_of(turns, turns if form is Seating.STAY else (1,) * len(turns))
        return Course(block, players, schedule, sessions, self.wishes.tables, has_rests=has_rests)

    def _with_rests(
        self, block: Block, people: Sequence[Entrant], count: int, form: Seating, turns: tuple[int, ...]
    ) -> Course | None:
        """Return the rounds of a block in which some players rest; its sessions have equal numbers of rounds."""
        games = turns[0] if form is Seating.STAY else 1
        if sum(turns) % games or (form is Seating.STAY and len(set(turns)) > 1):
            message = _("%(block)s: %(hanchan)s hanchan do not divide into %(sessions)s equal sessions.")
            told = {"block": title_of(block), "hanchan": sum(turns), "sessions": len(turns)}
            self.faults.append(message % told)
            return None
        each = sum(turns) // games
        refuse_unfilled(count, each, games, self.size)
        if not people:
            self._wait(block)
            return None
        players = self._players(block, people)
        design = self._design(players, form, (games,) * each, is_equal=True)
        schedule = self._improved(block, players, design)
        runs = runs_of(range(1, len(schedule) + 1), games)
        share, more = divmod(len(runs), len(turns))
        sessions, first = [], 0
        for turn in range(len(turns)):
            size = share + (turn < more)
            sessions.append(runs[first : first + size])
            first += size
        return Course(block, players, schedule, tuple(sessions), None, has_rests=True)

    def _wait(self, block: Block) -> None:
        """Note that a block cannot be planned yet: who rests depends on who plays."""
        message = _("%(block)s and later stages are scheduled once it is known who plays, since some rest.")
        self.waiting.append(message % {"block": title_of(block)})

    def _players(self, block: Block, people: Sequence[Entrant]) -> tuple[Entrant, ...]:
        """Return the players in the order of their lots."""
        by_number = {entrant.number: entrant for entrant in people}
        return tuple(by_number[number] for number in in_order_of_lots(by_number, f"{self.wishes.seed}:{block.key}"))

    def _leaves_players_over(self, people: Sequence[Entrant], count: int, rounds: int) -> bool:
        """Return True if in some round those present are more than the tables take, or do not fill them."""
        away = Counter(
            number
            for entrant in people
            for number in self.wishes.absent.get(entrant.number, ())
            if 1 <= number <= rounds
        )
        first, most = self.wishes.fewer_tables or (rounds + 1, 0)
        return any(
            (count - away[number]) % self.size or (number >= first and (count - away[number]) // self.size > most)
            for number in range(1, rounds + 1)
        )

    def _design(
        self, players: Sequence[Entrant], form: Seating, turns: tuple[int, ...], *, is_equal: bool = False
    ) -> Design:
        """Return the input of a block's schedule: the wishes, with players by their places and rounds from 0."""
        wishes = self.wishes
        # Where all play equally often, a round is added for each in which tables are missing: at most one a table.
        spans = turns[:1] * (len(players) * len(turns)) if is_equal else turns
        absent: defaultdict[int, set[int]] = defaultdict(set)
        for place, player in enumerate(players):
            for number in rounds_of(form, spans, wishes.absent.get(player.number, ())):
                absent[number].add(place)
        tables: dict[int, int] = {}
        if wishes.fewer_tables:
            first, most = wishes.fewer_tables
            tables = dict.fromkeys(rounds_of(form, spans, range(first, sum(spans) + 1)), most)
        return Design(
            form=form,
            players=len(players),
            turns=turns,
            size=self.size,
            is_equal=is_equal,
            at_once=wishes.tables if is_equal else None,
            clubs=groups_of(entrant.affiliation for entrant in players) if wishes.keeps_clubs_apart else (),
            countries=groups_of(countries_of(players)) if wishes.keeps_countries_apart else (),
            absent=tuple((number, frozenset(missing)) for number, missing in sorted(absent.items())),
            tables=tuple((number, most) for number, most in tables.items() if most < len(players) // self.size),
        )

    def _improved(self, block: Block, players: tuple[Entrant, ...], design: Design) -> Schedule:
        """Return a block's schedule, or the better one that a search has found for it; note input and evenness."""
        planned = design_schedule(design)
        search = BlockSearch.of(block, planned, len(players), design.apart)
        schedule = search.improved(planned)
        self.designs.append((block, design, schedule))
        self.searches.append(search)
        self.evenness.append(evenness(block, players, schedule, design.apart))
        return schedule

    def _fault(self, block: Block, error: SeatingError) -> None:
        self.faults.append(f"{title_of(block)}: {seating_words(error)}")

    def _tables(self, courses: Sequence[tuple[Course, Runs]], form: Seating) -> Iterable[PlannedTable]:
        """Yield the tables of one session with their start times; the calendar advances after each playing day."""
        days, counted = self.wishes.days, Counter[dt.datetime]()
        alone = days is Days.TABLE and form is Seating.STAY
        begins = begins_of(courses, self.wishes.tables) if days is Days.SESSION else [0] * len(courses)
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


def _session_name(stage: FormatStage, turn: int, turns: int, number: int, *, is_first: bool) -> tuple[str, str]:
    """Return a session's Japanese and English name: numbered in the first stage, later named by the stage."""
    if is_first:
        return f"第{number}節", f"Session {number}"
    if turns == 1:
        return stage.title.ja, stage.title.en
    return f"{stage.title.ja} 第{turn + 1}節", f"{stage.title.en}, session {turn + 1}"


def _certain_players(block: Block) -> list[Entrant]:
    """Return the entrants that certainly play in a block, by number."""
    rows = Entrant.objects.filter(pk__in=entrants_who_may_play(block))
    return list(rows.select_related("player").order_by("number"))
