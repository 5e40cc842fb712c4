"""Starting winds: assign seats so that every player starts from each wind equally often, give or take one.

Players and tables are the two sides of a bipartite graph, a player at a table is an edge, a wind its colour.
Each player's games are cut into runs of as many as there are winds; a run is a node with at most that many
edges, and so is a table. By König's theorem such a graph can be coloured with as many colours: at each table
every wind once, in each run none twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations

from scoring.seating.balance import Round, Schedule

Node = tuple[str, int, int]


def with_winds(schedule: Schedule, size: int, played: Schedule = ()) -> Schedule:
    """Return the same tables, seated so that no player's starts from two winds differ by more than one.

    In every run of `size` games a player starts from each wind once. The seats of rounds already played are
    fixed; after them, tables are turned as long as that makes the starts of all rounds together more even.
    """
    seated = _coloured(schedule, size)
    return _even_out_starts(seated, played) if played else seated


def _even_out_starts(schedule: Schedule, played: Schedule) -> Schedule:
    """Reseat one table after the other until no change makes the starts more even."""
    starts: Counter[tuple[int, int]] = Counter(
        (player, seat) for each in (*played, *schedule) for table in each for seat, player in enumerate(table)
    )
    tables = [[list(table) for table in each] for each in schedule]
    everyone = [table for each in tables for table in each]
    # Terminates: each turn lowers the sum of squared starts, which is bounded below.
    while any(_turn(table, starts) for table in everyone):
        continue
    return tuple(tuple(tuple(table) for table in each) for each in tables)


def _turn(table: list[int], starts: Counter[tuple[int, int]]) -> bool:
    """Reseat one table if that is better; return whether it was changed."""
    for seat, player in enumerate(table):
        starts[player, seat] -= 1
    best = min(permutations(table), key=lambda order: sum(starts[player, seat] for seat, player in enumerate(order)))
    is_better = sum(starts[each] for each in _places(best)) < sum(starts[each] for each in _places(table))
    table[:] = best if is_better else table
    for seat, player in enumerate(table):
        starts[player, seat] += 1
    return is_better


def _places(table: Sequence[int]) -> list[tuple[int, int]]:
    return [(player, seat) for seat, player in enumerate(table)]


def _coloured(schedule: Schedule, size: int) -> Schedule:
    """Assign seats by edge colouring."""
    colours: dict[Node, dict[int, Node]] = {}
    games: dict[int, int] = {}
    for number, each in enumerate(schedule):
        for place, table in enumerate(each):
            for player in table:
                run = ("run", player, games.get(player, 0) // size)
                games[player] = games.get(player, 0) + 1
                _colour(colours, run, ("table", number, place), size)
    return tuple(_seated(each, number, colours) for number, each in enumerate(schedule))


def _seated(each: Round, number: int, colours: dict[Node, dict[int, Node]]) -> Round:
    rows = (colours[("table", number, place)] for place in range(len(each)))
    return tuple(tuple(row[colour][1] for colour in sorted(row)) for row in rows)


def _colour(colours: dict[Node, dict[int, Node]], run: Node, table: Node, size: int) -> None:
    """Add an edge; if the ends have no free colour in common, first swap two colours along a path."""
    at_run, at_table = colours.setdefault(run, {}), colours.setdefault(table, {})
    free = next(colour for colour in range(size) if colour not in at_run)
    wanted = next(colour for colour in range(size) if colour not in at_table)
    if free in at_table:
        _swap_path(colours, table, free, wanted)
    at_run[free] = table
    at_table[free] = run


def _swap_path(colours: dict[Node, dict[int, Node]], start: Node, one: int, other: int) -> None:
    """Swap two colours along the path of edges that begins at `start` with the first of them.

    The path cannot end at the run that lacks the first colour: it enters runs by that colour alone.
    """
    path = [start]
    colour = one
    while (following := colours[path[-1]].get(colour)) is not None:
        path.append(following)
        colour = other if colour == one else one
    edges = list(pairwise(path))
    for place, (here, there) in enumerate(edges):
        old = one if place % 2 == 0 else other
        # All old colours are removed before new ones are set: neighbouring edges of the path share a node.
        del colours[here][old], colours[there][old]
    for place, (here, there) in enumerate(edges):
        new = other if place % 2 == 0 else one
        colours[here][new], colours[there][new] = there, here
