"""The folder in which several processes keep what they count. Needs no Django: the server's first process uses it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def forget_dead_processes(folder: Path) -> None:
    """Drop the files of processes that are gone; called when a server starts, before any process counts."""
    for file in folder.glob("*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path("/proc", pid).exists():
            with suppress(FileNotFoundError):
                file.unlink()
