"""Kill the service's parts at random while results come in, and check that no result was lost or doubled.

    python -m scripts.faults --kills 200 --database postgres --seed 7

Parts are ended as a power failure ends them (SIGKILL) and restarted as systemd would; nothing else is repaired.
Clients submit results over REST, each with its Idempotency-Key, and retry until they have an answer, as any careful
client does. In the end everything must be correct without help: each answered result exists exactly once, standings
equal a rebuild, the service is ready. Real PostgreSQL, Redis, gunicorn, Celery worker and beat; or SQLite with the
embedded service.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psycopg

from scripts.fault_clients import CREATED, HOST, Client, Tally, Visitor, request, submit
from scripts.servers import (
    SURVIVING,
    Server,
    free_port,
    lay_down_postgresql,
    redis_server,
    started,
    wait_until_open,
)

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 4
PEOPLE = 8
HANCHAN_OF_TABLE = 20
HANCHAN_PER_KILL = 16
LEAST_HANCHAN = 200
RECOVERY_SECONDS = 180
START_SECONDS = 90
LONGEST_PAUSE = 30
OF_CHILD = 0.6
ALL_IS_WELL = "Nothing lost, nothing doubled, standings as a rebuild gives them, all without help."


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


class Service:
    """The service with its database and broker."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.port = free_port()
        self.parts: dict[str, Part] = {}
        self.env = os.environ | {"DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "league.settings"}
        self.env |= {"ALLOWED_HOSTS": HOST, "PORT": str(self.port), "DEMO": "0", "PYTHONWARNINGS": "ignore"}
        self.env |= {"LOG_LEVEL": "WARNING"}
        (folder / "data").mkdir()

    def lay_down(self) -> None:
        """Prepare and start the database and the broker."""
        if self.database == "sqlite":
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
        return lay_down_postgresql(folder, SURVIVING)

    def redis(self, folder: Path) -> Server:
        """Return a Redis that loses everything when killed."""
        return redis_server(folder)

    def start(self) -> None:
        """Start the service itself."""
        python = sys.executable
        commands = {"web": [python, "manage.py", "serve"]}
        if self.database != "sqlite":
            worker = [python, "-m", "celery", "--app", "league", "worker", "--concurrency", "2"]
            beat = [python, "-m", "celery", "--app", "league", "beat"]
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


class Killer:
    """Kills parts at random moments and restarts them a little later."""

    def __init__(self, service: Service, tally: Tally, seed: int) -> None:
        self.service, self.tally = service, tally
        self.chance = random.Random(seed)
        self.kills: Counter[str] = Counter()
        self.in_submission = 0
        self.in_recompute = 0

    def kill(self) -> None:
        """Kill a part or one of its children once results come in again, then restart it after a moment."""
        known = len(self.tally.answered)
        self.wait_for(lambda: len(self.tally.answered) > known + self.chance.randrange(4), LONGEST_PAUSE)
        name, of_child = self.victim()
        part = self.service.parts[name]
        if name == "web":
            self.wait_for(lambda: self.tally.under_way > 0)
            self.in_submission += self.tally.under_way > 0
        if name == "worker":
            self.in_recompute += self.wait_for(self.is_computing)
        if of_child:
            part.lose_child(self.chance)
        else:
            # The pause afterwards is the time that systemd would take to restart the part.
            part.cut_off()
            time.sleep(self.chance.choice((0, 0.2, 0.5, 1, 2)))
        self.kills[f"{name}{' (child)' if of_child else ''}"] += 1
        self.service.keep_alive()

    def victim(self) -> tuple[str, bool]:
        """Return a part's name, and True if only one of its children is to be killed."""
        if self.service.database == "sqlite":
            return "web", False  # one process, without children
        name = self.chance.choices(("postgres", "redis", "worker", "web", "beat"), (5, 4, 5, 6, 1))[0]
        return name, name in ("web", "worker", "postgres") and self.chance.random() < OF_CHILD

    def wait_for(self, holds: Callable[[], bool], seconds: float = 2) -> bool:
        """Return True if the condition came to hold in time: a kill shall hit work under way."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.002)
        return False

    def is_computing(self) -> bool:
        """Return True if a worker is computing standings now.

        Outdated standings alone say little: in a burst of results publishing waits for a second.
        """
        from league.services.standings.debounce import is_at_work

        server = self.service.parts["postgres"].server
        assert server  # noqa: S101 - only asked on PostgreSQL
        with suppress(psycopg.Error), psycopg.connect(server.address, autocommit=True, connect_timeout=1) as asking:
            behind = asking.execute("SELECT id FROM league_competition WHERE computed_version < version").fetchall()
            return any(is_at_work(pk) for (pk,) in behind)
        return False


def set_up(hanchan: int, competitions: int) -> tuple[queue.Queue[dict[str, Any]], list[str]]:
    """Create competitions with this number of hanchan altogether, and an account with a token for each client."""
    from django.contrib.auth.models import User
    from knox.models import AuthToken

    users = [User.objects.create_user(username=f"client{number}") for number in range(CLIENTS)]
    slugs, share = [f"cup{number}" for number in range(competitions)], hanchan // competitions
    jobs = [job for slug in slugs for job in competition_to_play(slug, share, users)]
    random.Random(0).shuffle(jobs)
    work: queue.Queue[dict[str, Any]] = queue.Queue()
    for job in jobs:
        work.put(job)
    return work, [AuthToken.objects.create(user)[1] for user in users]


def competition_to_play(slug: str, hanchan: int, directors: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Create an open competition of eight players; yield each hanchan with its entrants."""
    from league.models import Audience, Door, Membership, Role
    from league.selectors.access.actors import Actor
    from league.services.competitions import setup
    from league.services.competitions.schedule import Fixture, create_session, create_table_session

    by = Actor.system(Door.COMMAND)
    plan = setup.CompetitionPlan(
        slug=slug,
        name=slug,
        name_en=slug,
        ruleset="cinderella",
        league_format="open-play",
        audience=Audience.PUBLIC,
        shows_odds=False,
    )
    competition = setup.create_competition(plan=plan, by=by)
    people = [setup.new_player(name=f"P{place}", key=f"{slug}-{place}", by=by) for place in range(PEOPLE)]
    entrants = setup.enter_players(competition=competition, players=people, by=by)
    setup.set_status(competition=competition, status=competition.Status.PUBLISHED, by=by)
    for user in directors:
        Membership.objects.create(competition=competition, user=user, role=Role.DIRECTOR)
    session, block = create_session(competition=competition, by=by), competition.blocks.get()
    chance = random.Random(slug)
    for first in range(1, hanchan + 1, HANCHAN_OF_TABLE):
        four = tuple(chance.sample(entrants, 4))
        numbers = tuple(range(first, first + HANCHAN_OF_TABLE))
        table = create_table_session(
            session=session, fixture=Fixture(block=block, numbers=numbers, entrants=four), by=by
        )
        yield from ({"hanchan": each.pk, "entrants": [one.pk for one in four]} for each in table.hanchan.all())


def verify(tally: Tally, port: int) -> Iterator[str]:
    """Yield every fault found in the end."""
    from league.models import Competition
    from league.services.operations.verification import differences_of

    yield from results_compared(tally)
    for competition in Competition.objects.all():
        yield from (str(difference) for difference in differences_of(competition))
    yield from unlike_replays(tally, port)


def results_compared(tally: Tally) -> Iterator[str]:
    """Yield a fault unless every answered result exists once as submitted, and no other."""
    from league.models import ResultSheet

    sheets: dict[int, list[tuple[int, ...]]] = {}
    for sheet in ResultSheet.objects.prefetch_related("seats").order_by("pk"):
        scores = tuple(seat.score for seat in sorted(sheet.seats.all(), key=lambda seat: seat.seat))
        sheets.setdefault(sheet.hanchan_id, []).append(scores)
    for hanchan, scores in tally.answered.items():
        found = sheets.pop(hanchan, [])
        if not found:
            yield f"LOST: hanchan {hanchan} was answered and is not there"
        elif len(found) > 1:
            yield f"DOUBLED: hanchan {hanchan} is there {len(found)} times"
        elif found[0] != scores:
            yield f"hanchan {hanchan} holds {found[0]}, handed in was {scores}"
    yield from (f"hanchan {hanchan} has a result without an answer to any client" for hanchan in sheets)


def unlike_replays(tally: Tally, port: int) -> Iterator[str]:
    """Submit some results again with their keys; yield those not answered as replays."""
    for hanchan in list(tally.sent)[:: max(1, len(tally.sent) // 20)]:
        token, key, body = tally.sent[hanchan]
        status, headers, _said = submit(port, hanchan, token, key, body)
        if status != CREATED or headers.get("Idempotency-Replayed") != "true":
            yield f"hanchan {hanchan}, sent again with its key, was answered {status}"


@contextmanager
def service_in(folder: Path, database: str) -> Iterator[Service]:
    """Run the service in a folder; all of its parts are ended with the block."""
    service = Service(folder, database)
    try:
        service.lay_down()
        yield service
    finally:
        service.stop()


def run(service: Service, kills: int, seed: int) -> int:
    """Kill this number of times, then check. Return 0 if all is well."""
    work, tokens = prepare(service, max(LEAST_HANCHAN, kills * HANCHAN_PER_KILL))
    service.start()
    if fault := service.wait_until_ready(START_SECONDS):
        print(f"The service did not get ready: {fault}\n{log_tails(service)}", file=sys.stderr)
        return 1
    tally, begun = Tally(), time.monotonic()
    clients = [Client(service.port, token, work, tally, pace=0.2) for token in tokens]
    visitor = Visitor(service.port, tally)
    killer = Killer(service, tally, seed)
    for each in (*clients, visitor):
        each.start()
    for number in range(1, kills + 1):
        killer.kill()
        if number % 10 == 0:
            print(f"{number} kills, {len(tally.answered)} results, {time.monotonic() - begun:.0f} s", flush=True)
    wrong = [*come_to_rest(service, clients, visitor), *tally.faults[:20], *verify(tally, service.port)]
    report(tally, killer, time.monotonic() - begun, seed)
    print("\n".join([*wrong, log_tails(service)]) if wrong else ALL_IS_WELL, file=sys.stderr if wrong else sys.stdout)
    return 1 if wrong else 0


def prepare(
    service: Service, hanchan: int, competitions: int = CLIENTS
) -> tuple[queue.Queue[dict[str, Any]], list[str]]:
    """Migrate the database and create the accounts and competitions."""
    import django

    os.environ.update(service.env)
    if service.database != "sqlite":
        wait_until_open(service.env["DATABASE_URL"])
    django.setup()
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0)
    if service.database != "sqlite":
        collect_static()
    try:
        return set_up(hanchan, competitions)
    finally:
        connections.close_all()


def come_to_rest(service: Service, clients: list[Client], visitor: Visitor) -> Iterator[str]:
    """Let the clients finish and the service recover; yield a fault for each that does not."""
    for client in clients:
        client.ended.set()
    for client in clients:
        while client.is_alive():
            service.keep_alive()
            client.join(timeout=0.5)
    if not_ready := service.wait_until_ready(RECOVERY_SECONDS):
        yield f"the service did not recover: {not_ready}"
    visitor.ended.set()
    visitor.join(timeout=RECOVERY_SECONDS)
    if not is_published_within(RECOVERY_SECONDS):
        yield f"standings are still behind after {RECOVERY_SECONDS} seconds"


def collect_static() -> None:
    """Collect static files with hashed names as in production, but without compression, which is slow."""
    from django.conf import settings
    from django.core.management import call_command

    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    call_command("collectstatic", verbosity=0, interactive=False)


def is_published_within(seconds: float) -> bool:
    """Return True if the standings catch up within this time by themselves."""
    from league.selectors.operations.health import staleness

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not staleness().competitions:
            return True
        time.sleep(0.2)
    return False


def report(tally: Tally, killer: Killer, seconds: float, seed: int) -> None:
    """Print the figures."""
    kills = ", ".join(f"{name} {number}" for name, number in sorted(killer.kills.items()))
    statuses = ", ".join(f"{status}: {number}" for status, number in sorted(tally.statuses.items()))
    print(f"Seed {seed}: {killer.kills.total()} kills in {seconds:.0f} s ({kills});")
    print(
        f"  web killed during a submission {killer.in_submission} times, "
        f"a worker while it computed {killer.in_recompute};"
    )
    print(f"  {len(tally.answered)} results answered, {tally.cut_off} connections cut, {tally.sent_again} sent again,")
    print(f"  longest time to an answer {tally.longest:.1f} s; answers {statuses}.")


def log_tails(service: Service) -> str:
    """Return the ends of the newest logs."""
    ends = []
    for name, part in service.parts.items():
        logs = sorted(part.log.parent.glob(f"{name}.*.log"), key=lambda file: file.stat().st_mtime)[-2:]
        ends += [f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in logs]
    return "\n".join(ends)


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    given = parser.parse_args()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="jantaku-faults-", ignore_cleanup_errors=True) as name:
        folder = Path(tempfile.mkdtemp(prefix="jantaku-faults-kept-")) if given.keep else Path(name)
        with service_in(folder, given.database) as service:
            return run(service, given.kills, given.seed)


if __name__ == "__main__":
    sys.exit(main())
