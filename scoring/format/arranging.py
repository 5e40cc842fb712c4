"""Arrange ranked entrants at tables: the arrangements that a format names.

The one idea: an arrangement is a permutation that depends on numbers alone, so it can be applied to sources before
a player has played, and all players know in advance which ranks will meet.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")
Seats = tuple[tuple[int, ...], ...]
"""For each table the positions of its entrants, counted from 0."""


class Arrangement(StrEnum):
    """Way of spreading entrants over tables. The value names the function that does it."""

    SNAKE = "snake"
    """Down the tables and up again: of T tables the first takes ranks 1, 2T, 2T+1 and 4T."""
    STRAIGHT = "straight"
    """By rank: 1 to 4 at the first table, 5 to 8 at the second."""
    CROSSED = "crossed"
    """Two neighbouring ranks of each table go on, and those who have just met are apart."""
    LISTED = "listed"
    """As the sources are listed, table by table."""


def snake(tables: int, size: int) -> Seats:
    """Deal positions down the tables and up again."""
    rows = [range(row * tables, (row + 1) * tables) for row in range(size)]
    return tuple(
        tuple(row[table] if number % 2 == 0 else row[-1 - table] for number, row in enumerate(rows))
        for table in range(tables)
    )


def straight(tables: int, size: int) -> Seats:
    """Fill one table after another."""
    return tuple(tuple(range(table * size, (table + 1) * size)) for table in range(tables))


def crossed(tables: int, size: int) -> Seats:
    """Seat two ranks of each table before, listed table by table; twice as many tables as there will be.

    The tables before are dealt by `snake` into groups of four a, b, c, d; of each group the new tables are
    (a1 c1 b2 d2) and (b1 d1 a2 c2). Two tables a, b make the one table (a1 a2 b1 b2).
    """
    before = 2 * tables
    if size != CROSSED_SIZE or (before != GOING_ON and before % GROUP):
        raise ValueError(f"{tables} tables of {size} cannot be crossed")
    if before == GOING_ON:
        return (tuple(range(size)),)
    return tuple(seats for group in snake(before // GROUP, GROUP) for seats in _two_tables(*group))


CROSSED_SIZE = 4
"""Entrants at a crossed table."""
GOING_ON = 2
"""Entrants of a table who go on to a crossed one."""
GROUP = 4
"""Tables whose first two are crossed with one another."""


def _two_tables(a: int, b: int, c: int, d: int) -> Seats:
    """Return the two tables of a group of four tables; the first and second of table t have positions 2t and 2t+1."""
    return (2 * a, 2 * c, 2 * b + 1, 2 * d + 1), (2 * b, 2 * d, 2 * a + 1, 2 * c + 1)


def listed(tables: int, size: int) -> Seats:
    """Take the entrants table by table, as they are listed."""
    return straight(tables, size)


_ARRANGED: Mapping[Arrangement, Callable[[int, int], Seats]] = {
    Arrangement(function.__name__): function for function in (snake, straight, crossed, listed)
}


def arrange(entrants: Sequence[T], tables: int, how: Arrangement) -> tuple[tuple[T, ...], ...]:
    """Return the entrants of each table; raise ValueError if they do not fill the tables equally."""
    size, rest = divmod(len(entrants), tables)
    if rest or not size:
        raise ValueError(f"{len(entrants)} entrants do not fill {tables} tables")
    return tuple(tuple(entrants[position] for position in seats) for seats in _ARRANGED[how](tables, size))
