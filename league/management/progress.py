"""Progress of a long command on the terminal: what is being done and for how long, every few seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY_SECONDS = 5
taken_over = threading.Event()
"""Set once this module tells the progress; before, `manage.py` does."""


@contextmanager
def progress(write: Callable[[str], object], every: float = EVERY_SECONDS) -> Iterator[Callable[[str], None]]:
    """Yield a function that names the step being done; a thread writes it with the seconds since the beginning.

    Nothing is written within the first `every` seconds, so a quick start stays quiet.
    """
    begun, done = time.monotonic(), threading.Event()
    step = ""

    def begin(name: str) -> None:
        nonlocal step
        step = name

    def tell() -> None:
        while not done.wait(every):
            write(f"  {time.monotonic() - begun:3.0f} s: {step}")

    thread = threading.Thread(target=tell, name="progress", daemon=True)
    thread.start()
    taken_over.set()
    try:
        yield begin
    finally:
        done.set()
        thread.join()
