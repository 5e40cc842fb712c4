"""The numbers of han of hands that no limit caps, for each number of fu.

Each shape has its fu, its own yaku and the tiles that make it (`scoring.hand.richest`); the yaku of the way of winning
come on top. Dora of indicators, Norths and bonus tiles may add any number up to the most that there are for a hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from scoring.hand.book import book_of
from scoring.hand.forms import (
    CONCEALED_FOR_YAKU,
    KANS_FOR_YAKU,
    Completed,
    Shape,
    counted_of,
    fu_of,
    shapes_of,
)
from scoring.hand.most import most_indicators
from scoring.hand.possible import Circumstances, Impossible
from scoring.hand.richest import Form, Kans, Made, Yaku, added, richest_pairs, tiles_of, yaku_of
from scoring.hand.shapes import ALL_SETS
from scoring.hand.situation import RiichiKind, Robbed
from scoring.hand.yaku.circumstance import CIRCUMSTANCE_YAKU, Circumstance
from scoring.ruleset import Ruleset
from scoring.ruleset.play import Play
from scoring.ruleset.tiles import Suit
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import YakuName
from scoring.value import By

_MOST_TABLES = 64

Hans = Mapping[tuple[int, bool], tuple[int, ...]]
"""The possible numbers of han, ascending, by fu (0 where they are not counted) and closed or opened."""


def possible_han(rules: Ruleset, circumstances: Circumstances) -> Hans:
    """Return the possible han for each number of fu of a hand won in this way that no limit caps; cached.

    Raise NoHandsError if the ruleset has no rules for hands.
    """
    # Entered prizes only exclude fewer han, which `possible_values` tells.
    return _possible_han(rules, replace(circumstances, prizes=()))


def why_no_such_han(rules: Ruleset, circumstances: Circumstances, han: int, fu: int) -> Impossible | None:
    """Return the reason why no uncapped hand of these fu has exactly this number of han.

    None if one has, and where the fu or too few han are the reason (`why_impossible`).
    """
    hans = {each for (key, _), every in possible_han(rules, circumstances).items() if key == fu for each in every}
    if not hans or han in hans or han < min(hans):
        return None
    if han > max(hans):
        return Impossible("han_too_many", "han", {"fu": fu, "han": han, "most": max(hans)})
    nearest = f"{max(each for each in hans if each < han)}, {min(each for each in hans if each > han)}"
    return Impossible("han_skipped", "han", {"fu": fu, "han": han, "nearest": nearest})


@lru_cache(maxsize=_MOST_TABLES)
def _possible_han(rules: Ruleset, circumstances: Circumstances) -> Hans:
    found: dict[tuple[int, bool], int] = {}
    for closed in (True, False):
        if circumstances.closed in (closed, None) and (closed or circumstances.riichi is RiichiKind.NONE):
            for fu, _, made, won in uncapped_hands(rules, circumstances, closed=closed):
                found[fu, closed] = found.get((fu, closed), 0) | added(made.hans, won)
    least = rules.hand_rules.win.min_han
    return MappingProxyType(
        {key: tuple(han for han in range(least, hans.bit_length()) if hans >> han & 1) for key, hans in found.items()}
    )


def uncapped_hands(
    rules: Ruleset, circumstances: Circumstances, *, closed: bool
) -> Iterator[tuple[int, Shape | None, Made, int]]:
    """Yield for each shape, closed or opened, its fu, the tiles that make it, and the further han that it can have.

    Numbers of han are bits; None stands for seven pairs.
    """
    play, counted, yaku = rules.hand_rules, counted_of(rules), yaku_of(book_of(rules), closed=closed)
    made, around = tiles_of(rules, circumstances.round, closed=closed), _Around(play, circumstances, yaku, closed)
    dora = (2 << sum(_of_further_dora(play, circumstances))) - 1
    more = dora << rules.bazoro(circumstances.round)
    for shape in shapes_of(counted, circumstances.by):
        form, kans = _form_of(shape)
        own = yaku.count(_yaku_of(shape, kans)) if shape.is_closed is closed else None
        for fu, replaced in fu_of(shape, counted) if own is not None else ():
            won = added(around.hans(shape, replaced=replaced) << (own or 0), more)
            yield 0 if play.fu.fixed else fu, shape, made(form, kans), won
    if closed and YakuName.CHIITOITSU in yaku.han:
        won = added(around.hans(None, replaced=False), more)
        yield 0 if play.fu.fixed else play.fu.seven_pairs, None, Made.of(richest_pairs(book_of(rules), yaku)), won


def _form_of(shape: Shape) -> tuple[Form, Kans]:
    """Return the form of a shape, and its kans."""
    sets, simple = shape.sets, [meld for meld in shape.melds if meld.is_simple]
    kans = len([meld for meld in simple if meld.is_kan]) if sets.kans else 0
    others = ALL_SETS - sets.runs - len(simple)
    return Form(sets.runs, len(simple), others, shape.pair_fu), Kans(kans, sets.kans - kans)


def _yaku_of(shape: Shape, kans: Kans) -> Iterator[YakuName]:
    """Yield the yaku of concealed triplets and of kans."""
    if shape.concealed >= CONCEALED_FOR_YAKU:
        yield YakuName.SANANKOU
    if shape.concealed == ALL_SETS:
        yield YakuName.SUUANKOU
        yield from [YakuName.SUUANKOU_TANKI] * (shape.waiting is Completed.FU)
    if sum(kans) >= KANS_FOR_YAKU:
        yield YakuName.SANKANTSU
        yield from [YakuName.SUUKANTSU] * (sum(kans) == ALL_SETS)


class _Outline(NamedTuple):
    """The part of a hand that decides the ways of winning with it, and their yaku."""

    replaced: bool
    """True for a replacement tile that leaves out the fu of a self-draw."""
    is_pairs: bool = False
    """True for seven pairs."""
    is_plain: bool = False
    has_kan: bool = False
    has_open_kan: bool = False
    can_be_robbed: bool = False
    """True if the last tile can be one that completes a run."""

    @classmethod
    def of(cls, shape: Shape | None, *, replaced: bool) -> _Outline:
        """Return the outline of a shape, or of seven pairs for None."""
        if shape is None:
            return cls(replaced, is_pairs=True)
        sets = shape.sets
        return cls(
            replaced,
            is_plain=shape.is_plain,
            has_kan=sets.kans > 0,
            has_open_kan=sets.kans > 0 and any(meld.is_kan and meld.is_open for meld in sets.melds),
            can_be_robbed=sets.can_complete_run and shape.waiting is not Completed.TRIPLET,
        )


class _Around:
    """The yaku of the ways of winning in some circumstances."""

    def __init__(self, play: Play, won: Circumstances, yaku: Yaku, closed: bool) -> None:  # noqa: FBT001 - private
        self.play, self.won, self.yaku = play, won, yaku
        is_tsumo = won.by is By.TSUMO
        self.plain = Circumstance(
            tsumo=is_tsumo,
            drawn=is_tsumo,
            closed=closed,
            dealer=False,
            riichi=won.riichi,
            ippatsu=False,
            haitei=False,
            houtei=False,
            rinshan=False,
            first_turn=False,
            robbed=Robbed.NOTHING,
            last_tile=play.yaku_rules.rinshan_on_last_tile,
        )

        self.known: dict[_Outline, int] = {}

    def hans(self, shape: Shape | None, *, replaced: bool) -> int:
        """Return the numbers of han of ways of winning with a shape, or with seven pairs, as bits; no yakuman.

        `replaced` stands for a replacement tile that leaves out the fu of a self-draw.
        """
        outline = _Outline.of(shape, replaced=replaced)
        if outline not in self.known:
            is_pinfu = outline.is_plain and (self.won.by is By.RON or self.play.yaku_rules.pinfu_with_tsumo)
            names = [YakuName.PINFU] * is_pinfu + [YakuName.CHIITOITSU] * outline.is_pairs
            found = {self.yaku.count((*names, *_names(way))) for way in self._ways(outline)}
            self.known[outline] = sum(1 << han for han in found if han is not None)
        return self.known[outline]

    def _ways(self, hand: _Outline) -> Iterator[Circumstance]:
        plain, is_tsumo = self.plain, self.plain.tsumo
        is_declared = self.won.riichi is not RiichiKind.NONE
        if self._has_replacement(hand):
            # A kan that is paid as a ron is a self-draw that is not `drawn`.
            yield from (replace(plain, tsumo=True, rinshan=True, haitei=haitei) for haitei in (False, True))
        if hand.replaced:
            return
        for is_last, ippatsu in product((False, True), {False, is_declared}):
            yield replace(plain, haitei=is_last and is_tsumo, houtei=is_last and not is_tsumo, ippatsu=ippatsu)
        if not is_tsumo and hand.can_be_robbed:
            # A robbed tile is the last of its kind, so it completes a run.
            yield from (replace(plain, robbed=Robbed.ADDED_KAN, ippatsu=each) for each in {False, is_declared})
        if plain.closed and not is_declared and not hand.has_kan:
            yield replace(plain, first_turn=True)

    def _has_replacement(self, hand: _Outline) -> bool:
        """Return whether the hand can be won on a replacement tile with these fu."""
        pao = self.play.pao
        if self.won.by is By.RON:
            is_fed = pao is not None and pao.open_kan_as_ron
            return is_fed and hand.has_open_kan
        has_other_fu = not self.play.fu.tsumo_on_replacement
        draws_for_nuki = any(each.rinshan for each in self.play.nuki.values())
        return hand.replaced or (not has_other_fu and (draws_for_nuki or hand.has_kan))


def _names(way: Circumstance) -> Iterator[YakuName]:
    return (name for name, test in CIRCUMSTANCE_YAKU.items() if test(way))


def _of_further_dora(play: Play, circumstances: Circumstances) -> Iterator[int]:
    """Yield the most han of dora that are no marked fives, of each kind."""
    tiles, kinds, kans = play.tiles, play.dora.kinds, most_indicators(play) - 1
    is_declared = circumstances.riichi is not RiichiKind.NONE
    most = {
        Dora.INDICATOR: tiles.alike_in_hand,
        Dora.KAN: tiles.alike_in_hand * kans,
        Dora.URA: tiles.alike_in_hand * is_declared,
        Dora.KAN_URA: tiles.alike_in_hand * kans * is_declared,
        Dora.FIVE: tiles.alike_in_hand * len(Suit),
        Dora.NORTH: tiles.copies,
        Dora.NORTH_ASIDE: tiles.copies,
        Dora.FLOWER: tiles.flowers,
        Dora.BINGO: sum(tiles.bingo.values()),
    }
    yield from (kinds[kind].han * count for kind, count in most.items() if kind in kinds)
