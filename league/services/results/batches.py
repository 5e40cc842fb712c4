"""Results on their way in, one or ten thousand: one set of checks, one order, one place that writes.

The one idea: what a result is held against is asked once for all of them and kept up to date while they go by
(`surroundings`); a result that was found well is only put aside, and written in batches with the others
(`sheets.write_steps`). So recording one result is the batch of one, and one that is refused leaves nothing behind.

A preview puts results aside and never writes them. Nobody waits for it, since it locks nothing; when the results are
recorded everything is checked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Self

from django.db.models import Max

from league.models import Competition, Hanchan, ResultSheet
from league.platform.errors import Finding, Level, ServiceError, raise_for
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.selectors.standings.derivation import Facts, derive, id_of, with_results
from league.services.access.changes import lock
from league.services.access.guard import all_or_nothing
from league.services.results.blind_entry import ENDED_BY_TIME, agreeing_sheet, ended_as, goes_blind
from league.services.results.context import Said, Surroundings, in_parts
from league.services.results.entry import SheetEntry, findings_of, typing_findings
from league.services.results.preview import downstream_damage, facts_now, later_blocks_begun, played_of_sheet
from league.services.results.sheets import (
    BATCH,
    Step,
    refuse_abandoned,
    refuse_closed,
    refuse_unannounced_correction,
    right_to_correct,
    settled_seats,
    write_steps,
)
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
    corrects: int | None = None
    """The revision that counts, as the author has seen it."""
    accept: Collection[str] | None = None
    """Codes of what is odd and accepted; without them everything odd is, and noted."""
    ends_as: Hanchan.State = Hanchan.State.FINISHED
    made_from: int | None = None
    """The entry of the table's log up to which it was made from it."""


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
    """Record results, each of another hanchan, stage by stage in the order given; return what became of each.

    The caller undoes everything if one of them is refused, or odd in a way that is not accepted: a file is taken whole
    or not at all. Stages after `halt_after` are left alone: a result before them could not even be read.

    1. Refuse those who may not hand in, and a closed competition.
    2. Record each result; those of one stage decide who may play in the next.
    3. Once a result was refused, leave later stages alone.
    """
    require(by, competition, Capability.SUBMIT)
    lock(competition)
    return _intake(competition, incoming, by, writes=True).all(incoming, halt_after, progress)


def foreseen_results(
    *,
    competition: Competition,
    incoming: Sequence[Incoming],
    by: Actor,
    halt_after: int | None = None,
    progress: Progress | None = None,
) -> list[Judged]:
    """Return what `take_results` would say of each result. Nothing is written, and nothing is locked."""
    require(by, competition, Capability.SUBMIT)
    return _intake(competition, incoming, by, writes=False).all(incoming, halt_after, progress)


def _intake(competition: Competition, incoming: Sequence[Incoming], by: Actor, *, writes: bool) -> Intake:
    competition = Competition.objects.get(pk=competition.pk)
    refuse_closed(competition)
    return Intake.of(competition, incoming, by, writes=writes)


@dataclass
class Intake:
    """Results on their way in, each of another hanchan, and what they are held against."""

    competition: Competition
    by: Actor
    around: Surroundings
    revisions: Mapping[int, int]
    """The newest revision of each hanchan that has one."""
    sheets: Mapping[int, Sequence[ResultSheet]]
    """The sheets of each hanchan that count or wait, by revision, with their seats."""
    writes: bool
    """Whether results are written, and not only looked at."""
    pending: list[Step] = field(default_factory=list)
    """Checked, to be written together."""
    gone_by: dict[Hanchan, Mapping[int, Played]] = field(default_factory=dict)
    """Looked at, and not among the facts yet."""
    facts: Facts | None = None
    """The competition with what was looked at, once a check has asked for it."""
    later_begun: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition, incoming: Sequence[Incoming], by: Actor, *, writes: bool) -> Self:
        """Ask the database once for the sheets of these hanchan."""
        hanchan = [one.hanchan.pk for one in incoming]
        newest = ResultSheet.objects.order_by().values("hanchan").annotate(newest=Max("revision"))
        revisions = dict(in_parts(newest, "hanchan", hanchan, "hanchan", "newest"))
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
    ) -> list[Judged]:
        """Judge every result, stage by stage."""
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
                judged[place] = self.judge(incoming[place])
                if progress:
                    progress(len(judged), len(incoming))
        self.flush()
        return [judged[place] for place in range(len(incoming))]

    def begin_stage(self) -> None:
        """Derive from what has gone by who plays in the stage that comes."""
        slots = derive(self.facts_so_far()).resolution.slots
        self.around.certain = {
            key: frozenset(id_of(slot.entrant) for slot in own if slot.state is State.CERTAIN and slot.entrant)
            for key, own in slots.items()
            if own
        }

    def judge(self, one: Incoming) -> Judged:
        """Record a result that says another thing than the one that counts; return what was found about it."""
        counting, noted = self.counting(one.hanchan), list[Finding]()
        if counting and says_the_same(counting, one.entry):
            return Judged(Outcome.SAME)
        try:
            self.record(replace(one, corrects=counting.revision if counting else None), noted)
        except ServiceError as error:
            noted += [finding for finding in error.findings if finding not in noted]
            return Judged(Outcome.ERROR, tuple(noted))
        return Judged(Outcome.CORRECTS if counting else Outcome.NEW, tuple(noted))

    def record(self, one: Incoming, noted: list[Finding] | None = None) -> ResultSheet:
        """Check a result and put it aside to be written; return its sheet, or the one it confirms.

        1. Refuse a second result unless it says which revision it corrects, why, and by a right to do so.
        2. Refuse what breaks the rules in force, or is odd and not accepted.
        3. Settle it, and find what it ends: its author's sheet that waits, or, if it counts, all it replaces.
        4. If it counts, refuse to unseat players of a later stage that has begun, unless that is accepted.
        """
        hanchan, noted = one.hanchan, [] if noted is None else noted
        counting = self.counting(hanchan)
        refuse_abandoned(hanchan, self.by)
        refuse_unannounced_correction(counting, one.corrects, one.reason)
        if counting and Capability.CORRECT not in self.capabilities:
            require(self.by, self.competition, right_to_correct(hanchan))
        weigh(one, self.findings(one), noted)
        sheet = self.new_sheet(one)
        step = self.step_of(one, sheet, counting)
        if step.ends_as and self.is_later_begun(hanchan):
            played = played_of_sheet(step.sheet, step.seats)
            weigh(one, downstream_damage(hanchan, played, self.by, self.facts_so_far()), noted)
        sheet.accepted_warnings = sorted({finding.code for finding in noted} if one.accept is None else one.accept)
        self.put_aside(one, step)
        return step.sheet

    def counting(self, hanchan: Hanchan) -> ResultSheet | None:
        """Return the sheet that counts for a hanchan."""
        sheets = self.sheets.get(hanchan.pk, ())
        return next((sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED), None)

    @cached_property
    def capabilities(self) -> Collection[Capability]:
        """What the actor may do anywhere in the competition."""
        return frozenset(Capability) if self.by.is_system else capabilities(self.by.user, self.competition)

    def findings(self, one: Incoming) -> list[Finding]:
        """Return everything wrong or odd about a result; what is odd on the night if nothing is wrong."""
        found = findings_of(one.hanchan, one.entry, self.around)
        if self.around.is_typed and not any(finding.level is Level.ERROR for finding in found):
            found += typing_findings(one.hanchan, one.entry, self.around, is_from_log=one.made_from is not None)
        return found

    def new_sheet(self, one: Incoming) -> ResultSheet:
        """Return the next revision, as it is handed in."""
        return ResultSheet(
            hanchan=one.hanchan,
            revision=self.revisions.get(one.hanchan.pk, 0) + 1,
            state=ResultSheet.State.SUBMITTED,
            rules=one.hanchan.rules,
            options={**one.hanchan.options, **one.entry.options},
            kyoutaku=one.entry.kyoutaku,
            facts=one.entry.facts() | ({ENDED_BY_TIME: True} if one.ends_as == Hanchan.State.ENDED_BY_TIME else {}),
            entered_by=self.by.user,
            made_from_sequence=one.made_from,
            reason=one.reason,
        )

    def step_of(self, one: Incoming, sheet: ResultSheet, counting: ResultSheet | None) -> Step:
        """Return what the sheet's change writes: it counts where one person is enough, else it waits.

        Of two people who enter blindly the second one's sheet confirms the first one's, if both say the same.
        """
        seats = settled_seats(sheet, one.entry)
        waiting = [other for other in self.sheets.get(one.hanchan.pk, ()) if other is not counting]
        own = [] if self.by.is_system else [other for other in waiting if other.entered_by_id == sheet.entered_by_id]
        if not goes_blind(one.hanchan, self.by):
            is_enough = self.competition.confirmation == Competition.Confirmation.ONE or self.by.is_system
            return Step(sheet, seats, one.ends_as if is_enough else None, counting, own[:1])
        first = agreeing_sheet(sheet, one.entry, waiting)
        if first is None:
            return Step(sheet, seats, None, counting, own[:1], is_blind=True)
        first.hanchan = one.hanchan
        ended = [*(other for other in waiting if other is not first), sheet]
        return Step(first, list(first.seats.all()), ended_as(first), counting, ended, ended_seats=seats)

    def put_aside(self, one: Incoming, step: Step) -> None:
        """Hold what follows against a result that counts, or waits where it is not given away; write full batches."""
        counts = step.ends_as is not None
        if counts or not step.is_blind:
            self.around.memory.keep(Said.of(one.hanchan, one.entry, self.by, counts=counts))
        if self.writes:
            self.pending.append(step)
        elif counts:
            self.gone_by[one.hanchan] = played_of_sheet(step.sheet, step.seats)
        if len(self.pending) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        if self.pending:
            write_steps(self.competition, self.by, self.pending)
            self.pending.clear()

    def is_later_begun(self, hanchan: Hanchan) -> bool:
        """Whether a later stage than the hanchan's has a result; asked once for each block."""
        if hanchan.block_id not in self.later_begun:
            self.later_begun[hanchan.block_id] = later_blocks_begun(hanchan)
        return self.later_begun[hanchan.block_id]

    def facts_so_far(self) -> Facts:
        """Return the competition's facts with everything that has gone by."""
        if self.writes:
            self.flush()
            return facts_now(self.competition)
        self.facts = with_results(self.facts or facts_now(self.competition), self.gone_by)
        self.gone_by = {}
        return self.facts


def weigh(one: Incoming, found: Sequence[Finding], noted: list[Finding]) -> None:
    """Note what was found; raise if any of it is an error, or odd and not accepted."""
    noted += found
    raise_for(found, {finding.code for finding in found} if one.accept is None else one.accept)


def says_the_same(sheet: ResultSheet, entry: SheetEntry) -> bool:
    """Whether both have the same people, scores, offences and deposits; in the same seats where those are known."""
    written = [(seat.entrant_id, seat.player_id, seat.score, seat.chonbo) for seat in sheet.seats.all()]
    entered = [(seat.entrant, seat.player, seat.score, seat.chonbo) for seat in entry.seats]
    if not (entry.are_seats_known and sheet.facts.get("are_seats_known", True)):
        written, entered = sorted(written), sorted(entered)
    return (written, sheet.kyoutaku) == (entered, entry.kyoutaku)
