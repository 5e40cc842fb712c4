"""Winning sets of the last kyoku compared with brute force: every hand, won in every way, on random tables.

The judge here knows nothing of ladders and runs: it plays each win and each draw through the kyoku engine, settles
the game if it is over, and evaluates the goal.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import pytest

from rulesets.formats import load_format
from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import Draw, Outcome, Prizes, Ron, Tsumo, Win
from scoring.kyoku.state import EndReason, InHand, Stake, State
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
    Top,
    WaySet,
    answer,
    goals_of,
    may_end,
)
from scoring.last_kyoku.answers import way_sets
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.settlement import Settlement, settle
from scoring.standings import Played, Row, rank
from scoring.top_payment import TopType
from scoring.value import By, Value, Worth, value
from tests.fuzz.examples import times
from tests.scoring.kyoku_tables import BANCHI3, BANCHI4, BOO, CINDERELLA, KANSAI3, SUPERBINGO, TENHOU4
from tests.scoring.uma_rules import trial_with_hands

TIEBREAK = load_format("cinderella").tiebreak
BOOKS = {
    "cinderella": CINDERELLA,
    "banchi4": BANCHI4,
    "banchi3": BANCHI3,
    "kansai3": KANSAI3,
    "superbingo": SUPERBINGO,
    "superbingo in dx": SUPERBINGO.with_options({"dx": True}),
    "boo": BOO,
    "boo with all its options": BOO.with_options(
        {
            "bust_without_rising": "pay_to_limit",
            "forbidden_ok_in_south4": True,
            "blue_sky_south4": True,
            "honba_for_zero_han": False,
            "dora_points": "closed200_open100",
            "bazoro": "south1",
            "yakuman": "instant_a_top",
        }
    ),
    "tenhou4": TENHOU4,
    "uma by floating players": trial_with_hands(),
    "uma by floating players, exactly the line sunk": trial_with_hands(at_line="sinks"),
}
pytestmark = pytest.mark.slow
TABLES = times(3)
"""Number of tables of each ruleset on which one seat's wins of one way are tried."""
HANDS = times(20)
"""Maximum number of hands tried per way."""
WHOLE_TABLES, GOALS = times(1), times(2)
"""Number of tables of each ruleset on which every way is tried, for this maximum number of goals ..."""
FEW_HANDS = times(1)
"""... with this maximum number of hands per way."""


@pytest.fixture(params=BOOKS, name="rules")
def _rules(request: pytest.FixtureRequest) -> Ruleset:
    return BOOKS[request.param]


class Hand(NamedTuple):
    """A hand with its value."""

    worth: Worth
    paid: Value


@cache
def hands(rules: Ruleset, by: By, dealer: bool, last_hand: bool) -> tuple[Hand, ...]:
    """Return every combination of han, fu, yakuman and parts, once for each payment."""
    play = rules.hand_rules
    boundless = play.value.uncapped_in_last_hand and last_hand
    parts = [(closed, dora) for closed in (False, True) for dora in (0, 1, 4)]
    if len({value(Worth(1, 30, closed=c, dora=d), dealer=dealer, play=play) for c, d in parts}) == 1:
        parts = parts[:1]
    fu = (0,) if play.fu.fixed else (20, 25, *range(30, 150, 10))
    worths = [Worth(han, each, closed=c, dora=d) for han in range(20) for each in fu for c, d in parts]
    worths += [Worth(yakuman=count, closed=c, dora=d) for count in range(1, 8) for c, d in parts]
    found: dict[object, Hand] = {}
    for worth in worths:
        paid = value(replace(worth, uncapped=True) if boundless else worth, dealer=dealer, play=play)
        tells = None if play.honba.without_yaku else worth.yakuman or min(worth.han, 5)
        found.setdefault((rung_payment(paid, by, True), tells), Hand(worth, paid))
    return tuple(found.values())


def is_last_hand(state: State, rules: Ruleset) -> bool:
    return state.round is rules.setup.rounds[-1] and state.number == state.players


def collects(worth: Worth, state: State, rules: Ruleset) -> bool:
    """Tell if the hand has a han of its own, where the ruleset requires one to collect honba."""
    play = rules.hand_rules
    given = play.value.bazoro_always
    given += play.value.bazoro_last_round if state.round is rules.setup.rounds[-1] else 0
    return play.honba.without_yaku or worth.yakuman > 0 or worth.han > given


def impossible(state: State, outcome: Outcome, rules: Ruleset) -> bool:
    """Tell if the hand itself is impossible, independent of its winner."""
    codes = {refusal.code for refusal in kyoku.verify(state, outcome, rules)}
    return any(code.startswith(("fu_", "han_", "limit_", "yakuman_", "dora_", "riichi_open_hand")) for code in codes)


def tables(rules: Ruleset, count: int, seed: int = 1) -> Iterator[tuple[State, random.Random]]:
    """Yield random kyoku, most of them last ones: close or distant scores, deposits and riichi.

    There are fewer where wins are judged by the scores, which takes the engine several times as long.
    """
    judges = rules.hand_rules.legality is not None
    for number in range(count // 10 + 1 if judges else count):
        dice = random.Random(f"{rules.digest}{seed}:{number}")
        yield table(rules, dice), dice


def table(rules: Ruleset, dice: random.Random) -> State:
    play, players = rules.hand_rules, rules.players
    rounds = [*rules.setup.rounds, *(rules.end.extension.rounds if rules.end.extension else ())]
    stake = play.riichi.stake
    kyoutaku = stake * dice.choice([0, 0, 1, 3])
    scores = drawn_scores(rules, dice, kyoutaku)
    hand = InHand()
    if dice.random() < 0.4:
        able = [seat for seat, score in enumerate(scores) if score >= play.riichi.needs]
        hand = InHand(stakes=tuple(Stake(seat) for seat in able if dice.random() < 0.4)[:2])
    if play.penalties.dead_hand is not None and dice.random() < 0.1:
        hand = InHand(stakes=hand.stakes, dead=(dice.randrange(players),))
    number = players if dice.random() < 0.8 else dice.randint(1, players)
    round_ = dice.choice([rounds[len(rules.setup.rounds) - 1], dice.choice(rounds)])
    return State(tuple(scores), RoundName(round_), number, dice.choice([0, 0, 1, 3]), kyoutaku, hand=hand)


def drawn_scores(rules: Ruleset, dice: random.Random, kyoutaku: int) -> list[int]:
    """Return random scores with which no player is bust."""
    unit = rules.entry.unit
    width = dice.choice([2, 40, 250]) * max(unit, rules.setup.start // 300 // unit * unit)
    while True:
        shifts = [dice.randrange(-width, width + 1, unit) for _ in range(rules.players - 1)]
        scores = [rules.setup.start + shift for shift in (*shifts, -sum(shifts) - kyoutaku)]
        if not any(rules.end.bust.is_bust(score) for score in scores):
            dice.shuffle(scores)
            return scores


def league(rules: Ruleset, dice: random.Random) -> League:
    """Return a random block of eight with close totals."""
    scale = rules.ranking_ledger.scale
    rows = tuple(
        Row(
            entrant,
            tuple(Played(n, dice.randrange(-4, 5) * scale, dice.randint(1, 3), 25000) for n in range(1, 4)),
            carried=dice.randrange(-20, 21) * scale,
        )
        for entrant in range(8)
    )
    return League(tuple(dice.sample(range(8), rules.players)), 4, rows, TIEBREAK)


def judged(state: State, outcome: Outcome, rules: Ruleset, seat: int, goal: Goal) -> GoalVerdict:
    """Return the engine's verdict on an outcome with regard to the goal."""
    if not kyoku.can_apply(state, outcome, rules):
        return GoalVerdict.FORBIDDEN
    played = kyoku.play_unchecked(state, outcome, rules)
    verdicts = [verdict(played.after, rules, seat, goal)]
    if played.may_stop:
        stopped = kyoku.apply(state, replace(outcome, stop=True), rules)
        verdicts.append(verdict(stopped.after, rules, seat, goal))
    worst_first = [GoalVerdict.MISSED, GoalVerdict.GOES_ON, GoalVerdict.REACHED]
    return sorted(verdicts, key=worst_first.index)[-1 if seat == state.dealer else 0]


def verdict(after: State, rules: Ruleset, seat: int, goal: Goal) -> GoalVerdict:
    if isinstance(goal, NotOut):
        out = after.scores[seat] <= 0 if rules.end.bust.line == "at_zero" else after.scores[seat] < 0
        return GoalVerdict.MISSED if out else GoalVerdict.REACHED
    if not after.ends:
        return GoalVerdict.GOES_ON
    return GoalVerdict.REACHED if holds(after, rules, seat, goal) else GoalVerdict.MISSED


def kind_of(settled: Settlement, seat: int) -> TopType | None:
    """Return the kind of top as its own settlement says it."""
    if settled.floating is not None:
        return settled.floating.top_type
    floating = [each.params["floating"] for each in settled.lines if each.seat == seat and each.cause == "uma"]
    return {1: TopType.A, 2: TopType.B, 3: TopType.C}.get(int(str(floating[0])))


def holds(after: State, rules: Ruleset, seat: int, goal: Goal) -> bool:
    settled = settle(result_of(after, rules), rules)
    match goal:
        case Place(worst):
            return settled.places[seat] <= worst
        case Float():
            sunk = {each.seat for each in settled.lines if each.cause == "sinking_uma" and each.amount < 0}
            return settled.floating.seats[seat] if settled.floating else seat not in sunk
        case FloatingPlace(worst, line):
            return settled.places[seat] <= (worst or 4) and result_of(after, rules).scores[seat] >= line
        case Top(kinds):
            return settled.top == seat and kind_of(settled, seat) in kinds
        case PlaceLine(own, place, line, reached):
            other = settled.final_scores[settled.places.index(place)]
            return settled.places[seat] == own and (other >= line) == reached
        case Advance(places, block):
            rows = {row.entrant: row for row in block.rows}
            for each, entrant in enumerate(block.entrants):
                points = settled.totals[rules.ranking_ledger.key][each]
                played = Played(block.number, points, settled.places[each], settled.final_scores[each])
                row = rows[entrant]
                rows[entrant] = Row(entrant, (*row.played, played), row.carried, row.adjustment)
            ranked = rank(rows.values(), block.tiebreak, (), rules.players).ranked
            mine = next(each for each in ranked if each.entrant == block.entrants[seat])
            return sum(each.rank <= mine.rank for each in ranked) <= places
        case _:
            raise AssertionError(goal)


def outcome_of(winner: int, loser: int | None, worth: Worth, stakes: tuple[Stake, ...] = ()) -> Outcome:
    win = Win(winner, worth, prizes=Prizes(complete=True))
    return Tsumo(win=win, stakes=stakes) if loser is None else Ron(loser=loser, wins=(win,), stakes=stakes)


def stated(way: WaySet, hand: Hand, state: State, rules: Ruleset) -> GoalVerdict | None:
    """Return the verdict of a way's runs on a hand.

    A hand above the ladder's last rung is treated like that rung; a hand not on the ladder gives None.
    """
    worth, paid = hand
    points = paid.ron if way.by is By.RON else paid.tsumo(state.players - 1)
    payment = rung_payment(paid, way.by, collects(worth, state, rules))
    for run in way.runs:
        if any(rung.payment == payment for rung in run.rungs):
            return run.verdict
    is_larger = not worth.yakuman and points > way.runs[-1].last.points
    return way.runs[-1].verdict if is_larger else None


def rung_payment(paid: Value, by: By, collecting: bool) -> tuple[int, int, int, bool, bool]:
    if by is By.RON:
        return paid.ron, 0, 0, collecting, paid.instant_top
    return 0, paid.from_dealer, paid.from_other, collecting, paid.instant_top


def ways_of(found: Answer) -> Iterator[tuple[WaySet, int | None]]:
    for way in (*found.ways, *found.others):
        for loser in way.losers or (None,):
            yield way, loser


def some(state: State, rules: Ruleset, way: WaySet, most: int, dice: random.Random) -> Sequence[Hand]:
    """Return all hands of a way, or a random sample of at most `most`."""
    found = hands(rules, way.by, way.winner == state.dealer, is_last_hand(state, rules))
    return found if len(found) <= most else dice.sample(found, most)


class TestStatedSetsAreWhatBruteForceFinds:
    def test_every_hand_of_one_way_agrees_with_the_engine(self, rules: Ruleset) -> None:
        checked = 0
        for state, dice in tables(rules, TABLES):
            seat, winner = dice.randrange(rules.players), dice.randrange(rules.players)
            goal = dice.choice([*goals_of(rules), Advance(dice.randint(1, 4), league(rules, dice))])
            ways = [*way_sets(Outcomes(state, rules), winner, seat, goal)]
            way = dice.choice(ways)
            won = (way, dice.choice(way.losers or (None,)))
            checked += self.compare(state, rules, (seat, goal), won, some(state, rules, way, HANDS, dice))
        assert checked > TABLES // 10

    def test_every_draw_agrees_with_the_engine(self, rules: Ruleset) -> None:
        for state, dice in tables(rules, WHOLE_TABLES, seed=6):
            goal = dice.choice([*goals_of(rules), Advance(dice.randint(1, 4), league(rules, dice))])
            self.compare_draws(state, rules, answer(Outcomes(state, rules), dice.randrange(rules.players), goal))

    def test_hands_of_every_way_agree_with_the_engine_for_several_goals(self, rules: Ruleset) -> None:
        for state, dice in tables(rules, WHOLE_TABLES, seed=2):
            outcomes, goals = Outcomes(state, rules), [*goals_of(rules), Advance(2, league(rules, dice))]
            for goal in dice.sample(goals, min(GOALS, len(goals))):
                found = answer(outcomes, dice.randrange(rules.players), goal)
                for won in ways_of(found):
                    hands_tried = some(state, rules, won[0], FEW_HANDS, dice)
                    self.compare(state, rules, (found.seat, goal), won, hands_tried)

    def compare(
        self,
        state: State,
        rules: Ruleset,
        wanted: tuple[int, Goal],
        won: tuple[WaySet, int | None],
        tried: Sequence[Hand],
    ) -> int:
        """Compare each hand with the engine's verdict; return the number of hands on the ladder."""
        count, (way, loser) = 0, won
        for hand in tried:
            said = stated(way, hand, state, rules)
            if said is not None:
                outcome = outcome_of(way.winner, loser, hand.worth)
                if impossible(state, outcome, rules):
                    continue
                count += 1
                assert said is judged(state, outcome, rules, *wanted), (state, wanted, way, hand)
        return count

    def compare_draws(self, state: State, rules: Ruleset, found: Answer) -> None:
        said = {draw.tenpai: draw.verdict for draw in found.draws}
        declared = set(state.hand.declared()) - set(state.hand.dead)
        for tenpai in (each for size in range(rules.players + 1) for each in combinations(range(rules.players), size)):
            if tenpai in said:
                assert said[tenpai] is judged(state, Draw(tenpai=tenpai), rules, found.seat, found.goal)
            else:
                assert not declared <= set(tenpai) or not kyoku.can_apply(state, Draw(tenpai=tenpai), rules)
        for draw in found.draws_in_riichi:
            closed, opened = (
                Draw(tenpai=draw.tenpai, stakes=(Stake(found.seat, open=each),)) for each in (False, True)
            )
            outcome = closed if kyoku.can_apply(state, closed, rules) else opened
            assert found.seat in draw.tenpai
            assert draw.verdict is judged(state, outcome, rules, found.seat, found.goal)


class TestTheRest:
    def test_the_winners_own_stake_does_not_change_the_verdict_on_a_win(self, rules: Ruleset) -> None:
        for state, dice in tables(rules, WHOLE_TABLES, seed=3):
            seat, goal = dice.randrange(rules.players), dice.choice(goals_of(rules))
            loser = dice.choice([None, *(each for each in range(rules.players) if each != seat)])
            by = By.TSUMO if loser is None else By.RON
            every = hands(rules, by, seat == state.dealer, is_last_hand(state, rules))
            for worth, _paid in dice.sample(every, min(HANDS // 4, len(every))):
                staked, plain = outcome_of(seat, loser, worth, stakes=(Stake(seat),)), outcome_of(seat, loser, worth)
                # Without limits a riichi allows a han more.
                if kyoku.can_apply(state, staked, rules) and not impossible(state, plain, rules):
                    without = judged(state, plain, rules, seat, goal)
                    assert judged(state, staked, rules, seat, goal) is without

    def test_a_safe_goal_is_missed_by_no_win_and_no_draw(self, rules: Ruleset) -> None:
        for state, dice in tables(rules, WHOLE_TABLES, seed=4):
            outcomes, seat = Outcomes(state, rules), dice.randrange(rules.players)
            found = answer(outcomes, seat, dice.choice(goals_of(rules)))
            verdicts = {run.verdict for way, _ in ways_of(found) for run in way.runs}
            verdicts |= {draw.verdict for draw in found.draws}
            if found.status is AnswerStatus.SAFE:
                assert GoalVerdict.MISSED not in verdicts

    def test_the_stated_reasons_for_an_end_include_all_that_brute_force_finds(self, rules: Ruleset) -> None:
        for state, _ in tables(rules, WHOLE_TABLES, seed=5):
            reasons = set()
            for by, winner in product(By, range(rules.players)):
                every = hands(rules, by, winner == state.dealer, is_last_hand(state, rules))
                losers = [None] if by is By.TSUMO else [each for each in range(rules.players) if each != winner]
                for hand, loser in product(every[:: 1 + len(every) // 12], losers):
                    reasons |= ends(state, outcome_of(winner, loser, hand.worth), rules)
            for size in range(rules.players + 1):
                for tenpai in combinations(range(rules.players), size):
                    if set(state.hand.declared()) - set(state.hand.dead) <= set(tenpai):
                        reasons |= ends(state, Draw(tenpai=tenpai), rules)
            stated = Outcomes(state, rules).reasons
            assert reasons <= stated
            assert may_end(state, rules) is bool(stated)


def ends(state: State, outcome: Outcome, rules: Ruleset) -> set[EndReason]:
    if not kyoku.can_apply(state, outcome, rules):
        return set()
    played, stopped = (kyoku.play_unchecked(state, replace(outcome, stop=each), rules) for each in (False, True))
    return {end.reason for after in (played.after, stopped.after) for end in after.ends}
