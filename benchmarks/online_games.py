"""Import of online games on SQLite: CPU time for each log to be read, previewed, and written hand by hand.

`BENCH_GAMES` is the number of logs (default 100), which are brought together, as the admin does.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from league.files.pasted_logs import BroughtLog
    from league.models import Competition

T = TypeVar("T")
PER_TABLE = 20


def main() -> int:
    """Import the games; return 1 if one was refused."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        os.environ |= {"DATABASE_URL": "", "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "league.settings"}
        return measure(int(os.environ.get("BENCH_GAMES", "100")))


def measure(games: int) -> int:
    """Bring, preview and import this number of games, and print the CPU time of each step for one game."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from league.models import Door
    from league.selectors.access.actors import Actor
    from league.services.exchange.paifu_import import apply_paifu_import, begin_paifu_import, continue_paifu_import
    from league.services.exchange.paifu_preview import preview_import
    from league.services.standings.debounce import debounce_in_this_process

    debounce_in_this_process()
    competition, by = season(games), Actor.system(Door.COMMAND)
    logs = logs_of(games)
    batch, reading = timed(lambda: begin_paifu_import(competition=competition, logs=logs, by=by))
    preview, looking = timed(lambda: preview_import(batch, by))
    batch = apply_paifu_import(batch=batch, by=by, accept=list(preview.warnings))

    def write() -> None:
        following: tuple[int, int] | None = (batch.pk, batch.done)
        while following is not None:
            following = continue_paifu_import(*following)

    _done, writing = timed(write)
    imported = batch.games.filter(outcome="imported").count()
    said = " + ".join(f"{1000 * seconds / games:.0f}" for seconds in (reading, writing))
    print(f"{imported} of {games} logs imported: {1000 * (reading + writing) / games:.0f} ms of CPU each (", end="")
    print(f"{said}: reading, writing); {1000 * looking / games:.0f} ms each for a preview", flush=True)
    return int(imported != games)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what the function returns, and its CPU time in seconds."""
    began = time.process_time()
    return work(), time.process_time() - began


def season(games: int) -> Competition:
    """Create a season of four players with this number of hanchan."""
    from league.selectors.access.actors import Actor
    from league.services.competitions import setup
    from league.services.competitions.schedule import Fixture, create_session, create_table_session
    from tests.paifu.simulated import NAMES

    by = Actor.system()
    plan = setup.CompetitionPlan(slug="long", name="long", ruleset="tenhou4", league_format="open-play")
    made = setup.create_competition(plan=plan, by=by)
    people = [setup.new_player(name=name, key=f"p{place}", by=by) for place, name in enumerate(NAMES)]
    entrants = setup.enter_players(competition=made, players=people, by=by)
    session, block = create_session(competition=made, by=by), made.blocks.get()
    for first in range(1, games + 1, PER_TABLE):
        numbers = tuple(range(first, min(first + PER_TABLE, games + 1)))
        fixture = Fixture(block=block, numbers=numbers, entrants=entrants, table=str(first))
        create_table_session(session=session, fixture=fixture, by=by)
    return made


def logs_of(games: int) -> list[BroughtLog]:
    """Return simulated games as Tenhou writes them."""
    from league.files.pasted_logs import BroughtLog
    from tests.paifu.mjlog import write_mjlog
    from tests.paifu.simulated import simulated

    made = map(simulated, range(1, games + 1))
    return [BroughtLog(f"{number}.mjlog", write_mjlog(each).encode()) for number, each in enumerate(made, start=1)]


if __name__ == "__main__":
    sys.exit(main())
