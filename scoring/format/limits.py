"""Limits of formats that organizers write: what a table of the service can hold and a request may cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from scoring.format import Block, Format, Stage
from scoring.ruleset.base import Fault, fault

MOST_SOURCES = 10_000
MOST_BLOCKS = 200
MOST_ENTRANTS = 2_000
MOST_HANCHAN = 500
LONGEST_KEY = 32
LONGEST_TITLE = 100
_SPAN = re.compile(r"(\d{1,4})-(\d{1,4})$")
SENTENCES: Mapping[str, str] = {
    "name_of_product": "belongs to the product; choose a name that is none of: %(taken)s",
    "name_reserved": "has a meaning of its own in addresses; choose another",
    "too_many_sources": "must fill at most %(most)s places all together",
    "too_many_blocks": "must have at most %(most)s blocks",
    "number_too_large": "must be at most %(most)s",
    "text_too_long": "must have at most %(most)s characters",
}
"""A sentence for each fault: what is allowed instead of the value found."""


_wrong = partial(fault, SENTENCES)


def size_faults(data: object) -> Iterator[Fault]:
    """Yield a fault if a format's data name so many entrants that checking them would take long."""
    if (count := places_named(data)) > MOST_SOURCES:
        yield _wrong("stages", count, "too_many_sources", most=MOST_SOURCES)


def places_named(data: object) -> int:
    """Return how many entrants the sources of a format's data name, roughly and without reading them one by one."""
    stages = data.get("stages") if isinstance(data, Mapping) else None
    rows = [row for row in stages if isinstance(row, Mapping)] if isinstance(stages, list) else []
    blocks = {str(row.get("key")): len(found) for row in rows if isinstance(found := row.get("blocks"), list)}
    total = 0
    for text in _texts(rows):
        span = _SPAN.search(text)
        ranks = max(int(span[2]) - int(span[1]) + 1, 1) if span else 1
        total += ranks * blocks.get(text.removeprefix("best:").partition("#")[0], 1)
    return total


def _texts(node: object) -> Iterator[str]:
    """Yield every source written in a format's data."""
    if isinstance(node, Mapping):
        if isinstance(text := node.get("from"), str):
            yield text
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _texts(inner)


def limit_faults(found: Format, taken: Sequence[str], reserved: Sequence[str]) -> Iterator[Fault]:
    """Yield the faults that a sound format has as an organizer's own; names in `taken` belong to the product."""
    if found.name in taken:
        yield _wrong("name", found.name, "name_of_product", taken=", ".join(taken))
    if found.name in reserved:
        yield _wrong("name", found.name, "name_reserved")
    if len(found.blocks) > MOST_BLOCKS:
        yield _wrong("stages", len(found.blocks), "too_many_blocks", most=MOST_BLOCKS)
    entrants = found.bounds.most if found.bounds else found.seeds
    if entrants > MOST_ENTRANTS:
        yield _wrong("entrants", entrants, "number_too_large", most=MOST_ENTRANTS)
    for stage in found.stages:
        yield from _stage_faults(stage)


def _stage_faults(stage: Stage) -> Iterator[Fault]:
    """Yield what is too long or too large for the columns that hold a stage."""
    where = f"stages.{stage.key}"
    if (stage.hanchan or 0) > MOST_HANCHAN:
        yield _wrong(f"{where}.hanchan", stage.hanchan, "number_too_large", most=MOST_HANCHAN)
    titled: list[tuple[str, Stage | Block]] = [(where, stage)]
    titled += [(f"{where}.blocks.{block.key}", block) for block in stage.all_blocks]
    for place, row in titled:
        if len(row.key) > LONGEST_KEY:
            yield _wrong(f"{place}.key", row.key, "text_too_long", most=LONGEST_KEY)
        if max(len(row.title.ja), len(row.title.en)) > LONGEST_TITLE:
            yield _wrong(f"{place}.title", row.title.ja, "text_too_long", most=LONGEST_TITLE)
