"""Which rulesets and formats there are: those that come with the product, and the revisions competitions play by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from league.models import FormatRevision, RulesetRevision
from league.selectors.access.actors import has_right
from league.selectors.access.readers import Visitor, visible_competitions
from league.selectors.rulebooks.rules_in_force import format_of_revision, ruleset_of_revision
from rulesets import loader
from rulesets.formats import format_names, format_text, load_format
from scoring.format import Format
from scoring.ruleset import FaultsError, Ruleset

Value = TypeVar("Value")
MAY_WRITE = "league.add_rulesetrevision"
"""The permission to keep rulesets of the house's own."""


@dataclass(frozen=True, slots=True)
class Book(Generic[Value]):
    """A text of rules with what it says; `number` is None while no competition has used this very text."""

    name: str
    number: int | None
    sha256: str
    value: Value


@dataclass(frozen=True, slots=True)
class Shelf(Generic[Value]):
    """Books of one kind as a visitor may see them."""

    kept: QuerySet[Any]
    installed: Sequence[str]
    text_of: Callable[[str], str]
    """The text of what is installed."""
    load: Callable[[str], Value]
    read: Callable[[Any], Value]

    def names(self) -> list[str]:
        """Every name there is."""
        return sorted({*self.installed, *self.kept.values_list("name", flat=True)})

    def revisions(self, name: str) -> list[int]:
        """The numbers of the revisions of a name, oldest first."""
        return list(self.kept.filter(name=name).order_by("number").values_list("number", flat=True))

    def book(self, name: str, number: int | None = None) -> Book[Value] | None:
        """A revision, by default what is installed or, where nothing is, the newest; None if there is none."""
        if number is None and name in self.installed:
            sha256 = hashlib.sha256(self.text_of(name).encode()).hexdigest()
            same = self.kept.filter(name=name, sha256=sha256).first()
            return Book(name, same.number if same else None, sha256, self.load(name))
        rows = self.kept.filter(name=name).order_by("-number")
        found = rows.first() if number is None else rows.filter(number=number).first()
        return Book(name, found.number, found.sha256, self.read(found)) if found else None

    def books(self) -> Iterator[Book[Value]]:
        """The book of every name, but for revisions kept once that this version of the software refuses."""
        for name in self.names():
            with suppress(FaultsError):
                book = self.book(name)
                if book is not None:
                    yield book


def own_rulesets() -> Iterator[tuple[RulesetRevision, Ruleset]]:
    """The revisions of the house's own rulesets that this version of the software reads, newest of a name first."""
    own: QuerySet[RulesetRevision] = QuerySet(RulesetRevision).exclude(name__in=loader.names())
    for revision in own.order_by("name", "-number"):
        with suppress(FaultsError):
            yield revision, ruleset_of_revision(revision)


def rulesets_for(visitor: Visitor | None) -> Shelf[Ruleset]:
    """The rulesets, with the revisions used in competitions the visitor may know of; with all for who writes them."""
    kept: QuerySet[RulesetRevision] = QuerySet(RulesetRevision)
    if not has_right(visitor, MAY_WRITE):
        kept = kept.filter(rulesinforce__competition__in=visible_competitions(visitor)).distinct()
    return Shelf(kept, loader.names(), loader.text_of, loader.load, ruleset_of_revision)


def formats_for(visitor: Visitor | None) -> Shelf[Format]:
    """The formats, with the revisions used in competitions the visitor may know of."""
    kept: QuerySet[FormatRevision] = (
        QuerySet(FormatRevision).filter(rulesinforce__competition__in=visible_competitions(visitor)).distinct()
    )
    return Shelf(kept, format_names(), format_text, load_format, format_of_revision)
