"""Faults of a series: all at once, each at the place that causes it, with what is allowed."""

import pytest

from rulesets.loader import RulesetError
from rulesets.series import read_series, series_text
from scoring.format.series import ShareRounding, parse_movers

PLAIN = """
name = "own"
kind = "series"
title = "own"
tiebreak = {}
share = { rounding = "down" }
tiers = [
  { key = "A", size = { least = 8, most = 12 }, format = "tier" },
  { key = "B", size = { least = 8, most = 16 }, format = "tier" },
]
outside = [{ key = "title" }]
moves = [
  { from = "A#1-2", to = "title" },
  { from = "A#last:1-2", to = "B" },
  { from = "B#top:1/4", to = "A" },
]
ledger = { tier = "B", gains = [2, 1], promote_at = 3, within_terms = 2 }
"""

REFUSED = [
    ('{ key = "title" }', '{ key = "B" }', "outside.B.key", "key_twice"),
    ('{ key = "title" }', '{ key = "out" }', "outside.out.key", "key_reserved"),
    ('"A#1-2"', '"C#1-2"', "moves.0.from", "no_tier"),
    ('to = "title"', 'to = "final"', "moves.0.to", "no_goal"),
    ('"B#top:1/4", to = "A"', '"B#top:1/4", to = "B"', "moves.2.to", "same_tier"),
    ('"A#1-2", to', '"title#1", to', "moves.0.to", "same_tier"),
    (
        '{ key = "title" }]\nmoves = [\n  { from = "A#1-2"',
        '{ key = "title" }, { key = "cup" }]\nmoves = [\n  { from = "cup#1"',
        "moves.0.to",
        "outside_to_outside",
    ),
    ('share = { rounding = "down" }', "", "moves.2.from", "share_without_rounding"),
    ('"A#1-2"', '"A#1-9"', "moves.0.from", "rank_beyond"),
    ('"A#1-2"', '"A#1-7"', "moves.1.from", "overlapping"),
    ('"A#1-2"', '"A#top:9/10"', "moves.1.from", "overlapping"),
    ('to = "title" }', 'to = "title", refused = "next" }', "moves.0.refused", "next_without_if"),
    ('"B#top:1/4"', '"B#1-8"', "tiers.A.size.most", "always_too_large"),
    ("promote_at = 3", "promote_at = 3, demote_at = 3", "ledger.promote_at", "one_direction"),
    ("promote_at = 3, ", "", "ledger.promote_at", "one_direction"),
    ('ledger = { tier = "B"', 'ledger = { tier = "Z"', "ledger.tier", "no_tier"),
    ('ledger = { tier = "B"', 'ledger = { tier = "A"', "ledger.tier", "top_tier"),
    ("promote_at = 3", "promote_at = 5", "ledger.promote_at", "out_of_reach"),
    ("[2, 1]", "[9, 8, 7, 6, 5, 4, 3, 2, 1]", "ledger.gains", "gains_beyond"),
    ("tiebreak = {}", 'tiebreak = { back_tracking = [{ by = "points" }] }', "tiebreak.back_tracking", "no_hanchan"),
    ("tiebreak = {}", 'tiebreak = { then = ["places", "prior"] }', "tiebreak.then.0", "no_results"),
]


def codes(text: str) -> list[tuple[str, str]]:
    """Return the faults of a text as key and code; none if it loads."""
    try:
        read_series(text, "own.toml")
    except RulesetError as refused:
        return [(fault.key, fault.code) for fault in refused.faults if fault.line]
    return []


def test_the_plain_text_loads() -> None:
    assert codes(PLAIN) == []


@pytest.mark.parametrize(("old", "new", "key", "code"), REFUSED)
def test_a_fault_is_told_at_its_key(old: str, new: str, key: str, code: str) -> None:
    assert old in PLAIN
    assert (key, code) in codes(PLAIN.replace(old, new, 1))


def test_a_tier_that_only_loses_players_needs_moves_into_it_or_filling() -> None:
    text = PLAIN.replace('{ from = "B#top:1/4", to = "A" },', "").replace("least = 8, most = 12", "least = 8, most = 9")
    assert ("tiers.A.size.least", "always_too_small") in codes(text)
    assert codes(text.replace("tiebreak = {}", 'tiebreak = {}\nfill = "next"')) == []


def test_a_share_of_a_tier_has_no_number_of_players_without_a_rounding() -> None:
    movers = parse_movers("A#top:1/4")
    assert [len(movers.positions(10, rounding)) for rounding in ShareRounding] == [2, 3]
    with pytest.raises(ValueError, match="A#top:1/4 needs a rounding"):
        movers.positions(10, None)


def test_all_faults_are_told_at_once() -> None:
    text = PLAIN.replace('"A#1-2"', '"C#1-2"').replace('to = "A" }', 'to = "X" }').replace('tier = "B"', 'tier = "Z"')
    assert codes(text) == [("moves.0.from", "no_tier"), ("moves.2.to", "no_goal"), ("ledger.tier", "no_tier")]


def test_two_ledgers_of_one_tier_and_direction_are_refused() -> None:
    one = '[[ledger]]\ntier = "B"\ngains = [1]\npromote_at = 2\nwithin_terms = 2\n'
    text = PLAIN[: PLAIN.index("ledger =")]
    assert codes(text + one) == []
    assert codes(text + one + one.replace("promote_at", "demote_at")) == []
    assert ("ledger.1.tier", "ledger_twice") in codes(text + one + one)


def test_a_rank_may_move_again_after_a_condition_has_refused_it() -> None:
    text = PLAIN.replace(
        'to = "title" }', 'to = "title", if = { total_at_least = "0.0" } }, { from = "A#1", to = "B" }'
    )
    assert codes(text) == []


def test_a_series_of_the_product_with_a_misspelt_key_names_the_right_one() -> None:
    assert codes(series_text("two-up-two-down").replace("[[moves]]", "[[move]]", 1))[0][0] == "move"


def test_faults_do_not_speak_of_players_since_a_tier_may_be_of_teams() -> None:
    texts = []
    for old, new, _key, _code in REFUSED:
        with pytest.raises(RulesetError) as caught:
            read_series(PLAIN.replace(old, new), "own.toml")
        texts.append(str(caught.value))
    assert "entrants" in "".join(texts)
    assert not [text for text in texts if "player" in text]
