"""Ties of a block in many seasons at once: only the rows that are level are compared, hanchan by hanchan.

In a large field most seasons have a tie somewhere, but few rows are in one, and the latest hanchan parts most of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.odds.arrays import Ints, inverse, orders
from scoring.odds.chance import Shuffle
from scoring.odds.course import BlockCourse
from scoring.odds.rounds import Group
from scoring.standings import Withdrawal
from scoring.tiebreak import Criterion, Entrant, Row

MOST_NUMBER = 50
"""The largest hanchan number whose bit a float keeps exactly, with those below it."""


@dataclass
class Level:
    """Rows that are level with their neighbours, as parallel arrays in the order of seasons and places.

    `sorted_rows` has the rows of all ties; `open_` are its indices still to be parted, and the other arrays belong to
    these.
    """

    sorted_rows: Ints
    open_: Ints
    seasons: Ints
    group: Ints
    """Number of the tie, ascending."""
    compared: Ints
    """Bits of the hanchan that the tie has compared."""
    number: Ints
    """Number of the hanchan that is compared now."""

    @property
    def rows(self) -> Ints:
        """Return the rows still to be parted."""
        return self.sorted_rows[self.open_]

    def part(self, weakness: Ints) -> None:
        """Sort the rows of each tie, the smallest value first; rows with a value of their own are settled."""
        found = np.lexsort((weakness, self.group))
        self.sorted_rows[self.open_] = self.rows[found]
        values = weakness[found]
        differs = (self.group[1:] != self.group[:-1]) | (values[1:] != values[:-1])
        begins, ends = np.append(True, differs), np.append(differs, True)
        stays = ~(begins & ends)
        self.group = np.cumsum(begins)[stays]
        # The rest is equal within a tie, so that sorting inside it has not moved it.
        self.open_, self.seasons = self.open_[stays], self.seasons[stays]
        self.compared, self.number = self.compared[stays], self.number[stays]

    def common(self, bits: Ints) -> Ints:
        """Return for each row the bits that all rows of its tie share."""
        begins = np.flatnonzero(np.append(True, self.group[1:] != self.group[:-1]))
        shared = np.bitwise_and.reduceat(bits[self.rows], begins)
        found: Ints = np.repeat(shared, np.diff(np.append(begins, self.group.size)))
        return found


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A shuffled group: the place of each row in it before the shuffle, and the games of its places."""

    shuffle: Shuffle
    local: Ints
    column: Ints
    """By place and hanchan number: the column of the draw, -1 without a game."""
    seat: Ints


class BlockResults:
    """The results of a block's rows by hanchan number, for any rows and seasons."""

    def __init__(
        self, block: BlockCourse, draws: Ints, results: Mapping[Criterion, Ints], criteria: Collection[Criterion]
    ) -> None:
        self.draws, self.results = draws, results
        last = max((number for own in all_numbers(block) for number in own), default=0)
        shape = (last + 1, block.size)
        self.known = {by: np.zeros(shape, dtype=np.int64) for by in criteria}
        self.column = np.full(shape, -1, dtype=np.int64)
        self.seat = np.zeros(shape, dtype=np.int64)
        self.shuffled_in = np.full(shape, -1, dtype=np.int64)
        self.shuffled: list[Shuffled] = []
        for row, known in enumerate(block.rows):
            for played in known.played:
                for by in criteria:
                    self.known[by][played.number, row] = getattr(played, by)
        for group in block.groups:
            self._add(group, shape)

    def _add(self, group: Group, shape: tuple[int, int]) -> None:
        rows = np.array(group.rows)
        column, seat = np.full((len(rows), shape[0]), -1), np.zeros((len(rows), shape[0]), dtype=np.int64)
        for game in group.games:
            for at, (place, number) in enumerate(game.seats):
                column[place, number], seat[place, number] = game.column, at
        places, numbers = np.nonzero(column >= 0)
        if group.shuffle is None:
            self.column[numbers, rows[places]] = column[places, numbers]
            self.seat[numbers, rows[places]] = seat[places, numbers]
            return
        self.shuffled_in[np.unique(numbers)[:, np.newaxis], rows] = len(self.shuffled)
        local = np.zeros(shape[1], dtype=np.int64)
        local[rows] = np.arange(len(rows))
        self.shuffled.append(Shuffled(group.shuffle, local, column, seat))

    def values(self, by: Criterion, number: Ints, rows: Ints, seasons: Ints) -> Ints:
        """Return the values of one criterion in these hanchan, rows and seasons; 0 where a row has not played."""
        column, seat = self.column[number, rows], self.seat[number, rows]
        group = self.shuffled_in[number, rows]
        for which, shuffled in enumerate(self.shuffled):
            at = np.flatnonzero(group == which)
            if at.size:
                there, season = np.unique(seasons[at], return_inverse=True)
                place = inverse(orders(shuffled.shuffle, self.draws, there))[shuffled.local[rows[at]], season]
                column[at], seat[at] = shuffled.column[place, number[at]], shuffled.seat[place, number[at]]
        found: Ints = self.known[by][number, rows]
        is_drawn = np.flatnonzero(column >= 0)
        draw = self.draws[column[is_drawn], seasons[is_drawn]]
        found[is_drawn] = self.results[by][seat[is_drawn], draw]
        return found


def all_numbers(block: BlockCourse) -> list[set[int]]:
    """Return the hanchan that each row has or may have played in the end."""
    found = [set(row.numbers()) for row in block.rows] or [set() for _ in range(block.size)]
    for group in block.groups:
        own = group.numbers()
        whole = frozenset().union(*own)
        for row, numbers in zip(group.rows, own, strict=True):
            found[row] |= whole if group.shuffle else numbers
    return found


def certain_numbers(block: BlockCourse) -> list[set[int]] | None:
    """Return the hanchan that each row will have played in the end; None if that depends on a shuffle."""
    is_open = any(group.shuffle is not None and len(set(group.numbers())) > 1 for group in block.groups)
    return None if is_open else all_numbers(block)


def common_numbers(block: BlockCourse, leaving: Collection[Entrant]) -> set[int] | None:
    """Return the hanchan that every row will have played in the end; None if the rows differ.

    Rows of entrants who left stand behind the others whatever they played, unless the order among them matters.
    """
    numbers = certain_numbers(block)
    if numbers is None:
        return None
    gone = [row.total for row in block.rows if row.entrant in leaving]
    if gone and len(set(gone)) == len(gone):
        numbers = [own for own, row in zip(numbers, block.rows, strict=True) if row.entrant not in leaving]
    return numbers[0] if numbers and all(own == numbers[0] for own in numbers) else None


def played_bits(block: BlockCourse) -> Ints | None:
    """Return the hanchan that each row will have played, as bits; None if that needs more bits or a shuffle."""
    numbers = certain_numbers(block)
    if numbers is None or any(number > MOST_NUMBER for own in numbers for number in own):
        return None
    return np.array([sum(1 << number for number in own) for own in numbers], dtype=np.int64)


def ways_of(rows: Sequence[Row], size: int, leaving: Mapping[Entrant, Withdrawal]) -> Ints:
    """Return a number for each row, equal for rows that are ranked among each other."""
    ways = list(Withdrawal)
    kept = ways.index(Withdrawal.KEPT)
    return np.array([ways.index(leaving.get(row.entrant, Withdrawal.KEPT)) for row in rows] or [kept] * size)


def ranked_rows(
    totals: Ints, ways: Ints, bits: Ints, steps: Sequence[Criterion], results: BlockResults, coin: Shuffle
) -> Ints:
    """Return the row at each place, more points first; level rows by their latest common hanchan, then by the coin.

    Only rows of the same way are level with each other.
    """
    keys = ways[:, np.newaxis] - totals * (int(ways.max()) + 1)
    order: Ints = np.argsort(keys, axis=0, kind="stable")
    in_order = np.take_along_axis(keys, order, axis=0)
    same = in_order[1:] == in_order[:-1]
    nothing = np.zeros((1, totals.shape[1]), dtype=bool)
    above, below = np.concatenate([nothing, same]), np.concatenate([same, nothing])
    seasons, places = np.nonzero((above | below).T)
    if not seasons.size:
        return order
    level = Level(
        sorted_rows=order[places, seasons],
        open_=np.arange(seasons.size),
        seasons=seasons,
        group=np.cumsum(~above[places, seasons]),
        compared=np.zeros(seasons.size, dtype=np.int64),
        number=np.zeros(seasons.size, dtype=np.int64),
    )
    for weakness in _comparisons(level, bits, steps, results, coin):
        level.part(weakness)
    order[places, seasons] = level.sorted_rows
    return order


def _comparisons(
    level: Level, bits: Ints, steps: Sequence[Criterion], results: BlockResults, coin: Shuffle
) -> Iterator[Ints]:
    """Yield the values by which the rows still level are parted next, until none are."""
    while level.open_.size:
        left = level.common(bits) & ~level.compared if steps else np.zeros_like(level.compared)
        if not left.all():
            there, season = np.unique(level.seasons, return_inverse=True)
            tossed = inverse(orders(coin, results.draws, there))[level.rows, season]
            yield np.where(left == 0, tossed, 0)
            continue
        # The exponent of a float is the position of the highest bit.
        level.number = np.frexp(left.astype(np.float64))[1].astype(np.int64) - 1
        level.compared = level.compared | (1 << level.number)
        for by in steps:
            if level.open_.size:
                values = results.values(by, level.number, level.rows, level.seasons)
                yield values if by is Criterion.PLACE else -values
