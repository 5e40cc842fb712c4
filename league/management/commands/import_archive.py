"""`manage.py import_archive FILE`: import a competition, series or ranking if its outcome is that of the archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, no_translations

from league.files.archive import ArchiveRefusedError
from league.models import Competition, Door
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.exchange.season_archives import import_any
from scoring.ruleset import FaultsError


class Command(BaseCommand):
    """Import an archive."""

    help = "Imports an archive. Nothing is kept unless its standings, moves or lines are those of the archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the archive, and another slug and name for the competition."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="the competition's address, instead of the archive's")
        parser.add_argument("--name", default="", help="the competition's name, instead of the archive's")

    @no_translations
    def handle(self, *args: object, file: Path, slug: str, name: str, **options: object) -> None:
        """Import the archive, or exit with 1 and every error."""
        try:
            made = import_any(data=file.read_bytes(), by=Actor.system(Door.IMPORT), slug=slug, name=name)
        except (ArchiveRefusedError, ServiceError, FaultsError, OSError) as error:
            raise CommandError(f"Nothing was imported: {error}") from error
        outcome = "standings are" if isinstance(made, Competition) else "outcome is"
        self.stdout.write(f"{made.name} ({made.slug}) is imported; its {outcome} the archive's.")
