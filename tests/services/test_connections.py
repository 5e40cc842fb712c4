"""Test the timeouts of connections to PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys

from league.platform.environment import ROOT

ASK = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    for name in ("lock_timeout", "statement_timeout"):
        cursor.execute(f"SHOW {name}")
        print(*cursor.fetchone())
    for name in ("idle", "interval", "count"):
        cursor.execute(f"SHOW tcp_keepalives_{name}")
        print(*cursor.fetchone())
print(connection.connection.info.get_parameters()["tcp_user_timeout"])
connection.close_pool()
"""


def test_connections_have_a_lock_timeout_and_keepalives_on_server_and_client(postgres_server: str) -> None:
    variables = os.environ | {"DATABASE_URL": postgres_server, "DJANGO_SETTINGS_MODULE": "league.settings"}
    command = [sys.executable, "-c", ASK]
    asked = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert asked.stdout.split() == ["25s", "0", "15", "5", "3", "20000"], asked.stderr


OVERDUE = """
import time
import django; django.setup()
from django.db import OperationalError, connection
from league.web import processes
from league.platform.statement_deadlines import DeadlineConnection
from league.platform.outages import outage_of
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
connection.close_pool()
"""


def test_a_web_process_cancels_a_statement_after_its_deadline_and_serves_the_next(postgres_server: str) -> None:
    variables = os.environ | {"DATABASE_URL": postgres_server, "DJANGO_SETTINGS_MODULE": "league.settings"}
    command = [sys.executable, "-c", OVERDUE]
    asked = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert asked.stdout.splitlines() == ["30", "unavailable True", "served again"], asked.stderr
