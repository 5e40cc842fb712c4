"""The tiles in the wall, the rules for drawing and calling them, and the tiles to be set aside."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from scoring.ruleset.base import Count, Positive, Ruled
from scoring.ruleset.yaku import YakuName

_SUITS = {"m": 9, "p": 9, "s": 9, "z": 7}
_KINDS = re.compile(r"([1-9])(?:-([1-9]))?([mpsz])")

KindRange = Annotated[str, Field(pattern=r"^[1-9](-[1-9])?[mpsz]$")]
"""One kind of tile or a range of kinds: "5m", "1-9p"."""

TileKind = Annotated[str, Field(pattern=r"^[1-9][mpsz]$")]


class Suit(StrEnum):
    """A suit of numbers."""

    MANZU = "m"
    """Characters, 萬子."""
    PINZU = "p"
    """Circles, 筒子."""
    SOUZU = "s"
    """Bamboos, 索子."""


class Bingo(StrEnum):
    """A bonus tile that stands for a seven in the tulip."""

    RED = "red"
    """Stands for the seven of circles."""
    BLUE = "blue"
    """Stands for the seven of bamboos."""


class Tiles(Ruled):
    """The set of tiles."""

    kinds: tuple[KindRange, ...]
    copies: Positive
    """The copies of each kind ..."""
    copies_of: dict[TileKind, Positive]
    """... except for these kinds, each with its own number."""
    red: dict[Suit, Count]
    """Red fives among the fives of a suit; also fives marked for prizes."""
    gold: dict[Suit, Count]
    """Gold fives among the fives of a suit."""
    pocchi: Count
    """The number of blank ones among the white dragons."""
    flowers: Count
    bingo: dict[Bingo, Count]
    total: Positive
    """The number of all tiles, as a check."""
    alike_in_hand: Positive
    """The most copies of a kind that a winning hand may use."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        kinds = self.listed()
        counted = sum(self.copies_of.get(kind, self.copies) for kind in kinds)
        counted += self.flowers + sum(self.bingo.values())
        if counted != self.total:
            raise ValueError(f"total is {self.total}, but the kinds make {counted} tiles")
        for suit in Suit:
            coloured = self.red.get(suit, 0) + self.gold.get(suit, 0)
            five = f"5{suit.value}"
            fives = self.copies_of.get(five, self.copies) if five in kinds else 0
            if coloured > fives:
                raise ValueError(f"{coloured} coloured fives of {suit.value}, but {fives} fives")
        return self

    def listed(self) -> tuple[str, ...]:
        """Return every kind, one by one, in the order of suits and numbers."""
        kinds: list[str] = []
        for found in filter(None, map(_KINDS.fullmatch, self.kinds)):
            first, last, suit = found.groups()
            numbers = range(int(first), min(int(last or first), _SUITS[suit]) + 1)
            kinds += [f"{number}{suit}" for number in numbers]
        return tuple(kinds)


class DeadWall(StrEnum):
    """The point at which drawing ends."""

    FIXED = "fixed"
    """A fixed number of tiles always stays: each replacement shortens the live wall."""
    UP_TO_INDICATOR = "up_to_indicator"
    """Tiles are drawn up to the one before the dora indicator."""
    BESIDE_INDICATOR = "beside_indicator"
    """Tiles are drawn up to and including the one beside the dora indicator."""


class KanWithoutReplacement(StrEnum):
    """The rule for a kan without a replacement tile left."""

    IMPOSSIBLE = "impossible"
    """It may not be made."""
    ENDS_AS_DRAW = "ends_as_draw"
    """It may; the hand then ends as a draw."""


class Wall(Ruled):
    """Drawing and replacing."""

    dead_wall: DeadWall
    kept: Count
    """The tiles that are never drawn, if their number is fixed; otherwise 0."""
    replacements: Count
    """The number of replacement tiles; 0 if they are not counted."""
    kans: Positive
    """Kans that can be made in a hand, by all players together."""
    kan_needs_indicator: bool
    """No kan is allowed when no further dora indicator can be turned."""
    last_kan: KanWithoutReplacement


class KanAfterRiichi(StrEnum):
    """The closed kans that a player in riichi may make with the tile just drawn."""

    SAME_MELDS = "same_melds"
    """One that leaves the composition of the hand into melds as it is."""
    SAME_WAITS = "same_waits"
    """One that leaves the waits as they are."""
    SAME_WAITS_AND_READING = "same_waits_and_reading"
    """One that changes neither the waits nor the reading of the hand."""
    NEVER = "never"
    """None."""


class Kuikae(StrEnum):
    """The rule for discarding a tile that would complete the meld just called (喰い替え)."""

    FORBIDDEN = "forbidden"
    """Not allowed: neither the tile called nor one that would complete the meld at its other end."""
    ONLY_SAME_TILE = "only_same_tile"
    """The tile called may not be discarded at once; one that completes the meld at its other end may."""
    IF_HIGHER = "if_higher"
    """Allowed if it raises the hand's value; the table judges."""
    ALLOWED = "allowed"
    """Allowed."""


class CallPriority(StrEnum):
    """The player entitled to pon a tile that two players call, if there are enough copies for both."""

    ONE_CALLER = "one_caller"
    """Cannot happen: with four copies only one player can."""
    LEFT_OF_DISCARDER = "left_of_discarder"
    """The discarder's left-hand neighbour comes first."""


class Calls(Ruled):
    """The rules for calls."""

    chi: bool
    kuikae: Kuikae
    pon_priority: CallPriority
    kan_after_riichi: KanAfterRiichi
    kan_after_riichi_must: bool
    """It is compulsory whenever it is possible."""
    closed_kan_robbed_by: tuple[YakuName, ...]
    """Yaku that may win by robbing a closed kan."""

    @model_validator(mode="after")
    def _must_be_possible(self) -> Self:
        if self.kan_after_riichi_must and self.kan_after_riichi is KanAfterRiichi.NEVER:
            raise ValueError('kan_after_riichi_must needs a kan that is possible: kan_after_riichi is "never"')
        return self


class SetAside(StrEnum):
    """Tiles set aside as bonus tiles."""

    NORTH = "north"
    """北."""
    FLOWER = "flower"
    """華牌."""
    BINGO = "bingo"
    """ビンゴ牌."""


class Nuki(Ruled):
    """A kind of tile that may be set aside and is replaced."""

    discardable: bool
    """It may be discarded instead of being set aside."""
    ponned: bool
    """Others may pon it when it is set aside, if it is a single one."""
    won_on: bool
    """Others may win on it when it is set aside."""
    breaks_first_turn: bool
    """Setting it aside ends ippatsu and a first turn."""
    rinshan: bool
    """A win on its replacement counts as a win on a replacement tile."""


class PocchiWild(StrEnum):
    """The time at which a blank white dragon, drawn by a player in riichi, stands for any tile."""

    AFTER_RIICHI = "after_riichi"
    """At any time after riichi."""
    IPPATSU = "ippatsu"
    """With the first draw after riichi, while ippatsu is possible."""


class Pocchi(Ruled):
    """The blank white dragon; in the hand or among discards it is an ordinary one."""

    wild: PocchiWild
    must_win: bool
    """It has to be taken as a win."""
    mistaken_discard_wins: bool
    """It still wins if it is discarded by mistake."""
    chosen_after_ura: bool
    """The tile it stands for may be chosen after the ura indicators are seen."""
