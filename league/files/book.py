"""Rule books of an imported file: resolves each entry of `rules` to a parsed ruleset and format.

A key refers to a text in the file itself, otherwise to the ruleset or format installed under that name.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.translation import gettext as _

from league.files.reading import CompetitionFile
from league.files.shape import FileDocument, RulesTable, TableTable, TextTable
from league.wording.faults import fault_text
from rulesets import loader
from rulesets.formats import format_names, format_text, parse_format
from scoring.format import Format, close_roster
from scoring.ruleset import Fault, FaultsError, OptionError, Ruleset

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileText:
    """A ruleset or a format as text, with its name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FileRules:
    """The parsed rules of a file in their order; None for an unreadable one.

    `format` is the last readable one: the competition has its stages.
    """

    rulesets: tuple[Ruleset | None, ...]
    format: Format | None
    zone: dt.tzinfo
    document: FileDocument

    def ruleset_of(self, table: TableTable) -> Ruleset | None:
        """Return the ruleset that a table is played by, or None if it could not be read."""
        number = self.rules_number(table)
        return self.rulesets[number - 1] if 0 < number <= len(self.rulesets) else None

    def rules_number(self, table: TableTable) -> int:
        """Return the number of the rules that a table is played by, counted from 1.

        A table without explicit rules takes those in force when it starts; without a start time, the newest.
        """
        if table.rules is not None or table.starts_at is None:
            return table.rules or len(self.rulesets)
        begin = self.aware(table.starts_at)
        since = [self.aware(rules.since) if rules.since else None for rules in self.document.rules]
        begun = [(moment, number) for number, moment in enumerate(since, start=1) if moment and moment <= begin]
        return max(begun, default=(None, 1))[1]

    def aware(self, moment: dt.datetime) -> dt.datetime:
        """Return a moment of the file as an aware datetime; without an offset it is in the competition's time zone."""
        return moment if moment.tzinfo else moment.replace(tzinfo=self.zone)


def zone_of(name: str) -> ZoneInfo | None:
    """Return the time zone of this name, or None if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def book_of(file: CompetitionFile) -> tuple[FileRules, tuple[Fault, ...]]:
    """Parse the rules of a file; return them with the faults found."""
    document = file.document
    faults: list[Fault] = []
    rulesets: list[Ruleset | None] = []
    formats: list[Format] = []
    for number, rules in enumerate(document.rules):
        text, found = _named(file, number, "ruleset")
        ruleset, refused = _parsed(file, "ruleset", text, loader.parse)
        faults += [*found, *refused]
        rulesets.append(_with_options(file, number, rules, ruleset, faults) if ruleset else None)
        text, found = _named(file, number, "format")
        league_format, refused = _parsed(file, "format", text, parse_format)
        faults += [*found, *refused]
        formats += _closed(file, number, league_format, faults) if league_format else []
    zone = zone_of(document.competition.time_zone) or ZoneInfo("UTC")
    return FileRules(tuple(rulesets), formats[-1] if formats else None, zone, document), tuple(faults)


def _closed(file: CompetitionFile, number: int, league_format: Format, faults: list[Fault]) -> list[Format]:
    """Return a format written out for the number of entrants that the file gives; nothing if it cannot be."""
    entrants = file.document.rules[number].entrants
    if league_format.bounds is None:
        return [league_format]
    try:
        return [close_roster(league_format, entrants or 0)]
    except FaultsError as error:
        where = ("rules", number, "entrants")
        faults += [file.fault(where, entrants, text) for text in dict.fromkeys(map(fault_text, error.faults))]
        return []


def ruleset_text(document: FileDocument, key: str) -> FileText | None:
    """Return the text of the ruleset that a key refers to, or None."""
    return _text(document.rulesets, key, loader.names(), loader.text_of)


def format_text_of(document: FileDocument, key: str) -> FileText | None:
    """Return the text of the format that a key refers to, or None."""
    return _text(document.formats, key, format_names(), format_text)


def _text(
    own: Sequence[TextTable], key: str, installed: Sequence[str], text_of: Callable[[str], str]
) -> FileText | None:
    for table in own:
        if table.key == key:
            return FileText(table.name, table.text)
    return FileText(key, text_of(key)) if key in installed else None


def _named(file: CompetitionFile, number: int, kind: str) -> tuple[FileText | None, tuple[Fault, ...]]:
    """Return the text that an entry of `rules` refers to, or a fault if there is none."""
    key: str = getattr(file.document.rules[number], kind)
    text = (ruleset_text if kind == "ruleset" else format_text_of)(file.document, key)
    if text:
        return text, ()
    known = ", ".join(loader.names() if kind == "ruleset" else format_names())
    message = _("nothing of this name is installed or stands in the file; installed are: %(known)s") % {"known": known}
    return None, (file.fault(("rules", number, kind), key, message),)


def _parsed(
    file: CompetitionFile, kind: str, text: FileText | None, parse: Callable[[str, str], T]
) -> tuple[T | None, tuple[Fault, ...]]:
    """Parse a text with the same loader that reads the installed ones; return the faults if it fails."""
    if text is None:
        return None, ()
    try:
        return parse(text.text, f"{file.source}: {kind}s.{text.name}"), ()
    except FaultsError as error:
        return None, error.faults


def _with_options(
    file: CompetitionFile, number: int, rules: RulesTable, ruleset: Ruleset, faults: list[Fault]
) -> Ruleset | None:
    """Return the ruleset with the file's options applied; a faulty option keeps its default.

    Its fault is appended to `faults`. Return None if the options cannot be applied at all.
    """
    try:
        return ruleset.with_options(rules.options)
    except OptionError as error:
        faults += [
            file.fault(("rules", number, *fault.key.split(".")), fault.value, fault.message) for fault in error.faults
        ]
        refused = {fault.key.removeprefix("options.") for fault in error.faults}
        rest = {key: value for key, value in rules.options.items() if key not in refused}
        # No option could be dropped: trying again would recurse forever.
        if len(rest) == len(rules.options):
            return None
        return _with_options(file, number, rules.model_copy(update={"options": rest}), ruleset, faults)
