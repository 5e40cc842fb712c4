"""Parser of a competition's file: reports all faults at once, each with file, key, value and the allowed values.

Entries of the wrong shape are set aside, and the rest is still checked for consistency, so that a file need not be
corrected fault by fault.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from league.files.shape import FileDocument
from rulesets.lines import line_of
from rulesets.toml_text import has_too_many_digits, refuse_long_keys
from scoring.ruleset import Fault, FaultsError
from scoring.ruleset.faults import faults_of

Path = tuple[str | int, ...]
LONGEST = 32 * 1024 * 1024
MOST_VALUES = 3_000_000
"""The highest number of brackets, commas and equal signs in a file; a game has about thirty."""
MOST_BY_HAND = 200_000
"""The same for TOML, which is written by hand and takes ten times as long to parse."""
STAND_IN = {"competition": {"slug": "unreadable", "name": "?"}, "rules": []}
"""Replaces a required part of the document that could not be read."""


class ImportRefusedError(FaultsError):
    """A file that was not imported, with all its faults."""


@dataclass(frozen=True, slots=True)
class CompetitionFile:
    """A parsed file. If it has faults, `document` lacks the faulty entries."""

    source: str
    document: FileDocument
    faults: tuple[Fault, ...] = ()
    text: str = ""
    data: object = None
    kept: Mapping[Path, list[int]] = field(default_factory=dict)
    """For each list that lost entries: the indexes that its remaining entries had in the file."""

    def fault(self, path: Path, value: object, message: str) -> Fault:
        """Return a fault at a path of the document, with its key and line in the original file."""
        key = ".".join(_spelled(self._original(path), self.data))
        return Fault(self.source, key, value, message, line_of(key, self.text) if self.text else None)

    def with_document(self, document: FileDocument) -> CompetitionFile:
        """Return a copy of this file with another document."""
        return replace(self, document=document)

    def _original(self, path: Path) -> Path:
        """Return the path that the entry had in the file before faulty entries were set aside."""
        found: Path = ()
        for part in path:
            kept = self.kept.get(found)
            found += (kept[part] if kept is not None and isinstance(part, int) else part,)
        return found


def file_of(document: FileDocument, source: str) -> CompetitionFile:
    """Wrap a document that was built in code instead of read from a file."""
    data = document.model_dump(mode="json", exclude_defaults=True)
    return CompetitionFile(source, document, data=data)


def read(text: str, source: str) -> CompetitionFile:
    """Parse TOML or, if the text begins with a brace, JSON.

    Raise ImportRefusedError if it is neither: then nothing in it can be read.
    """
    data = _parsed(text, source)
    try:
        return CompetitionFile(source, _document(data), text=text, data=data)
    except ValidationError as error:
        faults = tuple(
            Fault(found.source, found.key, found.value, found.message, line_of(found.key, text))
            for found in faults_of(error, FileDocument, data, source)
        )
        kept: dict[Path, list[int]] = {}
        put_aside = frozenset(_put_aside(detail, data) for detail in error.errors())
        rest = _without_in_table(data, put_aside, kept)
        return CompetitionFile(source, _document(STAND_IN | rest), faults, text, data, kept)


def _document(data: object) -> FileDocument:
    """Validate the data as a document; dates and times of TOML become JSON strings first."""
    return FileDocument.model_validate_json(json.dumps(data, default=lambda moment: moment.isoformat()))


def _parsed(text: str, source: str) -> dict[str, object]:
    """Parse the text into plain data.

    Raise ImportRefusedError if it is too large, too deep, has too long a number, or has a character that no database
    stores.
    """
    is_json = text.lstrip()[:1] == "{"
    if len(text) > LONGEST or sum(map(text.count, "[{,=")) > (MOST_VALUES if is_json else MOST_BY_HAND):
        raise ImportRefusedError((Fault(source, "", None, _("the file is far too large for a competition")),))
    try:
        if not is_json:
            refuse_long_keys(text)
        data: dict[str, object] = json.loads(text) if is_json else tomllib.loads(text)
        # Fails on lone surrogates, which JSON escapes can produce and PostgreSQL cannot store.
        json.dumps(data, ensure_ascii=False, default=str).encode()
    except (ValueError, RecursionError) as error:
        message = _("this is no JSON: %(error)s") if is_json else _("this is no TOML: %(error)s")
        reason = _("a number has too many digits") if has_too_many_digits(error) else error
        raise ImportRefusedError((Fault(source, "", None, message % {"error": reason}),)) from error
    if _has_nul(data):
        raise ImportRefusedError((Fault(source, "", None, _("the character U+0000 stands in no text")),))
    return data


def _has_nul(node: object) -> bool:
    if isinstance(node, dict):
        return any(_has_nul(key) or _has_nul(value) for key, value in node.items())
    return any(map(_has_nul, node)) if isinstance(node, list) else isinstance(node, str) and "\0" in node


def _put_aside(detail: ErrorDetails, data: object) -> Path:
    """Return the path to drop for a fault: an unknown key alone, else the innermost list entry around it."""
    location: Path = tuple(detail["loc"])
    if detail["type"] == "extra_forbidden":
        return location
    node, found = data, location[:1]
    for length, part in enumerate(location, start=1):
        node = _at(node, part)
        if isinstance(part, int) and isinstance(node, dict):
            found = location[:length]
    return found


def _without(node: object, put_aside: frozenset[Path], kept: dict[Path, list[int]], at: Path) -> object:
    """Return the data without these paths, and record in `kept` the indexes left of each shortened list."""
    if isinstance(node, dict):
        return _without_in_table(node, put_aside, kept, at)
    if isinstance(node, list):
        left = [index for index in range(len(node)) if (*at, index) not in put_aside]
        if len(left) < len(node):
            kept[at] = left
        return [_without(node[index], put_aside, kept, (*at, index)) for index in left]
    return node


def _without_in_table(
    table: Mapping[str, object], put_aside: frozenset[Path], kept: dict[Path, list[int]], at: Path = ()
) -> dict[str, object]:
    return {
        key: _without(value, put_aside, kept, (*at, key)) for key, value in table.items() if (*at, key) not in put_aside
    }


def _at(node: object, part: str | int) -> object:
    """Return the child of a node, or None if there is none."""
    if isinstance(node, dict):
        return node.get(part)
    if isinstance(node, list) and isinstance(part, int) and -len(node) <= part < len(node):
        return node[part]
    return None


def _spelled(path: Path, data: object) -> list[str]:
    """Return a path as keys of the file; a list entry with a `key` of its own is named by it."""
    spelled, node = [], data
    for part in path:
        node = _at(node, part)
        own = node.get("key") if isinstance(part, int) and isinstance(node, dict) else None
        spelled.append(str(own or part))
    return spelled
