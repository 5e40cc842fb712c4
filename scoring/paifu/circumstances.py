"""The circumstances of a win, read off the steps of its hand: riichi, ippatsu, last tiles, replacement, robbed kan."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hand import By, HandValue, InvalidHandError, NoWin, RiichiKind, Robbed, Situation, score
from scoring.paifu.records import CALLS, PaifuKyoku, PaifuStep, PaifuWin, StepKind
from scoring.paifu.table import REPLACED
from scoring.ruleset import Ruleset, Wind

DRAWN_FROM_WALL = {3: 55, 4: 70}
"""The tiles that are drawn in a hand on these services before it ends as a draw, by the number of players:
108 or 136 tiles less 14 that stay and 13 for each player."""
INTERRUPTING = CALLS | REPLACED
"""Steps that end ippatsu and the first turn."""
ROBBED_FROM = {
    StepKind.ADDED_KAN: Robbed.ADDED_KAN,
    StepKind.CLOSED_KAN: Robbed.CLOSED_KAN,
    StepKind.NORTH: Robbed.NUKI,
}


def value_of(kyoku: PaifuKyoku, win: PaifuWin, rules: Ruleset) -> HandValue | NoWin | InvalidHandError:
    """Return the value of a logged win under a ruleset, the reason why it is no win there, or its contradictions."""
    try:
        return score(win.hand, situation_of(kyoku, win, rules), rules)
    except InvalidHandError as error:
        return error


def situation_of(kyoku: PaifuKyoku, win: PaifuWin, rules: Ruleset) -> Situation:
    """Return the circumstances of a win; the first winner in the log takes honba and sticks."""
    steps = [step for step in kyoku.steps if step.kind is not StepKind.NEW_DORA]
    before = steps[:-1] if steps and steps[-1].kind in ROBBED_FROM else steps
    by, last = By.TSUMO if win.loser is None else By.RON, steps[-1] if steps else None
    is_last_tile = sum(step.kind is StepKind.DRAW for step in steps) >= DRAWN_FROM_WALL[len(kyoku.scores)]
    riichi = riichi_of(win.seat, before)
    replaced = by is By.TSUMO and len(steps) > 1 and steps[-2].kind in REPLACED
    is_head = not kyoku.wins or win.seat == kyoku.wins[0].seat
    return Situation(
        by=by,
        seat_wind=wind_of(win.seat, kyoku, rules),
        round=kyoku.round,
        riichi=riichi,
        ippatsu=riichi is not RiichiKind.NONE and is_ippatsu(win.seat, before),
        haitei=by is By.TSUMO and is_last_tile,
        houtei=by is By.RON and is_last_tile and last is not None and last.kind is StepKind.DISCARD,
        rinshan=replaced,
        first_turn=riichi is RiichiKind.NONE and is_first_turn(win, before, kyoku.dealer),
        robbed=ROBBED_FROM.get(last.kind, Robbed.NOTHING) if by is By.RON and last is not None else Robbed.NOTHING,
        dora_indicators=kyoku.dora,
        ura_indicators=kyoku.ura if riichi is not RiichiKind.NONE else (),
        honba=kyoku.honba if is_head else 0,
        last_hand=rules.is_last_hand(kyoku.round, kyoku.number),
        discarder=None if win.loser is None else wind_of(win.loser, kyoku, rules),
    )


def wind_of(seat: int, kyoku: PaifuKyoku, rules: Ruleset) -> Wind:
    """Return the wind that a seat has in this hand."""
    return rules.setup.seat_winds[(seat - kyoku.dealer) % len(kyoku.scores)]


def riichi_of(seat: int, steps: Sequence[PaifuStep]) -> RiichiKind:
    """Return the riichi of a seat: a double one if nothing was called before it and the seat had not discarded."""
    declared = next((n for n, step in enumerate(steps) if step.kind is StepKind.RIICHI and step.seat == seat), None)
    if declared is None:
        return RiichiKind.NONE
    before = steps[:declared]
    is_late = any(step.kind in INTERRUPTING or (step.kind is StepKind.DISCARD and step.seat == seat) for step in before)
    return RiichiKind.RIICHI if is_late else RiichiKind.DOUBLE


def is_ippatsu(seat: int, steps: Sequence[PaifuStep]) -> bool:
    """Return whether since the riichi of a seat nothing was called and it has discarded its declaring tile alone."""
    declared = next(place for place, step in enumerate(steps) if step.kind is StepKind.RIICHI and step.seat == seat)
    since = steps[declared + 1 :]
    discards = sum(step.seat == seat and step.kind is StepKind.DISCARD for step in since)
    return discards <= 1 and not any(step.kind in INTERRUPTING for step in since)


def is_first_turn(win: PaifuWin, steps: Sequence[PaifuStep], dealer: int) -> bool:
    """Return whether a win came with the seat's first draw, or by ron before it, and nothing was called before."""
    if any(step.kind in INTERRUPTING for step in steps):
        return False
    draws = sum(step.seat == win.seat and step.kind is StepKind.DRAW for step in steps)
    return draws == 1 and win.loser is None if win.seat == dealer or win.loser is None else draws == 0
