"""Find the tests that cite clauses by reading their marks from the source, without running the tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

MARK = "pytest.mark.clause"

Marks = frozenset[tuple[str, str]]
"""Pairs of a ruleset and a clause."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test with the clauses that it cites."""

    __test__ = False

    id: str
    """The id that pytest gives it, without parameters."""
    marks: Marks


@cache
def marked_tests() -> tuple[Test, ...]:
    """Return every test that cites a clause, by its file and then in its order there; cached."""
    return tuple(test for path in sorted(TESTS.rglob("test_*.py")) for test in _tests(path))


def _tests(path: Path) -> Iterator[Test]:
    text = path.read_text(encoding="utf-8")
    if MARK not in text:
        return  # most files cite no clause, and parsing one takes milliseconds
    module = ast.parse(text)
    where = path.relative_to(ROOT).as_posix()
    of_all = frozenset().union(*(_marks(node) for node in module.body if _is_pytestmark(node)))
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            of_class = of_all.union(*map(_marks, node.decorator_list))
            yield from _functions(node.body, f"{where}::{node.name}", of_class)
    yield from _functions(module.body, where, of_all)


def _functions(nodes: list[ast.stmt], where: str, marks: Marks) -> Iterator[Test]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            own = marks.union(*map(_marks, node.decorator_list))
            if own:
                yield Test(f"{where}::{node.name}", own)


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
    )


def _marks(node: ast.AST) -> Marks:
    """Return every clause marked in a piece of a test's source."""
    found: set[tuple[str, str]] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and ast.unparse(each.func) == MARK:
            ruleset, *clauses = _values(each)
            found.update((ruleset, clause) for clause in clauses)
    return frozenset(found)


def _values(call: ast.Call) -> tuple[str, ...]:
    """Return the arguments of a mark, which are literals or ranges."""
    source = ast.unparse(ast.Tuple(call.args, ast.Load()))
    return tuple(eval(source, {"__builtins__": {}, "range": range}))  # noqa: S307 - the project's own tests
