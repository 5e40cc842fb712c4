"""End of the game, stopping by the last dealer, further rounds, and rulings."""

from dataclasses import replace

import pytest

from scoring import kyoku
from scoring.kyoku.outcomes import ChonboCalled, Draw, Move, Position, Ruling
from scoring.kyoku.state import Stake
from scoring.ruleset.end import RoundName
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
    ends,
    name,
    ron,
    tsumo,
)


class TestTheLastHand:
    @pytest.mark.clause("cinderella", "CL-031", "CL-032", "CL-051")
    def test_a_game_of_two_rounds_ends_when_the_last_dealer_loses_the_deal(self) -> None:
        assert name(after(at("E4", 25000, 25000, 25000, 25000), ron(0, 1), CINDERELLA)) == "S1-0"
        over = after(at("S4", 25000, 25000, 25000, 25000), ron(0, 1), CINDERELLA)
        assert (ends(over), over.ends[0].clause) == (["last_hand"], "CL-035")

    @pytest.mark.clause("cinderella", "CL-050")
    def test_the_last_dealer_plays_on_after_a_win_where_stopping_is_not_played(self) -> None:
        result = kyoku.apply(at("S4", 25000, 25000, 25000, 25000), ron(3, 1, stop=True), CINDERELLA)
        assert (name(result.after), result.may_stop) == ("S4-1", False)

    @pytest.mark.clause("banchi4", "B4-022")
    @pytest.mark.parametrize(
        ("kyoku_name", "scores", "may_stop"),
        [
            ("E4", (33000, 25000, 17000, 25000), True),
            ("E4", (31000, 29000, 22000, 18000), False),
            ("E4", (26000, 25000, 24500, 24500), False),
            ("S4", (25200, 25300, 25100, 24400), True),
            ("E3", (33000, 25000, 17000, 25000), False),
        ],
    )
    def test_the_dealer_may_stop_after_a_win_if_placed_and_with_enough_at_the_table(
        self, kyoku_name: str, scores: tuple[int, ...], may_stop: bool
    ) -> None:
        dealer = int(kyoku_name[-1]) - 1
        outcome = ron(dealer, 1)
        result = kyoku.apply(at(kyoku_name, *scores), outcome, BANCHI4)
        assert result.may_stop is may_stop
        stopped = kyoku.apply(at(kyoku_name, *scores), replace(outcome, stop=True), BANCHI4)
        assert ends(stopped.after) == (["agari_yame"] if may_stop else [])

    @pytest.mark.clause("banchi3", "B3-023")
    @pytest.mark.clause("kansai3", "KS-040")
    def test_stopping_by_tenpai_is_allowed_only_where_the_ruleset_has_it(self) -> None:
        leading = at("S3", 34000, 30000, 41000)
        outcome = Draw(tenpai=(2,), stop=True)
        assert ends(after(leading, outcome, BANCHI3)) == ["tenpai_yame"]
        assert ends(after(leading, outcome, KANSAI3)) == []

    @pytest.mark.clause("kansai3", "KS-039")
    def test_a_winning_dealer_may_stop_from_any_place(self) -> None:
        state = at("S3", 45000, 40000, 20000)
        assert ends(after(state, ron(2, 1, stop=True), KANSAI3)) == ["agari_yame"]

    @pytest.mark.clause("tenhou4", "TH-008")
    def test_where_stopping_is_automatic_the_leading_dealer_ends_the_game(self) -> None:
        state = at("S4", 20000, 20000, 20000, 40000)
        assert ends(after(state, ron(3, 1), TENHOU4)) == ["agari_yame"]
        assert ends(after(state, Draw(tenpai=(3,)), TENHOU4)) == ["tenpai_yame"]
        played_on = TENHOU4.with_options({"tenpai_stop": False})
        assert name(after(state, Draw(tenpai=(3,)), played_on)) == "S4-1"
        assert name(after(at("S4", 42000, 20000, 20000, 18000), ron(3, 1), TENHOU4)) == "S4-1"

    @pytest.mark.clause("superbingo", "SB-209")
    def test_a_game_of_one_round_ends_with_it(self) -> None:
        assert ends(after(at("E3", 30000, 30000, 30000), Draw(), SUPERBINGO)) == ["last_hand"]


class TestAnyHand:
    @pytest.mark.clause("cinderella", "CL-048")
    @pytest.mark.clause("banchi4", "B4-019")
    @pytest.mark.clause("kansai3", "KS-021", "KS-035")
    def test_a_bust_is_below_zero_at_zero_or_never_by_ruleset(self) -> None:
        assert ends(after(at("E1", 1000, 33000, 33000, 33000), tsumo(1, YAKUMAN), CINDERELLA)) == []
        assert ends(after(at("E1", 8000, 32000, 30000, 30000), ron(1, 0, MANGAN), BANCHI4)) == []
        assert ends(after(at("E1", 7900, 32100, 30000, 30000), ron(1, 0, MANGAN), BANCHI4)) == ["bust"]
        out = after(at("E1", 8000, 49000, 48000), ron(1, 0, MANGAN), KANSAI3)
        assert (ends(out), out.ends[0].params) == (["bust"], {"seats": (0,)})

    @pytest.mark.clause("banchi4", "B4-013", "B4-008")
    def test_enough_points_end_the_game_but_not_in_a_void_hand(self) -> None:
        state = at("E1", 57000, 20000, 12000, 11000)
        assert ends(after(state, ron(0, 1), BANCHI4)) == []
        assert ends(after(state, ron(0, 1, MANGAN), BANCHI4)) == ["target"]
        assert ends(after(state, ChonboCalled(offenders=(1,)), BANCHI4)) == []

    @pytest.mark.clause("boo", "BOO-008", "BOO-104")
    def test_a_chonbo_payment_may_reach_the_target_where_every_payment_counts(self) -> None:
        state = at("E2", 1000, 3500, 1500, 2000)
        assert ends(after(state, ChonboCalled(offenders=(2,)), BOO)) == ["target"]

    @pytest.mark.clause("boo", "BOO-008")
    def test_every_reason_for_the_end_is_listed(self) -> None:
        state = at("S4", 3900, 100, 2000, 2000)
        assert ends(after(state, ron(0, 1, CHEAP), BOO)) == ["bust", "target", "last_hand"]


class TestFurtherRounds:
    @pytest.mark.clause("banchi4", "B4-006")
    @pytest.mark.clause("tenhou4", "TH-007")
    def test_the_game_is_extended_if_no_player_has_enough(self) -> None:
        assert name(after(at("E4", 24900, 26000, 24600, 24500), ron(0, 1), BANCHI4)) == "S1-0"
        assert name(after(at("S4", 24900, 26000, 24600, 24500), ron(0, 1), TENHOU4)) == "W1-0"
        assert ends(after(at("S4", 29900, 21000, 24600, 24500), ron(0, 1), TENHOU4)) == ["last_hand"]

    @pytest.mark.clause("banchi4", "B4-008")
    @pytest.mark.clause("kansai3", "KS-011", "KS-041")
    def test_an_extended_game_ends_as_soon_as_a_player_has_enough(self) -> None:
        assert ends(after(at("S1", 26500, 24500, 24500, 24500), ron(0, 1), BANCHI4)) == ["sudden_death"]
        assert ends(after(at("RE2", 38000, 34000, 33000), Draw(tenpai=(0,)), KANSAI3)) == ["sudden_death"]

    @pytest.mark.clause("tenhou4", "TH-007", "TH-009")
    def test_a_repeat_by_a_dealer_who_is_not_first_may_delay_the_end(self) -> None:
        tenpai = Draw(tenpai=(0, 1))
        state = at("W1", 26500, 29500, 24000, 20000)
        assert (ends(after(state, tenpai, TENHOU4)), name(after(state, tenpai, TENHOU4))) == ([], "W1-1")
        assert ends(after(at("W1", 28500, 26500, 24000, 21000), tenpai, TENHOU4)) == ["sudden_death"]
        won = after(at("W1", 20000, 32000, 24000, 24000), ron(0, 2), TENHOU4)
        assert (ends(won), name(won)) == ([], "W1-1")
        assert ends(after(at("W1", 26500, 32000, 24000, 17500), ron(2, 3), TENHOU4)) == ["sudden_death"]

    @pytest.mark.clause("banchi4", "B4-008")
    @pytest.mark.clause("banchi3", "B3-016")
    @pytest.mark.clause("kansai3", "KS-041")
    def test_a_repeat_delays_the_end_elsewhere_only_by_house_option(self) -> None:
        tenpai = Draw(tenpai=(0, 1))
        four, three = at("S1", 24000, 25500, 25500, 25000), at("RE1", 33000, 39000, 33000)
        assert ends(after(four, tenpai, BANCHI4)) == ["sudden_death"]
        assert ends(after(three, tenpai, BANCHI3)) == ["sudden_death"]
        assert ends(after(three, Draw(tenpai=(0, 1)), KANSAI3)) == ["sudden_death"]
        chosen = {"extension_repeat": "dealer_first"}
        assert ends(after(four, tenpai, BANCHI4.with_options(chosen))) == []
        assert ends(after(three, tenpai, BANCHI3.with_options(chosen))) == []

    @pytest.mark.clause("kansai3", "KS-011", "KS-085")
    @pytest.mark.clause("banchi3", "B3-016")
    def test_a_void_hand_ends_an_extended_game_only_where_the_ruleset_says_so(self) -> None:
        state = at("RE1", 33000, 36000, 36000)
        assert ends(after(state, ChonboCalled(offenders=(0,)), KANSAI3)) == ["sudden_death"]
        assert ends(after(state, ChonboCalled(offenders=(0,)), BANCHI3)) == []

    @pytest.mark.clause("kansai3", "KS-012", "KS-085")
    def test_the_end_of_the_extension_ends_the_game(self) -> None:
        assert ends(after(at("RE3", 36000, 35000, 34000), Draw(tenpai=(1,)), KANSAI3)) == ["extension_end"]
        offence = after(at("RE3", 31000, 30000, 44000 - 20000), ChonboCalled(offenders=(2,)), KANSAI3)
        assert ends(offence) == ["extension_end"]

    @pytest.mark.clause("banchi3", "B3-016")
    def test_extension_rounds_may_be_repeated_until_the_game_is_decided(self) -> None:
        drawn = Draw(tenpai=(0, 1, 2))
        passed = Draw()
        assert name(after(at("RE3", 35000, 35000, 35000), passed, BANCHI3)) == "RS1-1"
        assert name(after(at("RS3", 35000, 35000, 35000), passed, BANCHI3)) == "RE1-1"
        assert name(after(at("RS3", 35000, 35000, 35000), drawn, BANCHI3)) == "RS3-1"


class TestRulings:
    def test_a_ruling_books_its_transfers_and_discards_the_hand(self) -> None:
        state = at("E2", 25000, 25000, 25000, 25000)
        moves = (Move(0, 1, 1000), Move(None, 2, 1000))
        ruling = Ruling(reason="wall knocked over", clause="CL-096", moves=moves, stakes=(Stake(3),))
        result = kyoku.apply(state, ruling, CINDERELLA)
        assert result.after.scores == (24000, 26000, 26000, 24000)
        assert (name(result.after), result.after.kyoutaku) == ("E2-0", 0)
        assert result.transfers[-1].clause == "CL-096"

    def test_a_ruling_may_move_single_chips_between_any_two_players(self) -> None:
        state = at("E2", 30000, 30000, 30000)
        moves = (Move(2, 0, 1, "chips"), Move(0, 1, 1, "chips"))
        assert after(state, Ruling(reason="counted again", moves=moves), SUPERBINGO).amounts("chips") == (0, 1, -1)

    def test_a_ruling_may_move_play_to_another_kyoku(self) -> None:
        ruling = Ruling(reason="the wrong dealer dealt", goes_on=Position(RoundName.SOUTH, 2, 3))
        assert name(after(at("E2", 25000, 25000, 25000, 25000), ruling, CINDERELLA)) == "S2-3"

    def test_a_ruling_may_end_the_game(self) -> None:
        over = after(at("E2", 25000, 25000, 25000, 25000), Ruling(reason="time is up", ends=True), CINDERELLA)
        assert (ends(over), over.ends[0].params) == (["ruling"], {"reason": "time is up"})
