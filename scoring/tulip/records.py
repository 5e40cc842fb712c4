"""What a tulip is made of: the win it follows, what holds before the first flip, the state between flips, the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from scoring.hand import By, RiichiKind, Tile
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName

Clauses = tuple[str, ...]

Wall = Sequence[tuple[Tile | None, Tile | None]]
"""The stacks left, upper and lower tile, from the one beside the outermost indicator outwards; None: drawn already."""


class Mode(StrEnum):
    """How richly the wall is flipped."""

    NORMAL = "normal"
    """The upper tile of each stack."""
    KAKUHEN = "kakuhen"
    """Both tiles of each stack, 確変."""
    TOP = "16R"
    """Both, and everything is multiplied at the end."""


class Level(StrEnum):
    """Which tile of a stack."""

    UPPER = "upper"
    """上段."""
    LOWER = "lower"
    """下段."""


class End(StrEnum):
    """Why nothing more is flipped."""

    NO_TULIP = "no_tulip"
    """Nothing ever was: the win is followed by none."""
    MISSED = "missed"
    """A stack matched nothing, and no guarantee was left."""
    COMPLETED = "completed"
    """The last stack was reached, or none was left."""


class Payers(StrEnum):
    """Who pays the chips."""

    DISCARDER = "discarder"
    """The one who dealt in."""
    EACH = "each"
    """Every opponent the same."""


class Place(NamedTuple):
    """A tile of the wall: the number of its stack, from 1, and which of the two."""

    stack: int
    level: Level


@dataclass(frozen=True, slots=True)
class Won:
    """A win as the tulip looks at it."""

    hand: tuple[Tile, ...]
    """Every tile of the completed hand, the winning one and melds included, kans with all four. For a yaku that wins
    without a hand: the tiles held."""
    by: By
    riichi: RiichiKind = RiichiKind.NONE
    ippatsu: bool = False
    opened: bool = False
    """Something was called."""
    limit: LimitName | None = None
    """What the hand itself is worth, whatever a forced deal-in is paid; below the limits that matter it may be left
    out."""
    yakuman: tuple[YakuName, ...] = ()
    """By name, where they are known; their limit is then the yakuman."""
    forced: bool = False
    """The discarder had no other tile to discard against an open riichi."""
    nuki: tuple[Tile, ...] = ()
    """Bonus tiles laid aside before the win."""
    pocchi_as: Tile | None = None
    """What the winner lets a drawn pocchi stand for."""
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    """Turned after riichi only."""
    stacks: int | None = None
    """How many stacks of the wall still have their upper tile; None where nobody has counted."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that is so or that happened, and the clauses that say it."""

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
class Line:
    """A part of what is paid; all of them add up to the total."""

    name: str
    """An event of the win, or `matches`, `completion`, `times`; or the yaku with a fixed prize."""
    count: int
    chips: int
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class Start:
    """What holds before the first flip."""

    won: Won
    mode: Mode | None
    """None: no tulip."""
    guarantees: int = 0
    joined: tuple[Tile, ...] = ()
    """Bonus tiles that count with the hand from the start: those laid aside, then those among the indicators."""
    base: tuple[BaseLine, ...] = ()
    fixed: Line | None = None
    """A fixed prize from everybody in place of all chips."""
    counts_as_completed: bool = False
    """A yaku that is as good as a completed tulip."""
    remarks: tuple[Remark, ...] = ()

    @property
    def payers(self) -> Payers:
        """The discarder pays a ron; a fixed prize comes from everybody."""
        is_all = self.fixed is not None or self.won.by is By.TSUMO
        return Payers.EACH if is_all else Payers.DISCARDER


@dataclass(frozen=True, slots=True)
class State:
    """Where the flips stand."""

    start: Start
    mode: Mode | None
    guarantees: int
    """Those left."""
    matching: tuple[Tile, ...]
    """Every tile that flips are held against, in the order in which they joined."""
    stack: int = 1
    """The number of the stack that is being flipped."""
    level: Level = Level.UPPER
    """Which of its tiles comes next."""
    begun_in: Mode | None = None
    """The mode when this stack was begun."""
    has_matched: bool = False
    """A flip of this stack matched."""
    hits: int = 0
    flipped: tuple[Tile, ...] = ()
    taken: tuple[Tile, ...] = ()
    """Flipped tiles that joined, in their order."""
    end: End | None = None

    @property
    def awaits(self) -> Place | None:
        """The tile that is flipped next."""
        return None if self.end is not None else Place(self.stack, self.level)

    @property
    def is_completed(self) -> bool:
        """The chips for completing it are due."""
        return self.end is End.COMPLETED or self.start.counts_as_completed


@dataclass(frozen=True, slots=True)
class Step:
    """One flip, and everything that came of it."""

    number: int
    """From 1."""
    place: Place
    tile: Tile
    matched: tuple[Tile, ...]
    """The tiles of the hand, and those that joined it, that match."""
    chips: int
    """What they bring, before anything is multiplied."""
    mode: Mode
    """From here on."""
    is_promoted: bool
    joins: bool
    """The tile was taken in."""
    guarantees: int
    """Those left."""
    uses_guarantee: bool
    ends: End | None
    remarks: tuple[Remark, ...]

    @property
    def hits(self) -> int:
        """How many tiles match."""
        return len(self.matched)
