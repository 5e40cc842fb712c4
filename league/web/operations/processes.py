"""Preparation of a serving process before it accepts requests.

Anything loaded on first use delays the first request that needs it. The threads of one process share the interpreter
lock, and a garbage collection stops them all: both delay every page, so threads switch more often and objects loaded
at start are never scanned.
"""

import gc
import sys

from celery import current_app
from django.conf import settings
from django.template.loader import get_template
from django.urls import resolve, reverse
from django.utils import translation

from league.platform.environment import ROOT
from scoring.hand.shapes import patterns

TEMPLATES = ROOT / "templates"
BROKER_TIMEOUTS = {"socket_timeout": 1, "socket_connect_timeout": 1}
"""Seconds that a request waits for the broker; workers wait longer (`league.settings`)."""
TURN_SECONDS = 0.0005
"""Switch interval of the interpreter (default 5 ms); page requests wait little while a result is computed."""


def load() -> None:
    """Load views, URL patterns, translations, page templates and hand patterns: once, before processes are forked."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            reverse(resolve("/").view_name)
    for page in sorted(TEMPLATES.rglob("*.html")):
        get_template(str(page.relative_to(TEMPLATES)))
    patterns()


def settle() -> None:
    """Set up a web process: deadlines, short switch interval, startup objects frozen out of the GC."""
    # A new dictionary: Celery's configuration holds the one of the settings.
    current_app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS | BROKER_TIMEOUTS
    if not settings.ON_SQLITE:
        from league.platform.postgresql import DeadlineConnection  # noqa: PLC0415 - loads the driver

        DeadlineConnection.seconds = settings.STATEMENT_SECONDS
    sys.setswitchinterval(TURN_SECONDS)
    # Collect before `freeze`, which would keep garbage for ever; later collections skip frozen objects.
    gc.unfreeze()
    gc.collect()
    gc.freeze()
