"""A log as a file: what it holds, and everything that is wrong with its form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.platform.errors import Finding, RuleViolationError, refuse
from league.services.live.log_import import ImportedLog

FORMAT = "jantaku-log-1"
TAKEN = ("format", "options", "seats", "entries", "kyoku")
DERIVED = ("hanchan", "sequence", "ruleset", "revision", "digest", "is_over", "is_typed")
"""What an export says besides; it follows from the rest, or is another hanchan's own."""
MOST_ENTRIES = 2000
LONGEST = 4_000_000
"""Characters of a file: of an entry, with what it brought, so many that nobody gets there."""
SEAT = 10**17


def log_in(text: str, keys: Mapping[int, str] | None = None) -> ImportedLog:
    """The log that a file holds. Raise RuleViolationError with every fault of its form.

    `keys` are those of the players who can be seated, by entrant; without it nobody asks whom the file seats.
    """
    data = parsed(text)
    if found := [*faults_of(data), *strangers_in(data.get("seats"), keys)]:
        raise RuleViolationError(*found)
    return ImportedLog(
        entries=data["entries"],
        seats=seats_in(data["seats"]) if "seats" in data else None,
        options=data.get("options", {}),
        changes=[kyoku.get("changes") for kyoku in data["kyoku"]] if "kyoku" in data else None,
    )


def parsed(text: str) -> Mapping[str, Any]:
    """One JSON object."""
    if len(text) > LONGEST:
        raise refuse("text_too_long", _("This text is too long."))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = {"line": getattr(error, "lineno", 1), "column": getattr(error, "colno", 1)}
        message = _("This is not JSON: look at line %(line)s, column %(column)s.") % where
        raise refuse("not_json", message) from error
    if not isinstance(data, dict):
        raise refuse("not_a_log", _("A log is an object with “entries”."))
    return data


def tidied(text: str) -> str:
    """The text with one value to a line, if it can be read."""
    try:
        return json.dumps(parsed(text), ensure_ascii=False, indent=1)
    except (RuleViolationError, RecursionError):
        return text


def faults_of(data: Mapping[str, Any]) -> Iterator[Finding]:
    """Everything that is not as a log has it."""
    for key in data:
        if key not in TAKEN and key not in DERIVED:
            known = ", ".join((*TAKEN, *DERIVED))
            message = _("“%(name)s” is not known here. Known: %(known)s.") % {"name": key, "known": known}
            yield Finding("unknown", message, f"/{key}")
    if data.get("format", FORMAT) != FORMAT:
        message = _("This is another format: %(found)s. This software reads %(known)s.")
        yield Finding("other_format", message % {"found": data["format"], "known": FORMAT}, "/format")
    if not isinstance(data.get("options", {}), dict):
        yield Finding("invalid", _("Options are an object of values by their names."), "/options")
    if "seats" in data and seats_in(data["seats"]) is None:
        message = _("“seats” are the ids of entrants, first dealer first, or objects with “seat” and “entrant”.")
        yield Finding("invalid", message, "/seats")
    if "kyoku" in data and not are_kyoku(data["kyoku"]):
        yield Finding("invalid", _("“kyoku” are objects with “changes”, a list of whole numbers or null."), "/kyoku")
    yield from faults_of_entries(data.get("entries"))


def faults_of_entries(entries: Any) -> Iterator[Finding]:
    """Entries are objects, and not without end."""
    if not isinstance(entries, list):
        yield Finding("invalid", _("A log has “entries”: a list of objects."), "/entries")
        return
    if len(entries) > MOST_ENTRIES:
        yield Finding("log_full", _("A log has at most %(most)s entries.") % {"most": MOST_ENTRIES}, "/entries")
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            yield Finding("invalid", _("An entry is an object with its “type”."), f"/entries/{number}")


def strangers_in(seats: Any, keys: Mapping[int, str] | None) -> Iterator[Finding]:
    """Players whom the file names and who are not here: ids of another installation mean other people."""
    if keys is None or not isinstance(seats, list):
        return
    for each in seats:
        if isinstance(each, dict) and each.get("key") and keys.get(number_in(each.get("entrant")) or 0) != each["key"]:
            message = _("The log seats %(name)s, who is not at this table. Choose who sat where.")
            yield Finding("player_not_at_table", message % {"name": each.get("name") or each["key"]}, "/seats")


def seats_in(seats: Any) -> Sequence[int] | None:
    """The entrants, first dealer first; None if they are not told."""
    if not isinstance(seats, list):
        return None
    if all(isinstance(each, dict) and isinstance(each.get("seat"), int) for each in seats):
        seats = [each.get("entrant") for each in sorted(seats, key=lambda each: each["seat"])]
    found = [number_in(each) for each in seats]
    return None if None in found else [each for each in found if each is not None]


def number_in(value: Any) -> int | None:
    """An id, as a number or as its digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value) if len(value) < len(str(SEAT)) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SEAT else None


def are_kyoku(found: Any) -> bool:
    """Whether these are hands with what they brought."""
    return isinstance(found, list) and all(
        isinstance(each, dict) and are_changes(each.get("changes")) for each in found
    )


def are_changes(found: Any) -> bool:
    """What a hand brought each seat, or nothing while it was played."""
    return found is None or (isinstance(found, list) and all(type(each) is int for each in found))
