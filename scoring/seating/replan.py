"""A running event's remaining rounds, planned again: players leave or arrive, tables are lost, and few people move.

Rounds already played stay as they are. A table that nothing touches keeps its players and their seats; a player who
arrives takes the seat of one who leaves; no more tables are dissolved than must be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.seating.balance import Pair, Round, Schedule, meetings_of, pairs_forced, price_of
from scoring.seating.figures import Figures, figures_of
from scoring.seating.rounds import REPEAT, Attendance, Past, Prices, plan_rounds
from scoring.seating.winds import even_out_starts


class Aim(StrEnum):
    """The first aim of a new plan."""

    FEW_MOVES = "few_moves"
    """Few people change tables: a repeated meeting is avoided if that moves five people at most."""
    BEST_PLAN = "best_plan"
    """Fewest repeated meetings and visits to one table, however many people move."""


PRICES: Mapping[Aim, Prices] = {
    Aim.FEW_MOVES: Prices(stay=2 * REPEAT // 5, visit=10),
    Aim.BEST_PLAN: Prices(stay=1, visit=10),
}


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """A player whose table in a round is another one than planned before."""

    player: int
    round: int
    """Number of the round in the schedule, from 0."""
    before: int | None
    """Table planned before; None for a player who arrives, or would have rested."""
    after: int | None
    """New table; None for a player who leaves, or rests."""


@dataclass(frozen=True, slots=True)
class Replan:
    """A schedule with new rounds to come; a table that is not used in a round is empty there."""

    schedule: Schedule
    rests: tuple[tuple[int, ...], ...]
    """By round to come: the players present who rest."""
    moves: tuple[MovedPlayer, ...]
    """By round and player."""
    before: Figures
    after: Figures
    forced: int
    """Lower bound of the meetings beyond each pair's first: those played, and those that counting forces."""

    @property
    def staying_moves(self) -> int:
        """Return the number of moves of players who had a table before and have one now."""
        return sum(move.before is not None and move.after is not None for move in self.moves)


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """Changes since the schedule was planned; players and tables by their numbers from 0."""

    leaving: Collection[int] = ()
    """Players who play no more."""
    arriving: Collection[int] = ()
    """Players who play from the next round on."""
    lost: Collection[int] = ()
    """Tables that cannot be used any more."""
    spare: Collection[int] = ()
    """Tables that are used only if the others are full."""
    closed: Sequence[Collection[int]] = ()
    """By round to come: the tables that cannot be used in that round; empty if there are none."""
    rested: Sequence[int] = ()
    """Rests that each player has had; if empty, the rounds played in which a player who does not arrive now had no
    table."""
    apart: Collection[tuple[Pair, int]] = ()
    """Pairs to be kept apart as far as possible, each with the price of a meeting in squares of meetings."""


def replan(
    schedule: Schedule,
    players: int,
    *,
    played: int,
    changes: Changes,
    aim: Aim = Aim.FEW_MOVES,
    size: int = 4,
    moves: int = 200_000,
    seed: int = 0,
) -> Replan:
    """Plan the rounds after the first `played` again; `players` is the number of all, those arriving included.

    Equal arguments give equal plans.
    """
    done, old = schedule[:played], schedule[played:]
    seen = {one for each in schedule for table in each for one in table}
    present = tuple(sorted((seen | set(changes.arriving)) - set(changes.leaving)))
    usual = [
        place for place in range(max(map(len, schedule), default=0)) if place not in (*changes.lost, *changes.spare)
    ]
    places = (*usual, *sorted(set(changes.spare) - set(changes.lost)))
    closed = changes.closed or ((),) * len(old)
    attendance = [Attendance(present, tuple(place for place in places if place not in each)) for each in closed]
    had = tuple(changes.rested) or _rests_had(done, players, set(present) - set(changes.arriving))
    past = Past(played=done, rested=had, earlier=old)
    # The plan with few moves is a candidate for the best one too: a search that moves all may end at a worse one.
    aims = (Aim.FEW_MOVES,) if aim is Aim.FEW_MOVES else (Aim.FEW_MOVES, Aim.BEST_PLAN)
    plans = (
        plan_rounds(
            attendance, players, size=size, past=past, apart=dict(changes.apart), prices=PRICES[each], moves=moves,
            seed=seed,
        )
        for each in aims
    )  # fmt: skip
    new = min((_seated(found, old, done) for found in plans), key=lambda new: _order((*done, *new), players, changes))
    whole = (*done, *new)
    return Replan(
        schedule=whole,
        rests=tuple(tuple(sorted(set(present).difference(*each))) for each in new),
        moves=tuple(_moves(old, new, played)),
        before=figures_of(schedule, players),
        after=figures_of(whole, players),
        forced=forced_excess(whole, players, played),
    )


def _order(schedule: Schedule, players: int, changes: Changes) -> tuple[int, ...]:
    """Return the counts by which plans are compared: squares and prices of meetings, then the other figures."""
    figures, prices = figures_of(schedule, players), price_of(meetings_of(schedule, players), dict(changes.apart))
    return figures.squares + prices, *figures.key


def _rests_had(done: Schedule, players: int, there: Collection[int]) -> tuple[int, ...]:
    """Return the number of rounds played in which each of the players `there` had no table."""
    return tuple(
        sum(all(one not in table for table in each) for each in done) if one in there else 0 for one in range(players)
    )


def _seated(found: Schedule, old: Schedule, done: Schedule) -> Schedule:
    """Return the tables with seats: as before where the players are the same, else even in starting winds."""
    fixed: set[tuple[int, int]] = set()
    rounds: list[Round] = []
    for number, (each, before) in enumerate(zip(found, old, strict=True)):
        companies = {frozenset(table): table for table in before}
        tables = []
        for place, table in enumerate(each):
            same = companies.get(frozenset(table))
            if same is not None:
                fixed.add((number, place))
            tables.append(same or _in_old_seats(table, before[place] if place < len(before) else ()))
        rounds.append(tuple(tables))
    return even_out_starts(tuple(rounds), done, fixed)


def _in_old_seats(table: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    """Return the players in the seats that they had at the table, the others in the free seats."""
    others = iter([one for one in table if one not in before])
    if len(before) != len(table):
        return tuple(table)
    return tuple(one if one in table else next(others) for one in before)


def _moves(old: Schedule, new: Schedule, first: int) -> list[MovedPlayer]:
    """Return every player whose table changes, by round and player."""
    found: list[MovedPlayer] = []
    for number, (before, after) in enumerate(zip(old, new, strict=True), start=first):
        was, now = _place_of(before), _place_of(after)
        found += [
            MovedPlayer(one, number, was.get(one), now.get(one))
            for one in sorted({*was, *now})
            if was.get(one) != now.get(one)
        ]
    return found


def _place_of(each: Round) -> dict[int, int]:
    return {one: place for place, table in enumerate(each) for one in table}


def forced_excess(schedule: Schedule, players: int, played: int) -> int:
    """Return a lower bound of the meetings beyond each pair's first, for any plan with these players in each round.

    - A player's meetings to come with people not met so far are at most as many as there are such people.
    - The players of a table who play in another round sit at no more tables than there are in it; a pair that meets
      m times is counted m(m - 1)/2 times so, at most (m - 1) x rounds/2.
    """
    met = meetings_of(schedule[:played], players)
    to_come: list[set[int]] = [set() for _ in range(players)]
    meetings = [0] * players
    for each in schedule[played:]:
        there = {one for table in each for one in table}
        for table in each:
            for one in table:
                meetings[one] += len(table) - 1
                to_come[one] |= there
    again = sum(
        max(0, meetings[one] - sum(not met[one][other] for other in to_come[one] - {one})) for one in range(players)
    )
    so_far = sum(max(0, count - 1) for row in met for count in row) // 2
    return max(so_far + -(-again // 2), -(-2 * pairs_forced(schedule) // max(len(schedule), 1)))
