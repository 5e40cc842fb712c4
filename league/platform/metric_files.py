"""The folder in which several processes keep their metric counters.

This module needs no Django, because the server's first process uses it before Django is set up.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def forget_dead_processes(folder: Path) -> None:
    """Delete the counter files of processes that no longer run.

    Called at a server's start, before any process counts.
    """
    for file in folder.glob("*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path("/proc", pid).exists():
            # Two servers that start together may find the same file.
            with suppress(FileNotFoundError):
                file.unlink()
