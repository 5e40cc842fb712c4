"""What changed in a rule book from one revision to the next, value by value, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from league.models import RulesetRevision
from league.selectors.readers import Visitor
from league.selectors.rulebooks import rulesets_for
from league.selectors.rules import ruleset_of_revision
from scoring.ruleset import FaultsError, Ruleset

NOT_VALUES = frozenset({"clauses", "title", "book"})


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after; None where there was none."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class RevisionRead:
    """A revision that competitions have been played by."""

    number: int
    kept_at: dt.datetime
    changes: tuple[ValueChange, ...] | None
    """Since the revision before; None for the first."""


def kept_revisions(name: str, visitor: Visitor | None) -> list[RulesetRevision]:
    """The revisions of a book used in competitions the visitor may know of, the oldest first."""
    return list(rulesets_for(visitor).kept.filter(name=name).order_by("number"))


def revisions_read(kept: list[RulesetRevision]) -> list[RevisionRead]:
    """The revisions with what each changed, the newest first; those this software refuses are left out."""
    readable: list[tuple[RulesetRevision, Ruleset]] = []
    for revision in kept:
        with suppress(FaultsError):
            readable.append((revision, ruleset_of_revision(revision)))
    found = [RevisionRead(revision.number, revision.created_at, None) for revision, _ruleset in readable[:1]]
    for (_before, old), (revision, new) in pairwise(readable):
        found.append(RevisionRead(revision.number, revision.created_at, tuple(changes_between(old, new))))
    return found[::-1]


def changes_between(old: Ruleset, new: Ruleset) -> Iterator[ValueChange]:
    """Yield every value that differs, in the order of the file."""
    before, after = dict(values_in("", old.data())), dict(values_in("", new.data()))
    for path in {**before, **after}:
        if before.get(path) != after.get(path):
            yield ValueChange(path, before.get(path), after.get(path))


def values_in(path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every value of a table and of those within it, with its path."""
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if key in NOT_VALUES:
            continue
        if isinstance(value, dict):
            yield from values_in(where, value)
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value):
                yield from values_in(f"{where}.{each.get('key') or each.get('name') or number}", each)
        else:
            yield where, value
