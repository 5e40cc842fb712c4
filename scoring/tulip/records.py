"""The records of a tulip: the win, the facts before the first flip, the state between flips, and the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from scoring.hand import By, RiichiKind, Tile
from scoring.hand.records import Clauses
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName

Wall = Sequence[tuple[Tile | None, Tile | None]]
"""The stacks left, upper and lower tile, from the one beside the outermost indicator on; None: already drawn."""


class FlipMode(StrEnum):
    """The mode in which the wall is flipped."""

    NORMAL = "normal"
    """The upper tile of each stack."""
    KAKUHEN = "kakuhen"
    """Both tiles of each stack, 確変."""
    TOP = "16R"
    """Both tiles of each stack, and everything is multiplied at the end."""


class StackLevel(StrEnum):
    """The upper or lower tile of a stack."""

    UPPER = "upper"
    """上段."""
    LOWER = "lower"
    """下段."""


class FlipEnd(StrEnum):
    """The reason why no further tile is flipped."""

    NO_TULIP = "no_tulip"
    """No tile was flipped: the win has no tulip."""
    MISSED = "missed"
    """A stack matched nothing, and no guarantee was left."""
    COMPLETED = "completed"
    """The last stack was reached, or none was left."""


class ChipPayers(StrEnum):
    """The players who pay the chips."""

    DISCARDER = "discarder"
    """The player who dealt in."""
    EACH = "each"
    """Every opponent the same."""


class WallPlace(NamedTuple):
    """A tile of the wall: the number of its stack, from 1, and its level."""

    stack: int
    level: StackLevel


@dataclass(frozen=True, slots=True)
class Won:
    """A win, with the data that the tulip needs."""

    hand: tuple[Tile, ...]
    """Every tile of the completed hand, the winning one and melds included, kans with all four. For a yaku that wins
    without a hand: the tiles held."""
    by: By
    riichi: RiichiKind = RiichiKind.NONE
    ippatsu: bool = False
    opened: bool = False
    """True if a tile was called."""
    limit: LimitName | None = None
    """The limit of the hand itself, regardless of a forced deal-in; below the limits that matter it may be
    None."""
    yakuman: tuple[YakuName, ...] = ()
    """The yakuman by name, if known; `limit` must then be the yakuman."""
    forced: bool = False
    """The discarder had no other tile to discard against an open riichi."""
    nuki: tuple[Tile, ...] = ()
    """Bonus tiles set aside before the win."""
    pocchi_as: Tile | None = None
    """The tile that a drawn pocchi stands for."""
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    """Turned after riichi only."""
    stacks: int | None = None
    """The number of stacks that still have their upper tile; None if they were not counted."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One fact or event, with the clauses that it rests on."""

    code: str
    clauses: Clauses
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaseLine:
    """Chips of the win itself."""

    event: AwardEvent
    count: int
    chips: int
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """A part of the payment; all lines add up to the total."""

    name: str
    """An event of the win, or `matches`, `completion`, `times`; or the yaku with a fixed prize."""
    count: int
    chips: int
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class Start:
    """The facts before the first flip."""

    won: Won
    mode: FlipMode | None
    """None if there is no tulip."""
    guarantees: int = 0
    joined: tuple[Tile, ...] = ()
    """Bonus tiles that count with the hand from the start: those set aside, then those among the indicators."""
    base: tuple[BaseLine, ...] = ()
    fixed: PayoutLine | None = None
    """A fixed prize from all other players in place of all chips."""
    counts_as_completed: bool = False
    """True for a yaku that counts as a completed tulip."""
    remarks: tuple[Remark, ...] = ()

    @property
    def payers(self) -> ChipPayers:
        """The players who pay: the discarder on a ron, else all others; a fixed prize comes from all."""
        is_all = self.fixed is not None or self.won.by is By.TSUMO
        return ChipPayers.EACH if is_all else ChipPayers.DISCARDER


@dataclass(frozen=True, slots=True)
class TulipState:
    """The state between flips."""

    start: Start
    mode: FlipMode | None
    guarantees: int
    """The guarantees left."""
    matching: tuple[Tile, ...]
    """The tiles that flips are compared with, in the order in which they joined."""
    stack: int = 1
    """The number of the stack being flipped."""
    level: StackLevel = StackLevel.UPPER
    """The level of its tile that comes next."""
    begun_in: FlipMode | None = None
    """The mode when this stack was begun."""
    has_matched: bool = False
    """True if a flip of this stack matched."""
    hits: int = 0
    flipped: tuple[Tile, ...] = ()
    taken: tuple[Tile, ...] = ()
    """Flipped tiles that joined, in their order."""
    end: FlipEnd | None = None

    @property
    def awaits(self) -> WallPlace | None:
        """The place of the tile to be flipped next; None at the end."""
        return None if self.end is not None else WallPlace(self.stack, self.level)

    @property
    def is_completed(self) -> bool:
        """True if the chips for completion are due."""
        return self.end is FlipEnd.COMPLETED or self.start.counts_as_completed


@dataclass(frozen=True, slots=True)
class Flip:
    """One flip and all its effects."""

    number: int
    """From 1."""
    place: WallPlace
    tile: Tile
    matched: tuple[Tile, ...]
    """The matching tiles of the hand and of those that joined it."""
    chips: int
    """The chips for these matches, before any multiplier."""
    mode: FlipMode
    """The mode from here on."""
    is_promoted: bool
    joins: bool
    """True if the tile joined the hand."""
    guarantees: int
    """The guarantees left."""
    uses_guarantee: bool
    ends: FlipEnd | None
    remarks: tuple[Remark, ...]

    @property
    def hits(self) -> int:
        """The number of matching tiles."""
        return len(self.matched)
