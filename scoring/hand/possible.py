"""The values that a hand can have under a ruleset, given how it was won: the table behind every refusal of a value.

The one idea: count every shape once by what the book gives for its parts. A shape is four sets, a pair and a wait,
or seven pairs. Some yaku are unavoidable: a self-draw by a closed hand is a han, three concealed triplets are a
yaku, a riichi is one. They give the fewest han for each number of fu; dora and other yaku may add any number. So a
table holds, for each number of fu of a closed and of an opened hand, the fewest han and the reasons for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from scoring.hand.forms import forms
from scoring.hand.situation import RiichiKind
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import YakuName
from scoring.value import By

_MOST_BOOKS = 64
_MOST_TABLES = 1024
BAZORO = "bazoro"
"""The name of the han that a book gives every hand, among the reasons for the fewest han."""
WIN = "win"
"""The name of the han that a win needs at least, among the same reasons."""

FU_NEEDS_HAN = "fu_needs_han"
"""The code for fewer han than a number of fu implies, where fewer fu would allow them."""

DORA_OF: Mapping[AwardEvent, Dora] = {
    AwardEvent.URA: Dora.URA,
    AwardEvent.RED: Dora.RED,
    AwardEvent.GOLD: Dora.GOLD,
    AwardEvent.FLUSH: Dora.FLOWER,
}
"""The prizes whose tiles are dora, where the book counts them as such."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances of a win that bear on its value; one that is left out may be either way."""

    by: By
    closed: bool | None = None
    riichi: RiichiKind = RiichiKind.NONE
    prizes: tuple[tuple[AwardEvent, int], ...] = ()
    """The prizes that were entered, with their counts."""
    round: RoundName | None = None
    """None if han that are given in some rounds only do not matter."""


@dataclass(frozen=True, slots=True)
class Least:
    """The fewest han that go with a number of fu, and the reasons: yaku, prizes, `bazoro`, `win`."""

    han: int
    because: tuple[str, ...]


Possible = Mapping[tuple[int, bool], Least]
"""The fewest han, by fu (0 where they are not counted) and closed or opened."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """The reason why no hand has a value: a code with its parameters, in the form of refusals."""

    code: str
    at: str
    """The part of the value that is wrong: `han`, `fu` or `limit`."""
    params: Mapping[str, object]


@lru_cache(maxsize=_MOST_TABLES)
def possible_values(rules: Ruleset, circumstances: Circumstances) -> Possible:
    """Return every number of fu that a hand won in this way can have, each with the fewest han; cached.

    Raise NoHandsError if the ruleset has no rules for hands.
    """
    play = rules.hand_rules
    added = tuple(_added(circumstances, play))
    bonus = tuple(_bonus(circumstances, play))
    given = rules.bazoro(circumstances.round)
    found: dict[tuple[int, bool], Least] = {}
    for form in forms(rules, circumstances.by):
        is_excluded = circumstances.closed is not None and form.closed is not circumstances.closed
        # A riichi implies a closed hand even if `closed` was not entered.
        if is_excluded or (circumstances.riichi is not RiichiKind.NONE and not form.closed):
            continue
        of_yaku = form.han + sum(han for _, han, _ in added) + sum(han for _, han, is_yaku in bonus if is_yaku)
        # Dora do not count towards the han a win needs: they come on top of it.
        missing = max(play.win.min_han - of_yaku, 0)
        of_dora = sum(han for _, han, is_yaku in bonus if not is_yaku)
        because = [*form.yaku, *(name for name, _, _ in (*added, *bonus))]
        because += [WIN] * bool(missing) + [BAZORO] * bool(given)
        found[form.fu, form.closed] = Least(of_yaku + missing + of_dora + given, tuple(because))
    return MappingProxyType(found)


def why_impossible(rules: Ruleset, circumstances: Circumstances, han: int, fu: int) -> Impossible | None:
    """Return the reason why no hand won in this way has these han and fu; None if one has.

    `fu` is 0 if it was not entered.
    """
    table = possible_values(rules, circumstances)
    alike = {closed: least for (each, closed), least in table.items() if each == fu}
    if fu and not alike:
        return _no_such_fu(rules, circumstances, fu)
    least = min(alike.values() if fu else table.values(), key=lambda each: each.han, default=None)
    if least is None or han >= least.han:
        return None
    params = {"least": least.han, "han": han, "because": ", ".join(least.because)}
    if fu:
        return Impossible(FU_NEEDS_HAN, "fu", {"fu": fu, **params})
    return Impossible("han_missing", "han", params)


def _no_such_fu(rules: Ruleset, circumstances: Circumstances, fu: int) -> Impossible:
    """Return the refusal of a number of fu, with the narrowest circumstance that rules it out."""
    by = circumstances.by
    other = By.RON if by is By.TSUMO else By.TSUMO
    of_this, of_other = ({form.fu for form in forms(rules, each)} for each in (by, other))
    if fu in of_this:
        opened = [form.closed for form in forms(rules, by) if form.fu == fu]
        return Impossible("fu_not_closed" if not any(opened) else "fu_not_open", "fu", {"fu": fu, "by": by.value})
    if fu in of_other:
        return Impossible("fu_not_by_ron" if by is By.RON else "fu_not_by_tsumo", "fu", {"fu": fu})
    return Impossible("fu_impossible", "fu", {"fu": fu})


def _added(circumstances: Circumstances, play: Play) -> Iterator[tuple[str, int, bool]]:
    """Yield the yaku of the circumstances with their han, and True, since they count towards the han a win needs."""
    names = {
        RiichiKind.NONE: (),
        RiichiKind.RIICHI: (YakuName.RIICHI,),
        RiichiKind.DOUBLE: (YakuName.DOUBLE_RIICHI, YakuName.RIICHI),
        RiichiKind.OPEN: (YakuName.OPEN_RIICHI, YakuName.RIICHI),
        RiichiKind.DOUBLE_OPEN: (YakuName.DOUBLE_RIICHI, YakuName.OPEN_RIICHI, YakuName.RIICHI),
    }[circumstances.riichi]
    declared = next((name for name in names if _han(name, play)), None)
    if declared is not None:
        yield declared.value, _han(declared, play), True
    if dict(circumstances.prizes).get(AwardEvent.IPPATSU) and (han := _han(YakuName.IPPATSU, play)):
        yield YakuName.IPPATSU.value, han, True


def _bonus(circumstances: Circumstances, play: Play) -> Iterator[tuple[str, int, bool]]:
    """Yield the prizes whose tiles are dora with their han, and True for those that count as yaku."""
    for event, count in circumstances.prizes:
        kind = play.dora.kinds.get(DORA_OF[event]) if event in DORA_OF else None
        tiles = count * play.tiles.flowers if event is AwardEvent.FLUSH else count
        if kind is not None and kind.han and tiles > 0:
            yield event.value, kind.han * tiles, kind.as_yaku


def _han(name: YakuName, play: Play) -> int:
    """Return the han of a yaku of a closed hand; 0 for one that is not played."""
    yaku = play.yaku.get(name)
    return 0 if yaku is None or not yaku.played else yaku.closed
