"""A limit to the processor's time, which a loaded machine does not stretch as it stretches a clock's."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def processor_seconds(most: float) -> Iterator[None]:
    """Fail the test where what it does in here takes more seconds of the processor."""

    def stop(*_: object) -> None:
        pytest.fail(f"this took more than {most} seconds of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
