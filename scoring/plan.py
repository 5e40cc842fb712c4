"""Apply the draws and overrides of one competition to its format: one source for each slot.

The one idea: after this step no code needs to know that a slot was drawn or overridden. A draw lists the
numbers of the stage's entrants, not their names, so it stays valid when these change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from scoring.format import Assignment, Carry, Format, Stage
from scoring.format.faults import SENTENCES as FORMAT_SENTENCES
from scoring.format.faults import clashes, source_faults
from scoring.ruleset.base import Fault, fault
from scoring.sources import Drawn, RuledSource, Seed, Source, SourceError, parse_source
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Replace:
    """An override: the organizer fills a slot from another source, or with a named entrant (source `ruling`)."""

    block: str
    """The block, or the key of a drawn stage; then `slot` counts the stage's entrants."""
    slot: int
    source: str
    reason: str
    entrant: Entrant | None = None
    """The entrant named by the organizer, for the source `ruling`."""


@dataclass(frozen=True, slots=True)
class PassOver:
    """An override: an entrant of a block does not advance; lower ranks move up by one."""

    block: str
    entrant: Entrant
    reason: str


Override = Replace | PassOver
Draws = Mapping[str, Mapping[str, Sequence[int]]]
"""By stage and block: for slot 1, 2, ... the number of the stage's entrant drawn into it."""


SENTENCES: Mapping[str, str] = {
    "not_drawn": "only these stages are drawn: %(stages)s",
    "none_drawn": "no stage is drawn",
    "draw_sizes": "each block takes as many numbers as it has slots: %(room)s",
    "draw_numbers": "each number from 1 to %(last)s must be drawn once, not %(numbers)s",
    "no_block": "there is no block %(key)s",
    "no_block_or_stage": "there is no block or drawn stage %(key)s",
    "drawn_later": "stage %(stage)s is not drawn yet; change its entrants under the stage's key",
    "slots": "there are slots 1 to %(size)s",
    "ruling_alone": "an entrant is named with the source ruling, and only with it",
    "draw_instead": "a slot cannot be changed to %(source)s; record a draw instead",
    "seeds": "there are seeds 1 to %(seeds)s",
}
"""A sentence for each way in which a draw or an override does not fit, besides the faults of a format."""


@dataclass(frozen=True, slots=True)
class PlanFault:
    """A fault of a draw or an override; `fault.value` is the source that does not fit, if it is one."""

    fault: Fault
    block: str = ""
    """The key of the block or drawn stage; empty if several places are concerned."""
    slot: int | None = None

    def __str__(self) -> str:
        where = self.block if self.slot is None else f"{self.block} slot {self.slot}"
        source = "" if self.fault.value is None else str(self.fault.value)
        return ": ".join(filter(None, (where, source, self.fault.message)))


class ImpossiblePlanError(ValueError):
    """Draws or overrides that do not fit the format; `faults` lists all of them."""

    def __init__(self, faults: tuple[PlanFault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class PlannedSeat:
    """A slot, or an entrant of a drawn stage, with the source that fills it."""

    block: str
    number: int
    source: Source
    points: Fraction | None = None
    """Points that a table of points gives the entrant of this seat."""
    entrant: Entrant | None = None
    """The entrant named by the organizer."""
    note: str = ""
    """The organizer's reason, if this is an override."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The seats of every block and every drawn stage, and the entrants passed over in each block."""

    seats: Mapping[str, tuple[PlannedSeat, ...]]
    pools: Mapping[str, tuple[PlannedSeat, ...]]
    passed: Mapping[str, frozenset[Entrant]]

    def all_seats(self) -> Iterator[PlannedSeat]:
        """Yield the seats of the drawn stages, then those of the blocks."""
        return chain.from_iterable(chain(self.pools.values(), self.seats.values()))


def plan(format_: Format, draws: Draws, overrides: Sequence[Override]) -> Plan:
    """Apply draws, then overrides in their order; raise ImpossiblePlanError with everything that does not fit."""
    _refuse([*_draw_faults(format_, draws), *_override_faults(format_, draws, overrides)])
    # The last override of a slot wins, also if one names the block's slot and another the stage's entrant.
    changes = {_target(format_, draws, each): each for each in overrides if isinstance(each, Replace)}
    pools = {
        stage.key: tuple(_apply_override(seat, changes) for seat in _seats(stage, stage.key, format_.pool(stage.key)))
        for stage in format_.stages
        if stage.assignment is Assignment.DRAWN
    }
    seats: dict[str, tuple[PlannedSeat, ...]] = {}
    for stage in format_.stages:
        for key in format_.blocks_of[stage.key]:
            drawn = iter(draws.get(stage.key, {}).get(key, ()))
            own = (_apply_override(seat, changes) for seat in _seats(stage, key, format_.sources(key)))
            seats[key] = tuple(_fill_drawn_slot(seat, pools, drawn) for seat in own)
    planned = Plan(seats, pools, {block: _passed(block, overrides) for block in format_.blocks})
    _refuse([*_clashes(format_, planned)])
    return planned


def _refuse(faults: Sequence[PlanFault]) -> None:
    if faults:
        raise ImpossiblePlanError(tuple(faults))


def _passed(block: str, overrides: Sequence[Override]) -> frozenset[Entrant]:
    """Return the entrants passed over in a block."""
    return frozenset(each.entrant for each in overrides if isinstance(each, PassOver) and each.block == block)


def _seats(stage: Stage, block: str, sources: Sequence[Source]) -> Iterator[PlannedSeat]:
    """Number the sources from 1 and give each its points from the table of points, if there is one."""
    points = stage.carry_over.points if stage.carry_over.kind is Carry.TABLE else ()
    for number, source in enumerate(sources, start=1):
        given = points[number - 1] if points and not isinstance(source, Drawn) else None
        yield PlannedSeat(block, number, source, given)


def _apply_override(seat: PlannedSeat, changes: Mapping[tuple[str, int], Replace]) -> PlannedSeat:
    """Return the seat with its last override applied, if any; points belong to the seat, not to the source."""
    change = changes.get((seat.block, seat.number))
    if change is None:
        return seat
    return replace(seat, source=parse_source(change.source), entrant=change.entrant, note=change.reason)


def _fill_drawn_slot(
    seat: PlannedSeat, pools: Mapping[str, tuple[PlannedSeat, ...]], drawn: Iterator[int]
) -> PlannedSeat:
    """Put the entrant whose number was drawn into a drawn slot; without a draw the slot stays open."""
    if not isinstance(seat.source, Drawn):
        return seat
    number = next(drawn, None)
    if number is None:
        return seat
    return replace(pools[seat.source.stage][number - 1], block=seat.block, number=seat.number)


def _target(format_: Format, draws: Draws, change: Replace) -> tuple[str, int]:
    """Return the seat an override applies to: for a drawn slot, the listed entrant that was drawn into it."""
    stage = format_.stage_of.get(change.block)
    if stage is None or stage.assignment is Assignment.SEEDED:
        return change.block, change.slot
    return stage.key, draws[stage.key][change.block][change.slot - 1]


def _wrong(code: str, block: str = "", slot: int | None = None, **params: object) -> PlanFault:
    return PlanFault(fault(SENTENCES, "", None, code, **params), block, slot)


def _draw_faults(format_: Format, draws: Draws) -> Iterator[PlanFault]:
    """Yield a fault for each draw that does not fill its stage's blocks with each entrant's number once."""
    drawn = {stage.key for stage in format_.stages if stage.assignment is Assignment.DRAWN}
    for stage, blocks in draws.items():
        if stage not in drawn:
            yield _wrong("not_drawn" if drawn else "none_drawn", stage, stages=", ".join(sorted(drawn)))
            continue
        sizes = {block: len(format_.sources(block)) for block in format_.blocks_of[stage]}
        if {block: len(numbers) for block, numbers in blocks.items()} != sizes:
            yield _wrong("draw_sizes", stage, room=", ".join(f"{block} {size}" for block, size in sizes.items()))
        numbers = sorted(number for block in blocks.values() for number in block)
        if numbers != list(range(1, sum(sizes.values()) + 1)):
            yield _wrong("draw_numbers", stage, last=sum(sizes.values()), numbers=numbers)


def _override_faults(format_: Format, draws: Draws, overrides: Sequence[Override]) -> Iterator[PlanFault]:
    for each in overrides:
        if isinstance(each, Replace):
            yield from _replace_faults(format_, draws, each)
        elif each.block not in format_.blocks:
            yield _wrong("no_block", key=each.block)


def _replace_faults(format_: Format, draws: Draws, change: Replace) -> Iterator[PlanFault]:
    """Check that the slot exists, and that the new source exists and lies in an earlier stage."""
    where = change.block, change.slot
    stage = _stage_changed(format_, change.block)
    if stage is None:
        yield _wrong("no_block_or_stage", key=change.block)
        return
    is_pool = change.block not in format_.blocks
    if not is_pool and stage.assignment is Assignment.DRAWN and stage.key not in draws:
        yield _wrong("drawn_later", *where, stage=stage.key)
    size = len(format_.pool(stage.key) if is_pool else format_.sources(change.block))
    if not 1 <= change.slot <= size:
        yield _wrong("slots", *where, size=size)
    yield from _source_faults(format_, format_.stages.index(stage), change)


def _stage_changed(format_: Format, key: str) -> Stage | None:
    """Return the stage of a block, or the drawn stage that has this key; None if there is neither."""
    if key in format_.stage_of:
        return format_.stage_of[key]
    return next((s for s in format_.stages if s.key == key and s.assignment is Assignment.DRAWN), None)


def _source_faults(format_: Format, number: int, change: Replace) -> Iterator[PlanFault]:
    where = change.block, change.slot
    try:
        source = parse_source(change.source)
    except SourceError as error:
        yield PlanFault(error.fault("", None), *where)
        return
    if isinstance(source, RuledSource) != (change.entrant is not None):
        yield _wrong("ruling_alone", *where)
    if isinstance(source, Drawn):
        yield _wrong("draw_instead", *where, source=source)
    if isinstance(source, Seed) and source.number > format_.seeds:
        yield _wrong("seeds", *where, seeds=format_.seeds)
    for wrong in source_faults(format_, "", number, source):
        yield PlanFault(wrong, *where)


def _clashes(format_: Format, plan_: Plan) -> Iterator[PlanFault]:
    """Check that no entrant gets two slots; a drawn entrant counts in the stage's list alone."""
    drawn = [block for stage in plan_.pools for block in format_.blocks_of[stage]]
    groups = [*plan_.pools.values(), *(seats for block, seats in plan_.seats.items() if block not in drawn)]
    sources = [seat.source for group in groups for seat in group if not isinstance(seat.source, RuledSource)]
    for source, (code, params) in clashes(format_, sources).items():
        yield PlanFault(fault(FORMAT_SENTENCES, "", str(source), code, **params))
