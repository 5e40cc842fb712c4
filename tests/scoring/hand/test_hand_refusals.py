"""Refusals of invalid hands with code and pointer, hand notation, and hands that may not be won."""

from typing import Any

import pytest

from rulesets import loader
from scoring.hand import (
    By,
    Hand,
    InvalidHandError,
    Liability,
    NoHandsError,
    NotationError,
    NoWinReason,
    RiichiKind,
    Robbed,
    Situation,
    parse_tiles,
    score,
    tiles_text,
)
from scoring.ruleset import Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.yaku import YakuName
from tests.scoring.hand.hands import answer, book, no_win, situation, value

CLOSED = ("234m567m34p678s99s", "2p")
OPEN = ("456s789s66m45p", "3p")
CHI = ("chi:123s",)


def found(rules: str, concealed: str, win: str, *args: Any, **more: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidHandError) as refused:
        answer(book(rules), concealed, win, *args, **more)
    assert str(refused.value)
    return [(problem.code, problem.pointer) for problem in refused.value.problems]


def test_five_copies_of_a_tile_are_refused() -> None:
    assert found("cinderella", "11112345m678p99s", "1m") == [("too_many_alike", "concealed")]


def test_indicators_count_among_the_visible_tiles() -> None:
    indicators = {"dora_indicators": "9s", "ura_indicators": "99s"}
    assert found("cinderella", "234m567m34p678s99s", "2p", riichi="riichi", **indicators) == [
        ("too_many_alike", "concealed")
    ]


def test_four_plain_fives_are_refused_where_one_five_is_red() -> None:
    assert found("cinderella", "234m555p678p678s5p", "5p") != []
    assert found("cinderella", "234m5555p678s34s2z", "2z") == [("too_many_plain", "concealed")]


def test_too_many_red_fives_are_refused() -> None:
    assert ("too_many_alike", "concealed") in found("cinderella", "00m22p345s678s99s11z", "3m")


def test_tiles_that_the_ruleset_does_not_have_are_refused() -> None:
    assert found("banchi3", "234m678p34p678s99s", "2p") == [("no_such_tile", "concealed")] * 3


def test_an_unknown_winning_tile_is_refused_with_its_pointer() -> None:
    assert found("banchi3", "123p678p34p678s99s", "2m") == [("no_such_tile", "win")]


def test_unknown_tiles_set_aside_and_indicators_are_refused_with_their_pointers() -> None:
    assert ("no_such_tile", "nuki") in found("cinderella", *CLOSED, melds=("nuki:1f",))
    assert ("nuki_not_allowed", "nuki/0") in found("cinderella", *CLOSED, melds=("nuki:1f",))
    assert found("cinderella", *CLOSED, dora_indicators="1b") == [("no_such_tile", "situation/dora_indicators")]


def test_a_wrong_number_of_tiles_is_refused_with_the_right_number() -> None:
    with pytest.raises(InvalidHandError, match="there must be 13 concealed tiles"):
        answer(book("cinderella"), "234m567m34p678s9s", "2p")
    assert found("cinderella", *CLOSED, melds=CHI) == [("tile_count", "concealed")]


@pytest.mark.parametrize(
    "meld", ["chi:124s", "chi:111s", "chi:12s", "pon:112s", "pon:1111s", "minkan:111s", "ankan:1112s", "chi:891s"]
)
def test_an_invalid_meld_is_refused(meld: str) -> None:
    assert ("no_meld", "melds/0") in found("cinderella", *OPEN, melds=(meld,))


def test_a_meld_with_a_flower_is_refused() -> None:
    assert ("no_meld", "melds/0") in found("kansai3", "123456789p2z", "2z", melds=("pon:888s1f",))


@pytest.mark.clause("kansai3", "KS-202")
def test_chi_is_refused_where_it_is_not_played() -> None:
    assert found("kansai3", "123456p2233s", "2s", melds=("chi:123s",)) == [("chi_not_allowed", "melds/0")]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"ippatsu": True}, ("ippatsu_without_riichi", "situation/ippatsu")),
        ({"ura_indicators": "1z"}, ("ura_without_riichi", "situation/ura_indicators")),
        ({"haitei": True}, ("haitei_with_ron", "situation/haitei")),
        ({"by": "tsumo", "houtei": True}, ("houtei_with_tsumo", "situation/houtei")),
        ({"rinshan": True, "melds": ("ankan:1111z",)}, ("rinshan_with_ron", "situation/rinshan")),
        ({"by": "tsumo", "rinshan": True}, ("rinshan_without_kan", "situation/rinshan")),
        ({"unshown": True}, ("unshown_with_ron", "situation/unshown")),
        ({"by": "tsumo", "robbed": Robbed.ADDED_KAN}, ("robbed_with_tsumo", "situation/robbed")),
        ({"houtei": True, "robbed": Robbed.ADDED_KAN}, ("robbed_with_houtei", "situation/robbed")),
        ({"riichi": "riichi", "first_turn": True, "by": "tsumo"}, ("first_turn_with_riichi", "situation/first_turn")),
        ({"first_turn": True, "seat": "E"}, ("first_turn_of_dealer_by_ron", "situation/first_turn")),
        ({"by": "tsumo", "first_turn": True, "haitei": True}, ("first_turn_with_last_tile", "situation/first_turn")),
        ({"riichi": "open"}, ("open_riichi_not_played", "situation/riichi")),
        ({"riichi": "riichi", "forced": True}, ("forced_without_open_riichi", "situation/forced")),
        ({"honba": -1}, ("negative", "situation/honba")),
        ({"deposits": -1000}, ("negative", "situation/deposits")),
        ({"dora_indicators": "1z2z3z4z5z6z"}, ("too_many_indicators", "situation/dora_indicators")),
        ({"round": RoundName.WEST}, ("unknown_round", "situation/round")),
        ({"by": "tsumo", "discarder": Wind.EAST}, ("discarder_with_tsumo", "situation/discarder")),
        ({"discarder": Wind.SOUTH}, ("discarder_is_winner", "situation/discarder")),
        ({"pocchi_as": "3p"}, ("pocchi_as_without_pocchi", "situation/pocchi_as")),
        (
            {"liable": (Liability(Wind.SOUTH, YakuName.DAISANGEN),)},
            ("liable_is_winner", "situation/liable/0"),
        ),
        ({"liable": (Liability(Wind.EAST, YakuName.TOITOI),)}, ("liability_not_played", "situation/liable/0")),
        ({"liable": (Liability(Wind.EAST),)}, ("liability_not_played", "situation/liable/0")),
    ],
)
def test_contradictory_circumstances_are_refused(more: dict[str, Any], problem: tuple[str, str]) -> None:
    concealed = "234m567m34p66s" if "melds" in more else CLOSED[0]
    assert problem in found("cinderella", concealed, "2p", **more)


def test_a_forced_discard_cannot_be_a_robbed_tile() -> None:
    more = {"riichi": "open", "forced": True, "robbed": Robbed.ADDED_KAN}
    assert found("banchi3", "123789p34678s99p", "2s", **more) == [("forced_with_robbed", "situation/forced")]


def test_riichi_with_called_tiles_is_refused() -> None:
    assert found("cinderella", *OPEN, melds=CHI, riichi="riichi") == [("riichi_with_open_hand", "situation/riichi")]


def test_a_called_tile_ends_the_first_turn() -> None:
    assert found("cinderella", *OPEN, "tsumo", melds=CHI, first_turn=True) == [
        ("first_turn_with_meld", "situation/first_turn")
    ]


def test_a_kan_by_the_winner_ends_ippatsu() -> None:
    problems = found(
        "cinderella",
        "234m567m34p66s",
        "2p",
        "tsumo",
        melds=("ankan:1111z",),
        riichi="riichi",
        ippatsu=True,
        rinshan=True,
    )
    assert problems == [("rinshan_with_ippatsu", "situation/ippatsu")]


def test_an_unknown_seat_is_refused() -> None:
    assert found("tenhou3", "123p567p34p678s99s", "2p", seat="N") == [("unknown_seat", "situation/seat_wind")]
    assert found("tenhou3", "123p567p34p678s99s", "2p", discarder=Wind.NORTH) == [
        ("unknown_seat", "situation/discarder")
    ]


def test_liability_is_refused_where_it_is_not_played() -> None:
    problems = found("banchi3", "123p789p234s99s68s", "7s", liable=(Liability(Wind.EAST, YakuName.DAISANGEN),))
    assert problems == [("liability_not_played", "situation/liable/0")]


def test_a_pocchi_declared_as_an_unknown_tile_is_refused() -> None:
    drawn = {"by": "tsumo", "riichi": "riichi", "ippatsu": True}
    for name in ("2m", "1f"):
        problems = found("banchi3", "123p789p234s99s68s", "wz", pocchi_as=name, **drawn)
        assert problems == [("pocchi_as_no_tile", "situation/pocchi_as")]
    problems = found("banchi3", "123p789p234s99s68s", "wz", pocchi_as=None, dora_indicators="wz", **drawn)
    assert ("too_many_alike", "win") in problems


def test_numbers_that_are_not_tiles_are_refused() -> None:
    for hand in (Hand((99,) * 13, 0), Hand((0,) * 13, -1)):
        with pytest.raises(InvalidHandError, match="is no tile"):
            score(hand, situation(), book("cinderella"))
    with pytest.raises(InvalidHandError, match="47 is no tile"):
        score(Hand.parse(*CLOSED), Situation(By.RON, Wind.SOUTH, dora_indicators=(47,)), book("cinderella"))
    drawn = Situation(By.TSUMO, Wind.EAST, riichi=RiichiKind.RIICHI, ippatsu=True, pocchi_as=99)
    with pytest.raises(InvalidHandError, match="not for 99"):
        score(Hand.parse("123p789p234s99s68s", "wz"), drawn, book("banchi3"))


def test_a_ruleset_without_hands_raises_an_error() -> None:
    with pytest.raises(NoHandsError, match="mleague"):
        answer(loader.load("mleague"), *CLOSED)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12x", "neither a number nor a suit"),
        ("m", "has no numbers before it"),
        ("8z", "no tile “8z”"),
        ("gz", "no tile “gz”"),
        ("12", "has no suit after it"),
    ],
)
def test_invalid_tile_notation_is_refused_with_a_message(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_tiles(text)


def test_melds_without_a_known_kind_are_refused() -> None:
    with pytest.raises(NotationError, match="kind:tiles"):
        Hand.parse("1p", "1p", ("kan:1111z",))
    with pytest.raises(NotationError, match="kind:tiles"):
        Hand.parse("1p", "1p", ("1111z",))
    with pytest.raises(NotationError, match="must be one tile"):
        Hand.parse("1p", "11p")


def test_a_text_that_is_too_long_is_refused_before_parsing() -> None:
    with pytest.raises(NotationError, match="too long") as refused:
        parse_tiles("1m" * 101)
    assert refused.value.code == "too_long"
    assert len(parse_tiles("1m" * 100)) == 100


@pytest.mark.parametrize(
    "line",
    [
        "234m567m34p678s99s + 2p",
        "234m567m34p678s99s+2p",
        "234m567m34p678s99s2p",
        "234m567m 34p 678s99s 2p",
    ],
)
def test_a_hand_is_read_from_one_line_with_the_winning_tile_last_or_after_a_plus(line: str) -> None:
    assert Hand.read(line) == Hand.parse(*CLOSED)


def test_the_winning_tile_can_be_given_separately() -> None:
    assert str(Hand.read("2234m567m34p678s9s", "3m")) == "224567m34p6789s + 3m"
    with pytest.raises(NotationError) as refused:
        Hand.read("234m567m234p678s99s", "5p")
    assert refused.value.code == "win_not_in_hand"


def test_melds_and_tiles_set_aside_are_read_from_the_line() -> None:
    line = "22p355s chi:123s pon:777p nuki:4z1f + 6s"
    assert str(Hand.read(line)) == line
    assert Hand.read("22p355s chi:123s pon:777p + 6s nuki:4z1f") == Hand.read(line)


@pytest.mark.parametrize(
    ("line", "win", "code"),
    [("", "", "no_tiles"), ("chi:123s", "", "no_tiles"), ("1m+2m", "3m", "win_twice"), ("1m+23m", "", "not_one_tile")],
)
def test_a_line_without_one_winning_tile_is_refused(line: str, win: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        Hand.read(line, win)
    assert refused.value.code == code


def test_a_hand_is_written_in_its_own_notation() -> None:
    hand = Hand.parse("340pg6s5wz", "1z", ("chi:123s", "nuki:1f44z"))
    assert str(hand) == "340pg6s5wz chi:123s nuki:1f44z + 1z"
    assert str(Hand.parse("234m", "2z")) == "234m + 2z"
    assert tiles_text(parse_tiles("0mgp1b2b4f")) == "0mgp12b4f"


@pytest.mark.clause("cinderella", "CL-046")
def test_dora_do_not_count_as_yaku() -> None:
    refused = no_win(book("cinderella"), "456p99m34s678p", "5s", melds=("pon:222s",), dora_indicators="1s")
    assert refused.reason is NoWinReason.NO_YAKU
    assert "needs 1" in str(refused)
    assert refused.clauses == ("CL-034", "CL-046")


def test_an_incomplete_hand_is_no_win() -> None:
    assert no_win(book("cinderella"), "234m567m35p678s99s", "2p").reason is NoWinReason.NOT_COMPLETE
    assert no_win(book("cinderella"), "1234567z19m19p12s", "1p").reason is NoWinReason.NOT_COMPLETE


def test_a_hand_with_two_pairs_and_a_lone_tile_is_not_complete() -> None:
    assert no_win(book("cinderella"), "11m123p456p789p22s", "2z").reason is NoWinReason.NOT_COMPLETE
    assert no_win(book("cinderella"), "11m123p456p78p22s3s", "9p").reason is NoWinReason.NOT_COMPLETE


@pytest.mark.clause("superbingo", "SB-047")
def test_a_bingo_tile_can_be_drawn_but_not_won_on() -> None:
    rules = book("superbingo")
    assert no_win(rules, "77777p777777s1b2b", "1b").reason is NoWinReason.BINGO_RON
    assert value(rules, "77777p777777s1b2b", "1b", "tsumo").yakuman == 1


@pytest.mark.clause("superbingo", "SB-034", "SB-045")
def test_five_identical_tiles_win_only_as_all_seven() -> None:
    rules = book("superbingo")
    assert no_win(rules, "22266777788p11s", "7p", "tsumo").reason is NoWinReason.FIVE_IDENTICAL
    assert no_win(rules, "77777p777777s1p2b", "7p").reason is NoWinReason.NOT_COMPLETE
    assert value(rules, "77777p77s1b2b1b", "7s", melds=("pon:777s",)).yakuman == 1


@pytest.mark.clause("tenhou3", "TT-024")
@pytest.mark.clause("kansai3", "KS-042")
def test_ron_on_a_tile_set_aside_is_allowed_only_where_the_house_plays_it() -> None:
    wait = ("123p456p789p12s44z", "3s")
    assert no_win(book("kansai3"), *wait, robbed=Robbed.NUKI).reason is NoWinReason.NUKI_RON
    assert value(book("tenhou3"), "44z123p456p789p66s", "4z", riichi="riichi", robbed=Robbed.NUKI).han >= 3


@pytest.mark.clause("tenhou4", "TH-021")
def test_only_thirteen_orphans_rob_a_concealed_kan() -> None:
    rules = book("tenhou4")
    assert value(rules, "19m19p19s1123456z", "7z", robbed=Robbed.CLOSED_KAN).yakuman == 1
    refused = no_win(rules, *CLOSED, robbed=Robbed.CLOSED_KAN)
    assert refused.reason is NoWinReason.CLOSED_KAN_CANNOT_BE_ROBBED
    assert str(refused)


def test_a_complete_hand_must_contain_its_winning_tile() -> None:
    hand = Hand.parse_complete("234m567m234p678s99s", "2p", ())
    assert hand == Hand.parse("234m567m34p678s99s", "2p")
    with pytest.raises(NotationError, match="“5p” is not in the hand “234m567m234p678s99s”"):
        Hand.parse_complete("234m567m234p678s99s", "5p")
