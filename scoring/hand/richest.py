"""The han of tiles for each form of a hand: its runs and triplets, the fu of its pair, the kans it allows.

A hand is three suits and honours. The han of a suit's own yaku and of its marked fives add up, so suits are joined one
by one, and alike ones are kept once; what is left to be seen (how many suits, simples, honours) is counted at the end.
A set of numbers of han is a number with a bit for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple

from scoring.hand.book import Book, book_of
from scoring.hand.contents import FIVE, Part, Sets, parts_in_three_suits, parts_of
from scoring.hand.reading import SeatWinds
from scoring.hand.shapes import ALL_PAIRS, ALL_SETS
from scoring.hand.situation import place_of
from scoring.hand.tiles import DRAGONS, FIVES, HONOURS, KINDS, OUTSIDE, SUITS, WINDS, Kind
from scoring.hand.yaku.sets import TAKES_THE_PLACE_OF
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.tiles import Suit
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts, YakuName

_MOST_TABLES = 64
_MOST_SUMS = 4096
_MANY = 2
"""The number from which on further suits, or twin runs, make no other yaku."""
_TRIPLET, _PAIR, _KAN = 3, 2, 4
_THREE = 3
_FIVES = frozenset(FIVES.values())


class Tiles(NamedTuple):
    """The tiles of a hand: sets by suit, then the triplets and the pair of honours."""

    suits: tuple[Sets, ...]
    honours: tuple[Kind, ...] = ()
    pair: Kind | None = None
    pairs: tuple[Kind, ...] = ()
    """Seven pairs instead."""


class Marks(NamedTuple):
    """The numbers of han of the marked fives among some tiles, as bits."""

    plain: int = 1
    with_kans: int = 1
    """If each triplet of fives that can be a kan is one."""

    def joined(self, more: Marks) -> Marks:
        """Return those of these tiles and of further ones."""
        return Marks(added(self.plain, more.plain), added(self.with_kans, more.with_kans))


class Rich(NamedTuple):
    """The numbers of han that tiles can have, as bits, and the tiles; marked fives may be left out."""

    hans: int
    tiles: Tiles


class Made(NamedTuple):
    """Tiles that make a form, an example for each set of numbers of han."""

    hans: int
    """All numbers of han together, as bits."""
    examples: tuple[Rich, ...]

    @classmethod
    def of(cls, every: Iterable[Rich]) -> Made:
        """Return these tiles together."""
        examples, hans = tuple(every), 0
        for each in examples:
            hans |= each.hans
        return cls(hans, examples)


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


class InSuit(NamedTuple):
    """Everything about a suit in a book that bears on the han of its tiles, beside their yaku."""

    limits: tuple[int, ...]
    """The most tiles of each rank in a hand."""
    marks: tuple[int, ...]
    """The numbers of han of the marked fives, as bits, by the number of fives."""
    is_characters: bool

    @classmethod
    def of(cls, book: Book, suit: int) -> InSuit:
        """Return a suit of a book, by its number."""
        most = book.play.tiles.alike_in_hand
        limits = tuple(min(book.most_copies[kind], most) for kind in SUITS[suit])
        return cls(limits, tuple(_marks(book, suit, fives) for fives in range(limits[FIVE] + 1)), not suit)


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
    own_han: int = 0
    """Han of the yaku that belong to a suit, and of the same set in each suit."""
    marks: Marks = Marks()
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
            self.own_han + more.own_han,
            self.marks.joined(more.marks),
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
    han: int


@lru_cache(maxsize=_MOST_SUMS)
def added(one: int, other: int) -> int:
    """Return the sums of two sets of numbers, all as bits; cached, as the same few sets are added again and again."""
    found = 0
    while other:
        lowest = other & -other
        found |= one * lowest
        other ^= lowest
    return found


@dataclass(frozen=True, slots=True)
class Yaku:
    """The yaku of closed, or of opened, hands without limits."""

    han: Mapping[YakuName, int]
    yakuman: frozenset[YakuName]

    # The key of a cache; dictionaries have no hash of their own.
    def __hash__(self) -> int:
        return hash((frozenset(self.han.items()), self.yakuman))

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
def tiles_of(rules: Ruleset, name: RoundName | None, *, closed: bool) -> Callable[[Form, Kans], Made]:
    """Return a look-up of the tiles of a form that allow some kans; cached.

    The han are those of yaku of the tiles and of marked fives; a yakuman is left out. Without
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
        every = tuple(InSuit.of(self.book, suit) for suit in range(len(SUITS)))
        for suits, tiles in _suits_of(every, self.yaku).items():
            self._complete(suits, tiles)
        self.find = cache(self._find)

    def _find(self, form: Form, kans: Kans) -> Made:
        found: dict[int, Tiles] = {}
        for suits, honours, han, tiles in self.table.get(form, ()):
            if suits.simple_kans >= kans.simple and suits.other_kans + honours.kans >= kans.other:
                is_gates = suits.is_gates and self.closed and not sum(kans)
                more = self.count((YakuName.CHUUREN,)) if is_gates else 0
                if more is not None:
                    marks = suits.marks.with_kans if kans.simple else suits.marks.plain
                    # Of several triplets, another may be the kan.
                    marks |= suits.marks.plain if kans.simple < suits.simple_kans else 0
                    found.setdefault(marks << (han + more), tiles)
        return Made.of(Rich(hans, tiles) for hans, tiles in found.items())

    def _complete(self, suits: Suits, tiles: Tiles) -> None:
        """Add the hands of these suits with all honours that complete them."""
        for honours, of_honours in self.honours.get((ALL_SETS - suits.sets, not suits.has_pair), ()):
            has_honours = bool(honours.triplets) or honours.pair_fu is not None
            more = self.count(tuple(_names(suits, has_honours=has_honours)))
            if more is not None:
                form = Form(suits.runs, suits.simple, suits.other + honours.triplets, honours.pair_fu or 0)
                whole = Tiles(tiles.suits, of_honours.honours, of_honours.pair)
                self.table.setdefault(form, []).append((suits, honours, suits.own_han + honours.han + more, whole))

    def _honours(self, seats: Iterable[SeatWinds]) -> dict[tuple[int, bool], list[tuple[Honours, Tiles]]]:
        """Return the honours at any of these seats, once for everything that bears on a hand.

        They are listed by the number of triplets, and with or without a pair.
        """
        found: dict[Honours, Tiles] = {}
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
                    fu = None if pair is None else line.fu if line else 0
                    found.setdefault(Honours(number, kans, fu, han), Tiles((), triplets, pair))
        listed: dict[tuple[int, bool], list[tuple[Honours, Tiles]]] = {}
        for honours, tiles in found.items():
            listed.setdefault((honours.triplets, honours.pair_fu is not None), []).append((honours, tiles))
        return listed

    def _han_of_wind(self, kind: Kind, seat: SeatWinds) -> int:
        """Return the han of a triplet of a wind, which may be several winds of value at once."""
        roles = [YakuName.SEAT_WIND] * (kind == seat.own) + [YakuName.ROUND_WIND] * seat.rounds.count(kind)
        roles += [YakuName.GUEST_WIND] * (kind in seat.guests)
        return sum(self.yaku.han.get(name, 0) for name in roles)


@lru_cache(maxsize=_MOST_TABLES)
def _suits_of(suits: tuple[InSuit, ...], yaku: Yaku) -> Mapping[Suits, Tiles]:
    """Return the sets of the three suits, once for everything that bears on a hand; cached, alike in all rounds.

    Rulesets that differ in other parts share them.
    """
    limits = [each.limits for each in suits]
    found = _joined(suits, yaku, map(parts_of, limits), 0)
    for is_run, name in ((True, YakuName.SANSHOKU), (False, YakuName.SANSHOKU_DOUKOU)):
        if han := yaku.count((name,)):
            in_three = [*map(parts_in_three_suits, limits)]
            for rank in range(len(SUITS[0])):
                found |= _joined(suits, yaku, (parts.get((is_run, rank), {}) for parts in in_three), han)
    return found


def _joined(
    suits: tuple[InSuit, ...], yaku: Yaku, every: Iterable[Mapping[Part, Sets]], han: int
) -> dict[Suits, Tiles]:
    found = {Suits(own_han=han): Tiles(())}
    for suit, parts in zip(suits, every, strict=True):
        sized: dict[tuple[int, bool], list[tuple[Suits, Sets]]] = {}
        for other, sets in _one_suit(suit, yaku, parts).items():
            sized.setdefault((other.sets, other.has_pair), []).append((other, sets))
        joined: dict[Suits, Tiles] = {}
        for (one, tiles), ((size, has_pair), more) in product(found.items(), sized.items()):
            if one.sets + size <= ALL_SETS and not (one.has_pair and has_pair):
                for other, sets in more:
                    both = one.joined(other)
                    if both not in joined:
                        joined[both] = Tiles((*tiles.suits, sets))
        found = joined
    return found


def _one_suit(suit: InSuit, yaku: Yaku, parts: Mapping[Part, Sets]) -> dict[Suits, Sets]:
    """Return the parts of one suit with the han of its own yaku and its marked fives."""
    found: dict[Suits, Sets] = {}
    for part, sets in parts.items():
        names = [YakuName.ITTSU] * part.is_straight + [YakuName.SANRENKOU] * (part.consecutive >= _THREE)
        han = yaku.count((*names, *[YakuName.SUURENKOU] * (part.consecutive > _THREE)))
        if han is not None:
            used = not sets.is_empty
            suits = Suits(
                *part[:6],
                min(part.twins, _MANY),
                part.is_gates,
                *part.kans,
                han,
                Marks(*(suit.marks[part.fives + kan] for kan in (0, part.has_kan_of_fives))),
                int(used),
                is_characters=suit.is_characters or not used,
            )
            found.setdefault(suits, sets)
    return found


def richest_pairs(book: Book, yaku: Yaku) -> Iterator[Rich]:
    """Yield seven pairs of each mixture of suits and honours, without the han of seven pairs itself."""
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
        chosen = kinds[: ALL_PAIRS - has_honours] + kinds[-1:] * has_honours
        mixed = Suits(runs=1, is_simple=is_simple, is_outside=False, used=len(suits), is_characters=suits == (0,))
        han = yaku.count((*_names(mixed, has_honours=has_honours), *_names_of_pairs(mixed, has_honours, is_outside)))
        if len(chosen) == ALL_PAIRS and han is not None:
            hans = 1 << han
            for suit in suits if not is_outside else ():
                # Any suit may have other pairs instead of the fives.
                hans = added(hans, _marks(book, suit, _PAIR) | 1)
            yield Rich(hans, Tiles((), pairs=tuple(chosen)))


def _names_of_pairs(suits: Suits, has_honours: bool, is_outside: bool) -> Iterator[YakuName]:  # noqa: FBT001 - private
    if suits.used == 1:
        yield YakuName.SHOUSHARIN if has_honours else YakuName.DAISHARIN
    if is_outside:
        yield YakuName.HONROUTOU
        yield from [YakuName.TSUUIISOU] * (not suits.used)


def _marks(book: Book, suit: int, fives: int) -> int:
    """Return the possible numbers of han of this many fives of a suit, by red and gold ones, as bits."""
    dora, tiles, letter = book.dora.kinds, book.play.tiles, tuple(Suit)[suit]
    red, gold = (tiles.red.get(letter, 0), tiles.gold.get(letter, 0))
    plain = book.most_copies[SUITS[suit].start + FIVE] - red - gold
    of_red, of_gold = (dora[kind].han if kind in dora else 0 for kind in (Dora.RED, Dora.GOLD))
    found = 0
    for reds, golds in product(range(min(red, fives) + 1), range(min(gold, fives) + 1)):
        if reds + golds <= fives <= reds + golds + plain:
            found |= 1 << (reds * of_red + golds * of_gold)
    return found


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
