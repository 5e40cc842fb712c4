"""The shapes of hands, with the fu and the yaku that each always has.

A shape is four sets, a pair and a wait, or seven pairs; its sets are told apart only as far as fu and the yaku of
their hand depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from scoring.hand.shapes import ALL_SETS
from scoring.ruleset import Ruleset
from scoring.ruleset.value import Fu, Triplets, UnshownDraw
from scoring.ruleset.yaku import Counts, Yaku, YakuName
from scoring.value import By

_MOST_BOOKS = 64
CONCEALED_FOR_YAKU = KANS_FOR_YAKU = 3
"""The number of concealed triplets, or of kans, that makes a yaku; one more makes a yakuman."""

OF_SHAPES = (
    YakuName.CHANTA,
    YakuName.CHIITOITSU,
    YakuName.HONROUTOU,
    YakuName.MENZEN_TSUMO,
    YakuName.PINFU,
    YakuName.RINSHAN,
    YakuName.SANANKOU,
    YakuName.SANKANTSU,
    YakuName.TOITOI,
)
"""Yaku that some shapes, or their draw, always have."""


class Completed(StrEnum):
    """The part that the last tile completed, as far as fu depend on it."""

    RUN = "run"
    """A run, waiting on both sides."""
    TRIPLET = "triplet"
    """One of two pairs (shanpon)."""
    FU = "fu"
    """The pair, or a run from one side alone: a wait that brings fu."""
    UNSHOWN = "unshown"
    """Unknown, since the drawn tile was not shown: neither the wait nor the draw brings fu, in books that say so."""


class PossibleSet(NamedTuple):
    """A set, as far as fu and the yaku of its hand depend on it."""

    fu: int
    is_run: bool = False
    is_kan: bool = False
    is_open: bool = False
    is_simple: bool = False
    """True for a triplet or kan of a number from 2 to 8."""
    opened_fu: int = 0
    """Its fu if it was completed by a discard; for triplets only."""

    @property
    def is_concealed_triplet(self) -> bool:
        """True for a triplet or kan of the player's own tiles."""
        return not self.is_run and not self.is_open


class FourSets(NamedTuple):
    """The sets of a hand, with the counts that their shapes depend on; counted once for all pairs and waits."""

    melds: tuple[PossibleSet, ...]
    is_closed: bool
    """True if nothing was called."""
    runs: int
    kans: int
    concealed: int
    """The number of concealed triplets and kans."""
    fu: int
    completed: PossibleSet | None
    """The triplet that the last tile can complete; None if there is no concealed one."""
    can_complete_run: bool

    @classmethod
    def of(cls, melds: tuple[PossibleSet, ...]) -> FourSets:
        """Count sets."""
        concealed = [meld for meld in melds if meld.is_concealed_triplet]
        return cls(
            melds,
            is_closed=not any(meld.is_open for meld in melds),
            runs=sum(meld.is_run for meld in melds),
            kans=sum(meld.is_kan for meld in melds),
            concealed=len(concealed),
            fu=sum(meld.fu for meld in melds),
            completed=next((meld for meld in concealed if not meld.is_kan), None),
            can_complete_run=any(meld.is_run and not meld.is_open for meld in melds),
        )


class Shape(NamedTuple):
    """Four sets, a pair and a wait."""

    sets: FourSets
    pair_fu: int
    waiting: Completed
    by: By

    @property
    def melds(self) -> tuple[PossibleSet, ...]:
        """The sets."""
        return self.sets.melds

    @property
    def is_closed(self) -> bool:
        """True if nothing was called."""
        return self.sets.is_closed

    @property
    def is_possible(self) -> bool:
        """True if the last tile can complete something: a concealed set, or the pair."""
        if self.waiting is Completed.RUN:
            return self.sets.can_complete_run
        return self.waiting in (Completed.FU, Completed.UNSHOWN) or self.sets.completed is not None

    @property
    def concealed(self) -> int:
        """The number of concealed triplets; one completed by a discard does not count."""
        return self.sets.concealed - (self.waiting is Completed.TRIPLET and self.by is By.RON)

    @property
    def sets_fu(self) -> int:
        """The fu of the sets and the pair, with a triplet completed by ron counted as open."""
        fu, completed = self.sets.fu + self.pair_fu, self.sets.completed
        if self.waiting is Completed.TRIPLET and self.by is By.RON and completed is not None:
            fu += completed.opened_fu - completed.fu
        return fu

    @property
    def is_plain(self) -> bool:
        """True for runs only, with no fu for the pair and none for the wait."""
        return self.sets.runs == ALL_SETS and not self.pair_fu and self.waiting is Completed.RUN


class FuEntry(NamedTuple):
    """A number of fu that hands have, with the fewest han of yaku for it and the yaku that make them."""

    fu: int
    """0 in books that do not count fu."""
    closed: bool
    han: int
    yaku: tuple[YakuName, ...] = ()


@dataclass(frozen=True)
class Counted:
    """The part of a ruleset that determines fu and the han of shapes, as a cache key.

    Rulesets that differ only in other parts share the same forms.
    """

    fu: Fu
    yaku: tuple[tuple[YakuName, Yaku], ...]
    """The yaku of a shape or its draw that the book plays."""
    pinfu_with_tsumo: bool
    unshown_without_wait: bool
    """True if a drawn tile that was not shown leaves out the fu of the wait and of the draw."""
    draws_for_nuki: bool
    """True if a tile set aside brings a replacement tile, as a kan does."""
    chi: bool
    """True if runs may be called; without it an opened hand has a called triplet or kan."""
    yakuman_of_kans: bool
    """True if four kans are a yakuman; such a hand is not entered with han and fu."""

    @cached_property
    def by_name(self) -> dict[YakuName, Yaku]:
        """The yaku by their names."""
        return dict(self.yaku)

    def han(self, name: YakuName, *, closed: bool) -> int:
        """Return the han of a yaku; 0 for one that is not played."""
        yaku = self.by_name.get(name)
        return 0 if yaku is None else yaku.closed if closed else yaku.open

    def counts_in_han(self, name: YakuName) -> bool:
        """Return whether the yaku counts in han and not as a limit; True if it is not played."""
        yaku = self.by_name.get(name)
        return yaku is None or yaku.counts is Counts.HAN


def forms(rules: Ruleset, by: By) -> tuple[FuEntry, ...]:
    """Return every number of fu of a hand won in this way, closed and opened, with the fewest han of yaku."""
    return _forms(counted_of(rules), by)


def counted_of(rules: Ruleset) -> Counted:
    """Return the part of a ruleset that determines fu and the han of shapes."""
    play = rules.hand_rules
    yaku = ((name, play.yaku[name]) for name in OF_SHAPES if name in play.yaku and play.yaku[name].played)
    kans = play.yaku.get(YakuName.SUUKANTSU)
    return Counted(
        fu=play.fu,
        yaku=tuple(yaku),
        pinfu_with_tsumo=play.yaku_rules.pinfu_with_tsumo,
        unshown_without_wait=play.win.unshown is UnshownDraw.WITHOUT_WAIT,
        draws_for_nuki=any(each.rinshan for each in play.nuki.values()),
        chi=play.calls.chi,
        yakuman_of_kans=kans is not None and kans.played,
    )


@lru_cache(maxsize=_MOST_BOOKS)
def _forms(play: Counted, by: By) -> tuple[FuEntry, ...]:
    least: dict[tuple[int, bool], FuEntry] = {}
    for form in _all_forms(play, by):
        known = least.get((form.fu, form.closed))
        if known is None or form.han < known.han:
            least[form.fu, form.closed] = form
    return tuple(least[key] for key in sorted(least))


def _all_forms(play: Counted, by: By) -> Iterator[FuEntry]:
    drawn = _drawn(play, by)
    if play.fu.fixed:
        yield FuEntry(0, closed=False, han=0)
        yield FuEntry(0, closed=True, han=_sum(drawn, play, closed=True), yaku=drawn)
        return
    if play.han(YakuName.CHIITOITSU, closed=True) and play.counts_in_han(YakuName.CHIITOITSU):
        names = (YakuName.CHIITOITSU, *drawn)
        yield FuEntry(play.fu.seven_pairs, closed=True, han=_sum(names, play, closed=True), yaku=names)
    for shape in shapes_of(play, by):
        of_shape = _yaku_of(shape, play)
        if of_shape is None:
            continue
        closed = shape.is_closed
        for fu, replaced in fu_of(shape, play):
            has_more = replaced and play.han(YakuName.RINSHAN, closed=closed) > 0
            yaku = (*of_shape, YakuName.RINSHAN) if has_more else of_shape
            yield FuEntry(fu, closed, _sum(yaku, play, closed=closed), yaku)


def shapes_of(play: Counted, by: By) -> Iterator[Shape]:
    """Yield every shape of a hand won in this way."""
    rules = play.fu
    pairs = sorted({0, rules.pair_value, rules.pair_double_wind, rules.pair_north})
    has_unshown = by is By.TSUMO and play.unshown_without_wait
    waits = [each for each in Completed if has_unshown or each is not Completed.UNSHOWN]
    for four, pair_fu, waiting in product(_four_sets(rules.triplets, chi=play.chi), pairs, waits):
        shape = Shape(four, pair_fu, waiting, by)
        if shape.is_possible:
            yield shape


@lru_cache(maxsize=_MOST_BOOKS)
def _four_sets(table: Triplets, *, chi: bool) -> tuple[FourSets, ...]:
    """Return every choice of four sets: of ten kinds there are 715."""
    return tuple(map(FourSets.of, combinations_with_replacement(tuple(_melds(table, chi=chi)), ALL_SETS)))


def _melds(table: Triplets, *, chi: bool) -> Iterator[PossibleSet]:
    """Yield runs, triplets and kans, called or not, of simple tiles or others."""
    yield PossibleSet(0, is_run=True)
    if chi:
        yield PossibleSet(0, is_run=True, is_open=True)
    for is_simple in (True, False):
        opened = table.open_simple if is_simple else table.open_other
        closed = table.closed_simple if is_simple else table.closed_other
        yield PossibleSet(closed, opened_fu=opened, is_simple=is_simple)
        yield PossibleSet(opened, is_open=True, is_simple=is_simple)
        yield PossibleSet(closed * table.kan_times, is_kan=True, is_simple=is_simple)
        yield PossibleSet(opened * table.kan_times, is_kan=True, is_open=True, is_simple=is_simple)


def fu_of(shape: Shape, play: Counted) -> Iterator[tuple[int, bool]]:
    """Yield the rounded fu of a shape, and True if they are those of a win on a replacement tile.

    They are the sum of base, way of winning, sets, pair and wait; an opened ron with nothing besides base has its
    own least. If a self-draw of a replacement tile brings no fu, hands that can be won on one also have their fu
    without it.
    """
    rules = play.fu
    sets = shape.sets_fu + (rules.wait if shape.waiting is Completed.FU else 0)
    if shape.by is By.RON:
        more = sets + (rules.closed_ron if shape.is_closed else 0)
        least = rules.open_least if not (more or shape.is_closed) else 0
        yield _rounded(max(rules.base + more, least), play), False
        return
    yield _rounded(rules.base + sets + (0 if is_pinfu(shape, play) else _drawn_fu(shape, play)), play), False
    if not rules.tsumo_on_replacement and (play.draws_for_nuki or shape.sets.kans):
        yield _rounded(rules.base + sets, play), True


def _rounded(fu: int, play: Counted) -> int:
    return -(-fu // play.fu.round_up_to) * play.fu.round_up_to


def _drawn_fu(shape: Shape, play: Counted) -> int:
    if shape.waiting is Completed.UNSHOWN:
        return 0
    return play.fu.tsumo if shape.waiting is Completed.FU else play.fu.tsumo_two_sided


def _yaku_of(shape: Shape, play: Counted) -> tuple[YakuName, ...] | None:
    """Return the yaku that a shape always has; None for a shape that is a yakuman or an outright limit."""
    kans, concealed = shape.sets.kans, shape.concealed
    # Four concealed triplets, and in most books four kans, are a yakuman: not entered with han and fu.
    if concealed > CONCEALED_FOR_YAKU or (kans > KANS_FOR_YAKU and play.yakuman_of_kans):
        return None
    found = [YakuName.PINFU] if is_pinfu(shape, play) else []
    if not shape.sets.runs:
        found.append(YakuName.TOITOI)
        # A pair with fu is one of honours: beside four triplets of terminals or honours no tile of the hand is simple.
        if shape.pair_fu and not any(meld.is_simple for meld in shape.melds):
            # Where honroutou is not played, such a hand is the widest case of chanta.
            found.append(YakuName.HONROUTOU if YakuName.HONROUTOU in play.by_name else YakuName.CHANTA)
    found += [YakuName.SANANKOU] if concealed == CONCEALED_FOR_YAKU else []
    found += [YakuName.SANKANTSU] if kans >= KANS_FOR_YAKU else []
    # A yaku that is a mangan by itself hides han and fu; no han can be derived from the shape.
    if any(not play.counts_in_han(name) for name in found):
        return None
    drawn = _drawn(play, shape.by) if shape.is_closed else ()
    return (*(name for name in found if play.han(name, closed=shape.is_closed)), *drawn)


def is_pinfu(shape: Shape, play: Counted) -> bool:
    """Return whether a hand earns no fu and the book makes a yaku of that."""
    with_draw = shape.by is By.RON or play.pinfu_with_tsumo
    return shape.is_plain and with_draw and play.han(YakuName.PINFU, closed=shape.is_closed) > 0


def _drawn(play: Counted, by: By) -> tuple[YakuName, ...]:
    """Return the yaku of a closed hand's self-draw, if it is played."""
    is_yaku = by is By.TSUMO and play.han(YakuName.MENZEN_TSUMO, closed=True) > 0
    return (YakuName.MENZEN_TSUMO,) if is_yaku else ()


def _sum(names: tuple[YakuName, ...], play: Counted, *, closed: bool) -> int:
    return sum(play.han(name, closed=closed) for name in names)
