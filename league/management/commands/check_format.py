"""`manage.py check_format FILE [--keep]`: check a league format of one's own, and store it as a revision."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from league.management.commands.check_ruleset import REFUSED, text_at
from league.models import Door
from league.selectors.access.actors import Actor
from league.services.rulebooks.own_formats import check_format, keep_own_format
from league.services.rulebooks.own_rulesets import tidied
from scoring.format import Format
from scoring.format_numbers import FormatNumbers, format_numbers


class Command(BaseCommand):
    """Check a format's file; with `--keep`, store it as the next revision of its name."""

    help = (
        "Reads a league format and tells every fault with its line, key, value and what is allowed, or what the format "
        "needs: hanchan, tables, rounds, days. Ends with 0 if all is well, 2 if the file is refused."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the format's file."""
        parser.add_argument("file", type=Path, metavar="FILE", help="the format, such as our-league.toml")
        parser.add_argument("--keep", action="store_true", help="store it as the next revision of its name")

    def handle(self, *args: object, file: Path, keep: bool = False, **options: object) -> None:
        """Report the faults of the file, else the numbers of the format."""
        text = tidied(text_at(file))
        check = check_format(text)
        if check.format is None or not check.is_sound:
            listed = sorted(check.faults, key=lambda fault: fault.line or 0)
            self.stderr.write("\n".join(map(str, listed)), self.style.ERROR)
            raise CommandError("The format is refused; nothing was stored.", returncode=REFUSED)
        self.stdout.write("\n".join(summary(check.format, format_numbers(check.format))))
        if keep:
            revision = keep_own_format(text=text, by=Actor.system(Door.COMMAND))
            self.stdout.write(f"stored as {revision.name}@{revision.number}, SHA-256 {revision.sha256}")


def summary(league_format: Format, numbers: FormatNumbers) -> Iterator[str]:
    """Yield what a format needs, one line for each stage."""
    yield f"{league_format.name}: {league_format.title.en} / {league_format.title.ja}"
    yield (
        f"  {_shown(numbers.entrants)} entrants, {_shown(numbers.games)} hanchan, "
        f"{_shown(numbers.tables)} tables at once, {_shown(numbers.sessions)} sessions"
    )
    for stage in numbers.stages:
        yield (
            f"  {stage.stage}: {_shown(stage.hanchan)} hanchan each, {_shown(stage.tables)} tables, "
            f"{_shown(stage.rounds)} rounds, {_shown(stage.resting)} resting"
        )


def _shown(number: int | None) -> str:
    return "any number of" if number is None else str(number)
