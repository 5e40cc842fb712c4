"""Compare the status that clauses claim with the examples and tests that cite them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesets import loader
from rulesets.clauses import ClauseStatus, books, load_book
from rulesets.proofs import examples_of
from scripts.conformance.citations import Test


def citations_of(name: str, tests: Sequence[Test]) -> dict[str, list[str]]:
    """Return the tests that cite each clause of a ruleset, in the order of the clauses."""
    found: dict[str, list[str]] = {}
    for test in tests:
        for ruleset, clause in test.marks:
            if ruleset == name:
                found.setdefault(clause, []).append(test.id)
    return dict(sorted(found.items()))


def faults(tests: Sequence[Test]) -> Iterator[str]:
    """Yield every citation of an unknown clause, and every executed clause without an example or a test."""
    for test in tests:
        for ruleset, clause in sorted(test.marks):
            if ruleset not in loader.names() or clause not in loader.load(ruleset).book.known():
                yield f"{test.id} cites {ruleset} {clause}; there is no such clause"
    for name in books():
        examples, by_tests = examples_of(name), citations_of(name, tests)
        known = load_book(name).by_id
        yield from (
            f"{name}: examples cite {number}; there is no such clause" for number in examples if number not in known
        )
        for number, each in known.items():
            if each.status is ClauseStatus.EXECUTED and number not in examples and number not in by_tests:
                yield f"{name}: {number} claims to be executed, and no example or test cites it"
