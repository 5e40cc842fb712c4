"""Import of online games on SQLite: CPU time for each log to be read, previewed, and written hand by hand.

Logs of Tenhou (mjlog) and records of Mahjong Soul (JSON) in turn are brought together, as the admin does; the best of
three turns counts, each in a season of its own. The ratio sets reading and writing beside the engine alone, which
reads the same logs and plays their hands. `BENCH_GAMES` is the number of logs (default 100).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from league.files.pasted_logs import BroughtLog
    from league.models import Competition

T = TypeVar("T")
PER_TABLE = 20
TURNS = 3


class TurnCost(NamedTuple):
    """The CPU seconds of one turn."""

    engine: float
    reading: float
    looking: float
    writing: float
    imported: int
    """The number of games imported."""

    @property
    def total(self) -> float:
        """Return the seconds from the logs to the stored hands."""
        return self.reading + self.writing


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
    from league.services.standings.debounce import debounce_in_this_process

    debounce_in_this_process()
    logs = logs_of(games)
    turns = [turn(f"long-{number}", logs) for number in range(TURNS)]
    best = min(turns, key=lambda each: each.total)
    said = " + ".join(f"{1000 * seconds / games:.0f}" for seconds in (best.reading, best.writing))
    print(f"{best.imported} of {games} logs imported: {1000 * best.total / games:.0f} ms of CPU each (", end="")
    print(f"{said}: reading, writing); {1000 * best.looking / games:.0f} ms each for a preview")
    print(f"that is {best.total / best.engine:.1f} times the engine alone, ", end="")
    print(f"which reads a log and plays its hands in {1000 * best.engine / games:.0f} ms", flush=True)
    return int(any(each.imported != games for each in turns))


def turn(slug: str, logs: Sequence[BroughtLog]) -> TurnCost:
    """Import the logs into a new season."""
    from league.files.paifu import read_paifu
    from league.models import Door
    from league.selectors.access.actors import Actor
    from league.selectors.exchange.paifu_play import play_paifu
    from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
    from league.services.exchange.paifu_import import apply_paifu_import, begin_paifu_import, continue_paifu_import
    from league.services.exchange.paifu_preview import preview_import

    competition, by = season(slug, len(logs)), Actor.system(Door.COMMAND)
    rules = ruleset_of(rules_at(competition))
    _played, engine = timed(lambda: [play_paifu(read_paifu(log.data, log.label), rules) for log in logs])
    batch, reading = timed(lambda: begin_paifu_import(competition=competition, logs=logs, by=by))
    preview, looking = timed(lambda: preview_import(batch, by))
    batch = apply_paifu_import(batch=batch, by=by, accept=list(preview.warnings))

    def write() -> None:
        following: tuple[int, int] | None = (batch.pk, batch.done)
        while following is not None:
            following = continue_paifu_import(*following)

    _done, writing = timed(write)
    return TurnCost(engine, reading, looking, writing, batch.games.filter(outcome="imported").count())


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what the function returns, and its CPU time in seconds."""
    began = time.process_time()
    return work(), time.process_time() - began


def season(slug: str, games: int) -> Competition:
    """Create a season of four players with this number of hanchan."""
    from league.selectors.access.actors import Actor
    from league.services.competitions import setup
    from league.services.competitions.schedule import Fixture, create_session, create_table_session
    from tests.paifu.simulated import NAMES

    by = Actor.system()
    plan = setup.CompetitionPlan(slug=slug, name=slug, ruleset="tenhou4", league_format="open-play")
    made = setup.create_competition(plan=plan, by=by)
    people = [setup.new_player(name=name, key=f"{slug}-{place}", by=by) for place, name in enumerate(NAMES)]
    entrants = setup.enter_players(competition=made, players=people, by=by)
    session, block = create_session(competition=made, by=by), made.blocks.get()
    for first in range(1, games + 1, PER_TABLE):
        numbers = tuple(range(first, min(first + PER_TABLE, games + 1)))
        fixture = Fixture(block=block, numbers=numbers, entrants=entrants, table=str(first))
        create_table_session(session=session, fixture=fixture, by=by)
    return made


def logs_of(games: int) -> list[BroughtLog]:
    """Return simulated games as Tenhou and Mahjong Soul write them, in turn."""
    from league.files.pasted_logs import BroughtLog
    from tests.paifu.mahjongsoul import write_mahjongsoul
    from tests.paifu.mjlog import write_mjlog
    from tests.paifu.simulated import simulated

    made = enumerate(map(simulated, range(1, games + 1)), start=1)
    return [
        BroughtLog(f"{number}.mjlog", write_mjlog(each).encode())
        if number % 2
        else BroughtLog(f"{number}.json", json.dumps(write_mahjongsoul(each)).encode())
        for number, each in made
    ]


if __name__ == "__main__":
    sys.exit(main())
