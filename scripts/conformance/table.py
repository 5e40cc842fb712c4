"""Write docs/conformance.md: for each rule book the number of executed clauses, and for each clause its proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesets.clauses import Clause, ClauseStatus, books, load_book
from rulesets.proofs import Proof, examples_of
from scripts.conformance.citations import ROOT
from scripts.conformance.clause_proofs import executed_clauses
from scripts.conformance.mutation import Book
from scripts.conformance.shown import why_shown

TABLE = ROOT / "docs" / "conformance.md"
NAMED = re.compile(r', "clauses": \[[^]]*\]')
"""The clauses that a row of a ruleset names; they say nothing about a change."""
MOST = 4
"""Number of examples named; the others are counted."""

STATUS = {
    ClauseStatus.EXECUTED: "executed",
    ClauseStatus.ENTERED: "entered",
    ClauseStatus.RULING: "ruling",
    ClauseStatus.DESCRIPTIVE: "descriptive",
    ClauseStatus.PENDING: "not yet",
}

HEAD = """# Conformance

Written by `make conformance`; do not edit. For every clause of every rule book: whether the software executes it, and
what proves that. A clause is *executed* (the engine applies it), *entered* (the scorer enters its outcome), a *ruling*
(a person decides), *descriptive* (nothing is computed from it), or *not yet*.

A clause is proved by what cites it: worked examples in `rulesets/<name>/examples.toml`, and tests marked with the
clause. The proofs are tested by mutation. Each value of `ruleset.toml` is changed, and an example or a test that cites
the clauses of the value's table must fail; a value that no computation reads is listed with the reason, and one whose
change the loader refuses is *held*. Then each executed clause is broken: a value, or the code that implements it, is
changed into a plausible misreading (`tests/clause_mutants/`), and an example or a test that cites exactly this clause
must get another answer than it expects; an error or an unexpected refusal does not count.

Books without such a record are listed with the examples and tests that cite their clauses; nothing in them is broken.
"""


def text(written: Mapping[str, Any]) -> str:
    """Return the whole document, from the clauses and from the results for tests and values."""
    return "\n".join([HEAD, *_summary(), *(line for name in books() for line in lines_of(name, written[name]))])


def _summary() -> Iterator[str]:
    yield "| book | clauses | " + " | ".join(STATUS.values()) + " |"
    yield "| --- |" + " ---: |" * (len(STATUS) + 1)
    for name in books():
        counts = Counter(clause.status for clause in load_book(name).clauses)
        numbers = [sum(counts.values()), *(counts[status] for status in STATUS)]
        yield f"| [{load_book(name).title.en}](#{name}) | " + " | ".join(map(str, numbers)) + " |"
    yield ""


def lines_of(name: str, written: Mapping[str, Any]) -> Iterator[str]:
    """Yield the part of a book; without results for values, its clauses are cited and not broken."""
    if "values" not in written:
        yield from _cited_book(name, written)
        return
    values = written["values"]
    examples = examples_of(name)
    yield f'## <a id="{name}"></a>{load_book(name).title.en}'
    yield ""
    yield (
        f"{sum(values.values())} values: {values['examples']} detected by an example, {values['tests']} by a test "
        f"alone, {values['held']} held by the loader, {values['shown']} read by no computation. "
        f"{len(written['clauses'])} of {len(executed_clauses(name))} executed clauses have a detected mutant."
    )
    yield ""
    yield from _shown(name)
    yield ""
    yield "| clause | status | proved by | changed | detected by | why not executed |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for clause in load_book(name).clauses:
        tests = written["tests"].get(clause.id, ())
        proofs = _proofs(examples.get(clause.id, ()), tests)
        mutants = written["clauses"].get(clause.id, ())
        changed = "<br>".join(map(_changed, mutants))
        detected = "<br>".join(_test(each["detected_by"]) for each in mutants)
        yield f"| {clause.id} | {STATUS[clause.status]} | {proofs} | {changed} | {detected} | {_why(clause)} |"
    yield ""


def _cited_book(name: str, written: Mapping[str, Any]) -> Iterator[str]:
    """Yield the part of a book whose clauses are cited, and not broken."""
    examples = examples_of(name)
    yield f'## <a id="{name}"></a>{load_book(name).title.en}'
    yield ""
    yield f"Each of its {len(executed_clauses(name))} executed clauses is cited; its values and clauses are not broken."
    yield ""
    yield "| clause | status | proved by | why not executed |"
    yield "| --- | --- | --- | --- |"
    for clause in load_book(name).clauses:
        proofs = _proofs(examples.get(clause.id, ()), written["tests"].get(clause.id, ()))
        yield f"| {clause.id} | {STATUS[clause.status]} | {proofs} | {_why(clause)} |"
    yield ""


def _shown(name: str) -> Iterator[str]:
    """Yield the values of a book that no computation reads, grouped by the reason."""
    found: dict[str, list[str]] = {}
    for value in Book(name).values:
        if why := why_shown(name, value.shown):
            found.setdefault(why, []).append(f"`{value.shown}`")
    yield from (f"- {why}: {', '.join(paths)}" for why, paths in found.items())


def _proofs(examples: Sequence[Proof], tests: Sequence[str]) -> str:
    parts = []
    if examples:
        parts.append(_some([proof.id for proof in examples]))
    if tests:
        parts.append(_some(list(map(_test, tests)), most=1))
    return "; ".join(parts)


def _test(name: str) -> str:
    """Return a test without its folder and parameters; an example's id as it is."""
    return f"`{name.partition('[')[0].rpartition('/')[2]}`" if "::" in name else name


def _changed(mutant: Mapping[str, str]) -> str:
    """Return the misreading, if one is written down, and what was changed for it."""
    where, _, change = NAMED.sub("", mutant["changed"]).partition(": ")
    shown = (f"`{where}`: {change}" if change else f"`{where}`").replace("|", "\\|")
    return f"{mutant['misreading']} {shown}".strip()


def _some(names: Sequence[str], most: int = MOST) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _why(clause: Clause) -> str:
    return clause.why.en.replace("\n", " ").replace("|", "\\|") if clause.why else ""
