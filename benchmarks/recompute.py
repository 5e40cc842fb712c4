"""Cost of deriving and publishing standings, by the number of hanchan of a competition.

A league is derived from all of its results each time: the sizes measured are a season's and far beyond. An open table
only adds new results to its tallies: it is measured at every size up to `BENCH_GAMES`, beside a full rebuild.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from benchmarks.stock import SMALL, Rows, copy_of, games_asked, set_up, sizes, slug_of, write_games

LEAGUES = (100, 1_000, 10_000)
PEOPLE = 211
"""Number of players: a prime, large enough that no player is drawn twice into one game of the largest league."""
TURNS = 5
BEYOND = 100_000_000
"""Rows written here get keys above this, higher than any of the prepared database."""


def main() -> int:
    """Build the leagues, measure, print."""
    with copy_of(games_asked()) as folder:
        set_up(folder)
        Rows.key = BEYOND
        for hanchan in LEAGUES:
            took = league(hanchan)
            print(
                f"a league of {PEOPLE} with {hanchan:,} hanchan: {took:.0f} ms, {1000 * took / hanchan:.0f} us each",
                flush=True,
            )
        for size in sizes(games_asked()):
            took = rebuilt(size)
            print(
                f"an open table of {size:,} games, tallied from nothing: {took:.1f} s, {1e6 * took / size:.0f} us each",
                flush=True,
            )
    return 0


def league(hanchan: int) -> float:
    """Return the milliseconds to derive a league's standings for both audiences, without embargoes."""
    from league.models import Competition, Entrant, Player
    from league.selectors.access.actors import Actor
    from league.services.competitions.setup import CompetitionPlan, create_competition
    from league.services.standings.publishing import derivations

    slug = f"league-{hanchan}"
    plan = CompetitionPlan(slug=slug, name=slug, ruleset="cinderella", league_format="open-play")
    made = create_competition(plan=plan, by=Actor.system())
    players = Player.objects.bulk_create(Player(key=f"{slug}-{place}", name=f"P{place}") for place in range(PEOPLE))
    Entrant.objects.bulk_create(
        Entrant(competition=made, player=player, number=number) for number, player in enumerate(players, start=1)
    )
    write_games(made, hanchan)
    made = Competition.objects.get(pk=made.pk)
    times = []
    for _ in range(TURNS):
        began = time.perf_counter()
        derivations(made, made.version)
        times.append(1000 * (time.perf_counter() - began))
    return median(times)


def rebuilt(size: int) -> float:
    """Return the seconds to rebuild a table's tallies from its games, for one audience."""
    from league.models import Audience, Competition
    from league.selectors.access.readers import Reader
    from league.services.standings.tallies import rebuilt_tallies

    table = Competition.objects.get(slug=slug_of(size))
    began = time.perf_counter()
    found = rebuilt_tallies(Reader(table, Audience.PUBLIC, table.computed_version), table.blocks.get())
    if size >= SMALL and not found:
        raise RuntimeError(f"{table.slug} has no tallies")
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
