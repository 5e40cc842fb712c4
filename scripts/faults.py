"""Kill and freeze the service's parts at random while results come in; check that no result was lost or doubled.

    python -m scripts.faults --kills 200 --database postgres --seed 7

Parts are ended as a power failure ends them (SIGKILL) and restarted as systemd would, or frozen for 1 to 30 seconds as
a virtual machine or a hung disk freezes them (SIGSTOP, SIGCONT); nothing else is repaired.
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
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from scripts.fault_clients import CREATED, Client, Tally, Visitor, submit
from scripts.fault_killer import LONGEST_FREEZE, Killer
from scripts.fault_parts import START_SECONDS, Service, log_tails, service_in
from scripts.servers import wait_until_open

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 4
PEOPLE = 8
HANCHAN_OF_TABLE = 20
HANCHAN_PER_KILL = 60
LEAST_HANCHAN = 200
RECOVERY_SECONDS = 180
ALL_IS_WELL = "Nothing lost, nothing doubled, standings as a rebuild gives them, all without help."


def set_up(hanchan: int, competitions: int) -> tuple[queue.Queue[dict[str, Any]], list[str]]:
    """Create competitions with this number of hanchan altogether, and an account with a token for each client."""
    from django.contrib.auth.models import User
    from django.db import transaction
    from knox.models import AuthToken

    users = [User.objects.create_user(username=f"client{number}") for number in range(CLIENTS)]
    slugs, share = [f"cup{number}" for number in range(competitions)], hanchan // competitions
    with transaction.atomic():  # publishes each competition once, not after each change
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


def run(service: Service, kills: int, seed: int, longest_freeze: float) -> int:
    """Cause this number of faults, freezes of at most these seconds, then check. Return 0 if all is well."""
    work, tokens = prepare(service, max(LEAST_HANCHAN, kills * HANCHAN_PER_KILL))
    service.start()
    if fault := service.wait_until_ready(START_SECONDS):
        print(f"The service did not get ready: {fault}\n{log_tails(service)}", file=sys.stderr)
        return 1
    tally, begun = Tally(), time.monotonic()
    clients = [Client(service.port, token, work, tally, pace=0.2) for token in tokens]
    visitor = Visitor(service.port, tally)
    killer = Killer(service, tally, seed, longest_freeze)
    for each in (*clients, visitor):
        each.start()
    for number in range(1, kills + 1):
        killer.strike()
        if number % 10 == 0:
            print(f"{number} faults, {len(tally.answered)} results, {time.monotonic() - begun:.0f} s", flush=True)
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
    statuses = ", ".join(f"{status}: {number}" for status, number in sorted(tally.statuses.items()))
    print(
        f"Seed {seed}: {killer.number} faults in {seconds:.0f} s, and the seconds until the next result (median, most):"
    )
    for fault, waits in sorted(killer.recoveries.items()):
        print(f"  {len(waits):3} {fault}: {median(waits):.1f}, {max(waits):.1f}")
    print(
        f"  web hit during a submission {killer.in_submission} times, a worker while it computed {killer.in_recompute};"
    )
    for kind, slowest in sorted(killer.slowest_reads().items()):
        print(f"  slowest page after the first second of {kind}: {slowest:.1f} s;")
    print(f"  {len(tally.answered)} results answered, {tally.cut_off} connections cut, {tally.sent_again} sent again,")
    print(f"  longest time to an answer {tally.longest:.1f} s; answers {statuses}.")


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--longest-freeze", type=float, default=LONGEST_FREEZE, help="in seconds")
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    parser.add_argument("--tables", default="", help="file or address of a database with all tables, to start from it")
    given = parser.parse_args()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="jantaku-faults-", ignore_cleanup_errors=True) as name:
        folder = Path(tempfile.mkdtemp(prefix="jantaku-faults-kept-")) if given.keep else Path(name)
        with service_in(folder, given.database, given.tables) as service:
            return run(service, given.kills, given.seed, given.longest_freeze)


if __name__ == "__main__":
    sys.exit(main())
