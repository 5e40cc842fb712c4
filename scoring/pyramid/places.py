"""Places of a tier while it is played: the moves that the present table would make, rank by rank.

The one idea: `moves` derives them too, so that decisions made during the term count as they will at its end. Until a
tier is over its totals are taken as enough: a total that a rank needs is stated with its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scoring.format.model import Format
from scoring.format.series import Move, Series
from scoring.further import NOTHING_GIVEN, GivenOrders
from scoring.lines import CHAMPION, OUT, WITHDRAWN
from scoring.pyramid.conditions import PlaceKind, SeriesDestination
from scoring.pyramid.movement import OUT as OUT_OF_SERIES
from scoring.pyramid.movement import FinalLine, MoveDecision, Movement, MoveReason, PassedOver, Points, Quota
from scoring.pyramid.moves import moves
from scoring.resolution import Resolution
from scoring.standings import Standings
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class TermState:
    """A term of a series as far as it is known while its tiers are played."""

    decisions: tuple[MoveDecision, ...] = ()
    points: Points = field(default_factory=dict)
    """Promotion and relegation points brought into the term."""
    others: Mapping[str, tuple[Entrant, ...]] = field(default_factory=dict)
    """The players of the other tiers by tier, which fillings count; empty where tiers are not filled."""
    number: int = 1
    given: GivenOrders = NOTHING_GIVEN
    decided: tuple[Movement, ...] = ()
    """The movements of a written roster, which the present tables cannot change."""


ALONE = TermState()
"""A term without decisions."""


@dataclass(frozen=True, slots=True)
class SeriesGoal:
    """A destination that players try to reach, and the number of first places that reach it or a better one."""

    destination: SeriesDestination
    places: int
    """Counted without the players who are exempt."""
    exempt: frozenset[Entrant] = frozenset()
    """Players whose ranks do not count for it, by decisions."""


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A change of the ranks that lead to a destination, and the decisions or the lack of players it comes from."""

    destination: SeriesDestination
    rank: int
    """The rank that leads there in consequence; in a relegation the one highest up."""
    passed: tuple[PassedOver, ...] = ()
    """The players passed over, in the order of the rule."""
    lacking: int = 0
    """For a filling: the number of players that a tier lacks."""


@dataclass(frozen=True, slots=True)
class TierPlaces:
    """The places of a tier as its table stands."""

    destinations: Mapping[Entrant, SeriesDestination]
    goals: tuple[SeriesGoal, ...]
    """Best first."""
    changes: tuple[PlaceChange, ...]


OwnMoves = Sequence[tuple[Move, Quota]]
"""The moves of the file out of one tier, with their places."""


def present_table(series: Series, ranked: Sequence[Entrant], behind: Sequence[Entrant] = ()) -> list[FinalLine]:
    """Return a table under way as `moves` takes it; those without a rank stand `behind`, level.

    Each total is enough for every condition.
    """
    enough = max((move.condition.total_at_least for move in series.moves if move.condition), default=Fraction(0))
    lines = [FinalLine(player, rank, enough) for rank, player in enumerate(ranked, start=1)]
    return [*lines, *(FinalLine(player, len(ranked) + 1, enough) for player in behind)]


def tier_places(series: Series, tier: str, table: Sequence[FinalLine], state: TermState = ALONE) -> TierPlaces:
    """Return the places of a tier: of each player by `moves`, the goals, and what decisions change.

    Raise KeyError if there is no such tier.
    """
    series.tier(tier)
    others = {key: present_table(series, players) for key, players in state.others.items() if key != tier}
    found = moves(
        series,
        {**others, tier: table},
        state.decisions,
        state.points,
        term=state.number,
        given=state.given,
        fills=bool(others),
    )
    own = {each.player: each for each in (*found.movements, *state.decided) if each.source == tier}
    ordered = [own[line.player] for line in sorted(table, key=lambda each: each.rank) if line.player in own]
    # `moves` makes the moves of the file in its order and notes a quota for each.
    own_moves = [pair for pair in zip(series.moves, found.quotas, strict=True) if pair[0].source.tier == tier]
    has_worse = any(_is_worse(each) for each in ordered)
    return TierPlaces(
        {each.player: _destination(each, has_worse=has_worse) for each in ordered},
        tuple(_goals(series, tier, ordered, own_moves)),
        tuple(_changes(series, tier, ordered, own_moves)),
    )


def _is_worse(movement: Movement) -> bool:
    """Return whether a player fares worse than one who stays."""
    is_down = movement.reason in {MoveReason.RELEGATED, MoveReason.POINTS_DOWN, MoveReason.SEAT_FILLS}
    return is_down or _gain(movement)[0] is PlaceKind.RISK


def _gain(movement: Movement) -> tuple[PlaceKind | None, int]:
    """Return the kind and the number of points that a player gains by the present rank."""
    if not movement.gained:
        return None, 0
    newest = movement.terms[-1]
    return (PlaceKind.GAIN if newest.is_upward else PlaceKind.RISK), movement.gained


def _destination(movement: Movement, *, has_worse: bool) -> SeriesDestination:
    """Return where a movement leads."""
    kind, points = _gain(movement)
    goal = movement.source if movement.to in {"", OUT_OF_SERIES} else movement.to
    if movement.reason in {MoveReason.POINTS_UP, MoveReason.POINTS_DOWN}:
        way = PlaceKind.GAIN if movement.reason is MoveReason.POINTS_UP else PlaceKind.RISK
        return SeriesDestination(way, movement.to, points=points)
    if movement.reason in _BY_MOVE:
        needed = None if movement.needed is None else Fraction(movement.needed)
        return SeriesDestination(_BY_MOVE[movement.reason], goal, needed)
    # A seat kept does not matter where the rank gains promotion points.
    if movement.reason in _OTHERWISE and kind is not PlaceKind.GAIN:
        return SeriesDestination(_OTHERWISE[movement.reason], goal)
    if kind is not None:
        return SeriesDestination(kind, points=points)
    return SeriesDestination(PlaceKind.STAY if has_worse else PlaceKind.SAME, movement.source)


_BY_MOVE: Mapping[MoveReason, PlaceKind] = {
    MoveReason.PROMOTED: PlaceKind.UP,
    MoveReason.RELEGATED: PlaceKind.DOWN,
    MoveReason.QUALIFIED: PlaceKind.OUTSIDE,
}
_OTHERWISE: Mapping[MoveReason, PlaceKind] = {
    MoveReason.NEXT_FILLS: PlaceKind.UP,
    MoveReason.REFUSED_FILLS: PlaceKind.UP,
    MoveReason.LEAVES: PlaceKind.LEAVES,
    MoveReason.PLACED: PlaceKind.PLACED,
    MoveReason.DECLINED: PlaceKind.DECLINED,
    MoveReason.SEAT_KEPT: PlaceKind.KEPT,
    MoveReason.AWAITING: PlaceKind.OPEN,
}


def _by_reason(ordered: Sequence[Movement], *reasons: MoveReason) -> frozenset[Entrant]:
    return frozenset(each.player for each in ordered if each.reason in reasons)


def _goals(series: Series, tier: str, ordered: Sequence[Movement], own_moves: OwnMoves) -> Iterator[SeriesGoal]:
    """Yield the goals of a tier, best first; one that is no deeper in the table than a better one is left out."""
    deepest = 0
    for goal in (*_goals_above(series, tier, ordered, own_moves), *_staying(series, tier, ordered, own_moves)):
        depth = goal.places + len(goal.exempt)
        if goal.places > 0 and depth > deepest:
            deepest = depth
            yield goal


def _goals_above(series: Series, tier: str, ordered: Sequence[Movement], own_moves: OwnMoves) -> Iterator[SeriesGoal]:
    """Yield places above and beside the tier, then those that gain promotion points."""
    found: dict[SeriesDestination, SeriesGoal] = {}
    last, passed = 0, _by_reason(ordered, MoveReason.LEAVES)
    for move, quota in own_moves:
        is_up = move.to not in series.order or series.order[move.to] < series.order[tier]
        if move.source.is_last or not is_up or not quota.positions:
            continue
        kind = PlaceKind.UP if move.to in series.order else PlaceKind.OUTSIDE
        needed = move.condition.total_at_least if move.condition else None
        destination = SeriesDestination(kind, move.to, needed)
        passed = frozenset(each.player for each in quota.passed)
        last = max(last, quota.positions[-1])
        found[destination] = SeriesGoal(destination, quota.positions[-1], passed)
    if fills := len(_by_reason(ordered, MoveReason.NEXT_FILLS)):
        destination = SeriesDestination(PlaceKind.UP, series.neighbour(tier, is_upward=True) or "")
        found[destination] = SeriesGoal(destination, last + fills, passed)
    yield from sorted(found.values(), key=lambda goal: goal.places)
    # A player placed by the organizers takes a place of a move, but gains no points: no number of ranks says both.
    if _by_reason(ordered, MoveReason.PLACED):
        return
    gains = [points for each in ordered for kind, points in [_gain(each)] if kind is PlaceKind.GAIN]
    exempt = passed | _by_reason(ordered, MoveReason.DECLINED)
    for place, points in enumerate(gains, start=last + 1):
        yield SeriesGoal(SeriesDestination(PlaceKind.GAIN, points=points), place, exempt)


def _staying(series: Series, tier: str, ordered: Sequence[Movement], own_moves: OwnMoves) -> Iterator[SeriesGoal]:
    """Yield the places of those who stay, if other ranks fare worse."""
    places, exempt = len(ordered), _by_reason(ordered, MoveReason.LEAVES)
    is_bordered = False
    for move, quota in own_moves:
        is_down = series.order.get(move.to, -1) > series.order[tier]
        if not is_down or not quota.positions:
            continue
        exempt = frozenset(each.player for each in quota.passed)
        above = quota.candidates - quota.positions[-1] if move.source.is_last else quota.positions[0] - 1
        places, is_bordered = min(places, above), True
    places += len(_by_reason(ordered, MoveReason.SEAT_FILLS)) if is_bordered else 0
    risks = sum(_gain(each)[0] is PlaceKind.RISK for each in ordered)
    if not is_bordered and risks:
        exempt |= _by_reason(ordered, MoveReason.SEAT_KEPT)
        places = len(ordered) - len(exempt)
    if is_bordered or risks:
        yield SeriesGoal(SeriesDestination(PlaceKind.STAY, tier), places - risks, exempt)


def _changes(series: Series, tier: str, ordered: Sequence[Movement], own_moves: OwnMoves) -> Iterator[PlaceChange]:
    """Yield what decisions change about the moves of a tier as the table stands, and the fillings."""
    for move, quota in own_moves:
        if quota.last is None:
            continue
        is_last = move.source.is_last
        inside = tuple(each for each in quota.passed if (each.rank > quota.last) == is_last)
        if inside:
            is_below = series.order.get(move.to, -1) > series.order[tier]
            kind = PlaceKind.DOWN if is_below else PlaceKind.UP if move.to in series.order else PlaceKind.OUTSIDE
            yield PlaceChange(SeriesDestination(kind, move.to), quota.last, inside)
    for reason, kind in ((MoveReason.SEAT_FILLS, PlaceKind.STAY), (MoveReason.NEXT_FILLS, PlaceKind.UP)):
        filled = [each for each in ordered if each.reason is reason]
        if filled:
            last = filled[-1]
            yield PlaceChange(SeriesDestination(kind, last.to), last.rank or 0, lacking=last.places or 0)


@dataclass(frozen=True, slots=True)
class BlockPlaces:
    """The places of one block of a tier: the destinations of its rows, and the goals of its ranks."""

    destinations: tuple[str, ...]
    goals: tuple[SeriesGoal, ...]
    changes: tuple[PlaceChange, ...]


def block_places(
    series: Series,
    tier: str,
    format_: Format,
    resolution: Resolution,
    standings: Mapping[str, Standings],
    state: TermState = ALONE,
    *,
    final: Mapping[Entrant, Fraction] | None = None,
) -> Mapping[str, BlockPlaces]:
    """Return the places of a tier's blocks where a rank decides the final place.

    That is so in stages of one block: for final places, and for ranks that go out. The title stays the destination of
    the first place only in a tier from which no rank moves up. `final` has the totals in points once all is played:
    then ranks and totals decide as in the final table.
    """
    found: dict[str, BlockPlaces] = {}
    before: list[Entrant] = []
    behind: list[Entrant] = []
    for stage in format_.stages:
        keys = [key for key in format_.blocks_of[stage.key] if key in standings]
        rows = sorted((row for key in keys for row in standings[key].ranked), key=lambda row: row.rank)
        own = [row.entrant for row in rows if row.is_ranked]
        behind = [*(each for each in behind if each not in own), *(row.entrant for row in rows if not row.is_ranked)]
        seen = {*own, *behind}
        before = [*own, *(each for each in before if each not in seen)]
        if len(keys) != 1:
            continue
        leads = resolution.destinations.get(keys[0], ())
        if not leads and stage is format_.stages[-1]:
            leads = tuple(OUT if row.is_ranked else WITHDRAWN for row in standings[keys[0]].ranked)
        table = present_table(series, before, behind)
        if final is not None:
            level = {row.entrant: row.rank for row in rows if row.is_ranked}
            table = [FinalLine(each.player, level.get(each.player, each.rank), final[each.player]) for each in table]
        places = tier_places(series, tier, table, state)
        found[keys[0]] = _of_block(places, standings[keys[0]], leads)
    return found


def _of_block(places: TierPlaces, standings: Standings, leads: Sequence[str]) -> BlockPlaces:
    """Return the places of a block whose ranks have these destinations by the format alone."""
    is_above = any(goal.destination.kind not in {PlaceKind.STAY, PlaceKind.SAME} for goal in places.goals)
    destinations, going = [], 0
    for row, lead in zip(standings.ranked, leads, strict=False):
        is_final = lead in {OUT, CHAMPION} or lead[:1].isdigit()
        place = places.destinations.get(row.entrant)
        keeps = place is None or not is_final or (lead == CHAMPION and not is_above)
        going += not is_final and lead != WITHDRAWN
        destinations.append(lead if keeps else str(place))
    goals = tuple(goal for goal in places.goals if goal.places + len(goal.exempt) > going)
    return BlockPlaces(tuple(destinations), goals, places.changes)
