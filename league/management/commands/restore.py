"""`manage.py restore FILE`: restore a backup into SQLite or PostgreSQL. See docs/backup.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import DatabaseError

from league.services.operations.backups import BackupRefusedError, restore_backup


class Command(BaseCommand):
    """Restore a backup."""

    help = "Puts a backup back into an empty database; nothing is changed unless all of it can be. See docs/backup.md."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the backup, and the option to replace existing data."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace everything that is in the database")

    @no_translations
    def handle(self, *args: object, file: Path, replace: bool, verbosity: int, **options: object) -> None:
        """Restore and print the number of rows; on failure exit with 1 and leave the database unchanged."""
        try:
            contents = restore_backup(file, replace=replace)
        except (BackupRefusedError, OSError, DatabaseError) as error:
            raise CommandError(f"Nothing was restored: {error}") from error
        if verbosity > 1:
            for label, count in contents.rows.items():
                self.stdout.write(f"{label}: {count}")
        self.stdout.write(
            f"{contents.count} rows of {len(contents.rows)} tables are back as of {contents.made_at} "
            f"({contents.database}). All users sign in again."
        )
