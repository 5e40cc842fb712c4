"""Enumerate the values of a ruleset's file, and change each into others that the file still allows.

A value is a number, a boolean, one of several names, an entry of a list or a row of a table. Keys that are only there
to be read (titles, keys, the clauses themselves) are not values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from rulesets import loader
from scoring.ruleset import Ruleset
from scoring.ruleset.paths import get
from scoring.ruleset.paths import put as write

Path = tuple[str | int, ...]
Data = dict[str, Any]

NOT_VALUES = frozenset({"name", "title", "book", "clauses", "key", "keys", "optional_keys", "type", "scope"})
"""Keys of names and descriptions, which contain no rule."""

UNKNOWN = "no_such_name"
"""A name that no table allows: the loader's error then lists the names it does allow."""

BOUNDS = ("minimum", "maximum")
"""Bounds of an option's choices; they may not exclude its default."""

ENOUGH = 3
"""Number of other numbers that are tried: as a rule one more and one less."""

DECIMAL = re.compile(r"-?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Value:
    """One value with its path and the clauses of its table."""

    path: Path
    shown: str
    """Its path in readable form."""
    clauses: tuple[str, ...]
    found: Any


@dataclass(frozen=True, slots=True)
class Mutant:
    """A ruleset with one value changed."""

    value: Value
    change: str
    rules: Ruleset
    data: Data


def values_of(data: Data) -> Iterator[Value]:
    """Yield every value of a ruleset's data, in the order of the file."""
    yield from (value for value in _values(data, (), "", ()) if not _is_held(value, data))


def _values(node: Any, path: Path, shown: str, clauses: tuple[str, ...]) -> Iterator[Value]:
    if isinstance(node, dict):
        own = tuple(node.get("clauses", clauses))
        for key, each in node.items():
            if key not in NOT_VALUES:
                yield from _entry(each, (*path, key), _dotted(shown, key), own)
    elif isinstance(node, list):
        for number, each in enumerate(node):
            name = each.get("key") or each.get("name") or number if isinstance(each, dict) else number
            yield from _entry(each, (*path, number), _dotted(shown, name), clauses)


def _entry(node: Any, path: Path, shown: str, clauses: tuple[str, ...]) -> Iterator[Value]:
    """Yield a table's row as a value of its own besides everything in it, and likewise an empty list."""
    if isinstance(node, dict | list):
        if isinstance(node, dict) or not node:
            own = node.get("clauses", clauses) if isinstance(node, dict) else clauses
            yield Value(path, shown, tuple(own), node)
        yield from _values(node, path, shown, clauses)
    else:
        yield Value(path, shown, clauses, node)


def _is_held(value: Value, data: Data) -> bool:
    """Return True for the settings of an option's default, which must equal the tables' own values."""
    match value.path:
        case ("options", option, "settings", chosen, *_):
            return bool(chosen == _key(data["options"][option]["default"]))
    return False


def _dotted(shown: str, key: object) -> str:
    return f"{shown}.{key}" if shown else str(key)


def mutants(value: Value, data: Data) -> Iterator[Mutant]:
    """Yield the rulesets in which this value is another, the nearest first; those that do not load are left out."""
    loaded = (_mutant(value, change, changed) for change, changed in _changes(value, data))
    most = ENOUGH if isinstance(value.found, int) and not isinstance(value.found, bool) else None
    yield from islice((each for each in loaded if each is not None), most)


def change_to(value: Value, data: Data, other: object) -> Mutant | None:
    """Return the ruleset in which this value is the other one, or is left out for None; None if it does not load."""
    if other is None:
        return _mutant(value, "left out", without(data, value.path))
    change = f"added {_text(other)}" if value.found is None else f"{_text(value.found)} → {_text(other)}"
    return _mutant(value, change, put(data, value.path, other))


def _mutant(value: Value, change: str, changed: Data) -> Mutant | None:
    wanted = at(changed, value.path)
    for candidate in chain((changed,), _adjusted(value, changed)):
        rules = _loaded(value, candidate) if at(candidate, value.path) == wanted else None
        if rules is not None:
            return Mutant(value, change, rules, candidate)
    return None


def _changes(value: Value, data: Data) -> Iterator[tuple[str, Data]]:
    """Yield a description of each possible change with the changed data."""
    for other in _others(value, data):
        yield f"{_text(value.found)} → {_text(other)}", put(data, value.path, other)
    if _is_removable(value, data):
        yield "left out", without(data, value.path)


def _is_removable(value: Value, data: Data) -> bool:
    """Return True for rows of tables and entries of lists, which can be missing."""
    return isinstance(value.found, dict) or isinstance(at(data, value.path[:-1]), list)


def _others(value: Value, data: Data) -> Iterator[object]:
    found = value.found
    if value.path[0] == "options" and value.path[-1] in BOUNDS:
        yield data["options"][value.path[1]]["default"]
    elif isinstance(found, bool):
        yield not found
    elif isinstance(found, int):
        yield from _numbers(found)
    elif isinstance(found, str) and DECIMAL.fullmatch(found):
        yield from (str(Fraction(found) + 1), str(Fraction(found) - 1))
    elif isinstance(found, str):
        yield from _names(value.path, data)
    elif found == []:
        yield from ([name] for name in _names((*value.path, 0), put(data, value.path, [UNKNOWN])))


def _numbers(number: int) -> Iterator[int]:
    """Yield a little more and a little less, then more and less by one unit of a longer number."""
    if not number:
        yield from (1, 100_000, 1000, 100, 10)
    unit = 1
    while number and number % (unit * 10) == 0:
        unit *= 10
    for step in dict.fromkeys((unit, 10, 100, 1000, number) if number else ()):
        yield number + step
        yield number - step


def _names(path: Path, data: Data) -> Iterator[str]:
    """Yield the other names that the table allows, read from the loader's error for an unknown one."""
    known = at(data, path)
    try:
        Ruleset.model_validate_json(json.dumps(put(data, path, UNKNOWN)))
    except ValidationError as error:
        for detail in error.errors():
            if detail["input"] == UNKNOWN:
                expected = str(detail.get("ctx", {}).get("expected", ""))
                yield from (name for name in re.findall(r"'([^']*)'", expected) if name != known)


def _loaded(value: Value, data: Data) -> Ruleset | None:
    """Return the ruleset if it loads together with the options that affect this value, else None."""
    try:
        rules = Ruleset.model_validate_json(json.dumps(data))
    except ValidationError:
        return None
    faults = loader.option_faults(rules, rules.name, [key for key in rules.options if _reaches(rules, key, value)])
    return None if any(faults) else rules


def _reaches(rules: Ruleset, key: str, value: Value) -> bool:
    """Return True if the option is the value that was changed, or sets it."""
    option = rules.options[key]
    paths = {path for each in option.candidates() for path, _ in option.settings_of(each)}
    around = f"{value.shown}."
    return value.path[:2] == ("options", key) or any(
        f"{path}.".startswith(around) or around.startswith(f"{path}.") for path in paths
    )


def _adjusted(value: Value, data: Data) -> Iterator[Data]:
    """Yield the data with dependent values adjusted to the changed one, in several ways."""
    for adjust in (_option_in_step, _tables_in_step, _total, _zero_sum, _together):
        adjusted = adjust(value, data)
        if adjusted is not None:
            yield adjusted
            if adjust is not _option_in_step and (in_step := _option_in_step(value, adjusted)) is not None:
                yield in_step


def _option_in_step(value: Value, data: Data) -> Data | None:
    """Return the data in which the option whose default set the value sets the new one; None if there is none."""
    changed = deepcopy(data)
    is_found = False
    for option in changed.get("options", {}).values():
        setting = option.get("settings", {}).get(_key(option.get("default")), {})
        for path in setting:
            if f"{value.shown}.".startswith(f"{path}."):
                setting[path] = get(changed, path)
                is_found = True
        for path in option.get("sets", ()):
            if option["type"] == "subset" and value.shown in {path.replace("*", name) for name in option["values"]}:
                name = next(each for each in option["values"] if path.replace("*", each) == value.shown)
                option["default"] = sorted(set(option["default"]) ^ {name}, key=option["values"].index)
                is_found = True
            elif f"{value.shown}.".startswith(f"{path}."):
                option["default"] = get(changed, path)
                is_found = True
    return changed if is_found else None


def _tables_in_step(value: Value, data: Data) -> Data | None:
    """Return the data in which the tables have the values that the option's changed default sets."""
    if value.path[0] != "options" or "default" not in (at(data, value.path[:2]) or {}):
        return None
    changed = deepcopy(data)
    option = changed["options"][value.path[1]]
    for path, setting in option.get("settings", {}).get(_key(option.get("default")), {}).items():
        _write(changed, path, setting)
    for path in option.get("sets", ()):
        for name in option["values"] if option["type"] == "subset" else ("",):
            chosen = name in option["default"] if name else option["default"]
            _write(changed, path.replace("*", name), chosen)
    return changed


def _total(value: Value, data: Data) -> Data | None:
    """Return the data with the total of the tile set adjusted to its kinds."""
    if value.path[:2] != ("play", "tiles"):
        return None
    changed = deepcopy(data)
    try:
        Ruleset.model_validate_json(json.dumps(changed))
    except ValidationError as error:
        counted = re.search(r"the kinds make (\d+) tiles", str(error))
        if counted:
            changed["play"]["tiles"]["total"] = int(counted[1])
            return changed
    return None


def _zero_sum(value: Value, data: Data) -> Data | None:
    """Return the data in which the next place loses the points that one place gains."""
    around = at(data, value.path[:-1])
    if not isinstance(around, list) or not isinstance(value.path[-1], int) or value.path[-1] >= len(around):
        return None
    if not all(isinstance(each, int | str) and DECIMAL.fullmatch(str(each)) for each in around):
        return None
    rest = sum(map(Fraction, around), Fraction(0))
    other = (value.path[-1] + 1) % len(around)
    if not rest:
        return None
    given = Fraction(around[other]) - rest
    return put(data, (*value.path[:-1], other), int(given) if isinstance(around[other], int) else str(given))


def _together(value: Value, data: Data) -> Data | None:
    """Return the data with the counterpart adjusted: two pairs of values say the same in two tables."""
    written = get(data, value.shown)
    told: Mapping[str, tuple[str, object]] = {
        "play.riichi.stake": ("settlement.kyoutaku.unit", written),
        "settlement.kyoutaku.unit": ("play.riichi.stake", written),
        "play.value.yakuman.effect": ("settlement.top_payment.forced_top", written == "instant_top"),
        "settlement.top_payment.forced_top": ("play.value.yakuman.effect", "instant_top" if written else "points"),
    }
    if value.shown not in told:
        return None
    changed = deepcopy(data)
    other, wanted = told[value.shown]
    _write(changed, other, wanted)
    changed = _option_in_step(value, changed) or changed
    return _option_in_step(replace(value, shown=other), changed) or changed


def at(data: Any, path: Path) -> Any:
    """Return the value at a path, or None if there is none."""
    for key in path:
        try:
            data = data[key]
        except (KeyError, IndexError):
            return None
    return data


def put(data: Data, path: Path, value: object) -> Data:
    """Return the data with another value at a path; the original stays unchanged."""
    changed = _opened(data, path)
    at(changed, path[:-1])[path[-1]] = value
    return changed


def without(data: Data, path: Path) -> Data:
    """Return the data without the value at a path; the original stays unchanged."""
    changed = _opened(data, path)
    del at(changed, path[:-1])[path[-1]]
    return changed


def _opened(data: Data, path: Path) -> Data:
    """Return the data with copies of the tables along a path, which may then be written to."""
    changed = copy(data)
    node: Any = changed
    for key in path[:-1]:
        node[key] = copy(node[key])
        node = node[key]
    return changed


def _write(data: Data, path: str, value: object) -> None:
    """Write a value at an option's path if the table exists."""
    with suppress(KeyError):
        write(data, path, value)


def _key(value: object) -> str:
    """Return a value as the key of its settings in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
