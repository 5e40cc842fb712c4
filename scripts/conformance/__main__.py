"""`make conformance`: break every value and every executed clause, write the proofs, fail on an unproved one.

Then the table of possible values of a hand is compared with every shape that the engine scores (`possible_hands`).

Only books with a record of misreadings (`tests/clause_mutants/`) are broken, or those that are named; of the others the
citations are written.

`--check` writes nothing and fails if the written files are stale. `--citations` keeps the results of the last run for
values and clauses, and updates only the citations and the table.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

from rulesets import loader
from rulesets.clauses import books
from rulesets.proofs import FILE, load_test_proofs
from scripts.conformance.by_tests import noticing_value, prepared
from scripts.conformance.check import citations_of, faults
from scripts.conformance.citations import Test, marked_tests
from scripts.conformance.clause_mutants import find_stale_mutants, mutated_books
from scripts.conformance.clause_proofs import (
    executed_clauses,
    find_failing_proofs,
    find_unproved_clauses,
    prove_clauses,
)
from scripts.conformance.mutation import Book, try_values
from scripts.conformance.possible_hands import compare_books
from scripts.conformance.table import TABLE, text

PROOFS = loader.FOLDER / FILE
AT_ONCE = 2
"""Number of books tried at the same time."""


def main(arguments: Sequence[str]) -> int:
    """Try the values, write or compare the files, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.conformance", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where what is written is stale")
    parser.add_argument("--citations", action="store_true", help="do not try values and clauses again")
    parser.add_argument("books", nargs="*", help="try these books only, and write nothing")
    options = parser.parse_args(arguments)
    tests = marked_tests()
    complaints = list(faults(tests))
    names: Sequence[str] = ()
    if options.citations:
        found = {name: dict(load_test_proofs()[name]) for name in mutated_books()}
    else:
        prepared()
        names = options.books or mutated_books()
        with ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("fork")) as pool:
            tried = dict(zip(names, pool.map(_tried, names, repeat(tests)), strict=True))
        complaints += [complaint for each in tried.values() for complaint in each.pop("complaints")]
        found = tried
    complaints += find_unproved_clauses({name: each.get("clauses", {}) for name, each in found.items()})
    if not options.books:
        told = {name: found.get(name, {}) | {"tests": citations_of(name, tests)} for name in books()}
        complaints += _keep(json.dumps(told, indent=1, ensure_ascii=False) + "\n", PROOFS, check=options.check)
        complaints += _keep(text(told), TABLE, check=options.check)
    complaints += compare_books(names)
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


def _tried(name: str, tests: Sequence[Test]) -> dict[str, Any]:
    """Return the results of a book's values and clauses, with a complaint for each value that no proof notices."""
    book = Book(name)
    trial = try_values(book, lambda value: noticing_value(book, value, tests))
    complaints = [f"{name}: no proof notices {each.shown} ({', '.join(each.clauses)})" for each in trial.unnoticed]
    counts = trial.counts()
    complaints += find_stale_mutants(name)
    complaints += [f"{name}: {proof} fails although nothing is changed" for proof in find_failing_proofs(book, tests)]
    proofs = prove_clauses(book, tests)
    told = ", ".join(f"{key} {count}" for key, count in counts.items())
    print(f"{name}: {told}; {len(proofs)} of {len(executed_clauses(name))} executed clauses proved", flush=True)
    by_test = {value.shown: test for value, test in trial.by_test}
    return {"values": counts, "by_test": by_test, "clauses": proofs, "complaints": complaints}


def _keep(wanted: str, path: Path, *, check: bool) -> list[str]:
    """Write a file, or return a complaint if it is stale."""
    if path.is_file() and path.read_text(encoding="utf-8") == wanted:
        return []
    if check:
        return [f"{path.name} is stale: run make conformance"]
    path.write_text(wanted, encoding="utf-8")
    return []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
