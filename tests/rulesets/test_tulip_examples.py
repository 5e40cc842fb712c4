"""Worked examples of the tulip: what the runner says of one that differs, and of one that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets import examples

HEAD = """
[conventions]
ruleset = "superbingo"
absent = "{absent}"

[[tulip]]
id = "T1"
hand = "123456p456789s22z"
by = "ron"
riichi = "riichi"
stacks = [["3s", "7z"], ["6z", "9s"], ["2p", "2s"]]
"""


def printed(rest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], absent: str = "ignore") -> str:
    """What the runner prints about the example."""
    path = tmp_path / "own.toml"
    path.write_text(HEAD.format(absent=absent) + rest, encoding="utf-8")
    examples.main([str(path)])
    return capsys.readouterr().out


def test_the_books_examples_are_all_run(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("rulesets/superbingo/examples.toml")
    ids = {example.id for kind, example in examples.read(file).examples if kind == "tulip"}
    assert ids >= {f"SB-T{number:02d}" for number in range(1, 24)}
    assert examples.main([str(file)]) == 0
    assert capsys.readouterr().out.endswith(" passed, 0 failed\n")


def test_an_example_that_holds_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rest = 'expect = { tulip = true, start_mode = "normal", flips = [["3s", 1], ["6z", 0]], total = 1 }'
    assert "1 passed, 0 failed" in printed(rest, tmp_path, capsys)


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ("tulip = true, total = 7", "total: expected 7, found 1"),
        ("tulip = false", "tulip: expected False, found True"),
        ('tulip = true, end_mode = "kakuhen"', "end_mode: expected kakuhen, found normal"),
        ('tulip = true, flips = [["3s", 2]]', "flips: expected [[3s, 2]], found [[3s, 1], [6z, 0]]"),
        ("tulip = true, base = { ura = 2 }", "base: expected"),
        ("tulip = true, completed = true", "completed: expected True, found False"),
    ],
)
def test_what_differs_is_told_key_by_key(
    expect: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(f"expect = {{ {expect} }}", tmp_path, capsys)


def test_where_keys_left_out_mean_zero_they_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed("expect = { tulip = true }", tmp_path, capsys, absent="zero")
    assert "hits: expected 0, found 1" in said
    assert "total: expected 0, found 1" in said
    assert "end_mode" not in said


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("options = { moon = true }", "no such option"),
        ('nuki = "1"', "has no suit after it"),
        ('pocchi_as = "12p"', "must be one tile"),
        ("ippatsu = true\nforced = true", "forced only by an open riichi"),
    ],
)
def test_an_example_that_cannot_be_is_told_with_its_reason(
    rest: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(f"{rest}\nexpect = {{ tulip = true }}", tmp_path, capsys)


def test_a_book_without_a_tulip_has_no_such_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HEAD.format(absent="ignore") + "expect = { tulip = true }", encoding="utf-8")
    assert examples.main([str(path), "--ruleset", "banchi3"]) == 1
    assert "the ruleset banchi3 has no tulip" in capsys.readouterr().out
