"""Whether a player may win on a tile, or declare riichi with it, as far as their own and passed discards decide.

Tiles are kinds ("4m"); a red or gold five is the five it is. The answer carries the reason and the clause.
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
    """What a player wants to do."""

    RON = "ron"
    """Win on another's discard."""
    TSUMO = "tsumo"
    """Win by self-draw."""
    RIICHI = "riichi"
    """Declare riichi by discarding the tile."""


class Bar(StrEnum):
    """Why it is not allowed."""

    NOT_WAITED_FOR = "not_waited_for"
    """The tile does not complete the hand."""
    OWN_RIVER = "own_river"
    """A tile waited for lies in one's own river."""
    PASSED_THIS_TURN = "passed_this_turn"
    """A winning tile was let go since one's last draw."""
    PASSED_IN_RIICHI = "passed_in_riichi"
    """A winning tile was let go after riichi."""
    TOO_EARLY = "too_early"
    """Own draws must pass before a furiten hand may win on a discard."""
    FURITEN_RIICHI = "furiten_riichi"
    """A riichi while furiten."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A hand that waits, and what has been discarded around it."""

    waits: tuple[str, ...]
    """Kinds that complete the hand."""
    river: tuple[str, ...] = ()
    """One's own discards, called ones too."""
    riichi: bool = False
    open: bool = False
    """The riichi is, or would be, declared with the hand shown."""
    tsumo_declared: bool = False
    """Riichi was announced with "tsumo"."""
    seen_this_turn: tuple[str, ...] = ()
    """Others' discards since one's last draw that were let pass."""
    passed: tuple[str, ...] = ()
    """Winning tiles let go earlier in the hand; in riichi, since the riichi."""
    draws_since_furiten: int = 0
    """Own draws since the discard that made the hand furiten."""
    round: RoundName | None = None
    last_hand: bool = False
    """It is the last hand of the last round."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether it is allowed; if not, why and by which clause."""

    allowed: bool
    bar: Bar | None = None
    clause: str = ""


def may(ask: Ask, tile: str, situation: Situation, play: Play) -> Answer:
    """Return whether a player may do this with this tile."""
    for bar, clause in ASKS[ask](tile, situation, play):
        return Answer(allowed=False, bar=bar, clause=clause)
    return Answer(allowed=True)


Bars = Iterator[tuple[Bar, str]]


def _ron(tile: str, situation: Situation, play: Play) -> Bars:
    """A discard is won on unless the river, a passed tile or the book's delay bars it."""
    rules, clause = play.furiten, play.furiten.clauses[0]
    furiten = furiten_waits(situation)
    if tile not in situation.waits:
        yield Bar.NOT_WAITED_FOR, play.win.clauses[0]
    if tile in furiten or (furiten and rules.scope is FuritenScope.WHOLE_WAIT):
        yield Bar.OWN_RIVER, clause
    if rules.passed_until_draw and live(situation.seen_this_turn, situation, play):
        yield Bar.PASSED_THIS_TURN, clause
    barred_for_good = play.riichi.passed_win is not PassedWin.NO_TSUMO
    if situation.riichi and barred_for_good and passed_in_riichi(situation, play):
        yield Bar.PASSED_IN_RIICHI, play.riichi.clauses[0]
    if furiten and situation.draws_since_furiten < rules.draws_before_ron:
        yield Bar.TOO_EARLY, clause


def _tsumo(tile: str, situation: Situation, play: Play) -> Bars:
    """A self-draw wins, unless the book takes it away from a riichi that let a winning tile go."""
    if tile not in situation.waits:
        yield Bar.NOT_WAITED_FOR, play.win.clauses[0]
    lost = situation.riichi and play.riichi.passed_win is PassedWin.NO_TSUMO and passed_in_riichi(situation, play)
    if lost and not (situation.tsumo_declared and _keeps_tsumo(situation, play)):
        yield Bar.PASSED_IN_RIICHI, play.riichi.clauses[0]


def _riichi(tile: str, situation: Situation, play: Play) -> Bars:
    """Riichi may make the hand furiten where the book allows it, and where nothing delays its ron."""
    if play.furiten.draws_before_ron and tile in situation.waits:
        yield Bar.TOO_EARLY, play.furiten.clauses[0]
    policy = play.riichi.furiten
    forbidden = policy is FuritenRiichi.OFFENCE_AT_DRAW or (policy is FuritenRiichi.OPEN_ONLY and not situation.open)
    if forbidden and ({tile, *situation.river} & set(situation.waits)):
        yield Bar.FURITEN_RIICHI, play.riichi.clauses[0]


def furiten_waits(situation: Situation) -> set[str]:
    """Kinds waited for that lie in one's own river."""
    return set(situation.waits) & set(situation.river)


def live(tiles: tuple[str, ...], situation: Situation, play: Play) -> set[str]:
    """Those of the tiles that could have been won on; by kind, one in the own river could not."""
    winning = set(situation.waits) & set(tiles)
    return winning - furiten_waits(situation) if play.furiten.scope is FuritenScope.TILE else winning


def passed_in_riichi(situation: Situation, play: Play) -> set[str]:
    """Winning tiles let go since the riichi."""
    return live((*situation.passed, *situation.seen_this_turn), situation, play)


def _keeps_tsumo(situation: Situation, play: Play) -> bool:
    """Where a riichi may be declared with "tsumo"."""
    policy = play.riichi.tsumo_declared
    here = {
        TsumoDeclared.OFF: False,
        TsumoDeclared.LAST_HAND: situation.last_hand,
        TsumoDeclared.SOUTH: situation.round is RoundName.SOUTH,
        TsumoDeclared.ALWAYS: True,
    }
    return here[policy]


ASKS: Mapping[Ask, Callable[[str, Situation, Play], Bars]] = {
    Ask.RON: _ron,
    Ask.TSUMO: _tsumo,
    Ask.RIICHI: _riichi,
}
"""How each question is answered."""
