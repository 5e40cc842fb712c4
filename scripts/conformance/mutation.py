"""Change every value of a ruleset, one at a time: an example or a test that cites its clauses must notice.

Examples run in this process on the changed ruleset, and only those that cite the value's clauses; an example of a
season runs after the earlier ones of its season. A change that no example notices is tried on the marked tests.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from rulesets import examples, loader
from rulesets.example_kinds import KINDS, Context, Example
from rulesets.example_kinds.standings import StandingsExample
from scoring.ruleset import Ruleset
from scripts.conformance.shown import why_shown
from scripts.conformance.values import Data, Value, mutants, values_of

ERRORS = (ValueError, ArithmeticError, LookupError, TypeError)
"""The errors of an engine whose rules contradict each other."""


@dataclass(frozen=True)
class Book:
    """A shipped ruleset with its values and its examples."""

    name: str

    @cached_property
    def data(self) -> Data:
        """The parsed content of its TOML file."""
        return tomllib.loads(loader.text_of(self.name))

    @cached_property
    def examples(self) -> examples.ExampleFile:
        """Its worked examples."""
        return examples.parse(examples.text_of(self.name), self.name)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Every value of its file."""
        return tuple(values_of(self.data))

    @cached_property
    def groups(self) -> Mapping[str, tuple[tuple[str, Example], ...]]:
        """Each example by its id, preceded by the earlier examples of its season."""
        groups: dict[str, tuple[tuple[str, Example], ...]] = {}
        seasons: dict[str, tuple[tuple[str, Example], ...]] = {}
        for kind, example in self.examples.examples:
            if example.disputed:
                continue
            before: tuple[tuple[str, Example], ...] = ()
            if isinstance(example, StandingsExample) and example.league:
                before = seasons.get(example.league, ())
                seasons[example.league] = (*before, (kind, example))
            groups[example.id] = (*before, (kind, example))
        return groups

    def citing(self, clauses: Iterable[str]) -> Iterator[str]:
        """Yield the ids of the examples that cite one of the clauses; of all examples if there are no clauses."""
        wanted = set(clauses)
        for id_, group in self.groups.items():
            if not wanted or wanted & set(group[-1][1].clauses):
                yield id_

    def notices(self, id_: str, rules: Ruleset) -> bool:
        """Return True if an example fails under these rules."""
        context = replace(self.examples.context, ruleset=rules, seasons={})
        return any(_differs(kind, example, context) for kind, example in self.groups[id_])

    def contradicts(self, id_: str, rules: Ruleset) -> bool:
        """Whether an example finds another answer under these rules than it expects; an error is no answer."""
        context = replace(self.examples.context, ruleset=rules, seasons={})
        *before, (kind, example) = self.groups[id_]
        try:
            for earlier_kind, earlier in before:
                list(KINDS[earlier_kind].run(earlier, context))
            return any(not each.is_error for each in KINDS[kind].run(example, context))
        except ERRORS:
            return False


def _differs(kind: str, example: Example, context: Context) -> bool:
    try:
        return any(True for _ in KINDS[kind].run(example, context))
    except ERRORS:
        return True


class Found(StrEnum):
    """The result of changing a value."""

    EXAMPLES = "examples"
    """An example fails."""
    TESTS = "tests"
    """No example fails, but a test does."""
    HELD = "held"
    """The loader accepts no other value."""
    SHOWN = "shown"
    """No computation reads the value."""
    UNNOTICED = "unnoticed"
    """Neither an example nor a test fails."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of all values of a book."""

    found: Mapping[str, Found]
    """Results by path."""
    by_test: tuple[tuple[Value, str], ...] = ()
    """Values that only a test notices, with the test."""
    unnoticed: tuple[Value, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return the number of values with each result."""
        return {
            each.value: sum(found is each for found in self.found.values()) for each in Found if each != "unnoticed"
        }


def found_by_examples(book: Book, value: Value) -> Found:
    """Return the result for a value from the examples alone; one noticed change is enough."""
    if why_shown(book.name, value.shown):
        return Found.SHOWN
    citing = list(book.citing(value.clauses))
    is_changed = False
    for mutant in mutants(value, book.data):
        is_changed = True
        if any(book.notices(id_, mutant.rules) for id_ in citing):
            return Found.EXAMPLES
    return Found.UNNOTICED if is_changed else Found.HELD


def try_values(book: Book, ask_tests: Callable[[Value], str]) -> Trial:
    """Change every value of a book, and run the tests for those that no example notices."""
    found: dict[str, Found] = {}
    by_test: list[tuple[Value, str]] = []
    unnoticed: list[Value] = []
    for value in book.values:
        found[value.shown] = found_by_examples(book, value)
        if found[value.shown] is Found.UNNOTICED:
            if test := ask_tests(value):
                found[value.shown] = Found.TESTS
                by_test.append((value, test))
            else:
                unnoticed.append(value)
    return Trial(found, tuple(by_test), tuple(unnoticed))
