"""Turn what pydantic reports into faults a person can act on: key, value, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scoring.ruleset.base import Fault

INCONSISTENT = "inconsistent"
"""Type of the error with which a model reports several faults of its own at once."""

Loc = tuple[int | str, ...]


def faults_of(error: ValidationError, model: type[BaseModel], data: object, source: str) -> tuple[Fault, ...]:
    """Return one fault for each thing wrong, in the order of the file's model."""
    return tuple(fault for detail in error.errors() for fault in _faults(detail, model, data, source))


def _faults(detail: ErrorDetails, model: type[BaseModel], data: object, source: str) -> Iterator[Fault]:
    if detail["type"] == INCONSISTENT:
        for key, value, message in detail["ctx"]["found"]:
            yield Fault(source, key, value, message)
        return
    key = ".".join(_spelled(detail["loc"], data))
    value = detail["input"]
    if detail["type"] == "missing" or isinstance(value, Mapping):
        value = None
    yield Fault(source, key, value, _message(detail, model))


def _message(detail: ErrorDetails, model: type[BaseModel]) -> str:
    """Say what is allowed instead."""
    kind = detail["type"]
    if kind == "missing":
        return "this key is required"
    if kind == "extra_forbidden":
        return _unknown_key(str(detail["loc"][-1]), _known_keys(model, detail["loc"][:-1]))
    message = detail["msg"].removeprefix("Value error, ")
    if message.startswith("Input should be "):
        return "must be " + message.removeprefix("Input should be ")
    return message


def _unknown_key(key: str, known: Sequence[str]) -> str:
    close = get_close_matches(key, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown key{hint} Allowed: {', '.join(known)}" if known else "unknown key"


def unknown_keys(error: ValidationError) -> tuple[Loc, ...] | None:
    """Return where unknown keys stand, or None if anything else is wrong too."""
    details = error.errors()
    if any(detail["type"] != "extra_forbidden" for detail in details):
        return None
    return tuple(detail["loc"] for detail in details)


def _spelled(loc: Loc, data: object) -> Iterator[str]:
    """Yield a location as keys of the file; an entry of a list by its own `key`, if it has one."""
    for part in loc:
        if isinstance(data, Mapping):
            if part not in data:
                if part not in (data.get("type"), data.get("kind")):
                    yield str(part)
                continue
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int):
            data = data[part]
            yield str(data.get("key", part)) if isinstance(data, Mapping) else str(part)
            continue
        yield str(part)


def _known_keys(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the keys that the table at a location may have."""
    annotation: Any = model
    for part in loc:
        annotation = _below(annotation, part)
    keys: list[str] = []
    for each in _models(annotation):
        keys += [field.alias or name for name, field in each.model_fields.items()]
    return keys


def _below(annotation: Any, part: int | str) -> Any:
    """Follow one step of a location into a type."""
    for each in _models(annotation):
        for name, field in each.model_fields.items():
            if part in (name, field.alias):
                return field.annotation
        if _tagged(each, part):
            return each
    for each in _members(annotation):
        arguments = get_args(each)
        if get_origin(each) is dict:
            return arguments[1]
        if get_origin(each) is tuple:
            return arguments[0]
    return None


def _members(annotation: Any) -> Iterator[Any]:
    """Yield the alternatives of a union, without what only annotates them."""
    origin = get_origin(annotation)
    if origin is None or origin in (dict, tuple, Literal):
        yield annotation
        return
    arguments = get_args(annotation)
    if hasattr(annotation, "__metadata__"):
        arguments = arguments[:1]
    for each in arguments:
        yield from _members(each)


def _models(annotation: Any) -> list[type[BaseModel]]:
    return [each for each in _members(annotation) if isinstance(each, type) and issubclass(each, BaseModel)]


def _tagged(model: type[BaseModel], tag: int | str) -> bool:
    """Whether a member of a discriminated union carries this tag."""
    return any(
        get_origin(field.annotation) is Literal and tag in get_args(field.annotation)
        for field in model.model_fields.values()
    )
