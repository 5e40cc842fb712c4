"""The one way to record results, whether one or ten thousand: the same checks, the same order, one place that writes.

The data that results are checked against is read once for the whole batch and kept up to date while they are
processed (`surroundings`); a result that passes is put aside and written in batches (`sheets.write_steps`).
Recording one result is a batch of one, and a refused result leaves nothing behind.

A preview puts results aside and never writes them. It locks nothing, so that no other request waits; when the
results are recorded, everything is checked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Self

from django.utils import timezone

from league.models import Competition, Hanchan, ResultSheet, TableLink
from league.platform.errors import Finding, Level, ServiceError, raise_for
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.selectors.standings.derivation import derive, with_results
from league.selectors.standings.facts import Facts, id_of
from league.services.access.changes import lock
from league.services.access.guard import all_or_nothing
from league.services.results.blind_entry import ENDED_BY_TIME, agreeing_sheet, ended_as, goes_blind
from league.services.results.context import SheetContents, Surroundings, in_parts
from league.services.results.entry import SheetEntry, findings_of, typing_findings
from league.services.results.preview import downstream_damage, facts_now, later_blocks_begun, played_of_sheet
from league.services.results.sheets import (
    BATCH,
    SheetChange,
    block_closed,
    refuse_abandoned,
    refuse_closed,
    refuse_unannounced_correction,
    right_to_correct,
    settled_seats,
    write_steps,
)
from scoring.stages import Certainty
from scoring.standings import Played

Progress = Callable[[int, int], None]


class BatchOutcome(StrEnum):
    """The outcome of an incoming result."""

    NEW = "new"
    """The hanchan had no result."""
    SAME = "same"
    """The same result counts already; nothing is written."""
    CORRECTS = "corrects"
    """It replaces another result."""
    ERROR = "error"
    """It is refused."""
    WAITS = "waits"
    """Not checked: the players of its stage depend on results that are refused."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """An incoming result, with the reason if it corrects another one."""

    hanchan: Hanchan
    entry: SheetEntry
    reason: str = ""
    planned: tuple[tuple[int, int], ...] = ()
    """Entrants and players by seat, for a hanchan that is not scheduled yet."""
    corrects: int | None = None
    """The revision that counts, as its author saw it."""
    accept: Collection[str] | None = None
    """Codes of accepted warnings; None accepts all of them and notes them on the sheet."""
    ends_as: Hanchan.State = Hanchan.State.FINISHED
    made_from: int | None = None
    """The number of the table log's event up to which the result was made from the log."""


@dataclass(frozen=True, slots=True)
class CheckedResult:
    """The outcome of a result and the findings about it."""

    outcome: BatchOutcome
    findings: tuple[Finding, ...] = ()


@all_or_nothing
def take_results(
    *,
    competition: Competition,
    incoming: Sequence[Incoming],
    by: Actor,
    halt_after: int | None = None,
    progress: Progress | None = None,
) -> list[CheckedResult]:
    """Record results, each of another hanchan, stage by stage in the order given; return the outcome of each.

    The caller rolls back if one of them is refused or has a warning that is not accepted: a file is imported whole
    or not at all. Stages after `halt_after` are skipped, because a result of an earlier stage could not even be
    read.

    1. Refuse actors without the right to submit, and a closed competition.
    2. Record each result; the results of one stage decide which entrants play in the next.
    3. Once a result is refused, skip the later stages.
    """
    require(by, competition, Capability.SUBMIT)
    # Before the sheets are read: nothing that the batch is checked against may change until it is committed.
    lock(competition)
    return _intake(competition, incoming, by, writes=True).all(incoming, halt_after, progress)


def foreseen_results(
    *,
    competition: Competition,
    incoming: Sequence[Incoming],
    by: Actor,
    halt_after: int | None = None,
    progress: Progress | None = None,
) -> list[CheckedResult]:
    """Return the outcome that `take_results` would give each result. Nothing is written, and nothing is locked."""
    require(by, competition, Capability.SUBMIT)
    return _intake(competition, incoming, by, writes=False).all(incoming, halt_after, progress)


def previewed_findings(competition: Competition, incoming: Sequence[Incoming], by: Actor) -> list[tuple[Finding, ...]]:
    """Return what recording each result would find, for a preview whose caller has checked the permission."""
    intake = _intake(competition, incoming, by, writes=False)
    return [intake.judge(one).findings for one in incoming]


def _intake(competition: Competition, incoming: Sequence[Incoming], by: Actor, *, writes: bool) -> ResultBatch:
    competition = Competition.objects.get(pk=competition.pk)
    refuse_closed(competition)
    return ResultBatch.of(competition, incoming, by, writes=writes)


@dataclass
class ResultBatch:
    """A batch of incoming results, each of another hanchan, with the data they are checked against."""

    competition: Competition
    by: Actor
    around: Surroundings
    revisions: Mapping[int, int]
    """The newest revision number of each hanchan that has one."""
    sheets: Mapping[int, Sequence[ResultSheet]]
    """The counting and waiting sheets of each hanchan, by revision, with their seats."""
    writes: bool
    """True if results are written, false for a preview."""
    pending: list[SheetChange] = field(default_factory=list)
    """Results that passed the checks, to be written together."""
    gone_by: dict[Hanchan, Mapping[int, Played]] = field(default_factory=dict)
    """Results of a preview that are not among `facts` yet."""
    facts: Facts | None = None
    """The competition's facts with the previewed results; computed when a check needs them."""
    later_begun: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition, incoming: Sequence[Incoming], by: Actor, *, writes: bool) -> Self:
        """Return an intake for these results, with the sheets of their hanchan read in one pass."""
        hanchan = [one.hanchan.pk for one in incoming]
        revisions = dict(sorted(in_parts(ResultSheet.objects.order_by(), "hanchan", hanchan, "hanchan", "revision")))
        live = ResultSheet.objects.filter(state__in=[ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED])
        sheets: defaultdict[int, list[ResultSheet]] = defaultdict(list)
        for sheet in in_parts(live.order_by("revision").prefetch_related("seats"), "hanchan", list(revisions)):
            sheets[sheet.hanchan_id].append(sheet)
        laid_out = {one.hanchan.pk: one.planned for one in incoming if one.planned}
        results = [(one.hanchan, one.entry) for one in incoming]
        around = Surroundings(competition, results, is_typed=not by.is_system, laid_out=laid_out)
        if len(results) > 1:
            around.fetch_names()
        return cls(competition, by, around, revisions, sheets, writes)

    def all(
        self, incoming: Sequence[Incoming], halt_after: int | None = None, progress: Progress | None = None
    ) -> list[CheckedResult]:
        """Process every result, stage by stage, and return the outcomes in the order given."""
        stages: defaultdict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(incoming):
            stages[one.hanchan.block.stage.order].append(place)
        judged: dict[int, CheckedResult] = {}
        for order in sorted(stages):
            is_refused = any(each.outcome is BatchOutcome.ERROR for each in judged.values())
            if is_refused or (halt_after is not None and order > halt_after):
                judged |= dict.fromkeys(stages[order], CheckedResult(BatchOutcome.WAITS))
                continue
            if judged:
                self.begin_stage()
            for place in stages[order]:
                judged[place] = self.judge(incoming[place])
                if progress:
                    progress(len(judged), len(incoming))
        self.flush()
        return [judged[place] for place in range(len(incoming))]

    def begin_stage(self) -> None:
        """Derive the entrants of the next stage from the results processed so far."""
        slots = derive(self.facts_so_far()).resolution.slots
        self.around.certain = {
            key: frozenset(id_of(slot.entrant) for slot in own if slot.state is Certainty.CERTAIN and slot.entrant)
            for key, own in slots.items()
            if own
        }

    def judge(self, one: Incoming) -> CheckedResult:
        """Record a result unless it equals the one that counts; return its outcome and findings."""
        counting, noted = self.counting(one.hanchan), list[Finding]()
        one = self.completed(one)
        if counting and is_same_result(counting, one.entry):
            return CheckedResult(BatchOutcome.SAME)
        try:
            self.record(replace(one, corrects=counting.revision if counting else None), noted)
        except ServiceError as error:
            noted += [finding for finding in error.findings if finding not in noted]
            return CheckedResult(BatchOutcome.ERROR, tuple(noted))
        return CheckedResult(BatchOutcome.CORRECTS if counting else BatchOutcome.NEW, tuple(noted))

    def record(self, one: Incoming, noted: list[Finding] | None = None) -> ResultSheet:
        """Check a result and put it aside to be written; return its sheet, or the one it confirms.

        1. Refuse a second result unless it names the revision it corrects, gives a reason, and the actor may
           correct.
        2. Refuse violations of the rules in force, and warnings that are not accepted.
        3. Settle it, and find the sheets it ends: its author's waiting sheet or, if it counts, all sheets it
           replaces.
        4. If it counts, refuse to unseat players of a later stage that has begun, unless that is accepted.
        """
        one, hanchan, noted = self.completed(one), one.hanchan, [] if noted is None else noted
        counting = self.counting(hanchan)
        refuse_abandoned(hanchan, self.by)
        if counting is None and self.around.is_closed(hanchan.block):
            raise block_closed(hanchan.block)
        refuse_unannounced_correction(counting, one.corrects, one.reason)
        if counting and Capability.CORRECT not in self.capabilities:
            require(self.by, self.competition, right_to_correct(hanchan))
        note_findings(one, self.findings(one), noted)
        sheet = self.new_sheet(one)
        step = self.step_of(one, sheet, counting)
        if step.ends_as and self.is_later_begun(hanchan):
            played = played_of_sheet(step.sheet, step.seats)
            note_findings(one, downstream_damage(hanchan, played, self.by, self.facts_so_far()), noted)
        # A sheet that waits is compared with later stages only once it counts: what was accepted ahead must stay.
        is_checked = step.ends_as is not None or one.accept is None
        sheet.accepted_warnings = sorted({finding.code for finding in noted} if is_checked else one.accept or ())
        self.put_aside(one, step)
        return step.sheet

    def completed(self, one: Incoming) -> Incoming:
        """Return a result with what follows from the competition: members of teams named before, and substitutes."""
        return replace(one, entry=self.around.completed(one.hanchan, one.entry))

    def counting(self, hanchan: Hanchan) -> ResultSheet | None:
        """Return the hanchan's sheet that counts, or None."""
        sheets = self.sheets.get(hanchan.pk, ())
        return next((sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED), None)

    @cached_property
    def capabilities(self) -> Collection[Capability]:
        """Return the actor's capabilities in the competition, computed once for the batch."""
        return frozenset(Capability) if self.by.is_system else capabilities(self.by.user, self.competition)

    def findings(self, one: Incoming) -> list[Finding]:
        """Return all findings about a result; if there is no error, those about typed sheets as well."""
        found = findings_of(one.hanchan, one.entry, self.around)
        if self.around.is_typed and not any(finding.level is Level.ERROR for finding in found):
            found += typing_findings(one.hanchan, one.entry, self.around, is_from_log=one.made_from is not None)
        return found

    def new_sheet(self, one: Incoming) -> ResultSheet:
        """Return the next revision as an unsaved, submitted sheet."""
        return ResultSheet(
            hanchan=one.hanchan,
            revision=self.revisions.get(one.hanchan.pk, 0) + 1,
            state=ResultSheet.State.SUBMITTED,
            rules=one.hanchan.rules,
            options={**one.hanchan.options, **one.entry.options},
            kyoutaku=one.entry.kyoutaku,
            facts=one.entry.facts() | ({ENDED_BY_TIME: True} if one.ends_as == Hanchan.State.ENDED_BY_TIME else {}),
            entered_by=self.by.user,
            entered_at=one.entry.entered_at or timezone.now(),
            made_from_sequence=one.made_from,
            reason=one.reason,
        )

    def step_of(self, one: Incoming, sheet: ResultSheet, counting: ResultSheet | None) -> SheetChange:
        """Return the rows of the sheet's change: it counts where one person is enough, else it waits.

        With blind entry the second person's sheet confirms the first one's, if both agree.
        """
        seats = settled_seats(sheet, one.entry)
        waiting = [other for other in self.sheets.get(one.hanchan.pk, ()) if other is not counting]
        own = [] if self.by.is_system else [other for other in waiting if other.entered_by_id == sheet.entered_by_id]
        if not goes_blind(one.hanchan, self.by):
            # Guests of a parlour keep the score sheet by a code on the table: the counter confirms what they submit,
            # and organizers confirm the log of an online game that a player brings.
            link = self.by.link
            is_player = link is not None and link.kind == TableLink.Kind.PLAYER
            is_guest = is_player or (self.competition.kind == Competition.Kind.OPEN and self.by.user is None)
            is_one_enough = self.competition.confirmation == Competition.Confirmation.ONE and not is_guest
            is_enough = is_one_enough or self.by.is_system
            return SheetChange(sheet, seats, one.ends_as if is_enough else None, counting, own[:1])
        first = agreeing_sheet(sheet, one.entry, waiting)
        if first is None:
            return SheetChange(sheet, seats, None, counting, own[:1], is_blind=True)
        first.hanchan = one.hanchan
        ended = [*(other for other in waiting if other is not first), sheet]
        return SheetChange(first, list(first.seats.all()), ended_as(first), counting, ended, ended_seats=seats)

    def put_aside(self, one: Incoming, step: SheetChange) -> None:
        """Queue a checked result for writing, and let the following results be compared with it; write full batches.

        A blind sheet that waits is not compared, because that would give its content away.
        """
        counts = step.ends_as is not None
        if counts or not step.is_blind:
            self.around.memory.keep(SheetContents.of(one.hanchan, one.entry, self.by, counts=counts))
        if self.writes:
            self.pending.append(step)
        elif counts:
            self.gone_by[one.hanchan] = played_of_sheet(step.sheet, step.seats)
        if len(self.pending) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the pending results."""
        if self.pending:
            write_steps(self.competition, self.by, self.pending)
            self.pending.clear()

    def is_later_begun(self, hanchan: Hanchan) -> bool:
        """Return True if a later stage than the hanchan's has a result; queried once for each block."""
        if hanchan.block_id not in self.later_begun:
            self.later_begun[hanchan.block_id] = later_blocks_begun(hanchan)
        return self.later_begun[hanchan.block_id]

    def facts_so_far(self) -> Facts:
        """Return the competition's facts including all results processed so far."""
        if self.writes:
            # Pending results must be in the database before the facts are read from it.
            self.flush()
            return facts_now(self.competition)
        self.facts = with_results(self.facts or facts_now(self.competition), self.gone_by)
        self.gone_by = {}
        return self.facts


def note_findings(one: Incoming, found: Sequence[Finding], noted: list[Finding]) -> None:
    """Append the findings to `noted`; raise for an error, or for a warning that is not accepted."""
    noted += found
    raise_for(found, {finding.code for finding in found} if one.accept is None else one.accept)


def is_same_result(sheet: ResultSheet, entry: SheetEntry) -> bool:
    """Return True if sheet and entry agree on people, scores, chonbo and deposits, and on seats if known."""
    written = [(seat.entrant_id, seat.player_id, seat.score, seat.chonbo) for seat in sheet.seats.all()]
    entered = [(seat.entrant, seat.player, seat.score, seat.chonbo) for seat in entry.seats]
    if not (entry.are_seats_known and sheet.facts.get("are_seats_known", True)):
        written, entered = sorted(written), sorted(entered)
    return (written, sheet.kyoutaku) == (entered, entry.kyoutaku)
