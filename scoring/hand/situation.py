"""How a hand was won: everything that is not a tile of the hand."""

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
    """What was declared."""

    NONE = "none"
    """No riichi."""
    RIICHI = "riichi"
    """立直."""
    DOUBLE = "double"
    """In the first go-around, uninterrupted: ダブル立直."""
    OPEN = "open"
    """With the hand shown: オープンリーチ."""
    DOUBLE_OPEN = "double_open"
    """Both."""


class Robbed(StrEnum):
    """The winning tile was being made into a kan, or set aside, by another player."""

    NOTHING = "nothing"
    """It was an ordinary discard or draw."""
    ADDED_KAN = "added_kan"
    """It was added to a pon: 搶槓."""
    CLOSED_KAN = "closed_kan"
    """It was part of a concealed kan."""
    NUKI = "nuki"
    """It was set aside as a bonus tile."""


@dataclass(frozen=True, slots=True)
class Liability:
    """A player who is liable, 包."""

    seat: Wind
    """The seat's wind in this hand."""
    yaku: YakuName | None = None
    """For this yaku; none for the open kan on whose replacement tile the hand is won."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a win."""

    by: By
    seat_wind: Wind
    """The winner's; the dealer is East."""
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
    """With nothing called by anybody: complete on the first draw, or won by ron before it."""
    robbed: Robbed = Robbed.NOTHING
    dora_indicators: tuple[Tile, ...] = ()
    """The first, then those turned for kans."""
    ura_indicators: tuple[Tile, ...] = ()
    """Those beneath, in the same order; they count only after riichi."""
    honba: int = 0
    """What the winner collects: 0 for one who is not the head winner."""
    deposits: int = 0
    """Points of sticks on the table that the winner takes."""
    last_hand: bool = False
    """The last hand of the last round."""
    pocchi_as: Tile | None = None
    """What the winner lets a wild pocchi stand for; where it is not said, the dearest."""
    forced: bool = False
    """The discarder had no other tile to discard against an open riichi."""
    discarder: Wind | None = None
    """The seat that dealt in, where it is known."""
    liable: tuple[Liability, ...] = ()
    indicators: int = field(init=False, repr=False, compare=False)
    """All indicators packed; -1 if one of them is no tile."""
    key: int = field(init=False, repr=False, compare=False)
    """The circumstances that make yaku, as one small number."""
    turned: tuple[tuple[int, Tile], ...] = field(init=False, repr=False, compare=False)
    """Every indicator that counts, with what it makes: the place in `Dora` of its kind."""
    place: int = field(init=False, repr=False, compare=False)
    """The seat in the round, as one small number."""
    most_turned: int = field(init=False, repr=False, compare=False)
    """How many indicators lie in the longer row."""
    is_plain: bool = field(init=False, repr=False, compare=False)
    """Nothing is said that would have to be looked at more closely."""

    def __post_init__(self) -> None:
        key = (self.by is _TSUMO) | self.ippatsu << 1 | self.haitei << 2 | self.houtei << 3 | self.rinshan << 4
        key |= self.first_turn << 5 | self.forced << 6 | _RIICHI_BITS[self.riichi] | _ROBBED_BITS[self.robbed]
        plain = (
            self.honba >= 0 and self.deposits >= 0 and self.pocchi_as is None and self.discarder is not self.seat_wind
        )
        plain = plain and not (self.liable or (self.discarder is not None and self.by is _TSUMO))
        object.__setattr__(self, "indicators", pack(self.dora_indicators + self.ura_indicators))
        object.__setattr__(self, "place", place_of(self.seat_wind, self.round))
        object.__setattr__(self, "most_turned", max(len(self.dora_indicators), len(self.ura_indicators)))
        object.__setattr__(self, "key", key)
        ura = () if self.riichi is RiichiKind.NONE else self.ura_indicators
        turned = (*zip(_TURNED, self.dora_indicators, strict=False), *zip(_TURNED_URA, ura, strict=False))
        object.__setattr__(self, "turned", turned)
        object.__setattr__(self, "is_plain", plain and self.robbed is _NOT_ROBBED)


def place_of(wind: Wind, name: RoundName) -> int:
    """A seat in a round, as one small number: enums are slow to look up by."""
    return _WINDS[wind] | _ROUNDS[name] << 2


_WINDS = {wind: number for number, wind in enumerate(Wind)}
_ROUNDS = {name: number for number, name in enumerate(RoundName)}
_PLACES = {dora: place for place, dora in enumerate(Dora)}
_MOST_TURNED = 64
_TURNED = (_PLACES[Dora.INDICATOR], *[_PLACES[Dora.KAN]] * _MOST_TURNED)
_TURNED_URA = (_PLACES[Dora.URA], *[_PLACES[Dora.KAN_URA]] * _MOST_TURNED)
_TSUMO, _NOT_ROBBED = By.TSUMO, Robbed.NOTHING
_RIICHI_BITS = {kind: number << 7 for number, kind in enumerate(RiichiKind)}
_ROBBED_BITS = {robbed: number << 10 for number, robbed in enumerate(Robbed)}
KEY_BITS = 12
"""Bits of a situation's key."""
