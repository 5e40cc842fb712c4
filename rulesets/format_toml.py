"""Write a league format as TOML, in the order and with the inline tables of the formats that come with the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard, TypeVar

import tomli_w

from scoring.format import Block, Format, Stage
from scoring.format.team import Award, Limit
from scoring.ruleset.base import Strict

INLINE = ("title", "note", "entrants")
"""Tables of a format without a header of their own."""
LISTS: Mapping[str, type[Strict]] = {"limits": Limit, "awards": Award}
"""Lists of tables with a header for each of them, besides stages and blocks."""
BARE = "bare"

Value = TypeVar("Value")


def format_toml(data: Mapping[str, object]) -> str:
    """Return a format's data as TOML text: keys in the order of the schema, unknown keys after them by name.

    The data may have faults: whatever is no list of stages or blocks is written as it is. Raise TypeError or
    ValueError for a value that TOML cannot have, such as null.
    """
    rest = dict(_ordered(data, Format))
    stages = _take_tables(rest, "stages")
    lists = [(key, _ordered(table, model)) for key, model in LISTS.items() for table in _take_tables(rest, key)]
    tables = {key: table for key, table in rest.items() if isinstance(table, Mapping) and key not in INLINE}
    parts = [_entries({key: value for key, value in rest.items() if key not in tables})]
    parts += [f"[{_key(key)}]\n{_entries(table)}" for key, table in tables.items()]
    parts += [f"[[{key}]]\n{_entries(dict(table))}" for key, table in lists]
    return "\n".join(part for part in (*parts, *map(_stage, stages)) if part)


def _stage(stage: Mapping[str, object]) -> str:
    entries = dict(_ordered(stage, Stage))
    blocks = [dict(_ordered(block, Block)) for block in _take_tables(entries, "blocks")]
    return "\n".join(
        [f"[[stages]]\n{_entries(entries)}", *(f"[[stages.blocks]]\n{_entries(block)}" for block in blocks)]
    )


def _take_tables(entries: dict[str, object], key: str) -> list[Mapping[str, object]]:
    """Take a list of tables out of the entries; anything else stays there, to be written as it is."""
    found = entries.get(key)
    if not _is_tables(found):
        return []
    del entries[key]
    return list(found)


def _is_tables(value: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _ordered(data: Mapping[str, Value], model: type[Strict]) -> list[tuple[str, Value]]:
    """Return the entries in the order of the model's fields, those it does not have after them by name.

    What cites or explains a table stands last in it, as in the product's own formats.
    """
    known = [field.alias or name for name, field in model.model_fields.items()]
    known = [key for key in known if key not in ("clauses", "note")] + ["clauses", "note"]
    order = {key: number for number, key in enumerate(known)}
    return sorted(data.items(), key=lambda entry: (order.get(entry[0], len(order)), entry[0]))


def _entries(table: Mapping[str, object]) -> str:
    """Return the entries of a table, one to a line; inner tables are written inline."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


def _value(value: object) -> str:
    """Return a value in TOML on one line, or a list of several tables with one to a line."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        items = [_value(each) for each in value]
        if len(items) > 1 and _is_tables(value):
            return "[\n" + "".join(f"  {item},\n" for item in items) + "]"
        return f"[{', '.join(items)}]"
    return tomli_w.dumps({BARE: value}).removeprefix(f"{BARE} = ").removesuffix("\n")
