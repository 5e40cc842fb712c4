"""Import of a table of results through the service, beside PostgreSQL's own COPY of the same rows.

The import reads the file, finds games and players, checks every result by the rules, settles it, and writes results,
changes and the rest; COPY only stores the finished rows, in tables of the same form with the same indexes. The ratio
is the cost of everything else. `BENCH_RESULTS` is the number of results in the file (default 2,000).
"""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from scripts.servers import DURABLE, UnavailableError, postgresql

if TYPE_CHECKING:
    from league.models import Competition

PEOPLE = 48
PER_TABLE = 20
TURNS = 5
ODD = frozenset({"same_result_twice", "at_two_tables", "extreme_score", "same_scores_elsewhere"})
HEAD = "id,player1,score1,player2,score2,player3,score3,player4,score4"


def main() -> int:
    """Import, copy, print; return 1 if the import was refused."""
    try:
        with postgresql(DURABLE) as address, tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
            os.environ |= {"DATABASE_URL": address, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "league.settings"}
            return measure(int(os.environ.get("BENCH_RESULTS", "2000")))
    except UnavailableError as missing:
        print(f"PostgreSQL left out: {missing}")
        return 0


def measure(results: int) -> int:
    """Import the results through the service, then store the same rows by COPY."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from league.files.result_rows import columns_of
    from league.files.tables import read_table
    from league.selectors.access.actors import Actor
    from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
    from league.services.exchange.table_import import Choices, import_results
    from league.services.standings.publishing import publish_standings

    competition, text = season(results)
    before = counts()
    began = time.perf_counter()
    table = read_table(text, columns_of(ruleset_of(rules_at(competition))))
    choices = Choices(accept=ODD)
    report = import_results(competition=competition, table=table, by=Actor.system(), keep=True, choices=choices)
    brought = time.perf_counter() - began
    began = time.perf_counter()
    publish_standings(competition.pk)
    published = time.perf_counter() - began
    written = {name: number - before[name] for name, number in counts().items() if number > before[name]}
    copied = min(copy(written) for _ in range(TURNS))
    rows = sum(written.values())
    print(f"{results:,} results: {brought:.1f} s through the service, {results / brought:,.0f} a second; ", end="")
    print(f"then {1000 * published:.0f} ms until they were published")
    print(f"COPY of the {rows:,} rows this wrote into {len(written)} tables: {copied:.2f} s, ", end="")
    print(f"{rows / copied:,.0f} rows a second")
    print(f"the service takes {brought / copied:,.0f} times as long as COPY", flush=True)
    return int(not report.is_kept)


def season(results: int) -> tuple[Competition, str]:
    """Create a season in one block with this number of hanchan scheduled, and a file with a row for each."""
    from league.models import Hanchan
    from league.selectors.access.actors import Actor
    from league.services.competitions import setup
    from league.services.competitions.schedule import Fixture, create_session, create_table_session

    by, chance, rows = Actor.system(), random.Random(1), [HEAD]
    plan = setup.CompetitionPlan(slug="long", name="long", ruleset="mleague", league_format="open-play")
    made = setup.create_competition(plan=plan, by=by)
    people = [setup.new_player(name=f"P{place}", key=f"p{place}", by=by) for place in range(PEOPLE)]
    entrants = setup.enter_players(competition=made, players=people, by=by)
    session, block = create_session(competition=made, by=by), made.blocks.get()
    for first in range(1, results + 1, PER_TABLE):
        four, numbers = tuple(chance.sample(entrants, 4)), tuple(range(first, min(first + PER_TABLE, results + 1)))
        fixture = Fixture(block=block, numbers=numbers, entrants=four, table=str(first))
        table = create_table_session(session=session, fixture=fixture, by=by)
        for hanchan in Hanchan.objects.filter(table_session=table).order_by("round"):
            scores = [100 * chance.randint(150, 350) for _ in range(3)]
            scores.append(100_000 - sum(scores))
            cells = (f"{who.player.key},{score}" for who, score in zip(four, scores, strict=True))
            rows.append(f"{hanchan.pk},{','.join(cells)}")
    return made, "\n".join(rows)


def counts() -> dict[str, int]:
    """Return the number of rows of each table."""
    from django.apps import apps
    from django.db import connection

    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("league").get_models():
            name = model._meta.db_table
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608 - names of our own
            found[name] = int(cursor.fetchone()[0])
    return found


def copy(written: dict[str, int]) -> float:
    """Return the seconds that COPY takes to store the newest rows of each table in a table of the same form."""
    from django.db import connection

    seconds = 0.0
    with connection.cursor() as wrapped:
        cursor: Any = wrapped.cursor
        for name, rows in written.items():
            out = io.BytesIO()
            newest = f'(SELECT * FROM "{name}" ORDER BY id DESC LIMIT {rows})'  # noqa: S608 - names of our own
            with cursor.copy(f"COPY {newest} TO STDOUT") as copying:
                for piece in copying:
                    out.write(piece)
            cursor.execute("DROP TABLE IF EXISTS copied")
            cursor.execute(f'CREATE TABLE copied (LIKE "{name}" INCLUDING ALL)')
            began = time.perf_counter()
            with cursor.copy("COPY copied FROM STDIN") as copying:
                copying.write(out.getvalue())
            seconds += time.perf_counter() - began
    return seconds


if __name__ == "__main__":
    sys.exit(main())
