"""The service's processes, started and restarted as systemd would, so that they can be killed or frozen."""

from __future__ import annotations

import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

from scripts.fault_clients import HOST, request
from scripts.servers import SURVIVING, Server, free_port, lay_down_copy, lay_down_postgresql, redis_server, started

START_SECONDS = 90


class Part:
    """A process of the service with all its children; its output goes to a log."""

    def __init__(self, name: str, command: list[str], folder: Path, env: dict[str, str], server: Server | None) -> None:
        self.name, self.command, self.env, self.server = name, command, env, server
        self.log = folder / f"{name}.log"
        self.stack = ExitStack()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process with a new log file."""
        self.stack = ExitStack()
        user = self.server.user if self.server else None
        log = self.log.with_suffix(f".{time.monotonic_ns()}.log")
        self.process = self.stack.enter_context(started(self.command, log, user=user, env=self.env))

    @property
    def is_running(self) -> bool:
        """Return True if its first process is alive."""
        return self.process is not None and self.process.poll() is None

    def children(self) -> list[int]:
        """Return the ids of the processes below it at this moment."""
        assert self.process  # noqa: S101 - started before it is killed
        return descendants(self.process.pid)

    def cut_off(self) -> None:
        """Kill the process and all its children at once."""
        for pid in [self.process.pid, *self.children()] if self.process else []:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.stack.close()

    @contextmanager
    def frozen(self, chance: random.Random | None) -> Iterator[None]:
        """Suspend the process and all its children during the block, or with a source of chance one child alone."""
        assert self.process  # noqa: S101 - started before it is frozen
        suspended: list[int] = []
        if chance is None:
            suspended += suspend(self.process.pid)  # before its children, so that it makes no new ones
            suspended += [pid for child in self.children() for pid in suspend(child)]
        elif children := self.children():
            suspended += suspend(chance.choice(children))
        try:
            yield
        finally:
            for pid in suspended:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def lose_child(self, chance: random.Random) -> None:
        """Kill one of its children; the part must recover from that by itself."""
        with suppress(ProcessLookupError, IndexError):
            os.kill(chance.choice(self.children()), signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """Return the ids of all processes below another."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            below = [int(child) for child in (task / "children").read_text().split()]
            found += [each for child in below for each in (child, *descendants(child))]
    return found


def suspend(pid: int) -> list[int]:
    """Suspend a process; return its id, or nothing if it has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        return [pid]
    return []


class Service:
    """The service with its database and broker."""

    def __init__(self, folder: Path, database: str, tables: str = "") -> None:
        """Take the kind of database and, to start from its copy, the file or address of one with all tables."""
        self.folder, self.database, self.tables = folder, database, tables
        self.port = free_port()
        self.parts: dict[str, Part] = {}
        self.env = os.environ | {"DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "league.settings"}
        self.env |= {"ALLOWED_HOSTS": HOST, "PORT": str(self.port), "DEMO": "0", "PYTHONWARNINGS": "ignore"}
        self.env |= {"LOG_LEVEL": "WARNING"}
        (folder / "data").mkdir()

    def lay_down(self) -> None:
        """Prepare and start the database and the broker."""
        if self.database == "sqlite":
            if self.tables:
                shutil.copy(self.tables, self.folder / "data" / "jantaku.sqlite3")
            return
        for name, make in (("postgres", self.postgres), ("redis", self.redis)):
            folder = self.folder / name
            folder.mkdir()
            server = make(folder)
            self.parts[name] = Part(name, server.command, folder, self.env, server)
            self.parts[name].start()
        servers = {name: part.server for name, part in self.parts.items() if part.server}
        self.env |= {"MODE": "production", "SECRET_KEY": secrets.token_urlsafe(50), "BASE_URL": f"https://{HOST}"}
        self.env |= {"DATABASE_URL": servers["postgres"].address, "REDIS_URL": servers["redis"].address}
        self.env |= {"TRUSTED_PROXIES": "1"}

    def postgres(self, folder: Path) -> Server:
        """Return a PostgreSQL whose commits survive a kill."""
        (self.folder).chmod(0o755)
        if self.tables:
            return lay_down_copy(folder, self.tables, SURVIVING)
        return lay_down_postgresql(folder, SURVIVING)

    def redis(self, folder: Path) -> Server:
        """Return a Redis that loses everything when killed."""
        return redis_server(folder)

    def start(self) -> None:
        """Start the service itself."""
        python = sys.executable
        commands = {"web": [python, "manage.py", "serve"]}
        if self.database != "sqlite":
            worker = [python, "-m", "celery", "--app", "league", "--skip-checks", "worker", "--concurrency", "2"]
            beat = [python, "-m", "celery", "--app", "league", "--skip-checks", "beat"]
            commands = {
                "web": [python, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "league.wsgi"],
                "worker": worker,
                "beat": beat,
            }
        for name, command in commands.items():
            self.parts[name] = Part(name, command, self.folder, self.env, None)
            self.parts[name].start()

    def keep_alive(self) -> None:
        """Restart every part that has ended, as systemd would."""
        for part in self.parts.values():
            if not part.is_running:
                part.cut_off()
                part.start()

    def is_ready(self) -> tuple[bool, str]:
        """Return whether the health check reports ready, with its text."""
        try:
            status, _headers, said = request(self.port, "GET", "/health/ready", {})
        except (OSError, HTTPException) as fault:
            return False, repr(fault)
        return status == 200, said.decode(errors="replace")  # noqa: PLR2004

    def wait_until_ready(self, seconds: float) -> str:
        """Return '' once it is ready, restarting parts meanwhile; after the time limit its last text."""
        end = time.monotonic() + seconds
        said = "never asked"
        while time.monotonic() < end:
            self.keep_alive()
            is_ready, said = self.is_ready()
            if is_ready:
                return ""
            time.sleep(0.5)
        return said

    def stop(self) -> None:
        """End every part, the database and the broker last."""
        for part in reversed(self.parts.values()):
            part.cut_off()


@contextmanager
def service_in(folder: Path, database: str, tables: str) -> Iterator[Service]:
    """Run the service in a folder; all of its parts are ended with the block."""
    service = Service(folder, database, tables)
    try:
        service.lay_down()
        yield service
    finally:
        service.stop()


def log_tails(service: Service) -> str:
    """Return the ends of the newest logs."""
    ends = []
    for name, part in service.parts.items():
        logs = sorted(part.log.parent.glob(f"{name}.*.log"), key=lambda file: file.stat().st_mtime)[-2:]
        ends += [f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in logs]
    return "\n".join(ends)
