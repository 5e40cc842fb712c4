"""`manage.py recompute SLUG`: publish standings computed from the newest facts."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from league.management.slugs import competition_at
from league.services.standings.publishing import prepare_published, publish_standings


class Command(BaseCommand):
    """Recompute a competition."""

    help = "Publishes a competition's standings, computed from its newest facts, and prepares its pages anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which competition."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish, and say which version is published now."""
        competition = competition_at(options["slug"])
        version = publish_standings(competition.pk)
        prepare_published(competition.pk)
        self.stdout.write(f"{competition.name} ({competition.slug}): published as of change {version}.")
