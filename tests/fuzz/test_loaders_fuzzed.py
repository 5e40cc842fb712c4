"""Fuzzed texts for the loaders of rulesets, formats, clauses, examples and hands: a result or faults, within limits.

CSV, XLSX, exchange files and archives are tried in tests/league/exchange/test_readers_fuzzed.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import clauses, examples, formats, loader
from scoring.hand.notation import Hand
from scoring.hand.tiles import NotationError
from scoring.ruleset import Fault, FaultsError
from tests.fuzz.examples import odd_texts, tried

SECONDS, MEMORY = 1.0, 256 * 1024 * 1024

READERS: dict[str, tuple[Callable[[str, str], object], str]] = {
    "ruleset": (loader.parse, loader.text_of("superbingo")),
    "format": (formats.parse_format, formats.format_text("cinderella")),
    "clauses": (clauses.parse_book, clauses.book_text("cinderella")),
    "examples": (examples.parse, examples.text_of("cinderella")),
}
VALUES = (
    "", "0", "-1", "9" * 4000, "1e400", "nan", "-inf", "true", '""', '"\\u0000"', "[]", "{}", "[[[]]]", "1979-05-27",
    "07:32:00", "[1, 'a', {}]", '"' + "x" * 10_000 + '"', "{ ja = 1 }", "99999999999999999999", "'…'", '"A#1-99999999"',
    '"seed:1-999999999"', '"seed:0"', '"#"', '["A#1", "A#1"]', '{ from = "final#1" }',
)  # fmt: skip


def read_or_refused(name: str, text: str) -> None:
    """Load a text; a refusal must have faults with messages."""
    refused: tuple[Fault, ...] = ()
    try:
        READERS[name][0](text, "file.toml")
    except FaultsError as error:
        refused = error.faults
        assert refused, "a refusal without a fault"
    assert all(each.message for each in refused)


@pytest.mark.parametrize("name", READERS)
def test_a_file_with_any_value_or_line_changed_is_read_or_refused(name: str) -> None:
    lines = READERS[name][1].splitlines()

    @tried(40)
    @given(
        st.integers(0, len(lines) - 1),
        st.sampled_from(VALUES) | odd_texts,
        st.sampled_from(("value", "line", "gone", "twice")),
    )
    def altered(place: int, value: str, how: str) -> None:
        key, equals, _rest = lines[place].partition("=")
        line = {"value": f"{key}={value}" if equals else value, "line": value, "gone": "", "twice": lines[place] * 2}[
            how
        ]
        read_or_refused(name, "\n".join([*lines[:place], line, *lines[place + 1 :]]))

    altered()


@pytest.mark.parametrize("name", READERS)
def test_any_text_is_read_or_refused(name: str) -> None:
    @tried(30)
    @given(st.text(alphabet="[]{}=.,\"'#\n abc01-_:T\\", max_size=80) | odd_texts)
    def anything(text: str) -> None:
        read_or_refused(name, text)

    anything()


@tried(300)
@given(st.text(alphabet="0123456789mpsz+ :bnukichi,-", max_size=40) | odd_texts)
def test_a_hand_is_read_or_refused(text: str) -> None:
    with suppress(NotationError):
        assert Hand.read(text).win


NASTY: dict[str, str] = {
    "an array in an array": "'a = ' + '[' * 100_000",
    "a table in a table": "'[' + 'a.' * 50_000 + 'a]\\nb = 1'",
    "inline tables": "'a = ' + '{b=' * 20_000",
    "dotted keys": "'.'.join(['a'] * 20_000) + ' = 1'",
    "many tables": "''.join(f'[t{n}]\\n' for n in range(20_000))",
    "many tables of a list": "'[[options]]\\n' * 30_000",
    "a number without an end": "'players = ' + '9' * 100_000",
    "a number in hexadecimal": "'players = 0x' + 'f' * 100_000",
    "an exponent": "'players = 1e999999999'",
    "a long text": "'name = \"' + 'x' * 200_000 + '\"'",
    "a long line of blanks": "'name' + ' ' * 200_000 + '='",
    "quotes": "'\"' * 200_000",
    "a long array": "'clauses = [' + '1,' * 90_000 + ']'",
    "many keys": "''.join(f'k{n} = 1\\n' for n in range(20_000))",
    "escapes": "'name = \"' + '\\\\\\\\' * 90_000",
    "a slot for all players": '\'[[stages]]\\nkey = "a"\\n[[stages.blocks]]\\nkey = "A"\\nentrants = [{ from = "seed:1-99999999" }]\'',  # noqa: E501 - one file
}
TRYING = """
import json, resource, sys, time
sys.path.insert(0, ".")
from rulesets import clauses, examples, formats, loader
from scoring.hand.notation import Hand
from scoring.hand.tiles import NotationError
from scoring.ruleset import FaultsError
loader.load("cinderella"), formats.load_format("cinderella"), clauses.load_book("cinderella")
resource.setrlimit(resource.RLIMIT_AS, (4 * {memory},) * 2)
read_hand = lambda text, _source: Hand.read(text)
for name, text in json.load(sys.stdin).items():
    for read in (loader.parse, formats.parse_format, clauses.parse_book, examples.parse, read_hand):
        started = time.process_time()
        try:
            read(eval(text), "file.toml")
        except (FaultsError, NotationError) as refused:
            told = str(refused)
        spent = time.process_time() - started
        assert spent < {seconds}, (name, read, spent)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
assert int(status["VmHWM"].split()[0]) * 1024 < {memory}, status["VmHWM"]
"""


def test_parser_bombs_are_read_or_refused_within_a_second_and_little_memory() -> None:
    script = TRYING.format(memory=MEMORY, seconds=SECONDS)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input=json.dumps(NASTY), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1500:]
