"""Fu that hang on how a hand was won: a self-draw on a replacement tile, and on one side or both."""

import pytest

from tests.scoring.hand.hands import book, value


@pytest.mark.clause("banchi4", "B4-062", "B4-076")
def test_a_self_draw_brings_two_fu_and_only_on_a_replacement_tile_none() -> None:
    """20, the concealed terminals 8, the closed wait 2, and the self-draw 2: 32. On a replacement tile 38 become 40."""
    drawn = value(book("banchi4"), "111m345p678p99s35s", "4s", "tsumo")
    assert drawn.fu == 40
    assert value(book("banchi4"), "111m345p678p99s35s", "4s", seat="W", riichi="riichi").fu == 40
    replaced = value(book("banchi4"), "678p99s35s", "4s", "tsumo", melds=("pon:444p", "ankan:2222m"), rinshan=True)
    assert replaced.fu == 40
    elsewhere = value(book("cinderella"), "678p99s35s", "4s", "tsumo", melds=("pon:444p", "ankan:2222m"), rinshan=True)
    assert elsewhere.fu == 50


@pytest.mark.clause("boo", "BOO-097", "BOO-098")
@pytest.mark.parametrize(("option", "two_sided"), [(2, 30), (4, 40)])
def test_where_a_two_sided_self_draw_brings_four_a_closed_wait_brings_what_it_did(option: int, two_sided: int) -> None:
    """Called 2, concealed 4 and 2 for the pair make 28 before the self-draw on both sides; on one side 26 and 2 + 2."""
    rules = book("boo", ryanmen_tsumo_fu=option)
    assert value(rules, "123m222s99m46s", "5s", "tsumo", melds=("pon:222p",)).fu == 30
    assert value(rules, "123m222s55z46m", "5m", "tsumo", melds=("pon:222p",)).fu == 40
    assert value(rules, "123m222s55z45m", "6m", "tsumo", melds=("pon:222p",)).fu == two_sided
