"""The runner of worked hand examples: it reports each difference between the expected and the computed value."""

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


def test_a_correct_example_has_no_differences(tmp_path: Path) -> None:
    assert told(tmp_path, RIGHT) == []


def test_every_difference_is_reported_with_the_expected_and_found_value(tmp_path: Path) -> None:
    assert told(tmp_path, RIGHT.replace("fu = 20", "fu = 30")) == ["fu: expected 30, found 20"]
    assert any(each.startswith("yaku: expected {}") for each in told(tmp_path, "valid = true"))


def test_an_unexpected_win_is_reported(tmp_path: Path) -> None:
    assert told(tmp_path, "valid = false") == ["valid: expected False, found True"]


NO_YAKU: Any = {"by": "ron", "more": 'melds = ["pon:222s"]', "tiles": ("456p99m34s678p", "5s")}


def test_a_missing_win_is_reported_with_its_reason(tmp_path: Path) -> None:
    [difference] = told(tmp_path, "valid = true", **NO_YAKU)
    assert difference.startswith("valid: expected True, found no_yaku")


def test_an_unexpected_reason_is_reported(tmp_path: Path) -> None:
    assert told(tmp_path, "valid = false", **NO_YAKU) == []
    assert told(tmp_path, 'valid = false, reason = "kansaki_wait"', **NO_YAKU) == [
        "reason: expected kansaki_wait, found no_yaku"
    ]


def test_an_impossible_hand_is_reported_with_its_problem(tmp_path: Path) -> None:
    [difference] = told(tmp_path, "valid = true", more="houtei = true")
    assert "The last discard is won by ron" in difference


def test_dealer_and_seat_wind_must_agree(tmp_path: Path) -> None:
    assert "dealer: expected False, found True" in told(tmp_path, RIGHT, more="dealer = true")


def test_a_counted_option_may_be_given_as_true(tmp_path: Path) -> None:
    found = told(tmp_path, "valid = true", more="options = { pocchi = true }", ruleset="superbingo")
    assert "There is no 2m" in found[0]


def test_an_unknown_option_is_reported(tmp_path: Path) -> None:
    assert "options.x" in told(tmp_path, "valid = true", more="options = { x = 1 }")[0]
