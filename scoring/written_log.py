"""Serialize a game's log to JSON and parse it back: an entry is an object with its type and its non-default fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from scoring.hanchan import Entry, Log
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    DeadHand,
    Draw,
    FourKansStand,
    Nagashi,
    Offended,
    Points,
    Riichi,
    RiichiWithdrawn,
    Ron,
    RonCalls,
    Ruling,
    ScoresOnly,
    TimeCalled,
    Tsumo,
)
from scoring.ruleset.base import Fault, FaultsError
from scoring.value import Worth

TYPES: Mapping[str, type[Entry]] = {
    "riichi": Riichi,
    "offended": Offended,
    "riichi_withdrawn": RiichiWithdrawn,
    "dead_hand": DeadHand,
    "time_called": TimeCalled,
    "ron": Ron,
    "ron_calls": RonCalls,
    "tsumo": Tsumo,
    "four_kans_stand": FourKansStand,
    "draw": Draw,
    "nagashi": Nagashi,
    "abortive_draw": AbortiveDraw,
    "chonbo": ChonboCalled,
    "scores_only": ScoresOnly,
    "ruling": Ruling,
}
"""Entry classes by the value of an entry's `type`."""

ADAPTERS: Mapping[str, TypeAdapter[Entry]] = {name: TypeAdapter(each) for name, each in TYPES.items()}
NAMES: Mapping[type[Entry], str] = {each: name for name, each in TYPES.items()}
CHOICES = {Worth.__name__, Points.__name__}
"""Names of union members that pydantic puts into the location of an error; they are not keys of the data."""


class LogError(FaultsError):
    """A log that cannot be read, with every fault in it."""


def write(log: Sequence[Entry]) -> list[dict[str, object]]:
    """Return the entries of a log as JSON-ready objects."""
    return [write_entry(entry) for entry in log]


def write_entry(entry: Entry) -> dict[str, object]:
    """Return one entry as a JSON-ready object."""
    name = NAMES[type(entry)]
    fields: dict[str, object] = ADAPTERS[name].dump_python(entry, mode="json", exclude_defaults=True)
    return {"type": name, **fields}


def read(data: Sequence[object], source: str = "log") -> Log:
    """Parse the entries of a log; raise LogError with every fault and the entry and key of each."""
    entries: list[Entry] = []
    faults: list[Fault] = []
    for number, each in enumerate(data):
        try:
            entries.append(read_entry(each, f"{source}/{number}"))
        except LogError as error:
            faults += error.faults
    if faults:
        raise LogError(tuple(faults))
    return tuple(entries)


def read_entry(data: object, source: str = "entry") -> Entry:
    """Parse one entry; raise LogError with every fault in it."""
    content = data if isinstance(data, Mapping) else {}
    name = content.get("type")
    if not isinstance(name, str) or name not in ADAPTERS:
        message = f"there is no such type of entry; there are {', '.join(ADAPTERS)}"
        raise LogError((Fault(source, "type", name, message),))
    fields = {key: value for key, value in content.items() if key != "type"}
    try:
        # Strict mode accepts a JSON array for a tuple and a string for an enum only when it validates JSON, not Python
        # objects.
        return ADAPTERS[name].validate_json(json.dumps(fields))
    except ValidationError as error:
        raise LogError(tuple(_fault(each, source) for each in error.errors(include_url=False))) from error


def _fault(error: ErrorDetails, source: str) -> Fault:
    """Return a pydantic error as a fault: its key, the value found, and the values allowed."""
    key = "/".join(str(part) for part in error["loc"] if part not in CHOICES)
    found = None if isinstance(error["input"], dict | list) else error["input"]
    return Fault(source, key, found, error["msg"])
