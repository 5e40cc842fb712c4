"""`manage.py verify [SLUG]`: rebuild all derived rows from the facts and compare them with those stored."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from league.management.slugs import competition_at
from league.models import Competition
from league.services.operations.verification import differences_of


class Command(BaseCommand):
    """Verify the derived rows of a competition, or of all."""

    help = "Rebuilds a competition from its facts and reports every difference to what is stored."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the competition's slug."""
        parser.add_argument("slug", nargs="?", help="without it every competition is verified")

    def handle(self, *args: object, slug: str | None, **options: object) -> None:
        """Print that nothing differs, or exit with 1 and every difference of every competition."""
        faults = []
        for competition in [competition_at(slug)] if slug else Competition.objects.order_by("slug"):
            differences = list(differences_of(competition))
            if differences:
                listed = "\n".join(f"  {difference}" for difference in differences)
                faults.append(f"{competition.slug} differs in {len(differences)} places:\n{listed}")
                continue
            self.stdout.write(f"{competition.name} ({competition.slug}): everything stored follows from the facts.")
        if faults:
            raise CommandError("\n".join(faults))
