"""`manage.py check_ruleset FILE [--examples FILE]`: check that a ruleset loads and that its examples agree with it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from league.services.rulebooks.revisions import digest
from rulesets import examples, loader
from scoring.ruleset import Fault, FaultsError, Ruleset

FAILED, REFUSED = 1, 2


class Command(BaseCommand):
    """Check a ruleset file before it is kept as a revision."""

    help = (
        "Reads a ruleset and tells every fault with its file, line, key, value and what is allowed; runs its worked "
        "examples if they are given. Ends with 0 if all is well, 1 if an example fails, 2 if a file is refused."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the ruleset's file and the one with its examples."""
        parser.add_argument("file", type=Path, metavar="FILE", help="the ruleset, such as ruleset.toml")
        parser.add_argument("--examples", type=Path, metavar="FILE", help="its worked examples, such as examples.toml")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        """Report the faults of either file, else run the examples."""
        text = text_at(file)
        try:
            rules = loader.parse(text, str(file))
            self.stdout.write("\n".join(summary(rules, text)))
            if isinstance(path := options["examples"], Path):
                self.run_examples(examples.parse(text_at(path), str(path), rules))
        except FaultsError as error:
            raise self.refusal(error.faults) from error

    def run_examples(self, file: examples.ExampleFile) -> None:
        """Run the examples under this ruleset, ignoring the ruleset that their file names."""
        report = examples.run(file)
        self.stdout.write("\n".join(examples.lines(report)))
        if report.failed:
            raise CommandError("Not every example agrees with the ruleset.", returncode=FAILED)

    def refusal(self, faults: Iterable[Fault]) -> CommandError:
        """Print each fault on a line of its own, in the format that editors parse, and return the error to raise."""
        listed = sorted(faults, key=lambda fault: fault.line or 0)
        self.stderr.write("\n".join(map(str, listed)), self.style.ERROR)
        count = f"{len(listed)} faults" if len(listed) > 1 else "1 fault"
        return CommandError(f"{count}; nothing was run.", returncode=REFUSED)


def text_at(path: Path) -> str:
    """Return a file's text; CommandError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: this file cannot be read: {error}", returncode=REFUSED) from error


def summary(rules: Ruleset, text: str) -> list[str]:
    """Return a summary of the ruleset in a few lines, with the SHA-256 under which it would be kept."""
    counted = ", ".join(f"{ledger.title.en} ({ledger.key})" for ledger in rules.ledgers)
    return [
        f"{rules.name}: {rules.title.en} / {rules.title.ja}",
        f"  {rules.players} players, {rules.setup.start} to start with, settled against {rules.setup.return_}",
        f"  ledgers: {counted}; options: {', '.join(rules.options) or 'none'}",
        f"  SHA-256 {digest(text)}",
    ]
