"""`manage.py load_demo`: load the demonstration season and parlour, or remove both with `--remove`."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from league.files.reading import ImportRefusedError
from league.models import Door
from league.selectors.access.actors import Actor
from league.services.operations.demo import load_demo, remove_demo
from league.services.operations.demo_parlour import load_demo_parlour


class Command(BaseCommand):
    """Load or remove the demonstration."""

    help = "Loads the demonstration season; does nothing if it is there already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the option to remove instead of load."""
        parser.add_argument("--remove", action="store_true", help="remove the demonstration season instead")

    def handle(self, *args: object, **options: object) -> None:
        """Load or remove, and print the outcome."""
        if options["remove"]:
            removed = remove_demo(by=Actor.system(Door.COMMAND))
            self.stdout.write("The demo is removed." if removed else "There is no demo to remove.")
            return
        try:
            competition = load_demo()
            if competition:
                load_demo_parlour(by=Actor.system(Door.COMMAND))
        except ImportRefusedError as error:
            raise CommandError(f"The demo was not loaded:\n{error}") from error
        self.stdout.write(f"The demo is loaded: {competition.name}." if competition else "The demo is there already.")
