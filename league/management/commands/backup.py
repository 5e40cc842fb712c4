"""`manage.py backup [FILE]`: write the whole database to one file while the service runs. See docs/backup.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from league.services.operations.kept_backups import make_backup, make_kept_backup


class Command(BaseCommand):
    """Back up the database."""

    help = "Writes everything in the database to one file, as it stands at one moment. See docs/backup.md."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file to write."""
        told = "without it a new file in BACKUP_DIR, where the newest BACKUPS_KEPT are kept"
        parser.add_argument("file", type=Path, nargs="?", help=told)

    def handle(self, *args: object, file: Path | None, **options: object) -> None:
        """Write the backup, and print the settings that must be kept besides."""
        environment = settings.ENVIRONMENT
        try:
            if file is None:
                file, contents = make_kept_backup(environment.backup_dir, environment.backups_kept)
            else:
                contents = make_backup(file)
        except (OSError, DatabaseError) as error:
            raise CommandError(f"The backup could not be written: {error}") from error
        self.stdout.write(f"{file}: {contents.count} rows of {len(contents.rows)} tables, {file.stat().st_size} bytes.")
        self.stdout.write("Keep besides: SECRET_KEY and the other settings of the environment; they are not inside.")
