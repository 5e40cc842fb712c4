"""Work that is done for many and fails for one: the others must not wait for somebody to mend that one.

The one idea: what fails for one competition will most likely fail again the next time, every few seconds. So the fault
is logged, the rest is done, and nobody always comes first: not even work that ends its process or takes all its time
keeps the others from their turn for long.
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
    """Do the work for each, in another order every time; `failed` is what the log says, with a place for which it was.

    A database that is away, full or read-only is so for everybody: that ends the work and is raised.
    """
    waiting = list(subjects)
    random.shuffle(waiting)
    for subject in waiting:
        try:
            work(subject)
        except Exception as fault:
            if outage_of(fault) and not is_of_one(fault):
                raise
            logger.exception(failed, getattr(subject, "pk", subject))


def is_of_one(fault: BaseException) -> bool:
    """Whether it passes by itself and concerns only the rows it touched: somebody else held them."""
    state: str = getattr(fault.__cause__, "sqlstate", None) or ""
    return state.startswith(("40", "55"))
