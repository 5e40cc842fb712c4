"""Circumstances of a win that a ruleset knows: seat and round winds, riichi kinds, flags, calls and tiles.

Forms and schemas for hands offer these and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from scoring.hand import MeldKind, RiichiKind, Robbed, Tile, wall_of
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.tiles import PocchiWild
from scoring.ruleset.value import Dora, UnshownDraw
from scoring.ruleset.yaku import YakuName

Named = TypeVar("Named", bound=StrEnum)


class CircumstanceFlag(StrEnum):
    """Circumstances that are true or false; each is a field of `Situation`."""

    IPPATSU = "ippatsu"
    HAITEI = "haitei"
    HOUTEI = "houtei"
    RINSHAN = "rinshan"
    FIRST_TURN = "first_turn"
    FORCED = "forced"
    LAST_HAND = "last_hand"
    UNSHOWN = "unshown"


@dataclass(frozen=True, slots=True)
class Known:
    """The circumstances of wins that a rule book knows."""

    seats: tuple[Wind, ...]
    rounds: tuple[RoundName, ...]
    riichi: tuple[RiichiKind, ...]
    flags: tuple[CircumstanceFlag, ...]
    robbed: tuple[Robbed, ...]
    calls: tuple[MeldKind, ...]
    liable: tuple[YakuName, ...]
    """Yaku for which a player can be liable (pao)."""
    liable_kan: bool
    """True if the player that fed an open kan can be liable (pao)."""
    sets_aside: bool
    has_ura: bool
    has_honba: bool
    has_deposits: bool
    has_pocchi: bool
    wall: Mapping[Tile, int]
    """The number of copies in the wall of each exact tile, red fives counted apart."""


def known_by(rules: Ruleset) -> Known:
    """Return the circumstances a ruleset knows; raise NoHandsError if it does not define how hands are played."""
    wall = wall_of(rules)
    play = rules.play
    assert play is not None, "a ruleset with a wall is played"  # noqa: S101 - told to the type checker
    return Known(
        seats=rules.setup.seat_winds,
        rounds=tuple(rules.setup.round_winds),
        riichi=tuple(_riichi(play)),
        flags=tuple(flag for flag, is_known in _FLAGS.items() if is_known(play)),
        robbed=tuple(_robbed(play)),
        calls=tuple(kind for kind in MeldKind if kind is not MeldKind.CHI or play.calls.chi),
        liable=play.pao.yaku if play.pao else (),
        liable_kan=play.pao is not None and play.pao.open_kan,
        sets_aside=bool(play.nuki),
        has_ura=_has_ura(play),
        has_honba=bool(play.honba.ron or play.honba.tsumo_each),
        has_deposits=bool(play.riichi.stake),
        has_pocchi=_has_pocchi(play),
        wall=wall,
    )


def known_by_any(every: Iterable[Ruleset]) -> Known:
    """Return the circumstances that at least one of these rulesets knows."""
    all_known = [known_by(rules) for rules in every if rules.play is not None]
    walls: dict[Tile, int] = {}
    for each in all_known:
        for tile, count in each.wall.items():
            walls[tile] = max(count, walls.get(tile, 0))
    return Known(
        seats=_together(Wind, (each.seats for each in all_known)),
        rounds=_together(RoundName, (each.rounds for each in all_known)),
        riichi=_together(RiichiKind, (each.riichi for each in all_known)),
        flags=_together(CircumstanceFlag, (each.flags for each in all_known)),
        robbed=_together(Robbed, (each.robbed for each in all_known)),
        calls=_together(MeldKind, (each.calls for each in all_known)),
        liable=_together(YakuName, (each.liable for each in all_known)),
        liable_kan=any(each.liable_kan for each in all_known),
        sets_aside=any(each.sets_aside for each in all_known),
        has_ura=any(each.has_ura for each in all_known),
        has_honba=any(each.has_honba for each in all_known),
        has_deposits=any(each.has_deposits for each in all_known),
        has_pocchi=any(each.has_pocchi for each in all_known),
        wall=dict(sorted(walls.items())),
    )


def _together(names: type[Named], every: Iterable[tuple[Named, ...]]) -> tuple[Named, ...]:
    """Return the union of enum members, in the order of their declaration."""
    found = {name for each in every for name in each}
    return tuple(name for name in names if name in found)


def _counts(play: Play, *names: YakuName) -> bool:
    """Return True if one of these yaku is played."""
    return any(name in play.yaku and play.yaku[name].played for name in names)


def _pays(play: Play, event: AwardEvent) -> bool:
    """Return True if the event brings a chip award."""
    award = play.chips.awards.get(event) if play.chips else None
    return award is not None and bool(award.ron or award.tsumo_each)


def _riichi(play: Play) -> Iterator[RiichiKind]:
    is_open, is_double = play.riichi.open is not None, _counts(play, YakuName.DOUBLE_RIICHI)
    yield RiichiKind.NONE
    yield RiichiKind.RIICHI
    if is_double:
        yield RiichiKind.DOUBLE
    if is_open:
        yield RiichiKind.OPEN
    if is_double and is_open:
        yield RiichiKind.DOUBLE_OPEN


def _robbed(play: Play) -> Iterator[Robbed]:
    yield Robbed.NOTHING
    if _counts(play, YakuName.CHANKAN):
        yield Robbed.ADDED_KAN
    if play.calls.closed_kan_robbed_by:
        yield Robbed.CLOSED_KAN
    if any(each.won_on for each in play.nuki.values()):
        yield Robbed.NUKI


def _has_pocchi(play: Play) -> bool:
    """Return True if a pocchi is in the wall and can be wild."""
    return play.pocchi is not None and play.tiles.pocchi > 0


def _knows_ippatsu(play: Play) -> bool:
    """Return True if ippatsu is a yaku, earns an award, or makes a pocchi wild."""
    is_wild = _has_pocchi(play) and play.pocchi is not None and play.pocchi.wild is PocchiWild.IPPATSU
    return is_wild or _counts(play, YakuName.IPPATSU) or _pays(play, AwardEvent.IPPATSU)


def _has_ura(play: Play) -> bool:
    return Dora.URA in play.dora.kinds or Dora.KAN_URA in play.dora.kinds or _pays(play, AwardEvent.URA)


def _knows_rinshan(play: Play) -> bool:
    return _counts(play, YakuName.RINSHAN) or (play.pao is not None and play.pao.open_kan)


def _can_force(play: Play) -> bool:
    return play.riichi.open is not None and play.riichi.open.forced_deal_in_yakuman


_FLAGS: Mapping[CircumstanceFlag, Callable[[Play], bool]] = {
    CircumstanceFlag.IPPATSU: _knows_ippatsu,
    CircumstanceFlag.HAITEI: lambda play: _counts(play, YakuName.HAITEI),
    CircumstanceFlag.HOUTEI: lambda play: _counts(play, YakuName.HOUTEI),
    CircumstanceFlag.RINSHAN: _knows_rinshan,
    CircumstanceFlag.FIRST_TURN: lambda play: _counts(play, YakuName.TENHOU, YakuName.CHIIHOU, YakuName.RENHOU),
    CircumstanceFlag.FORCED: _can_force,
    CircumstanceFlag.LAST_HAND: lambda play: play.value.uncapped_in_last_hand,
    CircumstanceFlag.UNSHOWN: lambda play: play.win.unshown is UnshownDraw.WITHOUT_WAIT,
}
