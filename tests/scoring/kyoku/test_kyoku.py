"""The kyoku engine: transfers in order of payment, and the next dealer, clause by clause for every ruleset."""

from dataclasses import replace

import pytest

from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    FourKansStand,
    LiableFor,
    LiablePlayer,
    Nagashi,
    Points,
    Prizes,
    Ron,
    RonCalls,
    ScoresOnly,
    Tsumo,
    Win,
)
from scoring.kyoku.state import InHand, Stake
from scoring.problems import problems
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.flow import AbortiveKind
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
    after,
    at,
    codes,
    ends,
    name,
    ron,
    told,
    tsumo,
)

FOUR = at("E1", 25000, 25000, 25000, 25000)
THREE = at("E2", 35000, 35000, 35000)


class TestWins:
    @pytest.mark.clause("cinderella", "CL-052", "CL-059", "CL-064", "CL-144")
    def test_a_win_moves_stakes_then_the_hand_then_honba_then_deposits(self) -> None:
        state = at("E1", 25000, 25000, 25000, 24000, honba=2, kyoutaku=1000)
        result = kyoku.apply(state, replace(ron(1, 3, MANGAN), stakes=(Stake(2),)), CINDERELLA)
        assert told(result.transfers) == [
            (2, None, 1000, "stake"),
            (3, 1, 8000, "hand"),
            (3, 1, 600, "honba"),
            (None, 1, 2000, "deposits"),
        ]
        assert [each.clause for each in result.transfers] == ["CL-059", "CL-144", "CL-052", "CL-047"]

    @pytest.mark.clause("cinderella", "CL-047")
    def test_of_several_ron_calls_the_next_in_turn_wins_by_head_bump(self) -> None:
        calls = RonCalls(loser=3, calls=(Win(2, MANGAN), Win(0, CHEAP)))
        result = kyoku.apply(FOUR, calls, CINDERELLA)
        assert isinstance(result.outcome, Ron)
        assert [(turn.code, turn.clause, turn.params) for turn in result.turns] == [
            ("head_bump", "CL-047", {"seat": 0})
        ]

    @pytest.mark.clause("tenhou4", "TH-014")
    def test_two_winners_are_paid_by_the_discarder_and_the_first_in_turn_takes_honba_and_deposits(self) -> None:
        state = at("E1", 25000, 25000, 25000, 24000, honba=1, kyoutaku=1000)
        wins = (Win(0, CHEAP), Win(2, MANGAN))
        result = kyoku.apply(state, Ron(loser=1, wins=wins), TENHOU4)
        assert told(result.transfers) == [
            (1, 2, 8000, "hand"),
            (1, 2, 300, "honba"),
            (None, 2, 1000, "deposits"),
            (1, 0, 1500, "hand"),
        ]
        assert name(result.after) == "E1-2"

    @pytest.mark.clause("banchi4", "B4-064")
    def test_the_deal_passes_where_it_follows_the_head_winner_although_the_dealer_won_too(self) -> None:
        outcome = Ron(loser=1, wins=(Win(0, CHEAP), Win(2, MANGAN)))
        assert name(after(FOUR, outcome, BANCHI4)) == "E2-0"

    @pytest.mark.clause("banchi4", "B4-017")
    def test_three_ron_calls_draw_the_hand_and_leave_the_stakes(self) -> None:
        calls = RonCalls(loser=1, calls=(Win(0, MANGAN), Win(2, CHEAP), Win(3, CHEAP)), stakes=(Stake(0),))
        result = kyoku.apply(FOUR, calls, BANCHI4)
        assert result.turns[0].code is kyoku.TurnCode.RONS_DRAW
        assert result.after.kyoutaku == 1000
        assert name(result.after) == "E1-1"

    def test_points_can_be_entered_instead_of_han_and_fu(self) -> None:
        assert after(FOUR, Ron(loser=0, wins=(Win(1, Points(5200)),)), CINDERELLA).scores[0] == 19800
        given = Tsumo(win=Win(1, Points(from_dealer=2000, from_other=1000)))
        assert after(FOUR, given, CINDERELLA).scores == (23000, 29000, 24000, 24000)

    @pytest.mark.clause("boo", "BOO-082", "BOO-090", "BOO-091", "BOO-092")
    def test_the_parts_of_a_value_are_separate_transfers(self) -> None:
        state = at("E1", 2000, 2000, 2000, 2000, honba=1)
        result = kyoku.apply(state, ron(1, 0, Worth(1, 30, closed=True, dora=1)), BOO)
        assert told(result.transfers) == [
            (0, 1, 240, "hand"),
            (0, 1, 300, "closed"),
            (0, 1, 100, "dora"),
            (0, 1, 300, "honba"),
        ]

    @pytest.mark.clause("boo", "BOO-107", "BOO-011")
    def test_a_win_without_yaku_may_leave_honba_and_a_han_given_to_all_is_no_yaku(self) -> None:
        rules = BOO.with_options({"honba_for_zero_han": False, "bazoro": "south1"})
        state = at("S1", 3000, 1000, 2000, 2000, honba=1)
        assert name(after(state, ron(1, 0, Worth(1, 30)), rules)) == "S2-2"
        assert name(after(state, ron(1, 0, Worth(2, 30)), rules)) == "S2-0"
        assert name(after(state, ron(1, 0, Worth(limit=LimitName.MANGAN)), rules)) == "S2-0"
        assert name(after(replace(state, round=BOO.setup.rounds[0]), ron(1, 0, Worth(1, 30)), rules)) == "E2-0"
        given = Ron(loser=0, wins=(Win(1, Points(240)),))
        assert name(after(state, given, rules)) == "S2-0"

    @pytest.mark.clause("boo", "BOO-105")
    def test_a_house_without_a_limit_in_south_4_pays_in_full_there_only(self) -> None:
        rules = BOO.with_options({"blue_sky_south4": True, "starting_score": 4000})
        for kyoku_name, paid in (("S4", 2560), ("S3", 2000)):
            state = at(kyoku_name, 4000, 4000, 4000, 4000)
            assert after(state, ron(1, 0, Worth(4, 40)), rules).scores[0] == 4000 - paid


class TestLiability:
    @pytest.mark.clause("cinderella", "CL-097")
    def test_the_liable_player_alone_pays_a_tsumo_yakuman_and_its_honba(self) -> None:
        state = at("E1", 25000, 25000, 25000, 25000, honba=1)
        outcome = Tsumo(win=Win(1, YAKUMAN, LiablePlayer(2)))
        result = kyoku.apply(state, outcome, CINDERELLA)
        assert told(result.transfers) == [(2, 1, 32000, "hand"), (2, 1, 300, "honba")]
        assert all(each.liable for each in result.transfers)

    @pytest.mark.clause("cinderella", "CL-097")
    def test_a_liable_yakuman_by_ron_is_halved_and_the_discarder_pays_the_rest(self) -> None:
        state = at("E1", 25000, 25000, 25000, 25000, honba=1)
        outcome = Ron(loser=3, wins=(Win(1, Worth(yakuman=2), LiablePlayer(2)),))
        assert told(kyoku.apply(state, outcome, CINDERELLA).transfers) == [
            (3, 1, 32000, "hand"),
            (3, 1, 16000, "hand"),
            (2, 1, 16000, "hand"),
            (3, 1, 300, "honba"),
        ]

    @pytest.mark.clause("cinderella", "CL-097")
    def test_a_liable_player_who_deals_in_pays_everything(self) -> None:
        outcome = Ron(loser=2, wins=(Win(1, YAKUMAN, LiablePlayer(2)),))
        assert told(kyoku.apply(FOUR, outcome, CINDERELLA).transfers) == [(2, 1, 32000, "hand")]

    def test_points_entered_for_a_liable_hand_are_paid_by_the_liable_player(self) -> None:
        outcome = Tsumo(win=Win(1, Points(from_dealer=16000, from_other=8000), LiablePlayer(2)))
        assert told(kyoku.apply(FOUR, outcome, CINDERELLA).transfers) == [(2, 1, 32000, "hand")]

    @pytest.mark.clause("banchi4", "B4-025")
    def test_the_player_who_fed_an_open_kan_pays_for_all_three(self) -> None:
        outcome = Tsumo(win=Win(0, Worth(3, 40), LiablePlayer(2, LiableFor.OPEN_KAN)))
        assert told(kyoku.apply(FOUR, outcome, BANCHI4).transfers) == [(2, 0, 7800, "hand")]

    @pytest.mark.clause("boo", "BOO-039")
    def test_the_player_who_fed_an_open_kan_may_pay_as_the_discarder(self) -> None:
        data = BOO.with_options({"ura_chips": True, "dora_points": "closed200_open100"}).data()
        data["play"]["chips"]["rules"]["open_hands"] = True
        rules = Ruleset.model_validate(data, strict=False)
        state = at("E2", 2000, 2000, 2000, 2000, honba=1)
        win = Win(2, Worth(1, 40, dora=1), LiablePlayer(0, LiableFor.OPEN_KAN), prizes=Prizes(each=1))
        result = kyoku.apply(state, Tsumo(win=win), rules)
        assert [(payer, amount) for payer, _, amount, _ in told(result.transfers)] == [
            (0, 320),
            (0, 100),
            (0, 300),
        ]
        assert told(result.transfers, "chips") == [(0, 2, 1, "prize")]


class TestPrizes:
    @pytest.mark.clause("banchi4", "B4-028", "B4-031", "B4-032")
    def test_prizes_come_from_the_discarder_or_from_each(self) -> None:
        prizes = Prizes({AwardEvent.RED: 2, AwardEvent.GOLD: 1, AwardEvent.IPPATSU: 1})
        state, worth = replace(FOUR, hand=InHand(stakes=(Stake(1),))), Worth(limit=LimitName.HANEMAN)
        assert kyoku.apply(state, ron(1, 0, worth, prizes=prizes), BANCHI4).changes("g") == (-2500, 2500, 0, 0)
        drawn = Tsumo(win=Win(1, worth, prizes=prizes))
        assert kyoku.apply(state, drawn, BANCHI4).changes("g") == (-2500, 7500, -2500, -2500)

    @pytest.mark.clause("banchi4", "B4-042")
    def test_the_prize_of_a_liable_yakuman_is_halved_and_the_others_are_the_discarders(self) -> None:
        win = Win(1, Worth(yakuman=2), LiablePlayer(2), prizes=Prizes(each=500))
        result = kyoku.apply(at("E1", 1000, 1000, 40000, 58000), Ron(loser=3, wins=(win,)), BANCHI4)
        assert result.changes("g")[1:] == (10500, -5000, -5500)
        result = kyoku.apply(
            at("E1", 1000, 1000, 20000, 78000),
            Ron(loser=3, wins=(win,)),
            BANCHI4.with_options({"pao_ron_covers": "yakuman"}),
        )
        assert result.changes("g")[1:] == (10500, -2500, -8000)

    @pytest.mark.clause("kansai3", "KS-223")
    def test_other_prizes_of_a_liable_hand_are_paid_by_each_player_where_the_ruleset_says_so(self) -> None:
        win = Win(1, YAKUMAN, LiablePlayer(2), prizes=Prizes({AwardEvent.FLUSH: 1}))
        prize = KANSAI3.play.chips.awards[AwardEvent.FLUSH].tsumo_each  # type: ignore[union-attr]
        found = kyoku.apply(THREE, Tsumo(win=win), KANSAI3).changes("p")
        assert found == (-prize, 2000 + 2 * prize, -2000 - prize)

    @pytest.mark.clause("kansai3", "KS-050")
    def test_a_counted_yakuman_has_a_prize_of_its_own(self) -> None:
        assert kyoku.apply(THREE, ron(1, 0, Worth(14)), KANSAI3).changes("p") == (-1000, 1000, 0)

    @pytest.mark.clause("banchi3", "B3-047", "B3-010")
    def test_a_yakuman_may_have_a_prize_of_its_own_or_none(self) -> None:
        outcome = ron(1, 0, Worth(yakuman=2), prizes=Prizes(without=1))
        assert kyoku.apply(THREE, outcome, BANCHI3).changes("g") == (-2000, 2000, 0)
        limit = ron(1, 0, Worth(limit=LimitName.YAKUMAN))
        assert kyoku.apply(THREE, limit, BANCHI3).changes("g") == (-2000, 2000, 0)

    @pytest.mark.clause("banchi3", "B3-050", "B3-051")
    def test_a_forced_deal_in_is_a_yakuman_without_prizes_or_with_its_own(self) -> None:
        win = Win(1, MANGAN, forced=True, prizes=Prizes({AwardEvent.RED: 1}))
        outcome = Ron(loser=0, wins=(win,), stakes=(Stake(1, open=True),))
        result = kyoku.apply(THREE, outcome, BANCHI3)
        assert (result.changes()[0], result.changes("g")) == (-48000, (0, 0, 0))
        assert result.turns[0].code is kyoku.TurnCode.FORCED_YAKUMAN
        assert kyoku.apply(THREE, ron(1, 0), BANCHI3).turns == ()
        table = at("E2", 30000, 30000, 30000)
        assert kyoku.apply(table, outcome, SUPERBINGO).changes("chips") == (-41, 41, 0)

    @pytest.mark.clause("superbingo", "SB-083", "SB-211")
    def test_of_the_chips_of_a_tulip_only_the_yakuman_part_follows_liability(self) -> None:
        win = Win(1, YAKUMAN, LiablePlayer(2), prizes=Prizes(each=45, complete=True))
        result = kyoku.apply(at("E2", 30000, 30000, 30000), Ron(loser=0, wins=(win,)), SUPERBINGO)
        assert result.changes("chips") == (-25, 45, -20)

    @pytest.mark.clause("superbingo", "SB-048")
    def test_a_fixed_prize_comes_from_each_player_on_ron_too(self) -> None:
        win = Win(1, YAKUMAN, prizes=Prizes(fixed=YakuName.ALL_SEVEN))
        result = kyoku.apply(at("E2", 30000, 30000, 30000), Ron(loser=0, wins=(win,)), SUPERBINGO)
        assert result.changes("chips") == (-300, 600, -300)

    @pytest.mark.clause("boo", "BOO-115")
    def test_opened_hands_may_have_no_prizes(self) -> None:
        rules = BOO.with_options({"ura_chips": True})
        state, prizes = at("E1", 2000, 2000, 2000, 2000), Prizes({AwardEvent.URA: 2})
        assert kyoku.apply(state, ron(1, 0, CHEAP, prizes=Prizes(each=2)), rules).changes("chips") == (0, 0, 0, 0)
        declared = replace(state, hand=InHand(stakes=(Stake(1),)))
        assert kyoku.apply(declared, ron(1, 0, Worth(1, 40), prizes=prizes), rules).changes("chips") == (-2, 2, 0, 0)

    def test_prizes_add_up_over_the_hands_of_a_game(self) -> None:
        first = after(FOUR, ron(1, 0, prizes=Prizes(each=500)), BANCHI4)
        assert after(first, ron(1, 2, prizes=Prizes(each=1000)), BANCHI4).amounts("g") == (-500, 1500, -1000, 0)


class TestDraws:
    @pytest.mark.clause("cinderella", "CL-053")
    @pytest.mark.clause("banchi4", "B4-070")
    def test_one_noten_player_pays_in_turn_order_and_two_pay_two_starting_with_the_dealer(self) -> None:
        single = kyoku.apply(at("E3", 25000, 25000, 25000, 25000), Draw(tenpai=(0, 1, 3)), CINDERELLA)
        assert told(single.transfers) == [(2, 3, 1000, "noten"), (2, 0, 1000, "noten"), (2, 1, 1000, "noten")]
        pairs = kyoku.apply(at("E3", 25000, 25000, 25000, 25000), Draw(tenpai=(0, 2)), CINDERELLA)
        assert told(pairs.transfers) == [(3, 2, 1500, "noten"), (1, 0, 1500, "noten")]

    @pytest.mark.clause("kansai3", "KS-034")
    def test_the_deal_stays_at_every_draw_of_the_south_round_where_the_ruleset_says_so(self) -> None:
        assert name(after(at("S2", 35000, 35000, 35000), Draw(), KANSAI3)) == "S2-1"
        assert name(after(at("E2", 35000, 35000, 35000), Draw(), KANSAI3)) == "E3-1"

    @pytest.mark.clause("tenhou4", "TH-013")
    def test_nagashi_at_a_draw_leaves_deposits_and_honba_and_the_dealer_stays_by_tenpai(self) -> None:
        state = at("E1", 25000, 25000, 25000, 24000, honba=2, kyoutaku=1000)
        result = kyoku.apply(state, Nagashi(seats=(1, 3), tenpai=(0,)), TENHOU4)
        assert result.changes() == (-8000, 6000, -4000, 6000)
        assert (name(result.after), result.after.kyoutaku) == ("E1-3", 1000)

    @pytest.mark.clause("kansai3", "KS-222")
    def test_nagashi_may_be_a_win_with_honba_and_deposits_of_the_first_from_the_dealer(self) -> None:
        state = at("E2", 35000, 35000, 34000, honba=1, kyoutaku=1000)
        result = kyoku.apply(state, Nagashi(seats=(0, 2)), KANSAI3)
        assert told(result.transfers) == [
            (0, 2, 12000, "nagashi"),
            (1, 2, 20000, "nagashi"),
            (0, 2, 1000, "honba"),
            (1, 2, 1000, "honba"),
            (None, 2, 1000, "deposits"),
        ]
        assert result.changes("p") == (-1000, -1000, 2000)
        assert name(result.after) == "E3-0"

    def test_noten_payments_may_be_added_to_nagashi(self) -> None:
        data = TENHOU4.data()
        data["play"]["draws"]["nagashi"]["noten_paid"] = True
        rules = Ruleset.model_validate(data, strict=False)
        assert kyoku.apply(FOUR, Nagashi(seats=(1,), tenpai=(2,)), rules).changes() == (-5000, 7000, 1000, -3000)

    @pytest.mark.clause("boo", "BOO-013", "BOO-120", "BOO-121", "BOO-122", "BOO-123")
    def test_an_abortive_draw_moves_the_deal_where_every_draw_does(self) -> None:
        state = at("E1", 2000, 2000, 2000, 2000)
        assert name(after(state, AbortiveDraw(kind=AbortiveKind.FOUR_WINDS), BOO)) == "E2-1"
        assert codes(state, AbortiveDraw(kind=AbortiveKind.FOUR_KANS_SHOWN), BOO) == ["abortive_not_played"]
        shown = BOO.with_options({"abort_four_kans": "shown", "abort_four_riichi": True})
        assert codes(state, AbortiveDraw(kind=AbortiveKind.FOUR_KANS_SHOWN), shown) == []

    @pytest.mark.clause("banchi4", "B4-018")
    def test_play_continues_after_four_riichi_where_the_ruleset_does_not_abort(self) -> None:
        outcome = Draw(tenpai=(0, 1, 2, 3), stakes=tuple(map(Stake, range(4))))
        assert codes(FOUR, outcome, BANCHI4) == []
        assert codes(FOUR, outcome, TENHOU4) == ["four_riichi_end_hand"]

    @pytest.mark.clause("tenhou4", "TH-012")
    def test_four_riichi_abort_the_hand_and_leave_four_stakes(self) -> None:
        outcome = AbortiveDraw(kind=AbortiveKind.FOUR_RIICHI, stakes=tuple(map(Stake, range(4))))
        assert (after(FOUR, outcome, TENHOU4).kyoutaku, name(after(FOUR, outcome, TENHOU4))) == (4000, "E1-1")

    @pytest.mark.clause("kansai3", "KS-072")
    @pytest.mark.clause("banchi4", "B4-060")
    def test_four_kans_that_stand_are_paid_like_a_tsumo_yakuman(self) -> None:
        result = kyoku.apply(THREE, FourKansStand(seat=2), KANSAI3)
        assert result.changes() == (-12000, -20000, 32000)
        assert result.turns[0].code is kyoku.TurnCode.FOUR_KANS
        liable = kyoku.apply(THREE, FourKansStand(seat=2, liability=LiablePlayer(0)), KANSAI3)
        assert liable.changes() == (-32000, 0, 32000)


class TestOffences:
    @pytest.mark.clause("cinderella", "CL-063", "CL-083", "CL-093")
    def test_noten_riichi_turns_a_draw_into_a_chonbo(self) -> None:
        result = kyoku.apply(FOUR, Draw(tenpai=(1,), stakes=(Stake(1), Stake(3))), CINDERELLA)
        assert isinstance(result.outcome, ChonboCalled)
        assert [(turn.code, turn.clause, turn.params["seats"]) for turn in result.turns] == [
            ("chonbo_at_draw", "CL-093", (3,))
        ]
        assert told(result.transfers) == [
            (1, None, 1000, "stake"),
            (3, None, 1000, "stake"),
            (None, 1, 1000, "stake_returned"),
            (None, 3, 1000, "stake_returned"),
        ]
        assert (result.after.chonbo, name(result.after)) == ((0, 0, 0, 1), "E1-0")

    @pytest.mark.clause("cinderella", "CL-084")
    def test_noten_riichi_of_a_dead_hand_is_no_chonbo(self) -> None:
        result = kyoku.apply(FOUR, Draw(stakes=(Stake(1),), dead=(1,)), CINDERELLA)
        assert isinstance(result.outcome, Draw)

    def test_an_unlisted_noten_riichi_cites_the_clause_of_riichi(self) -> None:
        data = CINDERELLA.data()
        listed = data["play"]["penalties"]["offences"]
        data["play"]["penalties"]["offences"] = [each for each in listed if each["key"] == "false_win_shown"]
        rules = Ruleset.model_validate(data, strict=False)
        found = kyoku.play_unchecked(FOUR, Draw(stakes=(Stake(1),)), rules)
        assert found.turns[0].clause == "CL-059"

    @pytest.mark.clause("tenhou4", "TH-015")
    def test_a_draw_stays_a_draw_where_the_server_checks_riichi(self) -> None:
        assert isinstance(kyoku.apply(FOUR, Draw(stakes=(Stake(1),)), TENHOU4).outcome, Draw)

    @pytest.mark.clause("banchi4", "B4-065", "B4-047", "B4-069")
    def test_in_a_void_hand_a_fine_may_stay_on_the_table_while_stakes_are_returned(self) -> None:
        outcome = ChonboCalled(offenders=(0,), offence="false_win_shown", stakes=(Stake(1),), fines=(2,))
        result = kyoku.apply(FOUR, outcome, BANCHI4)
        assert result.changes() == (-9000, 3000, 2000, 3000)
        assert result.after.kyoutaku == 1000

    @pytest.mark.clause("kansai3", "KS-086")
    def test_in_a_void_hand_a_fine_may_be_returned_too(self) -> None:
        result = kyoku.apply(THREE, ChonboCalled(offenders=(0,), fines=(2,)), KANSAI3)
        assert result.changes() == (-16000, 8000, 8000)
        assert (2, None, 1000, "fine") in told(result.transfers)
        assert (None, 2, 1000, "fine_returned") in told(result.transfers)

    def test_in_a_void_hand_stakes_may_stay_on_the_table(self) -> None:
        data = CINDERELLA.data()
        data["play"]["penalties"]["chonbo"]["after"]["stakes_returned"] = False
        rules = Ruleset.model_validate(data, strict=False)
        assert after(FOUR, ChonboCalled(offenders=(0,), stakes=(Stake(1),)), rules).kyoutaku == 1000

    @pytest.mark.clause("boo", "BOO-104")
    def test_the_payment_of_an_offender_may_depend_on_the_dealer(self) -> None:
        state = at("E2", 2000, 2000, 2000, 2000)
        assert kyoku.apply(state, ChonboCalled(offenders=(0,)), BOO).changes() == (-1000, 500, 250, 250)
        assert kyoku.apply(state, ChonboCalled(offenders=(1,)), BOO).changes() == (500, -1500, 500, 500)
        rounded = BOO.with_options({"min_stick": 20})
        assert kyoku.apply(state, ChonboCalled(offenders=(0,)), rounded).changes() == (-1020, 500, 260, 260)

    @pytest.mark.clause("superbingo", "SB-073", "SB-074")
    def test_a_chonbo_may_cost_chips_too(self) -> None:
        result = kyoku.apply(at("E1", 30000, 30000, 30000), ChonboCalled(offenders=(0,)), SUPERBINGO)
        assert told(result.transfers, "chips") == [(0, 1, 10, "chonbo"), (0, 2, 10, "chonbo")]
        assert (result.after.amounts("chips"), name(result.after)) == ((-20, 10, 10), "E2-0")

    @pytest.mark.clause("banchi3", "B3-068")
    @pytest.mark.parametrize(("kyoku_name", "next_"), [("E1", "E2-0"), ("S3", "S3-0"), ("RE1", "RE1-0")])
    def test_a_chonbo_by_the_dealer_moves_the_deal_except_in_the_last_hand(self, kyoku_name: str, next_: str) -> None:
        dealer = int(kyoku_name[-1]) - 1
        state = at(kyoku_name, 35000, 35000, 35000)
        assert name(after(state, ChonboCalled(offenders=(dealer,)), BANCHI3)) == next_


class TestScoresOnly:
    def test_entered_scores_are_taken_as_they_are(self) -> None:
        state = at("E1", 25000, 25000, 25000, 24000, kyoutaku=1000)
        outcome = ScoresOnly(scores=(25000, 33000, 17000, 25000), winners=(1,), stakes=(Stake(2),))
        result = kyoku.apply(state, outcome, CINDERELLA)
        assert told(result.transfers) == [
            (None, 1, 8000, "scores"),
            (2, None, 8000, "scores"),
            (None, 3, 1000, "scores"),
        ]
        assert (result.after.scores, result.after.kyoutaku, name(result.after)) == (outcome.scores, 0, "E2-0")

    def test_points_missing_from_entered_scores_after_a_draw_are_deposits(self) -> None:
        outcome = ScoresOnly(scores=(26000, 24000, 25000, 24000), tenpai=(0,), prizes={})
        assert after(FOUR, outcome, BANCHI4).kyoutaku == 1000
        assert name(after(FOUR, outcome, BANCHI4)) == "E1-1"

    @pytest.mark.parametrize(("deposits", "refused"), [(300, []), (1300, []), (800, ["deposits_after_draw"])])
    def test_a_draw_adds_whole_stakes_to_any_amount_of_old_deposits(self, deposits: int, refused: list[str]) -> None:
        state = at("E1", 24700, 25000, 25000, 25000, kyoutaku=300)
        outcome = ScoresOnly(scores=(24700, 25000, 25000, 25300 - deposits))
        assert codes(state, outcome, CINDERELLA) == refused

    def test_prizes_may_be_entered_with_the_scores(self) -> None:
        outcome = ScoresOnly(scores=(25000,) * 4, winners=(1,), prizes={"g": (-500, 1500, -500, -500)})
        assert after(FOUR, outcome, BANCHI4).amounts("g") == (-500, 1500, -500, -500)

    @pytest.mark.clause("banchi4", "B4-034")
    def test_a_player_who_goes_out_pays_the_winner_the_bust_prize(self) -> None:
        outcome = ScoresOnly(scores=(-1000, 51000, 25000, 25000), winners=(1,))
        result = kyoku.apply(FOUR, outcome, BANCHI4)
        assert (result.after.tobi, result.changes("g")) == (((0, 1),), (-500, 500, 0, 0))


class TestBusts:
    @pytest.mark.clause("kansai3", "KS-218", "KS-052")
    @pytest.mark.clause("superbingo", "SB-217")
    def test_a_player_out_by_their_own_stake_pays_the_winner_or_after_a_draw_the_top(self) -> None:
        state = at("E2", 1000, 52000, 52000)
        wins = Ron(loser=1, wins=(Win(2, CHEAP),), stakes=(Stake(0),))
        assert after(state, wins, KANSAI3).tobi == ((0, 2),)
        drawn = Draw(tenpai=(0, 1, 2), stakes=(Stake(0),))
        assert after(state, drawn, KANSAI3).tobi == ((0, 1),)

    @pytest.mark.clause("superbingo", "SB-217", "SB-066")
    def test_both_winners_get_the_bust_prize_where_each_paid_player_does(self) -> None:
        wins = (Win(1, CHEAP), Win(2, CHEAP))
        state = at("E2", 2000, 44000, 44000)
        assert after(state, Ron(loser=0, wins=wins), SUPERBINGO).tobi == ((0, 1), (0, 2))

    @pytest.mark.parametrize("scores", [(-5000, 45000, 30000, 30000), (-5000, 30000, 30000, 45000)])
    def test_a_winner_who_stays_below_zero_pays_the_top(self, scores: tuple[int, ...]) -> None:
        found = after(at("E2", *scores), ron(0, 2, CHEAP), BANCHI4)
        assert found.scores[0] < 0
        assert found.tobi == ((0, scores.index(45000)),)
        assert problems(result_of(found, BANCHI4), BANCHI4) == ()

    def test_a_winner_who_stays_below_zero_pays_the_other_winner(self) -> None:
        outcome = Ron(loser=2, wins=(Win(0, CHEAP), Win(1, CHEAP)))
        found = after(at("E2", -5000, 30000, 30000, 45000), outcome, BANCHI4)
        assert found.tobi == ((0, 1),)

    @pytest.mark.clause("kansai3", "KS-032")
    def test_deposits_taken_by_the_head_winner_do_not_cover_the_payer(self) -> None:
        """Start with 5,000 left: 3,000 for the right-hand winner, and too little for the other."""
        state = at("E1", 5000, 50000, 48000, kyoutaku=2000)
        outcome = Ron(loser=0, wins=(Win(1, Worth(2, 40)), Win(2, Worth(2, 40))))
        assert after(state, outcome, KANSAI3).tobi == ((0, 2),)

    def test_a_ruleset_without_bust_prize_names_no_receiver(self) -> None:
        state = at("E1", 7000, 49000, 49000)
        assert (after(state, ron(1, 0, MANGAN), BANCHI3).tobi, ends(after(state, ron(1, 0, MANGAN), BANCHI3))) == (
            (),
            ["bust"],
        )


def test_stakes_and_fines_of_the_running_hand_are_included_in_shown_scores() -> None:
    hand = InHand(stakes=(Stake(0), Stake(1, open=True)), fines=(1, 1))
    state = at("E1", 35000, 35000, 35000, hand=hand)
    opened = BANCHI3.data()
    opened["play"]["penalties"]["fine"] = {"amount": 500, "clauses": ["B3-061"]}
    rules = Ruleset.model_validate(opened, strict=False)
    assert state.current_scores(rules) == (34000, 32000, 35000)
    assert state.deposits(rules) == 4000
    assert state.current_scores(BANCHI3) == (34000, 33000, 35000)


@pytest.mark.clause("boo", "BOO-101")
def test_a_yakuman_may_end_the_game_with_its_winner_as_only_floating_player() -> None:
    rules = BOO.with_options({"yakuman": "instant_a_top"})
    state = at("E1", 2000, 2000, 2000, 2000, honba=1)
    for outcome in (tsumo(1, YAKUMAN), ron(1, 2, YAKUMAN)):
        result = kyoku.apply(state, outcome, rules)
        assert (result.transfers, ends(result.after), result.after.forced_top) == ((), ["yakuman"], 1)
        assert result.judgements == ()
