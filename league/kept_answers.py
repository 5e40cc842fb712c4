"""What everybody reads, written once and handed out again, also while the next is being written.

The one idea: while results come in, a page changes faster than anybody reads it. So whoever asks for a newer one gets
the one before as long as that is only a moment old, and the newer is written aside, at most once a second for each
place, and where it is dear to write every other second. Nobody waits for a page that somebody else could read a moment
ago, and ten results a second cost no more pages than one. What an answer says is still of one version, and its tag is
that version's.

A tag names everything that an answer depends on, a place the same without the version. `SERVED_AGAIN_SECONDS` is less
than the `max-age` that the answers carry: a cache on the way may do the same; and `SERVED_MEANWHILE_SECONDS` less than
their `stale-while-revalidate`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache as once
from functools import partial
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import close_old_connections
from django.utils import timezone, translation

KEPT_SECONDS = 300
RENEWED_SECONDS, LONGEST_REST = 1, 2
"""A place is written anew at most once in so many seconds, by whichever process comes first; a dear one less often."""
REST = 20
"""A place rests so many times as long as it took to write, within these bounds."""
BEING_WRITTEN, RESTS = "being written", "rests"
"""What becomes of a place."""
TURNS = tuple(Lock() for _ in range(64))

logger = logging.getLogger(__name__)
Write = Callable[[], bytes]


class Wanted(NamedTuple):
    """Which answer is wanted."""

    tag: str
    """Names everything that it depends on, with its address or together with it."""
    address: str = ""
    place: str = ""
    """The same without the version; empty where only the newest will do."""

    def key(self, tag: str) -> str:
        """Where the answer of this or another tag is kept."""
        return f"kept:{hashlib.sha256(f'{tag} {self.address}'.encode()).hexdigest()}"


class Kept(NamedTuple):
    """An answer as it was written, and the tag it was written under."""

    tag: str
    written: bytes


def kept_or_written(wanted: Wanted, write: Write) -> Kept:
    """The answer; the one before it where that is a moment old, and then the next is written aside."""
    asked_at = time.time()
    if (found := kept(wanted, wanted.tag)) is not None:
        return found
    if (before := a_moment_old(wanted)) is None:
        return written_once(wanted, write)
    renew_aside(wanted, partial(keep, wanted, write, asked_at))
    return before


def kept(wanted: Wanted, tag: str) -> Kept | None:
    """The answer under exactly this tag."""
    written = cache.get(wanted.key(tag))
    return None if written is None else Kept(tag, written)


def a_moment_old(wanted: Wanted) -> Kept | None:
    """The last answer written for the place, if what it says was read no longer ago than may be served again.

    On a machine that has more to do than it can, writing the next takes longer: whoever asks meanwhile does not write
    it as well, but reads what is a little older.
    """
    allowed = settings.SERVED_AGAIN_SECONDS if wanted.place else 0
    newest = cache.get(f"newest:{wanted.place}") if allowed else None
    if newest is None:
        return None
    tag, read_at = newest
    age = time.time() - read_at
    if age > allowed and not (age <= settings.SERVED_MEANWHILE_SECONDS and is_being_written(wanted)):
        return None
    return kept(wanted, tag)


def is_to_be_renewed(wanted: Wanted) -> bool:
    """Whether it is for whoever asks to write the next: it is time, and nobody else is at it."""
    return cache.add(f"renewed:{wanted.place}", BEING_WRITTEN, settings.SERVED_MEANWHILE_SECONDS)


def is_being_written(wanted: Wanted) -> bool:
    """Whether somebody is at it."""
    return bool(cache.get(f"renewed:{wanted.place}") == BEING_WRITTEN)


def written_once(wanted: Wanted, write: Write) -> Kept:
    """The answer, written now; who asks for it at the same time in this process waits for it instead of writing too."""
    read_at = time.time()
    with TURNS[hash(wanted) % len(TURNS)]:
        return kept(wanted, wanted.tag) or keep(wanted, write, read_at)


def keep(wanted: Wanted, write: Write, read_at: float) -> Kept:
    """Write it. The version was read at `read_at`, before it was its turn: what is kept is never older than that."""
    written = write()
    cache.set(wanted.key(wanted.tag), written, KEPT_SECONDS)
    if wanted.place:
        _, newest_at = cache.get(f"newest:{wanted.place}", ("", 0.0))
        if read_at >= newest_at:  # one that was begun later may be ready sooner
            cache.set(f"newest:{wanted.place}", (wanted.tag, read_at), KEPT_SECONDS)
    return Kept(wanted.tag, written)


def renew_aside(wanted: Wanted, work: Callable[[], object]) -> None:
    """Let the next for a place be written by a thread of its own, unless somebody is at it or the place rests.

    It is written in the language and the time zone in force.
    """
    if is_to_be_renewed(wanted):
        _writer().submit(_work_aside, wanted, work, translation.get_language(), timezone.get_current_timezone())


@once
def _writer() -> ThreadPoolExecutor:
    """The thread that writes aside; each process makes its own when it first needs it."""
    return ThreadPoolExecutor(1, thread_name_prefix="aside")


def _work_aside(wanted: Wanted, work: Callable[[], object], language: str | None, zone: dt.tzinfo) -> None:
    """Write the next; if that fails, whoever asks later writes it and is told why."""
    began = time.perf_counter()
    try:
        close_old_connections()
        with translation.override(language), timezone.override(zone):
            work()
    except Exception:
        logger.exception("a page could not be written aside; it is written for the next who asks")
    finally:
        let_rest(wanted, time.perf_counter() - began)
        close_old_connections()


def let_rest(wanted: Wanted, took: float) -> None:
    """Nobody writes for a place for a while, which depends on how many seconds it took."""
    seconds = min(max(RENEWED_SECONDS, math.ceil(REST * took)), LONGEST_REST)
    cache.set(f"renewed:{wanted.place}", RESTS, seconds)
