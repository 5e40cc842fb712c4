"""Which tiles are in the wall, how they are drawn and called, and which are set aside."""

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
"""One kind of tile or a run of them: "5m", "1-9p"."""

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
    """Copies of each kind ..."""
    copies_of: dict[TileKind, Positive]
    """... but of these so many."""
    red: dict[Suit, Count]
    """Red fives among the fives of a suit; also fives marked for prizes."""
    gold: dict[Suit, Count]
    """Gold fives among the fives of a suit."""
    pocchi: Count
    """Blank ones among the white dragons."""
    flowers: Count
    bingo: dict[Bingo, Count]
    total: Positive
    """All tiles, as a check."""
    alike_in_hand: Positive
    """A winning hand uses at most so many of a kind."""

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
        """Every kind, one by one, in the order of the suits and numbers."""
        kinds: list[str] = []
        for run in self.kinds:
            first, last, suit = _KINDS.fullmatch(run).groups()  # type: ignore[union-attr]
            numbers = range(int(first), min(int(last or first), _SUITS[suit]) + 1)
            kinds += [f"{number}{suit}" for number in numbers]
        return tuple(kinds)


class DeadWall(StrEnum):
    """Where drawing ends."""

    FIXED = "fixed"
    """So many tiles always stay: each replacement shortens the live wall."""
    UP_TO_INDICATOR = "up_to_indicator"
    """Tiles are drawn up to the one before the dora indicator."""
    BESIDE_INDICATOR = "beside_indicator"
    """Tiles are drawn up to and including the one beside the dora indicator."""


class KanWithoutReplacement(StrEnum):
    """A kan made when no replacement tile can be had."""

    IMPOSSIBLE = "impossible"
    """It may not be made."""
    ENDS_AS_DRAW = "ends_as_draw"
    """It may; the hand then ends as a draw."""


class Wall(Ruled):
    """Drawing and replacing."""

    dead_wall: DeadWall
    kept: Count
    """Tiles that are never drawn, where the number is fixed; 0 where the wall says it."""
    replacements: Count
    """Replacement tiles there are; 0 where nobody counts them."""
    kans: Positive
    """Kans that can be made in a hand, by all players together."""
    kan_needs_indicator: bool
    """No kan once no further dora indicator can be turned."""
    last_kan: KanWithoutReplacement


class KanAfterRiichi(StrEnum):
    """Which closed kan a player in riichi may make with the tile just drawn."""

    SAME_MELDS = "same_melds"
    """One that leaves the composition of the hand into melds as it is."""
    SAME_WAITS = "same_waits"
    """One that leaves the waits as they are."""
    SAME_WAITS_AND_READING = "same_waits_and_reading"
    """One that changes neither the waits nor how the hand is read."""


class Kuikae(StrEnum):
    """Discarding a tile that would complete the meld just called."""

    FORBIDDEN = "forbidden"
    """Not allowed."""
    IF_HIGHER = "if_higher"
    """Allowed where the hand's value rises by it; the table judges."""


class CallPriority(StrEnum):
    """Who may pon a tile that two players call, where a tile has so many copies."""

    ONE_CALLER = "one_caller"
    """Cannot happen: with four copies only one player can."""
    LEFT_OF_DISCARDER = "left_of_discarder"
    """The discarder's left-hand neighbour comes first."""


class Calls(Ruled):
    """What may be called."""

    chi: bool
    kuikae: Kuikae
    pon_priority: CallPriority
    kan_after_riichi: KanAfterRiichi
    kan_after_riichi_must: bool
    """It is compulsory where it is possible."""
    closed_kan_robbed_by: tuple[YakuName, ...]
    """Yaku that may win by robbing a closed kan."""


class SetAside(StrEnum):
    """Tiles laid aside as bonus tiles."""

    NORTH = "north"
    """北."""
    FLOWER = "flower"
    """華牌."""
    BINGO = "bingo"
    """ビンゴ牌."""


class Nuki(Ruled):
    """A kind of tile that may be laid aside and is replaced."""

    discardable: bool
    """It may be discarded instead."""
    ponned: bool
    """Laid aside, others may pon it, if it is a single one."""
    won_on: bool
    """Laid aside, others may win on it."""
    breaks_first_turn: bool
    """Laying it aside ends ippatsu and a first turn."""
    rinshan: bool
    """Winning on its replacement is a win on a replacement tile."""


class PocchiWild(StrEnum):
    """When the blank white dragon stands for any tile, drawn by a player in riichi."""

    AFTER_RIICHI = "after_riichi"
    """At any time after riichi."""
    IPPATSU = "ippatsu"
    """With the first draw after riichi, while ippatsu lives."""


class Pocchi(Ruled):
    """The blank white dragon; in the hand or among discards an ordinary one."""

    wild: PocchiWild
    must_win: bool
    """It has to be taken as a win."""
    mistaken_discard_wins: bool
    """Discarded by mistake it still wins."""
    chosen_after_ura: bool
    """What it stands for may be said after the indicators beneath are seen."""
