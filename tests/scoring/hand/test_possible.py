"""Table of possible values compared with the tile-counting engine: no hand is below it, and every row occurs."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from rulesets import loader
from scoring.hand import Hand, HandValue, Meld, MeldKind, NoWin, RiichiKind, Situation, parse_tiles, score
from scoring.hand.book import wall_of
from scoring.hand.most import most_prizes, most_yakuman
from scoring.hand.possible import BAZORO, WIN, Circumstances, possible_values, why_impossible
from scoring.hand.possible_limits import possible_limits, why_limit_impossible
from scoring.hand.tiles import KINDS
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import NoHandsError
from scoring.ruleset.value import Dora, LimitName, UnshownDraw
from scoring.value import By
from tests.fuzz.examples import times
from tests.scoring.kyoku_tables import BANCHI3, BANCHI4, BOO, CINDERELLA, KANSAI3, MLEAGUE, SUPERBINGO, TENHOU4

HANDS, MOST_HANDS = times(200), times(1000)
"""Number of random hands of each ruleset, each won in every way; up to the most until every usual row has occurred."""
USUAL_FU = 50
"""Up to these fu every row occurs among random hands; hands with more fu need kans and are rare."""
BOOKS = [name for name in loader.names() if loader.load(name).play is not None]
RIICHI = {RiichiKind.NONE, RiichiKind.RIICHI}

Seen = dict[tuple[By, RiichiKind, int, bool], int]
"""Fewest han, by way of winning, riichi, fu, and closed or opened."""


@cache
def kinds_of(rules: Ruleset) -> dict[int, int]:
    """Return the number of plain tiles of each kind."""
    return {tile: min(count, 4) for tile, count in wall_of(rules).items() if tile < KINDS}


def sets_of(rules: Ruleset, dice: random.Random) -> Iterator[tuple[MeldKind | None, tuple[int, ...]]]:
    """Yield four random sets: mostly sequences, some called, some triplets and kans."""
    kinds, chi = kinds_of(rules), rules.hand_rules.calls.chi
    runs = [kind for kind in kinds if kind < 27 and kind % 9 < 7 and kind + 1 in kinds and kind + 2 in kinds]
    style = dice.random()
    for _ in range(4):
        is_run = dice.random() < (1.0 if style < 0.3 else 0.7)
        is_called = style > 0.6 and dice.random() < 0.5
        if is_run:
            first = dice.choice(runs)
            yield (MeldKind.CHI if is_called and chi else None), (first, first + 1, first + 2)
        else:
            kind = dice.choice(list(kinds))
            how = dice.choice([MeldKind.PON, MeldKind.PON, MeldKind.MINKAN]) if is_called else None
            how = MeldKind.ANKAN if how is None and dice.random() < 0.1 else how
            yield how, (kind,) * (4 if how in (MeldKind.MINKAN, MeldKind.ANKAN) else 3)


def hand_of(rules: Ruleset, dice: random.Random) -> Hand | None:
    """Return a random complete hand; None if it would need more tiles than there are."""
    kinds = kinds_of(rules)
    sets = [*sets_of(rules, dice)]
    pair = (dice.choice(list(kinds)),) * 2
    if dice.random() < 0.08:
        pairs = dice.sample(list(kinds), 7)
        sets, pair = [(None, (kind, kind)) for kind in pairs[:6]], (pairs[6],) * 2
    used = [*pair, *(tile for _, tiles in sets for tile in tiles)]
    if any(used.count(kind) > kinds[kind] for kind in used):
        return None
    concealed = [*pair, *(tile for how, tiles in sets if how is None for tile in tiles)]
    win = dice.choice(concealed)
    concealed.remove(win)
    melds = tuple(Meld(how, tiles) for how, tiles in sets if how is not None)
    return Hand(tuple(sorted(concealed)), win, melds)


def situations(rules: Ruleset, by: By, hand: Hand) -> Iterator[Situation]:
    """Yield the win; closed hands also in riichi. Where it matters, a self-draw also with its tile not shown."""
    has_unshown = by is By.TSUMO and rules.hand_rules.win.unshown is UnshownDraw.WITHOUT_WAIT
    for unshown in (False, True) if has_unshown else (False,):
        for riichi in RIICHI if hand.closed else {RiichiKind.NONE}:
            yield Situation(by, Wind.SOUTH, RoundName.EAST, riichi=riichi, unshown=unshown)


def scored(hand: Hand, situation: Situation, rules: Ruleset) -> HandValue | NoWin:
    """Return the value of a hand; without han, that of a win on the last tile, which gives any hand a yaku."""
    value = score(hand, situation, rules)
    if isinstance(value, HandValue) and (value.yakuman or value.han):
        return value
    is_tsumo = situation.by is By.TSUMO
    return score(hand, replace(situation, haitei=is_tsumo, houtei=not is_tsumo), rules)


def usual_rows(rules: Ruleset) -> Seen:
    """Return the fewest han of the usual rows of the table."""
    return {
        (by, riichi, fu, closed): least.han
        for by in By
        for riichi in RIICHI
        for (fu, closed), least in possible_values(
            rules, Circumstances(by, riichi=riichi, round=RoundName.EAST)
        ).items()
        if fu <= USUAL_FU and least.han > 0
    }


@cache
def counted(name: str) -> tuple[Seen, int]:
    """Return the fewest han of every kind among random hands, and the number of values."""
    rules, dice, seen, count = loader.load(name), random.Random(f"{name} 7"), Seen(), 0
    has_fu, usual = not rules.hand_rules.fu.fixed, usual_rows(rules)
    for number in range(MOST_HANDS):
        if number >= HANDS and usual.items() <= seen.items():
            break
        hand = hand_of(rules, dice)
        if hand is None:
            continue
        for situation in (each for by in By for each in situations(rules, by, hand)):
            value = scored(hand, situation, rules)
            if isinstance(value, HandValue) and not value.yakuman and value.han:
                key = (situation.by, situation.riichi, value.fu * has_fu, hand.closed)
                seen[key] = min(value.han, seen.get(key, value.han))
                count += 1
    return seen, count


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_no_random_hand_is_below_the_table_and_every_usual_row_occurs(name: str) -> None:
    rules, (seen, count) = loader.load(name), counted(name)
    assert count > HANDS
    for (by, riichi, fu, closed), han in seen.items():
        table = possible_values(rules, Circumstances(by, closed, riichi, round=RoundName.EAST))
        assert table[fu, closed].han <= han, (by, riichi, fu, closed, han)
    assert usual_rows(rules).items() - seen.items() == set()


def test_a_ruleset_of_final_scores_has_no_table() -> None:
    with pytest.raises(NoHandsError, match="mleague has no rules for hands"):
        possible_values(MLEAGUE, Circumstances(By.RON))


@pytest.mark.clause("boo", "BOO-034", "BOO-042", "BOO-087")
def test_unknown_circumstances_allow_both_and_known_ones_narrow_the_table() -> None:
    either = possible_values(BOO, Circumstances(By.RON))
    closed, opened = (possible_values(BOO, Circumstances(By.RON, closed=each)) for each in (True, False))
    assert {**closed, **opened} == dict(either)
    assert {fu for fu, _ in opened} - {fu for fu, _ in closed} == {20}
    assert why_impossible(BOO, Circumstances(By.RON), 1, 20) is None
    found = why_impossible(BOO, Circumstances(By.RON, closed=True), 1, 20)
    assert found is not None
    assert (found.code, found.at, found.params) == ("fu_not_closed", "fu", {"fu": 20, "by": "ron"})


@pytest.mark.clause("boo", "BOO-011")
def test_han_given_to_every_hand_are_its_minimum() -> None:
    south = BOO.with_options({"bazoro": "south1"})
    rounds = (RoundName.EAST, RoundName.SOUTH)
    least = {name: possible_values(south, Circumstances(By.RON, round=name))[40, False] for name in rounds}
    assert {name: each.han for name, each in least.items()} == {"E": 0, "S": 1}
    assert least[RoundName.SOUTH].because == (BAZORO,)


@pytest.mark.clause("cinderella", "CL-034")
def test_a_hand_without_yaku_has_the_han_that_a_win_needs() -> None:
    least = possible_values(CINDERELLA, Circumstances(By.RON))[40, True]
    assert (least.han, least.because) == (1, (WIN,))


@pytest.mark.clause("cinderella", "CL-102", "CL-103", "CL-106", "CL-119")
@pytest.mark.parametrize(
    ("riichi", "fu", "least", "because"),
    [
        (RiichiKind.NONE, 20, 2, ("pinfu", "menzen_tsumo")),
        (RiichiKind.NONE, 25, 3, ("chiitoitsu", "menzen_tsumo")),
        (RiichiKind.RIICHI, 20, 3, ("pinfu", "menzen_tsumo", "riichi")),
        (RiichiKind.RIICHI, 30, 2, ("menzen_tsumo", "riichi")),
    ],
)
def test_the_yaku_that_a_value_implies_are_named(
    riichi: RiichiKind, fu: int, least: int, because: tuple[str, ...]
) -> None:
    found = possible_values(CINDERELLA, Circumstances(By.TSUMO, riichi=riichi))[fu, True]
    assert (found.han, found.because) == (least, because)
    too_few = why_impossible(CINDERELLA, Circumstances(By.TSUMO, riichi=riichi), least - 1, fu)
    assert too_few is not None
    assert too_few.params["because"] == ", ".join(because)
    assert why_impossible(CINDERELLA, Circumstances(By.TSUMO, riichi=riichi), least, fu) is None


@pytest.mark.clause("banchi3", "B3-050")
@pytest.mark.clause("superbingo", "SB-019")
def test_an_open_riichi_has_its_own_han() -> None:
    least = [
        possible_values(rules, Circumstances(By.RON, riichi=RiichiKind.OPEN))[fu, True].han
        for rules, fu in ((BANCHI3, 40), (SUPERBINGO, 0), (SUPERBINGO.with_options({"open_riichi": "adds"}), 0))
    ]
    assert least == [2, 1, 2]


@pytest.mark.clause("kansai3", "KS-042", "KS-016")
def test_prizes_whose_tiles_are_dora_add_their_han() -> None:
    flowers = Circumstances(By.RON, prizes=((AwardEvent.FLUSH, 1),))
    assert possible_values(KANSAI3, flowers)[40, True].han == 5
    after_riichi = Circumstances(
        By.RON, riichi=RiichiKind.RIICHI, prizes=((AwardEvent.IPPATSU, 1), (AwardEvent.URA, 3))
    )
    found = possible_values(KANSAI3, after_riichi)[40, True]
    assert (found.han, found.because) == (5, ("riichi", "ippatsu", "ura"))


@pytest.mark.clause("kansai3", "KS-212")
def test_only_a_limit_below_the_fewest_han_is_impossible() -> None:
    won = Circumstances(By.RON, riichi=RiichiKind.RIICHI, prizes=((AwardEvent.URA, 5),))
    found = why_limit_impossible(KANSAI3, won, LimitName.MANGAN)
    assert found is not None
    assert (found.code, found.params["least"]) == ("limit_too_low", 6)
    assert why_limit_impossible(KANSAI3, won, LimitName.HANEMAN) is None
    assert why_limit_impossible(KANSAI3, won, LimitName.YAKUMAN) is None


def test_an_opened_hand_without_chi_has_a_called_set_and_never_20_fu() -> None:
    # Even where the tile drawn for a North counts as a replacement tile and brings no fu for the self-draw: a called
    # triplet of simple tiles has 2.
    rules = BANCHI3.with_options({"nuki_rinshan": True})
    assert {(20, False)}.isdisjoint(possible_values(rules, Circumstances(By.TSUMO, closed=False)))


def test_four_outside_triplets_with_a_pair_of_honours_include_honroutou() -> None:
    # 140 fu by a closed ron: 30, three concealed kans of terminals 96, the triplet won on 4, a pair of value tiles 2.
    # 対々和, 三暗刻, 三槓子 and 混老頭 have 2 han each.
    assert possible_values(CINDERELLA, Circumstances(By.RON, closed=True))[140, True].han == 8


@pytest.mark.clause("boo", "BOO-033")
def test_four_outside_triplets_are_chanta_where_honroutou_is_not_played() -> None:
    # With 2 fu for a double wind only a pair of honours beside four outside triplets makes 140 fu by a closed ron.
    rules = BOO.with_options({"double_wind_pair_fu": 2})
    least = possible_values(rules, Circumstances(By.RON, closed=True))[140, True]
    assert (least.han, least.because) == (6, ("toitoi", "chanta", "sanankou"))


def test_four_kans_are_entered_with_han_and_fu_where_they_are_no_yakuman() -> None:
    won = Circumstances(By.RON, closed=False)
    assert possible_values(BOO, won)[140, False].han == 4
    assert (140, False) not in possible_values(TENHOU4, won)


@pytest.mark.clause("tenhou4", "TH-019")
def test_impossible_fu_are_reported_by_the_way_of_winning() -> None:
    codes = {
        (by, fu): getattr(why_impossible(TENHOU4, Circumstances(by), 4, fu), "code", None)
        for by, fu in ((By.RON, 20), (By.TSUMO, 20), (By.RON, 35), (By.RON, 200))
    }
    assert list(codes.values()) == ["fu_not_by_ron", None, "fu_impossible", "fu_impossible"]
    opened = why_impossible(TENHOU4, Circumstances(By.TSUMO, closed=False), 4, 20)
    assert opened is not None
    assert opened.code == "fu_not_open"


@pytest.mark.parametrize("rules", [BANCHI3, BANCHI4, KANSAI3, SUPERBINGO, BOO], ids=lambda rules: rules.name)
def test_the_most_ura_dora_are_four_copies_of_the_tile_after_each_indicator(rules: Ruleset) -> None:
    hand = Hand.parse("234s77z5z5z", "5z", ("ankan:1111p", "ankan:9999s"))
    ura = parse_tiles("9p9p9p9p8s")[: 1 + 4 * (Dora.KAN in rules.hand_rules.dora.kinds)]
    value = score(hand, Situation(By.RON, Wind.SOUTH, riichi=RiichiKind.RIICHI, ura_indicators=ura), rules)
    assert isinstance(value, HandValue)
    counted = value.case.book.dora.summarize(value.case.dora, closed=True).ura
    assert counted == most_prizes(rules.hand_rules)[AwardEvent.URA] == 4 * len(ura)


@pytest.mark.clause("superbingo", "SB-091")
def test_an_opened_hand_that_steps_up_is_never_a_mangan() -> None:
    dx = SUPERBINGO.with_options({"dx": True})
    limits = {closed: possible_limits(dx, Circumstances(By.RON, closed=closed)) for closed in (True, False)}
    assert limits[True][:2] == (LimitName.MANGAN, LimitName.HANEMAN)
    assert limits[False][0] is LimitName.HANEMAN


@pytest.mark.clause("boo", "BOO-105")
def test_without_limits_only_a_yaku_that_is_a_limit_by_itself_is_one() -> None:
    sky = BOO.with_options({"blue_sky_south4": True})
    assert possible_limits(sky, Circumstances(By.RON), uncapped=True) == (LimitName.MANGAN,)
    assert possible_limits(TENHOU4, Circumstances(By.RON), uncapped=True) == ()


def test_a_book_without_limits_has_no_possible_ones() -> None:
    data = TENHOU4.data()
    data["play"]["value"]["limits"] = []
    assert possible_limits(Ruleset.model_validate(data, strict=False), Circumstances(By.RON)) == ()


@pytest.mark.clause("banchi3", "B3-047")
def test_four_norths_set_aside_are_one_yakuman_more() -> None:
    assert [most_yakuman(BANCHI3.hand_rules, closed=closed) for closed in (True, False)] == [5, 4]
    assert [most_yakuman(TENHOU4.hand_rules, closed=closed) for closed in (True, False)] == [4, 3]
