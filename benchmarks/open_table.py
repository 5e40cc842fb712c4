"""Cost of one more game at an open table, and of a page of its running table, at sizes up to a million games.

The tables have 5,000 guests each (`benchmarks/stock.py`). Games are recorded and published through the services, and
pages read, at all tables alternately, embedded, on SQLite. Figures are the median of each table and its ratio to the
smallest one's. `BENCH_GAMES` (default 20,000) is the size of the largest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.stock import GUESTS, SCORES, SMALL, copy_of, games_asked, set_up, sizes, slug_of

if TYPE_CHECKING:
    from league.models import Competition, Entrant, Hanchan

MEASURED = 40
AT_MOST = 2.0
"""Highest allowed ratio of a game's cost at the largest table to that at the smallest."""


def main() -> int:
    """Measure, print; return 1 if a game at the largest table costs more than promised."""
    with copy_of(games_asked()) as folder:
        set_up(folder)
        from league.models import Competition

        tables = {size: Competition.objects.get(slug=slug_of(size)) for size in sizes(games_asked())}
        games = {size: [next_game(table, place) for place in range(MEASURED)] for size, table in tables.items()}
        recorded = in_turn({size: [record(one) for one in row] for size, row in games.items()})
        read = in_turn({size: [page(table, place) for place in range(MEASURED)] for size, table in tables.items()})
    print(f"| games, {GUESTS:,} guests | one more game, published | ratio | a page of the running table | ratio |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for size in tables:
        game_ratio, page_ratio = recorded[size] / recorded[SMALL], read[size] / read[SMALL]
        print(f"| {size:,} | {recorded[size]:.1f} ms | {game_ratio:.2f} | {read[size]:.1f} ms | {page_ratio:.2f} |")
    return int(recorded[max(tables)] / recorded[SMALL] > AT_MOST)


def next_game(table: Competition, place: int) -> Hanchan:
    """Schedule a game at the table for four guests who have played before."""
    from league.models import Entrant, Session
    from league.selectors.access.actors import Actor
    from league.services.competitions.schedule import Fixture, create_table_session

    four = tuple(Entrant.objects.filter(competition=table, number__gt=place * 4).order_by("number")[:4])
    fixture = Fixture(block=table.blocks.get(), numbers=(place + 1,), entrants=four)
    session = Session.objects.filter(competition=table).latest("number")
    return create_table_session(session=session, fixture=fixture, by=Actor.system()).hanchan.get()


def record(hanchan: Hanchan) -> Callable[[], object]:
    """Return a function that records the game and publishes the tallies."""
    from league.selectors.access.actors import Actor
    from league.services.results.entry import SeatEntry, SheetEntry
    from league.services.results.results import record_result
    from league.services.standings.publishing import publish_standings

    people: list[Entrant] = [seat.entrant for seat in hanchan.seats.select_related("entrant").order_by("seat")]
    entry = SheetEntry(
        seats=tuple(SeatEntry(who.pk, who.player_id, score) for who, score in zip(people, SCORES, strict=True))
    )

    def act() -> None:
        record_result(hanchan=hanchan, entry=entry, by=Actor.system())
        publish_standings(hanchan.block.competition_id)

    return act


def page(table: Competition, place: int) -> Callable[[], object]:
    """Return a function that reads a page of the running table; `place` selects the order of its rows."""
    from league.models import Audience
    from league.selectors.access.readers import Reader
    from league.selectors.standings.tallies import Order, Wanted, running_table

    def act() -> None:
        table.refresh_from_db()
        reader = Reader(table, Audience.STAFF, table.computed_version)
        running_table(reader, table.blocks.get(), Wanted(order=list(Order)[place % len(Order)]), last_place=4)

    return act


def in_turn(actions: dict[int, list[Callable[[], object]]]) -> dict[int, float]:
    """Return the median time of each table's actions in milliseconds, the tables alternating."""
    times: dict[int, list[float]] = {size: [] for size in actions}
    for row in zip(*actions.values(), strict=True):
        for size, act in zip(actions, row, strict=True):
            began = time.perf_counter()
            act()
            times[size].append(1000 * (time.perf_counter() - began))
    return {size: median(found) for size, found in times.items()}


if __name__ == "__main__":
    sys.exit(main())
