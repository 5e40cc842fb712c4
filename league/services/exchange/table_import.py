"""Import results from a table (CSV, XLSX, ...), row by row through the services: all of them, or none.

A preview reads one snapshot, locks nothing and writes nothing; games that are not scheduled yet are built in
memory. The import itself checks every row again, and is kept only if it reports the same as the preview.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, groupby
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _

from league.files.result_rows import ResultRow, SeatCells, is_blank, read_row
from league.files.tables import ParsedTable, TableFault, TableRow
from league.models import Block, Competition, Entrant, Hanchan, Session
from league.platform.errors import Finding, Level, ServiceError
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.access.snapshots import one_snapshot
from league.selectors.exchange.member_matching import MemberIndex
from league.selectors.exchange.row_matching import ENTERED_WITH, EntrantIndex, NotFoundError, Schedule, Substitutes
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.seasons.teams import is_team_league
from league.services.access.changes import lock
from league.services.access.guard import all_or_nothing, refuse_unkept
from league.services.competitions.schedule import Fixture, create_session, create_table_session, new_session, new_table
from league.services.results.batches import BatchOutcome, Incoming, Progress, foreseen_results, take_results
from league.services.results.entry import SeatEntry, SheetEntry
from scoring.rests import has_rests
from scoring.ruleset import Ruleset

WHOLE_ROW = {"are_seats_known": "seats", "kyoutaku": "kyoutaku", "reason": "reason"}
"""Columns that concern the whole row, by the last part of a finding's pointer."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's answers to the questions that a table of results raises."""

    accept: frozenset[str] = frozenset()
    """Codes of warnings that the user has accepted."""
    reason: str = ""
    """The reason for corrections, for rows that give none."""
    schedules: bool = False
    """True if games that are not scheduled shall be scheduled."""
    previewed: str = ""
    """The digest of the preview that the user has seen."""


@dataclass(frozen=True, slots=True)
class RowReport:
    """The outcome of a row: the game it means, its faults, and its oddities by the code that accepts them."""

    number: int
    outcome: BatchOutcome
    game: str = ""
    people: tuple[str, ...] = ()
    faults: tuple[TableFault, ...] = ()
    oddities: tuple[tuple[str, TableFault], ...] = ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome of a whole table."""

    rows: tuple[RowReport, ...] = ()
    faults: tuple[TableFault, ...] = ()
    blank: int = 0
    """The number of template rows without a score."""
    ignored: tuple[str, ...] = ()
    is_kept: bool = False

    @property
    def all_faults(self) -> tuple[TableFault, ...]:
        """All faults, those of the table first, then those of its rows in order."""
        return (*self.faults, *(fault for row in self.rows for fault in row.faults))

    @property
    def questions(self) -> Mapping[str, Sequence[TableFault]]:
        """The oddities of all rows, by the code that accepts them."""
        found: defaultdict[str, list[TableFault]] = defaultdict(list)
        for row in self.rows:
            for code, fault in row.oddities:
                found[code].append(fault)
        return dict(found)

    @property
    def counts(self) -> Mapping[BatchOutcome, int]:
        """The number of rows by outcome."""
        return Counter(row.outcome for row in self.rows)

    @property
    def is_well(self) -> bool:
        """True if there are no faults and at least one result to write."""
        writes = self.counts[BatchOutcome.NEW] + self.counts[BatchOutcome.CORRECTS]
        return not self.all_faults and not self.counts[BatchOutcome.ERROR] and writes > 0

    @property
    def digest(self) -> str:
        """A SHA-256 of the rows' outcomes: equal digests mean that nothing has changed since the preview."""
        said = [(row.number, row.outcome, row.game, [code for code, _fault in row.oddities]) for row in self.rows]
        return hashlib.sha256(repr(said).encode()).hexdigest()


def import_results(
    *,
    competition: Competition,
    table: ParsedTable,
    by: Actor,
    choices: Choices | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import the results of a table; without `keep` only report the outcome of each row."""
    if keep:
        return keep_results(competition=competition, table=table, by=by, choices=choices, progress=progress)
    refuse_unkept({"table": table, "choices": choices})
    require(by, competition, Capability.SUBMIT)
    with one_snapshot():
        return _Intake(competition, table, by, choices or Choices()).report(progress)


@all_or_nothing
def keep_results(
    *,
    competition: Competition,
    table: ParsedTable,
    by: Actor,
    choices: Choices | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Import the results of a table; if anything is wrong, nothing is written.

    1. Refuse actors without the right to submit results; lock the competition before its games are read.
    2. Read every row, find its game and players; if chosen, schedule games that do not exist.
    3. Record the results one by one, corrections with the row's reason or the common one.
    4. Keep them if every row is valid, every oddity is accepted and, where the digest of a preview is given, the
       report has the same digest.
    """
    require(by, competition, Capability.SUBMIT)
    lock(competition)
    choices = choices or Choices()
    report = _Intake(competition, table, by, choices, keeps=True).report(progress)
    unaccepted = set(report.questions) - set(choices.accept)
    # The digest again under the lock: results entered since the preview would change its outcome.
    is_kept = report.is_well and not unaccepted and choices.previewed in {"", report.digest}
    if not is_kept:
        transaction.set_rollback(True)
    return replace(report, is_kept=is_kept)


@dataclass
class _Row:
    """A row while it is processed: read, then matched with a game, then judged."""

    source: TableRow
    read: ResultRow
    hanchan: Hanchan | None = None
    entrants: list[Entrant] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    members: dict[int, int] = field(default_factory=dict)
    """By team the member whom the row names."""
    is_missing: bool = False
    """The row was read without faults, but the schedule has no such game."""
    planned: tuple[tuple[int, int], ...] = ()
    """Entrant and player of each seat, for a game that exists in memory only."""


@dataclass
class _Intake:
    """The import of one table: reads, matches and judges its rows; writes only if `keeps` is true."""

    competition: Competition
    table: ParsedTable
    by: Actor
    choices: Choices
    keeps: bool = False
    rows: list[_Row] = field(default_factory=list)
    blank: int = 0
    running: dict[int, int] = field(default_factory=dict)
    """By block with rests: the highest running number so far."""
    laid_out: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """By session number and block the numbers of the hanchan that are built but not written."""
    unwritten: Iterator[int] = field(default_factory=lambda: count(-1, -1))
    """Negative ids for rows that are built but not written, so that they cannot collide with real ids."""

    def report(self, progress: Progress | None) -> ImportReport:
        """Read the rows, schedule missing games if chosen, record or judge the results, and report on each row."""
        self.read()
        if self.choices.schedules:
            self.schedule_missing()
        return self.take(progress)

    def read(self) -> None:
        """Read the rows and find the game that each one means; two rows for one game are a fault."""
        self.in_force = rules_at(self.competition)
        self.rules: Ruleset = ruleset_of(self.in_force)
        filled = [row for row in self.table.rows if not is_blank(row, self.rules)]
        self.blank = len(self.table.rows) - len(filled)
        self.rows = (
            [_Row(row, read_row(row, self.table, self.rules)) for row in filled] if not self.table.faults else []
        )
        self.schedule = Schedule.of(self.competition)
        self.people = EntrantIndex.of(self.competition)
        self.members = MemberIndex.of(self.competition, self.people) if is_team_league(self.competition) else None
        self.substitutes = Substitutes.of(seat.substitute for row in self.rows for seat in row.read.seats)
        seen: dict[int, int] = {}
        for row in self.rows:
            self._find(row)
            first = seen.setdefault(row.hanchan.pk, row.read.number) if row.hanchan else row.read.number
            if first != row.read.number:
                self._fault(row, "hanchan", _("Row %(row)s has the same game.") % {"row": first})

    def _find(self, row: _Row) -> None:
        day = row.read.moment.day or (self.schedule.day_of(row.read.place) if self.members else None)
        for number, seat in enumerate(row.read.seats, start=1):
            if seat.player or seat.team:
                self._look(row, partial(self._sits, row, number, seat, day))
        is_named = any(seat.player or seat.team for seat in row.read.seats)
        if is_named and len(row.entrants) < self.rules.players and not row.read.faults:
            self._fault(row, "player1", _("Name all players of the game, or none of them: then it is as scheduled."))
        if is_named and len(row.entrants) < self.rules.players:
            return
        self._look(row, lambda: self._goes_to(row))
        self._look(row, lambda: self._sat_in(row))

    def _look(self, row: _Row, find: Callable[[], object]) -> None:
        """Run one look-up; if it finds nothing, the row gets a fault at the column concerned."""
        try:
            find()
        except NotFoundError as error:
            self._fault(row, error.key, str(error))

    def _sits(self, row: _Row, number: int, seat: SeatCells, day: dt.date | None) -> None:
        if self.members is None:
            row.entrants.append(self.people.entrant(f"player{number}", seat.player))
            return
        entrant, member = self.members.sits(number, seat.team, seat.player, day)
        if entrant in row.entrants:
            message = _("Two members of %(team)s sit at this table.") % {"team": entrant.player.name}
            raise NotFoundError(f"player{number}", message)
        row.entrants.append(entrant)
        if member is not None:
            row.members[entrant.pk] = member

    def _goes_to(self, row: _Row) -> None:
        row.hanchan = self.schedule.find(row.read.place, [entrant.pk for entrant in row.entrants])
        row.is_missing = row.hanchan is None and not row.read.faults
        if row.hanchan is not None and not row.entrants:
            planned = self.schedule.seats.get(row.hanchan.pk, ())
            row.entrants = [self.people.entrants[pk] for pk in planned]
            if not planned:
                self._fault(row, "player1", _("No player is scheduled for this game: name its players."))

    def _sat_in(self, row: _Row) -> None:
        row.players = [self._player_of(row, entrant) for entrant in row.entrants]
        for index, seat in enumerate(row.read.seats[: len(row.players)]):
            if seat.substitute:
                row.players[index] = self.substitutes.player(f"substitute{index + 1}", seat.substitute).pk

    def _player_of(self, row: _Row, entrant: Entrant) -> int:
        """Return who sits for an entrant: for a team its member as the row names it, or as the line-up does."""
        planned = self.schedule.sitting.get((row.hanchan.pk, entrant.pk)) if self.members and row.hanchan else None
        return row.members.get(entrant.pk, planned or entrant.player_id)

    def _fault(self, row: _Row, key: str, message: str) -> None:
        value = row.source.cells.get(key, "")
        row.read.faults.append(TableFault(message, row.read.number, self.table.header(key), value))

    def schedule_missing(self) -> None:
        """Schedule the missing games: consecutive rows with the same place and players form one table."""
        missing = [row for row in self.rows if row.is_missing]
        try:
            require(self.by, self.competition, Capability.MANAGE)
        except ServiceError as error:
            for row in missing:
                self._fault(row, "session", str(error))
            return
        sessions = {row.number: row for row in Session.objects.filter(competition=self.competition)}
        for _table, group in groupby(missing, key=self._table_of):
            self._schedule(list(group), sessions)

    def _table_of(self, row: _Row) -> object:
        place = row.read.place
        # Teams meet in one fixture for each hanchan; their members and seats differ from one to the next.
        game = row.read.number if self.members else None
        return place["session"], place["block"], place["table"], frozenset(one.pk for one in row.entrants), game

    def _schedule(self, group: Sequence[_Row], sessions: dict[int, Session]) -> None:
        first = group[0]
        given = self.schedule.read(first.read.place)
        block = self._block(given.get("block"))
        if block is None or "session" not in given:
            for row in group:
                self._fault(row, "session", _("To schedule this game, say its session and its block."))
            return
        number = int(str(given["session"]))
        fixture = Fixture(
            block=block,
            numbers=[self._number(row, place, block) for place, row in enumerate(group, start=1)],
            entrants=first.entrants,
            table=first.read.place["table"],
            rules=self.in_force,
            starts_at=self._start(first),
        )
        try:
            hanchan = (self._written if self.keeps else self._laid_out)(sessions, number, fixture)
        except ServiceError as error:
            for row in group:
                self._fault(row, "session", str(error))
            return
        for row, one in zip(group, hanchan, strict=True):
            row.hanchan, row.is_missing = one, False
            row.planned = tuple(
                (entrant.pk, row.members.get(entrant.pk, entrant.player_id)) for entrant in first.entrants
            )

    def _start(self, row: _Row) -> dt.datetime | None:
        """Return when the row's table starts, if it says the date and the time."""
        day, time = row.read.moment.day, row.read.moment.time
        return dt.datetime.combine(day, time, ZoneInfo(self.competition.time_zone)) if day and time else None

    def _written(self, sessions: dict[int, Session], number: int, fixture: Fixture) -> Sequence[Hanchan]:
        """Schedule a table, with a new session if needed, and return its hanchan."""
        with transaction.atomic():
            session = sessions.get(number)
            if session is None:
                session = create_session(competition=self.competition, by=self.by, number=number)
            made = create_table_session(session=session, fixture=fixture, by=self.by)
        sessions[number] = session
        return list(made.hanchan.select_related(*ENTERED_WITH).order_by("round"))

    def _laid_out(self, sessions: dict[int, Session], number: int, fixture: Fixture) -> Sequence[Hanchan]:
        """Build the hanchan of a table as they would be scheduled: unsaved rows with ids from `unwritten`."""
        refuse_unkept({"fixture": fixture})
        session = sessions.get(number) or new_session(self.competition, number)
        session.pk = session.pk or next(self.unwritten)
        beside = self.laid_out.setdefault((number, fixture.block.pk), [])
        table, hanchan = new_table(session, fixture, beside=beside)
        beside += fixture.numbers
        table.pk = next(self.unwritten)
        for one in hanchan:
            one.pk, one.table_session = next(self.unwritten), table
        sessions[number] = session
        return hanchan

    def _block(self, pk: object) -> Block | None:
        """Return the block that a row names, or the only one there is; None if that is not clear."""
        blocks = {block.pk: block for block in self.schedule.blocks.values()}
        if pk is None and len(blocks) == 1:
            return next(iter(blocks.values()))
        return blocks.get(int(str(pk))) if pk is not None else None

    def _number(self, row: _Row, place: int, block: Block) -> int:
        """Return the hanchan's number: the row's, else the place at its table, or the block's next where some rest."""
        given = self.schedule.read(row.read.place).get("hanchan")
        number = int(str(given)) if given is not None else place
        if has_rests(format_of(self.in_force), block.key, self.rules.players):
            rows = self.schedule.hanchan.values()
            last = self.running.setdefault(
                block.pk, max((one.number for one in rows if one.block_id == block.pk), default=0)
            )
            number = number if given is not None else last + 1
            self.running[block.pk] = max(last, number)
        return number

    def take(self, progress: Progress | None) -> ImportReport:
        """Record every result that could be read, odd or not, and report."""
        for row in self.rows:
            if row.is_missing and not row.read.faults:
                message = _("The schedule has no such game. Check session, table and number, or schedule it first.")
                self._fault(row, "hanchan", message)
        ready = [row for row in self.rows if row.hanchan is not None and not row.read.faults]
        broken = [row for row in self.rows if row.read.faults]
        judged = (take_results if self.keeps else foreseen_results)(
            competition=self.competition,
            incoming=[self._incoming(row) for row in ready],
            by=self.by,
            # Rows that cannot be read may decide who plays in later stages, so rows of those are not judged.
            halt_after=min(map(self._stage_of, broken), default=None),
            progress=progress,
        )
        reports = {row.read.number: self._report(row, BatchOutcome.ERROR, ()) for row in broken}
        for row, one in zip(ready, judged, strict=True):
            reports[row.read.number] = self._report(row, one.outcome, one.findings)
        return ImportReport(
            tuple(reports[row.read.number] for row in self.rows),
            self.table.faults or tuple(self._empty()),
            self.blank,
            self.table.ignored,
        )

    def _stage_of(self, row: _Row) -> int:
        """Return the order of the stage a row may belong to: its game's, else the first stage."""
        if row.hanchan is not None:
            return row.hanchan.block.stage.order
        return min(block.stage.order for block in self.schedule.blocks.values())

    def _empty(self) -> Iterator[TableFault]:
        if not self.rows:
            yield TableFault(_("No score is filled in."))

    def _incoming(self, row: _Row) -> Incoming:
        assert row.hanchan is not None  # noqa: S101 - only rows that were found come here
        scores, kyoutaku = row.read.in_points(ruleset_of(row.hanchan.rules))
        seats = tuple(
            SeatEntry(entrant.pk, player, score, seat.chonbo)
            for entrant, player, score, seat in zip(row.entrants, row.players, scores, row.read.seats, strict=True)
        )
        ledgers = [ledger.key for ledger in self.rules.entered_ledgers]
        entry = SheetEntry(
            seats=seats,
            kyoutaku=kyoutaku,
            are_seats_known=row.read.are_seats_known,
            carried={key: tuple(seat.carried[key] for seat in row.read.seats) for key in ledgers},
        )
        return Incoming(row.hanchan, entry, row.read.reason or self.choices.reason, row.planned)

    def _report(self, row: _Row, outcome: BatchOutcome, findings: Sequence[Finding]) -> RowReport:
        wrong = [self._placed(row, finding) for finding in findings if finding.level is Level.ERROR]
        odd = [(finding.code, self._placed(row, finding)) for finding in findings if finding.level is Level.WARNING]
        return RowReport(
            row.read.number,
            outcome,
            str(row.hanchan) if row.hanchan else "",
            tuple(entrant.player.name for entrant in row.entrants),
            (*row.read.faults, *wrong),
            tuple(odd),
        )

    def _placed(self, row: _Row, finding: Finding) -> TableFault:
        """Return a service's finding as a fault at the row's cell."""
        key = column_at(finding.pointer)
        header = self.table.header(key) if key in row.source.cells else ""
        return TableFault(finding.message, row.read.number, header, row.source.cells.get(key, ""))


def column_at(pointer: str) -> str:
    """Return the column for a finding's pointer; empty if it concerns the whole row."""
    match pointer.strip("/").split("/"):
        case ["seats", seat, "entrant" | "player"]:
            return f"player{int(seat) + 1}"
        case [("scores" | "chonbo") as kind, seat]:
            return f"{kind.removesuffix('s')}{int(seat) + 1}"
        case ["carried", ledger, seat]:
            return f"{ledger}{int(seat) + 1}"
        case [key]:
            return WHOLE_ROW.get(key, "")
    return ""
