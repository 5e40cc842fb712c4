"""Read public pages beside a real replica that is current, behind, frozen and stopped: run by `test_replica`.

The program prints one JSON object per step: the responses, and how many statements each database got.
"""

import json
import os
import signal
import sys
import time
from contextlib import suppress

import django

django.setup()

import psycopg  # noqa: E402
from django.db import connections  # noqa: E402
from django.test import Client  # noqa: E402

from league.platform import replica  # noqa: E402
from league.selectors.access.etags import database_life  # noqa: E402
from league.services.standings.publishing import publish_standings  # noqa: E402
from tests.factories import final_table, play, table  # noqa: E402

PAGES = ("/c/final/version/", "/c/final/", "/api/v1/standings/?competition=final")
SCORES = ((40000, 30000, 20000, 10000), (10000, 20000, 30000, 40000), (30000, 40000, 10000, 20000))
statements = {"default": 0, "replica": 0}


def count(execute, sql, params, many, context):  # type: ignore[no-untyped-def]  # Django's wrapper
    """Count the statements of each database, the questions for positions aside."""
    if "lsn" not in sql:
        statements[context["connection"].alias] += 1
    return execute(sql, params, many, context)


def read(step: str, *, only_primary: bool = False) -> None:
    """Read every page as an anonymous visitor and print what came back."""
    for alias in statements:
        statements[alias] = 0
    begun = time.monotonic()
    answers = []
    for path in PAGES:
        if only_primary:
            replica.BREAKER.open()
        answer = Client(headers={"host": "localhost", "accept-language": "en"}).get(path)
        answers.append([answer.status_code, answer.headers.get("ETag", "")])
    found = {"step": step, "answers": answers, "seconds": time.monotonic() - begun, **statements}
    print(json.dumps(found), flush=True)
    replica.BREAKER.close()


def wait_until_replayed() -> None:
    """Wait until the replica has everything that the primary has written."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn()::text")
        position = cursor.fetchone()[0]
    end = time.monotonic() + 60
    while not replica.has_replayed(position) and time.monotonic() < end:
        time.sleep(0.02)


def main(address: str, process: int) -> None:
    """Take the replica through its states."""
    for each in statements:
        connections[each].execute_wrappers.append(count)
    replica.POSITION_SECONDS = 3600  # so that only a counted publication can void a position
    database_life()  # read once per process, from the primary
    season = final_table()
    games = iter(table(season.blocks.get()).hanchan.order_by("round"))

    def publish(scores: tuple[int, ...]) -> None:
        play(next(games), scores)
        publish_standings(season.pk)

    publish(SCORES[0])
    wait_until_replayed()
    read("current")
    read("current again")
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("SELECT pg_wal_replay_pause()")
        publish(SCORES[1])
        read("paused")
        read("primary while paused", only_primary=True)
        server.execute("SELECT pg_wal_replay_resume()")
        wait_until_replayed()
        read("resumed")
        read("primary after resuming", only_primary=True)
        backends = server.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchall()
        for (pid,) in backends:
            os.kill(pid, signal.SIGSTOP)
        read("frozen")
        for (pid,) in backends:
            os.kill(pid, signal.SIGCONT)
    publish(SCORES[2])
    os.kill(process, signal.SIGINT)
    with suppress(psycopg.OperationalError):
        while True:
            psycopg.connect(address).close()
            time.sleep(0.05)
    read("stopped")
    read("primary at last", only_primary=True)


main(sys.argv[1], int(sys.argv[2]))
