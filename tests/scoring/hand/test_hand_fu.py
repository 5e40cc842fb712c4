"""Fu that depend on the way of winning: tsumo, replacement tile, two-sided wait."""

import pytest

from tests.scoring.hand.hands import book, value


@pytest.mark.clause("banchi4", "B4-062", "B4-076")
def test_tsumo_gives_two_fu_except_on_a_replacement_tile() -> None:
    """Add 20, concealed terminals 8, closed wait 2 and tsumo 2: 32. On a replacement tile 38 become 40."""
    drawn = value(book("banchi4"), "111m345p678p99s35s", "4s", "tsumo")
    assert drawn.fu == 40
    assert value(book("banchi4"), "111m345p678p99s35s", "4s", seat="W", riichi="riichi").fu == 40
    replaced = value(book("banchi4"), "678p99s35s", "4s", "tsumo", melds=("pon:444p", "ankan:2222m"), rinshan=True)
    assert replaced.fu == 40
    elsewhere = value(book("cinderella"), "678p99s35s", "4s", "tsumo", melds=("pon:444p", "ankan:2222m"), rinshan=True)
    assert elsewhere.fu == 50


@pytest.mark.clause("boo", "BOO-097", "BOO-098")
@pytest.mark.parametrize(("option", "two_sided"), [(2, 30), (4, 40)])
def test_four_fu_for_a_two_sided_tsumo_leave_a_closed_wait_unchanged(option: int, two_sided: int) -> None:
    """Add called 2, concealed 4, pair 2: 28 before a two-sided tsumo; with a one-sided wait 26 and 2 + 2."""
    rules = book("boo", ryanmen_tsumo_fu=option)
    assert value(rules, "123m222s99m46s", "5s", "tsumo", melds=("pon:222p",)).fu == 30
    assert value(rules, "123m222s55z46m", "5m", "tsumo", melds=("pon:222p",)).fu == 40
    assert value(rules, "123m222s55z45m", "6m", "tsumo", melds=("pon:222p",)).fu == two_sided
