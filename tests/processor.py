"""Limit a test's CPU time, which does not grow on a loaded machine as wall-clock time does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def processor_seconds(most: float) -> Iterator[None]:
    """Fail the test if the block takes more than this number of seconds of CPU time."""

    def stop(*_: object) -> None:
        pytest.fail(f"this took more than {most} seconds of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
