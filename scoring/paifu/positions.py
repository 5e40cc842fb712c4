"""Positions of a logged hand: the table after each step, for replays.

`positions_of` plays the steps on a `PaifuTable` and copies it after each one, so a replay shows what the checks of a
log have seen. `ending_of` adds the end of the hand as our engine counts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.hand import Hand, HandValue, InvalidHandError, Meld, MeldKind, NoWin, Tile
from scoring.hand.tiles import KIND
from scoring.paifu.checks import sticks_after
from scoring.paifu.circumstances import value_of
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import CALLS, STICK, PaifuDraw, PaifuKyoku, PaifuStep, StepKind
from scoring.paifu.table import PaifuTable
from scoring.ruleset import Ruleset

FIRST_DORA = 1
"""The dora indicators that lie open from the deal."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """A tile in a seat's discards."""

    tile: Tile
    tsumogiri: bool = False
    """The tile was discarded as it was drawn: ツモ切り."""
    turned: bool = False
    """It lies on its side: the discard of a riichi, or the next one if that was called."""
    caller: int | None = None
    """The seat that called it; None if it still lies there."""


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile of a meld as it lies on the table."""

    tile: Tile
    turned: bool = False
    """It lies on its side: the tile called, and the one added to it."""


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld as it lies beside its hand."""

    kind: MeldKind
    from_seat: int | None
    """The seat whose discard was called; None for a concealed kan."""
    tiles: tuple[LaidTile, ...]
    """From left to right: the place of the tile called shows from which player it came."""


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """The tiles and points of one seat at one moment."""

    hand: tuple[Tile, ...]
    """The concealed tiles, sorted, without the one just drawn."""
    drawn: Tile | None
    discards: tuple[Discarded, ...]
    melds: tuple[LaidMeld, ...]
    norths: tuple[Tile, ...]
    """The norths set aside."""
    is_riichi: bool
    score: int
    """Points of the table, less the stick once it is laid."""


@dataclass(frozen=True, slots=True)
class TablePosition:
    """The table after one step."""

    step: PaifuStep | None
    """None for the deal, before the first step."""
    turn: int
    """The seat that acts, or has acted last."""
    seats: tuple[SeatPosition, ...]
    dora: tuple[Tile, ...]
    """The indicators that lie open."""
    sticks: int
    """Riichi sticks on the table, counted."""


@dataclass(frozen=True, slots=True)
class EndingWin:
    """A win as our engine counts it."""

    seat: int
    loser: int | None
    """None for a self-draw."""
    hand: Hand
    value: HandValue | NoWin | InvalidHandError
    """The reason or the contradictions where the ruleset sees no win."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a hand: its wins or its draw, never both."""

    wins: tuple[EndingWin, ...]
    draw: PaifuDraw | None
    sticks: int
    """Riichi sticks left on the table, counted."""


def positions_of(
    kyoku: PaifuKyoku, scores: Sequence[int] | None = None, stick: int = STICK
) -> tuple[TablePosition, ...]:
    """Return the deal and the position after each step; empty if the steps contradict each other.

    `scores` are the points of the seats when the hand begins, by default those of the log; `stick` is the worth of a
    riichi stick. A stick is laid with its discard, if the log has it laid at all.
    """
    try:
        return tuple(_positions(kyoku, scores or kyoku.scores, stick))
    except PaifuError:
        return ()


def ending_of(kyoku: PaifuKyoku, rules: Ruleset) -> Ending:
    """Return the end of a hand with the value that our engine gives each win under this ruleset."""
    wins = tuple(EndingWin(win.seat, win.loser, win.hand, value_of(kyoku, win, rules)) for win in kyoku.wins)
    return Ending(wins, kyoku.draw, sticks_after(kyoku))


def _positions(kyoku: PaifuKyoku, scores: Sequence[int], stick: int) -> Iterator[TablePosition]:
    replay = _Replay(kyoku)
    for step in (None, *kyoku.steps):
        if step is not None:
            replay.apply(step)
        seats = tuple(replay.seat(seat, score - stick * (seat in replay.laid)) for seat, score in enumerate(scores))
        yield TablePosition(step, replay.turn, seats, tuple(replay.dora), kyoku.sticks + len(replay.laid))


class _Replay:
    """A table with what its checks do not need: marks of discards, the origin of melds, indicators and sticks."""

    def __init__(self, kyoku: PaifuKyoku) -> None:
        self.table = PaifuTable(kyoku.dealt, kyoku.dealer)
        self.rivers: list[list[Discarded]] = [[] for _ in kyoku.dealt]
        self.origins: list[list[int | None]] = [[] for _ in kyoku.dealt]
        """The seat from which each meld of a seat was called."""
        self.dora = list(kyoku.dora[:FIRST_DORA])
        self.turn = kyoku.dealer
        self.laid: set[int] = set()
        """The seats that have laid a stick in this hand."""
        self._will_lay = frozenset(kyoku.riichi)

    def apply(self, step: PaifuStep) -> None:
        """Carry a step out; raise PaifuError if it is not possible."""
        self.table.apply(step)
        if step.kind is StepKind.NEW_DORA:
            self.dora += step.tiles
            return
        self.turn = step.seat
        if step.kind is StepKind.DISCARD:
            self._discard(step)
        elif step.kind is StepKind.CLOSED_KAN:
            self.origins[step.seat].append(None)
        elif step.kind in CALLS and step.from_seat is not None:
            self.origins[step.seat].append(step.from_seat)
            river = self.rivers[step.from_seat]
            river[-1] = replace(river[-1], caller=step.seat)

    def _discard(self, step: PaifuStep) -> None:
        """Add a discard, on its side if the seat's riichi does not show in its discards yet."""
        river, is_riichi = self.rivers[step.seat], step.seat in self.table.riichi
        is_shown = any(each.turned and each.caller is None for each in river)
        river.append(Discarded(step.tiles[0], step.tsumogiri, turned=is_riichi and not is_shown))
        if is_riichi and step.seat in self._will_lay:
            self.laid.add(step.seat)

    def seat(self, seat: int, score: int) -> SeatPosition:
        """Return a copy of what a seat has now."""
        hand, drawn = sorted(self.table.concealed[seat], key=by_kind), self.table.drawn[seat]
        if drawn in hand:
            hand.remove(drawn)
        else:
            # The tile drawn has gone into a kan; its replacement is the next step.
            drawn = None
        melds = zip(self.table.melds[seat], self.origins[seat], strict=True)
        return SeatPosition(
            hand=tuple(hand),
            drawn=drawn,
            discards=tuple(self.rivers[seat]),
            melds=tuple(_laid(meld, origin, seat, self.table.players) for meld, origin in melds),
            norths=tuple(self.table.nuki[seat]),
            is_riichi=seat in self.table.riichi,
            score=score,
        )


def by_kind(tile: Tile) -> tuple[int, Tile]:
    """Return the key that sorts a red five beside the other fives."""
    return KIND[tile], tile


def _laid(meld: Meld, origin: int | None, seat: int, players: int) -> LaidMeld:
    """Return a meld as it lies: the called tile at the left from the player at the left, and so on."""
    if origin is None:
        return LaidMeld(meld.kind, None, tuple(LaidTile(tile) for tile in sorted(meld.tiles, key=by_kind)))
    called, *own = meld.tiles
    added = [own.pop()] if meld.kind is MeldKind.KAKAN else []
    tiles = [LaidTile(tile) for tile in sorted(own, key=by_kind)]
    at = {1: len(tiles), players - 1: 0}.get((origin - seat) % players, 1)
    tiles[at:at] = [LaidTile(tile, turned=True) for tile in (called, *added)]
    return LaidMeld(meld.kind, origin, tuple(tiles))
