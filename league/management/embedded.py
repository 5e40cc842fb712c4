"""What an embedded service does for itself: its database, its first account, its demo, its sweep.

The one idea: everything here can be done again without harm, so a start that was cut short is made good by the next.
The first account is made last; while there is none, the service has never been started to the end.
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
from league.services.operations import heartbeats
from league.services.operations.independent_jobs import do_for_each
from league.services.standings.odds import odds_behind, publish_odds
from league.services.webhooks.delivery import deliver_webhooks

ADMIN_NAME = "admin"
PASSWORD_FILE = "admin_password"  # noqa: S105 - a file's name
PASSWORD_LENGTH = 12
DEMO_COMMAND = "load_demo"
SWEEP = "league.tasks.sweep"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Login:
    """How to log in as the first account; no password once it was changed."""

    name: str
    password: str | None


def prepare() -> Login:
    """Bring the service to where it can be used, keeping all data.

    1. Bring the database's tables up to date.
    2. At the first start load the demo, unless DEMO=0.
    3. At the first start make the first account.
    """
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    users = get_user_model().objects
    if not users.filter(is_superuser=True).exists():
        if settings.ENVIRONMENT.demo and DEMO_COMMAND in get_commands():
            call_command(DEMO_COMMAND)
        users.create_superuser(username=ADMIN_NAME, password=own_secret(_password_file(), PASSWORD_LENGTH))
    return login()


def login() -> Login:
    """The first account's login, with its generated password as long as that is still the one."""
    admin = get_user_model().objects.filter(username=ADMIN_NAME, is_superuser=True).first()
    file = _password_file()
    if admin is None or not file.exists():
        return Login(ADMIN_NAME, None)
    password = own_secret(file)
    return Login(ADMIN_NAME, password if admin.check_password(password) else None)


def start_ticker(stopped: threading.Event) -> threading.Thread:
    """Sweep every few seconds until told to stop and compute odds that are behind, as beat and a worker would."""
    ticker = threading.Thread(target=_tick, args=(stopped,), name="ticker", daemon=True)
    ticker.start()
    return ticker


def start_messenger(stopped: threading.Event) -> threading.Thread:
    """Send webhooks every few seconds until told to stop; slow receivers keep neither sweep nor odds waiting."""
    messenger = threading.Thread(target=_send, args=(stopped,), name="messenger", daemon=True)
    messenger.start()
    return messenger


def _tick(stopped: threading.Event) -> None:
    """Sweep, rest, and again."""
    while not stopped.wait(settings.SWEEP_SECONDS):
        _do(show_life, current_app.tasks[SWEEP], publish_odds_behind)


def _send(stopped: threading.Event) -> None:
    """Send what is due, rest, and again."""
    while not stopped.wait(settings.SWEEP_SECONDS):
        _do(deliver_webhooks)


def _do(*works: Callable[[], object]) -> None:
    """Do each of these; what fails is logged and tried anew the next time."""
    close_old_connections()
    for work in works:
        try:
            work()
        except Exception:
            log.exception("%s failed; the next time it is tried again", getattr(work, "__name__", work))


def show_life() -> None:
    """The ticker is alive."""
    heartbeats.beat(TICKER)


def publish_odds_behind() -> None:
    """Compute the odds of whatever was published since; however many results came in, they are computed once."""
    do_for_each(
        publish_odds, odds_behind(), "odds of competition %s could not be computed; the next time it is tried again"
    )


def _password_file() -> Path:
    folder: Path = settings.DATA_DIR
    return folder / PASSWORD_FILE
