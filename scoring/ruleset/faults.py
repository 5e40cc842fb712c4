"""Turn pydantic's errors into faults that a person can act on: key, value, and the allowed values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scoring.ruleset.base import Fault

MOST = 500
"""The most faults of one file that are reported; a file with more is fixed from these on."""
INCONSISTENT = "inconsistent"
"""The error type with which a model reports several faults of its own at once."""

Loc = tuple[int | str, ...]

KINDS = {
    "int_type": "must be a whole number",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "missing": "this key is required",
    "union_tag_not_found": "this key is required",
}
"""The requirement behind each pydantic error type, in the words of the file format."""

_KEY = "[key]"
_TAGS = ("union_tag_invalid", "union_tag_not_found")


def faults_of(error: ValidationError, model: type[BaseModel], data: object, source: str) -> tuple[Fault, ...]:
    """Return one fault for each key that is wrong, in the order of the file's model; at most `MOST`."""
    by_key: dict[tuple[str, str], Fault] = {}
    for detail in error.errors()[:MOST]:
        if _is_consequence(detail):
            continue
        for fault in _faults(detail, model, data, source):
            known = by_key.get((fault.key, fault.code))
            # A union reports one error for each member it tried: the same key must not appear several times.
            by_key[fault.key, fault.code] = fault if known is None else _both(known, fault)
    return tuple(by_key.values())


def _is_consequence(detail: ErrorDetails) -> bool:
    """Return whether a list counts as too short only because its entries have faults of their own."""
    found = detail["input"]
    return detail["type"] == "too_short" and isinstance(found, list) and len(found) >= detail["ctx"]["min_length"]


def _both(one: Fault, other: Fault) -> Fault:
    """Return one fault for a key with two: alternative kinds of values, or two things to correct."""
    kind = "must be "
    if one.message == other.message:
        return one
    if one.message.startswith(kind) and other.message.startswith(kind):
        message = f"{one.message} or {other.message.removeprefix(kind)}"
    else:
        message = f"{one.message}; {other.message}"
    return Fault(one.source, one.key, one.value, message)


def _faults(detail: ErrorDetails, model: type[BaseModel], data: object, source: str) -> Iterator[Fault]:
    if detail["type"] == INCONSISTENT:
        for each in detail["ctx"]["found"]:
            yield replace(each, source=source)
        return
    loc = _located(detail)
    absent = detail["type"] in ("missing", *_TAGS)
    key = ".".join((*_spelled(loc[:-1], data), str(loc[-1])) if absent else _spelled(loc, data))
    value = detail["input"]
    if absent or isinstance(value, Mapping):
        value = None
    yield Fault(source, key, value, _message(detail, loc, model))


def _located(detail: ErrorDetails) -> Loc:
    """Return the location of an error: the key itself for a bad key or a bad tag of a union."""
    loc = detail["loc"]
    if detail["type"] in _TAGS:
        return (*loc, detail["ctx"]["discriminator"].strip("'"))
    return loc[:-1] if loc and loc[-1] == _KEY else loc


def _message(detail: ErrorDetails, loc: Loc, model: type[BaseModel]) -> str:
    """Return the text that names the allowed values."""
    kind = detail["type"]
    if kind in KINDS:
        return KINDS[kind]
    if kind == "union_tag_invalid":
        return f"must be {detail['ctx']['expected_tags']}"
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), _known_keys(model, loc[:-1]))
    if kind == "enum" and detail["loc"][-1] == _KEY:
        return _unknown_key(str(loc[-1]), re.findall(r"'([^']*)'", detail["ctx"]["expected"]))
    message = detail["msg"].removeprefix("Value error, ")
    return re.sub(r"^(Input|String) should ", "must ", message)


def _unknown_key(key: str, known: Sequence[str]) -> str:
    if not known:
        return "unknown key; none is allowed here"
    close = get_close_matches(key, known, n=1)
    hint = f"did you mean {close[0]!r}? Allowed" if close else "allowed"
    return f"unknown key; {hint}: {', '.join(known)}"


def unknown_keys(error: ValidationError) -> tuple[Loc, ...] | None:
    """Return the locations of unknown keys; None if there are other errors too."""
    details = error.errors()
    if any(detail["type"] != "extra_forbidden" for detail in details):
        return None
    return tuple(detail["loc"] for detail in details)


def _spelled(loc: Loc, data: object) -> Iterator[str]:
    """Yield a location as keys of the file; an entry of a list is named by its own `key`, if it has one.

    Pydantic's location also contains the member of a union that it tried, which is not a key of the file and is left
    out.
    """
    for part in loc:
        if isinstance(data, Mapping) and part in data:
            data = data[part]
            yield str(part)
        elif isinstance(data, list) and isinstance(part, int):
            data = data[part]
            yield str(data.get("key", part)) if isinstance(data, Mapping) else str(part)


def _known_keys(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the keys that the table at a location may have."""
    annotation: object = model
    for part in loc:
        annotation = _below(annotation, part)
    keys: list[str] = []
    for each in _models(annotation):
        keys += [field.alias or name for name, field in each.model_fields.items()]
    return keys


def _below(annotation: object, part: int | str) -> object:
    """Return the type one step of a location further down."""
    for each in _models(annotation):
        for name, field in each.model_fields.items():
            if part in (name, field.alias):
                return field.annotation
        if _tagged(each, part):
            return each
    inner = {get_origin(each): get_args(each) for each in _members(annotation)}
    return inner[dict][1] if dict in inner else inner.get(tuple, (None,))[0]


def _members(annotation: object) -> Iterator[object]:
    """Yield the alternatives of a union type, without their annotations."""
    origin = get_origin(annotation)
    if origin is None or origin in (dict, tuple, Literal):
        yield annotation
        return
    arguments = get_args(annotation)
    if hasattr(annotation, "__metadata__"):
        arguments = arguments[:1]
    for each in arguments:
        yield from _members(each)


def _models(annotation: object) -> list[type[BaseModel]]:
    return [each for each in _members(annotation) if isinstance(each, type) and issubclass(each, BaseModel)]


def _tagged(model: type[BaseModel], tag: int | str) -> bool:
    """Return whether a member of a discriminated union has this tag."""
    return any(
        get_origin(field.annotation) is Literal and tag in get_args(field.annotation)
        for field in model.model_fields.values()
    )
