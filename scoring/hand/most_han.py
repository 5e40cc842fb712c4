"""The most han of a hand that no limit caps, for each number of fu: the upper end of its possible values.

Each shape has its fu, its own yaku and the richest tiles that make it (`scoring.hand.richest`); the yaku of the way of
winning come on top. Dora of indicators, Norths and bonus tiles are counted as the most that there are for any hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from scoring.hand.book import book_of
from scoring.hand.forms import (
    CONCEALED_FOR_YAKU,
    KANS_FOR_YAKU,
    SETS,
    Completed,
    PossibleSet,
    Shape,
    counted_of,
    fu_of,
    rules_of_hands,
    shapes_of,
)
from scoring.hand.most import most_indicators
from scoring.hand.possible import Circumstances, Impossible, given_han
from scoring.hand.richest import Form, Kans, Rich, Yaku, richest_of, richest_pairs, yaku_of
from scoring.hand.situation import RiichiKind, Robbed
from scoring.hand.yaku.circumstance import CIRCUMSTANCE_YAKU, Circumstance
from scoring.ruleset import Ruleset
from scoring.ruleset.play import Play
from scoring.ruleset.tiles import Suit
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import YakuName
from scoring.value import By

_MOST_TABLES = 64

MostHan = Mapping[tuple[int, bool], int]
"""The most han, by fu (0 where they are not counted) and closed or opened."""


def most_han(rules: Ruleset, circumstances: Circumstances) -> MostHan:
    """Return the most han for each number of fu of a hand won in this way that no limit caps; cached.

    Raise ValueError if the ruleset has no rules for hands.
    """
    # Entered prizes are part of the most that a hand can have.
    return _most_han(rules, replace(circumstances, prizes=()))


def why_too_many(rules: Ruleset, circumstances: Circumstances, han: int, fu: int) -> Impossible | None:
    """Return the reason why no uncapped hand of these fu has so many han; None if one has, or if none has these fu."""
    most = max((each for (key, _), each in most_han(rules, circumstances).items() if key == fu), default=han)
    return None if han <= most else Impossible("han_too_many", "han", {"fu": fu, "han": han, "most": most})


@lru_cache(maxsize=_MOST_TABLES)
def _most_han(rules: Ruleset, circumstances: Circumstances) -> MostHan:
    found: dict[tuple[int, bool], int] = {}
    for closed in (True, False):
        if circumstances.closed in (closed, None) and (closed or circumstances.riichi is RiichiKind.NONE):
            for fu, _, rich in richest_hands(rules, circumstances, closed=closed):
                found[fu, closed] = max(rich.han, found.get((fu, closed), 0))
    return MappingProxyType(found)


def richest_hands(
    rules: Ruleset, circumstances: Circumstances, *, closed: bool
) -> Iterator[tuple[int, Shape | None, Rich]]:
    """Yield for each shape, closed or opened, its fu, and its most han with tiles; None stands for seven pairs."""
    play, counted, yaku = rules_of_hands(rules), counted_of(rules), yaku_of(book_of(rules), closed=closed)
    richest, around = richest_of(rules, circumstances.round, closed=closed), _Around(play, circumstances, yaku, closed)
    more = given_han(circumstances, rules, play) + sum(_of_further_dora(play, circumstances))
    for shape in shapes_of(counted, circumstances.by):
        form, kans = _form_of(shape)
        own = yaku.count(_yaku_of(shape, kans)) if shape.is_closed is closed else None
        rich = None if own is None else richest(form, kans)
        if own is None or rich is None:
            continue
        for fu, replaced in fu_of(shape, counted):
            won = around.most(shape, replaced=replaced)
            if won is not None:
                yield 0 if play.fu.fixed else fu, shape, Rich(rich.han + own + won + more, rich.tiles)
    won = around.most(None, replaced=False)
    if closed and won is not None and YakuName.CHIITOITSU in yaku.han:
        for rich in richest_pairs(book_of(rules), yaku):
            yield 0 if play.fu.fixed else play.fu.seven_pairs, None, Rich(rich.han + won + more, rich.tiles)


def _form_of(shape: Shape) -> tuple[Form, Kans]:
    """Return the form of a shape, and its kans."""
    runs, simple = sum(meld.is_run for meld in shape.melds), sum(meld.is_simple for meld in shape.melds)
    kans = [meld.is_simple for meld in shape.melds if meld.is_kan]
    return Form(runs, simple, SETS - runs - simple, shape.pair_fu), Kans(sum(kans), len(kans) - sum(kans))


def _yaku_of(shape: Shape, kans: Kans) -> Iterator[YakuName]:
    """Yield the yaku of concealed triplets and of kans."""
    if shape.concealed >= CONCEALED_FOR_YAKU:
        yield YakuName.SANANKOU
    if shape.concealed == SETS:
        yield YakuName.SUUANKOU
        yield from [YakuName.SUUANKOU_TANKI] * (shape.waiting is Completed.FU)
    if sum(kans) >= KANS_FOR_YAKU:
        yield YakuName.SANKANTSU
        yield from [YakuName.SUUKANTSU] * (sum(kans) == SETS)


class _Around:
    """The yaku of the ways of winning in some circumstances, as many han of them as go together."""

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

    def most(self, shape: Shape | None, *, replaced: bool) -> int | None:
        """Return the most han of winning with a shape, or with seven pairs; None if every way is a yakuman.

        `replaced` stands for a replacement tile that leaves out the fu of a self-draw.
        """
        is_ron = self.won.by is By.RON
        is_pinfu = shape is not None and shape.is_plain and (is_ron or self.play.yaku_rules.pinfu_with_tsumo)
        names = [YakuName.PINFU] * is_pinfu + [YakuName.CHIITOITSU] * (shape is None)
        found = [self.yaku.count((*names, *_names(way))) for way in self._ways(shape, replaced=replaced)]
        return max((han for han in found if han is not None), default=None)

    def _ways(self, shape: Shape | None, *, replaced: bool) -> Iterator[Circumstance]:
        plain, is_tsumo, melds = self.plain, self.plain.tsumo, () if shape is None else shape.melds
        is_declared = self.won.riichi is not RiichiKind.NONE
        if self._has_replacement(melds, replaced=replaced):
            # A kan that is paid as a ron is a self-draw that is not `drawn`.
            yield replace(plain, tsumo=True, haitei=True, rinshan=True)
        if replaced:
            return
        yield replace(plain, haitei=is_tsumo, houtei=not is_tsumo, ippatsu=is_declared)
        has_run = any(meld.is_run and not meld.is_open for meld in melds)
        if shape is not None and not is_tsumo and has_run and shape.waiting is not Completed.TRIPLET:
            # A robbed tile is the last of its kind, so it completes a run.
            yield replace(plain, robbed=Robbed.ADDED_KAN, ippatsu=is_declared)
        if plain.closed and not is_declared and not any(meld.is_kan for meld in melds):
            yield replace(plain, first_turn=True)

    def _has_replacement(self, melds: tuple[PossibleSet, ...], *, replaced: bool) -> bool:
        """Return whether the hand can be won on a replacement tile with these fu."""
        pao = self.play.pao
        if self.won.by is By.RON:
            is_fed = pao is not None and pao.open_kan_as_ron
            return is_fed and any(meld.is_kan and meld.is_open for meld in melds)
        has_other_fu = not self.play.fu.tsumo_on_replacement
        draws_for_nuki = any(each.rinshan for each in self.play.nuki.values())
        return replaced or (not has_other_fu and (draws_for_nuki or any(meld.is_kan for meld in melds)))


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
