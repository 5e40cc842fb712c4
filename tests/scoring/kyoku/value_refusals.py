"""Refused values, prizes and circumstances of a win, each with its code, pointer and sentence."""

from dataclasses import dataclass, replace

from scoring.kyoku.outcomes import (
    Act,
    LiableFor,
    LiablePlayer,
    Outcome,
    Points,
    Prizes,
    Ron,
    Tsumo,
    Win,
)
from scoring.kyoku.state import InHand, Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.value import Worth
from tests.scoring.kyoku_tables import (
    BANCHI3,
    BANCHI4,
    BOO,
    CHEAP,
    CINDERELLA,
    KANSAI3,
    MANGAN,
    SUPERBINGO,
    TENHOU4,
    YAKUMAN,
    at,
)

FOUR = at("E1", 25000, 25000, 25000, 25000)
THREE = at("E1", 35000, 35000, 35000)
BINGO = at("E1", 30000, 30000, 30000)
SMALL = at("E1", 2000, 2000, 2000, 2000)
UNCAPPED_DATA = TENHOU4.data()
UNCAPPED_DATA["play"]["value"]["uncapped_in_last_hand"] = True
UNCAPPED = Ruleset.model_validate(UNCAPPED_DATA, strict=False)
"""A book without limits in the last hand, and without a yaku that is a limit by itself."""
BLUE_SKY, LAST = BOO.with_options({"blue_sky_south4": True}), at("S4", 2000, 2000, 2000, 2000)
"""A book without limits in the last hand where dora bring no han, so that tiles bound the han of hands."""
EVEN_DATA = BLUE_SKY.data()
for yaku in EVEN_DATA["play"]["yaku"].values():
    yaku |= {key: 2 * yaku[key] for key in ("closed", "open", "uncapped_han") if yaku["counts"] != "yakuman"}
EVEN_DATA["play"]["dora"]["kinds"]["red"]["han"] = 2
EVEN = Ruleset.model_validate(EVEN_DATA, strict=False)
"""The same with every yaku and every red five worth twice as much, so that no hand has an odd number of han."""
ALL_RIICHI = tuple(map(Stake, range(4)))


@dataclass(frozen=True, slots=True)
class Case:
    """An impossible outcome or act with its expected refusal."""

    code: str
    rules: Ruleset
    state: State
    what: Outcome | Act
    pointer: str
    says: str


def win(worth: Worth | Points, **more: object) -> Tsumo:
    return Tsumo(win=replace(Win(1, worth), **more))  # type: ignore[arg-type]


def discard(worth: Worth | Points, **more: object) -> Ron:
    return Ron(loser=0, wins=(replace(Win(1, worth), **more),))  # type: ignore[arg-type]


VALUE_CASES = [
    Case("han_missing", CINDERELLA, FOUR, win(Worth(0, 30)), "win/value/han", "at least 1 han (win); 0 are given"),
    Case("fu_missing", CINDERELLA, FOUR, win(Worth(2)), "win/value/fu", "A hand of 2 han needs its fu."),
    Case("fu_impossible", CINDERELLA, FOUR, win(Worth(2, 35)), "win/value/fu", "No hand has 35 fu."),
    Case("fu_impossible", CINDERELLA, FOUR, win(Worth(2, 180)), "win/value/fu", "No hand has 180 fu."),
    Case("fu_impossible", BOO, SMALL, win(Worth(2, 25)), "win/value/fu", "No hand has 25 fu."),
    Case("fu_not_by_ron", CINDERELLA, FOUR, discard(Worth(2, 20)), "wins/0/value/fu", "on a discard has 20 fu"),
    Case(
        "fu_needs_han",
        CINDERELLA,
        FOUR,
        win(Worth(1, 25)),
        "win/value/fu",
        "25 fu won like this has at least 3 han (chiitoitsu, menzen_tsumo); 1 are",
    ),
    Case("fu_fixed", SUPERBINGO, BINGO, win(Worth(2, 40)), "win/value/fu", "Every hand has 30 fu here; 40"),
    Case(
        "limit_unknown",
        CINDERELLA,
        FOUR,
        win(Worth(limit=LimitName.KAZOE)),
        "win/value/limit",
        "no kazoe; it has mangan, haneman, baiman, sanbaiman, yakuman",
    ),
    Case("yakuman_negative", CINDERELLA, FOUR, win(Worth(yakuman=-1)), "win/value/yakuman", "cannot have -1 yakuman"),
    Case("points_missing", CINDERELLA, FOUR, discard(Points()), "wins/0/value", "none are given"),
    Case("points_not_multiple", CINDERELLA, FOUR, discard(Points(3950)), "wins/0/value/ron", "3950 is no multiple"),
    Case(
        "points_impossible",
        CINDERELLA,
        FOUR,
        discard(Points(7700)),
        "wins/0/value",
        "No hand won like this pays 7700, honba not counted; the nearest are 7100, 8000.",
    ),
    Case(
        "points_impossible",
        TENHOU4,
        FOUR,
        win(Points(from_dealer=1000, from_other=800)),
        "win/value",
        "pays 800/1000, honba not counted; the nearest are 600/1200, 700/1300",
    ),
    Case(
        "points_from_dealer",
        CINDERELLA,
        FOUR,
        Tsumo(win=Win(0, Points(from_dealer=1000, from_other=500))),
        "win/value/from_dealer",
        "The dealer pays nothing to themselves; 1000 are given.",
    ),
    Case(
        "no_liability", BANCHI3, THREE, win(YAKUMAN, liability=LiablePlayer(0)), "win/liability", "no player is liable"
    ),
    Case(
        "no_liability",
        CINDERELLA,
        FOUR,
        win(CHEAP, liability=LiablePlayer(0, LiableFor.OPEN_KAN)),
        "win/liability",
        "no player is liable",
    ),
    Case("seat_unknown", CINDERELLA, FOUR, win(YAKUMAN, liability=LiablePlayer(7)), "win/liability", "Seat 7 does not"),
    Case(
        "liable_is_winner", CINDERELLA, FOUR, win(YAKUMAN, liability=LiablePlayer(1)), "win/liability", "Seat 1 cannot"
    ),
    Case(
        "liable_without_yakuman",
        CINDERELLA,
        FOUR,
        win(MANGAN, liability=LiablePlayer(0)),
        "win/liability",
        "Liability for 1 yakuman, but the hand has 0.",
    ),
    Case(
        "open_kan_by_tsumo",
        BANCHI4,
        FOUR,
        discard(CHEAP, liability=LiablePlayer(2, LiableFor.OPEN_KAN)),
        "wins/0/liability",
        "which is a self-draw",
    ),
    Case(
        "forced_without_open_riichi",
        BANCHI3,
        THREE,
        discard(CHEAP, forced=True),
        "wins/0/forced",
        "Seat 1 has no open riichi",
    ),
    Case("no_prizes", CINDERELLA, FOUR, win(CHEAP, prizes=Prizes(each=1)), "win/prizes", "has no prizes"),
    Case(
        "prize_unknown",
        BANCHI4,
        FOUR,
        win(CHEAP, prizes=Prizes({AwardEvent.FLUSH: 1})),
        "win/prizes/counts",
        "no prize for flush; it has ippatsu, ura, red, gold, yakuman",
    ),
    Case(
        "prize_unknown",
        SUPERBINGO,
        BINGO,
        win(CHEAP, prizes=Prizes(fixed=YakuName.DAISANGEN)),
        "win/prizes/fixed",
        "no prize for daisangen",
    ),
    Case(
        "prize_follows",
        BANCHI4,
        FOUR,
        win(CHEAP, prizes=Prizes({AwardEvent.YAKUMAN: 1})),
        "win/prizes/counts",
        "prize for yakuman follows from the value",
    ),
    Case(
        "prize_too_many",
        BANCHI4,
        FOUR,
        win(Worth(6), prizes=Prizes({AwardEvent.RED: 4})),
        "win/prizes/counts",
        "at most 3 for red; 4 are given",
    ),
    Case("yakuman_too_many", TENHOU4, FOUR, win(Worth(yakuman=5)), "win/value/yakuman", "at most 4 yakuman"),
    Case("dora_count", BOO, SMALL, win(Worth(1, 40, dora=5)), "win/value/dora", "at most 4 dora; 5 are given"),
    Case("capped_hand", BOO, SMALL, win(Worth(1, 40, uncapped=True)), "win/value/uncapped", "limits apply"),
    Case(
        "limit_impossible",
        SUPERBINGO.with_options({"dx": True}),
        BINGO,
        win(Worth(limit=LimitName.MANGAN, closed=False)),
        "win/value/limit",
        "paid as a mangan; it can be haneman, baiman",
    ),
    Case(
        "limit_uncapped",
        UNCAPPED,
        at("S4", 25000, 25000, 25000, 25000),
        win(Worth(limit=LimitName.HANEMAN)),
        "win/value/limit",
        "No limit applies",
    ),
    Case(
        "prize_negative",
        BANCHI4,
        FOUR,
        win(CHEAP, prizes=Prizes({AwardEvent.URA: -1})),
        "win/prizes/counts",
        "A prize cannot be -1.",
    ),
    Case("prize_negative", BANCHI4, FOUR, win(CHEAP, prizes=Prizes(each=-500)), "win/prizes/each", "cannot be -500"),
    Case(
        "riichi_open_hand",
        BOO,
        replace(SMALL, hand=InHand(stakes=(Stake(1),))),
        win(Worth(2, 40, closed=False)),
        "win/value/closed",
        "the hand is closed; it is entered as open",
    ),
    Case(
        "prize_needs_riichi",
        BANCHI4,
        FOUR,
        win(Worth(2, 40), prizes=Prizes({AwardEvent.URA: 1})),
        "win/prizes/counts",
        "Seat 1 is not in riichi and can have no prize for ura.",
    ),
    Case(
        "open_kan_closed_hand",
        BOO,
        SMALL,
        win(Worth(1, 40, closed=True), liability=LiablePlayer(0, LiableFor.OPEN_KAN)),
        "win/liability",
        "Seat 1 won after an open kan, so the hand is open",
    ),
    Case(
        "open_kan_closed_hand",
        BANCHI4,
        replace(FOUR, hand=InHand(stakes=(Stake(1),))),
        win(MANGAN, liability=LiablePlayer(0, LiableFor.OPEN_KAN)),
        "win/liability",
        "Correct the hand, or leave the liability out.",
    ),
    Case(
        "double_without_riichi",
        CINDERELLA,
        FOUR,
        win(MANGAN, double_riichi=True),
        "win/double_riichi",
        "Seat 1 is not in riichi, so it was no double riichi.",
    ),
    Case(
        "no_double_riichi",
        BOO,
        replace(SMALL, hand=InHand(stakes=(Stake(1),))),
        win(Worth(limit=LimitName.MANGAN), double_riichi=True),
        "win/double_riichi",
        "does not play double riichi",
    ),
    Case(
        "han_missing",
        CINDERELLA,
        replace(FOUR, hand=InHand(stakes=(Stake(1),))),
        discard(Worth(1, 40), double_riichi=True),
        "wins/0/value/han",
        "at least 2 han (double_riichi); 1 are given",
    ),
    Case(
        "points_impossible",
        CINDERELLA,
        replace(FOUR, hand=InHand(stakes=(Stake(1),))),
        discard(Points(1300), double_riichi=True),
        "wins/0/value",
        "No hand won like this pays 1300",
    ),
    Case(
        "han_too_many",
        BLUE_SKY,
        LAST,
        discard(Worth(12, 20)),
        "wins/0/value/han",
        "No hand of 20 fu won like this has more than 9 han; 12 are given.",
    ),
    Case(
        "han_skipped",
        EVEN,
        LAST,
        discard(Worth(5, 40)),
        "wins/0/value/han",
        "No hand of 40 fu won like this has 5 han; the nearest have 4, 6.",
    ),
    Case("han_too_many", UNCAPPED, at("S4", *[25000] * 4), win(Worth(90, 30)), "win/value/han", "90 are given"),
    Case(
        "points_impossible",
        BLUE_SKY,
        LAST,
        discard(Points(20 * 2**40 * 4)),
        "wins/0/value",
        "No hand won like this pays",
    ),
    Case(
        "points_impossible",
        CINDERELLA,
        replace(FOUR, hand=InHand(stakes=(Stake(1),))),
        win(Points(from_dealer=1000, from_other=500), double_riichi=True),
        "win/value",
        "No hand won like this pays 500/1000",
    ),
    Case(
        "points_impossible",
        KANSAI3,
        replace(THREE, hand=InHand(stakes=(Stake(1),))),
        discard(Points(3900), prizes=Prizes({AwardEvent.URA: 4, AwardEvent.IPPATSU: 1})),
        "wins/0/value",
        "No hand won like this pays 3900, honba not counted; the nearest are 12000",
    ),
    Case("robbed_by_tsumo", BANCHI3, THREE, win(MANGAN, robbed=True), "win/robbed", "can be robbed"),
    Case(
        "robbed_and_forced",
        BANCHI3,
        replace(THREE, hand=InHand(stakes=(Stake(1, open=True),))),
        discard(MANGAN, forced=True, robbed=True),
        "wins/0/forced",
        "is no discard that a player could be forced to",
    ),
    Case(
        "open_riichi_not_forced",
        SUPERBINGO,
        replace(BINGO, hand=InHand(stakes=(Stake(1, open=True),))),
        discard(MANGAN),
        "wins/0",
        "Enter the offence open_riichi_tile_discarded of the discarder",
    ),
    Case("fu_not_by_tsumo", BOO, SMALL, win(Worth(1, 20)), "win/value/fu", "No hand won by self-draw has 20 fu"),
    Case("fu_not_closed", BOO, SMALL, discard(Worth(1, 20, closed=True)), "wins/0/value/fu", "Only an opened hand"),
    Case("fu_not_open", TENHOU4, FOUR, discard(Worth(2, 25, closed=False)), "wins/0/value/fu", "Only a closed hand"),
    Case(
        "limit_too_low",
        KANSAI3,
        replace(THREE, hand=InHand(stakes=(Stake(1),))),
        discard(Worth(limit=LimitName.MANGAN), prizes=Prizes({AwardEvent.URA: 4, AwardEvent.IPPATSU: 1})),
        "wins/0/value/limit",
        "has at least 6 han (riichi, ippatsu, ura), more than a mangan",
    ),
]
