"""`manage.py import_competition FILE`: import a whole competition from a file. docs/files.md explains the keys."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import TypedDict, Unpack

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils.text import slugify

from league.files.from_lines import document_of_lines, read_lines
from league.files.invented import InventedNames
from league.files.reading import CompetitionFile, ImportRefusedError, file_of, read
from league.models import Door
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.exchange.competition_import import import_competition
from scoring.ruleset import FaultsError

LONG = 40
"""An import of more results and decisions than this prints its progress."""


class ImportOptions(TypedDict):
    """The command's options as they are parsed."""

    file: Path
    examples: bool
    season_lines: bool
    league: str
    id: str
    ruleset: str
    slug: str
    name: str
    dry_run: bool
    verbosity: int


class Command(BaseCommand):
    """Import a competition from TOML, JSON, worked examples or lines of results."""

    help = "Imports a competition from a file (TOML or JSON). Nothing is written unless the whole file is well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file, its kind, and another name and slug for the competition."""
        parser.add_argument("file", type=Path)
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument(
            "--examples", action="store_true", help="the file holds worked examples; imports those of kind standings"
        )
        kind.add_argument(
            "--season-lines", action="store_true", help="the file holds one hanchan to a line of JSON; open play"
        )
        parser.add_argument("--league", default="", help="with --examples: which league of the file")
        parser.add_argument("--id", default="", help="with --examples: one example alone")
        parser.add_argument("--ruleset", default="mleague", help="with --season-lines: the ruleset (%(default)s)")
        parser.add_argument("--slug", default="", help="the competition's address, instead of the file's")
        parser.add_argument("--name", default="", help="the competition's name, instead of the file's")
        parser.add_argument("--dry-run", action="store_true", help="do everything and keep nothing")

    @no_translations
    def handle(self, *args: object, **options: Unpack[ImportOptions]) -> None:
        """Import and print the result; exit with 1 and every fault if the file is refused."""
        try:
            file = read_file(options["file"], options)
            competition = import_competition(
                file=file,
                by=Actor.system(Door.IMPORT),
                is_trial=options["dry_run"],
                progress=self._say_progress if options["verbosity"] > 0 else None,
            )
        except FaultsError as error:
            faults = "\n".join(f"  {fault}" for fault in error.faults)
            raise CommandError(f"Nothing was imported, because of these faults:\n{faults}") from error
        except (ServiceError, OSError, UnicodeDecodeError) as error:
            raise CommandError(f"Nothing was imported: {error}") from error
        done = "would be imported; nothing was kept" if options["dry_run"] else "is imported"
        self.stdout.write(f"{competition.name} ({competition.slug}) {done}.")

    def _say_progress(self, done: int, of: int) -> None:
        """Print a line for every tenth of a long import."""
        # True once in each tenth: the integer part of done/of in tenths has just risen.
        if of > LONG and done * 10 // of > (done - 1) * 10 // of:
            self.stderr.write(f"{done} of {of}")


def read_file(path: Path, options: ImportOptions) -> CompetitionFile:
    """Return the file as a competition, under the requested name and slug."""
    target = InventedNames(slug=options["slug"] or slugify(path.stem) or "imported", name=options["name"] or path.stem)
    if options["examples"]:
        return file_of_examples(path, target, options)
    text = path.read_text(encoding="utf-8")
    if options["season_lines"]:
        return file_of(document_of_lines(read_lines(text, str(path)), options["ruleset"], target), str(path))
    return renamed(read(text, str(path)), options["slug"], options["name"])


def file_of_examples(path: Path, target: InventedNames, options: ImportOptions) -> CompetitionFile:
    """Return the selected examples as a competition. The imports are local: they load every engine."""
    from league.files.from_examples import document_of_examples, select_examples  # noqa: PLC0415 - loads every engine
    from rulesets import examples  # noqa: PLC0415 - likewise

    found = examples.read(path)
    wanted = select_examples(found, league=options["league"], example_id=options["id"])
    return file_of(document_of_examples(found, wanted, target), str(path))


def renamed(file: CompetitionFile, slug: str, name: str) -> CompetitionFile:
    """Return the file with another slug and name; an empty one leaves the file's own."""
    if not slug and not name:
        return file
    if slug and slug != slugify(slug):
        fault = file.fault(("competition", "slug"), slug, "use lower-case letters, digits and hyphens")
        raise ImportRefusedError((fault,))
    table = file.document.competition.model_copy(
        update={key: value for key, value in (("slug", slug), ("name", name)) if value}
    )
    return file.with_document(file.document.model_copy(update={"competition": table}))
