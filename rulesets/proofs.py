"""The proofs that a clause is executed: the worked examples and the tests that cite it.

Examples are read from the books' own files. The tests that cite a clause are listed in `proofs.json`, which `make
conformance` writes and checks, because an installation may come without the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from rulesets import examples, loader

FILE = "proofs.json"
TEST = "test"
"""The kind of a proof that is a test; examples have kinds of their own."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One example or test that cites a clause."""

    kind: str
    id: str

    @property
    def is_example(self) -> bool:
        """True if it can be read and run by any user with `python -m rulesets.examples`."""
        return self.kind != TEST


NOTHING: tuple[Proof, ...] = ()


@cache
def load_test_proofs() -> Mapping[str, Any]:
    """Return the contents of `proofs.json`, by ruleset; cached."""
    found: dict[str, Any] = json.loads((loader.FOLDER / FILE).read_text(encoding="utf-8"))
    return MappingProxyType(found)


@cache
def proofs_of(name: str) -> Mapping[str, tuple[Proof, ...]]:
    """Return the proofs of each proven clause of a book: examples in the order of their file, then tests."""
    found = examples_of(name)
    for clause, tests in load_test_proofs().get(name, {}).get("tests", {}).items():
        found.setdefault(clause, []).extend(Proof(TEST, test) for test in tests)
    return MappingProxyType({clause: tuple(proofs) for clause, proofs in found.items()})


def examples_of(name: str) -> dict[str, list[Proof]]:
    """Return for each clause the examples that cite it; a disputed one proves nothing."""
    found: dict[str, list[Proof]] = {}
    text = examples.text_of(name)
    for kind, example in examples.parse(text, f"{name}/{examples.FILE}").examples if text else ():
        for clause in () if example.disputed else dict.fromkeys(example.clauses):
            found.setdefault(clause, []).append(Proof(kind, example.id))
    return found


def proofs_for(name: str, clause: str) -> tuple[Proof, ...]:
    """Return the proofs of a clause; empty for one that is never cited."""
    return proofs_of(name).get(clause, NOTHING)
