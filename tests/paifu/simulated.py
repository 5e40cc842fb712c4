"""Simulated games as neutral records: whole hanchan of three or four players, the same for the same seed.

A hand is played tile by tile by simple players: some collect the tiles of a hand that was laid out for them, the
others discard at random. Our engine gives the wins their value and moves the points, under the rules of Tenhou.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace
from functools import cache

from rulesets import loader
from scoring import kyoku as engine
from scoring.hanchan import apply_entry, result_of
from scoring.hand import HandValue
from scoring.kyoku.outcomes import AbortiveDraw
from scoring.kyoku.state import State, opening
from scoring.paifu.circumstances import value_of
from scoring.paifu.entries import entries_of
from scoring.paifu.records import (
    Paifu,
    PaifuDraw,
    PaifuKyoku,
    PaifuPlayer,
    PaifuSource,
    PaifuWin,
    PaifuYaku,
)
from scoring.ruleset import Ruleset
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts
from scoring.settlement import settle
from tests.paifu.hands import SimulatedHand

NAMES = ("さくら", "Bamboo", "李 & 林", "ＤＯＲＡ爆")
PLAYED_AT = dt.datetime(2026, 4, 5, 20, tzinfo=dt.timezone(dt.timedelta(hours=9)))


@cache
def simulated(seed: int, players: int = 4) -> Paifu:
    """Return a whole game, as Tenhou would log it."""
    rng, rules = random.Random(seed), loader.load(f"tenhou{players}")
    state, hands = opening(rules), []
    while not state.is_over:
        kyoku, state = _played(SimulatedHand(rng, state, rules).play(), state, rules)
        hands.append(kyoku)
    settled = settle(result_of(state, rules), rules)
    top = max(range(players), key=lambda seat: (state.scores[seat], -seat))
    scores = [score + state.kyoutaku * (seat == top) for seat, score in enumerate(state.scores)]
    return Paifu(
        source=PaifuSource.TENHOU,
        game=f"2026040520gm-{'0009' if players == 4 else '00b9'}-0000-{seed % 2**32:08x}",
        played_at=PLAYED_AT,
        players=tuple(PaifuPlayer(NAMES[seat], NAMES[seat], seat) for seat in range(players)),
        start=rules.setup.start,
        hands=tuple(hands),
        final_scores=tuple(scores),
        final_points=tuple(settled.totals["points"]),
        rules={"length": "ES", "red": "3" if players == 4 else "2", "open_tanyao": "yes"},
    )


def _played(kyoku: PaifuKyoku, state: State, rules: Ruleset) -> tuple[PaifuKyoku, State]:
    """Return the hand with the payments of our engine, and the state after it."""
    result = None
    for entry in entries_of(kyoku, rules):
        step = apply_entry(state, entry, rules)
        assert not step.refusals, step
        state, result = step.after, step.result
    assert result is not None
    kyoku = replace(kyoku, deltas=result.changes())
    if isinstance(result.outcome, AbortiveDraw) and kyoku.wins:
        kyoku = replace(kyoku, wins=(), draw=PaifuDraw(result.outcome.kind.value))
    return replace(kyoku, wins=tuple(_valued(kyoku, win, result, rules) for win in kyoku.wins)), state


def _valued(kyoku: PaifuKyoku, win: PaifuWin, result: engine.KyokuResult, rules: Ruleset) -> PaifuWin:
    value = value_of(kyoku, win, rules)
    assert isinstance(value, HandValue)
    own = tuple(each for each in result.transfers if each.receiver == win.seat)
    lines = [
        PaifuYaku(
            line.name.value, *((0, line.worth) if line.counts is Counts.YAKUMAN else (line.worth, 0)), line.name.value
        )
        for line in value.yaku
    ]
    dora = {
        "dora": (Dora.INDICATOR, Dora.KAN),
        "ura": (Dora.URA, Dora.KAN_URA),
        "red": (Dora.RED,),
        "north_dora": (Dora.NORTH, Dora.NORTH_ASIDE),
    }
    for code, kinds in dora.items():
        count = sum(line.han for line in value.dora if line.kind in kinds)
        lines += [PaifuYaku(code, count, 0, code)] if count else []
    return replace(
        win,
        han=value.han,
        fu=value.fu,
        yakuman=value.yakuman,
        yaku=tuple(lines),
        points=value.value.ron if win.loser is not None else value.value.tsumo(len(kyoku.scores) - 1),
        deltas=engine.changes(own, "table", len(kyoku.scores)),
    )
