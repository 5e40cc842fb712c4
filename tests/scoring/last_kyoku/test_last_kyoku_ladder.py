"""Possible hands, and the ladder of their payments, for the conditions of the last kyoku."""

import pytest

from scoring.hand.forms import forms
from scoring.hand.most import most_yakuman
from scoring.hand.possible import Circumstances, possible_values
from scoring.kyoku import can_apply
from scoring.kyoku.payments import table_of
from scoring.last_kyoku.ladder import Rung, ladder
from scoring.last_kyoku.outcomes import WinPath, win
from scoring.ruleset import Ruleset
from scoring.ruleset.value import LimitName
from scoring.value import By
from tests.scoring.kyoku_tables import BANCHI3, BANCHI4, BOO, CINDERELLA, KANSAI3, SUPERBINGO, TENHOU4, at

EVEN = (25000, 25000, 25000, 25000)


def least(rules: Ruleset, by: By, fu: int) -> dict[bool, int]:
    """Return the fewest han possible with these fu, by closed or opened."""
    table = possible_values(rules, Circumstances(by))
    return {closed: least.han for (each, closed), least in table.items() if each == fu}


def rungs(rules: Ruleset, by: By, winner: int = 0, kyoku_name: str = "E2") -> tuple[Rung, ...]:
    scores = (rules.setup.start,) * rules.players
    return ladder(table_of(at(kyoku_name, *scores), rules), winner, by)


def changed(rules: Ruleset, **values: object) -> Ruleset:
    """Return the ruleset with other values; keys are paths joined by two underscores."""
    data = rules.data()
    for path, each in values.items():
        *folders, key = path.split("__")
        place = data
        for folder in folders:
            place = place[folder]
        place[key] = each
    return Ruleset.model_validate(data, strict=False)


class TestHands:
    @pytest.mark.clause("tenhou4", "TH-019")
    def test_twenty_fu_are_pinfu_tsumo_only(self) -> None:
        assert least(TENHOU4, By.RON, 20) == {}
        assert least(TENHOU4, By.TSUMO, 20) == {True: 2}

    @pytest.mark.clause("boo", "BOO-087", "BOO-086")
    def test_where_pinfu_counts_for_open_ron_hands_twenty_fu_are_an_open_ron(self) -> None:
        assert least(BOO, By.RON, 20) == {False: 1}
        assert least(BOO, By.TSUMO, 20) == {}

    def test_seven_pairs_are_closed_and_tsumo_adds_its_han(self) -> None:
        assert (least(TENHOU4, By.RON, 25), least(TENHOU4, By.TSUMO, 25)) == ({True: 2}, {True: 3})

    def test_many_fu_need_concealed_triplets_and_kans_which_are_yaku(self) -> None:
        # 20 and 10 for a closed ron, two concealed kans 32 each, a triplet by ron 4, a pair of a double wind 4: 102.
        assert least(TENHOU4, By.RON, 110)[True] == 1
        # By tsumo the third triplet would be concealed: sanankou 2 and menzen tsumo 1, or with a kan more.
        assert least(TENHOU4, By.TSUMO, 110)[True] == 5
        # Where a pair of a double wind has 2 fu the same hand has 100.
        assert least(CINDERELLA, By.RON, 110)[True] == 2

    @pytest.mark.clause("superbingo", "SB-009")
    def test_without_fu_only_han_are_counted(self) -> None:
        assert least(SUPERBINGO, By.RON, 0) == {False: 1, True: 1}

    def test_a_ruleset_may_omit_the_yaku_of_many_fu_or_pay_a_mangan_for_them(self) -> None:
        data = TENHOU4.data()
        del data["play"]["yaku"]["sanankou"]
        data["play"]["yaku"]["toitoi"]["played"] = False
        assert least(Ruleset.model_validate(data, strict=False), By.TSUMO, 110)[True] == 3
        data["play"]["yaku"]["sankantsu"] = {**data["play"]["yaku"]["sankantsu"], "counts": "mangan"}
        assert least(Ruleset.model_validate(data, strict=False), By.TSUMO, 130) == {}

    def test_an_opened_hand_without_fu_has_the_minimum_of_the_ruleset(self) -> None:
        assert {form.fu for form in forms(changed(TENHOU4, play__fu__open_least=40), By.RON) if not form.closed} >= {40}


class TestLadder:
    @pytest.mark.clause("tenhou4", "TH-018", "TH-019")
    def test_the_ladder_of_tenhou_has_all_usual_payments(self) -> None:
        points = [rung.ron for rung in rungs(TENHOU4, By.RON)]
        below = [1000, 1300, 1600, 2000, 2300, 2600, 2900, 3200, 3600, 3900, 4500, 5200, 5800, 6400, 7100, 7700]
        assert points == [*below, 8000, 12000, 16000, 24000, 32000, 64000, 96000, 128000]
        dealer = [rung.ron for rung in rungs(TENHOU4, By.RON, winner=1)]
        assert dealer[:4] == [1500, 2000, 2400, 2900]
        assert dealer[-8:] == [12000, 18000, 24000, 36000, 48000, 96000, 144000, 192000]

    @pytest.mark.clause("cinderella", "CL-141", "CL-140")
    def test_rounding_up_to_a_mangan_leaves_no_rung_below_it(self) -> None:
        assert [rung.ron for rung in rungs(CINDERELLA, By.RON)][13:19] == [7100, 8000, 12000, 16000, 24000, 32000]

    @pytest.mark.clause("kansai3", "KS-211")
    def test_a_printed_table_splits_tsumo_payments(self) -> None:
        shares = [(rung.from_other, rung.from_dealer) for rung in rungs(KANSAI3, By.TSUMO)][:7]
        assert shares == [(1000, y) for y in (1000, 2000, 3000)] + [(2000, y) for y in (3000, 4000, 5000)] + [
            (3000, 5000)
        ]

    @pytest.mark.clause("superbingo", "SB-029")
    def test_where_yakuman_count_once_the_ladder_ends_with_one(self) -> None:
        assert [rung.ron for rung in rungs(SUPERBINGO, By.RON)] == [1000, 2000, 4000, 8000, 12000, 16000, 24000, 32000]

    def test_the_maximum_of_yakuman_counts_those_compatible_in_one_hand(self) -> None:
        # Tsuuiisou, daisuushii, suuankou and suukantsu: one each where none is a double yakuman.
        assert most_yakuman(TENHOU4.hand_rules) == 4
        # With two each for daisuushii and suuankou tanki it is six.
        assert most_yakuman(TENHOU4.with_options({"double_yakuman": True}).hand_rules) == 6

    @pytest.mark.clause("boo", "BOO-090", "BOO-091")
    def test_points_for_a_closed_hand_and_for_dora_are_rungs_of_their_own(self) -> None:
        ladder_ = rungs(BOO, By.RON)
        # 30 fu and no han: 30 x 4 = 120, a dora 100 on top; closed, 300 more: the least is 40 fu, 160 + 300.
        assert [rung.ron for rung in ladder_[:5]] == [120, 160, 200, 220, 240]
        largest = ladder_[-1]
        # A yakuman 1,000 x 4, closed 300, four dora.
        assert (largest.ron, largest.worth.closed, largest.worth.dora) == (4700, True, 4)
        assert not largest.is_alone

    def test_kan_dora_increase_the_maximum_of_dora(self) -> None:
        kinds = BOO.data()["play"]["dora"]["kinds"]
        rules = changed(BOO, play__dora__kinds={**kinds, "kan": kinds["indicator"]})
        assert max(rung.worth.dora for rung in rungs(rules, By.RON)) == 4 * (1 + BOO.hand_rules.wall.kans)

    @pytest.mark.slow
    @pytest.mark.clause("boo", "BOO-105")
    def test_without_a_limit_the_ladder_exceeds_the_points_of_the_table(self) -> None:
        rules = BOO.with_options({"blue_sky_south4": True})
        assert max(rung.points for rung in rungs(rules, By.RON, kyoku_name="S4")) > rules.table_total
        assert max(rung.points for rung in rungs(rules, By.RON, kyoku_name="S3")) == 4700

    @pytest.mark.clause("boo", "BOO-101")
    def test_a_yakuman_that_ends_the_game_is_one_rung_without_points(self) -> None:
        found = [rung for rung in rungs(BOO.with_options({"yakuman": "instant_a_top"}), By.RON) if rung.instant_top]
        assert [(rung.points, rung.limit) for rung in found] == [(0, LimitName.YAKUMAN)]

    @pytest.mark.clause("boo", "BOO-107", "BOO-011")
    def test_equal_payments_are_two_rungs_where_only_one_hand_collects_honba(self) -> None:
        rules = BOO.with_options({"honba_for_zero_han": False, "bazoro": "south1"})
        both = [rung for rung in rungs(rules, By.RON, kyoku_name="S1", winner=1) if rung.ron == 480]
        # 60 fu with the given han alone, and 30 fu with one more: 60 x 2 x 4 = 30 x 4 x 4 = 480.
        assert [(rung.collects, rung.worth.fu, rung.worth.han) for rung in both] == [(False, 60, 1), (True, 30, 2)]
        east = rungs(rules, By.RON, kyoku_name="E1", winner=1)
        assert east[0].worth.han == 0

    def test_a_rung_is_named_after_its_most_common_hand(self) -> None:
        named = {rung.ron: (rung.worth.fu, rung.worth.han) for rung in rungs(TENHOU4, By.RON) if rung.limit is None}
        assert (named[3900], named[5200], named[1600], named[6400]) == ((30, 3), (40, 3), (25, 2), (25, 4))
        limits = [rung.limit for rung in rungs(TENHOU4, By.RON) if rung.limit]
        assert limits[:5] == ["mangan", "haneman", "baiman", "sanbaiman", "yakuman"]

    @pytest.mark.parametrize("rules", [CINDERELLA, BANCHI4, BANCHI3, KANSAI3, SUPERBINGO, BOO, TENHOU4])
    def test_every_rung_is_a_hand_that_the_ruleset_allows(self, rules: Ruleset) -> None:
        state = at("E2", *(rules.setup.start,) * rules.players)
        for way in (WinPath(0, None), WinPath(0, 1), WinPath(1, None), WinPath(1, 0)):
            found = ladder(table_of(state, rules), way.winner, way.by)
            assert [rung.points for rung in found] == sorted(rung.points for rung in found)
            assert len({rung.payment for rung in found}) == len(found)
            if rules.play is not None and rules.play.legality is None:
                assert all(can_apply(state, win(way, rung), rules) for rung in found)
