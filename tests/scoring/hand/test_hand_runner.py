"""The runner tells what of a worked hand differs."""

from pathlib import Path
from typing import Any

from rulesets import examples

HEAD = '[conventions]\nruleset = "{ruleset}"\nabsent = "zero"\n'
HAND = """
[[hand]]
id = "X-H01"
concealed = "{concealed}"
win = "{win}"
by = "{by}"
seat_wind = "S"
round_wind = "E"
{more}
expect = {{ {expect} }}
"""
PAID = "tsumo_from_dealer = 700, tsumo_from_each = 400"
RIGHT = f"valid = true, yaku = {{ menzen_tsumo = 1, pinfu = 1 }}, fu = 20, han = 2, {PAID}"


def told(
    folder: Path,
    expect: str,
    *,
    by: str = "tsumo",
    more: str = "",
    ruleset: str = "cinderella",
    tiles: tuple[str, str] = ("234m567m34p678s99s", "2p"),
) -> list[str]:
    path = folder / "hands.toml"
    hand = HAND.format(by=by, more=more, expect=expect, concealed=tiles[0], win=tiles[1])
    path.write_text(HEAD.format(ruleset=ruleset) + hand, encoding="utf-8")
    [outcome] = examples.run(examples.read(path)).outcomes
    return [str(each) for each in outcome.differences]


def test_a_right_example_differs_in_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, RIGHT) == []


def test_every_difference_is_told_with_what_was_expected_and_found(tmp_path: Path) -> None:
    assert told(tmp_path, RIGHT.replace("fu = 20", "fu = 30")) == ["fu: expected 30, found 20"]
    assert any(each.startswith("yaku: expected {}") for each in told(tmp_path, "valid = true"))


def test_a_win_that_was_expected_to_be_none_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, "valid = false") == ["valid: expected False, found True"]


NO_YAKU: Any = {"by": "ron", "more": 'melds = ["pon:222s"]', "tiles": ("456p99m34s678p", "5s")}


def test_no_win_where_one_was_expected_is_told_with_its_reason(tmp_path: Path) -> None:
    [difference] = told(tmp_path, "valid = true", **NO_YAKU)
    assert difference.startswith("valid: expected True, found no_yaku")


def test_another_reason_than_expected_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, "valid = false", **NO_YAKU) == []
    assert told(tmp_path, 'valid = false, reason = "kansaki_wait"', **NO_YAKU) == [
        "reason: expected kansaki_wait, found no_yaku"
    ]


def test_what_cannot_be_is_told_with_what_is_wrong(tmp_path: Path) -> None:
    [difference] = told(tmp_path, "valid = true", more="houtei = true")
    assert "The last discard is won by ron" in difference


def test_dealer_and_seat_wind_must_agree(tmp_path: Path) -> None:
    assert "dealer: expected False, found True" in told(tmp_path, RIGHT, more="dealer = true")


def test_where_a_book_counts_an_option_a_file_may_say_yes(tmp_path: Path) -> None:
    found = told(tmp_path, "valid = true", more="options = { pocchi = true }", ruleset="superbingo")
    assert "There is no 2m" in found[0]


def test_an_option_that_is_none_is_told(tmp_path: Path) -> None:
    assert "options.x" in told(tmp_path, "valid = true", more="options = { x = 1 }")[0]
