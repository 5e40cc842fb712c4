"""`manage.py recompute SLUG`: publish standings computed from the newest facts."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from league.management.slugs import competition_at
from league.services.standings.publishing import prepare_published, publish_standings


class Command(BaseCommand):
    """Recompute and publish the standings of a competition."""

    help = "Publishes a competition's standings, computed from its newest facts, and prepares its pages again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the competition's slug."""
        parser.add_argument("slug")

    def handle(self, *args: object, slug: str, **options: object) -> None:
        """Publish the standings and print the version they were computed from."""
        competition = competition_at(slug)
        version = publish_standings(competition.pk)
        prepare_published(competition.pk)
        self.stdout.write(f"{competition.name} ({competition.slug}): published as of change {version}.")
