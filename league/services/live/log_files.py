"""Score sheet logs as JSON files: read the log and report every fault of its form.

The content is checked later, by playing the log through the engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from league.platform.errors import Finding, RuleViolationError, refuse
from league.services.live.log_import import ImportedLog

FORMAT = "jantaku-log-1"
TAKEN = ("format", "options", "seats", "entries", "kyoku")
DERIVED = ("hanchan", "sequence", "ruleset", "revision", "digest", "is_over", "is_typed")
"""Keys that an export also has; they follow from the others or belong to the exporting hanchan, and are ignored."""
MOST_ENTRIES = 2000
LONGEST = 4_000_000
"""The longest accepted file in characters, well above any real log of `MOST_ENTRIES` entries."""
SEAT = 10**17


def log_in(text: str, keys: Mapping[int, str] | None = None) -> ImportedLog:
    """Return the log in a file. Raise RuleViolationError with every fault of its form.

    `keys` has the keys of the players who can be seated, by entrant; without it the seats in the file are not
    checked.
    """
    data = parsed(text)
    if found := [*faults_of(data), *strangers_in(data.get("seats"), keys)]:
        raise RuleViolationError(*found)
    entries, options, kyoku = data["entries"], data.get("options"), data.get("kyoku")
    return ImportedLog(
        entries=entries if isinstance(entries, list) else [],
        seats=seats_in(data["seats"]) if "seats" in data else None,
        options=options if isinstance(options, dict) else {},
        changes=[each.get("changes") for each in kyoku] if isinstance(kyoku, list) else None,
    )


def parsed(text: str) -> Mapping[str, object]:
    """Return the file's JSON object; raise RuleViolationError with line and column if it is not JSON."""
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
    """Return the text with one value per line, or unchanged if it cannot be read."""
    try:
        return json.dumps(parsed(text), ensure_ascii=False, indent=1)
    except (RuleViolationError, RecursionError):
        return text


def faults_of(data: Mapping[str, object]) -> Iterator[Finding]:
    """Yield a finding for everything that does not match the format of a log."""
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


def faults_of_entries(entries: object) -> Iterator[Finding]:
    """Yield a finding unless the entries are a list of at most `MOST_ENTRIES` objects."""
    if not isinstance(entries, list):
        yield Finding("invalid", _("A log has “entries”: a list of objects."), "/entries")
        return
    if len(entries) > MOST_ENTRIES:
        yield Finding("log_full", _("A log has at most %(most)s entries.") % {"most": MOST_ENTRIES}, "/entries")
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            yield Finding("invalid", _("An entry is an object with its “type”."), f"/entries/{number}")


def strangers_in(seats: object, keys: Mapping[int, str] | None) -> Iterator[Finding]:
    """Yield a finding for each player of the file without a seat at this table.

    Ids of another installation mean other people, so that the player's key must match as well.
    """
    if keys is None or not isinstance(seats, list):
        return
    for each in seats:
        if isinstance(each, dict) and each.get("key") and keys.get(number_in(each.get("entrant")) or 0) != each["key"]:
            message = _("The log seats %(name)s, who is not at this table. Choose who sat where.")
            yield Finding("player_not_at_table", message % {"name": each.get("name") or each["key"]}, "/seats")


def seats_in(seats: object) -> Sequence[int] | None:
    """Return the ids of the entrants, first dealer first; None if the file does not give them."""
    if not isinstance(seats, list):
        return None
    if all(isinstance(each, dict) and isinstance(each.get("seat"), int) for each in seats):
        seats = [each.get("entrant") for each in sorted(seats, key=lambda each: each["seat"])]
    found = [number_in(each) for each in seats]
    return None if None in found else [each for each in found if each is not None]


def number_in(value: object) -> int | None:
    """Return an id given as a number or as digits; None for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        # Length first: converting a very long digit string takes quadratic time, and Python refuses it with ValueError.
        value = int(value) if len(value) < len(str(SEAT)) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SEAT else None


def are_kyoku(found: object) -> bool:
    """Return True for a list of hands with their score changes."""
    return isinstance(found, list) and all(
        isinstance(each, dict) and are_changes(each.get("changes")) for each in found
    )


def are_changes(found: object) -> bool:
    """Return True for a hand's score changes by seat, or None for an unfinished hand."""
    return found is None or (isinstance(found, list) and all(type(each) is int for each in found))
