"""From a logged hand to the entries that a score sheet would make of it, so that our engine computes the points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from scoring.hanchan import Entry, apply_entry
from scoring.hand import HandValue, RiichiKind
from scoring.kyoku import KyokuResult, Refusal, State, opening
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    Draw,
    LiablePlayer,
    Nagashi,
    Outcome,
    Prizes,
    Riichi,
    Ron,
    RonCalls,
    ScoresOnly,
    Tsumo,
    Win,
)
from scoring.paifu.circumstances import value_of
from scoring.paifu.records import STICK, Paifu, PaifuDraw, PaifuKyoku, PaifuWin, StepKind
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import Worth

FOUR_KANS = (AbortiveKind.FOUR_KANS, AbortiveKind.FOUR_KANS_BY_ANYONE, AbortiveKind.FOUR_KANS_SHOWN)
"""Rules for the same draw, of which a book has one."""
PRIZES: Mapping[AwardEvent, tuple[Dora, ...]] = {
    AwardEvent.URA: (Dora.URA, Dora.KAN_URA),
    AwardEvent.RED: (Dora.RED,),
    AwardEvent.GOLD: (Dora.GOLD,),
}


def entries_of(kyoku: PaifuKyoku, rules: Ruleset, *, stop: bool = False) -> tuple[Entry, ...]:
    """Return the entries of a logged hand: a riichi for each stick laid, then the outcome.

    Each win has the value that our engine gives its tiles; where the ruleset sees no win, the log's han and fu, and
    without them the hand has its scores alone. `stop` marks the dealer's wish to end the game. Raise
    NoHandsError if the ruleset has no rules for hands.
    """
    return (*(Riichi(seat) for seat in kyoku.riichi), outcome_of(kyoku, rules, stop=stop))


def outcome_of(kyoku: PaifuKyoku, rules: Ruleset, *, stop: bool = False) -> Outcome:
    """Return the outcome of a logged hand as `entries_of` does, without the riichi before it."""
    if kyoku.draw is not None:
        return _draw(kyoku.draw, rules, stop=stop)
    wins = tuple(_win(kyoku, win, rules) for win in kyoku.wins)
    known = tuple(win for win in wins if win is not None)
    loser = kyoku.wins[0].loser
    if len(known) < len(wins):
        return ScoresOnly(scores=kyoku.after, winners=tuple(win.seat for win in kyoku.wins), stop=stop)
    if loser is None:
        return Tsumo(win=known[0], stop=stop)
    return Ron(loser=loser, wins=known, stop=stop) if len(known) == 1 else RonCalls(loser=loser, calls=known, stop=stop)


def entries_of_game(paifu: Paifu, rules: Ruleset, start: State | None = None) -> tuple[Entry, ...]:
    """Return the entries of a whole log; in the last hand the dealer stops where the ruleset leaves it to the dealer.

    `start` defaults to the opening of a game.
    """
    state = opening(rules) if start is None else start
    entries: list[Entry] = []
    for kyoku in paifu.hands:
        found = entries_of(kyoku, rules)
        after = _played(state, found, rules)
        if kyoku is paifu.hands[-1] and not after.is_over:
            stopped = entries_of(kyoku, rules, stop=True)
            ended = _played(state, stopped, rules)
            found, after = (stopped, ended) if ended.is_over else (found, after)
        entries += found
        state = after
    return tuple(entries)


def state_before(kyoku: PaifuKyoku, stick: int = STICK) -> State:
    """Return the table before a logged hand, as the log tells it; `stick` is the worth of a riichi stick."""
    return State(kyoku.scores, kyoku.round, kyoku.number, kyoku.honba, kyoku.sticks * stick)


def play_alone(kyoku: PaifuKyoku, rules: Ruleset, stick: int = STICK) -> tuple[KyokuResult | None, tuple[Refusal, ...]]:
    """Return our result of one hand, played from the table that the log tells; None with the refusals if refused."""
    state, result = state_before(kyoku, stick), None
    for entry in entries_of(kyoku, rules):
        step = apply_entry(state, entry, rules)
        if step.refusals:
            return None, step.refusals
        state, result = step.after, step.result
    return result, ()


def _played(state: State, entries: Iterable[Entry], rules: Ruleset) -> State:
    for entry in entries:
        state = apply_entry(state, entry, rules).after
    return state


def _draw(draw: PaifuDraw, rules: Ruleset, *, stop: bool) -> Outcome:
    kind = draw.abortive
    if kind is not None:
        played = rules.hand_rules.draws.abortive
        if kind in FOUR_KANS and kind not in played:
            kind = next((each for each in FOUR_KANS if each in played), kind)
        return AbortiveDraw(kind=kind, stop=stop)
    if draw.nagashi:
        return Nagashi(seats=draw.nagashi, tenpai=draw.tenpai, stop=stop)
    return Draw(tenpai=draw.tenpai, stop=stop)


def _win(kyoku: PaifuKyoku, win: PaifuWin, rules: Ruleset) -> Win | None:
    """Return the win as it is entered; None if neither the ruleset nor the log gives it a value."""
    value = value_of(kyoku, win, rules)
    if isinstance(value, HandValue):
        made = Win(win.seat, worth_of(value), prizes=_prizes(value, rules))
        made = replace(made, double_riichi=value.situation.riichi in (RiichiKind.DOUBLE, RiichiKind.DOUBLE_OPEN))
    elif win.han or win.yakuman:
        made = Win(win.seat, Worth(han=win.han, fu=win.fu, yakuman=win.yakuman, closed=win.hand.closed))
    else:
        return None
    is_robbed = win.loser is not None and not _is_discard(kyoku)
    return replace(made, robbed=is_robbed, liability=_liability(win, value, made, rules))


def _is_discard(kyoku: PaifuKyoku) -> bool:
    steps = (step.kind for step in reversed(kyoku.steps) if step.kind is not StepKind.NEW_DORA)
    return next(steps, StepKind.DISCARD) is StepKind.DISCARD


def worth_of(value: HandValue) -> Worth:
    """Return the value of a scored hand as a score sheet keeps it: yakuman, han and fu, or an outright limit."""
    paid = sum(line.count for line in value.dora if line.points)
    closed = value.case.closed
    if value.yakuman:
        return Worth(yakuman=value.yakuman, closed=closed, dora=paid)
    if value.han:
        return Worth(han=value.han, fu=value.fu, closed=closed, dora=paid, uncapped=value.case.is_uncapped)
    return Worth(limit=value.limit, closed=closed, dora=paid)


def _prizes(value: HandValue, rules: Ruleset) -> Prizes:
    """Return the prizes that only the tiles tell, in books that pay them."""
    chips = rules.hand_rules.chips
    if chips is None:
        return Prizes()
    counts = {
        event: sum(line.count for line in value.dora if line.kind in kinds)
        for event, kinds in PRIZES.items()
        if event in chips.awards
    }
    if AwardEvent.IPPATSU in chips.awards:
        counts[AwardEvent.IPPATSU] = int(any(line.name is YakuName.IPPATSU for line in value.yaku))
    return Prizes(counts={event: count for event, count in counts.items() if count})


def _liability(win: PaifuWin, value: object, made: Win, rules: Ruleset) -> LiablePlayer | None:
    """Return the liable player of the log, for the yakuman that the book has a liability for."""
    pao = rules.hand_rules.pao
    if win.pao is None or pao is None or not pao.yaku or not isinstance(made.value, Worth) or not made.value.yakuman:
        return None
    covered = 0
    if isinstance(value, HandValue):
        lines = (line for line in value.yaku if line.counts is Counts.YAKUMAN and line.name in pao.yaku)
        covered = sum(line.worth for line in lines)
    return LiablePlayer(win.pao, yakuman=min(max(covered, 1), made.value.yakuman))
