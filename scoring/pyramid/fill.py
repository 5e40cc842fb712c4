"""Filling of a tier that is too small after the moves, from the tiers below, in an order that is always the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from scoring.format.series import Series, Tier
from scoring.pyramid.movement import Movement, MoveReason, RosterFault, RosterFaultCode
from scoring.tiebreak import Entrant

RULE = "fill"


def fillings(
    series: Series, tier: Tier, decided: Mapping[Entrant, Movement], place: Mapping[Entrant, tuple[int, int]]
) -> tuple[tuple[Movement, ...], tuple[RosterFault, ...]]:
    """Return the movements that bring a tier up to its least size, and a tie for the last place of them.

    First come promotions that a condition refused, then the best of those relegated, who keep their seats, then the
    next in rank of the tier below. Too few of them leave the tier too small. `place` is each player's, the best
    first; level players share one.
    """
    missing = tier.size.least - sum(each.seat == tier.key for each in decided.values())
    found: list[Movement] = []
    for reason, rows in _candidates(series, tier, decided):
        for level in _levels(rows, place):
            if len(found) >= missing:
                break
            places = missing - len(found)
            if len(level) > places:
                players = tuple(each.player for each in level)
                tie = RosterFault(RosterFaultCode.AWAITING, level[0].source, players, RULE, places)
                return tuple(found), (tie,)
            found += (
                replace(each, to=tier.key, seat=tier.key, reason=reason, rule=RULE, clauses=(), places=missing)
                for each in level
            )
    return tuple(found), ()


def _candidates(
    series: Series, tier: Tier, decided: Mapping[Entrant, Movement]
) -> Iterator[tuple[MoveReason, list[Movement]]]:
    """Yield those who may fill a tier, in the order in which they are taken."""
    yield MoveReason.REFUSED_FILLS, [each for each in decided.values() if _was_refused(series, each, tier)]
    gone = (MoveReason.RELEGATED, MoveReason.POINTS_DOWN)
    yield MoveReason.SEAT_FILLS, [each for each in decided.values() if each.source == tier.key and each.reason in gone]
    below = series.neighbour(tier.key, is_upward=False)
    # Those kept by a decision stay where they are, and those refused a place here were the first to be taken.
    rest = [each for each in decided.values() if each.source == below and not _was_refused(series, each, tier)]
    yield MoveReason.NEXT_FILLS, [each for each in rest if each.reason in {MoveReason.STAYS, MoveReason.REFUSED}]


def _was_refused(series: Series, movement: Movement, tier: Tier) -> bool:
    if movement.reason is not MoveReason.REFUSED:
        return False
    return series.moves[int(movement.rule.removeprefix("moves."))].to == tier.key


def _levels(rows: Sequence[Movement], place: Mapping[Entrant, tuple[int, int]]) -> Iterator[list[Movement]]:
    """Yield the movements of level players together, best first."""
    for _, level in groupby(sorted(rows, key=lambda each: place[each.player]), key=lambda each: place[each.player]):
        yield list(level)
