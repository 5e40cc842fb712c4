"""Companies of a schedule as arrays, and two searches that exchange players within rounds.

One makes meetings even (tabu search), the other links the pairs that never meet by third players while meetings stay
as even as they are. Both compare whole rounds of exchanges at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.seating.balance import Schedule, meetings_of, pairs_again, squares_at_least

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.float32]
"""Whole numbers below 2^24, held exactly; matrix products are much faster than those of integers."""

ROWS = 96
"""Most players of a round whose exchanges with all others are compared at once."""
NOT_ALLOWED = 1 << 40
SHORTEST, LONGEST = 5, 25
"""Number of exchanges during which an exchange may not be undone."""
SAMPLE = 12
"""Players of a round whose exchanges are looked at for links."""
TRIED = 24
"""Exchanges of a round that are tried before another round is taken."""

Kept = tuple[list[Ints], Ints, int]


@dataclass(slots=True)
class Companies:
    """The tables of each round, and the price of one meeting more of each pair; `cost` is what a search lowers."""

    rounds: list[Ints]
    """By round: the players, of shape (tables, size)."""
    price: Ints
    """Price of each meeting of a pair, beside its square; of shape (players, players)."""
    weight: Ints
    """Twice the meetings of each pair, those of rounds already played included, and their price."""
    cost: int
    """Sum of the squares and the prices of all pairs' meetings."""
    least: int
    """A cost below which no schedule with as many tables in each round can be."""

    @classmethod
    def of(cls, schedule: Schedule, price: Ints, played: Schedule = (), least: int = 0) -> Companies:
        """Return the companies of a schedule that follows the rounds already played.

        `least` is a cost that cannot be undercut, if one is known that is higher than that of even meetings.
        """
        players, whole = len(price), (*played, *schedule)
        met = np.array(meetings_of(whole, players), dtype=np.int64)
        even = squares_at_least(whole, players, pairs_again(whole, players))
        rounds = [np.array(each, dtype=np.int64) for each in schedule]
        return cls(rounds, price, 2 * met + price, int((met * (met + price)).sum()) // 2, max(least, even))

    @property
    def schedule(self) -> Schedule:
        """Return the companies as a schedule."""
        return tuple(tuple(map(tuple, each.tolist())) for each in self.rounds)

    def keep(self) -> Kept:
        """Return the present state, for `restore`."""
        return [each.copy() for each in self.rounds], self.weight.copy(), self.cost

    def restore(self, kept: Kept) -> None:
        """Go back to a state that `keep` has returned."""
        self.rounds, self.weight, self.cost = kept

    def changes(self, tables: Ints, places: Ints) -> Ints:
        """Return the change of the cost by the exchange of each of these places with each place of the round.

        Places are numbered table by table; the result has the shape (places, all places). Exchanges within a table are
        not allowed.
        """
        size, players = tables.shape[1], tables.ravel()
        table_of = np.arange(len(players)) // size
        among = self.weight[players[:, None], players]
        # What each player of the round would pay at each place, instead of the one who sits there.
        paid = among.reshape(-1, size, len(players)).sum(axis=1)[table_of]
        own = paid.diagonal()
        there, here = paid.T[places], paid[places]
        # Weights hold the 2m of (m + 1)² - m² and (m - 1)² - m²; the ones add up to 4(size - 1). `there` and `here`
        # count the pair of the two, which does not begin to meet.
        found: Ints = there + here - own[places, None] - own - 2 * among[places] + 4 * (size - 1)
        found[table_of[places, None] == table_of] = NOT_ALLOWED
        return found

    def exchange(self, tables: Ints, one: int, other: int, change: int) -> None:
        """Exchange the players at two places of different tables of a round; the cost changes by that much."""
        size, players = tables.shape[1], tables.ravel()
        leaves, comes = players[one], players[other]
        met = np.zeros(len(self.weight), dtype=np.int64)
        met[tables[one // size]], met[tables[other // size]] = -2, 2
        met[leaves] = met[comes] = 0
        for player, times in ((leaves, met), (comes, -met)):
            self.weight[player] += times
            self.weight[:, player] += times
        players[one], players[other] = players[other], players[one]
        self.cost += change


def prices_of(apart: Mapping[tuple[int, int], int], players: int) -> Ints:
    """Return the price of a meeting by player and player."""
    prices = np.zeros((players, players), dtype=np.int64)
    for (one, other), price in apart.items():
        prices[one, other] = prices[other, one] = price
    return prices


def spread(companies: Companies, exchanges: int, draws: Iterator[int]) -> None:
    """Make meetings as even as can be found; the best state is kept.

    Players who meet too often are exchanged where that is best, or does least harm. An exchange is not undone for a
    while, unless that gives the best state so far.
    """
    number = len(companies.weight)
    usual = int(companies.weight.sum() - companies.price.sum()) // 2 // max(number * (number - 1), 1)
    blocked = [np.zeros_like(companies.weight) for _ in companies.rounds]
    best = companies.keep()
    for turn in range(exchanges):
        if companies.cost <= companies.least:
            break
        round_ = next(draws) % len(companies.rounds)
        tables = companies.rounds[round_]
        places = _crowded(companies, tables, max(usual, 1))[:ROWS]
        if not len(places) or len(tables) == 1:
            continue
        players = tables.ravel()
        changes = companies.changes(tables, places)
        is_blocked = blocked[round_][players[places, None], players] > turn
        changes[is_blocked & (companies.cost + changes >= best[2])] = NOT_ALLOWED
        if (change := int(changes.min())) == NOT_ALLOWED:
            continue
        row, there = divmod(_one_of(np.flatnonzero(changes == change), draws), len(players))
        here = int(places[row])
        one, other = players[here], players[there]
        blocked[round_][one, other] = blocked[round_][other, one] = turn + SHORTEST + next(draws) % LONGEST
        companies.exchange(tables, here, there, change)
        if companies.cost < best[2]:
            best = companies.keep()
    companies.restore(best)


def _crowded(companies: Companies, tables: Ints, usual: int) -> Ints:
    """Return the places of players who meet another of their table more often than usual, or at a price."""
    is_crowded = companies.weight[tables[:, :, None], tables[:, None, :]] > 2 * usual
    return np.flatnonzero(is_crowded.any(axis=2))


def link(companies: Companies, exchanges: int, draws: Iterator[int]) -> None:
    """Link pairs that never meet by more third players, while the cost does not rise; the best state is kept.

    An exchange that makes links worse is accepted below a limit that falls to zero.
    """
    links = _Links.of(companies)
    best, kept = links.cost, companies.keep()
    tried = 0
    while tried < exchanges:
        tables = companies.rounds[next(draws) % len(companies.rounds)]
        places = np.array(sorted({next(draws) % tables.size for _ in range(SAMPLE)}), dtype=np.int64)
        changes = companies.changes(tables, places)
        even = np.flatnonzero(changes <= 0)
        # Finding no exchange counts as a try: there may be none in any round.
        tried += 1
        for _ in range(min(len(even), TRIED)):
            limit = max(links.limit * (exchanges - tried) // exchanges, 0)
            row, there = divmod(_one_of(even, draws), tables.size)
            change = int(changes[row, there])
            tried += 1
            if links.try_exchange(companies, tables, (int(places[row]), there), change, limit):
                break
        if (companies.cost, links.cost) < (kept[2], best):
            best, kept = links.cost, companies.keep()
    companies.restore(kept)


@dataclass(slots=True)
class _Links:
    """Cost of the pairs that never meet: the fewer third players have met both, the higher."""

    near: Counts
    """1 for each pair that meets, else 0."""
    price: Ints
    """Price of a pair that never meets, by its number of third players."""
    matrix: Ints
    """Price of each pair, of shape (players, players)."""
    playing: Flags
    """The players who play at all."""
    cost: int
    limit: int

    @classmethod
    def of(cls, companies: Companies) -> _Links:
        near = (companies.weight > companies.price).astype(np.float32)
        playing = np.asarray(near.any(axis=1), dtype=np.bool_)
        links = (near @ near).astype(np.int64)
        apart = np.outer(playing, playing).astype(np.bool_)
        apart[near > 0] = False
        np.fill_diagonal(apart, val=False)
        aim = int(links[apart].mean()) + 1 if apart.any() else 0
        price = np.maximum(aim - np.arange(len(near) + 1), 0) ** 4
        found = cls(near, price, np.zeros_like(links), playing, 0, 0)
        found.matrix = found.prices(np.arange(len(near)))
        found.cost = int(found.matrix.sum()) // 2
        found.limit = int(price[max(aim - 2, 0)])
        return found

    def prices(self, rows: Ints) -> Ints:
        """Return the prices of the pairs of these players with every other."""
        found: Ints = self.price[(self.near[rows] @ self.near).astype(np.int64)]
        found[(self.near[rows] > 0) | ~self.playing | ~self.playing[rows, None]] = 0
        found[np.arange(len(rows)), rows] = 0
        return found

    def try_exchange(
        self, companies: Companies, tables: Ints, places: tuple[int, int], change: int, limit: int
    ) -> bool:
        """Exchange the players at two places, if that makes links worse by no more than the limit."""
        one, other = places
        size = tables.shape[1]
        # Only pairs with a player of the two tables can be linked otherwise afterwards.
        touched = np.concatenate((tables[one // size], tables[other // size]))
        companies.exchange(tables, one, other, change)
        among = touched[:, None], touched
        before = self.near[among]
        self.near[among] = companies.weight[among] > companies.price[among]
        after = self.prices(touched)
        now = self.matrix[touched]
        # Pairs within the two tables stand in two rows.
        worse = int(after.sum() - now.sum()) - int(after[:, touched].sum() - now[:, touched].sum()) // 2
        if worse > limit:
            self.near[among] = before
            companies.exchange(tables, one, other, -change)
            return False
        self.matrix[touched] = after
        self.matrix[:, touched] = after.T
        self.cost += worse
        return True


def _one_of(numbers: Ints, draws: Iterator[int]) -> int:
    return int(numbers[next(draws) % len(numbers)])
