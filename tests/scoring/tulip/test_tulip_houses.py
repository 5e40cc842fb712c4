"""Tulips under other house rules: Super Bingo's ruleset with other values."""

from __future__ import annotations

from dataclasses import replace

from rulesets import loader
from scoring.hand import RiichiKind
from scoring.ruleset import Ruleset
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    FlipMode,
)
from tests.scoring.tulip.wins import THREE_SEVENS, flipped, hits, problems, won


def changed(*changes: tuple[str, object], drop: tuple[str, ...] = ()) -> Ruleset:
    """Return Super Bingo's ruleset with some values changed."""
    text = loader.text_of("superbingo")
    for old, new in changes:
        assert old in text
        text = text.replace(old, str(new))
    return loader.parse(text, "own.toml")


def test_a_house_may_use_other_numbers_and_start_its_tulip_after_other_wins() -> None:
    own = changed(
        ('riichi = { clauses = ["SB-035"] }\nyakuman', "yakuman"),
        ("matches = 6", "matches = 3"),
        ("times = 2", "times = 3"),
        ("[play.tulip.match]\nchips = 1", "[play.tulip.match]\nchips = 5"),
    )
    assert flipped("", won(), own).start.mode is None
    win = won(THREE_SEVENS, riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    tulip = flipped("8s", win, own)
    assert (tulip.state.mode, tulip.total) == (FlipMode.TOP, (40 + 3 * 5) * 3)
    assert [(step.hits, step.chips) for step in tulip.steps] == [(3, 15)]


def test_a_house_may_give_no_guarantees_and_no_meaning_to_bonus_tiles() -> None:
    own = changed(
        ('ippatsu = { count = 1, clauses = ["SB-036"] }\n', ""),
        ('limit = { count = 1, from_limit = "sanbaiman", clauses = ["SB-036"] }\n', ""),
        ('pocchi = { count = 1, clauses = ["SB-093"] }\n', ""),
        ('stands_for = { red = "7p", blue = "7s" }', 'stands_for = { red = "7p" }'),
    )
    win = won(ippatsu=True, limit=LimitName.SANBAIMAN, nuki="2b", stacks=5)
    tulip = flipped("2b", win, own)
    assert (tulip.start.guarantees, tulip.start.joined, hits(tulip)) == (0, (), [0])


def test_a_house_may_pay_chips_for_closed_hands_only_and_for_each_yakuman() -> None:
    own = changed(("open_hands = true", "open_hands = false"), ('several = "once"', 'several = "add"'))
    both = (YakuName.DAISANGEN, YakuName.TSUUIISOU)
    win = won("22z111z555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=both)
    assert flipped("", win, own).total == 80
    assert flipped("", replace(win, opened=True), own).total == 0
    assert flipped("", win).total == 40


def test_an_open_riichi_is_refused_where_it_is_not_played() -> None:
    text = loader.text_of("superbingo")
    table = text[text.index("[play.riichi.open]") : text.index("[play.draws]")]
    option = text[text.index("[options.open_riichi]") :]
    own = changed((table, ""), (option, ""))
    assert problems(won(riichi=RiichiKind.OPEN), own) == [("tulip_no_open_riichi", "riichi")]


def test_a_limit_that_the_ruleset_does_not_have_is_refused() -> None:
    limit = '    { name = "kazoe", from_han = 14, base = 8000, clauses = ["SB-028", "SB-204"] },\n'
    assert problems(won(limit=LimitName.KAZOE), changed((limit, ""))) == [("tulip_limit", "limit")]
