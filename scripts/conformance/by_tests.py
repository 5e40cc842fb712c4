"""Try changed values that no example notices on the tests that cite their clauses.

Each change runs in a process of its own, forked from this one, in which the rulesets' folder is a copy with the
changed file. Only tests of the engine are run: those of the pages see the same values through the engine.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulesets import loader
from scripts.conformance.citations import ROOT, Test
from scripts.conformance.mutation import Book
from scripts.conformance.values import Value, mutants

ASKED = ("tests/scoring/", "tests/rulesets/")
"""Folders of the engine's tests."""

PLAIN = (
    *("-q", "-x", "--noconftest", "--import-mode=importlib", "-c", os.devnull, "--rootdir", str(ROOT)),
    *("-W", "ignore", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:django", "-p", "no:xdist"),
)
"""Options under which the engine's tests need nothing but the engine."""


class Noticed:
    """pytest plugin that remembers the first failed test."""

    def __init__(self) -> None:
        self.by = ""
        self.contradicted_by = ""
        """The first test that failed by an assertion, not by an error."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure of a test's own call, not of its set-up."""
        if report.failed and report.when == "call" and not self.by:
            self.by = report.nodeid

    def pytest_exception_interact(self, node: pytest.Item, call: pytest.CallInfo[Any]) -> None:
        """Keep the first failed assertion."""
        is_assertion = call.excinfo is not None and call.excinfo.errisinstance((AssertionError, pytest.fail.Exception))
        if is_assertion and call.when == "call" and not self.contradicted_by:
            self.contradicted_by = node.nodeid


def citing(tests: Iterable[Test], ruleset: str, clauses: Iterable[str]) -> list[str]:
    """Return the engine's tests that cite one of the clauses, or the ruleset at all for a value without clauses."""
    wanted = set(clauses)
    return [
        test.id
        for test in tests
        if test.id.startswith(ASKED)
        and any(book == ruleset and (not wanted or clause in wanted) for book, clause in test.marks)
    ]


def prepared() -> None:
    """Import the modules that every fork needs, once."""
    for module in ("hypothesis", "rulesets.examples", "scoring.hand", "scoring.hanchan", "scoring.stages"):
        importlib.import_module(module)


def noticing_value(book: Book, value: Value, tests: Iterable[Test]) -> str:
    """Return the first test citing a value's clauses that fails under one of its changes; empty if none does."""
    asked = citing(tests, book.name, value.clauses)
    if not asked:
        return ""
    return next(filter(None, (noticing(book.name, mutant.data, asked) for mutant in mutants(value, book.data))), "")


def noticing(ruleset: str, data: Mapping[str, Any] | None, tests: Sequence[str]) -> str:
    """Return the first of these tests that fails under the ruleset changed to these data; empty if none does."""
    return _run_in_fork(ruleset, data, tests).by


def find_contradicting(ruleset: str, data: Mapping[str, Any] | None, tests: Sequence[str]) -> str:
    """Return the first of these tests that fails by an assertion; empty if none does."""
    return _run_in_fork(ruleset, data, tests, "--maxfail=0").contradicted_by if tests else ""


def _run_in_fork(ruleset: str, data: Mapping[str, Any] | None, tests: Sequence[str], *options: str) -> Noticed:
    """Run the tests in a fork of this process; a fork that dies has no result."""
    reader, writer = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_run, args=(ruleset, data, (*options, *tests), writer))
    child.start()
    writer.close()
    try:
        found: Noticed = reader.recv()
    except EOFError:
        found = Noticed()
    child.join()
    return found


def _run(ruleset: str, data: Mapping[str, Any] | None, tests: Sequence[str], answer: Any) -> None:
    """Run the tests in this forked process and send the result.

    Test modules imported before are dropped first, since they may have read the unchanged rules.
    """
    with tempfile.TemporaryDirectory() as folder, Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        if data is not None:
            copied = Path(folder) / "rulesets"
            shutil.copytree(loader.FOLDER, copied, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
            (copied / ruleset / loader.FILE).write_text(toml(data), encoding="utf-8")
            loader.FOLDER = copied
            loader.load.cache_clear()
        for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
            del sys.modules[name]
        sys.stdout = sys.stderr = nowhere
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        noticed = Noticed()
        pytest.main(
            [*PLAIN, *(test if test.startswith("-") else str(ROOT / test) for test in tests)], plugins=[noticed]
        )
        answer.send(noticed)


def toml(data: Mapping[str, Any]) -> str:
    """Return data as TOML, each top-level table inline on a line of its own."""
    return "".join(f"{_inline(key)} = {_inline(value)}\n" for key, value in data.items())


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_inline(str(key))} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
