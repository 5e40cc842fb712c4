"""Resolve a league format and its standings into the entrant of each slot.

The one idea: every slot asks one question of one line (`scoring.lines`): the holder of a position. No state
is kept between calls, so the same facts in any order give the same resolution.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from scoring.format import Carry, CarryRounding, Format
from scoring.further import NOTHING_GIVEN, GivenOrders
from scoring.lines import WITHDRAWN, Held, Lines, Rulings
from scoring.plan import Draws, ImpossiblePlanError, Override, PassOver, Plan, PlannedSeat, Replace, plan
from scoring.resolution import Awaiting, BlockStandings, Certainty, Champion, Reason, Resolution, SlotState
from scoring.sources import BestOf, Drawn, RankOf, RuledSource, Seed
from scoring.standings import Ranked, Standings
from scoring.tiebreak import Entrant

__all__ = [
    "Awaiting",
    "BlockStandings",
    "Certainty",
    "Champion",
    "Draws",
    "ImpossiblePlanError",
    "Override",
    "PassOver",
    "Reason",
    "Replace",
    "Resolution",
    "Rulings",
    "SlotState",
    "is_complete",
    "resolve",
    "rounded_share",
]


def is_complete(
    format_: Format,
    block: str,
    standings: Standings,
    closed: Collection[str] = (),
    leaving: Collection[Entrant] = (),
) -> bool:
    """Return whether a block is over: every slot's entrant has the stage's number of hanchan, or it is closed.

    `closed` are the keys of the blocks that the organizer has closed: the only end of an open block, and of a stage
    without a number of hanchan. Hanchan that count without having been played are included; entrants who have left
    need no more.
    """
    if block in closed:
        return True
    hanchan = format_.stage_of[block].hanchan
    if hanchan is None or format_.blocks[block].is_open:
        return False
    is_full = len(standings.ranked) >= len(format_.sources(block))
    return is_full and all(each.counted == hanchan or each.entrant in leaving for each in standings.ranked)


def resolve(
    format_: Format,
    standings: Mapping[str, BlockStandings],
    seeds: Mapping[int, Entrant],
    draws: Draws | None = None,
    overrides: Sequence[Override] = (),
    rulings: Rulings | None = None,
    scale: int = 10,
    given: GivenOrders = NOTHING_GIVEN,
) -> Resolution:
    """Return the whole ladder that follows from these facts.

    `standings` by block key, a block without one has not been played; `seeds` by number; `rulings` by comparison
    across blocks (`best:preliminary#5`), since a block's own go into its `rank`; `scale` is that of the ledger
    that ranks; `given` is what further criteria need for comparisons across blocks. Raise ImpossiblePlanError if draws
    or overrides do not fit the format.
    """
    planned = plan(format_, draws or {}, overrides)
    lines = Lines(format_, planned, standings, rulings or {}, given)
    pools, slots = (
        {key: tuple(_slot(lines, seat, seeds, scale) for seat in seats) for key, seats in every.items()}
        for every in (planned.pools, planned.seats)
    )
    return Resolution(
        slots=_marked_twice(
            format_, {block: tuple(_add_draw_candidates(pools, each) for each in row) for block, row in slots.items()}
        ),
        pools=pools,
        awaiting=tuple(_awaiting(lines)),
        champion=_champion(lines),
        destinations={block: _destinations(lines, block) for block in format_.blocks},
        advance={block: _advance(lines, block) for block in format_.blocks},
    )


def _slot(lines: Lines, seat: PlannedSeat, seeds: Mapping[int, Entrant], scale: int) -> SlotState:
    """Return the state of a slot: its entrant is the seed, the one named by the organizer, or the position's holder."""
    held = _held(lines, seat, seeds)
    entrant = held.ranked.entrant if held.ranked else None
    if isinstance(seat.source, Seed):
        entrant = seeds.get(seat.source.number)
    if seat.entrant is not None:
        entrant = seat.entrant
    return SlotState(
        block=seat.block,
        number=seat.number,
        state=held.state,
        entrant=entrant,
        source=str(seat.source),
        candidates=held.candidates,
        reason=held.reason,
        carried=_carried(lines.format, seat, held.ranked, scale),
        note=seat.note,
    )


def _held(lines: Lines, seat: PlannedSeat, seeds: Mapping[int, Entrant]) -> Held:
    """Return the holder that the seat's source refers to, with its state."""
    match seat.source:
        case RankOf(block, position):
            return lines.held(block, position)
        case BestOf(number=position):
            return lines.held(seat.source.scope, position)
        case Drawn():
            return Held(Certainty.OPEN, reason=Reason.UNDRAWN)
        case Seed(number) if number not in seeds:
            return Held(Certainty.OPEN, reason=Reason.UNSEEDED)
        case _:
            return Held(Certainty.CERTAIN)


def _carried(format_: Format, seat: PlannedSeat, ranked: Ranked | None, scale: int) -> int | None:
    """Return the points the entrant starts with; None while the entrant's origin is unknown."""
    stage = format_.stage_of.get(seat.block) or format_.stage(seat.block)
    carry = stage.carry_over
    if carry.kind is Carry.NONE:
        return 0
    if carry.kind is Carry.TABLE:
        return None if seat.points is None else _at_scale(seat.points, scale)
    # A seed or a named entrant comes from no block, so there is no total to carry over.
    if isinstance(seat.source, Seed | RuledSource):
        return 0
    if ranked is None:
        return None
    return rounded_share(ranked.total, carry.share or Fraction(0), carry.rounding)


def _at_scale(points: Fraction, scale: int) -> int:
    """Return points as an integer at the ledger's scale; raise ValueError if they do not fit it."""
    amount = points * scale
    if amount.denominator != 1:
        raise ValueError(f"{points} points cannot be carried over: the ledger keeps multiples of 1/{scale}.")
    return amount.numerator


def rounded_share(total: int, share: Fraction, rounding: CarryRounding | None) -> int:
    """Return a share of a total in whole units of the ledger; only the whole total needs no rounding."""
    part = total * share
    if rounding is None:
        return part.numerator
    is_up = {
        CarryRounding.UP: True,
        CarryRounding.DOWN: False,
        CarryRounding.AWAY_FROM_ZERO: part > 0,
        CarryRounding.TOWARDS_ZERO: part < 0,
    }[rounding]
    return ceil(part) if is_up else floor(part)


def _add_draw_candidates(pools: Mapping[str, tuple[SlotState, ...]], slot: SlotState) -> SlotState:
    """Before the draw, add every possible entrant of the stage as a candidate for each of its slots."""
    if slot.reason is not Reason.UNDRAWN:
        return slot
    pool = pools[slot.source.removeprefix("draw:")]
    candidates = (each for entry in pool for each in _may_hold(entry))
    return replace(slot, candidates=tuple(dict.fromkeys(candidates)))


def _may_hold(slot: SlotState) -> tuple[Entrant, ...]:
    return (slot.entrant,) if slot.state is Certainty.CERTAIN else slot.candidates


def _marked_twice(format_: Format, slots: Mapping[str, tuple[SlotState, ...]]) -> Mapping[str, tuple[SlotState, ...]]:
    """Mark the slots of an entrant who holds two in one stage, as an override and a result can bring about."""
    held = Counter(
        (format_.stage_of[block].key, slot.entrant)
        for block, row in slots.items()
        for slot in row
        if slot.entrant is not None
    )
    return {
        block: tuple(
            replace(slot, reason=Reason.TWICE) if held[format_.stage_of[block].key, slot.entrant] > 1 else slot
            for slot in row
        )
        for block, row in slots.items()
    }


def _awaiting(lines: Lines) -> Iterator[Awaiting]:
    """Yield every tie in a complete line whose positions lead to different places."""
    for scope, line in lines.lines.items():
        for tie in line.ties() if line.is_complete else ():
            if lines.is_contested(scope, tie):
                leads = [lines.lead(scope, position) for position in tie]
                yield Awaiting(
                    scope=scope,
                    entrants=line.entrants(tie),
                    ranks=tuple(tie),
                    places=tuple(dict.fromkeys(lead.place for lead in leads)),
                    slots=tuple(dict.fromkeys(slot for lead in leads for slot in lead.slots)),
                )


def _champion(lines: Lines) -> Champion | None:
    """Return the holder of the first position of the last block; None if the format has no champion."""
    if lines.format.champion is None:
        return None
    held = lines.held(lines.format.champion.block, 1)
    return Champion(held.state, held.ranked.entrant if held.ranked else None, held.candidates)


def _leads_somewhere(lines: Lines, block: str) -> bool:
    """Return whether an entrant can advance from this block, or win the competition in it."""
    return lines.format.crowns(block) or any(scope == block for scope, _ in lines.leads)


def _destinations(lines: Lines, block: str) -> tuple[str, ...]:
    """Return the destination of each row of a block's table; an entrant passed over or unranked uses no position."""
    if not _leads_somewhere(lines, block):
        return ()
    found = lines.standings.get(block)
    gone = [_is_gone(lines.plan, block, each) for each in found.standings.ranked] if found else []
    gone += [False] * (len(lines.plan.seats[block]) - len(gone))
    places: list[str] = []
    position = 0
    for is_gone in gone:
        position += not is_gone
        places.append(WITHDRAWN if is_gone else lines.lead(block, position).place)
    return tuple(places)


def _is_gone(plan_: Plan, block: str, ranked: Ranked) -> bool:
    """Return True if an entrant was passed over in the block, or has no rank there."""
    return not ranked.is_ranked or ranked.entrant in plan_.passed[block]


def _advance(lines: Lines, block: str) -> Mapping[str, tuple[Entrant, ...]]:
    """Return the entrants of a complete block by destination, for all that no ruling decides.

    Of the last block only the champion is listed.
    """
    line = lines.lines[block]
    # Only a complete block advances entrants: before its last result every position is provisional.
    if not line.is_complete or not _leads_somewhere(lines, block):
        return {}
    listed = line.ranked[:1] if lines.format.crowns(block) else line.ranked
    going: defaultdict[str, list[Entrant]] = defaultdict(list)
    for position, each in enumerate(listed, start=1):
        place = _place(lines, block, position)
        if place is not None:
            going[place].append(each.entrant)
    ranked = lines.standings[block].standings.ranked
    withdrawn = [each.entrant for each in ranked if _is_gone(lines.plan, block, each)]
    if withdrawn:
        going[WITHDRAWN] = withdrawn
    return {place: tuple(entrants) for place, entrants in going.items()}


def _place(lines: Lines, scope: str, position: int) -> str | None:
    """Return the destination of a position's holder; None while a tie or a comparison across blocks leaves it open."""
    if lines.held(scope, position).state is not Certainty.CERTAIN:
        return None
    lead = lines.lead(scope, position)
    if not lead.comparison:
        return lead.place
    comparison = lines.lines[lead.comparison]
    entrant = lines.lines[scope].ranked[position - 1].entrant
    if not comparison.is_complete:
        return None
    nth = next(n for n, each in enumerate(comparison.ranked, start=1) if each.entrant == entrant)
    return _place(lines, comparison.scope, nth)
