"""The rulesets as written: what must hold of every book, and values on which much depends."""

import pytest

from rulesets import loader
from scoring.ruleset.flow import RenchanPolicy
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Counts, YakuName

BOOKS = ("cinderella", "banchi4", "banchi3", "kansai3", "superbingo", "boo")


def play(name: str) -> Play:
    found = loader.load(name).play
    assert found is not None
    return found


def test_every_clause_is_one_of_the_book_and_every_own_clause_is_used() -> None:
    for name in loader.names():
        rules = loader.load(name)
        text = loader.text_of(name)
        assert all(text.count(f'"{clause.id}"') > 1 for clause in rules.book.clause), name


@pytest.mark.parametrize("name", BOOKS)
def test_each_book_says_how_hands_are_played(name: str) -> None:
    assert play(name).yaku[YakuName.RIICHI].counts is Counts.HAN


def test_every_option_has_names_in_both_languages_and_a_clause() -> None:
    for name in loader.names():
        for option in loader.load(name).options.values():
            assert option.title.ja != option.title.en, (name, option)
            assert option.clauses, (name, option)


@pytest.mark.parametrize(
    ("name", "options"),
    [("cinderella", 3), ("banchi4", 8), ("banchi3", 7), ("kansai3", 0), ("superbingo", 4), ("boo", 34)],
)
def test_house_options_are_those_of_the_book(name: str, options: int) -> None:
    assert len(loader.load(name).options) == options


@pytest.mark.clause("cinderella", "CL-051")
@pytest.mark.clause("kansai3", "KS-033", "KS-034")
def test_the_dealer_stays_by_different_rules_round_by_round() -> None:
    assert set(play("cinderella").renchan.rounds.values()) == {RenchanPolicy.WIN}
    kansai = play("kansai3").renchan.rounds
    assert {wind.value: policy.value for wind, policy in kansai.items()} == {
        "E": "tenpai",
        "S": "any_draw",
        "RE": "tenpai",
    }


@pytest.mark.clause("banchi4", "B4-004", "B4-007")
def test_two_winds_can_be_round_winds_at_once() -> None:
    winds = loader.load("banchi4").setup.round_winds
    assert {name.value: [wind.value for wind in both] for name, both in winds.items()} == {
        "E": ["E", "W"],
        "S": ["S", "N"],
    }


@pytest.mark.parametrize(
    ("name", "kazoe"),
    [
        pytest.param("cinderella", None, marks=pytest.mark.clause("cinderella", "CL-140")),
        pytest.param("banchi4", 13, marks=pytest.mark.clause("banchi4", "B4-061")),
        pytest.param("banchi3", 15, marks=pytest.mark.clause("banchi3", "B3-039")),
        pytest.param("kansai3", 14, marks=pytest.mark.clause("kansai3", "KS-066")),
        pytest.param("superbingo", 14, marks=pytest.mark.clause("superbingo", "SB-028")),
        pytest.param("boo", None, marks=pytest.mark.clause("boo", "BOO-096")),
    ],
)
def test_counted_yakuman_begin_at_the_books_own_han_or_never(name: str, kazoe: int | None) -> None:
    from_han = {limit.name: limit.from_han for limit in play(name).value.limits}
    assert from_han.get(LimitName.KAZOE) == kazoe


@pytest.mark.clause("boo", "BOO-033", "BOO-043", "BOO-044", "BOO-045", "BOO-046", "BOO-047", "BOO-048")
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("postwar", {"honitsu": 2, "toitoi": 2, "ittsu": 2, "chanta": 2, "sanankou": 2, "shousangen": 2}),
        ("rcr_plus", {"honitsu": 1, "toitoi": 1, "ittsu": 1, "chanta": 1, "sanankou": 2, "shousangen": 2}),
        ("rcr", {"honitsu": 1, "toitoi": 1, "ittsu": 1, "chanta": 1, "sanankou": 1, "shousangen": 1}),
    ],
)
def test_the_lost_han_column_is_data_that_a_house_chooses(table: str, expected: dict[str, int]) -> None:
    chosen = loader.load("boo").with_options({"yaku_han_table": table}).play
    assert chosen is not None
    assert {name: chosen.yaku[YakuName(name)].closed for name in expected} == expected
    assert {name: chosen.yaku[YakuName(name)].open for name in expected} == expected


@pytest.mark.clause("banchi3", "B3-042")
@pytest.mark.clause("kansai3", "KS-211")
@pytest.mark.clause("superbingo", "SB-205")
@pytest.mark.parametrize("name", ["banchi3", "kansai3", "superbingo"])
def test_a_self_draw_brings_the_value_on_ron_but_for_the_smallest_hands(name: str) -> None:
    table = play(name).payments.tsumo_table
    assert table is not None
    assert all(0 <= other + dealer - value <= 1000 for value, other, dealer in table.other)
    assert all(0 <= 2 * each - value <= 1000 for value, each in table.dealer)
    assert {value: 2 * each - value for value, each in table.dealer}[12000] == 0


@pytest.mark.clause("banchi3", "B3-042")
def test_the_other_non_dealer_pays_three_eighths_in_whole_thousands() -> None:
    table = play("banchi3").payments.tsumo_table
    assert table is not None
    assert all(other == max(value * 3 // 8000 * 1000, 1000) for value, other, _ in table.other)


@pytest.mark.clause("kansai3", "KS-211")
def test_sanbaiman_is_twice_the_pair_of_a_haneman() -> None:
    table = play("kansai3").payments.tsumo_table
    assert table is not None
    pairs = {value: (other, dealer) for value, other, dealer in table.other}
    assert pairs[24000] == tuple(2 * amount for amount in pairs[12000])


@pytest.mark.clause("tenhou4", "TH-001", "TH-007", "TH-008")
def test_an_east_game_goes_on_into_south() -> None:
    rules = loader.load("tenhou4").with_options({"length": "tonpuu"})
    assert rules.end.extension is not None
    assert [name.value for name in (*rules.setup.rounds, *rules.end.extension.rounds)] == ["E", "S"]
