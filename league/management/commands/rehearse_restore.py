"""`manage.py rehearse_restore [BACKUP]`: prove that a backup can be restored. See docs/backup.md."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import DatabaseError

from league.services.operations.backups import BackupRefusedError
from league.services.operations.kept_backups import kept_backups
from league.services.operations.rehearsals import RehearsalFailedError, rehearse_restore


class Command(BaseCommand):
    """Rehearse a restore."""

    help = "Restores the newest backup into a temporary database, verifies and counts it, and leaves nothing behind."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the backup and the kind of the temporary database."""
        parser.add_argument("file", type=Path, nargs="?", help="the backup; without it the newest in BACKUP_DIR")
        parser.add_argument("--sqlite", action="store_true", help="use an SQLite file even if the service does not")

    @no_translations
    def handle(self, *args: object, file: Path | None, sqlite: bool, **options: object) -> None:
        """Print the time of each step and the result, or exit with 1 and the reason."""
        chosen = file or newest_backup()
        # Without this a stopped systemd service would leave the temporary database.
        before = signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(1))
        try:
            done = rehearse_restore(chosen, in_sqlite=sqlite)
        except (BackupRefusedError, RehearsalFailedError, OSError, DatabaseError) as error:
            raise CommandError(f"{chosen} cannot be restored: {error}") from error
        finally:
            signal.signal(signal.SIGTERM, before)
        contents = done.contents
        self.stdout.write(f"{chosen} of {contents.made_at}: {contents.count} rows of {len(contents.rows)} tables.")
        for step, seconds in done.seconds.items():
            self.stdout.write(f"{step:>9} in {seconds:.1f} s")
        self.stdout.write("This backup can be restored: every competition follows from its facts, no row is missing.")


def newest_backup() -> Path:
    """Return the newest backup in BACKUP_DIR. CommandError if there is none."""
    folder = settings.ENVIRONMENT.backup_dir
    found = kept_backups(folder)
    if not found:
        raise CommandError(f"There is no backup in {folder}. Make one with manage.py backup, or name a file.")
    return found[0]
