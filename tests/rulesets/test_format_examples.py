"""Test what the runner says about formats, pairings, series and rankings that differ from their worked examples."""

from pathlib import Path

import pytest

from rulesets import examples
from rulesets.formats import format_text

FORMAT = """
[[format]]
id = "X-F1"
name = "NAME"
text = '''
TEXT'''
expect = EXPECT
"""

OPEN_RUN = """
[[run]]
id = "X-R1"
format = "cut-open"
won = { main = { WON } }
expect = { totals = { main = { TOTALS } } }
"""

PAIRING = """
[[pairing]]
id = "X-P1"
ranked = [RANKED]
met = []
weights = { spread = 1, met = 60, club = 30 }
expect = { EXPECT }
"""

FINAL_TOTAL = """
[[final_total]]
id = "X-S1"
carried = { P1 = "10.0", P2 = "5.0" }
won = { P1 = "0.0", P2 = "0.0" }
rewards = ["B2"]
own = { P1 = "12.0", P2 = "40.5" }
condition = "own_total_at_least 0.0"
expect = { totals = { P1 = "10.0", P2 = "5.0" }, order = [["P1"], ["P2"]], going = { B2 = "P1" }, refused = [] }
"""

RATING = """
[[tenhou_r]]
id = "X-T1"
games = "400+"
rates = ["1500.00", "1500.00", "1500.00", "1500.00"]
seat = 2
place = 1
expect = { change = "6.0000", printed_after = "1506.00" }
"""


def differences(text: str) -> list[str]:
    """Run the examples of a text; return all differences as the runner prints them."""
    report = examples.run(examples.parse_formats(text, "own"))
    return [str(difference) for outcome in report.failed for difference in outcome.differences]


def about_format(text: str, name: str, expect: str) -> str:
    return FORMAT.replace("NAME", name).replace("TEXT", text).replace("EXPECT", expect)


@pytest.mark.parametrize(
    ("change", "name", "expect", "says"),
    [
        (("", ""), "other", "{ valid = true }", "name: expected other, found single-table-final"),
        (("", ""), "single-table-final", "{ valid = false }", "valid: expected False, found []"),
        (
            ("entrants = 4", "entrants = 5"),
            "single-table-final",
            '{ valid = false, faults = ["champion"] }',
            "faults: expected champion, found [entrants]",
        ),
    ],
    ids=["name", "valid", "faults"],
)
def test_a_format_that_is_not_as_expected_is_told(change: tuple[str, str], name: str, expect: str, says: str) -> None:
    text = format_text("single-table-final")
    assert change[0] in text
    assert differences(about_format(text.replace(*change), name, expect)) == [says]


def test_a_format_with_bounds_is_played_by_the_entrants_who_have_points() -> None:
    points = ", ".join(f'P{number:02} = "{20 - number}.0"' for number in range(1, 21))
    text = about_format(format_text("cut-open"), "cut-open", "{ valid = true }")
    text += OPEN_RUN.replace("WON", points).replace("TOTALS", points)
    assert differences(text) == []


def pairing(players: int, expect: str) -> str:
    ranked = ", ".join(f'"P{number:02}"' for number in range(1, players + 1))
    return PAIRING.replace("RANKED", ranked).replace("EXPECT", expect)


def test_a_pairing_is_compared_with_its_cost_and_its_bound() -> None:
    assert differences(pairing(8, "cost = 40, bound = 40")) == []
    assert differences(pairing(8, "cost = 41, bound = 40")) == ["cost: expected 41, found 40"]
    assert differences(pairing(8, "cost = 40, bound = 41")) == [
        "bound: expected 41, found 40",
        "bound: expected 41 to 40, found 40",
    ]


def test_of_a_pairing_too_large_for_every_table_the_cost_is_a_bound() -> None:
    assert differences(pairing(28, "cost = 140, bound = 140")) == []
    assert differences(pairing(28, "cost = 141, bound = 140")) == ["cost: expected at least 141, found 140"]


def test_a_condition_that_no_reward_can_have_is_refused() -> None:
    assert differences(FINAL_TOTAL) == []
    with pytest.raises(examples.ExampleFileError) as refused:
        examples.parse_formats(FINAL_TOTAL.replace("own_total_at_least", "total_at_least"), "own")
    assert [fault.key for fault in refused.value.faults] == ["final_total.0.condition"]


def test_a_printed_rating_may_differ_by_the_hundredth_that_logs_print() -> None:
    assert differences(RATING.replace("1506.00", "1506.01")) == []
    assert differences(RATING.replace("1506.00", "1506.02")) == ["printed_after: expected 1506.02, found 1506"]


def test_a_file_of_examples_that_is_not_there_is_told_with_its_path(tmp_path: Path) -> None:
    for read in (examples.read, examples.read_any):
        with pytest.raises(examples.ExampleFileError, match=r"none\.toml: .*cannot be read"):
            read(tmp_path / "none.toml")
