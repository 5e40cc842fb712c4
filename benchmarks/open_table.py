"""An open table of a million games: what one more game costs, and how long a page of the running table takes.

Two tables are built in a database of their own, a small and a large one, with the same 5,000 guests. Their games are
written as rows; then games are recorded and published through the services, and pages read, on both in turn. What is
said is the ratio of the two: `BENCH_GAMES` (default 1,000,000) sets the large one's size.
"""

from __future__ import annotations

import datetime as dt
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

    from league.models import Competition, Entrant, Hanchan

GUESTS = 5_000
SMALL = 1_250
"""Enough for each guest to have played once."""
GAMES_PER_SITTING = 10
GAMES_PER_DAY = 300
MEASURED = 40
SCORES = (41200, 30100, 18700, 10000)
FIRST_DAY = dt.date(2016, 1, 1)
AT_MOST = 2.0
"""A game at the large table may cost so many times what it costs at the small one."""


def main() -> int:
    """Build, measure, print; 1 if the large table is dearer than promised."""
    with database():
        large = int(os.environ.get("BENCH_GAMES", "1000000"))
        tables = {size: build(f"open-{size}", size) for size in (SMALL, large)}
        games = {size: [next_game(table, place) for place in range(MEASURED)] for size, table in tables.items()}
        recorded = in_turn({size: [record(one) for one in row] for size, row in games.items()})
        read = in_turn({size: [page(table, place) for place in range(MEASURED)] for size, table in tables.items()})
    ratio = recorded[large] / recorded[SMALL]
    print(
        f"one more game, published: {recorded[SMALL]:.1f} ms at {SMALL:,} games, {recorded[large]:.1f} ms at "
        f"{large:,}: {ratio:.2f} times"
    )
    print(
        f"a page of the running table of {GUESTS:,} guests: {read[SMALL]:.1f} ms and {read[large]:.1f} ms: "
        f"{read[large] / read[SMALL]:.2f} times"
    )
    return int(ratio > AT_MOST)


@contextmanager
def database() -> Iterator[None]:
    """A database of its own, thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        os.environ |= {"DATA_DIR": folder, "DEMO": "0", "DJANGO_SETTINGS_MODULE": "league.settings"}
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        hurry()
        yield
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(f"database: {size / 1e6:,.0f} MB")


def hurry() -> None:
    """Rows that can be built again need not reach the disk; the measured writes are as careful as ever elsewhere."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.execute("PRAGMA cache_size = -1000000")


def build(slug: str, games: int) -> Competition:
    """An open table with its guests and so many games, tallied."""
    from league.models import AUDIENCES, Competition, Entrant, Player
    from league.services.actor import Actor
    from league.services.competitions import CompetitionPlan, create_competition
    from league.services.tallies import update_tallies

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
    """Games as rows, day by day, each with a sheet that counts; the result is always the same, who sits is not."""
    from django.db import transaction

    from league.models import Entrant, Hanchan, ResultSheet, SeatResult, Session, TableSession
    from league.selectors.rules import rules_at

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
    """Who sits in a game: the guests take turns, in other company each time round."""
    step = 1 + game * 4 // len(people)
    return (people[(game * 4 + place * step) % len(people)] for place in range(4))


class Rows:
    """Rows of a table that differ in a few columns, written as they are: a benchmark has no time for models."""

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
        """Another row with these columns; return its key."""
        Rows.key += 1
        self.waiting.append((Rows.key, *(self.row | values).values()))
        return Rows.key

    def write(self) -> None:
        """Write what waits."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.executemany(self.sql, self.waiting)
        self.waiting.clear()


def next_game(table: Competition, place: int) -> Hanchan:
    """A game scheduled at the table for four guests who have played before."""
    from league.models import Entrant, Session
    from league.services.actor import Actor
    from league.services.scheduling import Fixture, create_table_session

    four = tuple(Entrant.objects.filter(competition=table, number__gt=place * 4).order_by("number")[:4])
    fixture = Fixture(block=table.blocks.get(), numbers=(place + 1,), entrants=four)
    session = Session.objects.filter(competition=table).latest("number")
    return create_table_session(session=session, fixture=fixture, by=Actor.system()).hanchan.get()


def record(hanchan: Hanchan) -> Callable[[], object]:
    """Recording the game and publishing what follows."""
    from league.services.actor import Actor
    from league.services.entry import SeatEntry, SheetEntry
    from league.services.results import record_result
    from league.services.standings import publish_standings

    people: list[Entrant] = [seat.entrant for seat in hanchan.seats.select_related("entrant").order_by("seat")]
    entry = SheetEntry(
        seats=tuple(SeatEntry(who.pk, who.player_id, score) for who, score in zip(people, SCORES, strict=True))
    )

    def act() -> None:
        record_result(hanchan=hanchan, entry=entry, by=Actor.system())
        publish_standings(hanchan.block.competition_id)

    return act


def page(table: Competition, place: int) -> Callable[[], object]:
    """Reading a page of the running table, in one order after the other."""
    from league.models import Audience
    from league.selectors.readers import Reader
    from league.selectors.tallies import Order, Wanted, running_table

    def act() -> None:
        table.refresh_from_db()
        reader = Reader(table, Audience.STAFF, table.computed_version)
        running_table(reader, table.blocks.get(), Wanted(order=list(Order)[place % len(Order)]), last_place=4)

    return act


def in_turn(actions: dict[int, list[Callable[[], object]]]) -> dict[int, float]:
    """The median time of each table's actions in milliseconds, the tables taking turns."""
    times: dict[int, list[float]] = {size: [] for size in actions}
    for row in zip(*actions.values(), strict=True):
        for size, act in zip(actions, row, strict=True):
            began = time.perf_counter()
            act()
            times[size].append(1000 * (time.perf_counter() - began))
    return {size: median(found) for size, found in times.items()}
