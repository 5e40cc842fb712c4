"""Tests of the positions of a logged hand: tiles, discards, melds and sticks after each step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulesets import loader
from scoring.hand import HandValue, MeldKind, parse_tiles, tiles_text
from scoring.hand.tiles import NORTH
from scoring.paifu.positions import LaidMeld, SeatPosition, TablePosition, ending_of, positions_of
from scoring.paifu.records import EXHAUSTIVE, PaifuDraw, PaifuKyoku
from scoring.paifu.stored import parse_step
from scoring.ruleset.end import RoundName
from tests.paifu.simulated import simulated

DEALT = ("123m456p789s1122z", "405m123p999s3344z", "22p345p678s77z123m", "1199m1199p1199s5z")
SEEDS = (1, 2, 3)


def hand_of(steps: str, dealt: tuple[str, ...] = DEALT, **changes: object) -> PaifuKyoku:
    """Return a hand of these steps, one a line."""
    kyoku = PaifuKyoku(
        round=RoundName.EAST,
        number=1,
        honba=0,
        sticks=0,
        scores=(25000,) * len(dealt),
        dealt=tuple(map(parse_tiles, dealt)),
        steps=tuple(parse_step(line.strip()) for line in steps.strip().splitlines()),
        dora=parse_tiles("1p"),
        ura=(),
        riichi=(),
        deltas=(0,) * len(dealt),
        draw=PaifuDraw(EXHAUSTIVE),
    )
    return replace(kyoku, **changes)  # type: ignore[arg-type]


def last(kyoku: PaifuKyoku) -> TablePosition:
    """Return the last position of a hand, which must be possible."""
    found = positions_of(kyoku)
    assert len(found) == len(kyoku.steps) + 1
    return found[-1]


def laid(meld: LaidMeld) -> str:
    """Return the tiles of a meld from left to right, those on their side in brackets."""
    return " ".join(f"[{tiles_text([each.tile])}]" if each.turned else tiles_text([each.tile]) for each in meld.tiles)


def held(seat: SeatPosition) -> str:
    """Return the concealed tiles of a seat, the one drawn after a dash."""
    drawn = "" if seat.drawn is None else f"-{tiles_text([seat.drawn])}"
    return tiles_text(seat.hand) + drawn


def test_the_first_position_is_the_deal_with_sorted_hands() -> None:
    deal = positions_of(hand_of("0 draw 3z"))[0]
    assert (deal.step, deal.turn, deal.sticks) == (None, 0, 0)
    assert held(deal.seats[1]) == "450m123p999s3344z"
    assert held(deal.seats[2]) == "123m22345p678s77z"
    assert tiles_text(deal.dora) == "1p"


def test_a_drawn_tile_lies_beside_the_hand_until_a_discard() -> None:
    drawn, discarded = positions_of(hand_of("0 draw 3z\n0 discard 1m"))[1:]
    assert held(drawn.seats[0]) == "123m456p789s1122z-3z"
    assert held(discarded.seats[0]) == "23m456p789s11223z"


def test_discards_say_whether_they_were_drawn_just_before() -> None:
    river = last(hand_of("0 draw 3z\n0 discard 3z tsumogiri\n1 draw 6s\n1 discard 4m")).seats
    assert [each.tsumogiri for each in (*river[0].discards, *river[1].discards)] == [True, False]


def test_a_chi_lies_with_the_called_tile_at_the_left() -> None:
    end = last(hand_of("0 draw 3z\n0 discard 3m\n1 chi 3m40m from 0"))
    assert (laid(end.seats[1].melds[0]), end.turn) == ("[3m] 4m 0m", 1)
    assert (held(end.seats[1]), end.seats[0].discards[0].caller) == ("5m123p999s3344z", 1)


def test_a_pon_lies_with_the_called_tile_towards_the_player_it_came_from() -> None:
    from_next = last(
        hand_of("0 draw 3z\n0 discard 3z tsumogiri\n1 draw 1z\n1 discard 1z tsumogiri\n0 pon 1z11z from 1")
    )
    assert laid(from_next.seats[0].melds[0]) == "1z 1z [1z]"
    from_opposite = last(hand_of("0 draw 7z\n0 discard 7z tsumogiri\n2 pon 7z77z from 0"))
    assert laid(from_opposite.seats[2].melds[0]) == "7z [7z] 7z"


def test_a_tile_added_to_a_pon_lies_beside_the_called_one() -> None:
    steps = """0 draw 7z
        0 discard 7z tsumogiri
        2 pon 7z77z from 0
        2 discard 1m
        3 draw 8p
        3 discard 8p tsumogiri
        0 draw 8p
        0 discard 8p tsumogiri
        1 draw 8p
        1 discard 8p tsumogiri
        2 draw 7z
        2 added_kan 7z
        2 new_dora 9p
        2 draw 8p"""
    end = last(hand_of(steps))
    meld = end.seats[2].melds[0]
    assert (meld.kind, laid(meld), tiles_text(end.dora)) == (MeldKind.KAKAN, "7z [7z] [7z] 7z", "19p")
    assert held(end.seats[2]) == "23m22345p678s-8p"


def test_a_concealed_kan_takes_the_drawn_tile_out_of_the_hand() -> None:
    kan = positions_of(hand_of("0 draw 3z\n0 discard 3z tsumogiri\n1 draw 9s\n1 closed_kan 9999s\n1 draw 6p"))[-2:]
    assert [held(each.seats[1]) for each in kan] == ["450m123p3344z", "450m123p3344z-6p"]
    assert (kan[0].seats[1].melds[0].from_seat, laid(kan[0].seats[1].melds[0])) == (None, "9s 9s 9s 9s")


def test_an_open_kan_lies_with_three_tiles_of_the_hand() -> None:
    end = last(hand_of("0 draw 9s\n0 discard 9s tsumogiri\n1 open_kan 9s999s from 0\n1 draw 6p"))
    assert laid(end.seats[1].melds[0]) == "[9s] 9s 9s 9s"


def test_a_riichi_turns_its_discard_and_lays_a_stick() -> None:
    steps = "0 draw 2z\n0 riichi\n0 discard 1z"
    declared, passed = positions_of(hand_of(steps, riichi=(0,)))[2:]
    assert (declared.seats[0].is_riichi, declared.sticks, declared.seats[0].score) == (True, 0, 25000)
    assert (passed.sticks, passed.seats[0].score, passed.seats[0].discards[0].turned) == (1, 24000, True)
    assert last(hand_of(steps)).sticks == 0, "a riichi whose discard is won on lays no stick"


def test_the_next_discard_is_turned_if_that_of_the_riichi_was_called() -> None:
    steps = """0 draw 3z
        0 riichi
        0 discard 3z tsumogiri
        1 pon 3z33z from 0
        1 discard 4m
        2 draw 8p
        2 discard 8p tsumogiri
        3 draw 8p
        3 discard 8p tsumogiri
        0 draw 8p
        0 discard 8p tsumogiri
        1 draw 1s
        1 discard 1s tsumogiri
        2 draw 8p
        2 discard 8p tsumogiri
        3 draw 6z
        3 discard 6z tsumogiri
        0 draw 6z
        0 discard 6z tsumogiri"""
    river = last(hand_of(steps, riichi=(0,))).seats[0].discards
    assert [(each.turned, each.caller) for each in river] == [(True, 1), (True, None), (False, None)]


def test_a_north_is_set_aside_in_a_game_of_three() -> None:
    dealt = ("19m1239p123s1234z", "1119m456p456s1z22z", "78p789p12377s556z")
    end = last(hand_of("0 draw 8s\n0 north 4z\n0 draw 6z", dealt))
    assert (end.seats[0].norths, held(end.seats[0])) == ((NORTH,), "19m1239p1238s123z-6z")
    pon = last(hand_of("0 draw 2z\n0 discard 2z tsumogiri\n1 pon 2z22z from 0", dealt))
    assert laid(pon.seats[1].melds[0]) == "[2z] 2z 2z"


def test_steps_that_contradict_each_other_have_no_positions() -> None:
    assert positions_of(hand_of("0 draw 3z\n1 draw 3z")) == ()


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_of_a_simulated_game_has_all_tiles(seed: int, players: int) -> None:
    for kyoku in simulated(seed, players).hands:
        positions = positions_of(kyoku)
        assert len(positions) == len(kyoku.steps) + 1
        for position in positions:
            drawn = sum(step.kind == "draw" for step in kyoku.steps[: positions.index(position)])
            assert tiles_in(position) == 13 * players + drawn
        assert sum(each.score for each in positions[-1].seats) == sum(kyoku.scores) - 1000 * len(kyoku.riichi)


def tiles_in(position: TablePosition) -> int:
    """Return the number of tiles that the seats hold, have laid out and discarded."""
    return sum(
        len(seat.hand)
        + (seat.drawn is not None)
        + sum(len(meld.tiles) for meld in seat.melds)
        + len(seat.norths)
        + sum(each.caller is None for each in seat.discards)
        for seat in position.seats
    )


@pytest.mark.parametrize("players", [3, 4])
def test_the_last_position_has_the_hand_that_wins(players: int) -> None:
    rules = loader.load(f"tenhou{players}")
    for kyoku in simulated(SEEDS[0], players).hands:
        ending, end = ending_of(kyoku, rules), positions_of(kyoku)[-1]
        assert bool(ending.wins) == (ending.draw is None)
        for win in ending.wins:
            seat, mine = end.seats[win.seat], tuple(sorted(win.hand.concealed))
            assert tuple(sorted(seat.hand)) == mine
            assert seat.drawn == (win.hand.win if win.loser is None else None)
            assert isinstance(win.value, HandValue)
            assert win.value.yaku
