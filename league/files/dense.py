"""Renumbering of steps to 1, 2, 3, ..., so that a file does not depend on its competition's change numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import TypeVar

from league.files.shape import FileDocument
from scoring.ruleset.base import Strict

Table = TypeVar("Table", bound=Strict)


def with_dense_steps(document: FileDocument) -> FileDocument:
    """Return the same document with its steps renumbered 1, 2, 3, ... in the same order."""
    dense = {step: number for number, step in enumerate(sorted(set(_steps(document))), start=1)}
    return _renumbered_table(document, dense)


def _steps(node: object) -> Iterator[int]:
    if isinstance(node, tuple):
        for each in node:
            yield from _steps(each)
    elif isinstance(node, Strict):
        step = getattr(node, "step", None)
        if step is not None:
            yield step
        for name in type(node).model_fields:
            yield from _steps(getattr(node, name))


def _renumbered(node: object, dense: Mapping[int, int]) -> object:
    if isinstance(node, tuple):
        return tuple(_renumbered(each, dense) for each in node)
    return _renumbered_table(node, dense) if isinstance(node, Strict) else node


def _renumbered_table(table: Table, dense: Mapping[int, int]) -> Table:
    update = {name: _renumbered(getattr(table, name), dense) for name in type(table).model_fields}
    if isinstance(step := update.get("step"), int):
        update["step"] = dense[step]
    if isinstance(standing := update.get("standing"), int):
        # Any change number, not only that of a step: the last step up to it.
        update["standing"] = bisect_right(list(dense), standing)
    return table.model_copy(update=update)
