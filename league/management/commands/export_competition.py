"""`manage.py export_competition SLUG`: write a whole competition as a file that `import_competition` reads."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from league.files.writing import as_json, as_toml
from league.management.slugs import competition_at
from league.selectors.exchange.competition_export import document_of, sheets_left_out


class Command(BaseCommand):
    """Export a competition as TOML or JSON."""

    help = "Writes a competition to a file, with everything held back from the public. See docs/files.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the competition's slug, the output file and the format."""
        parser.add_argument("slug")
        parser.add_argument("--output", type=Path, help="a file; JSON if it ends in .json, else TOML (default: shown)")
        parser.add_argument("--json", action="store_true", help="show JSON instead of TOML")

    def handle(self, *args: object, slug: str, output: Path | None, json: bool, **options: object) -> None:
        """Write the document, and warn if sheets without effect were left out."""
        competition = competition_at(slug)
        is_json = json or (output is not None and output.suffix == ".json")
        document = document_of(competition)
        text = as_json(document) if is_json else as_toml(document)
        if output is None:
            self.stdout.write(text, ending="")
        else:
            output.write_text(text, encoding="utf-8")
        if left_out := sheets_left_out(competition):
            self.stderr.write(f"{left_out} sheets that do not count (waiting, rejected, drafts) were left out.")
