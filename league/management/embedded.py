"""Start-up and background work of an embedded service, which has neither Celery nor an administrator.

It migrates its database, creates the first account, loads the demo, and runs the periodic sweep in threads. Every step
can be repeated without harm, so an interrupted start is completed by the next one. The first account is created last:
as long as it is missing, no start has been completed.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import structlog
from celery import current_app
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command, get_commands
from django.db import close_old_connections

from league.models.operations import TICKER
from league.platform.environment import own_secret
from league.services.competitions.seating_searches import continue_search, searches_to_continue
from league.services.exchange.paifu_import import continue_paifu_import, imports_to_continue
from league.services.operations import heartbeats
from league.services.operations.independent_jobs import do_for_each
from league.services.operations.kept_backups import back_up_when_due
from league.services.standings.odds import odds_behind, publish_odds
from league.services.webhooks.delivery import deliver_webhooks

ADMIN_NAME = "admin"
PASSWORD_FILE = "admin_password"  # noqa: S105 - a file's name
PASSWORD_LENGTH = 12
DEMO_COMMAND = "load_demo"
SWEEP = "league.tasks.sweep"
FIRST_BACKUP_SECONDS, BACKUP_CHECK_SECONDS = 60, 600

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Login:
    """The credentials of the first account; `password` is None once it has been changed."""

    name: str
    password: str | None


def prepare(begin: Callable[[str], None] = lambda _step: None) -> Login:
    """Prepare the service for use, keeping all data, and return the first account's login.

    `begin` is told each step that may take long.

    1. Migrate the database.
    2. At the first start load the demo, unless DEMO=0.
    3. At the first start create the first account.
    """
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    begin("preparing the database")
    call_command("migrate", interactive=False, verbosity=0)
    users = get_user_model().objects
    if not users.filter(is_superuser=True).exists():
        if settings.ENVIRONMENT.demo and DEMO_COMMAND in get_commands():
            begin("loading the demo season and the parlour")
            call_command(DEMO_COMMAND)
        # Last on purpose: a start that is interrupted before this line is repeated as a first start.
        users.create_superuser(username=ADMIN_NAME, password=own_secret(_password_file(), PASSWORD_LENGTH))
    return login()


def login() -> Login:
    """Return the first account's login, with the generated password as long as that one is still valid."""
    admin = get_user_model().objects.filter(username=ADMIN_NAME, is_superuser=True).first()
    file = _password_file()
    if admin is None or not file.exists():
        return Login(ADMIN_NAME, None)
    password = own_secret(file)
    return Login(ADMIN_NAME, password if admin.check_password(password) else None)


def start_ticker(stopped: threading.Event) -> threading.Thread:
    """Start the thread that runs the sweep, imports, odds and searches for seatings, instead of a worker.

    Each is run every few seconds. The thread ends when `stopped` is set.
    """
    ticker = threading.Thread(target=_tick, args=(stopped,), name="ticker", daemon=True)
    ticker.start()
    return ticker


def start_messenger(stopped: threading.Event) -> threading.Thread:
    """Start the thread that sends webhooks every few seconds until `stopped` is set.

    It is a thread of its own, so that slow receivers delay neither the sweep nor the odds.
    """
    messenger = threading.Thread(target=_send, args=(stopped,), name="messenger", daemon=True)
    messenger.start()
    return messenger


def start_backup_keeper(stopped: threading.Event) -> threading.Thread:
    """Start the thread that makes a backup once a day until `stopped` is set.

    It is a thread of its own, because a backup of many results takes minutes.
    """
    keeper = threading.Thread(target=_keep_backups, args=(stopped,), name="backup keeper", daemon=True)
    keeper.start()
    return keeper


def _keep_backups(stopped: threading.Event) -> None:
    """Make the daily backup when it is due, asking a minute after the start and then every ten minutes."""
    wait = FIRST_BACKUP_SECONDS
    while not stopped.wait(wait):
        _do(back_up_when_due)
        wait = BACKUP_CHECK_SECONDS


def _tick(stopped: threading.Event) -> None:
    """Run the ticker's work every `SWEEP_SECONDS` until stopped."""
    while not stopped.wait(settings.SWEEP_SECONDS):
        _do(beat_ticker, current_app.tasks[SWEEP], import_online_games, publish_odds_behind, improve_seatings)


def _send(stopped: threading.Event) -> None:
    """Deliver the webhooks that are due every `SWEEP_SECONDS` until stopped."""
    while not stopped.wait(settings.SWEEP_SECONDS):
        _do(deliver_webhooks)


def _do(*works: Callable[[], object]) -> None:
    """Run each of these functions; log an exception and leave the work to the next round."""
    # No request ends in this thread, so Django never drops its database connection when it is broken or too old.
    close_old_connections()
    for work in works:
        try:
            work()
        except Exception:
            log.exception("%s failed and will be retried in the next round", getattr(work, "__name__", work))


def beat_ticker() -> None:
    """Record a heartbeat of the ticker for the health checks."""
    heartbeats.beat(TICKER)


def publish_odds_behind() -> None:
    """Recompute the odds of every competition published since; several results in between cause one computation."""
    do_for_each(publish_odds, odds_behind(), "odds of competition %s could not be computed; retried in the next round")


def import_online_games() -> None:
    """Go on with each import of online games for a few seconds."""
    do_for_each(lambda each: continue_paifu_import(*each), imports_to_continue(), "import %s failed; tried again")


def improve_seatings() -> None:
    """Go on with each search for a more even seating for a few seconds."""
    do_for_each(lambda each: continue_search(*each), searches_to_continue(), "seating search %s failed; tried again")


def _password_file() -> Path:
    folder: Path = settings.DATA_DIR
    return folder / PASSWORD_FILE
