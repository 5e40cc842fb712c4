"""Lines of ranked entrants: the holder of each position, and the place each position leads to.

The one idea: a block's ranking and a comparison across blocks are both a line of entrants. A tie that no rule
breaks leaves a position open only if the positions it spans lead to different places.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from scoring.format import Assignment, Format
from scoring.further import NOTHING_GIVEN, GivenOrders
from scoring.plan import Plan, PlannedSeat
from scoring.resolution import BlockStandings, Certainty, Reason
from scoring.sources import BestOf, RankOf
from scoring.standings import Ranked, rank
from scoring.tiebreak import TOTAL_ONLY, Entrant

OUT = "out"
"""Destination of a position from which no entrant advances."""
WITHDRAWN = "withdrawn"
"""Destination shown for an entrant who was passed over."""
CHAMPION = "champion"
"""Destination of the first position of the last block."""

Rulings = Mapping[str, Sequence[tuple[Entrant, ...]]]
"""Rulings by the comparison across blocks they belong to (`best:preliminary#5`); a block's go into its `rank`."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Destination of a position of a line."""

    place: str
    """The destination's name."""
    identity: Hashable
    """Positions with equal identities lead to the same place, so that a tie between them leaves nothing open."""
    slots: tuple[tuple[str, int], ...] = ()
    """Slots whose entrant depends on this position, as block and number."""
    comparison: str = ""
    """The comparison across blocks that has to decide first; empty for none."""


@dataclass(frozen=True, slots=True)
class KnownOrder:
    """Entrants in ranking order as far as it is known, without those who were passed over."""

    scope: str
    ranked: tuple[Ranked, ...] = ()
    is_complete: bool = False
    state: Certainty | None = None
    """Set where no position can be determined yet."""
    reason: Reason = Reason.NONE
    candidates: tuple[Entrant, ...] = ()
    """Entrants who are in the line or may come into it."""

    def level_with(self, position: int) -> range:
        """Return the positions that share the rank of this position."""
        rank_ = self.ranked[position - 1].rank
        before, upto = (find(self.ranked, rank_, key=attrgetter("rank")) for find in (bisect_left, bisect_right))
        return range(before + 1, upto + 1)

    def ties(self) -> Iterator[range]:
        """Yield the positions of each shared rank, best first."""
        position = 1
        while position <= len(self.ranked):
            level = self.level_with(position)
            if len(level) > 1:
                yield level
            position = level.stop

    def entrants(self, positions: range) -> tuple[Entrant, ...]:
        """Return the entrants at these positions."""
        return tuple(self.ranked[position - 1].entrant for position in positions)


@dataclass(frozen=True, slots=True)
class Held:
    """The holder of a position, with the state and the reason of any uncertainty."""

    state: Certainty
    ranked: Ranked | None = None
    reason: Reason = Reason.NONE
    candidates: tuple[Entrant, ...] = ()

    def may_hold(self) -> tuple[Entrant, ...]:
        """Return every entrant who holds the position or may come to hold it."""
        return (self.ranked.entrant,) if self.state is Certainty.CERTAIN and self.ranked else self.candidates


class Lines:
    """The lines of a competition, with the destination of each position."""

    def __init__(
        self,
        format_: Format,
        plan: Plan,
        standings: Mapping[str, BlockStandings],
        rulings: Rulings,
        given: GivenOrders = NOTHING_GIVEN,
    ) -> None:
        self.format, self.plan, self.standings, self.given = format_, plan, standings, given
        self.leads: dict[tuple[str, int], Lead] = {}
        for position, lead in _leads(format_, plan):
            known = self.leads.setdefault(position, lead)
            if known is not lead:
                self.leads[position] = replace(known, slots=tuple(dict.fromkeys(known.slots + lead.slots)))
        self.lines = {block: self._block(block, standings.get(block)) for block in format_.blocks}
        for source in {seat.source: None for seat in _homes(format_, plan)}:
            if isinstance(source, BestOf) and source.scope not in self.lines:
                self.lines[source.scope] = self._comparison(source, rulings.get(source.scope, ()))

    def lead(self, scope: str, position: int) -> Lead:
        """Return a position's destination: a slot, in the last block a final place, otherwise out."""
        if found := self.leads.get((scope, position)):
            return found
        if self.format.crowns(scope):
            place = CHAMPION if position == 1 else ordinal(position)
            return Lead(place, place)
        return Lead(OUT, OUT)

    def is_contested(self, scope: str, positions: range) -> bool:
        """Return whether these positions lead to different places."""
        return len({self.lead(scope, position).identity for position in positions}) > 1

    def held(self, scope: str, position: int) -> Held:
        """Return the current holder of a position, with its state."""
        line = self.lines[scope]
        if line.state is not None:
            return Held(line.state, reason=line.reason, candidates=line.candidates)
        if position > len(line.ranked):
            return Held(Certainty.OPEN, reason=Reason.VACANT)
        level = line.level_with(position)
        is_tied = self.is_contested(scope, level)
        if not line.is_complete:
            holder = None if is_tied else line.ranked[position - 1]
            return Held(Certainty.PROVISIONAL, holder, Reason.TIED if is_tied else Reason.UNDER_WAY, line.candidates)
        if is_tied:
            return Held(Certainty.RULING, reason=Reason.TIED, candidates=line.entrants(level))
        return Held(Certainty.CERTAIN, line.ranked[position - 1])

    def _block(self, block: str, found: BlockStandings | None) -> KnownOrder:
        """Return a block's ranking without the entrants who were passed over or have no rank."""
        ranked = () if found is None else found.standings.ranked
        staying = tuple(each for each in ranked if each.is_ranked and each.entrant not in self.plan.passed[block])
        candidates = tuple(each.entrant for each in staying)
        if found is None or not (found.complete or any(each.counted for each in ranked)):
            return KnownOrder(block, state=Certainty.OPEN, reason=Reason.NOT_STARTED, candidates=candidates)
        return KnownOrder(block, staying, found.complete, candidates=candidates)

    def _comparison(self, source: BestOf, rulings: Sequence[tuple[Entrant, ...]]) -> KnownOrder:
        """Rank the holders of one rank in several blocks by total, then by the tie-break if hanchan are comparable.

        An entrant left by a correction in two blocks of the stage counts once, with the better total.
        """
        everywhere = [self.held(block, source.rank) for block in self.format.blocks_of[source.stage]]
        held = [each for each in everywhere if each.reason is not Reason.VACANT]
        if not held:
            return KnownOrder(source.scope, state=Certainty.OPEN, reason=Reason.VACANT)
        candidates = tuple(entrant for each in held for entrant in each.may_hold())
        for state in (Certainty.OPEN, Certainty.RULING, Certainty.PROVISIONAL):
            blocking = next((each for each in held if each.state is state and each.ranked is None), None)
            if blocking is not None:
                return KnownOrder(source.scope, state=state, reason=blocking.reason, candidates=candidates)
        # Ascending on purpose: in the dict below the last entry of an entrant wins, which is the better total.
        by_total = sorted((each.ranked for each in held if each.ranked is not None), key=lambda each: each.total)
        holders = list({holder.entrant: holder for holder in by_total}.values())
        # With unequal numbers of hanchan the tie-break would compare different rounds, so only totals count.
        is_comparable = len({holder.counted for holder in holders}) == 1
        tiebreak = self.format.tiebreak if is_comparable else TOTAL_ONLY
        standings = rank(
            [holder.row for holder in holders], tiebreak, rulings, len(holders[0].places), given=self.given
        )
        is_complete = all(each.state is Certainty.CERTAIN for each in held)
        return KnownOrder(source.scope, standings.ranked, is_complete, candidates=candidates)


def ordinal(number: int) -> str:
    """Return a place in English notation: 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in range(11, 14) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _homes(format_: Format, plan: Plan) -> Iterator[PlannedSeat]:
    """Yield every seat with a source of its own: entrants of a drawn stage in its list, not in its blocks."""
    for stage in format_.stages:
        if stage.assignment is Assignment.DRAWN:
            yield from plan.pools[stage.key]
        else:
            yield from (seat for block in stage.blocks for seat in plan.seats[block.key])


def _leads(format_: Format, plan: Plan) -> Iterator[tuple[tuple[str, int], Lead]]:
    """Read every slot's source backwards and yield the position that leads to the slot."""
    stages = {block: stage.key for block, stage in format_.stage_of.items()}
    for seat in _homes(format_, plan):
        place = stages.get(seat.block, seat.block)
        slots = _slots(format_, plan, seat)
        if isinstance(seat.source, RankOf):
            yield (seat.source.block, seat.source.rank), Lead(place, (seat.block, seat.points), slots)
        if isinstance(seat.source, BestOf):
            scope = seat.source.scope
            yield (scope, seat.source.number), Lead(place, (seat.block, seat.points), slots)
            for block in format_.blocks_of[seat.source.stage]:
                yield (block, seat.source.rank), Lead(f"best:{place}", scope, slots, scope)


def _slots(format_: Format, plan: Plan, seat: PlannedSeat) -> tuple[tuple[str, int], ...]:
    """Return the slot of a seat; for a drawn stage's entrant the slot drawn, before a draw the place in the list."""
    if seat.block not in plan.pools:
        return ((seat.block, seat.number),)
    drawn = [
        (block, slot.number)
        for block in format_.blocks_of[seat.block]
        for slot in plan.seats[block]
        if slot.source == seat.source
    ]
    return tuple(drawn) or ((seat.block, seat.number),)
