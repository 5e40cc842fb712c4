"""`manage.py archive_ranking SLUG FILE`: write a ranking with its competitions to one file. See docs/files.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from league.files.archive import EXCLUDED
from league.files.season_archive import pack_season
from league.management.slugs import row_at
from league.models import Ranking
from league.selectors.access.actors import Actor
from league.services.exchange.season_archives import archive_of_ranking


class Command(BaseCommand):
    """Archive a ranking."""

    help = "Writes a ranking and the archives of its competitions to one file. See docs/files.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the slug of the ranking and the file to write."""
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, slug: str, file: Path, **options: object) -> None:
        """Write the archive; print its digest and the kinds of data it does not contain."""
        archive = archive_of_ranking(ranking=row_at(Ranking.objects.all(), slug), by=Actor.system())
        try:
            file.write_bytes(pack_season(archive))
        except OSError as error:
            raise CommandError(f"The archive could not be written: {error}") from error
        facts = archive.facts
        self.stdout.write(f"{facts.name} ({facts.slug}) is archived; digest of its outcome: {archive.digest}")
        self.stdout.write(f"Not inside: {'; '.join(EXCLUDED)}.")
