"""Differences between consecutive revisions of a rule book, value by value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from league.models import RulesetRevision
from league.selectors.rulebooks.rules_in_force import ruleset_of_revision
from scoring.ruleset import FaultsError, Ruleset, Title

NOT_VALUES = frozenset({"clauses", "title", "book"})
NO_VALUE: tuple[None, tuple[str, ...]] = (None, ())


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after; None on the side that has no such value."""

    path: str
    before: object
    after: object
    clauses: tuple[str, ...] = ()
    """The clauses that the value's table cites, or cited before it was removed."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """A clause of the ruleset itself with a changed text; None on the side without it."""

    clause: str
    before: Title | None
    after: Title | None


@dataclass(frozen=True, slots=True)
class RevisionRead:
    """A revision that competitions have used, with its changes."""

    number: int
    kept_at: dt.datetime
    changes: tuple[ValueChange, ...] | None
    """Changes since the previous revision; None for the first."""
    texts: tuple[TextChange, ...] = ()
    """Clauses whose text changed in it."""


def revisions_read(kept: list[RulesetRevision]) -> list[RevisionRead]:
    """Return the revisions with their changes, newest first.

    Revisions that the present software cannot load are left out.
    """
    readable: list[tuple[RulesetRevision, Ruleset]] = []
    for revision in kept:
        with suppress(FaultsError):
            readable.append((revision, ruleset_of_revision(revision)))
    found = [RevisionRead(revision.number, revision.created_at, None) for revision, _ruleset in readable[:1]]
    for (_before, old), (revision, new) in pairwise(readable):
        changes, texts = tuple(changes_between(old, new)), tuple(texts_between(old, new))
        found.append(RevisionRead(revision.number, revision.created_at, changes, texts))
    return found[::-1]


def changes_between(old: Ruleset, new: Ruleset) -> Iterator[ValueChange]:
    """Yield every changed value in the order of the file."""
    before, after = dict(values_in("", old.data())), dict(values_in("", new.data()))
    for path in {**before, **after}:
        was, clauses_then = before.get(path, NO_VALUE)
        now, clauses = after.get(path, NO_VALUE)
        if was != now:
            yield ValueChange(path, was, now, clauses or clauses_then)


def texts_between(old: Ruleset, new: Ruleset) -> Iterator[TextChange]:
    """Yield every clause of the rulesets themselves whose text changed, by clause number."""
    before, after = ({each.id: each.says for each in rules.book.clause} for rules in (old, new))
    for clause in sorted({*before, *after}):
        if before.get(clause) != after.get(clause):
            yield TextChange(clause, before.get(clause), after.get(clause))


def values_in(
    path: str, table: Mapping[str, object], around: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[object, tuple[str, ...]]]]:
    """Yield every value of a table and its subtables with its path and the clauses that apply to it."""
    listed = table.get("clauses", around)
    clauses = tuple(listed) if isinstance(listed, list | tuple) else around
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if key in NOT_VALUES:
            continue
        if isinstance(value, dict):
            yield from values_in(where, value, clauses)
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value):
                yield from values_in(f"{where}.{each.get('key') or each.get('name') or number}", each, clauses)
        else:
            yield where, (value, clauses)
