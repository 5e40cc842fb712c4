"""Line-ups: the faults of those named for a hanchan, and how often each member has played and may still play.

A limit on appearances is data (`scoring.format.team.Limit`). Exceeding it is an error; a line-up after which a member
can no longer reach the least is a warning, given while another line-up would still avoid it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from scoring.format import Format
from scoring.tiebreak import Entrant

T = TypeVar("T", bound=Entrant)
P = TypeVar("P", bound=Entrant)


class LineUpCode(StrEnum):
    """Reason why a line-up is not accepted, or only with a warning."""

    NOT_A_MEMBER = "not_a_member"
    """The person named is not a member of the team on that day."""
    TWICE_AT_TABLE = "twice_at_table"
    """One person is named for two teams at the table."""
    TEAMS_AT_TABLE = "teams_at_table"
    """Fewer or more teams than a table has seats."""
    TOO_MANY = "too_many"
    """The member has played as often as the limit allows."""
    CANNOT_REACH_LEAST = "cannot_reach_least"
    """A member of the team who does not sit here can then no longer reach the least; a warning."""

    @property
    def is_warning(self) -> bool:
        """Return True if the organizers may accept it."""
        return self is LineUpCode.CANNOT_REACH_LEAST


@dataclass(frozen=True, slots=True)
class Appearance:
    """Bounds on the hanchan that each member of a team plays in a stage; None for none."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class LineUpFault:
    """A fault of a line-up with its arithmetic."""

    code: LineUpCode
    team: Entrant | None
    """None if the fault is the table's."""
    player: Entrant | None
    numbers: Mapping[str, int] = field(default_factory=dict)
    """`teams` and `seats` at the table; `played` and `most`; `played`, `left`, `reach` and `least`."""

    def __str__(self) -> str:
        """Return the code and its subject, as worked examples write them."""
        return f"{self.code}:{self.numbers['teams'] if self.player is None else self.player}"


@dataclass(frozen=True, slots=True)
class Appearances:
    """Hanchan of one member: played, the limits, and the numbers that are still possible in the end."""

    player: Entrant
    played: int
    fewest: int
    """The smallest number that keeps the limits: the others play as often as they may."""
    highest: int
    """The largest number that keeps the limits: each other member still reaches the least."""
    lacking: int
    """Hanchan to the least."""


@dataclass(frozen=True, slots=True)
class TeamAppearances:
    """Hanchan of a team's members in a stage."""

    members: tuple[Appearances, ...]
    left: int
    """Hanchan of the team still to come."""

    @property
    def lacking(self) -> int:
        """Return the number of hanchan that the members need together to reach the least."""
        return sum(each.lacking for each in self.members)

    @property
    def is_short(self) -> bool:
        """Return True if not all members can reach the least any more."""
        return self.lacking > self.left


def limit_in(format_: Format, stage: str) -> Appearance:
    """Return the limits that a format sets for a stage, the strictest where it sets several."""
    own = [limit for limit in format_.limits if limit.stage == stage]
    return Appearance(
        max((limit.least for limit in own if limit.least is not None), default=None),
        min((limit.most for limit in own if limit.most is not None), default=None),
    )


def line_up_faults(
    named: Mapping[T, P],
    members: Mapping[T, Collection[P]],
    limit: Appearance,
    played: Mapping[P, int],
    left: Mapping[T, int],
    seats: int = 4,
) -> tuple[LineUpFault, ...]:
    """Return the faults of those named for one hanchan, by team.

    `members` of each team on that day; `played` is the number of hanchan of each person for the team in the stage,
    without this one; `left` is the number of hanchan of each team still to come, this one included.
    """
    found: list[LineUpFault] = []
    if len(named) != seats:
        found.append(LineUpFault(LineUpCode.TEAMS_AT_TABLE, None, None, {"teams": len(named), "seats": seats}))
    often = Counter(named.values())
    for team, player in named.items():
        if player not in members.get(team, ()):
            found.append(LineUpFault(LineUpCode.NOT_A_MEMBER, team, player))
        if often[player] > 1:
            found.append(LineUpFault(LineUpCode.TWICE_AT_TABLE, team, player))
        count = played.get(player, 0)
        if limit.most is not None and count >= limit.most:
            found.append(LineUpFault(LineUpCode.TOO_MANY, team, player, {"played": count, "most": limit.most}))
        found += _short(team, player, members.get(team, ()), limit.least or 0, played, left.get(team))
    return tuple(found)


def _short(
    team: Entrant,
    sits: P,
    members: Collection[P],
    least: int,
    played: Mapping[P, int],
    left: int | None,
) -> Iterator[LineUpFault]:
    """Yield the members whom this line-up keeps from the least; those who cannot reach it anyway are left out."""
    if left is None:
        return
    for player in members:
        count = played.get(player, 0)
        if player != sits and count + left - 1 < least <= count + left:
            numbers = {"played": count, "left": left, "reach": count + left - 1, "least": least}
            yield LineUpFault(LineUpCode.CANNOT_REACH_LEAST, team, player, numbers)


def appearances(members: Collection[P], limit: Appearance, played: Mapping[P, int], left: int) -> TeamAppearances:
    """Return how often each member has played for the team in a stage, and may have played in the end."""
    counts = {player: played.get(player, 0) for player in members}
    lacking = {player: max((limit.least or 0) - count, 0) for player, count in counts.items()}
    room = {player: left if limit.most is None else max(limit.most - count, 0) for player, count in counts.items()}
    need, space = sum(lacking.values()), sum(room.values())
    return TeamAppearances(
        tuple(
            Appearances(
                player,
                count,
                fewest=count + max(left - (space - room[player]), lacking[player]),
                highest=count + min(max(left - (need - lacking[player]), 0), room[player]),
                lacking=lacking[player],
            )
            for player, count in counts.items()
        ),
        left,
    )
