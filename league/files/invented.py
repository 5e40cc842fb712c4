"""What a file that is made from something else has to invent: the competition's address and name, people's keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import slugify


@dataclass(frozen=True, slots=True)
class Target:
    """What the competition made of examples is called."""

    slug: str
    name: str


def invented_keys(names: Iterable[str], slug: str) -> dict[str, str]:
    """A key for every name, unlike those of other competitions."""
    keys: dict[str, str] = {}
    for number, name in enumerate(dict.fromkeys(names), start=1):
        key = f"{slug}-{slugify(name) or 'x'}"
        keys[name] = f"{key}-{number}" if key in keys.values() else key
    return keys
