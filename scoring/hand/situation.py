"""The circumstances of a win: everything about it that is not a tile of the hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from scoring.hand.notation import pack
from scoring.hand.tiles import Tile
from scoring.ruleset.base import Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import YakuName
from scoring.value import By


class RiichiKind(StrEnum):
    """The kind of riichi that was declared."""

    NONE = "none"
    """No riichi."""
    RIICHI = "riichi"
    """立直."""
    DOUBLE = "double"
    """In the first go-around, uninterrupted: ダブル立直."""
    OPEN = "open"
    """With the hand shown: オープンリーチ."""
    DOUBLE_OPEN = "double_open"
    """Double and open at once."""


class Robbed(StrEnum):
    """The kan or set-aside tile of another player that the winning tile was taken from."""

    NOTHING = "nothing"
    """Nothing was robbed: an ordinary discard or draw."""
    ADDED_KAN = "added_kan"
    """It was added to a pon: 搶槓."""
    CLOSED_KAN = "closed_kan"
    """It was part of a concealed kan."""
    NUKI = "nuki"
    """It was set aside as a bonus tile."""


@dataclass(frozen=True, slots=True)
class Liability:
    """A player who must pay for a yakuman or an open kan they made possible, 包."""

    seat: Wind
    """The seat's wind in this hand."""
    yaku: YakuName | None = None
    """The yaku it is for; None for the open kan on whose replacement tile the hand is won."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a win."""

    by: By
    seat_wind: Wind
    """The winner's wind; the dealer is East."""
    round: RoundName = RoundName.EAST
    riichi: RiichiKind = RiichiKind.NONE
    ippatsu: bool = False
    haitei: bool = False
    """The winning tile was the last of the wall, drawn."""
    houtei: bool = False
    """The winning tile was the last discard."""
    rinshan: bool = False
    """The winning tile replaced a kan or a tile set aside."""
    first_turn: bool = False
    """Complete on the first draw, or by ron before it, with no call or kan by any player before."""
    robbed: Robbed = Robbed.NOTHING
    dora_indicators: tuple[Tile, ...] = ()
    """The first indicator, then those turned for kans."""
    ura_indicators: tuple[Tile, ...] = ()
    """The ura indicators, in the same order; they are turned only after riichi."""
    honba: int = 0
    """The honba counters that the winner collects: 0 for a second winner on the same discard."""
    deposits: int = 0
    """Points of the sticks on the table that the winner takes."""
    last_hand: bool = False
    """The last hand of the last round."""
    pocchi_as: Tile | None = None
    """The tile that the winner chooses for a wild pocchi; None lets the engine propose the most valuable one."""
    forced: bool = False
    """The discarder had no other tile to discard against an open riichi."""
    discarder: Wind | None = None
    """The seat that dealt in, if known."""
    liable: tuple[Liability, ...] = ()
    unshown: bool = False
    """The self-drawn tile was put among the others before it was shown."""
    indicators: int = field(init=False, repr=False, compare=False)
    """All indicators packed; -1 if one of them is not a tile."""
    key: int = field(init=False, repr=False, compare=False)
    """The circumstances that make yaku, as one small number."""
    turned: tuple[tuple[int, Tile], ...] = field(init=False, repr=False, compare=False)
    """Every indicator that counts, with the place in `Dora` of the kind of dora it makes."""
    place: int = field(init=False, repr=False, compare=False)
    """The seat in the round as one small number."""
    most_turned: int = field(init=False, repr=False, compare=False)
    """The number of indicators in the longer row."""
    is_plain: bool = field(init=False, repr=False, compare=False)
    """True if nothing in it needs a closer check or special payments."""

    def __post_init__(self) -> None:
        # Three bits from 7 on for the riichi, two from 10 on for what was robbed, and one for each of the others.
        key = (self.by is _TSUMO) | self.ippatsu << 1 | self.haitei << 2 | self.houtei << 3 | self.rinshan << 4
        key |= self.first_turn << 5 | self.forced << 6 | _RIICHI_BITS[self.riichi] | _ROBBED_BITS[self.robbed]
        key |= self.unshown << 12
        plain = (
            self.honba >= 0 and self.deposits >= 0 and self.pocchi_as is None and self.discarder is not self.seat_wind
        )
        plain = plain and not (self.liable or (self.discarder is not None and self.by is _TSUMO))
        plain = plain and not (self.ura_indicators and self.riichi is _NO_RIICHI)
        object.__setattr__(self, "indicators", pack(self.dora_indicators + self.ura_indicators))
        object.__setattr__(self, "place", place_of(self.seat_wind, self.round))
        object.__setattr__(self, "most_turned", max(len(self.dora_indicators), len(self.ura_indicators)))
        object.__setattr__(self, "key", key)
        turned = (
            *zip(_TURNED, self.dora_indicators, strict=False),
            *zip(_TURNED_URA, self.ura_indicators, strict=False),
        )
        object.__setattr__(self, "turned", turned)
        object.__setattr__(self, "is_plain", plain and self.robbed is _NOT_ROBBED)


def place_of(wind: Wind, name: RoundName) -> int:
    """Return a seat in a round as one small number, since enums are slow dictionary keys."""
    return _WINDS[wind] | _ROUNDS[name] << 2


_WINDS = {wind: number for number, wind in enumerate(Wind)}
_ROUNDS = {name: number for number, name in enumerate(RoundName)}
_PLACES = {dora: place for place, dora in enumerate(Dora)}
_MOST_TURNED = 64
_TURNED = (_PLACES[Dora.INDICATOR], *[_PLACES[Dora.KAN]] * _MOST_TURNED)
_TURNED_URA = (_PLACES[Dora.URA], *[_PLACES[Dora.KAN_URA]] * _MOST_TURNED)
_TSUMO, _NOT_ROBBED, _NO_RIICHI = By.TSUMO, Robbed.NOTHING, RiichiKind.NONE
_RIICHI_BITS = {kind: number << 7 for number, kind in enumerate(RiichiKind)}
_ROBBED_BITS = {robbed: number << 10 for number, robbed in enumerate(Robbed)}
KEY_BITS = 13
"""The number of bits of a situation's key."""
