"""Furiten checks: may a player win on a tile, or declare riichi with it, given own discards and passed tiles?

Tiles are kinds ("4m"); a red or gold five counts as a plain five. The answer carries the reason and the
clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import FuritenRiichi, PassedWin, TsumoDeclared
from scoring.ruleset.play import Play
from scoring.ruleset.value import FuritenScope


class Ask(StrEnum):
    """Action a player wants to take."""

    RON = "ron"
    """Win on another player's discard."""
    TSUMO = "tsumo"
    """Win by self-draw."""
    RIICHI = "riichi"
    """Declare riichi by discarding the tile."""


class Bar(StrEnum):
    """Reason for which the action is not allowed."""

    NOT_WAITED_FOR = "not_waited_for"
    """The tile does not complete the hand."""
    OWN_RIVER = "own_river"
    """A tile waited for lies in the player's own river."""
    PASSED_THIS_TURN = "passed_this_turn"
    """A winning tile was passed since the player's last draw."""
    PASSED_IN_RIICHI = "passed_in_riichi"
    """A winning tile was passed after riichi."""
    TOO_EARLY = "too_early"
    """The player must draw again before a furiten hand may win on a discard."""
    FURITEN_RIICHI = "furiten_riichi"
    """A riichi while furiten."""


@dataclass(frozen=True, slots=True)
class FuritenSituation:
    """A tenpai hand with its waits, and the discards that matter for furiten."""

    waits: tuple[str, ...]
    """Kinds that complete the hand."""
    river: tuple[str, ...] = ()
    """The player's own discards, including those that were called."""
    riichi: bool = False
    open: bool = False
    """The riichi is, or would be, declared with the hand shown."""
    tsumo_declared: bool = False
    """Riichi was announced with "tsumo"."""
    seen_this_turn: tuple[str, ...] = ()
    """Other players' discards since the player's last draw that were passed."""
    passed: tuple[str, ...] = ()
    """Winning tiles passed earlier in the hand; in riichi, since the riichi."""
    draws_since_furiten: int = 0
    """Own draws since the discard that made the hand furiten."""
    round: RoundName | None = None
    last_hand: bool = False
    """This is the last hand of the last round."""


@dataclass(frozen=True, slots=True)
class FuritenAnswer:
    """The result of a check: allowed, or the reason and the clause of the refusal."""

    allowed: bool
    bar: Bar | None = None
    clause: str = ""


def check_action(ask: Ask, tile: str, situation: FuritenSituation, play: Play) -> FuritenAnswer:
    """Check whether a player may take this action with this tile; the first rule that bars it gives the reason."""
    for bar, clause in ASKS[ask](tile, situation, play):
        return FuritenAnswer(allowed=False, bar=bar, clause=clause)
    return FuritenAnswer(allowed=True)


Bars = Iterator[tuple[Bar, str]]


def _ron(tile: str, situation: FuritenSituation, play: Play) -> Bars:
    """Yield the rules that bar a ron: the river, a passed tile, or the book's delay for furiten hands."""
    rules, clause = play.furiten, play.furiten.clauses[0]
    furiten = furiten_waits(situation)
    if tile not in situation.waits:
        yield Bar.NOT_WAITED_FOR, play.win.clauses[0]
    if tile in furiten or (furiten and rules.scope is FuritenScope.WHOLE_WAIT):
        yield Bar.OWN_RIVER, clause
    if rules.passed_until_draw and winning_tiles(situation.seen_this_turn, situation, play):
        yield Bar.PASSED_THIS_TURN, clause
    # Under NO_TSUMO the penalty for a passed tile is the loss of the self-draw (`_tsumo`); ron stays possible.
    barred_for_good = play.riichi.passed_win is not PassedWin.NO_TSUMO
    if situation.riichi and barred_for_good and passed_in_riichi(situation, play):
        yield Bar.PASSED_IN_RIICHI, play.riichi.clauses[0]
    if furiten and situation.draws_since_furiten < rules.draws_before_ron:
        yield Bar.TOO_EARLY, clause


def _tsumo(tile: str, situation: FuritenSituation, play: Play) -> Bars:
    """Yield the rules that bar a self-draw: in some books a riichi that passed a winning tile loses it."""
    if tile not in situation.waits:
        yield Bar.NOT_WAITED_FOR, play.win.clauses[0]
    lost = situation.riichi and play.riichi.passed_win is PassedWin.NO_TSUMO and passed_in_riichi(situation, play)
    if lost and not (situation.tsumo_declared and _keeps_tsumo(situation, play)):
        yield Bar.PASSED_IN_RIICHI, play.riichi.clauses[0]


def _riichi(tile: str, situation: FuritenSituation, play: Play) -> Bars:
    """Yield the rules that bar riichi: furiten where the book forbids it, or a book's delay on ron."""
    if play.furiten.draws_before_ron and tile in situation.waits:
        yield Bar.TOO_EARLY, play.furiten.clauses[0]
    policy = play.riichi.furiten
    forbidden = policy is FuritenRiichi.OFFENCE_AT_DRAW or (policy is FuritenRiichi.OPEN_ONLY and not situation.open)
    if forbidden and ({tile, *situation.river} & set(situation.waits)):
        yield Bar.FURITEN_RIICHI, play.riichi.clauses[0]


def furiten_waits(situation: FuritenSituation) -> set[str]:
    """Return the kinds waited for that lie in the player's own river."""
    return set(situation.waits) & set(situation.river)


def winning_tiles(tiles: tuple[str, ...], situation: FuritenSituation, play: Play) -> set[str]:
    """Return those of the tiles that could have been won on; furiten by tile excludes kinds in the own river."""
    winning = set(situation.waits) & set(tiles)
    return winning - furiten_waits(situation) if play.furiten.scope is FuritenScope.TILE else winning


def passed_in_riichi(situation: FuritenSituation, play: Play) -> set[str]:
    """Return the winning tiles passed since the riichi."""
    return winning_tiles((*situation.passed, *situation.seen_this_turn), situation, play)


def _keeps_tsumo(situation: FuritenSituation, play: Play) -> bool:
    """Return whether the book lets a riichi be declared with "tsumo" in this hand, which keeps the self-draw."""
    policy = play.riichi.tsumo_declared
    here = {
        TsumoDeclared.OFF: False,
        TsumoDeclared.LAST_HAND: situation.last_hand,
        TsumoDeclared.SOUTH: situation.round is RoundName.SOUTH,
        TsumoDeclared.ALWAYS: True,
    }
    return here[policy]


ASKS: Mapping[Ask, Callable[[str, FuritenSituation, Play], Bars]] = {
    Ask.RON: _ron,
    Ask.TSUMO: _tsumo,
    Ask.RIICHI: _riichi,
}
"""The check for each action."""
