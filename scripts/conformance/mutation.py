"""Change every value of a ruleset in turn: some example or test that cites its clauses must notice.

Examples run in this process, on the changed ruleset, and only those that cite the value's clauses; an example of a
season is led by the others of it. What no example notices is given to the marked tests of the engine.
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
    """A ruleset of the product with its values and its examples."""

    name: str

    @cached_property
    def data(self) -> Data:
        """What stands in its file."""
        return tomllib.loads(loader.text_of(self.name))

    @cached_property
    def examples(self) -> examples.ExampleFile:
        """Its worked examples."""
        return examples.parse(examples.text_of(self.name), self.name)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Every value of it."""
        return tuple(values_of(self.data))

    @cached_property
    def groups(self) -> Mapping[str, tuple[tuple[str, Example], ...]]:
        """Each example under its id, led by those of its season that come before it."""
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
        """The ids of the examples that cite one of these clauses; of all if there is none."""
        wanted = set(clauses)
        for id_, group in self.groups.items():
            if not wanted or wanted & set(group[-1][1].clauses):
                yield id_

    def notices(self, id_: str, rules: Ruleset) -> bool:
        """Whether an example fails under these rules."""
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
    """What became of a value when it was changed."""

    EXAMPLES = "examples"
    """An example noticed."""
    TESTS = "tests"
    """No example, but a test."""
    HELD = "held"
    """The reader allows no other."""
    SHOWN = "shown"
    """No reckoning reads it."""
    NOBODY = "nobody"
    """Nobody noticed."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of every value of a book."""

    found: Mapping[str, Found]
    """By path."""
    by_test: tuple[tuple[Value, str], ...] = ()
    """Values that only a test notices, with the test."""
    unnoticed: tuple[Value, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many values of each kind."""
        return {each.value: sum(found is each for found in self.found.values()) for each in Found if each != "nobody"}


def found_by_examples(book: Book, value: Value) -> Found:
    """What becomes of a value if only the examples are asked; at least one change of it must be noticed."""
    if why_shown(book.name, value.shown):
        return Found.SHOWN
    citing = list(book.citing(value.clauses))
    is_changed = False
    for mutant in mutants(value, book.data):
        is_changed = True
        if any(book.notices(id_, mutant.rules) for id_ in citing):
            return Found.EXAMPLES
    return Found.NOBODY if is_changed else Found.HELD


def tried(book: Book, ask_tests: Callable[[Value], str]) -> Trial:
    """Change every value of a book; the tests are asked where no example notices."""
    found: dict[str, Found] = {}
    by_test: list[tuple[Value, str]] = []
    unnoticed: list[Value] = []
    for value in book.values:
        found[value.shown] = found_by_examples(book, value)
        if found[value.shown] is Found.NOBODY:
            if test := ask_tests(value):
                found[value.shown] = Found.TESTS
                by_test.append((value, test))
            else:
                unnoticed.append(value)
    return Trial(found, tuple(by_test), tuple(unnoticed))
