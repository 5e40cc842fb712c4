"""The service as deployed, for benchmarks over HTTP: on SQLite, and on PostgreSQL with Redis.

On SQLite it is `manage.py serve`, one process with several threads; on PostgreSQL gunicorn with
`deploy/gunicorn.conf.py` (two processes), a Celery worker of one process, another for odds, and beat; the database
server writes commits to its disk, as it does by default. Settings are the service's own, with the addresses of
`benchmarks/urls.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis

from benchmarks.stock import DATABASE, ROOT, copy_of
from scripts.servers import DURABLE, LOCALHOST, UnavailableError, free_port, postgresql, redis, started, wait_for_port

PYTHON = sys.executable
LAST = 10
"""Niceness of the processes with low priority: ten is about a tenth of the weight."""


@dataclass(frozen=True, slots=True)
class Served:
    """A running service: its port, its processes, and the data of `benchmarks/prepare.py`."""

    name: str
    port: int
    groups: dict[str, int]
    """Process groups by their role."""
    prepared: dict[str, Any]
    env: dict[str, str]


def every_service(games: int) -> Iterator[Served]:
    """Yield the service on SQLite, then on PostgreSQL if installed, or as BENCH_ON says."""
    chosen = os.environ.get("BENCH_ON", "")
    if chosen != "postgresql":
        with copy_of(games) as folder, on_sqlite(folder, games) as found:
            yield found
    if chosen == "sqlite":
        return
    try:
        with copy_of(games) as folder, on_postgresql(folder, games) as found:
            yield found
    except UnavailableError as missing:
        print(f"PostgreSQL and Redis left out: {missing}")


@contextmanager
def on_sqlite(folder: Path, games: int) -> Iterator[Served]:
    """Run the embedded service."""
    env = environment(folder)
    prepared = prepare(env, games)
    with started([PYTHON, "manage.py", "serve"], folder / "web.log", env=env) as web:
        wait_for_port(int(env["PORT"]), web, folder / "web.log")
        yield Served("SQLite", int(env["PORT"]), {"web": web.pid}, prepared, env)


@contextmanager
def on_postgresql(folder: Path, games: int) -> Iterator[Served]:
    """Run gunicorn, workers and beat on a PostgreSQL and a Redis of their own."""
    with ExitStack() as stack:
        env = environment(folder)
        env |= {"DATABASE_URL": stack.enter_context(postgresql(DURABLE)), "REDIS_URL": stack.enter_context(redis())}
        subprocess.run([PYTHON, "-m", "benchmarks.carry", str(folder / DATABASE)], check=True, env=env, cwd=ROOT)
        prepared = prepare(env, games)
        celery = [PYTHON, "-m", "celery", "--app", "league", "--skip-checks"]
        worker = [*celery, "worker", "--concurrency", "1"]
        commands = {
            "web": [PYTHON, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "league.wsgi"],
            "worker": [*worker, "--hostname", "worker@%h", "--queues", "celery,sweep,webhooks"],
            "odds": [*worker, "--hostname", "odds@%h", "--queues", "odds"],
            "beat": [*celery, "beat", "--schedule", str(folder / "beat")],
        }
        groups = {}
        for name, command in commands.items():
            process = stack.enter_context(started(command, folder / f"{name}.pg.log", env=env))
            groups[name] = process.pid
            if name == "odds":
                goes_last(process.pid)
            if name == "web":
                wait_for_port(int(env["PORT"]), process, folder / f"{name}.pg.log")
        wait_until_caught_up(env["REDIS_URL"])
        yield Served("PostgreSQL and Redis", int(env["PORT"]), groups | servers(), prepared, env)


def goes_last(leader: int) -> None:
    """Give a session of processes a tenth of the processor while others compete for it, as `deploy` does.

    Linux shares the processors among sessions unless control groups tell them apart, as with systemd.
    """
    os.setpriority(os.PRIO_PGRP, leader, LAST)
    group = Path(f"/proc/{leader}/autogroup")
    if group.exists():
        group.write_text(str(LAST))


def wait_until_caught_up(address: str) -> None:
    """Wait until the workers have taken the messages queued while the database was prepared."""
    with Redis.from_url(address) as broker:
        while sum(broker.llen(queue) for queue in ("celery", "odds")):
            time.sleep(0.1)


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a service with its data in the folder."""
    own = {"DATA_DIR": str(folder), "HOST": LOCALHOST, "PORT": str(free_port()), "DEMO": "0"}
    return os.environ | own | {"DJANGO_SETTINGS_MODULE": "benchmarks.settings", "PYTHONWARNINGS": "ignore"}


def prepare(env: dict[str, str], games: int) -> dict[str, Any]:
    """Prepare the database in a process of its own and return the JSON it prints."""
    command = [PYTHON, "-m", "benchmarks.prepare", str(games)]
    said = subprocess.run(command, check=True, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(said.stdout.splitlines()[-1])
    return found


def servers() -> dict[str, int]:
    """Return the process groups of the PostgreSQL and Redis servers that this process started."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    names = {int(pid): Path(f"/proc/{pid}/comm").read_text().strip() for pid in children}
    kinds = {"postgres": "postgres", "redis-server": "redis"}
    return {kinds[name]: pid for pid, name in names.items() if name in kinds}


def processes(group: int) -> list[int]:
    """Return every process of a group and below it: PostgreSQL gives each of its own a group."""
    found = [group]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            found += [int(child) for child in children.read_text().split()]
    return found


def processor_seconds(groups: dict[str, int]) -> float:
    """Return the processor time used by all processes of a service so far, with microsecond precision."""
    return sum(processor_of(group) for group in groups.values())


def processor_of(group: int) -> float:
    """Return the processor time of the processes of one group."""
    ran = 0
    for pid in processes(group):
        for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            try:
                ran += int(thread.read_text().split()[0])
            except OSError:  # the thread has ended meanwhile
                continue
    return ran / 1e9


def memory_of(pid: int) -> tuple[float, float]:
    """Return a process's memory in MB: its resident set, and its proportional share of common pages."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
    return kilobytes["Rss"] / 1000, kilobytes["Pss"] / 1000
