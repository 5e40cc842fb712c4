"""Values that a converted file has to invent: the competition's slug and name, and the keys of players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import slugify


@dataclass(frozen=True, slots=True)
class InventedNames:
    """The slug and the name of the competition that is made."""

    slug: str
    name: str


def invented_keys(names: Iterable[str], slug: str) -> dict[str, str]:
    """Return a unique key for every name; the slug prefix keeps it apart from other competitions' keys."""
    keys: dict[str, str] = {}
    for number, name in enumerate(dict.fromkeys(names), start=1):
        key = f"{slug}-{slugify(name) or 'x'}"
        keys[name] = f"{key}-{number}" if key in keys.values() else key
    return keys
