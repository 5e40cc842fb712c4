"""Ways in which hands are paid and played on that only some rule books know, on trial rulesets.

The worked examples name their clauses: EA of EMA 2016, AR of a free parlour, SC of Saikouisen.
"""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import kyoku
from scoring.hanchan import replay, result_of
from scoring.kyoku.outcomes import ChonboCalled, Draw, LiablePlayer, Points, Ron, TimeCalled, Tsumo, Win
from scoring.kyoku.state import EndReason, Stake
from scoring.last_kyoku.outcomes import Outcomes, WinPath
from scoring.ruleset import Ruleset
from scoring.settlement import settle
from scoring.value import Worth
from tests.fuzz.examples import times
from tests.scoring.kyoku_tables import (
    BANCHI4,
    BOO,
    CINDERELLA,
    TENHOU4,
    after,
    at,
    codes,
    ends,
    name,
    ron,
    told,
    trial,
    tsumo,
)

ALL_WIN = (("play.several_winners.three", "all"), ("play.several_winners.deal", "dealer_among_winners"))


def several(honba: str, stakes: str, base: Ruleset = TENHOU4) -> Ruleset:
    """Return the ruleset with two and three winners paid, and their honba and stakes like this."""
    ways = (("play.several_winners.honba", honba), ("play.several_winners.stakes", stakes))
    return trial(base, *ALL_WIN, *ways, ("play.several_winners.two", "all"))


class TestLiability:
    def test_the_counters_of_a_liable_hand_may_be_the_liable_players_as_in_ms_r14(self) -> None:
        state = at("E1", 25000, 25000, 25000, 25000, honba=1)
        outcome = Ron(loser=1, wins=(Win(2, Worth(yakuman=1), LiablePlayer(3)),))
        assert after(state, outcome, TENHOU4).scores == (25000, 9000, 57300, 8700)

    def test_of_several_yakuman_one_alone_may_be_covered_as_in_ms_r28(self) -> None:
        rules = trial(TENHOU4, ("play.pao.covers", "yakuman"))
        state = at("E1", 70000, 10000, 10000, 10000)
        outcome = Tsumo(win=Win(1, Worth(yakuman=2), LiablePlayer(0)))
        assert after(state, outcome, rules).scores == (22000, 74000, 2000, 2000)
        assert after(state, outcome, TENHOU4).scores == (6000, 74000, 10000, 10000)


class TestUnshownTile:
    def test_one_han_and_twenty_fu_can_be_entered_and_pay_200_and_400_as_in_wr_029(self) -> None:
        rules = trial(TENHOU4, ("play.win.unshown", "without_wait"))
        state = at("E1", 25000, 25000, 25000, 25000)
        assert after(state, tsumo(1, Worth(1, 20)), rules).scores == (24600, 25800, 24800, 24800)
        assert codes(state, tsumo(1, Worth(1, 20)), TENHOU4) == ["fu_needs_han"]
        given = Tsumo(win=Win(0, Points(from_other=400)))
        assert after(state, given, rules).scores == (26200, 24600, 24600, 24600)
        assert codes(state, given, TENHOU4) == ["points_impossible"]


class TestAfterAChonbo:
    def test_the_game_ends_with_the_scores_before_the_hand_as_in_sc_044(self) -> None:
        ways = (("play.penalties.chonbo.after.game", "ends"), ("settlement.chonbo.amount", 16))
        rules = trial(CINDERELLA, *ways)
        before = at("E2", 31000, 24000, 25000, 19000, honba=1, kyoutaku=1000)
        over = after(before, ChonboCalled(offenders=(3,), stakes=(Stake(0),)), rules)
        assert (over.scores, over.kyoutaku, over.chonbo) == (before.scores, 1000, (0, 0, 0, 1))
        assert [(end.reason, end.clause) for end in over.ends] == [(EndReason.OFFENCE, "CL-083")]
        settled = settle(result_of(over, rules), rules)
        assert (settled.places, settled.totals["points"]) == ((1, 3, 2, 4), (420, -160, 50, -470))

    def test_an_offence_seen_at_the_draw_ends_the_game_too(self) -> None:
        rules = trial(BANCHI4, ("play.penalties.chonbo.after.game", "ends"))
        drawn = after(at("E1", 25000, 25000, 25000, 25000), Draw(tenpai=(1,), stakes=(Stake(0),)), rules)
        assert ends(drawn) == ["offence"]


class TestTheLastDealer:
    BEFORE = (40000, 30000, 20000, 10000)
    RULES = trial(
        BANCHI4,
        ("end.dealer_stop.automatic_at", 1),
        ("end.dealer_stop.worst_place", 4),
        ("end.dealer_stop.leader_has", {"E": 0}),
        without=("end.extension", "end.target"),
    )

    def test_a_winner_who_is_first_must_stop_as_in_ar_050(self) -> None:
        result = kyoku.apply(at("E4", 25000, 25000, 25000, 25000), ron(3, 0), self.RULES)
        assert (ends(result.after), result.may_stop) == (["agari_yame"], False)

    def test_a_winner_below_the_first_may_stop_or_go_on_as_in_ar_050(self) -> None:
        result = kyoku.apply(at("E4", *self.BEFORE), ron(3, 0), self.RULES)
        assert (name(result.after), result.may_stop) == ("E4-1", True)
        assert ends(after(at("E4", *self.BEFORE), ron(3, 0, stop=True), self.RULES)) == ["agari_yame"]

    def test_the_dealer_who_would_be_first_has_one_end_and_the_others_two(self) -> None:
        outcomes = Outcomes(at("E4", *self.BEFORE), self.RULES)
        climb = outcomes.climb(WinPath(3, 0))
        chosen = {
            scores[3] > max(scores[:3]): stretch.ending.chooser
            for stretch in climb.stretches
            for scores in [climb.scores[stretch.played]]
            if scores[0] >= 0
        }
        assert chosen == {True: None, False: 3}


def timed(last: str, void_hand: str = "replayed") -> Ruleset:
    """Return the Cinderella rules with a time limit of 90 minutes."""
    limit = {"minutes": 90, "last": last, "void_hand": void_hand, "clauses": ["CL-032"]}
    return trial(CINDERELLA, ("end.time", limit), ("settlement.chonbo.amount", 20))


class TestTheTimeLimit:
    E4 = at("E4", 25000, 25000, 25000, 25000)

    def test_the_hand_of_the_signal_and_one_more_are_played_as_in_ea_065(self) -> None:
        rules = timed("one_more_hand")
        won = replay((TimeCalled(), ron(0, 1)), rules, self.E4)
        assert (name(won.state), won.state.hands_left, ends(won.state)) == ("S1-0", 1, [])
        drawn = replay((TimeCalled(), ron(0, 1), Draw(tenpai=(0,))), rules, self.E4).state
        assert [(end.reason, end.clause) for end in drawn.ends] == [(EndReason.TIME, "CL-032")]

    def test_the_hand_of_the_signal_may_be_the_last_as_in_wr_062(self) -> None:
        over = replay((TimeCalled(), tsumo(3)), timed("finish_hand"), self.E4).state
        assert ends(over) == ["time"]
        settled = settle(result_of(over, CINDERELLA), CINDERELLA)
        assert settled.places[3] == 1

    def test_a_void_last_hand_is_replayed_as_in_ea_066_or_ends_the_game_as_in_eb_066(self) -> None:
        log = (TimeCalled(), ron(0, 1), ChonboCalled(offenders=(2,)))
        replayed = replay(log, timed("one_more_hand"), self.E4).state
        assert (name(replayed), replayed.hands_left, ends(replayed)) == ("S1-0", 1, [])
        assert ends(replay((*log, Draw()), timed("one_more_hand"), self.E4).state) == ["time"]
        assert ends(replay(log, timed("one_more_hand", "ends"), self.E4).state) == ["time"]

    def test_a_void_hand_before_the_last_one_is_replayed_in_every_book(self) -> None:
        for void_hand in ("replayed", "ends"):
            void = replay(
                (TimeCalled(), ChonboCalled(offenders=(2,))), timed("one_more_hand", void_hand), self.E4
            ).state
            assert (name(void), void.hands_left) == ("E4-0", 2)

    def test_the_advice_knows_the_last_hand_and_undoing_the_signal_takes_it_back(self) -> None:
        rules = timed("finish_hand")
        assert EndReason.TIME not in Outcomes(self.E4, rules).reasons
        called = replay((TimeCalled(),), rules, self.E4)
        outcomes = Outcomes(called.state, rules)
        assert EndReason.TIME in outcomes.reasons
        assert all(after.is_over for drawn in outcomes.draws for after in drawn.ending.afters)
        assert replay((), rules, self.E4).state.hands_left is None


class TestSeveralWinners:
    BEFORE = at("E3", 29000, 30000, 30000, 30000, honba=1, kyoutaku=1000)
    CALLED = Ron(loser=0, wins=(Win(1, Worth(3, 30)), Win(3, Worth(2, 40))), stakes=(Stake(3),))

    def test_each_winner_is_paid_the_honba_and_takes_the_own_stake_back_as_in_ea_027_and_ea_028(self) -> None:
        result = kyoku.apply(self.BEFORE, self.CALLED, several("each", "own_back"))
        assert (result.after.scores, name(result.after)) == ((21900, 35200, 30000, 32900), "E4-0")
        assert told(result.transfers) == [
            (3, None, 1000, "stake"),
            (0, 1, 3900, "hand"),
            (0, 1, 300, "honba"),
            (None, 1, 1000, "deposits"),
            (0, 3, 2600, "hand"),
            (0, 3, 300, "honba"),
            (None, 3, 1000, "deposits"),
        ]

    def test_each_winner_is_paid_the_honba_and_the_first_takes_all_sticks_as_in_ar_022(self) -> None:
        before = at("E3", 24000, 25000, 25000, 25000, honba=1, kyoutaku=1000)
        assert after(before, self.CALLED, several("each", "head")).scores == (16900, 31200, 25000, 26900)

    def test_honba_of_a_hand_without_yaku_run_on_only_if_no_winner_collects_them(self) -> None:
        state = at("E1", 2000, 2000, 2000, 2000, honba=1)
        calls = Ron(loser=0, wins=(Win(1, Worth(0, 30)), Win(3, Worth(2, 30))))
        for honba, following in (("each", "E2-0"), ("head", "E2-2")):
            rules = trial(
                BOO,
                *ALL_WIN,
                ("play.several_winners.two", "all"),
                ("play.several_winners.honba", honba),
                ("play.honba.without_yaku", False),
                without=("play.legality",),
            )
            assert name(after(state, calls, rules)) == following

    @pytest.mark.parametrize(("honba", "stakes"), list(product(("head", "each"), ("head", "own_back"))))
    @settings(max_examples=times(15))
    @given(data=st.data())
    def test_the_scores_are_those_of_a_second_computation(self, honba: str, stakes: str, data: st.DataObject) -> None:
        loser, left = data.draw(st.integers(0, 3)), 1000 * data.draw(st.integers(0, 4))
        counters = data.draw(st.integers(0, 5))
        others = [(loser + step) % 4 for step in (1, 2, 3)]
        winners = data.draw(st.lists(st.sampled_from(others), min_size=1, max_size=3, unique=True))
        riichi = data.draw(st.lists(st.sampled_from(range(4)), max_size=3, unique=True))
        state = at("E1", 50000, 50000, 50000, 50000, honba=counters, kyoutaku=left)
        outcome = Ron(
            loser=loser, wins=tuple(Win(seat, Worth(5)) for seat in winners), stakes=tuple(map(Stake, riichi))
        )
        scores = [50000] * 4
        first = min(winners, key=others.index)
        for seat in riichi:
            scores[seat] -= 1000
            scores[seat if stakes == "own_back" and seat in winners else first] += 1000
        scores[first] += left
        for seat in winners:
            paid = (12000 if seat == 0 else 8000) + (300 * counters if honba == "each" or seat == first else 0)
            scores[loser] -= paid
            scores[seat] += paid
        assert after(state, outcome, several(honba, stakes)).scores == tuple(scores)
