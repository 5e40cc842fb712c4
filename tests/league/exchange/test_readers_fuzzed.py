"""Fuzz tests of readers: any input yields a result or a clear error, never a traceback, in little time and memory."""

from __future__ import annotations

import ast
import importlib
import io
import json
import os
import pkgutil
import re
import signal
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import league
import rulesets
import scoring
from league.files import team_rows
from league.files.archive import ArchiveRefusedError, unpack_archive
from league.files.checks import check_file
from league.files.reading import ImportRefusedError, read
from league.files.result_rows import columns_of, read_row
from league.files.spreadsheets import number_text
from league.files.tables import read_table
from rulesets import loader
from tests.fuzz.examples import times

RULES = loader.load("cinderella")
COLUMNS = columns_of(RULES)
HEAD = "節,卓,回戦,東家,東家の点,南家,南家の点,西家,西家の点,北家,北家の点,供託"
LINE = '1,1卓,1,甲,４１２,乙,301,丙,▲5,丁,"38,700",0'
SECONDS = 1.0


def read_all(data: bytes | str) -> list[object]:
    """Read a table and each of its rows; return the faults."""
    table = read_table(data, COLUMNS)
    return [*table.faults, *(fault for row in table.rows for fault in read_row(row, table, RULES).faults)]


def workbook() -> bytes:
    """Return a small XLSX file with cells of all types."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.append(HEAD.split(","))
    page.append([1, "1卓", 1.0, "甲", 41200, "乙", "３０１", True, 12.5, None, -3500, "=1+1"])
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


SMALL = workbook()
DOCUMENT = {
    "competition": {"slug": "cup", "name": "杯"},
    "rules": [{"ruleset": "cinderella", "format": "single-table-final"}],
    "players": [{"key": key, "name": key} for key in ("a", "b", "c", "d")],
    "seeds": {"final": ["a", "b", "c", "d"]},
    "sessions": [{"number": 1}],
    "tables": [
        {
            "session": 1,
            "block": "final",
            "players": ["a", "b", "c", "d"],
            "hanchan": [{"number": 1, "results": [{"scores": [25000, 25000, 25000, 25000]}]}],
        }
    ],
}


def mutated(data: bytes, edits: list[tuple[int, int]], length: int) -> bytes:
    """Return the data with some bytes replaced and the rest cut off."""
    changed = bytearray(data)
    for place, value in edits:
        changed[place % len(changed)] = value
    return bytes(changed[: length % (len(changed) + 1)])


edits = st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 255)), max_size=8)


@given(st.binary(max_size=2_000))
def test_any_bytes_yield_rows_or_faults(data: bytes) -> None:
    assert read_all(data) or read_table(data, COLUMNS).rows


@given(st.text(max_size=500))
def test_any_text_below_a_header_raises_no_exception(text: str) -> None:
    read_all(f"{HEAD}\n{text}")


@given(st.lists(st.text(max_size=20), max_size=16), st.text(max_size=30))
def test_any_cells_of_a_team_table_and_any_date_are_read_or_faults(cells: list[str], date: str) -> None:
    head = ",".join(column.key for column in team_rows.COLUMNS)
    for lines in (",".join(cells), *(f",{cell}" * 14 for cell in cells)):
        table = read_table(f"{head}\n{lines}", team_rows.COLUMNS)
        for row in table.rows:
            team_rows.read_team_row(row, table)
    table = read_table(f"{HEAD},日時\n{LINE},{date}", columns_of(RULES, has_teams=True))
    for row in table.rows:
        read_row(row, table, RULES)


@given(edits, st.integers(0, 1_000))
def test_an_altered_or_truncated_csv_file_is_read_or_refused(edits: list[tuple[int, int]], length: int) -> None:
    for encoding in ("utf-8-sig", "cp932", "utf-16"):
        read_all(mutated(f"{HEAD}\r\n{LINE}\r\n".encode(encoding), edits, length))


@given(edits, st.integers(0, 100_000))
@settings(max_examples=times(15))
def test_an_altered_or_truncated_xlsx_file_is_read_or_refused(edits: list[tuple[int, int]], length: int) -> None:
    read_all(mutated(SMALL, edits, length))


@given(st.text(alphabet="<>/&;=\"' cvrtsfABC0123456789\n", max_size=200))
@settings(max_examples=times(15))
def test_any_sheet_in_a_valid_xlsx_file_is_read_or_refused(inside: str) -> None:
    for body in (inside, f"<worksheet><sheetData>{inside}</sheetData></worksheet>"):
        read_all(with_sheet(body.encode()))


@given(st.text(alphabet="0123456789.eE+-_ １", max_size=30))
def test_a_number_text_is_formatted_or_raises_value_error(text: str) -> None:
    with suppress(ValueError):
        assert number_text(text)


values: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
paths = st.sampled_from(
    [(key,) for key in DOCUMENT]
    + [
        ("competition", "slug"),
        ("players", 0),
        ("players", 0, "key"),
        ("tables", 0, "hanchan"),
        ("tables", 0, "players"),
    ]
)


@given(paths, values)
@settings(max_examples=times(15))
def test_a_competition_with_a_random_value_anywhere_is_read_or_refused(
    path: tuple[str | int, ...], value: object
) -> None:
    data = json.loads(json.dumps(DOCUMENT))
    node = data
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    refused_or_read(lambda: check_file(read(json.dumps(data), "x.json")))


@given(edits, st.integers(0, 2_000))
def test_an_altered_or_truncated_competition_is_read_or_refused(edits: list[tuple[int, int]], length: int) -> None:
    text = mutated(json.dumps(DOCUMENT).encode(), edits, length).decode(errors="replace")
    refused_or_read(lambda: check_file(read(text, "x.json")))
    refused_or_read(lambda: check_file(read(f"[competition]\n{text}", "x.toml")))


def refused_or_read(act: Callable[[], object]) -> None:
    """Call the function; allow ImportRefusedError and no other exception."""
    with suppress(ImportRefusedError):
        act()


def with_sheet(body: bytes, **parts: bytes) -> bytes:
    """Return the small workbook with another first sheet and with other parts replaced or added."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SMALL)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        there = {name: old.read(name) for name in old.namelist()}
        for name, part in {**there, **parts, "xl/worksheets/sheet1.xml": body}.items():
            new.writestr(name, part)
    return written.getvalue()


def test_a_table_of_fifty_thousand_rows_is_read_and_one_row_more_is_refused() -> None:
    row = "1,1卓,1,甲,41200,乙,30100,丙,18700,丁,10000,0\n"
    assert len(read_table(HEAD + "\n" + row * 50_000, COLUMNS).rows) == 50_000
    assert "50,000" in str(read_table(HEAD + "\n" + row * 50_001, COLUMNS).faults[0])


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 100_000, '{"a": ' + "9" * 5_000 + "}", "\0"])
def test_a_competition_file_with_huge_nesting_or_numbers_is_refused_quickly(text: str) -> None:
    started = time.process_time()
    for source in (text, f"a = {text}"):
        with pytest.raises(ImportRefusedError):
            read(source, "x")
    assert time.process_time() - started < SECONDS


def test_a_zip_file_with_other_members_is_refused_as_an_archive() -> None:
    with pytest.raises(ArchiveRefusedError):
        unpack_archive(SMALL)


LONG = 20_000
SIGNS = "()[]{}（\"' \n\u30000aAア-_.,:/=+"
WAYS = frozenset({"fullmatch", "match", "search", "findall", "sub", "split"})
"""The methods of a pattern that the code base uses."""


def modules() -> Iterator[ModuleType]:
    """Yield every module that runs in the service."""
    for package in (league, rulesets, scoring):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not each.name.endswith("__main__") and ".migrations." not in each.name:
                yield importlib.import_module(each.name)


def patterns() -> Iterator[tuple[str, re.Pattern[Any], Collection[str]]]:
    """Yield the name of every regular expression, the pattern and the methods its module calls on it."""
    for module in modules():
        found = {name: one for name, one in vars(module).items() if isinstance(one, re.Pattern)}
        source = Path(str(module.__file__)).read_text()
        ways: defaultdict[str, set[str]] = defaultdict(set)
        for name, way in uses(source) if "import re" in source else ():
            ways[name].add(way)
            if name not in vars(module):
                found.setdefault(name, re.compile(name))
        for name, one in found.items():
            yield f"{module.__name__}: {name}", one, ways[name] or {"fullmatch"}


def uses(source: str) -> Iterator[tuple[str, str]]:
    """Yield each use of a pattern: its name, or its text if it has no name, and the method."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=way), args=[ast.Constant(str(name)), *_]):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=way)) if name.strip("_").isupper():
                pass
            case _:
                continue
        if way in WAYS:
            yield name, way


def long_texts(pattern: re.Pattern[Any]) -> Iterator[Any]:
    """Yield long repetitions of one sign or of two signs, of which one occurs in the pattern; the end never matches."""
    is_bytes = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode() if is_bytes else pattern.pattern
    own = dict.fromkeys(sign for sign in source if not sign.isalnum() and sign not in "\\?^$|*<>")
    pairs = [f"{sign}{other}" for sign in own for other in "a0"] + ["a0", "A0", "Aa", "a ", "0 "]
    for part in (*SIGNS, *pairs):
        text = part * (LONG // len(part)) + "\0"
        yield text.encode() if is_bytes else text


def try_patterns(tell: Callable[[str], object]) -> None:
    """Report each pattern's name and run it; a text that takes half a second of CPU time ends the process."""
    for name, pattern, ways in patterns():
        tell(name)
        for text in long_texts(pattern):
            for way in ways:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
                use = getattr(pattern, way)
                use(text[:0], text) if way == "sub" else use(text)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def test_every_regular_expression_matches_long_texts_in_linear_time() -> None:
    told, tells = os.pipe()
    if not (child := os.fork()):
        try:
            try_patterns(lambda name: os.write(tells, f"{name}\n".encode()))
            os.write(tells, b"all of them\n")
        except BaseException as broken:  # noqa: BLE001 - the child must not continue with the test run
            os.write(tells, f"{broken!r}\n".encode())
        os._exit(0)
    os.close(tells)
    with os.fdopen(told) as heard:
        tried = heard.read().splitlines()
    os.waitpid(child, 0)
    assert tried[-1] == "all of them"
    assert {"league.files.tables: _ASIDE", "league.selectors.people.rosters: [\\s,]+"} <= set(tried)
