"""Value of a hand from han and fu: the formula against the well-known tables, and every ruleset's own payments."""

import pytest

from scoring.ruleset import Ruleset
from scoring.ruleset.value import LimitName
from scoring.value import PartName, UnknownLimitError, Value, Worth, value
from tests.scoring.kyoku_tables import BANCHI3, BOO, CINDERELLA, KANSAI3, SUPERBINGO, TENHOU4


def paid(rules: Ruleset, worth: Worth, *, dealer: bool = False) -> Value:
    assert rules.play is not None
    return value(worth, dealer=dealer, play=rules.play)


@pytest.mark.clause("cinderella", "CL-144")
@pytest.mark.parametrize(
    ("han", "fu", "ron", "dealer_ron", "tsumo"),
    [
        (1, 30, 1000, 1500, (500, 300)),
        (1, 110, 3600, 5300, (1800, 900)),
        (2, 20, 1300, 2000, (700, 400)),
        (2, 25, 1600, 2400, (800, 400)),
        (3, 50, 6400, 9600, (3200, 1600)),
        (4, 25, 6400, 9600, (3200, 1600)),
        (3, 70, 8000, 12000, (4000, 2000)),
    ],
)
def test_the_formula_gives_the_well_known_payment_table(
    han: int, fu: int, ron: int, dealer_ron: int, tsumo: tuple[int, int]
) -> None:
    worth = Worth(han, fu)
    assert (paid(CINDERELLA, worth).ron, paid(CINDERELLA, worth, dealer=True).ron) == (ron, dealer_ron)
    assert (paid(CINDERELLA, worth).from_dealer, paid(CINDERELLA, worth).from_other) == tsumo
    assert paid(CINDERELLA, worth, dealer=True).from_dealer == 0


@pytest.mark.clause("cinderella", "CL-139", "CL-140", "CL-144")
@pytest.mark.clause("tenhou4", "TH-018")
def test_limits_are_reached_by_han_and_kazoe_yakuman_only_where_it_is_played() -> None:
    hans = (5, 6, 8, 11, 13)
    assert [paid(CINDERELLA, Worth(han)).ron for han in hans] == [8000, 12000, 16000, 24000, 24000]
    assert [paid(TENHOU4, Worth(han)).limit for han in hans] == ["mangan", "haneman", "baiman", "sanbaiman", "kazoe"]


@pytest.mark.clause("cinderella", "CL-141")
@pytest.mark.parametrize("worth", [Worth(4, 30), Worth(3, 60)])
def test_kiriage_mangan_applies_only_where_it_is_played(worth: Worth) -> None:
    assert (paid(CINDERELLA, worth).limit, paid(CINDERELLA, worth).ron) == (LimitName.MANGAN, 8000)
    assert (paid(TENHOU4, worth).limit, paid(TENHOU4, worth).ron) == (None, 7700)


@pytest.mark.clause("cinderella", "CL-138")
@pytest.mark.clause("superbingo", "SB-029")
def test_several_yakuman_add_up_or_count_once() -> None:
    assert paid(CINDERELLA, Worth(yakuman=2)).ron == 64000
    assert paid(SUPERBINGO, Worth(yakuman=2)).ron == 32000


@pytest.mark.clause("banchi3", "B3-042", "B3-084")
@pytest.mark.clause("kansai3", "KS-211")
def test_printed_tables_split_tsumo_payments_and_multiply_the_last_row_for_several_yakuman() -> None:
    sanbaiman = Worth(limit=LimitName.SANBAIMAN)
    assert (paid(BANCHI3, sanbaiman).from_dealer, paid(BANCHI3, sanbaiman).from_other) == (15000, 9000)
    assert (paid(KANSAI3, sanbaiman).from_dealer, paid(KANSAI3, sanbaiman).from_other) == (16000, 8000)
    assert paid(KANSAI3, Worth(yakuman=3)).tsumo(2) == 96000
    assert paid(KANSAI3, Worth(yakuman=2), dealer=True).tsumo(2) == 96000


@pytest.mark.clause("boo", "BOO-090", "BOO-091")
@pytest.mark.parametrize("rules", [CINDERELLA, BANCHI3, KANSAI3, SUPERBINGO, BOO])
def test_a_winning_dealer_is_paid_by_no_dealer(rules: Ruleset) -> None:
    whole = paid(rules, Worth(5, closed=True, dora=2), dealer=True)
    assert {part.from_dealer for part in whole.parts} == {0}


@pytest.mark.clause("superbingo", "SB-091")
def test_an_opened_hand_is_worth_one_step_more_up_to_counted_yakuman() -> None:
    rules = SUPERBINGO.with_options({"dx": True})
    hans = (1, 2, 3, 4, 5, 6, 8, 11, 14)
    opened = [paid(rules, Worth(han)).ron for han in hans]
    assert opened == [2000, 4000, 8000, 12000, 12000, 16000, 24000, 32000, 32000]
    assert [paid(rules, Worth(han, closed=True)).ron for han in (1, 4, 6)] == [1000, 8000, 12000]


def test_a_step_up_from_just_below_a_limit_gives_that_limit() -> None:
    data = CINDERELLA.data()
    data["play"]["value"]["open_hands_step_up"] = True
    rules = Ruleset.model_validate(data, strict=False)
    assert paid(rules, Worth(3, 50)).limit is LimitName.MANGAN
    assert paid(rules, Worth(2, 30)).ron == 3900


def test_a_ruleset_may_have_no_limits() -> None:
    data = CINDERELLA.data()
    data["play"]["value"]["limits"] = []
    rules = Ruleset.model_validate(data, strict=False)
    assert paid(rules, Worth(5, 40)).ron == 20500
    data["play"]["value"]["open_hands_step_up"] = True
    assert paid(Ruleset.model_validate(data, strict=False), Worth(4, 40)).ron == 20500


@pytest.mark.clause("boo", "BOO-082", "BOO-090", "BOO-091", "BOO-096", "BOO-114")
def test_points_for_closed_hands_and_dora_are_added_to_any_limit() -> None:
    worth = Worth(limit=LimitName.MANGAN, closed=True, dora=2)
    parts = {part.name: (part.ron, part.from_dealer, part.from_other) for part in paid(BOO, worth).parts}
    expected = {PartName.HAND: (2000, 1000, 500), PartName.CLOSED: (300, 100, 100), PartName.DORA: (200, 200, 200)}
    assert parts == expected
    rules = BOO.with_options({"dora_points": "closed200_open100"})
    assert paid(rules, worth).ron == 2700
    assert paid(rules, Worth(0, 30, dora=2)).ron == 320


def test_dora_give_points_only_where_the_ruleset_says_so() -> None:
    assert paid(CINDERELLA, Worth(2, 30, dora=3)).ron == 2000
    data = CINDERELLA.data()
    del data["play"]["dora"]["kinds"]["indicator"]
    assert paid(Ruleset.model_validate(data, strict=False), Worth(2, 30, dora=3)).ron == 2000


@pytest.mark.clause("boo", "BOO-101", "BOO-102")
def test_a_yakuman_is_a_double_mangan_or_ends_the_game_without_points() -> None:
    assert paid(BOO, YAKUMAN, dealer=True).ron == 6000
    instant = paid(BOO.with_options({"yakuman": "instant_a_top"}), Worth(limit=LimitName.YAKUMAN))
    assert (instant.instant_top, instant.ron, instant.tsumo(3)) == (True, 0, 0)


@pytest.mark.clause("boo", "BOO-105", "BOO-106")
def test_without_a_limit_the_base_doubles_with_every_han() -> None:
    assert paid(BOO, Worth(9, 40, uncapped=True)).ron == 81920


def test_a_limit_that_the_ruleset_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownLimitError, match="no kazoe; it has mangan, haneman, baiman, sanbaiman, yakuman"):
        paid(CINDERELLA, Worth(limit=LimitName.KAZOE))


YAKUMAN = Worth(yakuman=1)
