"""Perfect designs for tables of four: every pair meets equally often, or never twice.

Most are cyclic: from one round every further one follows by adding 1 to each number, round a circle of all
players but one; that player stays in the middle and has the number of the circle's size. Every pair meets
equally often if the differences within the first round's tables cover all numbers equally often; the tests
count them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from scoring.seating.balance import Round, Schedule

FOUR = 4
ONCE: Mapping[int, tuple[tuple[int, ...], ...]] = {
    16: ((1, 2, 8, 4),),
    40: ((1, 5, 8, 25), (2, 3, 36, 11), (4, 6, 33, 22)),
}
"""By number of players: tables whose differences round the circle are all but its thirds, each once."""
THRICE: Mapping[int, tuple[tuple[int, ...], ...]] = {
    8: ((0, 1, 2, 4), (3, 5, 6, 7)),
    12: ((0, 1, 2, 5), (3, 6, 7, 9), (4, 8, 10, 11)),
    20: ((0, 1, 2, 4), (3, 9, 11, 17), (5, 8, 14, 15), (6, 10, 13, 18), (7, 12, 16, 19)),
}
"""By number of players: a first round whose differences round the circle are all numbers, each three times."""
FIELD_OF_8 = 0b1011
"""x³ + x + 1, by which products of the field of eight elements are reduced."""


def once(players: int) -> Schedule:
    """Return a design in which every pair meets exactly once, in (players - 1) / 3 rounds; empty if none is known here.

    The middle player sits with the thirds of the circle; each other table comes three times, a third further on.
    """
    if players not in ONCE:
        return ()
    circle = players - 1
    third = circle // 3
    first: list[tuple[int, ...]] = [(circle, 0, third, 2 * third)]
    first += [tuple((point + step * third) % circle for point in base) for base in ONCE[players] for step in range(3)]
    return _turned(first, circle, third)


def thrice(players: int) -> Schedule:
    """Return a design in which every pair meets three times, in players - 1 rounds; empty if none is known here."""
    return _turned(THRICE[players], players - 1, players - 1) if players in THRICE else ()


def differences(points: Sequence[int], circle: int) -> list[int]:
    """Return all differences of two of the points, both ways round the circle."""
    return [gap for one, other in combinations(points, 2) for gap in ((one - other) % circle, (other - one) % circle)]


def _turned(first: Sequence[Sequence[int]], circle: int, rounds: int) -> Schedule:
    """Return the first round and those produced by turning the circle; the middle player stays."""

    def turn(table: Sequence[int], step: int) -> tuple[int, ...]:
        return tuple(point if point == circle else (point + step) % circle for point in table)

    return tuple(tuple(turn(table, step) for table in first) for step in range(rounds))


def never_twice(players: int) -> Schedule:
    """Return a design in which no pair meets twice, in as many rounds as tables; empty if none is built here.

    Players stand in four columns. In round m, table b takes from column c the player m·c + b, in the arithmetic
    of a field with as many elements as tables: two players of different columns meet in exactly one round, two of
    the same column in none.
    """
    tables = players // FOUR
    if players % FOUR or tables not in FIELDS:
        return ()
    return tuple(_sloped(slope, tables) for slope in range(tables))


FIELDS = (5, 7, 8, 11, 13, 17, 19, 23)
"""Numbers of tables for which this is built: primes, and eight."""


def _sloped(slope: int, tables: int) -> Round:
    def player(column: int, table: int) -> int:
        return column * tables + _plus(_times(slope, column, tables), table, tables)

    return tuple(tuple(player(column, table) for column in range(FOUR)) for table in range(tables))


def _plus(one: int, other: int, size: int) -> int:
    return one ^ other if size == FIELD_SIZE else (one + other) % size


FIELD_SIZE = 8


def _times(one: int, other: int, size: int) -> int:
    """Return a product in the field; for size 8 a product of polynomials over two elements."""
    if size != FIELD_SIZE:
        return one * other % size
    product_ = 0
    for bit in range(3):
        if other >> bit & 1:
            product_ ^= one << bit
    # The product has degree 4 at most; each high bit is cancelled by a multiple of x³ + x + 1.
    for bit in (4, 3):
        if product_ >> bit & 1:
            product_ ^= FIELD_OF_8 << (bit - 3)
    return product_
