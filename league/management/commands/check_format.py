"""`manage.py check_format FILE... [--keep]`: check that formats load, describe those that do, and store them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from league.models import Door
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.selectors.seasons.series_rules import tiers_of_teams
from league.services.rulebooks.own_formats import keep_own_format
from league.wording.faults import fault_text
from league.wording.names import title_in
from league.wording.rulebooks.format_sentences import format_sentences
from league.wording.seasons.series_sentences import series_sentences
from rulesets.formats import AnyFormat, parse_any_format
from scoring.format import Format, Series
from scoring.ruleset import Fault, FaultsError

REFUSED = 2


class Command(BaseCommand):
    """Check the files of formats, series and rankings."""

    help = (
        "Reads files of formats, series and rankings. Tells every fault with its line, key, value and what is allowed; "
        "describes each good format in sentences. Ends with 0 if all are good, with 2 otherwise."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the files."""
        parser.add_argument(
            "--language", choices=("ja", "en"), help="the language of the report, by default that of LANGUAGE_CODE"
        )
        parser.add_argument("--keep", action="store_true", help="store each format as the next revision of its name")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a format, such as league-12.toml")

    def handle(self, *args: object, files: list[Path], keep: bool = False, **options: object) -> None:
        """Report the faults of each file, or its description; if all are good and it is asked for, store them."""
        with override(str(options["language"] or get_language())):
            faults = [fault for file in files for fault in self.faults(file)]
            if faults:
                self.stderr.write("\n".join(map(fault_line, faults)), self.style.ERROR)
                count = ngettext("%(count)s fault", "%(count)s faults", len(faults)) % {"count": len(faults)}
                raise CommandError(count, returncode=REFUSED)
            for file in files if keep else ():
                self.keep(file)

    def keep(self, file: Path) -> None:
        """Store a format as the next revision of its name."""
        try:
            kept = keep_own_format(text=file.read_text(encoding="utf-8"), by=Actor.system(Door.COMMAND))
        except ServiceError as error:
            raise CommandError("\n".join(finding.message for finding in error.findings), returncode=REFUSED) from error
        self.stdout.write(_("stored as %(name)s, SHA-256 %(digest)s") % {"name": kept, "digest": kept.sha256})

    def faults(self, file: Path) -> tuple[Fault, ...]:
        """Print the description of a file; return its faults, sorted by line."""
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            return (Fault(str(file), "", None, f"{_('this file cannot be read')}: {error}"),)
        try:
            found = parse_any_format(text, str(file))
        except FaultsError as error:
            return tuple(sorted(error.faults, key=lambda fault: fault.line or 0))
        self.stdout.write("\n".join(description_lines(str(file), found)))
        return ()


def description_lines(source: str, found: AnyFormat) -> Iterator[str]:
    """Yield the lines that describe a good file."""
    yield f"{source}: {found.name}, {title_in(found.title)}"
    if isinstance(found, Format):
        yield from (f"  {sentence}" for sentence in format_sentences(found))
    elif isinstance(found, Series):
        yield from (f"  {sentence}" for sentence in series_sentences(found, known_tiers_of_teams(found)))


def known_tiers_of_teams(found: Series) -> frozenset[str]:
    """Return the keys of the tiers in which teams play; none if own formats cannot be read."""
    try:
        return tiers_of_teams(found)
    except DatabaseError:
        return frozenset()


def fault_line(fault: Fault) -> str:
    """Return a fault on one line, in the form that editors parse: file, line, key, what is allowed, value found."""
    where = fault.source if fault.line is None else f"{fault.source}:{fault.line}"
    found = "" if fault.value is None else _(" (found: %(value)s)") % {"value": str(fault.value)[:120]}
    return f"{where}: {fault.key}: {fault_text(fault)}{found}" if fault.key else f"{where}: {fault_text(fault)}"
