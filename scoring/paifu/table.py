"""The table while a logged hand is played: what each seat holds, applied step by step with the checks of each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from scoring.hand import Hand, Meld, MeldKind, Tile, tiles_text
from scoring.hand.tiles import KIND, NORTH, OUTSIDE
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import PaifuStep, StepKind

HELD = 13
IN_MELD = 3
COPIES = 4
REPLACED = frozenset({StepKind.OPEN_KAN, StepKind.CLOSED_KAN, StepKind.ADDED_KAN, StepKind.NORTH})
"""The steps after which the same seat draws a replacement tile."""
DRAWN_AFTER = REPLACED | {StepKind.DISCARD}
TILES_OF: Mapping[StepKind, int] = {
    StepKind.DRAW: 1,
    StepKind.DISCARD: 1,
    StepKind.CHI: 3,
    StepKind.PON: 3,
    StepKind.OPEN_KAN: 4,
    StepKind.CLOSED_KAN: 4,
    StepKind.ADDED_KAN: 1,
    StepKind.NORTH: 1,
    StepKind.RIICHI: 0,
    StepKind.NEW_DORA: 1,
}
"""The number of tiles of each step."""
CALLED_AS: Mapping[StepKind, MeldKind] = {
    StepKind.CHI: MeldKind.CHI,
    StepKind.PON: MeldKind.PON,
    StepKind.OPEN_KAN: MeldKind.MINKAN,
}


class PaifuTable:
    """The tiles that each seat holds, has called and discarded; `apply` raises PaifuError for an impossible step."""

    def __init__(self, dealt: tuple[tuple[Tile, ...], ...], dealer: int) -> None:
        self.players = len(dealt)
        self.concealed = [list(tiles) for tiles in dealt]
        self.melds: list[list[Meld]] = [[] for _ in dealt]
        self.nuki: list[list[Tile]] = [[] for _ in dealt]
        self.river: list[list[Tile]] = [[] for _ in dealt]
        self.called: list[bool] = [False for _ in dealt]
        """True for a seat of which a discard was called."""
        self.riichi: list[int] = []
        """The seats that have declared, in their order."""
        self.drawn: list[Tile | None] = [None for _ in dealt]
        self.draws = 0
        self.last: PaifuStep | None = None
        """The last step other than a dora indicator."""
        self.steps = 0
        self._next = dealer
        """The seat that draws next."""

    def apply(self, step: PaifuStep) -> None:
        """Carry a step out; raise PaifuError if it is not possible here."""
        self.steps += 1
        if not 0 <= step.seat < self.players:
            raise PaifuError("no_seat", number=step.seat, players=self.players)
        if len(step.tiles) != TILES_OF[step.kind]:
            raise self._refusal("no_such_call", step, tiles=tiles_text(step.tiles))
        self._APPLY[step.kind](self, step)
        if step.kind is not StepKind.NEW_DORA:
            self.last = step

    @property
    def discarded(self) -> PaifuStep | None:
        """The discard that was just made and may be called or won on."""
        return self.last if self.last is not None and self.last.kind is StepKind.DISCARD else None

    def hand(self, seat: int, win: Tile, *, by_draw: bool) -> Hand:
        """Return the winning hand of a seat; with `by_draw` the winning tile is among its concealed tiles."""
        concealed = list(self.concealed[seat])
        if by_draw:
            self._take(concealed, win, seat)
        return Hand(tuple(sorted(concealed)), win, tuple(self.melds[seat]), tuple(self.nuki[seat]))

    def _refusal(self, code: str, step: PaifuStep, **params: object) -> PaifuError:
        return PaifuError(code, None, seat=step.seat, step=self.steps, **params)

    def _take(self, held: list[Tile], tile: Tile, seat: int) -> None:
        if tile not in held:
            raise PaifuError("not_in_hand", seat=seat, tile=tiles_text((tile,)), step=self.steps)
        held.remove(tile)

    def _require_turn(self, step: PaifuStep) -> None:
        """Refuse a step of a seat that has not just drawn or called."""
        last = self.last
        is_own = last is not None and last.seat == step.seat and last.kind is not StepKind.DISCARD
        is_bound = last is not None and last.kind is StepKind.RIICHI and step.kind is not StepKind.DISCARD
        size = len(self.concealed[step.seat]) + IN_MELD * len(self.melds[step.seat])
        if not is_own or is_bound or size != HELD + 1:
            raise self._refusal("not_the_turn", step, kind=step.kind.value)

    def _draw(self, step: PaifuStep) -> None:
        if step.seat != self._next or (self.last is not None and self.last.kind not in DRAWN_AFTER):
            raise self._refusal("not_the_turn", step, kind=step.kind.value)
        self.draws += 1
        self.drawn[step.seat] = step.tiles[0]
        self.concealed[step.seat].append(step.tiles[0])

    def _discard(self, step: PaifuStep) -> None:
        self._require_turn(step)
        self._take(self.concealed[step.seat], step.tiles[0], step.seat)
        self.river[step.seat].append(step.tiles[0])
        self.drawn[step.seat] = None
        self._next = (step.seat + 1) % self.players

    def _call(self, step: PaifuStep) -> None:
        discard = self.discarded
        called, *own = step.tiles
        if discard is None or discard.tiles[0] != called or discard.seat != step.from_seat or step.seat == discard.seat:
            raise self._refusal("not_the_discard", step, tile=tiles_text((called,)))
        meld = Meld(CALLED_AS[step.kind], step.tiles)
        is_turn = step.kind is not StepKind.CHI or (self.players > IN_MELD and step.seat == self._next)
        if meld.called is None or not is_turn or step.seat in self.riichi:
            raise self._refusal("no_such_call", step, tiles=tiles_text(step.tiles))
        for tile in own:
            self._take(self.concealed[step.seat], tile, step.seat)
        self.melds[step.seat].append(meld)
        self.called[discard.seat] = True
        self._next = step.seat

    def _closed_kan(self, step: PaifuStep) -> None:
        self._require_turn(step)
        meld = Meld(MeldKind.ANKAN, step.tiles)
        if meld.called is None:
            raise self._refusal("no_such_call", step, tiles=tiles_text(step.tiles))
        for tile in step.tiles:
            self._take(self.concealed[step.seat], tile, step.seat)
        self.melds[step.seat].append(meld)
        self._next = step.seat

    def _added_kan(self, step: PaifuStep) -> None:
        self._require_turn(step)
        tile, melds = step.tiles[0], self.melds[step.seat]
        places = [
            place for place, meld in enumerate(melds) if meld.kind is MeldKind.PON and KIND[meld.tiles[0]] == KIND[tile]
        ]
        if not places:
            raise self._refusal("no_pon", step, tile=tiles_text((tile,)))
        self._take(self.concealed[step.seat], tile, step.seat)
        melds[places[0]] = Meld(MeldKind.KAKAN, (*melds[places[0]].tiles, tile))
        self._next = step.seat

    def _north(self, step: PaifuStep) -> None:
        self._require_turn(step)
        if step.tiles != (NORTH,) or self.players > IN_MELD:
            raise self._refusal("no_such_call", step, tiles=tiles_text(step.tiles))
        self._take(self.concealed[step.seat], NORTH, step.seat)
        self.nuki[step.seat].append(NORTH)
        self._next = step.seat

    def _riichi(self, step: PaifuStep) -> None:
        self._require_turn(step)
        if step.seat in self.riichi:
            raise self._refusal("riichi_twice", step)
        if any(meld.kind is not MeldKind.ANKAN for meld in self.melds[step.seat]):
            raise self._refusal("riichi_open", step)
        self.riichi.append(step.seat)

    def _new_dora(self, step: PaifuStep) -> None:
        """Nothing on the table changes but the indicator."""

    _APPLY: ClassVar[Mapping[StepKind, Callable[[PaifuTable, PaifuStep], None]]] = {
        StepKind.DRAW: _draw,
        StepKind.DISCARD: _discard,
        StepKind.CHI: _call,
        StepKind.PON: _call,
        StepKind.OPEN_KAN: _call,
        StepKind.CLOSED_KAN: _closed_kan,
        StepKind.ADDED_KAN: _added_kan,
        StepKind.NORTH: _north,
        StepKind.RIICHI: _riichi,
        StepKind.NEW_DORA: _new_dora,
    }

    def is_nagashi(self, seat: int) -> bool:
        """Return whether a seat discarded terminals and honours alone, none of which was called."""
        river = self.river[seat]
        return bool(river) and not self.called[seat] and all(KIND[tile] in OUTSIDE for tile in river)
