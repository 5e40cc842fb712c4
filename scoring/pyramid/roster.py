"""The roster of the next term: the players of each tier in the order of their seeds, and its faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.format.series import Series
from scoring.pyramid.movement import Movements, RosterFault, RosterFaultCode
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class Roster:
    """The players of every tier of the next term, in the order of their seeds, with all faults."""

    tiers: Mapping[str, tuple[Entrant, ...]]
    faults: tuple[RosterFault, ...] = ()


def roster(series: Series, found: Movements) -> Roster:
    """Return the next roster that follows from the movements.

    Those from higher tiers are seeded first, each tier's players in the order of its final table, newcomers last. A
    tier with too few or too many players is a fault: the organizer decides.
    """
    tiers: dict[str, list[Entrant]] = {tier.key: [] for tier in series.tiers}
    for each in found.movements:
        if each.seat:
            tiers[each.seat].append(each.player)
    rows = {key: tuple(players) for key, players in tiers.items()}
    is_open = any(fault.code is RosterFaultCode.AWAITING for fault in found.faults)
    # Sizes are not known while level players are not ordered.
    return Roster(rows, (*found.faults, *(() if is_open else _sizes(series, rows))))


def _sizes(series: Series, tiers: Mapping[str, tuple[Entrant, ...]]) -> Iterator[RosterFault]:
    for tier in series.tiers:
        number = len(tiers[tier.key])
        if number < tier.size.least:
            yield RosterFault(RosterFaultCode.TOO_SMALL, tier.key, number=number, allowed=tier.size.least)
        if number > tier.size.most:
            yield RosterFault(RosterFaultCode.TOO_LARGE, tier.key, number=number, allowed=tier.size.most)
