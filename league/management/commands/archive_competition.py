"""`manage.py archive_competition SLUG FILE`: write a competition to one file with digests. See docs/files.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from league.files.archive import EXCLUDED, pack_archive
from league.management.slugs import competition_at
from league.selectors.access.actors import Actor
from league.services.exchange.archives import archive_of


class Command(BaseCommand):
    """Archive a competition."""

    help = "Writes a competition to an archive, with everything held back from the public. See docs/files.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the competition's slug and the file to write."""
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, slug: str, file: Path, **options: object) -> None:
        """Write the archive; print its digest and the kinds of data it does not contain."""
        archive = archive_of(competition=competition_at(slug), by=Actor.system())
        try:
            file.write_bytes(pack_archive(archive))
        except OSError as error:
            raise CommandError(f"The archive could not be written: {error}") from error
        self.stdout.write(f"{archive.name} ({archive.slug}) is archived; digest of its standings: {archive.digest}")
        self.stdout.write(f"Not inside: {'; '.join(EXCLUDED)}.")
