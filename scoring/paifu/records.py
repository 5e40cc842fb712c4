"""Records of a game played online: its players, every hand tile by tile, and the payments that its service made.

The records are neutral: each reader of a service's format fills the same ones. Seats are numbered from the first
dealer, tiles are those of `scoring.hand.tiles`, points are whole points of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from scoring.hand import Hand, Tile
from scoring.paifu.problems import Position
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind


class PaifuSource(StrEnum):
    """The service that wrote a log."""

    TENHOU = "tenhou"
    """天鳳."""
    MAHJONGSOUL = "mahjongsoul"
    """雀魂."""


class StepKind(StrEnum):
    """The kind of a step in a hand."""

    DRAW = "draw"
    """A tile is drawn from the wall, or a replacement tile after a kan or a north."""
    DISCARD = "discard"
    CHI = "chi"
    PON = "pon"
    OPEN_KAN = "open_kan"
    """A kan called from a discard: 大明槓."""
    CLOSED_KAN = "closed_kan"
    """A concealed kan: 暗槓."""
    ADDED_KAN = "added_kan"
    """The fourth tile is added to a pon: 加槓."""
    NORTH = "north"
    """A north is set aside: 北抜き."""
    RIICHI = "riichi"
    """A riichi is declared; its discard is the next step."""
    NEW_DORA = "new_dora"
    """A further dora indicator is turned."""


CALLS = frozenset({StepKind.CHI, StepKind.PON, StepKind.OPEN_KAN})
"""The steps that take another player's discard."""


@dataclass(frozen=True, slots=True)
class PaifuPlayer:
    """A player as the service knows them."""

    name: str
    """The name shown; not unique, and players may change it."""
    account: str
    """The service's own id of the account; empty if the log has none."""
    seat: int


@dataclass(frozen=True, slots=True)
class PaifuStep:
    """One step of a hand."""

    kind: StepKind
    seat: int
    """The player who acts; the dealer for a new dora."""
    tiles: tuple[Tile, ...] = ()
    """The tile drawn, discarded, added, set aside or turned; of a call first the tile called, then those of the hand by
    their numbers; all four of a concealed kan; none for a riichi."""
    from_seat: int | None = None
    """The player whose discard was called."""
    tsumogiri: bool = False
    """The tile just drawn is discarded: ツモ切り."""


def in_order(kind: StepKind, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles of a step as `PaifuStep` keeps them: after the tile called, those of the hand by number."""
    fixed = 1 if kind in CALLS else 0
    return (*tiles[:fixed], *sorted(tiles[fixed:]))


@dataclass(frozen=True, slots=True)
class PaifuYaku:
    """One line of a win as the log lists it: a yaku or dora."""

    name: str
    """The name or number in the log."""
    han: int = 0
    yakuman: int = 0
    """The number of yakuman that it counts as; then `han` is 0."""
    code: str = ""
    """Its name in our rulesets (`YakuName`); `dora`, `ura`, `red` or `north_dora` for dora; empty if unknown."""


@dataclass(frozen=True, slots=True)
class PaifuWin:
    """One player's win as the log gives it."""

    seat: int
    loser: int | None
    """The player who dealt in; None for a self-draw."""
    hand: Hand
    """The concealed tiles without the winning one, the winning tile, the melds and the norths set aside."""
    pao: int | None = None
    """The player liable for it (包)."""
    han: int = 0
    """With dora; 0 for a yakuman, or if the log has only the points."""
    fu: int = 0
    """0 if the log has none."""
    yakuman: int = 0
    """The number of yakuman; 0 for a hand counted by han."""
    yaku: tuple[PaifuYaku, ...] = ()
    points: int = 0
    """The value of the hand by the log, without honba and deposits."""
    deltas: tuple[int, ...] = ()
    """The change of each seat by this win alone, if the log has it; deposits received are part of it."""


EXHAUSTIVE = "exhaustive"
"""The kind of a draw at which the wall has run out: 荒牌平局; a nagashi mangan is one too."""


@dataclass(frozen=True, slots=True)
class PaifuDraw:
    """A drawn hand."""

    kind: str
    """`EXHAUSTIVE`, or a value of `AbortiveKind`."""
    tenpai: tuple[int, ...] = ()
    nagashi: tuple[int, ...] = ()
    """The seats with nothing but terminals and honours among their discards (流し満貫), as the log paid them."""

    @property
    def abortive(self) -> AbortiveKind | None:
        """The reason of an abortive draw; None if the wall had run out."""
        return None if self.kind == EXHAUSTIVE else AbortiveKind(self.kind)


@dataclass(frozen=True, slots=True)
class PaifuKyoku:
    """One hand: wins or a draw, never both."""

    round: RoundName
    number: int
    """The kyoku of the round, from 1; the dealer's seat is one less."""
    honba: int
    sticks: int
    """Riichi sticks on the table when the hand begins, counted."""
    scores: tuple[int, ...]
    """The points of each seat when the hand begins."""
    dealt: tuple[tuple[Tile, ...], ...]
    """The 13 tiles of each seat; the dealer's 14th is the first step."""
    steps: tuple[PaifuStep, ...]
    dora: tuple[Tile, ...]
    """Every indicator turned, the first one included."""
    ura: tuple[Tile, ...]
    """The indicators below them; only if a winner had declared riichi."""
    riichi: tuple[int, ...]
    """The seats that laid a riichi stick in this hand, in the order of declaring."""
    deltas: tuple[int, ...]
    """The whole change of each seat: the scores after the hand less `scores`, sticks laid included."""
    wins: tuple[PaifuWin, ...] = ()
    draw: PaifuDraw | None = None

    @property
    def position(self) -> Position:
        """The place of the hand in the game."""
        return Position(self.round, self.number, self.honba)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.number - 1

    @property
    def after(self) -> tuple[int, ...]:
        """The points of each seat after the hand."""
        return tuple(score + change for score, change in zip(self.scores, self.deltas, strict=True))


STICK = 1000
"""The points of a riichi stick on these services, unless a room has set others."""


@dataclass(frozen=True, slots=True)
class Paifu:
    """A whole game."""

    source: PaifuSource
    game: str
    """The service's own id of the game; empty if the log has none."""
    played_at: datetime | None
    """The moment it began, or ended if the log has that alone; with its time zone."""
    players: tuple[PaifuPlayer, ...]
    """By seat; three or four."""
    start: int
    """The points of each player at the beginning."""
    hands: tuple[PaifuKyoku, ...]
    final_scores: tuple[int, ...]
    """The points of each seat at the end, sticks left on the table as the service gave them."""
    final_points: tuple[int, ...] | None = None
    """The result of each seat with its bonuses by the service, in tenths of a point; None if the log has none."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Rules named by the log: `length` (`E`, `ES`), `red` (red fives in the game), `open_tanyao` (`yes`, `no`),
    `title` (the name of the table or room), `stick` (points of a riichi stick, if not 1,000)."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)

    @property
    def stick(self) -> int:
        """The points of a riichi stick."""
        return int(self.rules.get("stick", STICK))
