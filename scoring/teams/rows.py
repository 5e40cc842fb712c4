"""Rows of teams and of members from the same seats: points count for both.

The one idea: a seat in a hanchan belongs to a team and to the member who sat there. Summed by team it gives the rows
that a block ranks, summed by member the rows of a second table. A penalty that names a member is in both, one without
a member is the team's alone, and points carried into a stage are the team's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from scoring.tiebreak import Entrant, Played, Row

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class MemberSeat:
    """A seat of one hanchan: the team, the member who sat for it, and the result."""

    team: Entrant
    player: Entrant
    played: Played


@dataclass(frozen=True, slots=True)
class MemberPoints:
    """Points outside a hanchan, at the ranking ledger's scale; without a player they are the team's alone."""

    team: Entrant
    points: int
    player: Entrant | None = None


def team_rows(
    seats: Iterable[MemberSeat],
    adjustments: Iterable[MemberPoints] = (),
    carried: Mapping[Any, int] | None = None,
) -> tuple[Row, ...]:
    """Return a row for each team, in order of appearance; `carried` names every team that starts with points.

    Seats are given in order of play, and a row numbers its hanchan from 1 in that order.
    """
    starts = carried or {}
    rows = _rows(seats, adjustments, lambda each: each.team, starts)
    return tuple(replace(row, carried=starts.get(team, 0)) for team, row in rows.items())


def member_rows(
    seats: Iterable[MemberSeat], adjustments: Iterable[MemberPoints] = ()
) -> Mapping[tuple[Entrant, Entrant], Row]:
    """Return a row for each team and member who sat for it; one who changed teams has a row in each."""
    return _rows(seats, _personal(adjustments), lambda each: (each.team, each.player))


def person_rows(seats: Iterable[MemberSeat], adjustments: Iterable[MemberPoints] = ()) -> tuple[Row, ...]:
    """Return one row for each person, over all teams that the person sat for."""
    return tuple(_rows(seats, _personal(adjustments), lambda each: each.player).values())


def _personal(adjustments: Iterable[MemberPoints]) -> Iterable[MemberPoints]:
    return (each for each in adjustments if each.player is not None)


def _rows(
    seats: Iterable[MemberSeat],
    adjustments: Iterable[MemberPoints],
    key: Callable[[MemberSeat | MemberPoints], K],
    start: Iterable[K] = (),
) -> dict[K, Row]:
    """Return the sums by key; the entrant of a row is the key."""
    played: dict[K, list[Played]] = {each: [] for each in start}
    points: dict[K, int] = {}
    for seat in seats:
        own = played.setdefault(key(seat), [])
        own.append(replace(seat.played, number=len(own) + 1))
    for adjustment in adjustments:
        found = key(adjustment)
        played.setdefault(found, [])
        points[found] = points.get(found, 0) + adjustment.points
    return {each: Row(each, tuple(own), adjustment=points.get(each, 0)) for each, own in played.items()}
