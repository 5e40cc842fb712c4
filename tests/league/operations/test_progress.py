"""Progress of a long start on the terminal."""

from __future__ import annotations

import time

from league.management.progress import progress


def test_the_step_being_done_is_written_with_the_elapsed_seconds_until_the_end() -> None:
    written: list[str] = []
    with progress(written.append, every=0.01) as begin:
        for step in ("first", "second"):
            begin(step)
            while not any(step in line for line in written):
                time.sleep(0.001)
    count = len(written)
    assert written[-1] == "    0 s: second"
    time.sleep(0.05)
    assert len(written) == count


def test_a_quick_start_writes_nothing() -> None:
    written: list[str] = []
    with progress(written.append) as begin:
        begin("only")
    assert written == []
