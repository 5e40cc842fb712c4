"""A ruleset made ready for scoring: what it says, looked up once and kept by small numbers.

Everything here follows from the ruleset alone. Nothing is kept of a hand: the tables are by the sorts of tiles, by the
outline of a reading, by the circumstances of a win, by han and fu - some thousand entries, however many hands are
scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from scoring.hand.dora import DoraRules
from scoring.hand.fu import FuRules
from scoring.hand.reading import Reading, Seat, wind_kind
from scoring.hand.records import Clauses, Extra, Payment, YakuLine
from scoring.hand.shapes import ALL_SETS, COUNT, Feature
from scoring.hand.situation import RiichiKind, Situation, place_of
from scoring.hand.tiles import (
    BINGO,
    BITS,
    FLOWERS,
    GOLD,
    HONOURS,
    KIND,
    KINDS,
    NAMED,
    POCCHI,
    RED,
    SLOTS,
    TILES,
    UNMARKED,
    Tile,
)
from scoring.hand.yaku import circumstance, sets
from scoring.hand.yaku import tiles as mixture
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.tiles import Bingo, PocchiWild, SetAside, Suit
from scoring.ruleset.value import Dora, Settled
from scoring.ruleset.yaku import Counts, OpenTanyao, Yaku, YakuName
from scoring.value import By, Value, Worth, value

PLAIN, YAKUMAN, MANGAN, REPLACES, NEEDS_COMPANION, PINFU, NEEDS_SETS = 0, 1, 2, 4, 8, 16, 32
"""Marks of a yaku: what has to be looked at once it is there."""

Test = Callable[[Reading], int]
Candidates = tuple[tuple[Test, YakuLine, int, int], ...]
"""What each yaku needs, its line, its marks, its han."""
_MOST_BOOKS = 64
SIGNATURE_BITS = 8
"""Room for the sorts of tiles beside the number of a way."""
FU_BITS = 20
"""Room for fu beside han in the number a price is kept by."""
PAID_BITS = 2
"""Room for how the hand was won beside them."""


class NoHandsError(ValueError):
    """The ruleset does not say how hands are played; only final scores are known."""


class Marked(NamedTuple):
    """A yaku as it counts in a closed or in an opened hand."""

    line: YakuLine
    marks: int


class Found(NamedTuple):
    """Yaku that are there, all their marks, and their han."""

    lines: tuple[YakuLine, ...]
    marks: int
    han: int
    outline: int
    """What they say of which other yaku there can be: a full flush or none, and in the last bit a closed hand."""


class Way(NamedTuple):
    """How a hand was won: one for all hands won alike."""

    found: Found
    fu: int
    """As fu look at it."""
    drawn: bool
    """By self-draw, and not paid like a ron."""
    as_ron: bool
    number: int
    """Which of the ways that were met."""
    paid: int
    """Closed or not, dealer or not, as prices are kept by."""


class Price:
    """What a hand is paid, and the payments by who won from whom."""

    __slots__ = ("payments", "value")

    def __init__(self, worth: Value) -> None:
        self.value = worth
        self.payments: dict[int, tuple[Payment, ...]] = {}


class Outline:
    """Which yaku a reading can have at all: its features, and these bits above them."""

    PAIRS = 1 << Feature.END
    OTHER = 2 << Feature.END
    FLUSH = 4 << Feature.END
    NORTHS = 8 << Feature.END


class Book:
    """A ruleset's tables for scoring hands."""

    def __init__(self, rules: Ruleset, play: Play) -> None:
        self.rules = rules
        self.play = play
        self.payers = rules.players - 1
        self.fu = FuRules(play)
        self.dora = DoraRules(play)
        self._tiles()
        self.seats = {place_of(wind, name): _seat(rules, play, wind, name) for wind, name in _places(rules)}
        for seat in self.seats.values():
            seat.pairs = self.fu.pairs_of(seat)
        self.yaku = {closed: dict(_counted(play, closed=closed)) for closed in (False, True)}
        self.pairs_mask = self._pairs_mask()
        there = self.yaku[True]
        self.orphans = tuple(dict.fromkeys(tiles for name, tiles in sets.ORPHANS.items() if name in there))
        self.all_seven = YakuName.ALL_SEVEN in there
        self.chi = play.calls.chi
        self.winds = frozenset(rules.setup.seat_winds)
        self.min_han = play.win.min_han
        self.is_kansaki = play.win.settled is Settled.KANSAKI
        self.is_special = _is_special(play) or self.dora.more_than_han
        """Values of hands are more than han and fu."""
        self.needs_care = self.has_surplus or self.is_kansaki
        """A complete hand may not be one that can be won."""
        self.is_plain_paid = play.chips is None
        table = play.payments.tsumo_table
        both = (*play.payments.clauses, *(table.clauses if table else ()))
        self.payment_clauses: Clauses = tuple(dict.fromkeys(both))
        self.pao_clauses: Clauses = play.pao.clauses if play.pao else ()
        self.forced_clauses: Clauses = play.riichi.open.clauses if play.riichi.open else ()
        self.honba: dict[int, tuple[Payment, ...]] = {}
        """Kept by `payments`: what honba counters bring, by who won from whom."""
        self.deposits: dict[int, Payment] = {}
        """Kept by `payments`: sticks on the table, by their points."""
        self.ways: dict[int, Way] = {}
        """Kept by `case`: circumstances that go together, by a small number."""
        self.candidates: dict[int, Candidates] = {}
        self._chosen: dict[tuple[tuple[YakuName, ...], int], Candidates] = {}
        self.starts: dict[int, Found] = {}
        """Kept by `case`: yaku of the circumstances with those of the tiles, by way and sorts of tiles."""
        self.prices: dict[int, Price] = {}

    def _tiles(self) -> None:
        """What there is of each tile, and how many a hand may use."""
        tiles = self.play.tiles
        self.most_copies = _most_copies(self.play)
        self.excess = sum((1 << (BITS - 1)) - 1 - most << (BITS * tile) for tile, most in enumerate(self.most_copies))
        """Added to packed tiles, it carries into the top bit of each kind of which there are too many."""
        self.alike_excess = sum((1 << (BITS - 1)) - 1 - tiles.alike_in_hand << (BITS * kind) for kind in range(KINDS))
        self.has_surplus = any(most > tiles.alike_in_hand for most in self.most_copies[:KINDS])
        """There are kinds with more copies than a hand may use."""
        self.has_bonus = any(self.most_copies[tile] for tile in (*FLOWERS, *BINGO))
        self.nuki = frozenset(_nuki(self.play))
        self.most_indicators = 1 + (self.play.wall.kans if Dora.KAN in self.play.dora.kinds else 0)

    def _pairs_mask(self) -> int:
        """The bits that must be empty for packed tiles to be seven pairs; all where the house has no seven pairs."""
        if YakuName.CHIITOITSU not in self.yaku[True]:
            return -1
        return sets.ODD if self.play.yaku_rules.seven_pairs_four_alike else sets.NOT_A_PAIR

    def start(self, way: Way, signature: int, kinds: int, *, closed: bool) -> Found:
        """The yaku that are there however the tiles are read; kept."""
        tiles = self.of_tiles(signature, kinds, closed=closed)
        found = self.starts[way.number << SIGNATURE_BITS | signature] = Found(
            way.found.lines + tiles.lines, way.found.marks | tiles.marks, way.found.han + tiles.han, tiles.outline
        )
        return found

    def of_tiles(self, signature: int, kinds: int, *, closed: bool) -> Found:
        """The yaku of the tiles themselves."""
        tiles = mixture.Mixture(kinds, self.play.yaku_rules)
        there = ((name, test(tiles)) for name, test in mixture.TILE_YAKU.items())
        found = self._lines(there, closed=closed)
        if signature & mixture.SUITS_AND_HONOURS in mixture.ONE_SUIT:
            found = found._replace(outline=found.outline | Outline.FLUSH << 1)
        return found

    def of_circumstance(self, win: circumstance.Circumstance) -> Found:
        """The yaku of how the hand was won."""
        there = ((name, test(win)) for name, test in circumstance.CIRCUMSTANCE_YAKU.items())
        return self._lines(there, closed=win.closed)

    def _lines(self, there: Iterable[tuple[YakuName, int]], *, closed: bool) -> Found:
        counted = self.yaku[closed]
        marked = [counted[name] for name, is_there in there if is_there and name in counted]
        marks = 0
        for each in marked:
            marks |= each.marks
        lines = tuple(each.line for each in marked)
        return Found(lines, marks, sum(line.han for line in lines), int(closed))

    def find_candidates(self, key: int) -> Candidates:
        """The yaku that a reading may have, by its outline with a last bit for a closed hand; kept."""
        names = tuple(_possible(key >> 1))
        found = self._chosen.get((names, key & 1))
        if found is None:
            counted = self.yaku[bool(key & 1)]
            chosen = ((sets.TESTS[name], counted[name]) for name in names if name in counted)
            found = tuple((test, each.line, each.marks, each.line.han) for test, each in chosen)
            self._chosen[names, key & 1] = found
        self.candidates[key] = found
        return found

    def find_price(self, han: int, fu: int, *, closed: bool, dealer: bool) -> Price:
        """What han and fu are paid, limits and all; kept."""
        found = Price(value(Worth(han=han, fu=fu, closed=closed), dealer=dealer, play=self.play))
        self.prices[(han << FU_BITS | fu) << PAID_BITS | closed << 1 | dealer] = found
        return found

    def forced(self, *, dealer: bool) -> Value:
        """What a forced deal-in to an open riichi is paid: a yakuman."""
        return value(Worth(yakuman=1, closed=True), dealer=dealer, play=self.play)

    def uncapped(self, line: YakuLine) -> YakuLine:
        """A yaku as it counts where there are no limits: one that is a limit has han instead."""
        if line.counts is not Counts.MANGAN:
            return line
        han = self.play.yaku[YakuName(line.name)].uncapped_han
        return YakuLine(line.name, han, Counts.HAN, line.clauses)

    def is_pocchi_wild(self, situation: Situation) -> bool:
        """The blank white dragon, drawn, stands for any tile: after riichi, in some houses only while ippatsu lives."""
        rules = self.play.pocchi
        if rules is None or situation.by is By.RON or situation.riichi is RiichiKind.NONE:
            return False
        return rules.wild is PocchiWild.AFTER_RIICHI or situation.ippatsu

    def bazoro(self, round_name: RoundName) -> tuple[YakuLine, ...]:
        """Han that every hand has besides."""
        rules = self.play.value
        han = rules.bazoro_always + (rules.bazoro_last_round if round_name is self.rules.setup.rounds[-1] else 0)
        return (YakuLine(Extra.BAZORO, han, Counts.HAN, rules.clauses),) if han else ()


def wall_of(rules: Ruleset) -> dict[Tile, int]:
    """How many there are of each very tile, in the order tiles are numbered; a plain five is none of the red ones.

    Raise NoHandsError if the ruleset does not say how hands are played.
    """
    most = book_of(rules).most_copies
    found = {tile: most[UNMARKED.get(tile, tile)] for tile in range(TILES)}
    return {tile: count for tile, count in found.items() if count}


def book_of(rules: Ruleset) -> Book:
    """A ruleset made ready; raise NoHandsError if it does not say how hands are played."""
    latest = _latest[-1]
    if latest is not None and latest.rules is rules:
        return latest
    _latest[-1] = book = _made_ready(rules)
    return book


_latest: list[Book | None] = [None]
"""The book asked for last: mostly it is asked for again, and to be the very same ruleset is quickly told."""


@lru_cache(maxsize=_MOST_BOOKS)
def _made_ready(rules: Ruleset) -> Book:
    if rules.play is None:
        raise NoHandsError(f"the ruleset {rules.name} says nothing of hands; it only settles final scores")
    return Book(rules, rules.play)


def _most_copies(play: Play) -> tuple[int, ...]:
    """How many there are of each tile in the wall, and of unmarked ones."""
    tiles = play.tiles
    most = [0] * SLOTS
    for name in tiles.listed():
        most[NAMED[name]] = tiles.copies_of.get(name, tiles.copies)
    for suit in Suit:
        most[RED[suit.value]] = tiles.red.get(suit, 0)
        most[GOLD[suit.value]] = tiles.gold.get(suit, 0)
    most[POCCHI] = tiles.pocchi
    for kind, slot in UNMARKED.items():
        most[slot] = most[kind] - sum(most[tile] for tile in range(KINDS, TILES) if KIND[tile] == kind)
    for flower in FLOWERS[: tiles.flowers]:
        most[flower] = -(-tiles.flowers // len(FLOWERS))
    for bingo, tile in zip(Bingo, BINGO, strict=True):
        most[tile] = tiles.bingo.get(bingo, 0)
    return tuple(most)


def _nuki(play: Play) -> Iterator[Tile]:
    """Tiles that may be set aside."""
    if SetAside.NORTH in play.nuki:
        yield NAMED["4z"]
    if SetAside.FLOWER in play.nuki:
        yield from FLOWERS
    if SetAside.BINGO in play.nuki:
        yield from BINGO


def _places(rules: Ruleset) -> Iterator[tuple[Wind, RoundName]]:
    return ((wind, name) for wind in rules.setup.seat_winds for name in rules.setup.round_winds)


def _seat(rules: Ruleset, play: Play, wind: Wind, name: RoundName) -> Seat:
    guests = play.yaku_rules.guest_winds.get(name, ())
    north = YakuName.NORTH in play.yaku and play.yaku[YakuName.NORTH].played
    rounds = rules.setup.round_winds[name]
    return Seat(
        wind_kind(wind), tuple(map(wind_kind, rounds)), tuple(map(wind_kind, guests)), play.yaku_rules, north=north
    )


def _counted(play: Play, *, closed: bool) -> Iterator[tuple[YakuName, Marked]]:
    """Every yaku that counts in a closed or in an opened hand."""
    for name, yaku in play.yaku.items():
        worth = yaku.closed if closed else yaku.open
        if not yaku.played or not worth:
            continue
        companion = name is YakuName.TANYAO and not closed
        if companion and play.yaku_rules.open_tanyao is OpenTanyao.NEVER:
            continue
        needs = companion and play.yaku_rules.open_tanyao is OpenTanyao.WITH_COMPANION
        sets_only = name is YakuName.TSUUIISOU and not play.yaku_rules.all_honours_in_pairs
        line = YakuLine(name, worth, yaku.counts, yaku.clauses)
        marks = (NEEDS_COMPANION if needs else PLAIN) | (NEEDS_SETS if sets_only else PLAIN)
        yield name, Marked(line, _marks(name, yaku) | marks)


def _marks(name: YakuName, yaku: Yaku) -> int:
    counts = {Counts.HAN: PLAIN, Counts.YAKUMAN: YAKUMAN, Counts.MANGAN: MANGAN}[yaku.counts]
    replaces = REPLACES if name in sets.TAKES_THE_PLACE_OF else PLAIN
    return counts | replaces | (PINFU if name is YakuName.PINFU else PLAIN)


def _is_special(play: Play) -> bool:
    rules = play.value
    return (
        rules.uncapped_in_last_hand
        or rules.bazoro_always > 0
        or rules.bazoro_last_round > 0
        or play.yaku_rules.manzu_half_flush_haneman
    )


def _possible(outline: int) -> Iterator[YakuName]:
    """The yaku that such an outline allows."""
    if outline & Outline.NORTHS:
        yield YakuName.FOUR_NORTHS
    if outline & Outline.PAIRS:
        yield from sets.PAIR_YAKU
    elif outline & Outline.OTHER:
        yield from sets.OTHER_FORMS
    else:
        runs = outline >> Feature.RUNS & COUNT
        yield from _of_runs(outline, runs)
        yield from _OF_TRIPLETS[ALL_SETS - runs]
        yield from _OF_HONOURS[outline >> Feature.EACH_HONOUR & _EACH_HONOUR]
        if outline & Outline.FLUSH:
            yield from sets.FLUSH_YAKU


def _of_runs(outline: int, runs: int) -> Iterator[YakuName]:
    """Of sequences, and of terminals in every set."""
    called = outline >> Feature.CALLED_RUNS & COUNT
    if runs == ALL_SETS:
        yield YakuName.PINFU
    if outline >> Feature.TWINS & COUNT:
        yield YakuName.IIPEIKOU
        yield YakuName.RYANPEIKOU
    if outline >> Feature.STRAIGHTS & COUNT or called:
        yield YakuName.ITTSU
    if outline >> Feature.RUN_SUITS & COUNT == len(Suit) or called:
        yield YakuName.SANSHOKU
    if not outline >> Feature.INNER & COUNT:
        yield YakuName.CHANTA
        yield YakuName.JUNCHAN


def _of_honours(bits: int) -> Iterator[YakuName]:
    """Of triplets of these honours."""
    count = bits.bit_count()
    for name, (least, kinds, _) in sets.HONOUR_YAKU.items():
        if count >= least and bits & kinds:
            yield name


_EACH_HONOUR = (1 << len(HONOURS)) - 1
_OF_HONOURS = tuple(tuple(_of_honours(bits)) for bits in range(_EACH_HONOUR + 1))
_OF_TRIPLETS = tuple(
    tuple(name for name, (least, _) in sets.TRIPLET_YAKU.items() if count >= least) for count in range(ALL_SETS + 1)
)


def is_within(packed: int, excess: int) -> bool:
    """No kind is there more often than `excess` lets it."""
    return not (packed + excess) & TOO_MANY


TOO_MANY = sum(1 << (BITS * tile + BITS - 1) for tile in range(SLOTS))
