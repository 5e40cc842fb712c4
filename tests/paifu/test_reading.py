"""Logs of Tenhou and Mahjong Soul are read as they were played, with three players and with four."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from time import process_time
from urllib.parse import quote

import pytest

from league.files.paifu import read_paifu
from league.files.paifu.mjlog_melds import meld_of
from league.files.paifu.tenhou_order import Entry, Lists, call_of
from scoring.hand import Hand, parse_tiles
from scoring.paifu import Paifu, PaifuSource, PaifuStep, PaifuWin, PaifuYaku, StepKind
from scoring.ruleset.end import RoundName
from tests.paifu.mahjongsoul import write_mahjongsoul
from tests.paifu.mjlog import write_mjlog
from tests.paifu.simulated import PLAYED_AT, simulated
from tests.paifu.tenhou_json import write_tenhou_json

GAMES = [(seed, players) for players in (4, 3) for seed in (0, 4, 6, 19)]
"""Games with calls, kans of each kind, norths, double wins, and draws."""
MOST_MILLISECONDS = 20
"""Of CPU for a log; it takes 10 to 13."""


def tenhou_heaven() -> str:
    """Return a log written by hand from the description of the format: the dealer is dealt a complete hand."""
    return (
        '<mjloggm ver="2.3"><SHUFFLE seed="x" ref=""/><GO type="169" lobby="0"/>'
        '<UN n0="%41%20%E3%81%82" n1="B" n2="C" n3="NoName" dan="1,2,3,4" rate="1500.00,1,1,1" sx="M,F,M,C"/>'
        '<TAIKYOKU oya="0"/><INIT seed="0,0,0,3,2,132" ten="250,250,250,250" oya="0" '
        'hai0="0,1,2,4,8,12,52,56,60,76,80,84,124" hai1="3,7,11,15,19,23,27,31,35,39,43,47,51" '
        'hai2="5,9,13,17,21,25,29,33,37,41,45,49,54" hai3="64,68,72,77,81,85,88,92,96,100,104,108,112"/>'
        '<BYE who="2"/><UN n2="C"/><T125/>'
        '<AGARI ba="0,0" hai="0,1,2,4,8,12,52,56,60,76,80,84,124,125" machi="125" ten="40,48000,5" yakuman="37" '
        'doraHai="132" who="0" fromWho="0" sc="250,480,250,-160,250,-160,250,-160" '
        'owari="730,63.0,90,-11.0,90,-21.0,90,-31.0"/></mjloggm>'
    )


def tellable(paifu: Paifu, told: Callable[[PaifuWin], PaifuWin]) -> Paifu:
    """Return the record with only what every format can tell."""
    players = tuple(replace(player, account="") for player in paifu.players)
    hands = tuple(replace(kyoku, wins=tuple(map(told, kyoku.wins))) for kyoku in paifu.hands)
    return replace(paifu, source=PaifuSource.TENHOU, game="", played_at=None, players=players, hands=hands, rules={})


def as_tenhou(win: PaifuWin) -> PaifuWin:
    """Keep of each line its code and worth; an mjlog counts norths as dora."""
    lines = sorted((line.code.replace("north_dora", "dora"), line.han, line.yakuman) for line in win.yaku)
    return replace(win, yaku=tuple(PaifuYaku("", han, yakuman, code) for code, han, yakuman in lines))


def as_mahjongsoul(win: PaifuWin) -> PaifuWin:
    """Leave out the points by payer and the changes of each of several wins too."""
    return replace(as_tenhou(replace(win, points=0)), deltas=())


@pytest.mark.parametrize(("seed", "players"), GAMES)
@pytest.mark.parametrize("first", [0, 2])
def test_an_mjlog_is_read_as_it_was_played_whichever_number_the_first_dealer_has(
    seed: int, players: int, first: int
) -> None:
    played = simulated(seed, players)
    read = read_paifu(write_mjlog(played, first=first).encode(), f"{played.game}.mjlog")
    assert tellable(read, as_tenhou) == tellable(played, as_tenhou)
    assert (read.game, read.played_at, dict(read.rules)) == (played.game, PLAYED_AT, dict(played.rules))


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_json_of_tenhou_net_is_read_as_it_was_played(seed: int, players: int) -> None:
    played = simulated(seed, players)
    read = read_paifu(json.dumps(write_tenhou_json(played), ensure_ascii=False))
    assert tellable(read, as_tenhou) == tellable(played, as_tenhou)
    assert (read.source, read.game, read.played_at) == (PaifuSource.TENHOU, played.game, PLAYED_AT)


@pytest.mark.parametrize(("seed", "players"), GAMES)
@pytest.mark.parametrize("actions", [True, False])
def test_a_record_of_mahjong_soul_is_read_as_it_was_played(seed: int, players: int, actions: bool) -> None:
    played = simulated(seed, players)
    read = read_paifu(json.dumps(write_mahjongsoul(played, uuid="250405-x", actions=actions)).encode())
    assert tellable(read, as_mahjongsoul) == tellable(played, as_mahjongsoul)
    assert (read.source, read.game, read.played_at) == (PaifuSource.MAHJONGSOUL, "250405-x", PLAYED_AT)
    assert [player.account for player in read.players] == [str(10_000_000 + seat) for seat in range(players)]


def test_a_record_in_camel_case_without_zeros_reads_the_same() -> None:
    record = write_mahjongsoul(simulated(4))
    assert read_paifu(json.dumps(lean(record))) == read_paifu(json.dumps(record))


def lean(value: object) -> object:
    """Return data as a converter writes it that leaves out what is zero, false or empty."""
    if isinstance(value, dict):
        return {camel(key): lean(inner) for key, inner in value.items() if inner not in (0, False, "", [])}
    return [lean(inner) for inner in value] if isinstance(value, list) else value


def camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(map(str.capitalize, others))


def test_a_packed_mjlog_and_one_with_a_mark_of_its_encoding_read_the_same() -> None:
    text = write_mjlog(simulated(0))
    read = read_paifu(text)
    assert read_paifu(gzip.compress(text.encode())) == read == read_paifu(text.encode("utf-8-sig"))


def test_the_address_of_a_log_on_tenhou_net_holds_the_log_itself() -> None:
    text = json.dumps(write_tenhou_json(simulated(0)), ensure_ascii=False)
    assert read_paifu(f"https://tenhou.net/6/#json={quote(text)}&ts=0") == read_paifu(text)


def test_a_log_written_by_hand_gives_each_fact_where_the_description_says() -> None:
    read = read_paifu(tenhou_heaven(), "2026040520gm-00a9-0000-0123abcd.mjlog")
    kyoku = read.hands[0]
    assert [(player.name, player.account) for player in read.players] == [
        ("A あ", "A あ"),
        ("B", "B"),
        ("C", "C"),
        ("NoName", ""),
    ]
    assert (read.start, read.final_scores, read.final_points) == (
        25000,
        (73000, 9000, 9000, 9000),
        (630, -110, -210, -310),
    )
    assert (kyoku.position, kyoku.sticks, kyoku.dora) == ((RoundName.EAST, 1, 0), 0, parse_tiles("7z"))
    assert kyoku.steps == (PaifuStep(StepKind.DRAW, 0, parse_tiles("5z")),)
    win = kyoku.wins[0]
    assert win.hand == Hand.read("111234m67p234s5z0p + 5z") == Hand(tuple(sorted(kyoku.dealt[0])), 31)
    assert (win.loser, win.yakuman, win.points, kyoku.deltas) == (None, 1, 48000, (48000, -16000, -16000, -16000))
    assert [(line.name, line.code) for line in win.yaku] == [("天和", "tenhou")]


@pytest.mark.parametrize(
    ("number", "kind", "tiles"),
    [
        # The third number is the pon of red dragons, called from the right, in 役満パオ of a public converter's tests.
        (48650, StepKind.PON, "555z"),
        (50250, StepKind.PON, "666z"),
        (51785, StepKind.PON, "777z"),
        (33280, StepKind.CLOSED_KAN, "6666z"),
        (31264, StepKind.NORTH, "4z"),
    ],
)
def test_the_number_of_a_meld_is_its_kind_and_its_tiles(number: int, kind: StepKind, tiles: str) -> None:
    meld = meld_of(str(number))
    assert (meld.kind, sorted(id_ // 4 for id_ in meld.ids)) == (kind, sorted(parse_tiles(tiles)))


@pytest.mark.parametrize(
    ("entry", "kind", "tiles", "offset"),
    [
        ("c275226", StepKind.CHI, "7p0p6p", 3),
        ("p414141", StepKind.PON, "111z", 3),
        ("12p1212", StepKind.PON, "222m", 2),
        ("2525p52", StepKind.PON, "0p55p", 1),
        ("m39393939", StepKind.OPEN_KAN, "9999s", 3),
        ("39m393939", StepKind.OPEN_KAN, "9999s", 2),
        ("393939m39", StepKind.OPEN_KAN, "9999s", 1),
        ("252525a52", StepKind.CLOSED_KAN, "0p555p", 0),
        ("37k533737", StepKind.ADDED_KAN, "0s", 0),
        ("f44", StepKind.NORTH, "4z", 0),
    ],
)
def test_the_place_of_the_letter_in_a_call_tells_whose_tile_was_taken(
    entry: str, kind: StepKind, tiles: str, offset: int
) -> None:
    call = call_of(entry)
    assert (call.kind, call.tiles, call.offset) == (kind, parse_tiles(tiles), offset)


def test_a_call_that_fits_two_discards_is_left_for_later_where_the_lists_demand_it() -> None:
    """Seat 2 could call the first 1z of seat 0; taken there, no order would use every entry."""
    draws: list[list[Entry]] = [[11, 29], [46], ["41p4141"], ["46p4646", 12]]
    discards: list[list[Entry]] = [[41, 41], [46], [19], [39, 60]]
    steps = Lists(draws, discards, 0, ()).steps()
    assert [(step.seat, step.kind.value) for step in steps if step.kind is not StepKind.DISCARD] == [
        (0, "draw"),
        (1, "draw"),
        (3, "pon"),
        (0, "draw"),
        (2, "pon"),
        (3, "draw"),
    ]


def test_reading_a_log_takes_a_few_milliseconds() -> None:
    played = simulated(6)
    logs = {
        "mjlog": write_mjlog(played),
        "tenhou.net/6": json.dumps(write_tenhou_json(played)),
        "mahjongsoul": json.dumps(write_mahjongsoul(played)),
    }
    for name, log in logs.items():
        taken = min(time_of(log) for _ in range(8))
        assert taken < MOST_MILLISECONDS, (name, taken)


def time_of(log: str) -> float:
    """Return the milliseconds of CPU that reading a log takes."""
    begun = process_time()
    read_paifu(log)
    return (process_time() - begun) * 1000
