"""The order of a hand in the JSON of tenhou.net/6, where draws and discards stand in one list for each seat.

A call stands among the draws of the seat that made it, and its digits tell from whom. Where a discard could be called
now or by a later, equal entry, the call is taken at once; if the lists then do not fit together, it is left for later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scoring.hand import Tile
from scoring.hand.tiles import NORTH, RED
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import PaifuStep, StepKind

MOST_TRIES = 16
TSUMOGIRI = 60
NOTHING = 0
"""Stands among the discards for a kan called from a discard: nothing was discarded before the replacement tile."""
SUIT_OF = "mpsz"
REDS = {51: RED["m"], 52: RED["p"], 53: RED["s"]}
CALL = re.compile(r"(?:\d\d){0,3}[cpmakf](?:\d\d){1,4}", re.ASCII)
KINDS = {
    "c": StepKind.CHI,
    "p": StepKind.PON,
    "m": StepKind.OPEN_KAN,
    "a": StepKind.CLOSED_KAN,
    "k": StepKind.ADDED_KAN,
    "f": StepKind.NORTH,
}
LEFT = 3
"""The player to the left is three seats further in turn order."""
Entry = int | str


@dataclass(frozen=True, slots=True)
class Call:
    """A call or a kan as an entry tells it: the tile called or added first; `offset` seats further sits its giver."""

    kind: StepKind
    tiles: tuple[Tile, ...]
    offset: int = 0


def tile_of(number: int) -> Tile:
    """Return the tile of a number: tens for the suit, 51 to 53 for red fives."""
    if number in REDS:
        return REDS[number]
    suit, rank = divmod(number, 10)
    if not 1 <= suit <= len(SUIT_OF) or not 1 <= rank <= (7 if suit == len(SUIT_OF) else 9):
        raise PaifuError("not_tile", value=number)
    return 9 * (suit - 1) + rank - 1


def call_of(entry: str) -> Call:
    """Return the call of an entry such as `p414141` (from the left), `41p4141` (across) or `4141p41` (right)."""
    if not CALL.fullmatch(entry):
        raise PaifuError("not_step", value=entry[:20])
    place = next(index for index, letter in enumerate(entry) if letter in KINDS)
    kind, digits = KINDS[entry[place]], entry[:place] + entry[place + 1 :]
    tiles = [tile_of(int(digits[at : at + 2])) for at in range(0, len(digits), 2)]
    called = tiles.pop(place // 2)
    if kind is StepKind.NORTH:
        return Call(kind, (NORTH,))
    if kind is StepKind.ADDED_KAN:
        return Call(kind, (called,))
    if kind is StepKind.CLOSED_KAN:
        return Call(kind, (called, *tiles))
    # The letter stands before the tile of the giver: first from the left, then across, last from the right.
    offset = 1 if place // 2 == len(tiles) else LEFT - place // 2
    return Call(kind, (called, *tiles), offset)


@dataclass(slots=True)
class Lists:
    """Draws and discards of every seat."""

    draws: Sequence[Sequence[Entry]]
    discards: Sequence[Sequence[Entry]]
    dealer: int
    indicators: Sequence[Tile]
    """The indicators turned for kans, in their order."""

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.draws)

    def steps(self) -> tuple[PaifuStep, ...]:
        """Return the steps in their order; raise PaifuError if there is no order that uses every entry."""
        passed: frozenset[int] = frozenset()
        for _ in range(MOST_TRIES):
            run = _Run(self, passed)
            if run.completes():
                return tuple(run.steps)
            open_calls = [place for place in run.chances if place not in passed]
            if not open_calls:
                break
            # The last call that was taken at once is left for later; those after it are tried again.
            passed = frozenset({*(place for place in passed if place < open_calls[-1]), open_calls[-1]})
        raise PaifuError("no_order")


@dataclass(slots=True)
class _Run:
    """One attempt to put the entries in order."""

    lists: Lists
    passed: frozenset[int]
    """The places among the steps at which a possible call is left for later."""
    steps: list[PaifuStep] = field(default_factory=list)
    chances: list[int] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    """The number of used entries of each seat's draws."""
    out: list[int] = field(default_factory=list)
    last_drawn: Tile | None = None
    turned: int = 0
    due: int = 0
    """Indicators to be turned after the next discard."""

    def completes(self) -> bool:
        """Play the entries; return whether all were used."""
        lists = self.lists
        self.drawn, self.out = [0] * lists.players, [0] * lists.players
        seat: int | None = lists.dealer
        while seat is not None:
            seat = self._turn(seat)
        used = zip(self.drawn, lists.draws, strict=True), zip(self.out, lists.discards, strict=True)
        return all(count == len(entries) for pairs in used for count, entries in pairs)

    def _turn(self, seat: int) -> int | None:
        """Play the turn of a seat: its draw or call, then its discard or kan; return the seat that comes next."""
        if self.drawn[seat] >= len(self.lists.draws[seat]):
            return None
        entry = self.lists.draws[seat][self.drawn[seat]]
        self.drawn[seat] += 1
        if isinstance(entry, str):
            if not self._called(seat, call_of(entry)):
                return None
        else:
            self.last_drawn = tile_of(entry)
            self.steps.append(PaifuStep(StepKind.DRAW, seat, (self.last_drawn,)))
        return self._discards(seat)

    def _called(self, seat: int, call: Call) -> bool:
        discard = self._discard()
        if discard is None or not self._fits(seat, call, discard):
            return False
        self.steps.append(PaifuStep(call.kind, seat, call.tiles, discard.seat))
        self.last_drawn = None
        return True

    def _discard(self) -> PaifuStep | None:
        """Return the last discard, if nothing but an indicator followed it."""
        last = next((step for step in reversed(self.steps) if step.kind is not StepKind.NEW_DORA), None)
        return last if last is not None and last.kind is StepKind.DISCARD else None

    def _fits(self, seat: int, call: Call, discard: PaifuStep) -> bool:
        """Return whether a call takes this discard: the same tile, from the seat that its digits tell.

        Of three players the one before in turn order is written as the one to the left.
        """
        offset = (discard.seat - seat) % self.lists.players
        told = {offset, LEFT} if offset == self.lists.players - 1 else {offset}
        return bool(call.offset) and call.tiles[0] == discard.tiles[0] and call.offset in told

    def _discards(self, seat: int) -> int | None:
        if self.out[seat] >= len(self.lists.discards[seat]):
            return None
        entry = self.lists.discards[seat][self.out[seat]]
        self.out[seat] += 1
        if entry == NOTHING:
            self.due += 1
            return seat
        if isinstance(entry, str) and not entry.startswith("r"):
            return self._set_aside(seat, call_of(entry))
        if isinstance(entry, str):
            self.steps.append(PaifuStep(StepKind.RIICHI, seat))
            entry = int(entry[1:]) if entry[1:].isdecimal() and entry.isascii() else -1
        same = entry == TSUMOGIRI
        if same and self.last_drawn is None:
            raise PaifuError("not_step", value=entry)
        tile = self.last_drawn if same and self.last_drawn is not None else tile_of(entry)
        self.steps.append(PaifuStep(StepKind.DISCARD, seat, (tile,), None, same))
        self._turn_due(seat)
        return self._next(seat)

    def _set_aside(self, seat: int, call: Call) -> int | None:
        """Play a kan of the seat's own tiles, or a north; the seat draws again."""
        if call.offset:
            return None
        self.steps.append(PaifuStep(call.kind, seat, call.tiles))
        if call.kind is StepKind.CLOSED_KAN:
            self.due += 1
            self._turn_due(seat)
        elif call.kind is StepKind.ADDED_KAN:
            self.due += 1
        return seat

    def _turn_due(self, seat: int) -> None:
        while self.due and self.turned < len(self.lists.indicators):
            self.steps.append(PaifuStep(StepKind.NEW_DORA, seat, (self.lists.indicators[self.turned],)))
            self.turned += 1
            self.due -= 1

    def _next(self, seat: int) -> int:
        """Return the seat that calls the discard, else the next in turn order."""
        discard = self._discard()
        for other in self._others(seat):
            entries, used = self.lists.draws[other], self.drawn[other]
            entry = entries[used] if used < len(entries) else NOTHING
            if isinstance(entry, str) and discard is not None and self._fits(other, call_of(entry), discard):
                self.chances.append(len(self.steps))
                if len(self.steps) not in self.passed:
                    return other
        return (seat + 1) % self.lists.players

    def _others(self, seat: int) -> Iterator[int]:
        return ((seat + step) % self.lists.players for step in range(1, self.lists.players))
