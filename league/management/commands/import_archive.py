"""`manage.py import_archive FILE`: import a competition from an archive if its standings come out the same."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from league.files.archive import ArchiveRefusedError
from league.models import Door
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.exchange.archives import import_archive
from scoring.ruleset import FaultsError


class Command(BaseCommand):
    """Import an archive."""

    help = "Imports a competition from an archive. Nothing is kept unless its standings are those of the archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the archive, and another slug and name for the competition."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="the competition's address, instead of the archive's")
        parser.add_argument("--name", default="", help="the competition's name, instead of the archive's")

    def handle(self, *args: object, file: Path, slug: str, name: str, **options: object) -> None:
        """Import the archive, or exit with 1 and every error."""
        try:
            competition = import_archive(
                data=file.read_bytes(),
                by=Actor.system(Door.IMPORT),
                slug=slug,
                name=name,
            )
        except (ArchiveRefusedError, ServiceError, FaultsError, OSError) as error:
            raise CommandError(f"Nothing was imported: {error}") from error
        self.stdout.write(f"{competition.name} ({competition.slug}) is imported; its standings are the archive's.")
