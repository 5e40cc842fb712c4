"""How a house calls out amounts, where it has words of its own for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rulesets.loader import FOLDER, read_model
from scoring.ruleset.base import Positive, Ruled, Strict, Title

FILE = "sayings.toml"


class Saying(Ruled):
    """What an amount is called."""

    points: Positive
    says: Title


class Sayings(Strict):
    """A file of sayings."""

    sayings: tuple[Saying, ...]


@cache
def sayings_of(name: str) -> Mapping[int, Title]:
    """Return what amounts are called under a ruleset of the product; empty where they go by their figures."""
    path = FOLDER / name / FILE
    if not path.exists():
        return MappingProxyType({})
    found = read_model(path.read_text(encoding="utf-8"), f"{name}/{FILE}", Sayings)
    return MappingProxyType({each.points: each.says for each in found.sayings})
