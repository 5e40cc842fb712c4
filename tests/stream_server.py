"""The stream of live tables on the test's own database: gunicorn with the shipped configuration, on a free port."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from league.platform.environment import ROOT
from scripts.servers import LOCALHOST, free_port, started, wait_for_port

METRICS_TOKEN = "a-long-and-random-token-of-the-metrics"
COMMAND = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "stream.conf.py"), "league.asgi"]


@contextmanager
def stream_server(folder: Path) -> Iterator[int]:
    """Run the stream until the block ends; yield its port."""
    port, log = free_port(), folder / "stream.log"
    own = {"DJANGO_SETTINGS_MODULE": "league.settings", "DATABASE_URL": database_url(), "DATA_DIR": str(folder)}
    own["METRICS_TOKEN"] = METRICS_TOKEN
    place = {"HOST": LOCALHOST, "STREAM_PORT": str(port), "ALLOWED_HOSTS": f"localhost,{LOCALHOST},league.example.org"}
    env = {name: value for name, value in os.environ.items() if name != "REDIS_URL"} | own | place
    with started(COMMAND, log, env=env) as process:
        wait_for_port(port, process, log)
        yield port


def database_url() -> str:
    """Return the URL of the database that this test uses."""
    of = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    password = f":{of['PASSWORD']}" if of["PASSWORD"] else ""
    return f"postgres://{of['USER']}{password}@{of['HOST']}:{of['PORT']}/{of['NAME']}"
