"""The words by which a house calls out amounts, in houses with words of their own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rulesets.loader import FOLDER, read_model
from scoring.ruleset.base import Positive, Ruled, Strict, Title

FILE = "sayings.toml"


class Saying(Ruled):
    """The name of an amount."""

    points: Positive
    says: Title


class Sayings(Strict):
    """A file of sayings."""

    sayings: tuple[Saying, ...]


@cache
def sayings_of(name: str) -> Mapping[int, Title]:
    """Return the names of amounts under a ruleset of the product; empty if it uses plain figures."""
    path = FOLDER / name / FILE
    if not path.exists():
        return MappingProxyType({})
    found = read_model(path.read_text(encoding="utf-8"), f"{name}/{FILE}", Sayings)
    return MappingProxyType({each.points: each.says for each in found.sayings})
