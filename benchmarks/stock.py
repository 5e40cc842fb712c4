"""Prepared databases with large open tables, built once and kept: `python -m benchmarks.stock GAMES` builds one.

A database has open tables of 1,250 games and of every power of ten up to the requested number, each with 5,000 guests
of its own. Games are written as rows and tallied by the service. Databases stay in `var/bench/`, under a digest of
this file and of the names of the migrations, so that they are rebuilt only if the result would differ; benchmarks
work on copies.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

    from league.models import Competition

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "bench"
DATABASE = "jantaku.sqlite3"
GUESTS = 5_000
SMALL = 1_250
"""Enough games for each guest to have played once."""
GAMES_PER_SITTING = 10
GAMES_PER_DAY = 300
SCORES = (41200, 30100, 18700, 10000)
FIRST_DAY = dt.date(2016, 1, 1)


def games_asked() -> int:
    """Return the number of games of the largest table: `BENCH_GAMES`, else 20,000."""
    return int(os.environ.get("BENCH_GAMES", "20000"))


def sizes(games: int) -> list[int]:
    """Return the sizes of the tables: the small one, powers of ten, the largest."""
    return sorted({SMALL, games, *(size for size in (10_000, 100_000, 1_000_000) if size < games)})


def slug_of(size: int) -> str:
    """Return the slug of the table with this number of games."""
    return f"open-{size}"


@contextmanager
def copy_of(games: int) -> Iterator[Path]:
    """Yield a temporary folder with a copy of the database, for DATA_DIR."""
    kept = built(games)
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        shutil.copy2(kept / DATABASE, folder)
        yield Path(folder)


def built(games: int) -> Path:
    """Return the folder of the database with these tables, building it if needed."""
    migrations = sorted(path.name for path in (ROOT / "league" / "migrations").glob("0*.py"))
    digest = hashlib.sha256(Path(__file__).read_bytes() + " ".join(migrations).encode()).hexdigest()[:12]
    folder = KEPT / f"open-{games}-{digest}"
    if not (folder / DATABASE).exists():
        work = folder.with_suffix(".part")
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        subprocess.run([sys.executable, "-m", "benchmarks.stock", str(games), str(work)], check=True, cwd=ROOT)
        work.rename(folder)
    return folder


def set_up(folder: Path) -> None:
    """Set Django up on the database in this folder, and migrate it."""
    os.environ |= {"DATA_DIR": str(folder), "DEMO": "0", "DJANGO_SETTINGS_MODULE": "league.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def build_all(games: int, folder: Path) -> None:
    """Build every table in a new database in the folder, all of it in one file."""
    set_up(folder)
    hurry()
    for size in sizes(games):
        build(slug_of(size), size)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    print(f"database: {(folder / DATABASE).stat().st_size / 1e6:,.0f} MB", flush=True)


def hurry() -> None:
    """Switch syncing to disk off: the rows can be built again."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.execute("PRAGMA cache_size = -1000000")


def build(slug: str, games: int) -> Competition:
    """Create an open table with its guests and this number of games, and tally it."""
    from league.models import AUDIENCES, Competition, Entrant, Player
    from league.selectors.access.actors import Actor
    from league.services.competitions.setup import CompetitionPlan, create_competition
    from league.services.standings.tallies import update_tallies

    began = time.perf_counter()
    plan = CompetitionPlan(
        slug=slug, name=slug, ruleset="cinderella", league_format="open-play", kind=Competition.Kind.OPEN
    )
    table = create_competition(plan=plan, by=Actor.system())
    players = Player.objects.bulk_create(
        Player(key=f"{slug}-{number}", name=f"Guest {number}") for number in range(GUESTS)
    )
    Entrant.objects.bulk_create(
        Entrant(competition=table, player=player, number=number) for number, player in enumerate(players, start=1)
    )
    write_games(table, games)
    built = time.perf_counter()
    table.refresh_from_db()
    for audience in AUDIENCES:
        update_tallies(table.blocks.get(), audience, 0, table.computed_version)
    print(f"{slug}: {built - began:.0f} s to write, {time.perf_counter() - built:.0f} s to tally", flush=True)
    return table


def write_games(table: Competition, games: int) -> None:
    """Write games as rows, day by day, each with a confirmed sheet; scores are always the same, guests are not."""
    from django.db import transaction

    from league.models import Entrant, Hanchan, ResultSheet, SeatResult, Session, TableSession
    from league.selectors.rulebooks.rules_in_force import rules_at

    people = list(Entrant.objects.filter(competition=table).values_list("pk", "player"))
    rules, block, n = rules_at(table), table.blocks.get(), table.version
    shown = {"table_session_id": 0, "block": block, "round": 0, "number": 0, "rules": rules, "state": "finished"}
    hanchan = Rows(Hanchan, **shown)
    sheets = Rows(ResultSheet, hanchan_id=0, revision=1, state="confirmed", rules=rules, entered_n=n, confirmed_n=n)
    seats = [
        Rows(SeatResult, sheet_id=0, block=block, seat=seat, entrant_id=0, player_id=0, score=score, final_score=score,
             place=seat + 1, points=points, totals={"points": points})
        for seat, (score, points) in enumerate(zip(SCORES, (512, 101, -213, -400), strict=True))
    ]  # fmt: skip
    for number, start in enumerate(range(0, games, GAMES_PER_DAY), start=1):
        today = min(GAMES_PER_DAY, games - start)
        with transaction.atomic():
            session = Session.objects.create(
                competition=table, number=number, name=str(number), day=FIRST_DAY + dt.timedelta(days=number)
            )
            sittings = TableSession.objects.bulk_create(
                TableSession(competition=table, session=session, block=block, order=order)
                for order in range(1, -(-today // GAMES_PER_SITTING) + 1)
            )
            for game in range(today):
                sitting = sittings[game // GAMES_PER_SITTING].pk
                key = hanchan.add(table_session_id=sitting, round=game % GAMES_PER_SITTING + 1, number=game + 1)
                sheet = sheets.add(hanchan_id=key)
                for seat, (entrant, player) in zip(seats, four_of(people, start + game), strict=True):
                    seat.add(sheet_id=sheet, entrant_id=entrant, player_id=player)
            for rows in (hanchan, sheets, *seats):
                rows.write()


def four_of(people: Sequence[tuple[int, int]], game: int) -> Iterator[tuple[int, int]]:
    """Yield the guests of a game, alternating so that they meet others each time round."""
    step = 1 + game * 4 // len(people)
    return (people[(game * 4 + place * step) % len(people)] for place in range(4))


class Rows:
    """Bulk writer of rows that differ in a few columns; it bypasses the ORM, which would be too slow."""

    key = 10_000_000

    def __init__(self, model: type[Model], **values: object) -> None:
        from django.db import connection

        one = model(**values)
        fields = [field for field in one._meta.concrete_fields if not field.primary_key]
        self.row = {field.column: field.get_db_prep_save(getattr(one, field.attname), connection) for field in fields}
        names = ", ".join(f'"{column}"' for column in ("id", *self.row))
        marks = ", ".join(["%s"] * (len(self.row) + 1))
        self.sql = f'INSERT INTO "{one._meta.db_table}" ({names}) VALUES ({marks})'  # noqa: S608
        self.waiting: list[Any] = []

    def add(self, **values: object) -> int:
        """Add a row with these columns; return its key."""
        Rows.key += 1
        self.waiting.append((Rows.key, *(self.row | values).values()))
        return Rows.key

    def write(self) -> None:
        """Write the rows added."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.executemany(self.sql, self.waiting)
        self.waiting.clear()


if __name__ == "__main__":
    if len(sys.argv) > 2:  # noqa: PLR2004
        build_all(int(sys.argv[1]), Path(sys.argv[2]))
    else:
        print(built(int(sys.argv[1])))
