"""The tiles with the most han for each form of a hand: its runs and triplets, the fu of its pair, the kans it allows.

A hand is three suits and honours. The han of a suit's own yaku and of its marked fives add up, so suits are joined one
by one, and of alike ones only the richest is kept; what is left to be seen (how many suits, simples, honours, the same
set in each suit) is counted at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple

from scoring.hand.book import Book, book_of
from scoring.hand.contents import Part, Sets, parts_in_three_suits, parts_of
from scoring.hand.reading import SeatWinds
from scoring.hand.shapes import ALL_SETS
from scoring.hand.situation import place_of
from scoring.hand.tiles import DRAGONS, FIVES, HONOURS, KINDS, OUTSIDE, SUITS, WINDS, Kind
from scoring.hand.yaku.sets import TAKES_THE_PLACE_OF
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.tiles import Suit
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts, YakuName

_MOST_TABLES = 64
_MANY = 2
"""The number from which on further suits, or twin runs, make no other yaku."""
_TRIPLET, _PAIR, _KAN = 3, 2, 4
_THREE = 3
PAIRS = 7
_FIVES = frozenset(FIVES.values())


class Tiles(NamedTuple):
    """The tiles of a hand: sets by suit, then the triplets and the pair of honours."""

    suits: tuple[Sets, ...]
    honours: tuple[Kind, ...] = ()
    pair: Kind | None = None
    pairs: tuple[Kind, ...] = ()
    """Seven pairs instead."""


class Rich(NamedTuple):
    """The most han that tiles can have, and an example of such tiles."""

    han: int
    tiles: Tiles


class Form(NamedTuple):
    """The sets and the pair of a hand, as far as fu tell them apart."""

    runs: int
    simple: int
    other: int
    pair_fu: int


class Kans(NamedTuple):
    """A number of kans of simples, and of terminals and honours."""

    simple: int
    other: int


class Suits(NamedTuple):
    """Everything about the tiles of some suits that bears on a hand, beside the han that are counted already."""

    runs: int = 0
    simple: int = 0
    other: int = 0
    has_pair: bool = False
    is_simple: bool = True
    is_outside: bool = True
    twins: int = 0
    is_gates: bool = False
    simple_kans: int = 0
    other_kans: int = 0
    more_fives: int = 0
    """Han of further marked fives, if triplets of fives become kans."""
    used: int = 0
    """The number of suits, at most `_MANY`."""
    is_characters: bool = True
    """True if no other suit is used."""

    @property
    def sets(self) -> int:
        """The number of sets."""
        return self.runs + self.simple + self.other

    def joined(self, more: Suits) -> Suits:
        """Return these suits and further ones."""
        return Suits(
            self.runs + more.runs,
            self.simple + more.simple,
            self.other + more.other,
            self.has_pair or more.has_pair,
            self.is_simple and more.is_simple,
            self.is_outside and more.is_outside,
            min(self.twins + more.twins, _MANY),
            self.is_gates or more.is_gates,
            self.simple_kans + more.simple_kans,
            self.other_kans + more.other_kans,
            self.more_fives + more.more_fives,
            min(self.used + more.used, _MANY),
            self.is_characters and more.is_characters,
        )


class Honours(NamedTuple):
    """The triplets and the pair of honours of a hand, as far as a hand depends on them."""

    triplets: int
    kans: int
    """The number of them that can be kans."""
    pair_fu: int | None
    """None without a pair of honours."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """The yaku of closed, or of opened, hands without limits."""

    han: Mapping[YakuName, int]
    yakuman: frozenset[YakuName]

    def count(self, names: Iterable[YakuName]) -> int | None:
        """Return the han of yaku that a hand has together; None if it is a yakuman."""
        there = [name for name in names if name in self.han or name in self.yakuman]
        if not self.yakuman.isdisjoint(there):
            return None
        gone = set(chain.from_iterable(TAKES_THE_PLACE_OF.get(name, ()) for name in there))
        return sum(self.han[name] for name in there if name not in gone)


def yaku_of(book: Book, *, closed: bool) -> Yaku:
    """Return the yaku of a book that count in a closed, or in an opened, hand without limits."""
    counted = {YakuName(name): each.line for name, each in book.yaku[closed].items()}
    han = {name: book.uncapped(line).worth for name, line in counted.items() if line.counts is not Counts.YAKUMAN}
    return Yaku(han, frozenset(name for name, line in counted.items() if line.counts is Counts.YAKUMAN))


@lru_cache(maxsize=_MOST_TABLES)
def richest_of(rules: Ruleset, name: RoundName | None, *, closed: bool) -> Callable[[Form, Kans], Rich | None]:
    """Return a look-up of the richest tiles of a form that allow some kans; it returns None if there are none; cached.

    The han are those of yaku of the tiles and of marked fives; a form that can only be a yakuman has no tiles. Without
    a round, the winds of any round count.
    """
    return _Finder(rules, name, closed=closed).find


class _Finder:
    def __init__(self, rules: Ruleset, name: RoundName | None, *, closed: bool) -> None:
        self.book = book_of(rules)
        self.closed = closed
        self.yaku = yaku_of(self.book, closed=closed)
        rounds = rules.setup.rounds if name is None else (name,)
        places = [place_of(wind, each) for wind, each in product(rules.setup.seat_winds, rounds)]
        self.honours = self._honours([self.book.seats[place] for place in places])
        self.count = cache(self.yaku.count)
        self.table: dict[Form, list[tuple[Suits, Honours, int, Tiles]]] = {}
        for suits, rich in self._suits().items():
            self._complete(suits, rich)
        self.find = cache(self._find)

    def _find(self, form: Form, kans: Kans) -> Rich | None:
        best: Rich | None = None
        for suits, honours, han, tiles in self.table.get(form, ()):
            if suits.simple_kans >= kans.simple and suits.other_kans + honours.kans >= kans.other:
                is_gates = suits.is_gates and self.closed and not sum(kans)
                more = self.count((YakuName.CHUUREN,)) if is_gates else suits.more_fives * bool(kans.simple)
                if more is not None and (best is None or han + more > best.han):
                    best = Rich(han + more, tiles)
        return best

    def _complete(self, suits: Suits, rich: Rich) -> None:
        """Add the hands of these suits with all honours that complete them."""
        for honours, (of_honours, tiles) in self.honours.items():
            if suits.sets + honours.triplets != ALL_SETS or suits.has_pair is (honours.pair_fu is not None):
                continue
            more = self.count(tuple(_names(suits, has_honours=bool(tiles.honours) or tiles.pair is not None)))
            if more is not None:
                form = Form(suits.runs, suits.simple, suits.other + honours.triplets, honours.pair_fu or 0)
                found = (suits, honours, rich.han + of_honours + more, tiles._replace(suits=rich.tiles.suits))
                self.table.setdefault(form, []).append(found)

    def _suits(self) -> Mapping[Suits, Rich]:
        """Return the richest sets of the three suits, by everything else that bears on a hand."""
        found = self._joined([parts_of(self._limits(suit)) for suit in range(len(SUITS))], 0)
        in_three = [parts_in_three_suits(self._limits(suit)) for suit in range(len(SUITS))]
        for is_run, name in ((True, YakuName.SANSHOKU), (False, YakuName.SANSHOKU_DOUKOU)):
            han = self.yaku.count((name,))
            for rank in range(len(SUITS[0])) if han else ():
                same = self._joined([parts.get((is_run, rank), {}) for parts in in_three], han or 0)
                for suits, rich in same.items():
                    found[suits] = max(rich, found.get(suits, rich), key=lambda each: each.han)
        return found

    def _limits(self, suit: int) -> tuple[int, ...]:
        most = self.book.play.tiles.alike_in_hand
        return tuple(min(self.book.most_copies[kind], most) for kind in SUITS[suit])

    def _joined(self, every: Iterable[Mapping[Part, Sets]], han: int) -> dict[Suits, Rich]:
        found = {Suits(): Rich(han, Tiles(()))}
        for suit, parts in enumerate(every):
            more = self._one_suit(suit, parts)
            joined: dict[Suits, Rich] = {}
            for (one, rich), (other, added) in product(found.items(), more.items()):
                if one.sets + other.sets <= ALL_SETS and not (one.has_pair and other.has_pair):
                    suits, total = one.joined(other), rich.han + added.han
                    if suits not in joined or joined[suits].han < total:
                        joined[suits] = Rich(total, Tiles(rich.tiles.suits + added.tiles.suits))
            found = joined
        return found

    def _one_suit(self, suit: int, parts: Mapping[Part, Sets]) -> dict[Suits, Rich]:
        """Return the parts of one suit with the han of its own yaku and its marked fives."""
        found: dict[Suits, Rich] = {}
        marks = _marks(self.book, suit)
        for part, sets in parts.items():
            names = [YakuName.ITTSU] * part.is_straight + [YakuName.SANRENKOU] * (part.consecutive >= _THREE)
            han = self.yaku.count((*names, *[YakuName.SUURENKOU] * (part.consecutive > _THREE)))
            if han is not None:
                fives, used = sum(marks[: part.fives]), any(sets.tiles)
                suits = Suits(
                    *part[:6],
                    min(part.twins, _MANY),
                    part.is_gates,
                    *part.kans,
                    sum(marks[part.fives : part.fives + part.has_kan_of_fives]),
                    int(used),
                    is_characters=not (suit and used),
                )
                if suits not in found or found[suits].han < han + fives:
                    found[suits] = Rich(han + fives, Tiles((sets,)))
        return found

    def _honours(self, seats: Iterable[SeatWinds]) -> dict[Honours, tuple[int, Tiles]]:
        """Return the richest honours at any of these seats."""
        found: dict[Honours, tuple[int, Tiles]] = {}
        most = {kind: min(self.book.most_copies[kind], self.book.play.tiles.alike_in_hand) for kind in HONOURS}
        there = [kind for kind in HONOURS if most[kind] >= _TRIPLET]
        for seat, number in product(seats, range(ALL_SETS + 1)):
            for triplets in combinations(there, number):
                for pair in (None, *(kind for kind in HONOURS if most[kind] >= _PAIR and kind not in triplets)):
                    han = self.yaku.count(_names_of_honours(triplets, pair))
                    if han is None:
                        continue
                    han += sum(self._han_of_wind(kind, seat) for kind in triplets)
                    line = None if pair is None else seat.pairs[pair + 1]
                    kans = sum(most[kind] >= _KAN for kind in triplets)
                    key = Honours(number, kans, None if pair is None else line.fu if line else 0)
                    if key not in found or found[key][0] < han:
                        found[key] = (han, Tiles((), triplets, pair))
        return found

    def _han_of_wind(self, kind: Kind, seat: SeatWinds) -> int:
        """Return the han of a triplet of a wind, which may be several winds of value at once."""
        roles = [YakuName.SEAT_WIND] * (kind == seat.own) + [YakuName.ROUND_WIND] * seat.rounds.count(kind)
        roles += [YakuName.GUEST_WIND] * (kind in seat.guests)
        return sum(self.yaku.han.get(name, 0) for name in roles)


def richest_pairs(book: Book, yaku: Yaku) -> Iterator[Rich]:
    """Yield the richest seven pairs of each mixture of suits and honours, without the han of seven pairs itself."""
    there = [kind for kind in range(KINDS) if min(book.most_copies[kind], book.play.tiles.alike_in_hand) >= _PAIR]
    every = tuple(range(len(SUITS)))
    for suits, has_honours, is_simple, is_outside in product(
        (*((suit,) for suit in every), every, ()), (False, True), (False, True), (False, True)
    ):
        kinds = [kind for suit in suits for kind in SUITS[suit]] + [*HONOURS] * has_honours
        kinds = [kind for kind in kinds if kind in there and not (is_simple and kind in OUTSIDE)]
        # Fives first, then suits before honours, so that each kind of tile is there.
        kinds = sorted(
            (kind for kind in kinds if not is_outside or kind in OUTSIDE), key=lambda kind: kind not in _FIVES
        )
        chosen = kinds[: PAIRS - has_honours] + kinds[-1:] * has_honours
        mixed = Suits(runs=1, is_simple=is_simple, used=len(suits), is_characters=suits == (0,))
        han = yaku.count((*_names(mixed, has_honours=has_honours), *_names_of_pairs(mixed, has_honours, is_outside)))
        if len(chosen) == PAIRS and han is not None:
            marks = (sum(_marks(book, suit)[:_PAIR]) for suit in suits if not is_outside)
            yield Rich(han + sum(marks), Tiles((), pairs=tuple(chosen)))


def _names_of_pairs(suits: Suits, has_honours: bool, is_outside: bool) -> Iterator[YakuName]:  # noqa: FBT001 - private
    if suits.used == 1:
        yield YakuName.SHOUSHARIN if has_honours else YakuName.DAISHARIN
    if is_outside:
        yield YakuName.HONROUTOU
        yield from [YakuName.TSUUIISOU] * (not suits.used)


def _marks(book: Book, suit: int) -> list[int]:
    """Return the han of each marked five of a suit, the most first."""
    dora, tiles, letter = book.dora.kinds, book.play.tiles, tuple(Suit)[suit]
    marked = ((Dora.RED, tiles.red.get(letter, 0)), (Dora.GOLD, tiles.gold.get(letter, 0)))
    return sorted((dora[kind].han for kind, count in marked if kind in dora for _ in range(count)), reverse=True)


def _names_of_honours(triplets: tuple[Kind, ...], pair: Kind | None) -> Iterator[YakuName]:
    """Yield the yaku of honours alone, winds of value left out."""
    yield from (_OF_HONOUR[kind] for kind in triplets if kind in _OF_HONOUR)
    dragons, winds = (sum(kind in group for kind in triplets) for group in (DRAGONS, WINDS))
    if dragons == len(DRAGONS):
        yield YakuName.DAISANGEN
    if dragons == len(DRAGONS) - 1 and pair in DRAGONS:
        yield YakuName.SHOUSANGEN
    if winds >= _THREE:
        yield YakuName.SANPUU
    if winds == _THREE and pair in WINDS:
        yield from (YakuName.SHOUSUUSHI, YakuName.SUUSHIIHOU)
    if winds == len(WINDS):
        yield from (YakuName.DAISUUSHI, YakuName.SUUSHIIHOU)


def _names(suits: Suits, *, has_honours: bool) -> Iterator[YakuName]:
    """Yield the yaku of all tiles together."""
    if not suits.runs:
        yield YakuName.TOITOI
    if suits.twins:
        yield YakuName.IIPEIKOU
    if suits.twins == _MANY:
        yield YakuName.RYANPEIKOU
    if suits.is_simple and not has_honours:
        yield YakuName.TANYAO
    if suits.used == 1:
        yield YakuName.HONITSU
        yield from [YakuName.CHINITSU] * (not has_honours) + [YakuName.MANZU_HONITSU] * suits.is_characters
    if suits.is_outside:
        yield from _names_of_outside(suits, has_honours=has_honours)


def _names_of_outside(suits: Suits, *, has_honours: bool) -> Iterator[YakuName]:
    """Yield the yaku of hands with a terminal or an honour in every set and in the pair."""
    yield YakuName.CHANTA
    if not has_honours:
        yield YakuName.JUNCHAN
    if not suits.runs:
        yield YakuName.HONROUTOU
        yield from [YakuName.CHINROUTOU] * (not has_honours) + [YakuName.TSUUIISOU] * (not suits.used)


_OF_HONOUR = dict(
    zip((*DRAGONS, WINDS[-1]), (YakuName.HAKU, YakuName.HATSU, YakuName.CHUN, YakuName.NORTH), strict=True)
)
