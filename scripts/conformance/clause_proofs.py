"""Break each executed clause: an example or a test that cites this very clause must contradict the mutant.

The mutant is the one written down for the clause (`clause_mutants`), or else the first change of a value, among the
values of the tables that cite the clause, that an example citing it contradicts. An error that the example does not
expect contradicts nothing. `python -m scripts.conformance.clause_proofs RULESET CLAUSE` asks the proofs of one clause
in the tree as it stands and prints the one that fails.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from rulesets.clauses import ClauseStatus, load_book
from scripts.conformance.by_tests import citing, find_contradicting, prepared
from scripts.conformance.citations import Test, marked_tests
from scripts.conformance.clause_mutants import ClauseMutant, detect_mutants, load_mutants
from scripts.conformance.mutation import Book
from scripts.conformance.values import Mutant, Value, at, change_to, mutants, put

FAR_FETCHED = frozenset({"counts", "fixed", "unit"})
"""Keys whose other values are no plausible reading of a clause, such as a yaku of one han as a yakuman."""


@dataclass(frozen=True, slots=True)
class ClauseProof:
    """A mutant of a clause and the proof that detected it."""

    changed: str
    """The changed value with its old and new content, or the changed file."""
    detected_by: str
    """An example's id or a test."""
    misreading: str = ""


def executed_clauses(name: str) -> tuple[str, ...]:
    """Return the ids of the clauses of a book that the engine applies."""
    return tuple(each.id for each in load_book(name).clauses if each.status is ClauseStatus.EXECUTED)


def prove_clauses(book: Book, tests: Sequence[Test]) -> dict[str, list[dict[str, str]]]:
    """Return, for each executed clause whose mutants are detected, the mutants and what detects each."""
    written = {
        clause: mutants for clause, mutants in load_mutants(book.name).items() if clause in executed_clauses(book.name)
    }
    texts = [mutant for mutants in written.values() for mutant in mutants if mutant.is_text]
    by_text = {id(mutant): detected_by for mutant, detected_by in detect_mutants(book.name, texts)}
    found: dict[str, list[dict[str, str]]] = {}
    for clause in executed_clauses(book.name):
        if clause in written:
            proofs = [
                _prove_by_text(mutant, by_text[id(mutant)]) if mutant.is_text else _prove_by_value(book, mutant, tests)
                for mutant in written[clause]
            ]
        else:
            proofs = [next(_search_proofs(book, clause), None)]
        if all(proofs):
            found[clause] = [asdict(proof) for proof in proofs if proof]
    return found


def _prove_by_text(mutant: ClauseMutant, detected_by: str) -> ClauseProof | None:
    return ClauseProof(mutant.file, detected_by, mutant.misreading) if detected_by else None


def _prove_by_value(book: Book, written: ClauseMutant, tests: Sequence[Test]) -> ClauseProof | None:
    """Try a written change of a value on the examples that cite the clause, then on the tests."""
    mutant = apply_value(book, written)
    if mutant is None:
        return None
    detected_by = _find_example(book, written.clause, mutant)
    if not detected_by:
        prepared()
        detected_by = find_contradicting(book.name, mutant.data, citing(tests, book.name, [written.clause]))
    return ClauseProof(_shown(mutant), detected_by, written.misreading) if detected_by else None


def apply_value(book: Book, written: ClauseMutant) -> Mutant | None:
    """Return the ruleset with a written change; None if it has no such table, or does not load."""
    data = book.data
    for path, other in written.also.items():
        if (value := _at(book, path, written.clause)) is None:
            return None
        data = put(data, value.path, other)
    value = _at(book, written.value, written.clause)
    return None if value is None else change_to(value, data, written.to)


def _at(book: Book, shown: str, clause: str) -> Value | None:
    """Return the value at a path, or a new one of its table; None if the book has no such table."""
    by_path = {each.shown: each for each in book.values}
    if shown in by_path:
        return by_path[shown]
    around, _, key = shown.rpartition(".")
    inside = next((each.path for path, each in by_path.items() if f"{path}.".startswith(f"{around}.")), None)
    if inside is None:
        return None
    path = (*inside[: len(around.split("."))], key)
    return Value(path, shown, (clause,), at(book.data, path))


def _search_proofs(book: Book, clause: str) -> Iterator[ClauseProof]:
    """Yield the changes of values of the clause's tables that its examples contradict, the most specific first."""
    values = sorted((each for each in book.values if clause in each.clauses), key=_breadth)
    for value in values:
        for mutant in mutants(value, book.data):
            if detected_by := _find_example(book, clause, mutant):
                yield ClauseProof(_shown(mutant), detected_by)


def _breadth(value: Value) -> tuple[bool, int, bool, bool]:
    """Return how little a value says about one of its clauses.

    Its change is no plausible misreading, or it has many clauses, is a whole row, or is an option.
    """
    return (
        value.path[-1] in FAR_FETCHED,
        len(value.clauses),
        isinstance(value.found, dict | list),
        value.path[0] == "options",
    )


def _find_example(book: Book, clause: str, mutant: Mutant) -> str:
    """Return the first example citing a clause that finds another answer under the mutant; empty if none does."""
    return next((id_ for id_ in book.citing([clause]) if book.contradicts(id_, mutant.rules)), "")


def _shown(mutant: Mutant) -> str:
    return f"{mutant.value.shown}: {mutant.change}"


def find_failing_proofs(book: Book, tests: Sequence[Test]) -> Iterator[str]:
    """Yield the examples that fail under the unchanged ruleset, and the first test of the book that does."""
    yield from (id_ for id_ in book.groups if book.contradicts(id_, book.examples.context.ruleset))
    if test := find_contradicting(book.name, None, citing(tests, book.name, ())):
        yield test


def find_unproved_clauses(found: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """Yield the executed clauses of each book for which no mutant is detected."""
    for name, proofs in found.items():
        yield from (
            f"{name}: {clause} has no detected mutant yet" for clause in executed_clauses(name) if clause not in proofs
        )


def main(ruleset: str, clause: str) -> str:
    """Return the first example, or else test, citing a clause that fails in the tree as it stands."""
    book = Book(ruleset)
    for id_ in book.citing([clause]):
        if book.contradicts(id_, book.examples.context.ruleset):
            return id_
    return find_contradicting(ruleset, None, citing(marked_tests(), ruleset, [clause]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:3])))
