"""Rulesets and formats that a visitor can see: those installed with the product, and revisions used by competitions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from league.models import FormatRevision, RulesetRevision
from league.models.rules import Revision
from league.selectors.access.actors import AnyUser, has_right
from league.selectors.access.readers import Visitor, visible_competitions
from league.selectors.rulebooks.rules_in_force import format_of_revision, ruleset_of_revision
from rulesets import loader
from rulesets.formats import format_names, format_text, load_format
from scoring.format import Format
from scoring.ruleset import FaultsError, Ruleset

Value = TypeVar("Value")
R = TypeVar("R", bound=Revision)
LONGEST_NUMBER = 6
MAY_WRITE = "league.add_rulesetrevision"
"""Permission to add rulesets of the installation's own."""
MAY_WRITE_FORMATS = ("league.add_formatrevision", "league.add_competition")
"""Permissions of which either is enough to add formats: organizers who set up competitions build their formats."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry(Generic[Value]):
    """A text of rules with its parsed value; `number` is None if no competition has used this exact text."""

    name: str
    number: int | None
    sha256: str
    value: Value
    text: str


@dataclass(frozen=True, slots=True)
class Shelf(Generic[Value]):
    """The rulesets, or the formats, that a visitor can see."""

    kept: QuerySet[Any]
    installed: Sequence[str]
    text_of: Callable[[str], str]
    """Returns the text of an installed book."""
    load: Callable[[str], Value]
    read: Callable[[Any], Value]

    def revisions(self, name: str) -> list[int]:
        """Return the numbers of a name's revisions, oldest first."""
        return list(self.kept.filter(name=name).order_by("number").values_list("number", flat=True))

    def book(self, name: str, number: int | None = None) -> CatalogueEntry[Value] | None:
        """Return a revision, by default the installed book or else the newest revision.

        None if there is none, or if this version of the software cannot load it.
        """
        if number is None and name in self.installed:
            return self._installed(name, self._numbers([name]))
        rows = self.kept.filter(name=name).order_by("-number")
        found = rows.first() if number is None else rows.filter(number=number).first()
        return self._stored(found) if found else None

    def books(self) -> Iterator[CatalogueEntry[Value]]:
        """Yield the default book of every name, except revisions that this version of the software cannot load."""
        numbers = self._numbers(self.installed)
        newest = {row.name: row for row in self.kept.exclude(name__in=self.installed).order_by("number")}
        for name in sorted({*self.installed, *newest}):
            book = self._stored(newest[name]) if name in newest else self._installed(name, numbers)
            if book is not None:
                yield book

    def _numbers(self, names: Sequence[str]) -> dict[tuple[str, str], int]:
        """Return the numbers of the revisions of these names by name and digest."""
        rows = self.kept.filter(name__in=names).values_list("name", "sha256", "number")
        return {(name, sha256): number for name, sha256, number in rows}

    def _installed(self, name: str, numbers: Mapping[tuple[str, str], int]) -> CatalogueEntry[Value]:
        text = self.text_of(name)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        return CatalogueEntry(name, numbers.get((name, sha256)), sha256, self.load(name), text)

    def _stored(self, row: Any) -> CatalogueEntry[Value] | None:
        with suppress(FaultsError):
            return CatalogueEntry(row.name, row.number, row.sha256, self.read(row), row.text)
        return None


def own_rulesets() -> Iterator[tuple[RulesetRevision, Ruleset]]:
    """Yield the installation's own rulesets, newest revision of a name first; those that fail to load are left out."""
    own: QuerySet[RulesetRevision] = QuerySet(RulesetRevision).exclude(name__in=loader.names())
    for revision in own.order_by("name", "-number"):
        with suppress(FaultsError):
            yield revision, ruleset_of_revision(revision)


def rulesets_for(visitor: Visitor | None) -> Shelf[Ruleset]:
    """Return the rulesets with the revisions used in competitions visible to the visitor.

    Users with the right to write rulesets see all revisions.
    """
    kept: QuerySet[RulesetRevision] = QuerySet(RulesetRevision)
    if not has_right(visitor, MAY_WRITE):
        kept = kept.filter(rulesinforce__competition__in=visible_competitions(visitor)).distinct()
    return Shelf(kept, loader.names(), loader.text_of, loader.load, ruleset_of_revision)


def may_write_formats(user: AnyUser) -> bool:
    """Return True if the user may write formats, and so may see all of them."""
    return any(has_right(user, right) for right in MAY_WRITE_FORMATS)


def own_formats() -> Iterator[tuple[FormatRevision, Format]]:
    """Yield the organizers' own formats, newest revision of a name first; those that fail to load are left out."""
    own: QuerySet[FormatRevision] = QuerySet(FormatRevision).exclude(name__in=format_names())
    for revision in own.order_by("name", "-number"):
        with suppress(FaultsError):
            yield revision, format_of_revision(revision)


def format_revision_named(text: str) -> FormatRevision | None:
    """Return the format revision for `name@number`; without a number the newest of that name; None if unknown."""
    return revision_among(QuerySet(FormatRevision), text)


def source_text_of_format(source: str) -> str | None:
    """Return the text of a format of the product by its name, or of a revision as `name@number`; None if unknown."""
    if source in format_names():
        return format_text(source)
    revision = format_revision_named(source)
    return revision.text if revision else None


def revision_among(rows: QuerySet[R], text: str) -> R | None:
    """Return the revision for `name@number` among these; without a number the newest of the name; None if unknown."""
    name, _at, number = text.partition("@")
    rows = rows.filter(name=name).order_by("-number")
    if number:
        rows = rows.filter(number=int(number)) if number.isdecimal() and len(number) <= LONGEST_NUMBER else rows.none()
    return rows.first()


def formats_for(visitor: Visitor | None) -> Shelf[Format]:
    """Return the formats with the revisions used in competitions visible to the visitor.

    Users allowed to write formats see all revisions.
    """
    kept: QuerySet[FormatRevision] = QuerySet(FormatRevision)
    if not may_write_formats(visitor):
        kept = kept.filter(rulesinforce__competition__in=visible_competitions(visitor)).distinct()
    return Shelf(kept, format_names(), format_text, load_format, format_of_revision)
