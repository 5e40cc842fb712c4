"""Many results at once, each by the rules of `record_result`, in one transaction.

The one idea: what every single result would ask the database is asked once and kept up to date while results go by.
So a plain first result (it counts at once, and nothing later hangs on it) is checked by the same `findings_of`, and
written in batches; everything else, such as a correction, goes through `record_result` itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Max

from league.models import Competition, Entrant, Hanchan, HanchanSeat, ResultSheet, SeatResult, TableLink
from league.selectors.blocks import entrants_who_may_play
from league.services.actor import Actor, Capability, require
from league.services.changes import lock, open_changes, record_together
from league.services.entry import SheetEntry, findings_of, states_compared, typing_findings
from league.services.errors import Finding, Level, ServiceError, WarningsNotAcceptedError
from league.services.preview import later_blocks_begun
from league.services.results import (
    mark_confirmed,
    new_sheet,
    record_result,
    refuse_closed,
    settled_seats,
    snapshot,
)
from league.services.standings import publish_standings
from league.services.table_links import end_links_when_done

BATCH = 500
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


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a result, and what was found about it."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()


@transaction.atomic
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
    refuse_closed(competition)
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
            publish_standings(competition.pk)
        intake = Intake.of(competition, [incoming[place].hanchan for place in stages[order]], by)
        for place in stages[order]:
            judged[place] = intake.take(incoming[place])
            if progress:
                progress(len(judged), len(incoming))
        intake.flush()
    return [judged[place] for place in range(len(incoming))]


@dataclass
class Intake:
    """Results of one stage on their way in, and what they are held against."""

    competition: Competition
    by: Actor
    counting: dict[int, ResultSheet]
    revisions: Mapping[int, int]
    planned: Mapping[int, AbstractSet[tuple[int, int]]]
    names: Mapping[int, str]
    may_play: dict[int, Collection[int]] = field(default_factory=dict)
    is_plain: dict[int, bool] = field(default_factory=dict)
    numbers: dict[int, dict[tuple[int, int], int]] = field(default_factory=dict)
    twins: dict[int, dict[frozenset[tuple[int, int]], set[int]]] = field(default_factory=dict)
    pending: list[tuple[ResultSheet, Sequence[SeatResult]]] = field(default_factory=list)
    told: set[tuple[object, ...]] = field(default_factory=set)

    @classmethod
    def of(cls, competition: Competition, hanchan: Sequence[Hanchan], by: Actor) -> Intake:
        """Ask the database once for what concerns these hanchan."""
        ids = [one.pk for one in hanchan]
        planned: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        for pk, entrant, player in _in_parts(HanchanSeat, "hanchan", ids, "hanchan", "entrant", "player"):
            planned[pk].add((entrant, player))
        counting = ResultSheet.objects.counting().filter(hanchan__table_session__competition=competition)
        revisions = ResultSheet.objects.filter(hanchan__table_session__competition=competition).order_by()
        entrants = Entrant.objects.filter(competition=competition).select_related("player")
        return cls(
            competition=competition,
            by=by,
            counting={sheet.hanchan_id: sheet for sheet in counting.order_by().prefetch_related("seats")},
            revisions=dict(revisions.values_list("hanchan").annotate(newest=Max("revision"))),
            planned=planned,
            names={entrant.pk: str(entrant) for entrant in entrants},
        )

    def take(self, one: Incoming) -> Judged:
        """Take one result by the way that is right for it."""
        counting = self.counting.get(one.hanchan.pk)
        if counting and says_the_same(counting, one.entry):
            return Judged(Outcome.SAME)
        if counting is None and self._is_plain(one.hanchan):
            return self._take_plain(one)
        self.flush()
        return self._take_singly(one, counting)

    def _is_plain(self, hanchan: Hanchan) -> bool:
        """Whether a first result of the hanchan counts at once and unseats nobody; asked once for each block."""
        if hanchan.pk in self.revisions or hanchan.state == Hanchan.State.ABANDONED:
            return False
        if hanchan.block_id not in self.is_plain:
            counts_at_once = self.competition.confirmation == Competition.Confirmation.ONE or self.by.is_system
            self.is_plain[hanchan.block_id] = counts_at_once and not later_blocks_begun(hanchan)
        return self.is_plain[hanchan.block_id]

    def _take_plain(self, one: Incoming) -> Judged:
        self._remember_block(one.hanchan)
        findings = findings_of(one.hanchan, one.entry, Remembered(self, one.hanchan))
        if not any(finding.level is Level.ERROR for finding in findings) and not self.by.is_system:
            if self._may_be_pending(one):
                self.flush()
            findings += typing_findings(one.hanchan, one.entry)
        if any(finding.level is Level.ERROR for finding in findings):
            return Judged(Outcome.ERROR, tuple(findings))
        sheet = new_sheet(one.hanchan, 1, one.entry, self.by)
        sheet.accepted_warnings = sorted({finding.code for finding in findings})
        seats = settled_seats(sheet, one.entry)
        self.pending.append((sheet, seats))
        self.told.update(self._tells(one.hanchan, one.entry))
        self._remember(one.hanchan, [(seat.entrant_id, seat.score) for seat in seats])
        self.counting[one.hanchan.pk] = sheet
        if len(self.pending) >= BATCH:
            self.flush()
        return Judged(Outcome.NEW, tuple(findings))

    def _take_singly(self, one: Incoming, counting: ResultSheet | None) -> Judged:
        """By `record_result`; what it refuses leaves nothing behind."""
        odd: tuple[Finding, ...] = ()
        try:
            try:
                sheet = self._record(one, counting)
            except WarningsNotAcceptedError as error:
                odd = error.findings
                sheet = self._record(one, counting, {finding.code for finding in odd})
        except ServiceError as error:
            return Judged(Outcome.ERROR, (*odd, *error.findings))
        if sheet.state == ResultSheet.State.CONFIRMED:
            self.counting[one.hanchan.pk] = sheet
            self.numbers.pop(one.hanchan.block_id, None)
            self.twins.clear()
        return Judged(Outcome.CORRECTS if counting else Outcome.NEW, odd)

    def _record(self, one: Incoming, counting: ResultSheet | None, accept: Collection[str] = ()) -> ResultSheet:
        with transaction.atomic():
            return record_result(
                hanchan=one.hanchan,
                entry=one.entry,
                by=self.by,
                accept=accept,
                corrects=counting.revision if counting else None,
                reason=one.reason,
            )

    def _may_be_pending(self, one: Incoming) -> bool:
        """Whether a result not yet written may be what is odd about this one: its scores, or its people's round."""
        return not self.told.isdisjoint(self._tells(one.hanchan, one.entry))

    def _tells(self, hanchan: Hanchan, entry: SheetEntry) -> Iterator[tuple[object, ...]]:
        """By what a result may be odd beside another of its session: the same scores, or somebody at two tables."""
        session = hanchan.table_session.session_id
        yield session, tuple(sorted(seat.score for seat in entry.seats))
        for seat in entry.seats:
            yield session, hanchan.round, seat.player

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
        self.told.clear()
        tables = {one.table_session_id for one in played}
        linked = TableLink.objects.filter(table_session__in=tables, ended_at=None)
        for table in linked.values_list("table_session", flat=True).distinct():
            end_links_when_done(table)

    def _remember_block(self, hanchan: Hanchan) -> None:
        """Fetch, once for each block, who may play, which numbers are played, and which scores there are."""
        block = hanchan.block
        if block.pk not in self.may_play:
            self.may_play[block.pk] = entrants_who_may_play(block)
        if block.pk not in self.numbers:
            self.flush()
            counting = SeatResult.objects.filter(block=block, sheet__state=ResultSheet.State.CONFIRMED)
            rows = counting.values_list("entrant", "sheet__hanchan__number", "sheet__hanchan")
            self.numbers[block.pk] = {(entrant, number): pk for entrant, number, pk in rows}
        if (key := self.twins_of(hanchan)) not in self.twins:
            self.flush()
            self.twins[key] = self._scores_there(hanchan)

    def twins_of(self, hanchan: Hanchan) -> int:
        """Where the same scores would be odd: in the block, at an open table in the sitting."""
        is_open = self.competition.kind == Competition.Kind.OPEN
        return -hanchan.table_session_id if is_open else hanchan.block_id

    def _scores_there(self, hanchan: Hanchan) -> dict[frozenset[tuple[int, int]], set[int]]:
        rows = SeatResult.objects.filter(block=hanchan.block, sheet__state__in=states_compared(self.competition))
        if self.competition.kind == Competition.Kind.OPEN:
            rows = rows.filter(sheet__hanchan__table_session=hanchan.table_session_id)
        sheets: defaultdict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
        for sheet, pk, entrant, score in rows.values_list("sheet", "sheet__hanchan", "entrant", "score"):
            sheets[sheet, pk].add((entrant, score))
        found: dict[frozenset[tuple[int, int]], set[int]] = {}
        for (_sheet, pk), scores in sheets.items():
            found.setdefault(frozenset(scores), set()).add(pk)
        return found

    def _remember(self, hanchan: Hanchan, scores: Iterable[tuple[int, int]]) -> None:
        """Hold what follows against a result that has been taken."""
        pairs = frozenset(scores)
        self.twins[self.twins_of(hanchan)].setdefault(pairs, set()).add(hanchan.pk)
        for entrant, _score in pairs:
            self.numbers[hanchan.block_id][entrant, hanchan.number] = hanchan.pk


@dataclass(frozen=True, slots=True)
class Remembered:
    """The surroundings of a hanchan, out of what an intake keeps."""

    intake: Intake
    hanchan: Hanchan

    def may_play(self) -> Collection[int]:
        """Who certainly has a place in the block."""
        return self.intake.may_play[self.hanchan.block_id]

    def names(self, entrants: Iterable[int]) -> Mapping[int, str]:
        """Names as entered."""
        return {pk: self.intake.names[pk] for pk in entrants if pk in self.intake.names}

    def already_played(self, entrants: Collection[int]) -> Collection[int]:
        """An open table counts no numbers."""
        if self.hanchan.block.stage.hanchan_count is None:
            return frozenset()
        played, number = self.intake.numbers[self.hanchan.block_id], self.hanchan.number
        return {pk for pk in entrants if played.get((pk, number), self.hanchan.pk) != self.hanchan.pk}

    def has_twin(self, scores: AbstractSet[tuple[int, int]]) -> bool:
        """Whether another hanchan has exactly these entrants with these scores."""
        there = self.intake.twins[self.intake.twins_of(self.hanchan)].get(frozenset(scores), set())
        return bool(there - {self.hanchan.pk})

    def planned(self) -> AbstractSet[tuple[int, int]]:
        """The seats of the schedule."""
        return self.intake.planned.get(self.hanchan.pk, frozenset())


def says_the_same(sheet: ResultSheet, entry: SheetEntry) -> bool:
    """Whether a sheet that counts has these people, scores, offences and deposits."""
    if not entry.are_seats_known or not sheet.facts.get("are_seats_known", True):
        return sorted(_seats_of(sheet)) == sorted(_seats_in(entry)) and sheet.kyoutaku == entry.kyoutaku
    return _seats_of(sheet) == _seats_in(entry) and sheet.kyoutaku == entry.kyoutaku


def _seats_of(sheet: ResultSheet) -> list[tuple[int, int, int, int]]:
    seats = sorted(sheet.seats.all(), key=lambda seat: seat.seat)
    return [(seat.entrant_id, seat.player_id, seat.score, seat.chonbo) for seat in seats]


def _seats_in(entry: SheetEntry) -> list[tuple[int, int, int, int]]:
    return [(seat.entrant, seat.player, seat.score, seat.chonbo) for seat in entry.seats]


def _in_parts(model: Any, lookup: str, ids: Sequence[int], *columns: str) -> Iterable[tuple[Any, ...]]:
    """Rows of a long list of ids, asked for in parts: databases take so many values at once."""
    for start in range(0, len(ids), BATCH):
        yield from model.objects.filter(**{f"{lookup}__in": ids[start : start + BATCH]}).values_list(*columns)
