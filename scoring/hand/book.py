"""A ruleset compiled for scoring: its values, looked up once and stored in tables with small integer keys.

Everything here depends on the ruleset alone. No hand is cached: the keys are the sorts of tiles, the outline of a
reading, the circumstances of a win, and han with fu. That is some thousand entries, however many hands are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from scoring.hand.dora import DoraTables
from scoring.hand.fu import FuRules
from scoring.hand.most import most_indicators
from scoring.hand.reading import Reading, SeatWinds, wind_kind
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
from scoring.ruleset.value import Settled
from scoring.ruleset.yaku import Counts, OpenTanyao, Yaku, YakuName
from scoring.value import By, Value, Worth, value

PLAIN, YAKUMAN, MANGAN, REPLACES, NEEDS_COMPANION, PINFU, NEEDS_SETS = 0, 1, 2, 4, 8, 16, 32
"""Bit flags of a yaku: the special handling it needs once a hand has it."""

Test = Callable[[Reading], int]
Candidates = tuple[tuple[Test, YakuLine, int, int], ...]
"""For each yaku that may apply: its test, its line, its marks, its han."""
MOST_BOOKS = 64
"""The number of books that are kept at once; a process scores hands under a few rulesets."""
FU_BITS = 20
"""The bits that fu take below han, in the keys of `Book.prices`."""
PAID_BITS = 2
"""The two lowest bits of a price's key: whether the hand is closed, and whether the winner is the dealer."""


class CountedYaku(NamedTuple):
    """A yaku as it counts in a closed or in an opened hand: its line and its marks."""

    line: YakuLine
    marks: int


class FoundYaku(NamedTuple):
    """The yaku found in a hand so far, the union of their marks, and the sum of their han."""

    lines: tuple[YakuLine, ...]
    marks: int
    han: int
    outline: int
    """Bits to add to the key of `Book.candidates`: a possible full flush, and in the last bit a closed hand."""


class Way(NamedTuple):
    """The circumstances of a win, shared by all hands won in the same way."""

    found: FoundYaku
    fu: int
    """The circumstances that matter for fu: a sum of `DRAWN`, `CLOSED`, `REPLACED` and `UNSHOWN` of the fu rules."""
    drawn: bool
    """Won by self-draw, and not paid like a ron."""
    as_ron: bool
    number: int
    """The number of this way in the book, in the order in which the ways were met."""
    paid: int
    """Two bits for the keys of `Book.prices`: closed or opened, dealer or not."""


class Price:
    """The value of a hand, and its payments by winner and payer as they are computed."""

    __slots__ = ("payments", "value")

    def __init__(self, worth: Value) -> None:
        self.value = worth
        self.payments: dict[int, tuple[Payment, ...]] = {}


class Outline:
    """Bits above the features of a reading that narrow down its yaku: seven pairs, other forms, a flush, norths."""

    PAIRS = 1 << Feature.END
    OTHER = 2 << Feature.END
    FLUSH = 4 << Feature.END
    NORTHS = 8 << Feature.END


class Book:
    """A ruleset's tables for scoring hands. Build it with `book_of`, which caches it."""

    def __init__(self, rules: Ruleset, play: Play) -> None:
        self.rules = rules
        self.play = play
        self.payers = rules.players - 1
        self.fu = FuRules(play)
        self.dora = DoraTables(play)
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
        """True if the value of a hand depends on more than han and fu: dora in points, bazoro, uncapped last hands."""
        self.needs_care = self.has_surplus or self.is_kansaki
        """True if a complete hand with enough han may still be refused: too many equal tiles, or 完全先付け."""
        self.is_plain_paid = play.chips is None
        table = play.payments.tsumo_table
        both = (*play.payments.clauses, *(table.clauses if table else ()))
        self.payment_clauses: Clauses = tuple(dict.fromkeys(both))
        self.pao_clauses: Clauses = play.pao.clauses if play.pao else ()
        self.forced_clauses: Clauses = play.riichi.open.clauses if play.riichi.open else ()
        self.candidates: dict[int, Candidates] = {}
        self._chosen: dict[tuple[tuple[YakuName, ...], int], Candidates] = {}
        self.prices: dict[int, Price] = {}
        self.ways: dict[int, Way] = {}
        """Circumstances known to be free of contradictions, by the keys of `Case`."""
        self.found_yaku: dict[int, FoundYaku] = {}
        """The yaku of the circumstances with those of the tiles, by way and sorts of tiles."""
        self.paid_honba: dict[int, tuple[Payment, ...]] = {}
        """The payments for honba counters, by winner, payer and number."""
        self.paid_deposits: dict[int, Payment] = {}
        """The sticks on the table, by their points."""

    def _tiles(self) -> None:
        """Set the tile tables: the copies there are of each tile, and the number of equal ones that a hand may use."""
        tiles = self.play.tiles
        self.most_copies = _most_copies(self.play)
        self.excess = sum((1 << (BITS - 1)) - 1 - most << (BITS * tile) for tile, most in enumerate(self.most_copies))
        """Added to packed tiles, it carries into the top bit of each slot that holds too many tiles."""
        self.alike_excess = sum((1 << (BITS - 1)) - 1 - tiles.alike_in_hand << (BITS * kind) for kind in range(KINDS))
        self.has_surplus = any(most > tiles.alike_in_hand for most in self.most_copies[:KINDS])
        """True if some kind has more copies in the wall than a hand may use."""
        self.has_bonus = any(self.most_copies[tile] for tile in (*FLOWERS, *BINGO))
        self.nuki = frozenset(_nuki(self.play))
        self.most_indicators = most_indicators(self.play)

    def _pairs_mask(self) -> int:
        """Return the bits that must be empty in packed tiles for seven pairs; all bits if they are not played."""
        if YakuName.CHIITOITSU not in self.yaku[True]:
            return -1
        return sets.ODD if self.play.yaku_rules.seven_pairs_four_alike else sets.NOT_A_PAIR

    def of_tiles(self, signature: int, kinds: int, *, closed: bool) -> FoundYaku:
        """Return the yaku of the tiles themselves, such as all simples or a flush."""
        tiles = mixture.Mixture(kinds, self.play.yaku_rules)
        there = ((name, test(tiles)) for name, test in mixture.TILE_YAKU.items())
        found = self._lines(there, closed=closed)
        # Shifted by one: the lowest bit of `Found.outline` is the closed hand, and `find_candidates` takes it off
        # again.
        if signature & mixture.SUITS_AND_HONOURS in mixture.ONE_SUIT:
            found = found._replace(outline=found.outline | Outline.FLUSH << 1)
        return found

    def of_circumstance(self, win: circumstance.Circumstance) -> FoundYaku:
        """Return the yaku of the circumstances of a win, such as riichi."""
        there = ((name, test(win)) for name, test in circumstance.CIRCUMSTANCE_YAKU.items())
        return self._lines(there, closed=win.closed)

    def _lines(self, there: Iterable[tuple[YakuName, int]], *, closed: bool) -> FoundYaku:
        counted = self.yaku[closed]
        marked = [counted[name] for name, is_there in there if is_there and name in counted]
        marks = 0
        for each in marked:
            marks |= each.marks
        lines = tuple(each.line for each in marked)
        return FoundYaku(lines, marks, sum(line.han for line in lines), int(closed))

    def find_candidates(self, key: int) -> Candidates:
        """Return the yaku to test for a reading, by its outline with a last bit for a closed hand; cached."""
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
        """Return the price of han and fu with limits applied; cached."""
        found = Price(value(Worth(han=han, fu=fu, closed=closed), dealer=dealer, play=self.play))
        self.prices[(han << FU_BITS | fu) << PAID_BITS | closed << 1 | dealer] = found
        return found

    def forced(self, *, dealer: bool) -> Value:
        """Return the price of a forced deal-in to an open riichi: a yakuman."""
        return value(Worth(yakuman=1, closed=True), dealer=dealer, play=self.play)

    def uncapped(self, line: YakuLine) -> YakuLine:
        """Return a yaku as it counts without limits: one that is a mangan outright counts its `uncapped_han`."""
        if line.counts is not Counts.MANGAN:
            return line
        han = self.play.yaku[YakuName(line.name)].uncapped_han
        return YakuLine(line.name, han, Counts.HAN, line.clauses)

    def is_pocchi_wild(self, situation: Situation) -> bool:
        """Return whether the blank white dragon, drawn, may stand for any tile.

        It is wild after a riichi, in some houses only while ippatsu is possible.
        """
        rules = self.play.pocchi
        if rules is None or situation.by is By.RON or situation.riichi is RiichiKind.NONE:
            return False
        return rules.wild is PocchiWild.AFTER_RIICHI or situation.ippatsu

    def bazoro(self, round_name: RoundName) -> tuple[YakuLine, ...]:
        """Return the han that the house adds to every hand in this round (場ゾロ); empty if there are none."""
        han = self.rules.bazoro(round_name)
        return (YakuLine(Extra.BAZORO, han, Counts.HAN, self.play.value.clauses),) if han else ()


def wall_of(rules: Ruleset) -> dict[Tile, int]:
    """Return the number of copies in the wall of each tile, in the order of tile numbers.

    Marked tiles count separately: a plain five is none of the red ones. Raise NoHandsError if the ruleset has no
    rules for hands.
    """
    most = book_of(rules).most_copies
    found = {tile: most[UNMARKED.get(tile, tile)] for tile in range(TILES)}
    return {tile: count for tile, count in found.items() if count}


def book_of(rules: Ruleset) -> Book:
    """Return the compiled book of a ruleset, cached; raise NoHandsError if the ruleset has no rules for hands."""
    latest = _latest[-1]
    if latest is not None and latest.rules is rules:
        return latest
    # No lock: a race between threads only costs a look-up, since each returns the book of its own ruleset.
    _latest[-1] = book = _build_book(rules)
    return book


_latest: list[Book | None] = [None]
"""The last book returned: usually the next call is for the same ruleset, and `is` is much faster than hashing it."""


@lru_cache(maxsize=MOST_BOOKS)
def _build_book(rules: Ruleset) -> Book:
    return Book(rules, rules.hand_rules)


def _most_copies(play: Play) -> tuple[int, ...]:
    """Return the copies of each tile in the wall, then those of the unmarked tiles of kinds with marked ones."""
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
    """Yield the tiles that may be set aside as bonus tiles."""
    if SetAside.NORTH in play.nuki:
        yield NAMED["4z"]
    if SetAside.FLOWER in play.nuki:
        yield from FLOWERS
    if SetAside.BINGO in play.nuki:
        yield from BINGO


def _places(rules: Ruleset) -> Iterator[tuple[Wind, RoundName]]:
    return ((wind, name) for wind in rules.setup.seat_winds for name in rules.setup.round_winds)


def _seat(rules: Ruleset, play: Play, wind: Wind, name: RoundName) -> SeatWinds:
    guests = play.yaku_rules.guest_winds.get(name, ())
    north = YakuName.NORTH in play.yaku and play.yaku[YakuName.NORTH].played
    rounds = rules.setup.round_winds[name]
    return SeatWinds(
        wind_kind(wind), tuple(map(wind_kind, rounds)), tuple(map(wind_kind, guests)), play.yaku_rules, north=north
    )


def _counted(play: Play, *, closed: bool) -> Iterator[tuple[YakuName, CountedYaku]]:
    """Yield every yaku that counts in a closed or in an opened hand."""
    for name, yaku in play.yaku.items():
        worth = yaku.closed if closed else yaku.open
        if not yaku.played or not worth:
            continue
        companion = name is YakuName.TANYAO and not closed
        # A book may give open all simples a value and still forbid it by this option: the option wins.
        if companion and play.yaku_rules.open_tanyao is OpenTanyao.NEVER:
            continue
        needs = companion and play.yaku_rules.open_tanyao is OpenTanyao.WITH_COMPANION
        sets_only = name is YakuName.TSUUIISOU and not play.yaku_rules.all_honours_in_pairs
        line = YakuLine(name, worth, yaku.counts, yaku.clauses)
        marks = (NEEDS_COMPANION if needs else PLAIN) | (NEEDS_SETS if sets_only else PLAIN)
        yield name, CountedYaku(line, _marks(name, yaku) | marks)


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
    """Yield the yaku that a reading with this outline can have."""
    # Norths set aside combine with every form of hand, so this is not a branch of the chain below.
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
    """Yield the possible yaku of sequences, and of terminals in every set."""
    called = outline >> Feature.CALLED_RUNS & COUNT
    if runs == ALL_SETS:
        yield YakuName.PINFU
    if outline >> Feature.TWINS & COUNT:
        yield YakuName.IIPEIKOU
        yield YakuName.RYANPEIKOU
    # A called sequence is in no suit's pattern, so a straight that needs it does not show in the feature: test it.
    if outline >> Feature.STRAIGHTS & COUNT or called:
        yield YakuName.ITTSU
    if outline >> Feature.RUN_SUITS & COUNT == len(Suit) or called:
        yield YakuName.SANSHOKU
    # One set or pair of simples rules out both yaku, so most hands never run their tests.
    if not outline >> Feature.INNER & COUNT:
        yield YakuName.CHANTA
        yield YakuName.JUNCHAN


def _of_honours(bits: int) -> Iterator[YakuName]:
    """Yield the possible yaku of triplets of these honours (a bit for each, from East)."""
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
    """Return whether no kind occurs more often than `excess` allows; see `Book.excess`."""
    return not (packed + excess) & TOO_MANY


TOO_MANY = sum(1 << (BITS * tile + BITS - 1) for tile in range(SLOTS))
"""The top bit of every slot of packed tiles: set by the addition of an `excess` where there are too many."""
