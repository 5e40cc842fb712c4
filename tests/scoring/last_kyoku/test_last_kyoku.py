"""Conditions of each seat in the last kyoku, worked out by hand; the arithmetic is given beside each case."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rulesets.formats import load_format
from scoring.kyoku.state import EndCause, EndReason, InHand, Stake, State
from scoring.last_kyoku import (
    Advance,
    Answer,
    AnswerStatus,
    Float,
    FloatingPlace,
    Goal,
    GoalVerdict,
    League,
    NotOut,
    Outcomes,
    Place,
    PlaceLine,
    Run,
    Top,
    answers,
    goals_of,
    may_end,
)
from scoring.last_kyoku.phrases import ENGLISH
from scoring.last_kyoku.telling import draw_phrases, goal_phrase, needs_phrase, threat_phrases, waiting_phrase
from scoring.ruleset import Ruleset
from scoring.ruleset.play import NoHandsError
from scoring.standings import Played, Row
from scoring.top_payment import TopType
from scoring.value import By
from tests.scoring.kyoku_tables import BANCHI3, BANCHI4, BOO, CINDERELLA, KANSAI3, MLEAGUE, SUPERBINGO, TENHOU4, at
from tests.scoring.uma_rules import trial, trial_with_hands

TIEBREAK = load_format("cinderella").tiebreak
WIN = Place(1)


def asked(state: State, rules: Ruleset, seat: int, goal: Goal = WIN) -> Answer:
    return answers(Outcomes(state, rules), (goal,), (seat,))[0]


def says(state: State, rules: Ruleset, seat: int, goal: Goal = WIN) -> str:
    return ENGLISH.say(needs_phrase(asked(state, rules, seat, goal)))


def draws(state: State, rules: Ruleset, seat: int, goal: Goal = WIN) -> list[str]:
    return [ENGLISH.say(each) for each in draw_phrases(asked(state, rules, seat, goal).draws, seat, state.players)]


def riichi_draws(state: State, rules: Ruleset, seat: int, goal: Goal = WIN) -> list[str]:
    found = asked(state, rules, seat, goal).draws_in_riichi
    return [ENGLISH.say(each) for each in draw_phrases(found, seat, state.players)] if found else []


def lost(state: State, rules: Ruleset, seat: int, goal: Goal = WIN) -> list[str]:
    return [ENGLISH.say(each) for each in threat_phrases(asked(state, rules, seat, goal)).values()]


def reached(answer: Answer, by: By, loser: int | None = None) -> list[tuple[int, int | None]]:
    """Return the points (first, last) of the runs that reach the goal; last is None for an open-ended run."""
    way = next(each for each in answer.ways if each.by is by and (loser is None or loser in each.losers))
    return [_ends(run) for run in way.runs_of(GoalVerdict.REACHED)]


def _ends(run: Run) -> tuple[int, int | None]:
    return run.first.points, None if run.is_to_top else run.last.points


class TestWinsThatReachTheTop:
    @pytest.mark.clause("cinderella", "CL-144")
    def test_the_second_needs_a_tsumo_a_direct_hit_or_a_ron_from_the_others(self) -> None:
        # Second by 9,900, dealer is seat 3. A mangan drawn brings 8,000 and costs the first 2,000: 10,000; the hand
        # below (1,800-3,600) 7,200 + 1,800 = 9,000. A direct hit counts twice: 5,200 x 2 = 10,400, 4,500 x 2 = 9,000.
        # From the others 8,000 is short, 12,000 is not.
        state = at("S4", 34900, 25000, 20100, 20000)
        assert says(state, CINDERELLA, 1) == "tsumo mangan, direct hit 5,200, from the others 12,000 (haneman)"

    @pytest.mark.clause("tenhou4", "TH-010")
    def test_honba_count_for_each_way_of_winning_as_they_are_paid(self) -> None:
        # Three honba: a self-draw brings 300 from each, and costs the first 300: 1,200. Direct 900 twice, 1,800; from
        # the others 900. 9,900 are missing: drawn 7,200 + 1,800 + 1,200 = 10,200, and 6,400 + 1,600 + 1,200 = 9,200;
        # direct 4,500 x 2 + 1,800 = 10,800, and 3,900 x 2 + 1,800 = 9,600; from the others 8,000 + 900 is short.
        state = at("S4", 34900, 25000, 20100, 20000, honba=3)
        answer = asked(state, TENHOU4, 1)
        assert reached(answer, By.TSUMO) == [(7200, None)]
        assert reached(answer, By.RON, 0) == [(4500, None)]
        assert reached(answer, By.RON, 2) == reached(answer, By.RON, 3) == [(12000, None)]

    def test_deposits_and_stakes_of_the_others_reduce_the_need_of_the_winner(self) -> None:
        # Deposits are 1,000 from before and 1,000 just staked by the first, now at 33,900; the second wins 2,000 more.
        # 27,000 + x > 33,900 - x takes 3,600 (7,200 against the 6,900 missing), and 3,200 (6,400) is short.
        state = replace(at("S4", 34900, 25000, 20100, 19000, kyoutaku=1000), hand=InHand(stakes=(Stake(0),)))
        answer = asked(state, TENHOU4, 1)
        assert reached(answer, By.RON, 0) == [(3600, None)]
        # From the others 6,900 are missing: 7,100.
        assert reached(answer, By.RON, 3) == [(7100, None)]

    def test_a_third_player_may_be_in_between(self) -> None:
        # A direct hit of 5,800 leaves the first 24,200; with 26,800 seat 1 is behind seat 2's 27,000: 6,400 it takes.
        # From the others 8,000 makes 29,000 against 30,000. Drawn: 20,000 + 7,200 + 1,000 = 28,200 = 30,000 - 1,800,
        # and level players share the place.
        state = at("S4", 30000, 20000, 27000, 22000, kyoutaku=1000)
        told = "tsumo 1,800-3,600 (110 fu 2 han), direct hit 6,400, from the others 12,000 (haneman)"
        assert says(state, CINDERELLA, 1) == told

    @pytest.mark.clause("banchi4", "B4-073")
    def test_where_seats_break_ties_equal_scores_suffice_only_nearer_to_the_first_dealer(self) -> None:
        # 2,000 from the dealer makes 28,000 each: seat 0 sits nearer to the first dealer than seat 1.
        assert reached(asked(at("E4", 26000, 28000, 23000, 23000), BANCHI4, 0), By.RON, 3) == [(2000, None)]
        assert reached(asked(at("E4", 28000, 26000, 23000, 23000), BANCHI4, 1), By.RON, 3) == [(2300, None)]

    def test_the_leader_needs_any_win_and_a_distant_player_cannot_reach_the_top(self) -> None:
        state = at("E3", 80000, 6000, 4000)
        assert says(state, SUPERBINGO, 0) == "any win will do"
        # A yakuman from the first, 32,000, gives 38,000 against 48,000; by tsumo 38,000 against 68,000.
        assert asked(state, SUPERBINGO, 1).status is AnswerStatus.NOT_WITH_ONE_HAND
        assert says(state, SUPERBINGO, 1) == "not with one hand"

    def test_payers_with_the_same_requirement_are_listed_together(self) -> None:
        # The dealer has 40,000. From him 4,000 make 39,000, and without 40,000 at the table the game
        # goes on; 5,000 do. From seat 1 5,000 make 40,000 each, and seat 0 sits nearer to the first dealer.
        told = says(at("S3", 35000, 30000, 40000), KANSAI3, 0)
        assert told == "tsumo 2,000-3,000 (70 fu 2 han), ron 5,000; after other wins the game goes on"

    @pytest.mark.clause("cinderella", "CL-084")
    def test_a_player_with_a_dead_hand_may_not_win(self) -> None:
        state = replace(at("S4", 34900, 25000, 20100, 20000), hand=InHand(dead=(1,)))
        assert says(state, CINDERELLA, 1) == "no win is allowed in this hand"


class TestSetsWithGaps:
    @pytest.mark.clause("superbingo", "SB-064", "SB-065")
    def test_second_place_with_30000_needs_neither_too_little_nor_too_much(self) -> None:
        # 25,000 + 4,000 is short of 30,000; 25,000 + 8,000 = 33,000 behind 35,000; 12,000 makes 37,000, which is first.
        # From the first 8,000 leaves him 27,000: seat 1 would be first. Drawn mangan: 33,000 against 35,000 - 3,000.
        goal = PlaceLine(2, 2, 30000, reached=True)
        state = at("E3", 35000, 25000, 30000)
        assert says(state, SUPERBINGO, 1, goal) == "direct hit exactly 8,000"
        assert reached(asked(state, SUPERBINGO, 1, goal), By.RON, 2) == [(8000, 8000)]

    def test_a_run_in_the_middle_of_the_ladder_is_written_as_a_range(self) -> None:
        # Seat 0 loses the second place to seat 1 winning from seat 2 for 1,000 to 8,000 (26,000 to 33,000 behind
        # 35,000 is no matter: he himself is first then, not second); from 12,000 on he is second with 35,000.
        goal = PlaceLine(2, 2, 30000, reached=True)
        state = at("E3", 35000, 25000, 30000)
        assert "from the others 1,000 to 8,000" in lost(state, SUPERBINGO, 0, goal)[0]

    def test_a_larger_win_may_miss_the_goal_and_the_gap_is_named(self) -> None:
        # Seat 1 draws 1,000 from each and more: seat 0 is first, not second. Mangan 33,000 against 32,000: second with
        # 32,000. Haneman 37,000: 31,000. Baiman 41,000: 29,000 is short of the line.
        goal = PlaceLine(2, 2, 30000, reached=True)
        state = at("E3", 35000, 25000, 30000)
        told = lost(state, SUPERBINGO, 0, goal)[0]
        assert "tsumo with anything (but not mangan to haneman)" in told

    def test_a_single_hand_may_miss_the_goal(self) -> None:
        # Only one tsumo hand misses the goal: the mangan of 500-1,000, between hands that reach it.
        answer = asked(at("S2", 2000, 2000, 2500, 1500), BOO, 0, Top((TopType.A,)))
        tsumo = next(way for way in answer.ways if way.by is By.TSUMO)
        gaps = [(run.verdict, run.first.points, run.last.points) for run in tsumo.gaps(GoalVerdict.REACHED)]
        # With 600-800 no player is bust; the game ends because seat 0 reaches 4,000. A mangan
        # without closed points and dora, 500-1,000 = 2,000, ends it with 4,000 as well; seat 2 then keeps 2,000.
        assert gaps == [(GoalVerdict.MISSED, 2000, 2000)]
        assert says(at("S2", 2000, 2000, 2500, 1500), BOO, 0, Top((TopType.A,))).startswith(
            "tsumo 600-800 (50 fu 2 han, closed, 3 dora) (but not 500-1,000 (mangan))"
        )


class TestTheGameMayGoOn:
    @pytest.mark.clause("cinderella", "CL-050", "CL-051")
    def test_the_game_goes_on_after_a_dealer_win_where_stopping_is_not_played(self) -> None:
        state = at("S4", 25000, 20000, 27000, 28000)
        assert says(state, CINDERELLA, 3) == "after a win the game goes on"
        assert asked(state, CINDERELLA, 3).status is AnswerStatus.GOES_ON

    @pytest.mark.clause("banchi4", "B4-022")
    def test_the_dealer_may_end_the_game_when_placed_high_enough(self) -> None:
        # The dealer's smallest win, 500 from each, gives 28,500 against 27,500; a player has 27,000 in any case.
        state = at("E4", 28000, 24000, 21000, 27000)
        assert says(state, BANCHI4, 3) == "any win will do, ending the game as dealer where it would go on"
        assert all(run.is_choice for way in asked(state, BANCHI4, 3).ways for run in way.runs[:1])

    def test_a_choice_of_the_dealer_counts_as_the_worse_case_for_the_others(self) -> None:
        state = at("E4", 28000, 24000, 21000, 27000)
        assert "lost if seat 3 wins at all" in lost(state, BANCHI4, 0)

    @pytest.mark.clause("tenhou4", "TH-008")
    def test_where_stopping_is_automatic_the_leading_dealer_ends_the_game_by_winning(self) -> None:
        state = at("S4", 30000, 25000, 15000, 30000)
        answer = asked(state, TENHOU4, 3)
        assert (answer.status, [run.is_choice for run in answer.ways[0].runs]) == (AnswerStatus.ANY_WIN, [False])

    @pytest.mark.clause("tenhou4", "TH-007", "TH-008")
    def test_some_wins_end_the_game_and_others_let_it_go_on(self) -> None:
        # The dealer has 20,000 and is first with 30,000 or more alone: ron 11,600 makes 31,600 against 29,000.
        state = at("S4", 29000, 27000, 24000, 20000)
        told = says(state, TENHOU4, 3)
        assert told.endswith("; after other wins the game goes on")
        assert reached(asked(state, TENHOU4, 3), By.RON, 2) == [(10600, None)]

    @pytest.mark.clause("superbingo", "SB-016")
    def test_a_goal_that_no_win_reaches_may_remain_open_if_the_game_goes_on(self) -> None:
        goal = PlaceLine(2, 2, 30000, reached=True)
        told = says(at("E3", 35000, 25000, 30000), SUPERBINGO, 2, goal)
        assert told == "not with one hand, but after some wins the game goes on"


class TestWinsThatMayNotBeTaken:
    STATE = at("E3", 1000, 300, 3000, 3700)

    @pytest.mark.clause("boo", "BOO-075")
    def test_a_forbidden_win_does_not_count_towards_a_goal(self) -> None:
        # From seat 1 300 and more take them out; with less than 1,000 seat 0 stays below 2,000, which is forbidden.
        # 2,700 make 3,700 each, and seat 0 sits nearer to the first dealer.
        way = next(each for each in asked(self.STATE, BOO, 0).ways if each.losers == (1,))
        told = [(run.verdict, *_ends(run)) for run in way.runs]
        assert told == [
            (GoalVerdict.GOES_ON, 120, 280),
            (GoalVerdict.FORBIDDEN, 300, 980),
            (GoalVerdict.MISSED, 1000, 2620),
            (GoalVerdict.REACHED, 2700, None),
        ]

    @pytest.mark.clause("boo", "BOO-026")
    def test_floating_needs_the_origin_score_at_the_end_of_the_game(self) -> None:
        # 1,000 from seat 1 make 2,000 and end the game.
        assert reached(asked(self.STATE, BOO, 0, Float(2000)), By.RON, 1) == [(1000, None)]

    @pytest.mark.clause("boo", "BOO-080")
    def test_where_payments_are_cut_no_player_busts_and_the_game_goes_on(self) -> None:
        rules = BOO.with_options({"bust_without_rising": "pay_to_limit"})
        way = next(each for each in asked(self.STATE, rules, 0).ways if each.losers == (1,))
        assert _ends(way.runs[0]) == (120, 980)
        assert way.runs[0].verdict is GoalVerdict.GOES_ON


class TestDraws:
    @pytest.mark.clause("cinderella", "CL-053", "CL-051")
    def test_the_result_of_a_draw_depends_on_the_tenpai_players(self) -> None:
        # The second is 2,000 behind. Tenpai alone 3,000 + 1,000 passes; two against two 1,500 + 1,500 passes; level
        # is enough: with three tenpai each gets 1,000 and the first, if not among them, pays 3,000.
        state = at("S4", 32000, 30000, 20000, 18000)
        assert draws(state, CINDERELLA, 0) == ["at a draw depending on who is tenpai"]
        passes = [draw.tenpai for draw in asked(state, CINDERELLA, 1).draws if draw.verdict is GoalVerdict.REACHED]
        assert passes == [(1,), (1, 2), (1, 3), (1, 2, 3)]

    @pytest.mark.parametrize(
        ("lead", "told"),
        [
            (0, "at a draw depending on who is tenpai"),
            (3500, "at any draw but with seat 1 alone tenpai; seat 1 and seat 2 and seat 3 tenpai"),
            (4000, "any draw will do"),
        ],
    )
    def test_a_lead_of_4000_is_safe_at_any_draw(self, lead: int, told: str) -> None:
        # Alone tenpai the second gains 3,000 and the first pays 1,000; all but the first tenpai, 1,000 and 3,000: 4,000
        # both times. Two against two it is 3,000.
        assert draws(at("S4", 30000 + lead, 30000, 20000, 20000 - lead), CINDERELLA, 0) == [told]

    @pytest.mark.clause("cinderella", "CL-059")
    def test_the_own_riichi_costs_its_stake_at_a_draw(self) -> None:
        # 500 ahead, less the stake, 500 behind: tenpai alone brings 3,000; with the second tenpai too both get 1,500.
        found = asked(at("S4", 30500, 30000, 20000, 19500), CINDERELLA, 0)
        assert {draw.tenpai for draw in found.draws_in_riichi} == {
            each.tenpai for each in found.draws if 0 in each.tenpai
        }
        verdicts = {draw.tenpai: draw.verdict for draw in found.draws_in_riichi}
        assert (verdicts[(0,)], verdicts[(0, 1)]) == (GoalVerdict.REACHED, GoalVerdict.MISSED)
        assert next(draw.verdict for draw in found.draws if draw.tenpai == (0, 1)) is GoalVerdict.REACHED

    @pytest.mark.clause("kansai3", "KS-226")
    def test_a_player_who_cannot_declare_riichi_has_no_draws_in_riichi(self) -> None:
        assert riichi_draws(at("S3", 500, 60000, 44500), KANSAI3, 0) == []

    @pytest.mark.clause("superbingo", "SB-019")
    def test_a_third_riichi_is_assumed_open_where_it_must_be(self) -> None:
        state = replace(at("E3", 30000, 29000, 31000), hand=InHand(stakes=(Stake(0), Stake(2))))
        assert [draw.tenpai for draw in asked(state, SUPERBINGO, 1).draws_in_riichi] == [(0, 1, 2)]

    def test_a_player_in_riichi_is_tenpai_at_every_draw(self) -> None:
        state = replace(at("S4", 31000, 30000, 20000, 19000), hand=InHand(stakes=(Stake(2),)))
        assert all(2 in draw.tenpai for draw in asked(state, CINDERELLA, 0).draws)

    @pytest.mark.parametrize(
        ("state", "rules", "seat", "goal", "told"),
        [
            (at("S4", 31000, 30000, 20000, 19000), TENHOU4, 3, WIN, ["after a draw the game goes on if tenpai"]),
            (at("S2", 2000, 2000, 2500, 1500), BOO, 0, WIN, ["after a draw the game goes on"]),
            (at("S4", 60000, 20000, 10000, 10000), CINDERELLA, 1, WIN, ["no draw will do"]),
            (
                at("E3", 35000, 25000, 30000),
                SUPERBINGO,
                0,
                WIN,
                ["at a draw if seat 2 is not tenpai", "after a draw with seat 2 tenpai the game goes on"],
            ),
            (
                at("E3", 35000, 25000, 30000),
                SUPERBINGO,
                2,
                Place(2),
                ["at a draw if not tenpai", "after a draw the game goes on if tenpai"],
            ),
            (
                at("E3", 35000, 25000, 30000),
                SUPERBINGO,
                2,
                PlaceLine(2, 2, 30000, reached=True),
                ["at a draw with no player tenpai", "after a draw the game goes on if tenpai"],
            ),
            (
                at("E3", 35000, 25000, 30000),
                SUPERBINGO,
                0,
                PlaceLine(1, 2, 30000, reached=False),
                [
                    "at a draw with seat 0 alone tenpai; seat 1 alone tenpai; seat 0 and seat 1 tenpai",
                    "after a draw with seat 2 tenpai the game goes on",
                ],
            ),
        ],
    )
    def test_the_draws_are_summarized_in_the_shortest_phrase(
        self, state: State, rules: Ruleset, seat: int, goal: Goal, told: Sequence[str]
    ) -> None:
        assert draws(state, rules, seat, goal) == told


class TestSafe:
    def test_a_lead_that_no_hand_can_overcome_is_safe(self) -> None:
        # 500.0 ahead: a fourfold yakuman, 128,000 from one to the other, moves 256.0, and the places 60.0.
        league = block(rows={0: 5000, 1: 0, 2: 0, 3: 0})
        state = at("S4", 40000, 20000, 20000, 20000)
        answer = asked(state, CINDERELLA, 0, Advance(1, league))
        assert (answer.status, answer.may_go_on) == (AnswerStatus.SAFE, True)
        assert ENGLISH.say(needs_phrase(answer)) == "nothing is needed if the game ends with this hand"

    def test_a_goal_is_safe_for_good_where_the_dealer_can_neither_win_nor_be_tenpai(self) -> None:
        state = replace(at("S4", 40000, 20000, 20000, 20000), hand=InHand(dead=(3,)))
        told = says(state, CINDERELLA, 0, Advance(1, block(rows={0: 5000, 1: 0, 2: 0, 3: 0})))
        assert told == "nothing is needed: it is safe whatever happens"

    @pytest.mark.clause("superbingo", "SB-030")
    def test_two_wins_on_one_discard_may_lose_a_goal_that_no_single_win_loses(self) -> None:
        # The dealer is first with 87,000. A yakuman of either leaves 55,000 against 34,000; both at once, 64,000, leave
        # 23,000 against 34,000 and 33,000.
        answer = asked(at("E3", 2000, 1000, 87000), SUPERBINGO, 2, Place(2))
        verdicts = {run.verdict for way in (*answer.ways, *answer.others) for run in way.runs}
        assert verdicts | {draw.verdict for draw in answer.draws} == {GoalVerdict.REACHED, GoalVerdict.GOES_ON}
        assert answer.status is AnswerStatus.ANY_WIN


def block(
    rows: dict[int, int], *, waiting_for: Sequence[int] = (), rulings: tuple[tuple[int, ...], ...] = ()
) -> League:
    """Return a block with these points in tenths; seats 0 to 3 and `waiting_for` have yet to play."""
    left = {0, 1, 2, 3, *waiting_for}
    found = tuple(
        Row(each, tuple(Played(n, 0, 2, 30000) for n in ((1,) if each in left else (1, 2))), carried=points)
        for each, points in rows.items()
    )
    return League((0, 1, 2, 3), 2, found, TIEBREAK, rulings)


class TestAdvancing:
    def test_advancing_is_computed_in_league_points(self) -> None:
        # Two go on. Seat 1 has 0.0; entrant 9 (finished) 4.0; entrant 8 has 90.0. As second with 30,000 seat 1
        # gets +10.0; as third -10.0 and less. So it takes the second place: 25,000 and more than seat 2's 28,000.
        rows = {0: -900, 1: 0, 2: -900, 3: -900, 8: 900, 9: 40}
        league = block(rows)
        state = at("S4", 32000, 25000, 28000, 15000)
        answer = asked(state, CINDERELLA, 1, Advance(2, league))
        # Direct on seat 2: 25,000 + 1,600 > 28,000 - 1,600: second with 26,600: 26.6 - 30 + 10 = +6.6. With 1,300 each
        # has 26,300 and 26,700. From seat 3: 3,200 makes 28,200 and +8.2; 2,900 is third.
        assert reached(answer, By.RON, 2) == [(1600, None)]
        assert reached(answer, By.RON, 3) == [(3200, None)]
        assert waiting_phrase(answer) is None

    def test_a_requirement_is_exact_to_one_hundred_points(self) -> None:
        # Entrant 9 has 7.0. Second with x points: x/1000 - 30 + 10 >= 7.0 needs 27,000; level is settled by the last
        # hanchan, in which entrant 9 had nothing.
        league = block({0: -900, 1: 0, 2: -900, 3: -900, 8: 900, 9: 70})
        state = at("S4", 32000, 25000, 24000, 19000)
        assert reached(asked(state, CINDERELLA, 1, Advance(2, league)), By.RON, 3) == [(2000, None)]

    def test_more_advancing_places_need_a_smaller_win(self) -> None:
        league = block({0: -900, 1: 0, 2: -900, 3: -900, 7: 200, 8: 900, 9: 70})
        outcomes = Outcomes(at("S4", 32000, 25000, 24000, 19000), CINDERELLA)
        two, three, four = answers(outcomes, tuple(Advance(places, league) for places in (2, 3, 4)), (1,))
        # Two places: more than 20.0 is asked, which only the top brings. Three: 7.0, as above. Four: 7, 8
        # and 9 alone are ahead in any case.
        assert (reached(two, By.RON, 3), reached(three, By.RON, 3)) == ([(7100, None)], [(2000, None)])
        assert four.status is AnswerStatus.ANY_WIN

    def test_those_whose_ranks_do_not_count_take_no_place_and_a_total_is_needed_besides(self) -> None:
        # As above with three places, of which entrant 8 takes none.
        rows = {0: -900, 1: 0, 2: -900, 3: -900, 7: 200, 8: 900, 9: 70}
        state = at("S4", 32000, 25000, 24000, 19000)
        spared = replace(block(rows), exempt=frozenset({8}))
        assert reached(asked(state, CINDERELLA, 1, Advance(2, spared)), By.RON, 3) == [(2000, None)]
        # A total of 9.0 asks for 29,000 as second: 3,900 from seat 3 are one hundred short.
        assert reached(asked(state, CINDERELLA, 1, Advance(2, spared, 90)), By.RON, 3) == [(4500, None)]
        itself = replace(block(rows), exempt=frozenset({1}))
        ways = asked(state, CINDERELLA, 1, Advance(7, itself)).ways
        assert not [run for way in ways for run in way.runs_of(GoalVerdict.REACHED)]

    def test_entrants_who_have_yet_to_play_are_named(self) -> None:
        league = block({0: 0, 1: 0, 2: 0, 3: 0, 7: 50, 8: 10, 9: 0}, waiting_for=(7, 8))
        answer = asked(at("S4", 32000, 25000, 24000, 19000), CINDERELLA, 1, Advance(2, league))
        assert answer.waiting == (7, 8)
        told = waiting_phrase(answer)
        assert told is not None
        assert ENGLISH.say(told) == "depends on results still to come: 7 and 8"

    @pytest.mark.clause("cinderella", "CL-029")
    def test_an_unbroken_tie_advances_only_by_a_ruling(self) -> None:
        # All are level, and so they are after a draw with all noten: all four share the first rank.
        level = at("S4", 25000, 25000, 25000, 25000)
        for rulings, verdict in (((), GoalVerdict.MISSED), (((1, 0, 2, 3),), GoalVerdict.REACHED)):
            league = block({0: 0, 1: 0, 2: 0, 3: 0}, rulings=rulings)
            noten = next(draw for draw in asked(level, CINDERELLA, 1, Advance(1, league)).draws if not draw.tenpai)
            assert noten.verdict is verdict

    def test_a_hanchan_already_in_the_standings_is_removed_first(self) -> None:
        league = replace(block({0: 0, 1: 0, 2: 0, 3: 0}), number=1)
        answer = asked(at("S4", 32000, 25000, 24000, 19000), CINDERELLA, 0, Advance(1, league))
        assert answer.status is AnswerStatus.ANY_WIN

    def test_an_entrant_without_a_row_starts_from_zero(self) -> None:
        league = replace(block({1: 0, 2: 0, 3: 0}), entrants=(5, 1, 2, 3))
        assert (
            asked(at("S4", 32000, 25000, 24000, 19000), CINDERELLA, 0, Advance(1, league)).status
            is AnswerStatus.ANY_WIN
        )


class TestWhichKyokuMayEndTheGame:
    @pytest.mark.parametrize(
        ("state", "rules", "reasons"),
        [
            (at("S3", 25000, 25000, 25000, 25000), CINDERELLA, set()),
            (at("S4", 25000, 25000, 25000, 25000), CINDERELLA, {"last_hand"}),
            (at("E1", 25000, 25000, 25000, 25000), BANCHI4, {"bust", "target"}),
            (at("E4", 26000, 24000, 25000, 25000), BANCHI4, {"bust", "target", "last_hand", "agari_yame"}),
            (at("S1", 26000, 24000, 25000, 25000), BANCHI4, {"bust", "target", "sudden_death"}),
            (at("RE1", 35000, 35000, 35000), BANCHI3, {"bust", "sudden_death"}),
            (at("E1", 2000, 2000, 2000, 2000), BOO, {"bust", "target"}),
            (at("E3", 30000, 30000, 30000), SUPERBINGO, {"bust", "last_hand"}),
            (at("W4", 25000, 25000, 25000, 25000), TENHOU4, {"bust", "sudden_death", "extension_end"}),
        ],
    )
    def test_every_possible_reason_for_the_end_is_found(self, state: State, rules: Ruleset, reasons: set[str]) -> None:
        outcomes = Outcomes(state, rules)
        assert outcomes.reasons == {EndReason(each) for each in reasons}
        assert may_end(state, rules) is bool(reasons)

    def test_the_end_is_near_if_a_mangan_can_end_the_game(self) -> None:
        assert not Outcomes(at("E1", 25000, 25000, 25000, 25000), TENHOU4).is_near_end
        assert Outcomes(at("E1", 45000, 23000, 25000, 7000), TENHOU4).is_near_end
        assert Outcomes(at("S4", 25000, 25000, 25000, 25000), TENHOU4).is_near_end

    def test_a_finished_game_has_no_conditions(self) -> None:
        over = replace(at("S4", 25000, 25000, 25000, 25000), ends=(EndCause(EndReason.LAST_HAND, "CL-035"),))
        assert (may_end(over, CINDERELLA), answers(Outcomes(over, CINDERELLA), (WIN,))) == (False, ())

    def test_a_ruleset_of_final_scores_raises_an_error(self) -> None:
        with pytest.raises(NoHandsError):
            may_end(at("S4", 25000, 25000, 25000, 25000), MLEAGUE)


class TestGoals:
    @pytest.mark.parametrize(
        ("rules", "goals"),
        [
            (CINDERELLA, (Place(1), Place(2), Place(3))),
            (TENHOU4, (Place(1), Place(2), Place(3), NotOut())),
            (BANCHI4, (Place(1), NotOut())),
            (BANCHI3, (Place(1), Float(40000), NotOut())),
            (KANSAI3, (Place(1), Float(40000), NotOut())),
            (
                SUPERBINGO,
                (
                    Place(1),
                    Place(2),
                    PlaceLine(2, 2, 30000, reached=True),
                    PlaceLine(1, 2, 30000, reached=False),
                    NotOut(),
                ),
            ),
            (BOO, (Place(1), Top((TopType.A,)), Top((TopType.A, TopType.B)), Float(2000), NotOut())),
        ],
    )
    def test_the_goals_follow_from_the_payouts_of_a_ruleset(self, rules: Ruleset, goals: tuple[Goal, ...]) -> None:
        assert goals_of(rules) == goals

    def test_an_uma_by_floating_players_makes_goals_of_floating_and_of_floating_alone(self) -> None:
        goals = (Top((TopType.A,)), FloatingPlace(2, 30000), FloatingPlace(None, 30000))
        assert goals_of(trial()) == (Place(1), Place(2), Place(3), *goals)
        assert FloatingPlace(None, 30100) in goals_of(trial(at_line="sinks"))
        assert goals_of(trial(rows={"1": [8, 4, -4, -8]})) == (Place(1), Place(2), Place(3))

    def test_a_sinking_uma_of_zero_makes_no_goal(self) -> None:
        assert Float(40000) not in goals_of(BANCHI3.with_options({"sink_uma": 0}))

    @pytest.mark.parametrize(
        ("goal", "told", "params"),
        [
            (Place(1), "to win the game", {"place": 1}),
            (Place(2), "to be number 2 or better", {"place": 2}),
            (Place(3), "not to be last", {"place": 3}),
            (FloatingPlace(2, 30000), "to be number 2 or better with 30,000 or more", {"place": 2, "line": 30000}),
            (FloatingPlace(None, 30000), "to have 30,000 or more", {"place": None, "line": 30000}),
            (Float(40000), "to have 40,000 or more", {"line": 40000}),
            (Top((TopType.A,)), "to be the top and alone above the line", {"kind": "A"}),
            (
                Top((TopType.A, TopType.B)),
                "to be the top with no more than one other above the line",
                {"kind": "B"},
            ),
            (
                PlaceLine(2, 2, 30000, reached=True),
                "to be number 2 with 30,000 or more",
                {"own": 2, "place": 2, "line": 30000, "reached": True},
            ),
            (
                PlaceLine(1, 2, 30000, reached=False),
                "to be number 1 with number 2 below 30,000",
                {"own": 1, "place": 2, "line": 30000, "reached": False},
            ),
            (NotOut(), "not to go out", {}),
            (Advance(2, block({})), "to be among the first 2 of the block", {"places": 2}),
        ],
    )
    def test_each_goal_has_a_phrase_and_parameters(self, goal: Goal, told: str, params: dict[str, object]) -> None:
        assert (ENGLISH.say(goal_phrase(goal, 4)), dict(goal.params)) == (told, params)

    @pytest.mark.clause("kansai3", "KS-030")
    def test_floating_needs_the_score_of_the_sinking_uma(self) -> None:
        # The top never sinks; seat 1 floats with 40,000: 35,000 + 5,000 from seat 2.
        state = at("S3", 45000, 35000, 25000)
        answer = asked(state, KANSAI3, 1, Float(40000))
        assert reached(answer, By.RON, 2) == [(5000, None)]

    def test_a_place_without_the_line_misses_the_goal_of_floating(self) -> None:
        # Seat 1 is second with 27,000: any win keeps the place, but only 3,000 or more reach 30,000 as well.
        state, rules = at("S4", 40000, 27000, 20000, 13000), trial_with_hands()
        assert asked(state, rules, 1, Place(2)).status is AnswerStatus.ANY_WIN
        answer = asked(state, rules, 1, FloatingPlace(2, 30000))
        assert (reached(answer, By.TSUMO), reached(answer, By.RON, 2)) == ([(3100, None)], [(3200, None)])

    def test_to_be_the_top_and_float_alone_a_direct_hit_must_sink_the_leader(self) -> None:
        state, rules = at("S4", 40000, 27000, 20000, 13000), trial_with_hands()
        answer = asked(state, rules, 1, Top((TopType.A,)))
        assert (reached(answer, By.RON, 0), reached(answer, By.RON, 2)) == ([(12000, None)], [])

    @pytest.mark.clause("tenhou4", "TH-006")
    def test_a_bust_is_a_threat_even_if_the_game_goes_on(self) -> None:
        state = at("E1", 1000, 33000, 33000, 33000)
        told = lost(state, TENHOU4, 0, NotOut())
        # The dealer, seat 0, pays 800 for 400-800 and 1,200 for 600-1,200; 1,000 straight leave zero, which is not out.
        assert told[0] == "lost if seat 1 wins: tsumo 600-1,200 (70 fu 1 han), direct hit 1,300"
        assert asked(state, TENHOU4, 0, NotOut()).status is AnswerStatus.ANY_WIN


class TestWhatTheOthersDo:
    def test_the_threats_list_the_wins_of_each_rival(self) -> None:
        # Second with 27,000 against 30,000: seat 3 deals. Any win of the first loses; so does seat 3's.
        state = at("S4", 30000, 27000, 22000, 21000)
        assert lost(state, TENHOU4, 1)[0] == "lost if seat 0 wins at all"

    def test_a_win_of_a_rival_may_not_matter(self) -> None:
        # The dealer's win lets the game go on, whatever it is.
        state = at("S4", 60000, 20000, 10000, 10000)
        assert lost(state, CINDERELLA, 0)[2] == "kept whatever seat 3 wins"
