"""`manage.py verify_archive FILE`: check an archive's digests and recompute its standings. Nothing is kept."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, no_translations

from league.files.archive import ArchiveRefusedError, unpack_archive
from league.files.season_archive import kind_of_archive, unpack_season
from league.platform.errors import ServiceError
from league.services.exchange.archives import verify_archive
from league.services.exchange.season_archives import verify_season
from scoring.ruleset import FaultsError


class Command(BaseCommand):
    """Verify an archive."""

    help = "Checks every digest of an archive, lets its competition happen again and compares the standings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the archive."""
        parser.add_argument("file", type=Path)

    @no_translations
    def handle(self, *args: object, file: Path, **options: object) -> None:
        """Print that the archive is intact, or exit with 1 and the reason."""
        try:
            told = self.verified(file.read_bytes())
        except (ArchiveRefusedError, ServiceError, FaultsError, OSError) as error:
            raise CommandError(f"{file}: {error}") from error
        self.stdout.write(told)

    def verified(self, data: bytes) -> str:
        """Verify an archive of any kind and return what it has led to."""
        if kind_of_archive(data) == "competition":
            archive = unpack_archive(data)
            verify_archive(data=data)
            return f"{archive.name} ({archive.slug}) is whole and leads to its standings: {archive.digest}"
        season = unpack_season(data)
        verify_season(data=data)
        return f"{season.facts.name} ({season.facts.slug}) is whole and leads to its outcome: {season.digest}"
