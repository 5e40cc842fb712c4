"""Debounce publishing: the first result is published at once, later ones together a little later.

Results that arrive while a publication runs, or within `PUBLISHED_APART_SECONDS` after it, are published together,
so that ten results a second cost two computations a second.

Two cache entries hold a competition's state: the progress of its publication, and a flag that the next one has been
requested. The flag is deleted before the facts are read, so a save that still found it set had committed in time to
be read. If an entry or a message is lost, the sweep publishes instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Timer

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection

TIMER_NAME = "put off"
"""The name of the threads that wait to publish."""
SENT, AT_WORK = "sent", "at work"
"""The progress of a publication; once it is done, the entry holds its end in seconds since the epoch instead."""


class ThisProcess:
    """State of this process: `runs_later` is true if it publishes delayed bursts itself, in a thread.

    A service without workers does; a command does not, because it ends too soon.
    """

    runs_later = False


def debounce_in_this_process() -> None:
    """Let this long-running process debounce publishing itself, although it has no workers."""
    ThisProcess.runs_later = True


def seconds_to_wait(competition_id: int) -> float | None:
    """Return the delay in seconds before publishing: 0 for now, None if a later publication is already requested."""
    # `add` is atomic: of several saves at once exactly one publishes without delay. The timeout lets the sweep take
    # over after a crash.
    if not _together() or cache.add(_progress(competition_id), SENT, settings.SWEEP_SECONDS):
        return 0
    apart: float = settings.PUBLISHED_APART_SECONDS
    progress = cache.get(_progress(competition_id))
    passed = max(0.0, time.time() - progress) if isinstance(progress, float) else 0.0
    if passed >= apart:
        cache.set(_progress(competition_id), SENT, settings.SWEEP_SECONDS)
        return 0
    return apart - passed if cache.add(_asked(competition_id), "", settings.SWEEP_SECONDS) else None


def begin_publication(competition_id: int) -> bool:
    """Start a publication; False if another process is publishing. Results saved after this need the next one."""
    if not _together():
        return True
    # Before the facts are read: a save committed later finds no flag and requests the next publication.
    cache.delete(_asked(competition_id))
    if is_at_work(competition_id):
        return False
    cache.set(_progress(competition_id), AT_WORK, settings.SWEEP_SECONDS)
    return True


def is_at_work(competition_id: int) -> bool:
    """Return True while a process is publishing the competition."""
    return bool(cache.get(_progress(competition_id)) == AT_WORK)


def end_publication(competition_id: int) -> None:
    """Mark the publication as done now; the next one is due `PUBLISHED_APART_SECONDS` later."""
    if _together():
        cache.set(_progress(competition_id), time.time(), settings.SWEEP_SECONDS)


def run_later(work: Callable[[], object], seconds: float) -> None:
    """Run `work` in a daemon thread of its own after `seconds`."""
    timer = Timer(seconds, partial(_do, work))
    timer.name, timer.daemon = TIMER_NAME, True
    timer.start()


def _do(work: Callable[[], object]) -> None:
    """Run database work in a thread that ends afterwards, and close the thread's database connection."""
    try:
        work()
    finally:
        connection.close()


def _together() -> bool:
    return bool(settings.PUBLISHED_APART_SECONDS) and (ThisProcess.runs_later or not current_app.conf.task_always_eager)


def _progress(competition_id: int) -> str:
    return f"publication:{competition_id}"


def _asked(competition_id: int) -> str:
    return f"publication-asked-for:{competition_id}"
