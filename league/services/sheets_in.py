"""Many results at once, each by the rules of `record_result`, in one transaction; or what would become of them.

The one idea: what every single result would ask the database is asked once and kept up to date while results go by
(`sheets_memory`). So a plain first result (it counts at once, and nothing later hangs on it) is checked by the same
`findings_of`, and written in batches; everything else, such as a correction, goes through `record_result` itself.

Looking writes nothing, not even to undo it: what has gone by stands in the memory alone, and who plays in a later
stage is derived from it. So nobody waits for somebody who looks; when results are taken everything is checked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from django.db.models import Max

from league.models import (
    Block,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Player,
    ResultSheet,
    SeatResult,
    TableLink,
    TableSession,
)
from league.selectors.blocks import entrants_who_may_play
from league.selectors.derivation import Facts, derive, id_of
from league.services.actor import Actor, Capability, capabilities, require
from league.services.changes import lock, open_changes, record_together
from league.services.entry import Elsewhere, SheetEntry, findings_of, states_compared, typing_findings
from league.services.errors import (
    Finding,
    Level,
    ServiceError,
    WarningsNotAcceptedError,
    raise_for,
    refuse_without_reason,
)
from league.services.guard import all_or_nothing
from league.services.preview import (
    facts_now,
    later_blocks_begun,
    played_of_sheet,
    refuse_downstream_damage,
    with_results,
)
from league.services.results import (
    mark_confirmed,
    new_sheet,
    record_result,
    refuse_abandoned,
    refuse_closed,
    right_to_correct,
    settled_seats,
    snapshot,
)
from league.services.sheets_memory import BATCH, Index, Memory, Said, in_parts, said_by, sheets_beside
from league.services.standings import publish_standings
from league.services.table_links import end_links_when_done
from scoring.stages import State
from scoring.standings import Played

Progress = Callable[[int, int], None]


class Outcome(StrEnum):
    """What becomes of a result that came in."""

    NEW = "new"
    """The hanchan had none."""
    SAME = "same"
    """It is there already; nothing is written."""
    CORRECTS = "corrects"
    """It takes the place of another."""
    ERROR = "error"
    """It is refused."""
    WAITS = "waits"
    """Not looked at: who plays in its stage hangs on results that are refused."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A result on its way in, and why, should it correct another."""

    hanchan: Hanchan
    entry: SheetEntry
    reason: str = ""
    planned: tuple[tuple[int, int], ...] = ()
    """Entrants and players in their seats, of a hanchan that is not scheduled yet."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a result, and what was found about it."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()


@all_or_nothing
def take_results(
    *,
    competition: Competition,
    incoming: Sequence[Incoming],
    by: Actor,
    halt_after: int | None = None,
    progress: Progress | None = None,
) -> list[Judged]:
    """Let results count, stage by stage in the order given; say of each what became of it.

    Whoever calls this undoes everything if one of them is refused, or odd in a way that nobody accepted: a file is
    taken whole or not at all. Stages after `halt_after` are left alone: a result before them could not even be read.

    1. Refuse those who may not hand in, and a closed competition.
    2. Take each result; standings are published before a later stage begins, since they say who plays there.
    3. Once a result was refused, leave later stages alone.
    """
    require(by, competition, Capability.SUBMIT)
    lock(competition)
    competition = Competition.objects.get(pk=competition.pk)
    refuse_closed(competition)
    return Taking.of(competition, incoming, by).all(incoming, halt_after, progress)


def foreseen_results(
    *,
    competition: Competition,
    incoming: Sequence[Incoming],
    by: Actor,
    halt_after: int | None = None,
    progress: Progress | None = None,
) -> list[Judged]:
    """What `take_results` would say of each result. Nothing is written, and nothing is locked."""
    require(by, competition, Capability.SUBMIT)
    competition = Competition.objects.get(pk=competition.pk)
    refuse_closed(competition)
    return Looking.of(competition, incoming, by).all(incoming, halt_after, progress)


@dataclass(frozen=True, slots=True)
class Counting:
    """What a sheet that counts says, to be compared with what comes in."""

    revision: int
    seats: Sequence[tuple[int, int, int, int]]
    """Entrants, players, scores and offences."""
    kyoutaku: int
    are_seats_known: bool

    @classmethod
    def of_sheet(cls, sheet: ResultSheet) -> Counting:
        """A sheet whose seats were fetched along."""
        ordered = sorted(sheet.seats.all(), key=lambda seat: seat.seat)
        seats = [(seat.entrant_id, seat.player_id, seat.score, seat.chonbo) for seat in ordered]
        return cls(sheet.revision, seats, sheet.kyoutaku, sheet.facts.get("are_seats_known", True))

    @classmethod
    def of_entry(cls, entry: SheetEntry, revision: int) -> Counting:
        """What came in."""
        seats = [(seat.entrant, seat.player, seat.score, seat.chonbo) for seat in entry.seats]
        return cls(revision, seats, entry.kyoutaku, entry.are_seats_known)

    def says_the_same_as(self, other: Counting) -> bool:
        """Whether both have the same people, scores, offences and deposits; in the same seats where those are known."""
        if self.kyoutaku != other.kyoutaku:
            return False
        if self.are_seats_known and other.are_seats_known:
            return self.seats == other.seats
        return sorted(self.seats) == sorted(other.seats)


@dataclass
class Intake:
    """Results on their way in, and what they are held against."""

    competition: Competition
    by: Actor
    counting: dict[int, Counting]
    revisions: Mapping[int, int]
    planned: Mapping[int, Sequence[tuple[int, int]]]
    names: Mapping[int, str]
    people: Mapping[int, str]
    tables: Mapping[int, TableSession]
    memory: Memory
    may_play: dict[int, Collection[int]] = field(default_factory=dict)
    later_begun: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition, incoming: Sequence[Incoming], by: Actor) -> Self:
        """Ask the database once for what concerns these results."""
        hanchan = [one.hanchan.pk for one in incoming]
        planned: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        seats = HanchanSeat.objects.order_by("hanchan", "seat")
        for pk, entrant, player in in_parts(seats, "hanchan", hanchan, "hanchan", "entrant", "player"):
            planned[pk].append((entrant, player))
        planned.update({one.hanchan.pk: list(one.planned) for one in incoming if one.planned})
        counting = ResultSheet.objects.counting().prefetch_related("seats")
        newest = ResultSheet.objects.order_by().values("hanchan").annotate(newest=Max("revision"))
        entrants = Entrant.objects.filter(competition=competition).select_related("player")
        people = {entrant.player_id: str(entrant.player) for entrant in entrants}
        others = {seat.player for one in incoming for seat in one.entry.seats} - people.keys()
        sessions = sorted({one.hanchan.table_session.session_id for one in incoming})
        memory = Memory()
        for said in said_by(sheets_beside(competition, sessions)):
            memory.keep(said)
        return cls(
            competition=competition,
            by=by,
            counting={sheet.hanchan_id: Counting.of_sheet(sheet) for sheet in in_parts(counting, "hanchan", hanchan)},
            revisions=dict(in_parts(newest, "hanchan", hanchan, "hanchan", "newest")),
            planned=planned,
            names={entrant.pk: str(entrant) for entrant in entrants},
            people={**people, **{row.pk: str(row) for row in in_parts(Player.objects.all(), "pk", sorted(others))}},
            tables={one.hanchan.table_session_id: one.hanchan.table_session for one in incoming} | tables_of(sessions),
            memory=memory,
        )

    def all(
        self, incoming: Sequence[Incoming], halt_after: int | None = None, progress: Progress | None = None
    ) -> list[Judged]:
        """Take every result, stage by stage."""
        stages: defaultdict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(incoming):
            stages[one.hanchan.block.stage.order].append(place)
        judged: dict[int, Judged] = {}
        for order in sorted(stages):
            is_refused = any(each.outcome is Outcome.ERROR for each in judged.values())
            if is_refused or (halt_after is not None and order > halt_after):
                judged |= dict.fromkeys(stages[order], Judged(Outcome.WAITS))
                continue
            if judged:
                self.begin_stage()
            for place in stages[order]:
                judged[place] = self.take(incoming[place])
                if progress:
                    progress(len(judged), len(incoming))
        self.flush()
        return [judged[place] for place in range(len(incoming))]

    def take(self, one: Incoming) -> Judged:
        """Take one result by the way that is right for it."""
        counting = self.counting.get(one.hanchan.pk)
        if counting and counting.says_the_same_as(Counting.of_entry(one.entry, counting.revision)):
            return Judged(Outcome.SAME)
        return self._take_plain(one) if counting is None and self._is_plain(one.hanchan) else self._take_singly(one)

    @property
    def counts_at_once(self) -> bool:
        """Whether one person is enough."""
        return self.competition.confirmation == Competition.Confirmation.ONE or self.by.is_system

    def _is_plain(self, hanchan: Hanchan) -> bool:
        """Whether a first result of the hanchan counts at once and unseats nobody."""
        is_first = hanchan.pk not in self.revisions and hanchan.state != Hanchan.State.ABANDONED
        return is_first and self.counts_at_once and not self.is_later_begun(hanchan)

    def is_later_begun(self, hanchan: Hanchan) -> bool:
        """Whether a later stage than the hanchan's has a result; asked once for each block."""
        if hanchan.block_id not in self.later_begun:
            self.later_begun[hanchan.block_id] = later_blocks_begun(hanchan)
        return self.later_begun[hanchan.block_id]

    def findings(self, one: Incoming) -> list[Finding]:
        """Everything wrong or odd about a result, from what is kept; what is odd on the night if nothing is wrong."""
        around = Remembered(self, one.hanchan)
        found = findings_of(one.hanchan, one.entry, around)
        if not self.by.is_system and not any(finding.level is Level.ERROR for finding in found):
            found += typing_findings(one.hanchan, one.entry, around)
        return found

    def _take_plain(self, one: Incoming) -> Judged:
        findings = self.findings(one)
        if any(finding.level is Level.ERROR for finding in findings):
            return Judged(Outcome.ERROR, tuple(findings))
        sheet = new_sheet(one.hanchan, 1, one.entry, self.by)
        sheet.state = ResultSheet.State.CONFIRMED
        sheet.accepted_warnings = sorted({finding.code for finding in findings})
        self.write(sheet, settled_seats(sheet, one.entry))
        self._note(one, sheet)
        return Judged(Outcome.NEW, tuple(findings))

    def _take_singly(self, one: Incoming) -> Judged:
        """One after the other, whatever is odd accepted; what is refused leaves nothing behind."""
        counting = self.counting.get(one.hanchan.pk)
        odd: list[Finding] = []
        try:
            sheet = self._recorded(one, counting, odd)
        except ServiceError as error:
            return Judged(Outcome.ERROR, (*odd, *error.findings))
        self._note(one, sheet)
        return Judged(Outcome.CORRECTS if counting else Outcome.NEW, tuple(odd))

    def _recorded(self, one: Incoming, counting: Counting | None, odd: list[Finding]) -> ResultSheet:
        """The sheet, once everything odd that one step after the other finds is accepted and noted."""
        while True:
            try:
                return self.record(one, counting, {finding.code for finding in odd})
            except WarningsNotAcceptedError as error:
                odd += error.findings

    def _note(self, one: Incoming, sheet: ResultSheet) -> None:
        """Hold what follows against a result that was taken; one that waits, where it is not given away."""
        counts = sheet.state == ResultSheet.State.CONFIRMED
        if counts:
            self.counting[one.hanchan.pk] = Counting.of_entry(one.entry, sheet.revision)
        if counts or sheet.state in states_compared(self.competition):
            self.memory.keep_instead(Said.of(one.hanchan, one.entry, self.by, counts=counts))

    def players_of(self, block: Block) -> Collection[int]:
        """Who may play in a block, asked once for each."""
        if block.pk not in self.may_play:
            self.may_play[block.pk] = entrants_who_may_play(block)
        return self.may_play[block.pk]

    def begin_stage(self) -> None:
        """What was taken says who plays in the stage that comes."""
        raise NotImplementedError

    def write(self, sheet: ResultSheet, seats: Sequence[SeatResult]) -> None:
        """Take a plain result that was found well."""
        raise NotImplementedError

    def record(self, one: Incoming, counting: Counting | None, accept: Collection[str]) -> ResultSheet:
        """Take a result by `record_result`, or by what it checks."""
        raise NotImplementedError

    def flush(self) -> None:
        """Nothing is left to be written."""


@dataclass
class Taking(Intake):
    """Results that are written."""

    pending: list[tuple[ResultSheet, Sequence[SeatResult]]] = field(default_factory=list)

    def begin_stage(self) -> None:
        """Publish standings: they say who plays."""
        self.flush()
        publish_standings(self.competition.pk)

    def write(self, sheet: ResultSheet, seats: Sequence[SeatResult]) -> None:
        """Put it with those to be written together."""
        self.pending.append((sheet, seats))
        if len(self.pending) >= BATCH:
            self.flush()

    def record(self, one: Incoming, counting: Counting | None, accept: Collection[str]) -> ResultSheet:
        """Hand it in."""
        self.flush()
        return record_result(
            hanchan=one.hanchan,
            entry=one.entry,
            by=self.by,
            accept=accept,
            corrects=counting.revision if counting else None,
            reason=one.reason,
        )

    def flush(self) -> None:
        """Write what is pending, each result with its own change."""
        if not self.pending:
            return
        changes = open_changes(self.competition, self.by, len(self.pending))
        for (sheet, _seats), change in zip(self.pending, changes, strict=True):
            sheet.entered_n = change.n
            mark_confirmed(sheet, self.by, change.n)
        ResultSheet.objects.bulk_create([sheet for sheet, _seats in self.pending])
        for sheet, seats in self.pending:
            for seat in seats:
                seat.sheet = sheet
        SeatResult.objects.bulk_create([seat for _sheet, seats in self.pending for seat in seats], batch_size=BATCH)
        played = [sheet.hanchan for sheet, _seats in self.pending]
        Hanchan.objects.filter(pk__in=[one.pk for one in played]).update(state=Hanchan.State.FINISHED)
        record_together(
            self.competition,
            [
                change.row(
                    "result.confirmed",
                    sheet.hanchan,
                    after=snapshot(sheet, seats),
                    is_public=sheet.hanchan.table_session.is_released,
                )
                for (sheet, seats), change in zip(self.pending, changes, strict=True)
            ],
        )
        self.pending.clear()
        tables = {one.table_session_id for one in played}
        linked = TableLink.objects.filter(table_session__in=tables, ended_at=None)
        for table in linked.values_list("table_session", flat=True).distinct():
            end_links_when_done(table)


@dataclass
class Looking(Intake):
    """Results that are only looked at."""

    facts: Facts | None = None
    """The competition with what has gone by, once somebody has asked."""
    gone_by: dict[Hanchan, Mapping[int, Played]] = field(default_factory=dict)
    """What is not among the facts yet."""
    certain: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Who certainly plays in each block, once results have gone by that may say so."""
    may_correct: bool | None = None

    def begin_stage(self) -> None:
        """Derive who plays, as publishing would."""
        slots = derive(self.facts_so_far()).resolution.slots
        self.certain = {
            key: frozenset(id_of(slot.entrant) for slot in own if slot.state is State.CERTAIN and slot.entrant)
            for key, own in slots.items()
            if own
        }

    def players_of(self, block: Block) -> Collection[int]:
        """As published; in a later stage as what has gone by has it."""
        if block.pk not in self.may_play and block.key in self.certain:
            seeded = block.slots.exclude(seeded=None).values_list("seeded", flat=True)
            self.may_play[block.pk] = self.certain[block.key] | frozenset(seeded)
        return super().players_of(block)

    def write(self, sheet: ResultSheet, seats: Sequence[SeatResult]) -> None:
        """Remember what it counts for."""
        self.gone_by[sheet.hanchan] = played_of_sheet(sheet, seats)

    def record(self, one: Incoming, counting: Counting | None, accept: Collection[str]) -> ResultSheet:
        """What `record_result` checks, held against what is kept."""
        refuse_abandoned(one.hanchan, self.by)
        if counting is not None:
            refuse_without_reason(one.reason)
            self._require_right(one.hanchan)
        raise_for(self.findings(one), accept)
        revision = self.revisions.get(one.hanchan.pk, 0) + 1
        sheet = new_sheet(one.hanchan, revision, one.entry, self.by)
        if self.counts_at_once:
            seats = settled_seats(sheet, one.entry)
            played = played_of_sheet(sheet, seats)
            if self.is_later_begun(one.hanchan):
                refuse_downstream_damage(
                    hanchan=one.hanchan, played=played, by=self.by, accept=accept, facts=self.facts_so_far()
                )
            self.write(sheet, seats)
            sheet.state = ResultSheet.State.CONFIRMED
        return sheet

    def _require_right(self, hanchan: Hanchan) -> None:
        """Refuse who may not correct; who may anywhere in the competition is asked once."""
        if self.may_correct is None:
            can = capabilities(self.by.user, self.competition)
            self.may_correct = self.by.is_system or Capability.CORRECT in can
        if not self.may_correct:
            require(self.by, self.competition, right_to_correct(hanchan))

    def facts_so_far(self) -> Facts:
        """The competition's facts with everything that has gone by."""
        self.facts = with_results(self.facts or facts_now(self.competition), self.gone_by)
        self.gone_by = {}
        return self.facts


@dataclass(frozen=True, slots=True)
class Remembered:
    """The surroundings of a hanchan, out of what an intake keeps."""

    intake: Intake
    hanchan: Hanchan

    def may_play(self, entrants: Collection[int]) -> Collection[int]:
        """Who certainly has a place in the block."""
        known = self.intake.players_of(self.hanchan.block)
        return {pk for pk in entrants if pk in known}

    def names(self, entrants: Iterable[int]) -> Mapping[int, str]:
        """Names as entered."""
        return {pk: self.intake.names[pk] for pk in entrants if pk in self.intake.names}

    def already_played(self, entrants: Collection[int]) -> Collection[int]:
        """An open table counts no numbers."""
        if self.hanchan.block.stage.hanchan_count is None:
            return frozenset()
        block, number, there = self.hanchan.block_id, self.hanchan.number, self.intake.memory.numbers
        return {pk for pk in entrants if self._of_others(there, (block, pk, number))}

    def has_twin(self, scores: AbstractSet[tuple[int, int]]) -> bool:
        """Whether another hanchan has exactly these entrants with these scores; at an open table in the sitting."""
        is_open = self.intake.competition.kind == Competition.Kind.OPEN
        found = self._of_others(self.intake.memory.twins, (self.hanchan.block_id, frozenset(scores)))
        return any(not is_open or said.table == self.hanchan.table_session_id for said in found)

    def planned(self) -> Sequence[tuple[int, int]]:
        """The seats of the schedule."""
        return self.intake.planned.get(self.hanchan.pk, ())

    def are_scores_elsewhere(self, scores: Sequence[int]) -> bool:
        """Whether another table of the session has them."""
        place = self.hanchan.table_session.session_id, tuple(scores)
        return any(self._at_other_tables(self.intake.memory.scores, place))

    def at_other_tables(self, players: Collection[int]) -> Iterable[Elsewhere]:
        """Tables that begin at other times keep nobody from both."""
        mine = self.hanchan.table_session
        for player in players:
            place = mine.session_id, self.hanchan.round, player
            for said in self._at_other_tables(self.intake.memory.rounds, place):
                table = self.intake.tables[said.table]
                if None in (mine.starts_at, table.starts_at) or mine.starts_at == table.starts_at:
                    yield Elsewhere(player, self.intake.people[player], str(table))
                    break

    def _of_others(self, index: Index, place: tuple[object, ...]) -> Iterable[Said]:
        """The sheets of other hanchan that are found there."""
        return [said for said in index.get(place, ()) if said.hanchan != self.hanchan.pk]

    def _at_other_tables(self, index: Index, place: tuple[object, ...]) -> Iterator[Said]:
        return (said for said in index.get(place, ()) if said.table != self.hanchan.table_session_id)


def tables_of(sessions: Sequence[int]) -> dict[int, TableSession]:
    """The tables of these sessions."""
    rows = TableSession.objects.select_related("session", "block")
    return {table.pk: table for table in in_parts(rows, "session", sessions)}
