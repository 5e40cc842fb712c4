"""Written rosters: how a roster and its moves are stored, and how they are read again.

Rows are never edited. A player who was merged since is read as the player kept, and as themselves again once they are
an entry of their own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from league.models import NextRoster, Player
from scoring.pyramid.movement import Gain, Movement, Movements, MoveReason, PassedOver, Points


def digest_of_roster(tiers: Mapping[str, Sequence[int]], documents: Sequence[Mapping[str, object]]) -> str:
    """Return the SHA-256 of a roster and its moves."""
    text = json.dumps([tiers, documents], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def movement_document(movement: Movement, points: Points) -> dict[str, object]:
    """Return a movement as it is stored, with the points left; amounts are exact, as texts."""
    return {
        "player": movement.player,
        "from": movement.source,
        "to": movement.to,
        "seat": movement.seat,
        "reason": movement.reason.value,
        "rank": movement.rank,
        "is_level": movement.is_level,
        "total": None if movement.total is None else str(movement.total),
        "size": movement.size,
        "rule": movement.rule,
        "clauses": list(movement.clauses),
        "places": movement.places,
        "needed": None if movement.needed is None else str(movement.needed),
        "passed": [[each.player, each.rank, each.reason.value] for each in movement.passed],
        "gained": movement.gained,
        "points": movement.points,
        "terms": [_gain(each) for each in movement.terms],
        "left": [_gain(each) for each in points.get(movement.player, ())],
    }


def _gain(gain: Gain) -> list[object]:
    return [gain.tier, gain.term, gain.points, gain.is_upward]


def tiers_of_roster(written: NextRoster) -> dict[str, list[int]]:
    """Return the ids of the players of a stored roster by tier, in the order of their seeds."""
    kept = _kept(written)
    return {key: [kept.get(int(pk), int(pk)) for pk in ids] for key, ids in written.tiers.items()}


def movements_of(written: NextRoster) -> Movements:
    """Return the movements of a stored roster, by the players kept."""
    kept = _kept(written)
    points: dict[object, tuple[Gain, ...]] = {}
    for each in written.moves:
        player = kept.get(each["player"], each["player"])
        if each["left"]:
            points[player] = (*points.get(player, ()), *_gains(each["left"]))
    return Movements(tuple(_movement(each, kept) for each in written.moves), points)


def _kept(written: NextRoster) -> Mapping[int, int]:
    """Map each player of a roster who was merged since to the player kept."""
    ids = set(_ids(written))
    rows = Player.objects.exclude(merged_into=None).filter(pk__in=ids).order_by()
    return {row.pk: row.merged_into_id for row in rows.only("merged_into") if row.merged_into_id is not None}


def _ids(written: NextRoster) -> Iterator[int]:
    for ids in written.tiers.values():
        yield from map(int, ids)
    for each in written.moves:
        yield each["player"]
        yield from (passed[0] for passed in each["passed"])


def _movement(stored: Mapping[str, object], kept: Mapping[int, int]) -> Movement:
    total, needed, player = stored["total"], stored["needed"], int(str(stored["player"]))
    return Movement(
        player=kept.get(player, player),
        source=str(stored["from"]),
        to=str(stored["to"]),
        seat=str(stored["seat"]),
        reason=MoveReason(str(stored["reason"])),
        rank=stored["rank"],  # type: ignore[arg-type]  # as movement_document wrote it
        is_level=bool(stored["is_level"]),
        total=None if total is None else Fraction(str(total)),
        size=stored["size"],  # type: ignore[arg-type]  # as movement_document wrote it
        rule=str(stored["rule"]),
        clauses=tuple(stored["clauses"]),  # type: ignore[arg-type]  # as movement_document wrote it
        places=stored["places"],  # type: ignore[arg-type]  # as movement_document wrote it
        needed=None if needed is None else Fraction(str(needed)),
        passed=tuple(
            PassedOver(kept.get(other, other), rank, MoveReason(reason))
            for other, rank, reason in stored["passed"]  # type: ignore[attr-defined]  # as movement_document wrote it
        ),
        gained=stored["gained"],  # type: ignore[arg-type]  # as movement_document wrote it
        points=stored["points"],  # type: ignore[arg-type]  # as movement_document wrote it
        terms=_gains(stored["terms"]),
    )


def _gains(stored: object) -> tuple[Gain, ...]:
    return tuple(Gain(*each) for each in stored)  # type: ignore[attr-defined]  # lists, as _gain wrote them
