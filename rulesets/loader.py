"""Load rulesets, and refuse invalid ones with every fault at once.

A fault names the file, the key, the value found and the allowed values. `read_model` reads any other data file of
this package in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rulesets.lines import line_of, syntax_line
from rulesets.toml_text import toml_of
from scoring.ruleset import Fault, FaultsError, Option, OptionError, Ruleset
from scoring.ruleset.faults import Loc, faults_of, unknown_keys
from scoring.ruleset.paths import get

SENTENCES: Mapping[str, str] = {
    "no_toml": "this is no TOML; look for a missing quote, bracket or equals sign on this line or the one before",
}
"""A sentence for a text that cannot be read at all."""

FOLDER = Path(__file__).parent
FILE = "ruleset.toml"

Model = TypeVar("Model", bound=BaseModel)


class RulesetError(FaultsError):
    """Raised for a rules file that was refused."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of the rulesets that come with the product, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{FILE}")))


def text_of(name: str) -> str:
    """Return the text of a ruleset's file; raise KeyError if there is none of this name."""
    if name not in names():
        raise KeyError(name)
    return (FOLDER / name / FILE).read_text(encoding="utf-8")


@cache
def load(name: str) -> Ruleset:
    """Return a ruleset of the product, cached; raise KeyError if there is none of this name.

    Tests have tried every value of its options.
    """
    return read_model(text_of(name), f"{name}/{FILE}", Ruleset)


@lru_cache(maxsize=64)
def parse(text: str, source: str) -> Ruleset:
    """Parse a ruleset from the text of a file; cached, as trying every value of every option takes up to 0.1 s.

    Raise RulesetError with every fault, including those that an option's values would cause.
    """
    rules = read_model(text, source, Ruleset)
    faults = tuple(option_faults(rules, source, rules.options))
    if faults:
        raise RulesetError(_with_lines(faults, text))
    return rules


def read_model(text: str, source: str, model: type[Model]) -> Model:
    """Parse a model from TOML text, strictly.

    Raise RulesetError with every fault. A syntax error is reported alone, since nothing after it can be read.
    """
    return read_data(data_of(text, source), text, source, model)


def read_data(data: dict[str, object], text: str, source: str, model: type[Model]) -> Model:
    """Validate a model from the data of a TOML text, strictly; raise RulesetError with every fault."""
    try:
        return model.model_validate_json(_json(data))
    except ValidationError as error:
        found = [*faults_of(error, model, data, source), *_beyond(error, model, data, source)]
        raise RulesetError(_with_lines(tuple(found), text)) from error


def data_of(text: str, source: str) -> dict[str, object]:
    """Return the data of a TOML text; raise RulesetError with its syntax error."""
    try:
        return toml_of(text)
    except ValueError as error:
        message = f"this is no TOML: {error}"
        fault = Fault(source, "", None, message, syntax_line(error, text), SENTENCES["no_toml"], code="no_toml")
        raise RulesetError((fault,)) from error


def _json(data: dict[str, object]) -> str:
    """Return data as JSON, since pydantic's strict mode takes lists as tuples and names as enums only from JSON."""
    return json.dumps(data, default=lambda date: date.isoformat())


def _beyond(error: ValidationError, model: type[BaseModel], data: dict[str, object], source: str) -> tuple[Fault, ...]:
    """Return the other faults of data whose only reported faults are unknown keys.

    Pydantic runs a model's own checks only when its fields are valid, so the data is validated again without those
    keys.
    """
    unknown = unknown_keys(error)
    if unknown is None:
        return ()
    # A copy, since the faults report values and lines of the original.
    rest = deepcopy(data)
    for loc in unknown:
        _remove(rest, loc)
    try:
        model.model_validate_json(_json(rest))
    except ValidationError as further:
        return faults_of(further, model, rest, source)
    return ()


def _remove(node: Any, loc: Loc) -> bool:
    """Remove the entry at a location from nested tables and lists; return whether it was there.

    Pydantic's location may also name the member of a union that it tried, which leads into no table.
    """
    part, rest = loc[0], loc[1:]
    is_inside = part in node if isinstance(node, dict) else isinstance(node, list) and isinstance(part, int)
    if rest:
        return any(_remove(each, rest) for each in ([node[part], node] if is_inside else [node]))
    if is_inside:
        del node[part]
    return is_inside


def option_faults(rules: Ruleset, source: str, keys: Iterable[str]) -> Iterator[Fault]:
    """Yield the faults of these options.

    Every value must give a valid ruleset, and the default must give the one written in the file.
    """
    for key in keys:
        option = rules.options[key]
        for value in option.candidates():
            try:
                changed = rules.with_options({key: value})
            except OptionError as error:
                yield Fault(source, f"options.{key}", value, f"this value is impossible: {error}")
                continue
            except KeyError as error:
                message = f"it sets a value where there is nothing to set: {error}"
                yield Fault(source, f"options.{key}", value, message)
                continue
            if changed is rules or _plain(value) != _plain(option.default):
                continue
            if path := _unlike(option, value, changed, rules):
                message = f"the default must set what the ruleset's own tables say: {path} is {get(rules.data(), path)}"
                yield Fault(source, f"options.{key}.default", value, message)


def _plain(value: object) -> object:
    """Return a value as a file writes it: a list for a tuple."""
    return list(value) if isinstance(value, tuple) else value


def _unlike(option: Option, value: object, changed: Ruleset, rules: Ruleset) -> str:
    """Return the first path at which an option's value differs from the ruleset; empty if there is none."""
    own, other = rules.data(), changed.data()
    paths = (path for path, _ in option.settings_of(value))
    return next((path for path in paths if get(other, path) != get(own, path)), "")


def _with_lines(faults: tuple[Fault, ...], text: str) -> tuple[Fault, ...]:
    return tuple(replace(each, line=each.line or line_of(each.key, text)) for each in faults)
