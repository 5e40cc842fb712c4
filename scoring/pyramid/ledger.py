"""Promotion and relegation points over several terms: who gains them, which still count, and who moves by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.format.series import PointsLedger, Series
from scoring.pyramid.lines import Line, LinePlayer, positioned
from scoring.pyramid.movement import Gain, Points
from scoring.tiebreak import Entrant

NO_POINTS: Points = {}


@dataclass(frozen=True, slots=True)
class Tie:
    """Level players who would gain different points, or of whom not all gain some."""

    group: tuple[LinePlayer, ...]
    places: int
    """The number of gains at stake."""


def opening_points(series: Series, tiers: Mapping[Entrant, str], balances: Mapping[Entrant, int], term: int) -> Points:
    """Return opening balances as points gained in the term before `term`, in the tier that each player is in.

    They are of the kind of the tier's ledger, of two the one for promotion; without a ledger they count nothing.
    """
    upward = {
        ledger.tier: ledger.is_upward for ledger in sorted(series.ledgers.values(), key=lambda each: each.is_upward)
    }
    return {
        player: (Gain(tiers[player], term - 1, points, upward[tiers[player]]),)
        for player, points in balances.items()
        if points and tiers.get(player) in upward
    }


def counting(ledger: PointsLedger, gains: Iterable[Gain], term: int) -> tuple[Gain, ...]:
    """Return the gains in this ledger that count after a term: those of the last `within_terms` terms."""
    return tuple(each for each in gains if is_in(ledger, each) and term - ledger.within_terms < each.term <= term)


def is_in(ledger: PointsLedger, gain: Gain) -> bool:
    """Return whether a gain belongs to this ledger."""
    return (gain.tier, gain.is_upward) == (ledger.tier, ledger.is_upward)


def gains_of(ledger: PointsLedger, line: Line) -> tuple[Mapping[Entrant, int], tuple[Tie, ...]]:
    """Return the points that the first of a line gain, and the ties that leave some open.

    The line begins after those who have moved; for relegation points it goes from the last player upwards.
    """
    found: dict[Entrant, int] = {}
    ties = []
    for positions, group in positioned(line):
        points = [ledger.gains[n - 1] if n <= len(ledger.gains) else 0 for n in positions]
        if not any(points):
            break
        if len(set(points)) > 1:
            ties.append(Tie(group, sum(map(bool, points))))
        else:
            found |= {each.player: points[0] for each in group}
    return found, tuple(ties)


def spend(ledger: PointsLedger, gains: tuple[Gain, ...]) -> tuple[Gain, ...]:
    """Return the gains left after the ledger has moved a player: none, or those beyond what was needed."""
    if ledger.spent == "all":
        return ()
    # The oldest points go first, since they would be the first to lapse.
    owed, left = ledger.needed, []
    for each in gains:
        used = min(owed, each.points)
        owed -= used
        if each.points > used:
            left.append(replace(each, points=each.points - used))
    return tuple(left)
