"""A burst of results is published together.

The first result of a while is published at once. What comes while that is done, or within `PUBLISHED_APART_SECONDS`
after it, is published together a little later, so ten results a second cost three computations a second.

Two marks in the cache say where a competition stands: how far its publication is, and that somebody has asked for the
next. The second goes before facts are read, so whoever found it there had committed in time to be read. What is lost, a
mark or a message, the sweep makes good.
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

PUT_OFF = "put off"
"""The name of the threads that wait."""
SENT, AT_WORK = "sent", "at work"
"""How far a publication is; once it is done, when that was, in seconds since the epoch."""


class Here:
    """Whether this process does itself what was put off: a service without workers does, a command ends too soon."""

    puts_off = False


def put_off_here() -> None:
    """From now on this process, which goes on, publishes bursts together although it has no workers."""
    Here.puts_off = True


def seconds_to_wait(competition_id: int) -> float | None:
    """How long to wait with publishing: 0 where it is time; None where somebody else has asked for then already."""
    if not _together() or cache.add(_progress(competition_id), SENT, settings.SWEEP_SECONDS):
        return 0
    apart: float = settings.PUBLISHED_APART_SECONDS
    progress = cache.get(_progress(competition_id))
    passed = max(0.0, time.time() - progress) if isinstance(progress, float) else 0.0
    if passed >= apart:
        cache.set(_progress(competition_id), SENT, settings.SWEEP_SECONDS)
        return 0
    return apart - passed if cache.add(_asked(competition_id), "", settings.SWEEP_SECONDS) else None


def begin(competition_id: int) -> bool:
    """Begin to publish; False where somebody else is at it. Who asks from here on comes too late for this one."""
    if not _together():
        return True
    cache.delete(_asked(competition_id))
    if is_at_work(competition_id):
        return False
    cache.set(_progress(competition_id), AT_WORK, settings.SWEEP_SECONDS)
    return True


def is_at_work(competition_id: int) -> bool:
    """Whether somebody is publishing it just now."""
    return bool(cache.get(_progress(competition_id)) == AT_WORK)


def end(competition_id: int) -> None:
    """It is published; the next is due a little later."""
    if _together():
        cache.set(_progress(competition_id), time.time(), settings.SWEEP_SECONDS)


def put_off(work: Callable[[], object], seconds: float) -> None:
    """Do it in a thread of its own when the time has come."""
    timer = Timer(seconds, partial(_do, work))
    timer.name, timer.daemon = PUT_OFF, True
    timer.start()


def _do(work: Callable[[], object]) -> None:
    """Work that reads and writes, at the end of which its thread ends."""
    try:
        work()
    finally:
        connection.close()


def _together() -> bool:
    return bool(settings.PUBLISHED_APART_SECONDS) and (Here.puts_off or not current_app.conf.task_always_eager)


def _progress(competition_id: int) -> str:
    return f"publication:{competition_id}"


def _asked(competition_id: int) -> str:
    return f"publication-asked-for:{competition_id}"
