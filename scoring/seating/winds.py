"""Starting winds: assign seats so that every player starts from each wind equally often, give or take one.

Players and tables are the two sides of a bipartite graph, a player at a table is an edge, a wind its colour.
Each player's games are cut into runs of as many as there are winds; a run is a node with at most that many
edges, and so is a table. By König's theorem such a graph can be coloured with as many colours: at each table
every wind once, in each run none twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, permutations

from scoring.seating.balance import Round, Schedule
from scoring.seating.draws import rotate_seats

Node = tuple[str, int, int]
PASSES = 100
"""Most times that every table is reseated; the starts of 200 players in five rounds are even after 40."""
STEP = 7
"""Shift between two passes, so that each takes other ones of orders that are as even."""


def with_winds(schedule: Schedule, size: int, played: Schedule = ()) -> Schedule:
    """Return the same tables, seated so that no player's starts from two winds differ by more than one.

    In every run of `size` games a player starts from each wind once. The seats of rounds already played are
    fixed; after them, tables are turned as long as that makes the starts of all rounds together more even.
    """
    seated = _coloured(schedule, size)
    return even_out_starts(seated, played) if played else seated


def play_in_turns(companies: Schedule, games: Sequence[int], size: int) -> Schedule:
    """Return a round for each hanchan: the players of a table stay together for as many hanchan as their turn has.

    Every player starts equally often from each wind, give or take one.
    """
    # A multiple of `size` hanchan gives each wind equally often by rotation; otherwise winds need the colouring.
    if all(count % size == 0 for count in games):
        return tuple(
            tuple(tuple(table[place] for place in order) for table in each)
            for each, count in zip(companies, games, strict=True)
            for order in rotate_seats(size, count)
        )
    expanded = tuple(each for each, count in zip(companies, games, strict=True) for _ in range(count))
    return with_winds(expanded, size)


def even_out_starts(schedule: Schedule, played: Schedule = (), fixed: Collection[tuple[int, int]] = ()) -> Schedule:
    """Reseat one table after the other so that the starts of all rounds together become more even.

    Tables in `fixed`, by the numbers of their round and place, keep their seats.
    """
    starts: Counter[tuple[int, int]] = Counter(
        (player, seat) for each in (*played, *schedule) for table in each for seat, player in enumerate(table)
    )
    tables = [[list(table) for table in each] for each in schedule]
    free = [
        table
        for number, each in enumerate(tables)
        for place, table in enumerate(each)
        if table and (number, place) not in fixed
    ]
    players = {player for table in free for player in table}
    for go in range(PASSES):
        if all(_is_even(player, starts, len(free[0])) for player in players):
            break
        for number, table in enumerate(free):
            _turn(table, starts, go * STEP + number)
    return tuple(tuple(tuple(table) for table in each) for each in tables)


def _is_even(player: int, starts: Mapping[tuple[int, int], int], size: int) -> bool:
    """Return whether a player's starts from two winds differ by one at most."""
    counts = [starts.get((player, seat), 0) for seat in range(size)]
    return max(counts) - min(counts) <= 1


def _turn(table: list[int], starts: Counter[tuple[int, int]], pick: int) -> None:
    """Reseat a table in one of the orders that are most even; `pick` chooses among several.

    Orders that are as even are taken in turns: where no table alone can improve, this leads to some that can.
    """
    starts.subtract((player, seat) for seat, player in enumerate(table))
    costs = {order: sum(starts[player, seat] for seat, player in enumerate(order)) for order in permutations(table)}
    least = min(costs.values())
    best = [order for order, cost in costs.items() if cost == least]
    table[:] = best[pick % len(best)]
    starts.update((player, seat) for seat, player in enumerate(table))


def _coloured(schedule: Schedule, size: int) -> Schedule:
    """Assign seats by edge colouring."""
    colours: defaultdict[Node, dict[int, Node]] = defaultdict(dict)
    games: Counter[int] = Counter()
    for number, each in enumerate(schedule):
        for place, table in enumerate(each):
            for player in table:
                run = ("run", player, games[player] // size)
                games[player] += 1
                _colour(colours, run, ("table", number, place), size)
    return tuple(_seated(each, number, colours) for number, each in enumerate(schedule))


def _seated(each: Round, number: int, colours: Mapping[Node, dict[int, Node]]) -> Round:
    rows = (colours[("table", number, place)] for place in range(len(each)))
    return tuple(tuple(row[colour][1] for colour in sorted(row)) for row in rows)


def _colour(colours: defaultdict[Node, dict[int, Node]], run: Node, table: Node, size: int) -> None:
    """Add an edge; if the ends have no free colour in common, first swap two colours along a path."""
    at_run, at_table = colours[run], colours[table]
    free = next(colour for colour in range(size) if colour not in at_run)
    wanted = next(colour for colour in range(size) if colour not in at_table)
    if free in at_table:
        _swap_path(colours, table, free, wanted)
    at_run[free] = table
    at_table[free] = run


def _swap_path(colours: Mapping[Node, dict[int, Node]], start: Node, one: int, other: int) -> None:
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
