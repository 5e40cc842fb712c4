"""Outcomes besides one win or a draw, checked only for a goal that no ordinary outcome takes away.

Several wins on one discard, each with the smallest and the largest hand of every kind; nagashi; abortive
draws. Offences and rulings cannot be planned for and are left out, as are riichi that may yet be declared:
after the next one the answer is computed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from scoring.kyoku.checks import ron_policy
from scoring.kyoku.outcomes import AbortiveDraw, Nagashi, Ron
from scoring.last_kyoku.ladder import Rung
from scoring.last_kyoku.outcomes import Ending, Outcomes, WinPath, ending
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.value import MultiRon

SEVERAL = (2, 3)
"""Numbers of simultaneous wins on one discard."""


def surprises(outcomes: Outcomes) -> Iterator[Ending]:
    """Yield the endings of all such outcomes, as far as the book allows them."""
    yield from _broken_off(outcomes)
    yield from _nagashi(outcomes)
    yield from _several_wins(outcomes)


def _broken_off(outcomes: Outcomes) -> Iterator[Ending]:
    for kind in AbortiveKind:
        yield ending(AbortiveDraw(kind=kind), outcomes.state, outcomes.rules)


def _nagashi(outcomes: Outcomes) -> Iterator[Ending]:
    for seat, drawn in product(range(outcomes.state.players), outcomes.draws):
        yield ending(Nagashi(seats=(seat,), tenpai=drawn.tenpai), outcomes.state, outcomes.rules)


def _several_wins(outcomes: Outcomes) -> Iterator[Ending]:
    for count, loser in product(SEVERAL, range(outcomes.state.players)):
        # With any other policy several ron end as one win or an abortive draw, which are covered elsewhere.
        if ron_policy(count, outcomes.table) is not MultiRon.ALL:
            continue
        for winners in combinations(outcomes.state.turn_from(loser), count):
            hands = [_extreme_rungs(WinPath(winner, loser), outcomes) for winner in winners]
            for rungs in product(*hands):
                wins = tuple(rung.win(winner) for rung, winner in zip(rungs, winners, strict=True))
                yield ending(Ron(loser=loser, wins=wins), outcomes.state, outcomes.rules)


def _extreme_rungs(way: WinPath, outcomes: Outcomes) -> list[Rung]:
    """Return the smallest and the largest hand of every stretch."""
    climb = outcomes.climb(way)
    ends = dict.fromkeys(number for each in climb.stretches for number in (each.first, each.last))
    return [climb.rungs[number] for number in ends]
