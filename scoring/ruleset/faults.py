"""Turn pydantic's errors into faults that a person can act on: key, value, and the allowed values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scoring.ruleset.base import Choices, Fault, SentenceError

MOST = 500
"""The most faults of one file that are reported; a file with more is fixed from these on."""
INCONSISTENT = "inconsistent"
"""The error type with which a model reports several faults of its own at once."""

Loc = tuple[int | str, ...]

SENTENCES: Mapping[str, str] = {
    "int_type": "must be a whole number",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "date_type": "must be a date such as 2026-04-01",
    "date_from_datetime_parsing": "must be a date such as 2026-04-01",
    "missing": "this key is required",
    "union_tag_not_found": "this key is required",
    "one_of": "must be %(allowed)s",
    "greater_than": "must be greater than %(gt)s",
    "greater_than_equal": "must be greater than or equal to %(ge)s",
    "less_than": "must be less than %(lt)s",
    "less_than_equal": "must be less than or equal to %(le)s",
    "string_pattern_mismatch": "must match pattern '%(pattern)s'",
    "string_too_long": "must have at most %(max_length)s characters",
    "string_too_short": "must have at least %(min_length)s characters",
    "too_short": "must have at least %(min_length)s entries",
    "unknown_key": "unknown key; allowed: %(known)s",
    "unknown_key_close": "unknown key; did you mean '%(close)s'? Allowed: %(known)s",
    "no_key_allowed": "unknown key; none is allowed here",
}
"""The requirement behind each pydantic error type, in the words of the file format."""

_CHOICES = ("enum", "literal_error", "union_tag_invalid")
"""Error types of a value that is none of the allowed ones; their context lists these in quotes."""
_KEY = "[key]"
_TAGS = ("union_tag_invalid", "union_tag_not_found")


def faults_of(error: ValidationError, model: type[BaseModel], data: object, source: str) -> tuple[Fault, ...]:
    """Return one fault for each key that is wrong, in the order of the file's model; at most `MOST`."""
    by_key: dict[tuple[str, str], Fault] = {}
    for detail in error.errors()[:MOST]:
        if _is_consequence(detail):
            continue
        own = detail["type"] == INCONSISTENT
        for fault in detail["ctx"]["found"] if own else [_fault(detail, model, data, source)]:
            # A union reports one error for each member it tried: the same key must not appear several times. Of a
            # model's own faults one code may stand for several things at one key.
            identity = (fault.key, fault.message if own and fault.code else "")
            known = by_key.get(identity)
            by_key[identity] = replace(fault, source=source) if known is None else _both(known, fault)
    keys = {key for key, _ in by_key}
    return tuple(each for each in by_key.values() if not _is_other_member(each, keys))


def _is_consequence(detail: ErrorDetails) -> bool:
    """Return whether a list counts as too short only because its entries have faults of their own."""
    found = detail["input"]
    return detail["type"] == "too_short" and isinstance(found, list) and len(found) >= detail["ctx"]["min_length"]


def _is_other_member(fault: Fault, keys: set[str]) -> bool:
    """Return whether a fault only says that a table is no other kind of value, or misses entries that have faults."""
    return (fault.code.endswith("_type") or fault.code == "too_short") and any(
        key.startswith(f"{fault.key}.") for key in keys
    )


def _both(one: Fault, other: Fault) -> Fault:
    """Return one fault for a key with two: alternative kinds of values, or two things to correct."""
    kind = "must be "
    if one.message == other.message:
        return one
    # A table that is no number is no fault where a table is allowed and this one has a fault of its own.
    if one.value is None and one.code.endswith("_type") != other.code.endswith("_type"):
        return other if one.code.endswith("_type") else one
    if one.message.startswith(kind) and other.message.startswith(kind):
        message = f"{one.message} or {other.message.removeprefix(kind)}"
    else:
        message = f"{one.message}; {other.message}"
    return Fault(one.source, one.key, one.value, message, parts=(*(one.parts or (one,)), other))


def _fault(detail: ErrorDetails, model: type[BaseModel], data: object, source: str) -> Fault:
    loc = _located(detail)
    absent = detail["type"] in ("missing", *_TAGS)
    key = ".".join((*_spelled(loc[:-1], data), str(loc[-1])) if absent else _spelled(loc, data))
    value = detail["input"]
    if absent or isinstance(value, Mapping):
        value = None
    if found := _sentence(detail, loc, model):
        sentence, code, params = found
        return Fault(source, key, value, sentence % params, None, sentence, params, code)
    return Fault(source, key, value, _message(detail), code=detail["type"])


def _located(detail: ErrorDetails) -> Loc:
    """Return the location of an error: the key itself for a bad key or a bad tag of a union."""
    loc = detail["loc"]
    if detail["type"] in _TAGS:
        return (*loc, detail["ctx"]["discriminator"].strip("'"))
    return loc[:-1] if loc and loc[-1] == _KEY else loc


def _sentence(detail: ErrorDetails, loc: Loc, model: type[BaseModel]) -> tuple[str, str, Mapping[str, object]] | None:
    """Return the sentence that names the allowed values, with its code and parameters; None if there is none."""
    kind, context = detail["type"], detail.get("ctx", {})
    error = context.get("error")
    if isinstance(error, SentenceError):
        return error.sentence, error.code, error.params
    if kind == "extra_forbidden":
        code, params = _unknown_key(str(loc[-1]), _known_keys(model, loc[:-1]))
    elif kind == "enum" and detail["loc"][-1] == _KEY:
        code, params = _unknown_key(str(loc[-1]), re.findall(r"'([^']*)'", context["expected"]))
    elif kind in _CHOICES:
        expected = context.get("expected") or context["expected_tags"]
        code, params = "one_of", {"allowed": Choices(re.findall(r"'[^']*'", expected))}
    elif kind in SENTENCES:
        code, params = kind, {name: value for name, value in context.items() if name != "error"}
    else:
        return None
    return SENTENCES[code], code, params


def _message(detail: ErrorDetails) -> str:
    """Return pydantic's own English for a fault that has no sentence here."""
    message = detail["msg"].removeprefix("Value error, ")
    return re.sub(r"^(Input|String) should ", "must ", message)


def _unknown_key(key: str, known: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Return the code and the parameters for a key that there is not."""
    if not known:
        return "no_key_allowed", {}
    params: dict[str, object] = {"known": ", ".join(known)}
    if close := get_close_matches(key, known, n=1):
        return "unknown_key_close", {**params, "close": close[0]}
    return "unknown_key", params


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
