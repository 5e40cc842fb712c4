"""Test that docs/security.md lists every requirement once, and that the tests it names exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from league.platform.environment import ROOT

ROW = re.compile(
    r"^\| (?P<ids>\d+\.\d+\.\d+[^|]*) \| (?P<asks>[^|]+) \| (?P<here>[^|]+) \| (?P<proof>[^|]+) \|$", re.MULTILINE
)
SHORT = {"matrix": "permissions/test_matrix.py", "headers": "league/web/test_security_headers.py"}
TARGET = re.compile(r"`make (?P<name>[a-z]+)`(?: \([A-Z0-9, to]+\))?")
TEST = re.compile(r"`(?P<file>[a-z_/]+(?:\.py)?)(?:::(?P<name>test_[a-z0-9_]+))?`")
LEVELS_1_AND_2 = {
    "1.1": "1-7", "1.2": "1-4", "1.4": "1,4,5", "1.5": "1-4", "1.6": "1-4", "1.7": "1-2", "1.8": "1-2", "1.9": "1-2",
    "1.10": "1", "1.11": "1-2", "1.12": "2", "1.14": "1-6",
    "2.1": "1-12", "2.2": "1-3", "2.3": "1-3", "2.4": "1-5", "2.5": "1-7", "2.6": "1-3", "2.7": "1-6", "2.8": "1-7",
    "2.9": "1-3", "2.10": "1-4",
    "3.1": "1", "3.2": "1-4", "3.3": "1-4", "3.4": "1-5", "3.5": "1-3", "3.7": "1",
    "4.1": "1,2,3,5", "4.2": "1-2", "4.3": "1-3",
    "5.1": "1-5", "5.2": "1-8", "5.3": "1-10", "5.4": "1-3", "5.5": "1-4",
    "6.1": "1-3", "6.2": "1-6", "6.3": "1-2", "6.4": "1-2",
    "7.1": "1-4", "7.2": "1-2", "7.3": "1,3,4", "7.4": "1-3",
    "8.1": "1-4", "8.2": "1-3", "8.3": "1-8",
    "9.1": "1-3", "9.2": "1-4",
    "10.2": "1-2", "10.3": "1-3",
    "11.1": "1-8",
    "12.1": "1-3", "12.2": "1", "12.3": "1-6", "12.4": "1-2", "12.5": "1-2", "12.6": "1",
    "13.1": "1,3,4,5", "13.2": "1,2,3,5,6", "13.3": "1-2", "13.4": "1-2",
    "14.1": "1-4", "14.2": "1-6", "14.3": "2,3", "14.4": "1-7", "14.5": "1-4",
}  # fmt: skip
"""The requirements of ASVS 4.0.3 at levels 1 and 2, by section."""


def rows() -> list[dict[str, str]]:
    return [found.groupdict() for found in ROW.finditer((ROOT / "docs" / "security.md").read_text(encoding="utf-8"))]


def spelled_out(numbers: str) -> Iterator[int]:
    """Expand "1-3,5" to 1, 2, 3, 5."""
    for part in numbers.split(","):
        first, _dash, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def ids_of(text: str) -> Iterator[str]:
    """Yield the ids of "2.7.1 to 2.7.6" or "13.3.1, 13.3.2"."""
    if " to " in text:
        first, last = text.split(" to ")
        section, start = first.rsplit(".", 1)
        yield from (f"{section}.{number}" for number in range(int(start), int(last.rsplit(".", 1)[1]) + 1))
    else:
        yield from text.split(", ")


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of a file's tests, including those in classes."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def fault_of(proof: str) -> str:
    """Return the fault of one entry of the last column, or "" if it names an existing test."""
    if proof == "`.ci/run`":
        return "" if (ROOT / ".ci" / "run").exists() else "is not there"
    if target := TARGET.fullmatch(proof):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        return "" if re.search(rf"^{target['name']}:", makefile, re.MULTILINE) else "is no target of the Makefile"
    found = TEST.fullmatch(proof)
    if found is None:
        return "names neither a test nor a target"
    file = SHORT.get(found["file"], found["file"])
    if not (ROOT / "tests" / file).is_file():
        return "is no file of tests"
    if found["name"] is None:
        return "" if found["file"] == "matrix" else "names no test of the file"
    return "" if found["name"] in names_in(file) else "is not in that file"


def test_every_requirement_of_levels_1_and_2_is_listed_once() -> None:
    wanted = [f"{section}.{n}" for section, numbers in LEVELS_1_AND_2.items() for n in spelled_out(numbers)]
    assert [each for row in rows() for each in ids_of(row["ids"])] == wanted


def test_every_proof_is_an_existing_test_or_make_target() -> None:
    entries = [(row["ids"], proof) for row in rows() if row["proof"] != "–" for proof in split(row["proof"])]
    assert len(entries) > 150
    assert [f"{ids}: {proof} {fault}" for ids, proof in entries if (fault := fault_of(proof))] == []


def split(proof: str) -> list[str]:
    """Split the entries of a cell at commas outside parentheses."""
    return re.split(r", (?![^(]*\))", proof)


def test_unmet_and_inapplicable_requirements_name_no_proof() -> None:
    rest = [row for row in rows() if row["here"].startswith(("not met", "not applicable"))]
    assert rest
    assert [row["ids"] for row in rest if row["proof"] != "–" and "on purpose" not in row["here"]] == []


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        ("`league/test_nowhere.py::test_a`", "is no file of tests"),
        ("`league/access/test_sign_in_sessions.py::test_that_there_is_not`", "is not in that file"),
        ("`league/access/test_sign_in_sessions.py`", "names no test of the file"),
        ("`headers`", "names no test of the file"),
        ("`make nothing`", "is no target of the Makefile"),
        ("a user said so", "names neither a test nor a target"),
        ("`matrix`", ""),
        ("`make check` (S602 to S607)", ""),
    ],
)
def test_an_invalid_proof_is_reported(proof: str, fault: str) -> None:
    assert fault_of(proof) == fault
