"""Payments for a hand: liability, forced deal-ins, prizes, deposits, pocchi and yaku worth a mangan."""

import pytest

from scoring import kyoku
from scoring.hand import Liability, Notice, NoWinReason, Payer, PaymentCause
from scoring.kyoku.outcomes import LiablePlayer as Liable
from scoring.kyoku.outcomes import Ron, Tsumo, Win
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.value import Worth
from tests.scoring.hand.hands import book, no_win, paid, value, yaku
from tests.scoring.kyoku_tables import at

DRAGONS = ("pon:555z", "pon:666z", "pon:777z")
LIABLE_WEST = (Liability(Wind.WEST, YakuName.DAISANGEN),)


@pytest.mark.clause("boo", "BOO-082", "BOO-083", "BOO-090", "BOO-091", "BOO-092")
def test_each_part_of_a_payment_rests_on_the_clause_that_states_it() -> None:
    found = value(book("boo"), "123m678p222p99s68s", "7s", dora_indicators="1p", honba=1)
    assert [(each.cause, each.amount, each.clauses[0]) for each in found.payments] == [
        (PaymentCause.HAND, 160, "BOO-083"),
        (PaymentCause.CLOSED, 300, "BOO-090"),
        (PaymentCause.DORA, 300, "BOO-091"),
        (PaymentCause.HONBA, 300, "BOO-017"),
    ]


@pytest.mark.clause("cinderella", "CL-097")
def test_a_liable_player_pays_all_of_a_self_draw_with_its_honba() -> None:
    found = value(book("cinderella"), "22m45s", "3s", "tsumo", melds=DRAGONS, liable=LIABLE_WEST, honba=2)
    assert paid(found) == {"W": 32600}


@pytest.mark.clause("cinderella", "CL-097")
def test_on_ron_the_liable_player_pays_half_and_the_discarder_half_plus_honba() -> None:
    found = value(book("cinderella"), "22m45s", "3s", melds=DRAGONS, liable=LIABLE_WEST, honba=2, discarder=Wind.EAST)
    assert paid(found) == {"W": 16000, "E": 16600}


@pytest.mark.clause("cinderella", "CL-097")
def test_a_liable_player_who_deals_in_pays_everything() -> None:
    found = value(book("cinderella"), "22m45s", "3s", melds=DRAGONS, liable=LIABLE_WEST, discarder=Wind.WEST)
    assert paid(found) == {"W": 32000}


@pytest.mark.clause("cinderella", "CL-097")
def test_a_further_yakuman_is_paid_as_usual() -> None:
    found = value(book("cinderella"), "22z11z", "1z", "tsumo", melds=DRAGONS, liable=LIABLE_WEST)
    assert found.yakuman == 2
    assert paid(found) == {"E": 16000, "W": 32000 + 8000, "N": 8000}


@pytest.mark.clause("banchi4", "B4-041", "B4-042")
def test_prizes_follow_liability_too() -> None:
    rules, hand = book("banchi4"), ("22m40s", "3s")
    drawn = value(rules, *hand, "tsumo", melds=DRAGONS, liable=LIABLE_WEST)
    assert paid(drawn, "g") == {"W": 3 * 3000 + 3 * 500}
    ron = value(rules, *hand, melds=DRAGONS, liable=LIABLE_WEST, discarder=Wind.EAST)
    assert paid(ron, "g") == {"W": 2500, "E": 2500 + 500}
    alone = value(rules, *hand, melds=DRAGONS, liable=LIABLE_WEST, discarder=Wind.WEST)
    assert paid(alone, "g") == {"W": 5500}


@pytest.mark.clause("kansai3", "KS-223")
def test_other_prizes_are_paid_as_usual_where_only_the_yakuman_prize_is_liable() -> None:
    hand = ("22p45s", "3s")
    found = value(book("kansai3"), *hand, "tsumo", melds=(*DRAGONS, "nuki:1f2f3f4f"), liable=LIABLE_WEST)
    assert paid(found, "p") == {"W": 2000 + 500, "E": 500}


@pytest.mark.clause("superbingo", "SB-211", "SB-057")
def test_in_super_bingo_only_the_yakuman_chips_follow_liability() -> None:
    found = value(book("superbingo"), "22p46s", "0s", "tsumo", melds=DRAGONS, liable=LIABLE_WEST)
    assert paid(found, "chips") == {"W": 40 + 1, "E": 1}


@pytest.mark.clause("banchi4", "B4-025")
def test_the_player_who_fed_an_open_kan_alone_pays_the_win_on_its_replacement_tile() -> None:
    hand = ("345m60m99s", "4m", "tsumo")
    melds = ("pon:888s", "minkan:2222p")
    liable = (Liability(Wind.NORTH),)
    named = value(book("banchi4"), *hand, melds=melds, rinshan=True, liable=liable, honba=1, deposits=1000)
    unnamed = value(book("banchi4"), *hand, melds=melds, rinshan=True)
    assert paid(named) == {"N": named.total, "table": 1000}
    assert paid(unnamed) == {"liable": unnamed.total}
    assert {each.role for each in unnamed.payments} == {Payer.LIABLE}
    assert paid(unnamed, "g") == {"liable": 1500}


@pytest.mark.clause("boo", "BOO-039")
def test_in_boo_the_feeder_of_a_kan_pays_as_for_a_ron() -> None:
    feeder = (Liability(Wind.WEST),)
    found = value(book("boo"), "345678m46p99s", "5p", "tsumo", melds=("minkan:1111p",), rinshan=True, liable=feeder)
    assert found.as_ron
    assert paid(found) == {"W": found.total}


@pytest.mark.clause("banchi3", "B3-051")
def test_a_forced_deal_in_is_paid_as_a_yakuman_without_prizes() -> None:
    hand = ("123p789p234s66s78s", "9s")
    found = value(book("banchi3"), *hand, riichi="open", forced=True, discarder=Wind.WEST)
    assert (found.han, found.limit, paid(found), paid(found, "g")) == (3, None, {"W": 32000}, {})


@pytest.mark.clause("superbingo", "SB-085")
def test_super_bingo_adds_a_prize_for_a_forced_deal_in() -> None:
    hand = ("123p789p234s66s78s", "9s")
    found = value(book("superbingo"), *hand, riichi="open", forced=True)
    assert (paid(found), paid(found, "chips")) == ({"discarder": 32000}, {"discarder": 40})


@pytest.mark.clause("superbingo", "SB-048")
def test_all_seven_brings_its_own_prize_from_each_player_and_no_other() -> None:
    found = value(book("superbingo"), "77777p777777s1b2b", "7p", discarder=Wind.EAST)
    assert paid(found, "chips") == {"E": 300, "W": 300}


@pytest.mark.clause("banchi3", "B3-084")
def test_a_house_may_count_several_yakuman_once() -> None:
    hand = ("5556667711122z", "2z")
    assert value(book("banchi4"), *hand, "tsumo").yakuman == 2
    once = value(book("banchi4", several_yakuman="once"), *hand, "tsumo")
    assert (once.yakuman, paid(once, "g")["E"]) == (1, 3000)


@pytest.mark.clause("boo", "BOO-115")
def test_opened_hands_get_no_chips_where_the_house_gives_none() -> None:
    rules = book("boo", ura_chips=True)
    found = value(rules, "234m56667p78s", "6s", melds=("pon:444s",))
    assert paid(found, "chips") == {}


@pytest.mark.clause("boo", "BOO-107")
def test_a_win_of_no_han_may_collect_no_honba() -> None:
    found = value(book("boo", honba_for_zero_han=False), "123m222p3357s", "6s", melds=("pon:777p",), honba=2)
    assert {each.cause for each in found.payments} == {PaymentCause.HAND}


def test_seventy_honba_are_paid_like_one() -> None:
    found = value(book("cinderella"), "234m567m34p678s99s", "2p", "tsumo", honba=70)
    assert found.total == 700 + 400 * 2 + 300 * 70


@pytest.mark.clause("boo", "BOO-105", "BOO-049")
def test_without_a_limit_a_full_flush_has_han_and_at_least_a_mangan() -> None:
    rules = book("boo", blue_sky_south4=True)
    small = value(rules, "2245678s", "6s", melds=("chi:123s", "pon:999s"), round=RoundName.SOUTH, last_hand=True)
    assert (yaku(small), small.limit, small.total) == ({"chinitsu": 4}, LimitName.MANGAN, 2000)
    big = value(rules, "1112222333457s", "6s", riichi="riichi", round=RoundName.SOUTH, last_hand=True)
    assert (big.limit, big.han) == (None, 5)
    assert big.total > 2300


@pytest.mark.clause("superbingo", "SB-091")
def test_an_opened_hand_is_worth_a_step_more_but_not_above_a_counted_yakuman() -> None:
    rules = book("superbingo", dx=True)
    found = value(rules, "12367899p06s", "7s", melds=("pon:777z",))
    assert (found.han, found.value.ron) == (2, 4000)


@pytest.mark.clause("banchi4", "B4-037")
def test_the_most_valuable_tile_is_proposed_for_a_pocchi_and_another_may_be_chosen() -> None:
    drawn = {"by": "tsumo", "riichi": "riichi", "dora_indicators": "7s"}
    hand = ("234m678m345p67s22s", "wz")
    proposed = value(book("banchi4"), *hand, **drawn)
    assert (proposed.pocchi_as, proposed.notices) == (25, (Notice.POCCHI_CHOICE,))
    chosen = value(book("banchi4"), *hand, **drawn, pocchi_as="5s")
    assert (chosen.pocchi_as, chosen.notices) == (22, ())
    assert chosen.total < proposed.total


@pytest.mark.clause("banchi4", "B4-021", "B4-038")
def test_a_pocchi_that_completes_nothing_or_is_not_wild_is_a_white_dragon() -> None:
    rules = book("banchi4")
    assert no_win(rules, "135m79m135p79p135s", "wz", "tsumo", riichi="riichi").reason is NoWinReason.NOT_COMPLETE
    assert yaku(value(rules, "234m678m345p55z22s", "wz")) == {"haku": 1}
    as_itself = value(rules, "234m678m345p55z22s", "wz", "tsumo", riichi="riichi", pocchi_as="5z")
    assert "haku" in yaku(as_itself)


@pytest.mark.clause("superbingo", "SB-092")
def test_a_pocchi_completes_no_hand_with_a_fifth_tile() -> None:
    rules = book("banchi4")
    refused = no_win(rules, "1111m234678p999s", "wz", "tsumo", riichi="riichi", pocchi_as="1m")
    assert refused.reason in (NoWinReason.FIVE_IDENTICAL, NoWinReason.NOT_COMPLETE)


def test_any_amount_of_deposits_is_paid_to_the_winner() -> None:
    for sticks in range(100):
        found = value(book("cinderella"), "234m567m34p678s99s", "2p", deposits=1000 * sticks)
        assert paid(found).get("table", 0) == 1000 * sticks


@pytest.mark.clause("tenhou4", "TH-017")
@pytest.mark.clause("tenhou3", "TT-017")
@pytest.mark.parametrize(("name", "share"), [("tenhou4", 64000), ("tenhou3", 48000)])
def test_where_liability_covers_the_hand_the_liable_player_pays_a_further_yakuman(name: str, share: int) -> None:
    found = value(book(name), "22z11z", "1z", "tsumo", melds=DRAGONS, liable=LIABLE_WEST)
    assert paid(found) == {"W": share}


@pytest.mark.clause("tenhou4", "TH-017")
def test_where_liability_covers_the_hand_a_ron_is_halved_and_the_liable_player_pays_honba() -> None:
    found = value(book("tenhou4"), "22z11z", "1z", melds=DRAGONS, liable=LIABLE_WEST, honba=1, discarder=Wind.EAST)
    assert paid(found) == {"W": 32300, "E": 32000}


@pytest.mark.clause("banchi4", "B4-041", "B4-042")
def test_a_book_may_cover_the_hand_by_self_draw_and_let_a_house_choose_on_ron() -> None:
    drawn = value(book("banchi4"), "22z11z", "1z", "tsumo", melds=DRAGONS, liable=LIABLE_WEST)
    assert paid(drawn) == {"W": 64000}
    won = {"melds": DRAGONS, "liable": LIABLE_WEST, "discarder": Wind.EAST}
    assert paid(value(book("banchi4"), "22z11z", "1z", **won)) == {"W": 32000, "E": 32000}
    narrow = book("banchi4", pao_ron_covers="yakuman")
    assert paid(value(narrow, "22z11z", "1z", **won)) == {"W": 16000, "E": 48000}


@pytest.mark.clause("tenhou4", "TH-017", "TH-018")
def test_hand_scoring_and_the_kyoku_engine_pay_a_liable_hand_alike() -> None:
    for name in ("tenhou4", "banchi4", "cinderella"):
        rules = book(name)
        for by in ("tsumo", "ron"):
            by_tiles = paid(value(rules, "22z11z", "1z", by, melds=DRAGONS, liable=LIABLE_WEST, **feeder(by)))
            win = Win(1, Worth(yakuman=2), Liable(2))
            outcome = Tsumo(win=win) if by == "tsumo" else Ron(loser=0, wins=(win,))
            moved = kyoku.apply(at("E1", *(100_000,) * 4), outcome, rules_without_target(rules)).changes()
            assert {"ESWN"[seat]: -each for seat, each in enumerate(moved) if each < 0} == by_tiles, (name, by)


def feeder(by: str) -> dict[str, Wind]:
    return {"discarder": Wind.EAST} if by == "ron" else {}


def rules_without_target(rules: Ruleset) -> Ruleset:
    data = rules.data()
    data["end"].pop("target", None)
    return Ruleset.model_validate(data, strict=False)


def with_ron_before_the_first_draw(name: str, **more: object) -> Ruleset:
    """Return the ruleset with renhou played as a mangan, or with the given values."""
    data = book(name).data()
    clauses = data["play"]["value"]["clauses"]
    data["play"]["yaku"]["renhou"] = {"counts": "mangan", "closed": 1, "open": 0, "clauses": clauses} | more
    return Ruleset.model_validate(data, strict=False)


FIRST = {"first_turn": True, "discarder": Wind.EAST}


@pytest.mark.parametrize("name", ["tenhou4", "cinderella", "banchi4"])
def test_a_yaku_worth_a_mangan_gives_a_mangan_alone_and_with_smaller_yaku(name: str) -> None:
    rules = with_ron_before_the_first_draw(name)
    alone = value(rules, "234m678p11s456s99m", "1s", **FIRST)
    assert (yaku(alone), alone.limit, alone.han, alone.fu, alone.total) == ({"renhou": 1}, LimitName.MANGAN, 0, 0, 8000)
    small = value(rules, "234m678p22s456s88m", "2s", **FIRST)
    assert (yaku(small), small.limit, small.total) == ({"tanyao": 1, "renhou": 1}, LimitName.MANGAN, 8000)


@pytest.mark.parametrize("name", ["tenhou4", "cinderella", "banchi4"])
def test_a_hand_worth_more_than_the_mangan_keeps_its_own_value(name: str) -> None:
    rules = with_ron_before_the_first_draw(name)
    # A full flush 6 and a straight 2 are a baiman; the ron before the first draw is not added.
    found = value(rules, "1234567892345p", "5p", **FIRST)
    assert yaku(found) == {"chinitsu": 6, "ittsu": 2}
    assert (found.limit, found.han, found.total) == (LimitName.BAIMAN, 8, 16000)


def test_renhou_worth_five_han_adds_to_other_yaku() -> None:
    rules = with_ron_before_the_first_draw("tenhou4", counts="han", closed=5)
    assert value(rules, "234m678p22s456s88m", "2s", **FIRST).total == 12000
