"""Blocks in which some entrants rest while the others play, and the n-th hanchan of each entrant there.

The one idea: a hanchan of such a block has the block's running number, and an entrant's own n-th follows from the
order of the entrant's hanchan, scheduled ones included. A missing result leaves a gap, so that tie-breaks compare
the n-th hanchan of one entrant with the n-th of another whatever has been entered first.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from scoring.format import Format, Seating
from scoring.format.rounds import SeatedBy
from scoring.tiebreak import Entrant, Played

E = TypeVar("E", bound=Entrant)


def has_rests(format_: Format, block: str, players: int) -> bool:
    """Return whether entrants of a block rest in some rounds, since they do not fill tables of `players`.

    Where fixtures are set one by one they always may. An open block, which has no slots, counts its hanchan by the
    numbers given to them. So does one in which a policy fills the tables or byes count for those who sit out, and one
    whose rounds are paired: there all entrants are in the same round.
    """
    stage = format_.stage_of[block]
    if stage.seating is Seating.FIXTURES:
        return not format_.blocks[block].is_open
    counts_rounds = format_.policies.odd is not None or any(each.by is not SeatedBy.PLAN for each in stage.rounds)
    return not counts_rounds and len(format_.sources(block)) % players != 0


def last_number(format_: Format, block: str, players: int) -> int | None:
    """Return the highest number that a hanchan of a block may have; None if there is none.

    Where some rest, rounds are numbered through: there are more of them than any entrant's own hanchan.
    """
    return None if has_rests(format_, block, players) else format_.stage_of[block].hanchan


@dataclass(frozen=True, slots=True)
class Rounds:
    """The order of play in a block with rests."""

    place: Mapping[Any, tuple[int, int]] = field(default_factory=dict)
    """By hanchan played or scheduled: its running number, and its id, which orders equal numbers."""
    awaited: Mapping[Any, Collection[Any]] = field(default_factory=dict)
    """By hanchan that is scheduled and has no result: its entrants."""

    def with_result(self, hanchan: Hashable, place: tuple[int, int]) -> Rounds:
        """Return the rounds with this hanchan played."""
        awaited = {each: entrants for each, entrants in self.awaited.items() if each != hanchan}
        return Rounds({**self.place, hanchan: place}, awaited)

    def own_number(
        self, entrant: Entrant, played: Iterable[Hashable], hanchan: Hashable, place: tuple[int, int]
    ) -> int:
        """Return an entrant's own number of a hanchan at this place in the order of play."""
        others = {*played, *self._waiting(entrant)} - {hanchan}
        return 1 + sum(self.place[each] < place for each in others)

    def own_numbers(self, entrant: Entrant, played: Iterable[Hashable]) -> Mapping[Hashable, int]:
        """Return an entrant's n-th hanchan as a number from 1 by hanchan, those awaited included."""
        order = sorted({*played, *self._waiting(entrant)}, key=self.place.__getitem__)
        return {hanchan: number for number, hanchan in enumerate(order, start=1)}

    def _waiting(self, entrant: Entrant) -> Iterable[Hashable]:
        return (hanchan for hanchan, entrants in self.awaited.items() if entrant in entrants)

    def numbered(self, played: Mapping[E, Sequence[Played]]) -> dict[E, tuple[Played, ...]]:
        """Return the same hanchan with each entrant's own numbers, in their order."""
        found: dict[E, tuple[Played, ...]] = {}
        for entrant, games in played.items():
            own = self.own_numbers(entrant, (game.ref for game in games))
            counted = (replace(game, number=own[game.ref]) for game in games)
            found[entrant] = tuple(sorted(counted, key=lambda game: game.number))
        return found
