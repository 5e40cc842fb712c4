"""Dotted paths into a ruleset's data, as options name them: "settlement.uma.amounts".

An entry of a list is named by its own `key`: "ledgers.points.scale".
"""

from __future__ import annotations


def get(data: dict[str, object], path: str) -> object:
    """Return the value at a path; None if the data have none. No table is created."""
    node: object = data
    for name in path.split("."):
        if isinstance(node, list):
            node = next((each for each in node if isinstance(each, dict) and each.get("key") == name), None)
        else:
            node = node.get(name) if isinstance(node, dict) else None
    return node


def put(data: dict[str, object], path: str, value: object) -> None:
    """Write a value at a path, creating missing tables.

    Raise KeyError if the path leads through something that has no such entry.
    """
    *tables, last = path.split(".")
    node: object = data
    for name in tables:
        node = _entry(node, name)
    if not isinstance(node, dict):
        raise KeyError(path)
    node[last] = value


def _entry(node: object, name: str) -> object:
    if isinstance(node, dict):
        return node.setdefault(name, {})
    if isinstance(node, list):
        for each in node:
            if isinstance(each, dict) and each.get("key") == name:
                return each
    raise KeyError(name)
