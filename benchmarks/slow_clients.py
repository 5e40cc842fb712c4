"""Other requests while 300 clients keep half-open connections, on the embedded server and behind nginx.

A third of the 300 each sends nothing, half a request head, or half a body (`scripts/slow_clients.py`). The other
requests follow one another, each on a new connection (behind nginx with a new TLS handshake): the home page, a REST
document, and the login page, which no cache answers. Turns without and with slow clients alternate; all 300 are still
open when a turn ends. Both set-ups serve the demo season on SQLite: `manage.py serve` alone, and `deploy/nginx.conf`
in front of gunicorn with `deploy/gunicorn.conf.py`. Returns 1 if one in a hundred takes longer than 100 ms with slow
clients, and half as long again as without: more than the limit on a busy machine alone says nothing of them.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.asking import Connection, share
from benchmarks.stock import ROOT
from scripts.nginx import nginx
from scripts.servers import GUNICORN, LOCALHOST, UnavailableError, free_port, started, wait_for_port
from scripts.slow_clients import number_open, slow_clients

SLOW = 300
LIMIT = 100
"""Milliseconds within which all but one in a hundred other requests are answered."""
MOST = 1.5
"""Times that figure without slow clients: the rest is the load of the machine."""
PATHS = {
    "home page": "/c/demo/",
    "bracket over REST": "/api/v1/competitions/demo/bracket/",
    "login page": "/login/",
}
TURNS, EACH = 4, 50
"""Turns, and requests of each path in a turn: short enough for the slow clients' deadline of ten seconds.

nginx takes 400 writes at once from one address, and a third of the slow clients of each turn writes.
"""
ATTEMPTS = 3
OK = 200
Times = dict[tuple[str, int], list[float]]


def main() -> int:
    """Measure both set-ups and print; return 1 if slow clients make a request too slow."""
    failed = False
    print(
        "| | other requests | median without, ms | median with 300, ms | ratio | p99 without, ms | p99 with 300, ms |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="jantaku-slow-") as name:
        folder = Path(name)
        for command in ("migrate", "load_demo"):
            preparing = [sys.executable, "manage.py", command, "--verbosity", "0"]
            subprocess.run(preparing, check=True, env=environment(folder), cwd=ROOT, stdout=subprocess.DEVNULL)
        with running([sys.executable, "manage.py", "serve"], folder) as port:
            failed |= printed("embedded server", measured(port))
        try:
            with running(GUNICORN, folder, TRUSTED_PROXIES="1") as port, nginx(folder, port) as proxy:
                failed |= printed("nginx", measured(proxy.port, proxy.tls))
        except UnavailableError as missing:
            print(f"nginx left out: {missing}")
    print(f"load {os.getloadavg()[0]:.1f} when it ended")
    return int(failed)


@contextmanager
def running(command: list[str], folder: Path, **more: str) -> Iterator[int]:
    """Run a service with its data in the folder; yield its port."""
    port, log = free_port(), folder / "web.log"
    with started(command, log, env=environment(folder) | {"PORT": str(port)} | more) as process:
        wait_for_port(port, process, log)
        yield port


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a service with its data in the folder."""
    own = {"DATA_DIR": str(folder / "data"), "HOST": LOCALHOST, "DEMO": "0", "DAILY_BACKUPS": "0"}
    return os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"}


def measured(port: int, tls: ssl.SSLContext | None = None) -> Times:
    """Return the milliseconds of the requests by path and number of slow clients."""
    times: Times = {(path, number): [] for path in PATHS for number in (0, SLOW)}
    for path in PATHS:
        asked(port, tls, path)
    for _turn in range(TURNS):
        for number in (0, SLOW):
            for path, own in turn(port, tls, number).items():
                times[path, number] += own
    return times


def turn(port: int, tls: ssl.SSLContext | None, number: int) -> dict[str, list[float]]:
    """Return the milliseconds of a turn during which this number of slow clients stayed connected.

    RuntimeError if some are cut off each time: a turn takes longer than their ten seconds.
    """
    for _attempt in range(ATTEMPTS):
        with slow_clients(number, port, tls) as slow:
            times = {path: [asked(port, tls, path) for _request in range(EACH)] for path in PATHS}
            if number_open(slow) == number:
                return times
    raise RuntimeError(f"some of the {number} slow clients were cut off in each of {ATTEMPTS} turns")


def asked(port: int, tls: ssl.SSLContext | None, path: str) -> float:
    """Return the milliseconds until a new client has the response."""
    connection = Connection(port, tls)
    answer = connection.get(PATHS[path])
    connection.close()
    if answer.status != OK:
        raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
    return answer.took


def printed(name: str, times: Times) -> bool:
    """Print a line for each path; return True if slow clients made its requests too slow."""
    failed = False
    for path in PATHS:
        (middle, last), (slowed, slowest) = (
            (share(times[path, number], 0.5), share(times[path, number], 0.99)) for number in (0, SLOW)
        )
        figures = [f"{middle:.1f}", f"{slowed:.1f}", f"{slowed / middle:.2f}", f"{last:.1f}", f"{slowest:.1f}"]
        print(f"| {name} | {path} | {' | '.join(figures)} |", flush=True)
        failed |= slowest > max(LIMIT, MOST * last)
    return failed


if __name__ == "__main__":
    sys.exit(main())
