"""A step that the hands on the table do not allow is refused with its seat, its tile and its number."""

from dataclasses import replace

import pytest

from scoring.hand import Hand, parse_tiles
from scoring.paifu import PaifuError, check_paifu, from_json
from scoring.paifu.checks import play_steps
from scoring.paifu.stored import parse_step
from tests.paifu.simulated import simulated

HANDS = ("147m258p369s1234z", "11234m567p34578s", "258m369p147s1235z", "369m147p258s5566z")

ROUND_AFTER_RIICHI = (
    "0 draw 7z, 0 riichi, 0 discard 7z, 1 draw 7z, 1 discard 7z, 2 draw 7z, 2 discard 7z, 3 draw 1m, 3 discard 1m"
)


def refusal(lines: str, players: int = 4) -> PaifuError:
    dealt = tuple(map(parse_tiles, HANDS[:players]))
    with pytest.raises(PaifuError) as raised:
        play_steps(dealt, 0, [parse_step(line.strip()) for line in lines.split(",")])
    return raised.value


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("1 draw 7z", "not_the_turn"),
        ("0 discard 1m", "not_the_turn"),
        ("0 draw 7z, 0 draw 7z", "not_the_turn"),
        ("0 draw 7z, 0 discard 7z, 2 draw 1m", "not_the_turn"),
        ("0 draw 7z, 0 discard 7z, 0 discard 1m", "not_the_turn"),
        ("0 draw 7z, 0 riichi, 0 north 4z", "not_the_turn"),
        ("0 draw 7z, 0 discard 9m", "not_in_hand"),
        ("0 draw 5z, 0 discard 5z, 3 pon 666z from 0", "not_the_discard"),
        ("0 draw 5z, 0 discard 5z, 3 pon 555z from 1", "not_the_discard"),
        ("0 draw 5z, 3 pon 555z from 0", "not_the_discard"),
        ("0 draw 5z, 0 discard 5z, 3 pon 556z from 0", "no_such_call"),
        ("0 draw 7z, 0 discard 1m, 3 chi 123m from 0", "no_such_call"),
        ("0 draw 7z, 0 discard 4m, 1 chi 423m from 0, 1 discard 1m, 2 draw 7z, 2 pon 777z from 2", "not_the_discard"),
        ("0 draw 7z, 0 closed_kan 1234z", "no_such_call"),
        ("0 draw 7z, 0 closed_kan 7777z", "not_in_hand"),
        ("0 draw 7z, 0 added_kan 7z", "no_pon"),
        ("0 draw 7z, 0 north 4z", "no_such_call"),
        ("0 draw 7z, 0 riichi 7z", "no_such_call"),
        (f"{ROUND_AFTER_RIICHI}, 0 draw 1p, 0 riichi", "riichi_twice"),
        ("0 draw 5z, 0 discard 5z, 3 pon 555z from 0, 3 riichi", "riichi_open"),
    ],
)
def test_an_impossible_step_is_refused(lines: str, code: str) -> None:
    error = refusal(lines)
    assert (error.code, error.params["step"]) == (code, len(lines.split(",")))


def test_three_players_have_no_fourth_seat_and_no_chi() -> None:
    assert refusal("3 draw 7z", 3).code == "no_seat"
    assert refusal("0 draw 7z, 0 discard 1m, 1 chi 123m from 0", 3).code == "no_such_call"


def test_a_winner_with_other_tiles_than_those_held_is_refused_with_both_hands() -> None:
    played = simulated(7)
    kyoku = played.hands[0]
    win = kyoku.wins[0]
    other = replace(kyoku, wins=(replace(win, hand=Hand((0,) * 13, win.hand.win)),))
    with pytest.raises(PaifuError) as raised:
        check_paifu(replace(played, hands=(other, *played.hands[1:])))
    assert (raised.value.code, raised.value.params["expected"]) == ("winners_hand", str(win.hand))


def test_a_winner_in_a_seat_that_three_players_do_not_have_is_refused() -> None:
    played = simulated(65, 3)
    place = next(place for place, kyoku in enumerate(played.hands) if kyoku.wins)
    kyoku = replace(played.hands[place], wins=(replace(played.hands[place].wins[0], seat=3),))
    with pytest.raises(PaifuError) as raised:
        check_paifu(replace(played, hands=(*played.hands[:place], kyoku, *played.hands[place + 1 :])))
    assert (raised.value.code, raised.value.kyoku) == ("no_seat", kyoku.position)


def test_data_that_is_no_json_is_refused() -> None:
    with pytest.raises(PaifuError) as raised:
        from_json({"version": 1, "players": object()})
    assert raised.value.code == "not_stored"
