"""Backups in a folder: one file for each time, the newest few kept, and the time of the last one recorded.

The time is recorded in the database, as a heartbeat: metrics and the admin know it on every machine, wherever the
file lies.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from league.models.operations import BACKUP
from league.selectors.operations.health import backup_age
from league.services.operations import heartbeats
from league.services.operations.backups import Contents, write_backup

NAME = "jantaku-%Y%m%dT%H%M%SZ.zip"
"""The name of a backup by its time in UTC, so that names are ordered like times."""
NAMED_HERE = re.compile(r"jantaku-[0-9]{8}T[0-9]{6}Z\.zip")
DUE_AFTER = dt.timedelta(days=1)


def make_backup(file: Path) -> Contents:
    """Write a backup to this file and record its time.

    Raise OSError or DatabaseError if it cannot be written; the time is then not recorded.
    """
    contents = write_backup(file)
    heartbeats.beat(BACKUP)
    return contents


def make_kept_backup(folder: Path, kept: int) -> tuple[Path, Contents]:
    """Write a backup into the folder under the name of the time, then delete all but the newest `kept` files.

    Only files with such names are deleted, and only once the new one is complete.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / timezone.now().astimezone(dt.UTC).strftime(NAME)
    contents = make_backup(file)
    for old in kept_backups(folder)[kept:]:
        old.unlink(missing_ok=True)
    return file, contents


def kept_backups(folder: Path) -> list[Path]:
    """Return the backups in the folder that `make_kept_backup` has written, newest first."""
    if not folder.is_dir():
        return []
    return sorted((file for file in folder.iterdir() if NAMED_HERE.fullmatch(file.name)), reverse=True)


def back_up_when_due() -> None:
    """Make the daily backup of an embedded service if the newest backup of any kind is a day old."""
    age = backup_age().age
    if age is None or age >= DUE_AFTER:
        make_kept_backup(settings.ENVIRONMENT.backup_dir, settings.ENVIRONMENT.backups_kept)
