"""Test the timeouts of connections to PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from league.platform.environment import ROOT
from scripts.servers import free_port, started, wait_for_port

FORWARD = """
import asyncio, sys
async def copy(source, sink):
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    except OSError:
        pass
    finally:
        sink.close()
async def forward(reader, writer):
    far_reader, far_writer = await asyncio.open_connection(sys.argv[1], int(sys.argv[2]))
    await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))
async def serve():
    server = await asyncio.start_server(forward, "127.0.0.1", int(sys.argv[3]))
    await server.serve_forever()
asyncio.run(serve())
"""
"""A program that forwards connections; suspended, it leaves them open and accepts others, as a frozen server does."""
STEPS = """
import os, select, signal, sys, threading, time
import django; django.setup()
import psycopg
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from django.test import Client
from league.platform.outages import outage_of
from league.platform.postgresql import DeadlineConnection
from league.selectors.access.raw_rows import fetch_rows
from league.web.operations import processes
with connection.cursor() as cursor:
    for name in ("lock_timeout", "statement_timeout"):
        cursor.execute(f"SHOW {name}")
        print(*cursor.fetchone())
    for name in ("idle", "interval", "count"):
        cursor.execute(f"SHOW tcp_keepalives_{name}")
        print(*cursor.fetchone())
print(connection.connection.info.get_parameters()["tcp_user_timeout"])
def read_slugs():
    return fetch_rows("SELECT slug FROM league_competition WHERE id < %s", [0])
for _ in range(settings.DATABASES["default"]["OPTIONS"]["prepare_threshold"] + 1):
    read_slugs()
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_prepared_statements")
    print(*cursor.fetchone())
with psycopg.connect(os.environ["DATABASE_URL"]) as another:
    another.execute("ALTER TABLE league_competition ALTER slug TYPE varchar(255)")
print(read_slugs())
connection.close()
connection.close_pool()
processes.settle()
print(DeadlineConnection.seconds)
DeadlineConnection.seconds = 1
began = time.monotonic()
try:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(60)")
except OperationalError as fault:
    print(outage_of(fault), time.monotonic() - began < 5)
connection.close()
with connection.cursor() as cursor:
    cursor.execute("SELECT 'served again'")
    print(*cursor.fetchone())
pooled = connection.connection
connection.close()
with psycopg.connect(os.environ["DATABASE_URL"]) as another:
    another.execute("SELECT pg_terminate_backend(%s)", [pooled.info.backend_pid])
select.select([pooled.fileno()], [], [], 20)
print(read_slugs(), connection.connection is not pooled)
connection.close()
DeadlineConnection.seconds = 2
def read(step):
    began = time.monotonic()
    close_old_connections()  # as after every request; the test client leaves it out
    page = Client(raise_request_exception=False).get("/api/v1/competitions/" if step == "document" else "/")
    said = [step, page.status_code, page.headers.get("Retry-After"), "Out of order" in page.content.decode()]
    # One call for the whole line: threads print at the same time.
    sys.stdout.write(" ".join(map(str, [*said, time.monotonic() - began])) + chr(10))
    close_old_connections()
    return page.status_code
read("before")
os.kill(int(sys.argv[1]), signal.SIGSTOP)
connection.ensure_connection()
print("checked")
connection.close()
read("open")
threads = [threading.Thread(target=read, args=[step]) for step in ("new", "document", *["crowd"] * 4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
os.kill(int(sys.argv[1]), signal.SIGCONT)
ends = time.monotonic() + 60
while read("after") != 200 and time.monotonic() < ends:
    time.sleep(0.5)
connection.close_pool()
"""


@pytest.fixture(scope="module")
def answers(migrated_postgres: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what one process prints: its settings, the fate of a long statement, then pages of a frozen server."""
    folder = tmp_path_factory.mktemp("frozen")
    real = urlsplit(migrated_postgres("frozen"))
    port, log = free_port(), folder / "log"
    proxy = [sys.executable, "-c", FORWARD, str(real.hostname), str(real.port), str(port)]
    user = real.netloc.rpartition("@")[0]
    address = real._replace(netloc=f"{user}@127.0.0.1:{port}" if user else f"127.0.0.1:{port}").geturl()
    variables = os.environ | {"DATABASE_URL": address, "DATA_DIR": str(folder)}
    variables |= {"DJANGO_SETTINGS_MODULE": "league.settings", "ALLOWED_HOSTS": "testserver"}
    with started(proxy, log) as process:
        wait_for_port(port, process, log)
        command = [sys.executable, "-c", STEPS, str(process.pid)]
        asked = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stderr
    return asked.stdout.splitlines()


def test_connections_have_a_lock_timeout_and_keepalives_on_server_and_client(answers: list[str]) -> None:
    assert answers[:6] == ["25s", "0", "15", "5", "3", "20000"]


def test_a_statement_of_every_request_is_prepared_and_again_after_a_column_changed_its_type(answers: list[str]) -> None:
    assert answers[6:8] == ["1", "[]"]


def test_a_web_process_cancels_a_statement_after_its_deadline_and_serves_the_next(answers: list[str]) -> None:
    assert answers[8:11] == ["30", "unavailable True", "served again"]


def test_a_connection_that_the_server_has_ended_costs_no_request(answers: list[str]) -> None:
    assert answers[11] == "[] True"


def test_a_silent_connection_is_used_without_asking_the_server(answers: list[str]) -> None:
    assert answers[13] == "checked"


def test_while_postgresql_is_frozen_pages_say_so_in_time_and_are_served_again_after_it(answers: list[str]) -> None:
    found = [line.split() for line in (answers[12], *answers[14:])]
    assert found[0][:2] == ["before", "200"]
    frozen = [line for line in found if line[0] not in ("before", "after")]
    assert [line[1:3] for line in frozen] == [["503", "5"]] * 7, answers
    assert [line[3] for line in frozen if line[0] != "document"] == ["True"] * 6
    assert max(float(line[4]) for line in frozen) < 25, "without a deadline they would wait for the server"
    assert found[-1][:2] == ["after", "200"], answers
