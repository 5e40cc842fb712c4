"""Run a job for each item; log a failure and carry on with the rest.

A fault of one competition will most likely occur again every few seconds, at each sweep. It must not block the
others, so it is logged, and the order is random: even a job that kills its process or takes all the time cannot
keep the same items waiting for long.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable
from typing import TypeVar

from league.platform.outages import outage_of

T = TypeVar("T")
logger = logging.getLogger(__name__)


def do_for_each(work: Callable[[T], object], subjects: Iterable[T], failed: str) -> None:
    """Run `work` for each subject in random order; `failed` is the log message with a placeholder for the subject's id.

    A database that is away, full or read-only fails for all subjects: that error ends the loop and is raised.
    """
    waiting = list(subjects)
    # Not a fixed order: an item that crashes the worker would starve all items after it.
    random.shuffle(waiting)
    for subject in waiting:
        try:
            work(subject)
        except Exception as fault:
            if outage_of(fault) and not is_of_one(fault):
                raise
            logger.exception(failed, getattr(subject, "pk", subject))


def is_of_one(fault: BaseException) -> bool:
    """Return True for a database error that is temporary and limited to the rows it touched (lock or serialization)."""
    state: str = getattr(fault.__cause__, "sqlstate", None) or ""
    # SQLSTATE class 40: serialization failure or deadlock; class 55: lock not available.
    return state.startswith(("40", "55"))
