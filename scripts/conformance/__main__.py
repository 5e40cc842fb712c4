"""`make conformance`: try out every value of the rule books, write what proves which clause, fail on what is unproved.

`--check` writes nothing, and what would be written must be what is there. `--citations` takes what became of the values
from the last time and brings only the citations and the table up to date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulesets import loader
from rulesets.clauses import books
from rulesets.proofs import FILE, written
from scripts.conformance.by_tests import noticing_value, prepared
from scripts.conformance.check import citations_of, faults
from scripts.conformance.citations import Test, marked_tests
from scripts.conformance.mutation import Book, tried
from scripts.conformance.table import TABLE, text

PROOFS = loader.FOLDER / FILE


def main(arguments: Sequence[str]) -> int:
    """Try, write or compare, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.conformance", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where what is written is stale")
    parser.add_argument("--citations", action="store_true", help="do not try the values again")
    parser.add_argument("books", nargs="*", help="try the values of these books only, and write nothing")
    options = parser.parse_args(arguments)
    tests = marked_tests()
    complaints = list(faults(tests))
    if options.citations:
        found = {name: dict(written()[name]) for name in books()}
    else:
        prepared()
        found = {name: _tried(name, tests, complaints) for name in options.books or books()}
    if not options.books:
        told = {name: each | {"tests": citations_of(name, tests)} for name, each in found.items()}
        complaints += _keep(json.dumps(told, indent=1, ensure_ascii=False) + "\n", PROOFS, check=options.check)
        complaints += _keep(text(told), TABLE, check=options.check)
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


def _tried(name: str, tests: Sequence[Test], complaints: list[str]) -> dict[str, Any]:
    """What became of the values of a book; what nobody notices is complained of."""
    book = Book(name)
    trial = tried(book, lambda value: noticing_value(book, value, tests))
    complaints += [f"{name}: nobody notices {each.shown} ({', '.join(each.clauses)})" for each in trial.unnoticed]
    counts = trial.counts()
    print(f"{name}: {', '.join(f'{key} {count}' for key, count in counts.items())}", flush=True)
    return {"values": counts, "by_test": {value.shown: test for value, test in trial.by_test}}


def _keep(wanted: str, path: Path, *, check: bool) -> list[str]:
    """Write a file, or complain where it is stale."""
    if path.is_file() and path.read_text(encoding="utf-8") == wanted:
        return []
    if check:
        return [f"{path.name} is stale: run make conformance"]
    path.write_text(wanted, encoding="utf-8")
    return []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
