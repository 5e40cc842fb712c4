"""Properties of every hand under every ruleset: no point is lost, and the game goes on or is over."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets import loader
from scoring import kyoku
from scoring.hanchan import replay
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    LiablePlayer,
    Nagashi,
    Outcome,
    RonCalls,
    Ruling,
    ScoresOnly,
    Tsumo,
    Win,
)
from scoring.kyoku.state import Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import AbortiveKind
from scoring.value import Worth
from tests.fuzz.examples import times

RULESETS = [rules for rules in map(loader.load, loader.names()) if rules.play is not None]
FEW = settings(max_examples=times(8))
"""Few examples, because each is run for every ruleset and plays several hands."""

EACH = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)


@st.composite
def worths(draw: st.DrawFn) -> Worth:
    if draw(st.integers(0, 9)) == 0:
        return Worth(yakuman=draw(st.integers(1, 2)))
    han = draw(st.integers(0, 14))
    return Worth(han, draw(st.sampled_from([0, 20, 25, 30, 40, 60, 110])), closed=draw(st.booleans()))


@st.composite
def wins(draw: st.DrawFn, players: int) -> Win:
    worth, seat = draw(worths()), draw(st.integers(0, players - 1))
    liable = draw(st.none() | st.integers(0, players - 1)) if worth.yakuman else None
    return Win(seat, worth, None if liable is None else LiablePlayer(liable))


@cache
def outcomes(rules: Ruleset) -> st.SearchStrategy[Outcome]:
    """Return a strategy for anything a user might enter, much of it impossible."""
    seat = st.integers(0, rules.players - 1)
    seats = st.lists(seat, unique=True, max_size=rules.players).map(tuple)
    stakes = st.just(()) | st.just(()) | seats.map(lambda declared: tuple(map(Stake, declared)))
    calls = st.lists(wins(rules.players), min_size=1, max_size=3).map(tuple)
    stop = st.booleans()
    return st.one_of(
        st.builds(RonCalls, loser=seat, calls=calls, stakes=stakes, stop=stop),
        st.builds(Tsumo, win=wins(rules.players), stakes=stakes, stop=stop),
        st.builds(Draw, tenpai=seats, stakes=stakes, stop=stop),
        st.builds(Nagashi, seats=seats, tenpai=seats, stakes=stakes),
        st.builds(AbortiveDraw, kind=st.sampled_from(AbortiveKind), stakes=stakes),
        st.builds(ChonboCalled, offenders=seats, stakes=stakes),
        st.builds(ScoresOnly, scores=scores(rules), winners=seats, tenpai=seats),
    )


@st.composite
def scores(draw: st.DrawFn, rules: Ruleset) -> tuple[int, ...]:
    """Draw scores that add up to all points of the table."""
    shifts = [draw(st.integers(-20, 20)) * rules.entry.unit for _ in range(rules.players - 1)]
    return tuple(rules.setup.start + shift for shift in (*shifts, -sum(shifts)))


@pytest.mark.slow
@EACH
@FEW
@given(data=st.data())
def test_a_hand_is_refused_in_sentences_or_its_transfers_add_up_to_zero_with_the_deposits_until_the_game_is_over(
    rules: Ruleset, data: st.DataObject
) -> None:
    hanchan = replay(data.draw(st.lists(outcomes(rules), max_size=7)), rules)
    for step in hanchan.steps:
        assert step.refusals or not step.before.is_over
        assert all(str(each).endswith(".") for each in step.refusals)
        if step.result is not None:
            check_transfers(step.before, step.result, rules)
    check_goes_on(hanchan.state, rules)


def check_transfers(before: State, result: kyoku.KyokuResult, rules: Ruleset) -> None:
    assert sum(result.changes()) == before.kyoutaku - result.after.kyoutaku
    assert sum(result.after.scores) + result.after.kyoutaku == rules.table_total
    assert result.after.kyoutaku >= 0
    for ledger in rules.ledgers:
        assert sum(result.changes(ledger.key)) == 0
    assert all(each.amount > 0 for each in result.transfers if each.ledger == TABLE_POINTS)
    known = rules.book.known()
    assert all(each.clause in known for each in result.transfers)
    assert all(end.clause in known for end in result.after.ends)


def check_goes_on(state: State, rules: Ruleset) -> None:
    """Check that a table is over or allows a draw and a ruling."""
    if state.is_over:
        assert not kyoku.can_apply(state, Draw(), rules)
        return
    assert 1 <= state.number <= rules.players
    assert state.round in rules.setup.round_winds
    assert kyoku.can_apply(state, Draw(), rules)
    assert kyoku.can_apply(state, Ruling(reason="time is up", ends=True), rules)
