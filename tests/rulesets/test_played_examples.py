"""Worked examples of hands, wins and furiten: what the runner says when one of them differs."""

from pathlib import Path

import pytest

from rulesets import examples
from rulesets.example_kinds.furiten import kinds

ROUND = """
[[round]]
id = "R1"
before = { scores = [25000, 25000, 25000, 25000], dealer = 0, round = "E1", honba = 0, deposits = 0 }
"""

NEXT = 'scores = [24000, 28000, 24000, 24000], dealer = 1, round = "E2"'

LEGALITY = """
[[legality]]
id = "L1"
before = { scores = [3200, 900, 1000, 2900], dealer = 2, round = "E3" }
event = { type = "ron", winner = 1, loser = 2, points = 1020 }
"""

FURITEN = """
[[furiten]]
id = "F1"
waits = "14m"
river = "9p1m"
ask = { by = "ron", tile = "4m" }
"""


ACT = """
[[act]]
id = "A1"
before = { scores = [35000, 500, 35000], dealer = 0, round = "E1" }
seat = 1
"""


def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str], ruleset: str, example: str) -> str:
    """What the runner prints about one example."""
    path = tmp_path / "own.toml"
    head = f'[conventions]\nruleset = "{ruleset}"\nabsent = "zero"\n'
    path.write_text(head + example, encoding="utf-8")
    examples.main([str(path)])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        (
            f'event = {{ type = "draw", tenpai = [1] }}\nafter = {{ {NEXT}, honba = 0, finished = false }}',
            "honba: expected 0, found 1",
        ),
        (
            'event = { type = "draw", tenpai = [1] }\nafter = { scores = [0, 0, 0, 0], finished = true, end = "tobi" }',
            "end: expected tobi, found []",
        ),
        (
            'event = { type = "ron", winner = 1, loser = 1, han = 5 }\nafter = { scores = [], finished = false }',
            "event: expected a hand that can be played, found Seat 1 cannot win on their own discard.",
        ),
        (
            'event = { type = "ron", loser = 1, han = 1, fu = 30 }\nafter = { scores = [], finished = false }',
            "event: expected a hand that can be played, found a win needs its winner",
        ),
        (
            'event = { type = "four_kans" }\nafter = { scores = [], finished = false }',
            "found four kans need their winner",
        ),
        (
            'event = { type = "four_kans", winner = 1 }\nafter = { scores = [], finished = false }',
            "found Under these rules four kans have to be won like any hand.",
        ),
        (
            'event = { type = "abortive", reason = "four_winds" }\nafter = { scores = [], finished = false }',
            "This book does not break a hand off for four_winds.",
        ),
        (
            'event = { type = "draw" }\nafter = { scores = [], finished = false, top_type = "A" }',
            "this ruleset knows no kinds of top",
        ),
        (
            'options = { moon = 1 }\nevent = { type = "draw" }\nafter = { scores = [], finished = false }',
            "no such option",
        ),
    ],
)
def test_a_hand_that_differs_is_told_key_by_key(
    rest: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(tmp_path, capsys, "cinderella", ROUND + rest)


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        (
            'expect = { verdict = "allowed", reasons = [], would_be = [3200, 1920, -20, 2900] }',
            "verdict: expected allowed, found forbidden",
        ),
        (
            'expect = { verdict = "forbidden", reasons = ["bust_without_rising"], would_be = [3200, 1920, -20, 2900] }',
            "end: expected [], found [bust]",
        ),
        (
            'options = { moon = 1 }\nexpect = { verdict = "allowed", reasons = [], would_be = [] }',
            "no such option",
        ),
    ],
)
def test_a_verdict_that_differs_is_told(
    rest: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(tmp_path, capsys, "boo", LEGALITY + rest)


@pytest.mark.parametrize(
    ("ruleset", "rest", "says"),
    [
        ("boo", "expect = { allowed = false }", "allowed: expected false, found true (nothing bars it)"),
        ("cinderella", "expect = { allowed = true }", "allowed: expected true, found false (own_river)"),
        ("boo", "options = { moon = 1 }\nexpect = { allowed = true }", "no such option"),
    ],
)
def test_an_answer_that_differs_is_told(
    ruleset: str, rest: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(tmp_path, capsys, ruleset, FURITEN + rest)


HAND = """
[[hand]]
id = "H1"
concealed = "123789p22p67s"
melds = ["chi:234s"]
win = "8s"
seat_wind = "S"
round_wind = "E"
"""

SETTLED = """
[[settlement]]
id = "S1"
"""


@pytest.mark.parametrize(
    ("example", "says"),
    [
        (HAND + 'by = "ron"\nrefused = "chi_not_allowed"', "1 passed"),
        (HAND + 'by = "ron"\nrefused = "no_meld"', "refused: expected no_meld, found [chi_not_allowed]"),
        (HAND + 'by = "ron"\nrefused = "any"', "1 passed"),
        (HAND + 'by = "wishing"\nrefused = "any"', "refused: expected any, found 'wishing' is not a valid By"),
        (SETTLED + 'scores = [35000, 35000, 35000]\nrefused = "any"', "refused: expected any, found nothing"),
        (HAND + 'by = "wishing"\nrefused = "no_meld"', "refused: expected no_meld, found 'wishing' is not a valid By"),
        (
            HAND.replace('"chi:234s"', "").replace("22p", "22p234s") + 'by = "ron"\nrefused = "no_meld"',
            "refused: expected no_meld, found nothing",
        ),
        (SETTLED + 'scores = [35000, 35000, 35500]\nrefused = "score_not_multiple"', "1 passed"),
        (SETTLED + 'scores = [35000, 35000, 35000]\nrefused = "table_sum"', "found nothing"),
        (
            SETTLED + "scores = [151000, 0, -46000]\ntobi = [[1, 0], [2, 0]]\nwarnings = []",
            "warnings: expected [], found [extreme_score]",
        ),
        (
            ROUND.replace("25000, 25000, 25000, 25000", "35000, 35000, 35000")
            + 'event = { type = "draw" }\nrefused = "game_over"',
            "refused: expected game_over, found nothing",
        ),
        (
            ROUND.replace("25000, 25000, 25000, 25000", "35000, 35000, 35000")
            + 'event = { type = "abortive", reason = "four_winds" }\nrefused = "abortive_not_played"',
            "1 passed",
        ),
    ],
)
def test_what_the_engine_refuses_is_an_example_too(
    example: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in printed(tmp_path, capsys, "kansai3", example)


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ('act = "riichi"\nexpect = { allowed = true }', "allowed: expected True, found False"),
        ('act = "riichi"\nriichi = [1]\nexpect = { allowed = true }', "riichi needs"),
        ('act = "open_riichi"\nexpect = { allowed = false }', "0 failed"),
        ('act = "offence"\noffence = "two_calls"\nexpect = { costs = ["dead_hand"] }', "found [fine]"),
        ('act = "offence"\noffence = "hand_shown"\nexpect = { costs = ["chonbo"] }', "0 failed"),
        (
            'act = "offence"\noffence = "noten_riichi"\nexpect = { costs = ["chonbo_at_draw"] }',
            "costs: expected [chonbo_at_draw], found []",
        ),
        ('act = "offence"\noffence = "noten_riichi"\nrefused = "offence_needs_riichi"', "1 passed, 0 failed"),
        ('act = "offence"\noffence = "noten_riichi"\nrefused = "any"', "1 passed, 0 failed"),
        ('act = "give_up"\nrefused = "any"', "refused: expected any, found nothing"),
        ('act = "offence"\noffence = "riichi_taken_back"\nexpect = { costs = ["fine", "redeclare"] }', "0 failed"),
        (
            'act = "offence"\noffence = "moonwalk"\nexpect = { costs = ["chonbo"] }',
            "costs: expected [chonbo], found []",
        ),
        (
            (
                'act = "offence"\noffence = "win_called_only"\n'
                'expect = { costs = ["fine", "dead_hand"], may_riichi = true, may_be_tenpai = false }'
            ),
            "may_riichi: expected True, found False",
        ),
        ('act = "give_up"\nexpect = { allowed = false }', "allowed: expected False, found True"),
        ('act = "riichi"\noptions = { moon = 1 }\nexpect = {}', "no such option"),
    ],
)
def test_an_act_that_costs_something_else_is_told(
    rest: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says.lower() in printed(tmp_path, capsys, "kansai3", ACT + rest).lower()


def test_a_dealer_who_does_not_fit_the_kyoku_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = ROUND.replace("dealer = 0", "dealer = 2") + 'event = { type = "draw" }\n'
    found = printed(tmp_path, capsys, "cinderella", example + "after = { scores = [], finished = false }")
    assert "the dealer of E1 is seat 0, not 2" in found


def test_tiles_written_together_are_read_kind_by_kind() -> None:
    assert kinds("14m0p") == ("1m", "4m", "5p")
    assert kinds("9p1m2z7s") == ("9p", "1m", "2z", "7s")
    assert kinds("") == ()
