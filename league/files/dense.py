"""Renumbering of steps to 1, 2, 3, ..., so that a file does not depend on its competition's change numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from league.files.shape import Document
from scoring.ruleset.base import Strict


def with_dense_steps(document: Document) -> Document:
    """Return the same document with its steps renumbered 1, 2, 3, ... in the same order."""
    dense = {step: number for number, step in enumerate(sorted(set(_steps(document))), start=1)}
    renumbered: Document = _renumbered(document, dense)
    return renumbered


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


def _renumbered(node: Any, dense: Mapping[int, int]) -> Any:
    if isinstance(node, tuple):
        return tuple(_renumbered(each, dense) for each in node)
    if not isinstance(node, Strict):
        return node
    update = {name: _renumbered(getattr(node, name), dense) for name in type(node).model_fields}
    if update.get("step") is not None:
        update["step"] = dense[update["step"]]
    return node.model_copy(update=update)
