"""What a process that serves does before it answers anybody.

Whatever is loaded when it is first needed is waited for by whoever asks first. Threads of one process compute in turn,
and whoever collects garbage lets nobody else compute meanwhile: both are waited for by everybody who asks for a page.
"""

import gc
import sys

from django.conf import settings
from django.template.loader import get_template
from django.urls import resolve, reverse
from django.utils import translation

from league.platform.environment import ROOT

TEMPLATES = ROOT / "templates"
TURN_SECONDS = 0.0005
"""So long a thread computes before another gets its turn: who reads waits little while a result is worked on."""
NEW_OBJECTS, YOUNG, OLD = 10_000, 20, 50
"""Garbage is looked for after so many new objects; among older and old ones every so many times."""


def load() -> None:
    """Load the views, the addresses and words of each language, and every page's template: once, before any fork."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            reverse(resolve("/").view_name)
    for page in sorted(TEMPLATES.rglob("*.html")):
        get_template(str(page.relative_to(TEMPLATES)))


def settle() -> None:
    """Prepare a web process: statements get a deadline, threads short turns, and loaded objects are not collected."""
    if not settings.ON_SQLITE:
        from league.platform.statement_deadlines import DeadlineConnection

        DeadlineConnection.seconds = settings.STATEMENT_SECONDS
    sys.setswitchinterval(TURN_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG, OLD)
