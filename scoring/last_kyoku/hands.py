"""Which han and fu a hand can have: every shape counted once, by what the book gives for its parts.

A shape is four sets and a pair, or seven pairs. What it cannot be without (a self-draw by a closed hand is a han, three
concealed triplets are a yaku) tells the fewest han beside its fu; dora and other yaku may add any number to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations_with_replacement, product

from scoring.kyoku.state import play_of
from scoring.ruleset import Ruleset
from scoring.ruleset.play import Play
from scoring.ruleset.value import Triplets
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import By

_MOST_BOOKS = 64
SETS = 4
"""Sets of a hand."""
CONCEALED_FOR_YAKU = KANS_FOR_YAKU = 3
"""So many concealed triplets, or kans, are a yaku; one more is a yakuman."""


class Waiting(StrEnum):
    """What the last tile completed, as far as fu tell."""

    RUN = "run"
    """A run from both sides."""
    TRIPLET = "triplet"
    """One of two pairs."""
    FU = "fu"
    """A pair, or a run from one side alone."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set, as far as fu and its hand's yaku tell."""

    fu: int
    is_run: bool = False
    is_kan: bool = False
    is_open: bool = False
    opened_fu: int = 0
    """Its fu when it was completed by a discard, for a triplet that can be."""

    @property
    def is_concealed_triplet(self) -> bool:
        """A triplet or kan made from one's own tiles."""
        return not self.is_run and not self.is_open


@dataclass(frozen=True, slots=True)
class Shape:
    """Four sets, a pair and a wait."""

    melds: tuple[Meld, ...]
    pair_fu: int
    waiting: Waiting
    by: By

    @property
    def is_closed(self) -> bool:
        """Nothing was called."""
        return not any(meld.is_open for meld in self.melds)

    @property
    def is_possible(self) -> bool:
        """There is a set of one's own for the last tile to complete."""
        if self.waiting is Waiting.RUN:
            return any(meld.is_run and not meld.is_open for meld in self.melds)
        return self.waiting is Waiting.FU or self._completed is not None

    @property
    def _completed(self) -> Meld | None:
        """The triplet that the last tile completes, where it is one."""
        return next((meld for meld in self.melds if meld.is_concealed_triplet and not meld.is_kan), None)

    @property
    def concealed(self) -> int:
        """Concealed triplets; one completed by a discard is none."""
        fed = self.waiting is Waiting.TRIPLET and self.by is By.RON
        return sum(meld.is_concealed_triplet for meld in self.melds) - fed

    @property
    def sets_fu(self) -> int:
        """The fu of the sets and of the pair."""
        fu = sum(meld.fu for meld in self.melds) + self.pair_fu
        completed = self._completed
        if self.waiting is Waiting.TRIPLET and self.by is By.RON and completed is not None:
            fu += completed.opened_fu - completed.fu
        return fu

    @property
    def is_plain(self) -> bool:
        """Runs only, no fu for the pair and none for the wait."""
        runs = all(meld.is_run for meld in self.melds)
        return runs and not self.pair_fu and self.waiting is Waiting.RUN


@dataclass(frozen=True, slots=True)
class Form:
    """A number of fu that hands have, with the fewest han beside it; what the book gives every hand is not in them."""

    fu: int
    """0 where fu are not counted."""
    closed: bool
    han: int


@lru_cache(maxsize=_MOST_BOOKS)
def forms(rules: Ruleset, by: By) -> tuple[Form, ...]:
    """Every number of fu a hand won in this way can have, closed and opened."""
    play = play_of(rules)
    least: dict[tuple[int, bool], int] = {}
    for form in _all_forms(play, by):
        key = (form.fu, form.closed)
        least[key] = min(form.han, least.get(key, form.han))
    return tuple(Form(fu, closed, max(han, play.win.min_han)) for (fu, closed), han in sorted(least.items()))


def _all_forms(play: Play, by: By) -> Iterator[Form]:
    if play.fu.fixed:
        for closed in (False, True):
            yield Form(0, closed, _drawn_han(play, by) if closed else 0)
        return
    pairs = _han(YakuName.CHIITOITSU, play, closed=True)
    if pairs:
        yield Form(play.fu.seven_pairs, closed=True, han=pairs + _drawn_han(play, by))
    for shape in _shapes(play, by):
        han = _least_han(shape, play)
        if han is not None:
            yield Form(_fu(shape, play), shape.is_closed, han)


def _shapes(play: Play, by: By) -> Iterator[Shape]:
    rules = play.fu
    pairs = sorted({0, rules.pair_value, rules.pair_double_wind, rules.pair_north})
    sets = combinations_with_replacement(tuple(_melds(rules.triplets)), SETS)
    for melds, pair_fu, waiting in product(sets, pairs, Waiting):
        shape = Shape(melds, pair_fu, waiting, by)
        if shape.is_possible:
            yield shape


def _melds(table: Triplets) -> Iterator[Meld]:
    """Runs, triplets and kans, called or not, of simple tiles or others."""
    yield Meld(0, is_run=True)
    yield Meld(0, is_run=True, is_open=True)
    for opened, closed in ((table.open_simple, table.closed_simple), (table.open_other, table.closed_other)):
        yield Meld(closed, opened_fu=opened)
        yield Meld(opened, is_open=True)
        yield Meld(closed * table.kan_times, is_kan=True)
        yield Meld(opened * table.kan_times, is_kan=True, is_open=True)


def _fu(shape: Shape, play: Play) -> int:
    """Base, how it was won, sets and pair, wait; an opened hand with nothing besides has its own; rounded up."""
    rules = play.fu
    more = shape.sets_fu + (rules.wait if shape.waiting is Waiting.FU else 0)
    if shape.by is By.TSUMO:
        more += 0 if _is_pinfu(shape, play) else _drawn_fu(shape, play)
    elif shape.is_closed:
        more += rules.closed_ron
    fu = rules.base + more
    if not (more or shape.is_closed) and shape.by is By.RON:
        fu = max(fu, rules.open_least)
    return -(-fu // rules.round_up_to) * rules.round_up_to


def _drawn_fu(shape: Shape, play: Play) -> int:
    return play.fu.tsumo if shape.waiting is Waiting.FU else play.fu.tsumo_two_sided


def _least_han(shape: Shape, play: Play) -> int | None:
    """The yaku a shape cannot be without; none for a shape that is a yakuman, or a limit by itself."""
    kans, runs = sum(meld.is_kan for meld in shape.melds), sum(meld.is_run for meld in shape.melds)
    if shape.concealed > CONCEALED_FOR_YAKU or kans > KANS_FOR_YAKU:
        return None
    found = [YakuName.PINFU] if _is_pinfu(shape, play) else []
    found += [YakuName.TOITOI] if not runs else []
    found += [YakuName.SANANKOU] if shape.concealed == CONCEALED_FOR_YAKU else []
    found += [YakuName.SANKANTSU] if kans == KANS_FOR_YAKU else []
    if any(not _counts_in_han(name, play) for name in found):
        return None
    drawn = _drawn_han(play, shape.by) if shape.is_closed else 0
    return drawn + sum(_han(name, play, closed=shape.is_closed) for name in found)


def _is_pinfu(shape: Shape, play: Play) -> bool:
    """A hand that earns no fu, where the book makes a yaku of it."""
    with_draw = shape.by is By.RON or play.yaku_rules.pinfu_with_tsumo
    return shape.is_plain and with_draw and _han(YakuName.PINFU, play, closed=shape.is_closed) > 0


def _drawn_han(play: Play, by: By) -> int:
    """A closed hand's self-draw is a yaku."""
    return _han(YakuName.MENZEN_TSUMO, play, closed=True) if by is By.TSUMO else 0


def _han(name: YakuName, play: Play, *, closed: bool) -> int:
    yaku = play.yaku.get(name)
    if yaku is None or not yaku.played:
        return 0
    return yaku.closed if closed else yaku.open


def _counts_in_han(name: YakuName, play: Play) -> bool:
    yaku = play.yaku.get(name)
    return yaku is None or not yaku.played or yaku.counts is Counts.HAN
