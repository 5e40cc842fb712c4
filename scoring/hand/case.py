"""A hand laid open under a ruleset: its tiles packed, its circumstances, its dora, and every reading of it.

Bad input is refused here, before anything is scored. This is the path every hand takes, so it asks cheap questions: a
sum tells whether there can be something wrong with the tiles, and only then is looked for what.
"""

from __future__ import annotations

from scoring.hand.book import Book, Found, Way, is_within
from scoring.hand.fu import CLOSED, DRAWN, REPLACED
from scoring.hand.notation import Hand, MeldKind
from scoring.hand.problems import HandProblem, InvalidHandError, contradictions, problems
from scoring.hand.reading import MELDS, Called, Facts, Form, Reading, Seat
from scoring.hand.shapes import Wait, readings_of, waits_on
from scoring.hand.situation import RiichiKind, Robbed, Situation
from scoring.hand.tiles import (
    ALL_KINDS,
    BINGO,
    BITS,
    COUNT,
    FLOWERS,
    KIND,
    NO_KIND,
    NORTH,
    UNIT,
    WEIGHT,
    Kind,
    mask,
)
from scoring.hand.yaku import sets
from scoring.hand.yaku.circumstance import Circumstance
from scoring.hand.yaku.tiles import signature
from scoring.ruleset.base import Wind
from scoring.value import By

_TILES = 13
_IN_MELD = 3
_weigh = dict(enumerate(WEIGHT)).__getitem__
_RIICHI_BITS = {kind: number << 12 for number, kind in enumerate(RiichiKind)}
_ROBBED_BITS = {robbed: number << 16 for number, robbed in enumerate(Robbed)}
_BONUS = sum(COUNT << (BITS * tile) for tile in (*FLOWERS, *BINGO))
_NOT_SEVENS = ALL_KINDS & ~mask(sets.SEVENS)
_TSUMO, _RON = By.TSUMO, By.RON
_NO_RIICHI, _NOT_ROBBED = RiichiKind.NONE, Robbed.NOTHING
_SETS, _PAIRS, _PAIR = Form.SETS, Form.PAIRS, Wait.PAIR
_NO_MELDS: tuple[Called, ...] = ()


class Case(Facts):
    """A hand laid open."""

    __slots__ = (
        "book",
        "concealed",
        "dora",
        "hand",
        "meld_features",
        "packed",
        "signature",
        "situation",
        "way",
        "yaku",
    )

    way: Way
    dora: list[tuple[int, int]]
    """The kinds of dora and how many there are of each."""
    signature: int
    """Which sorts of tiles there are."""
    yaku: Found
    """The yaku of the tiles themselves."""
    meld_features: int

    def __init__(self, hand: Hand, situation: Situation, book: Book, win: Kind) -> None:
        """Raise InvalidHandError if the hand or the situation cannot be; `win` is what the winning tile counts as."""
        packed = _packed(hand, situation, book)
        seat = book.seats.get((situation.seat_wind, situation.round))
        if packed is None or seat is None or _is_suspect(hand, situation, book):
            found = tuple(problems(hand, situation, book))
            if found or packed is None or seat is None:
                raise InvalidHandError(found)
        concealed, melded, called = packed
        self.hand = hand
        self.situation = situation
        self.book = book
        self.rules = book.play.yaku_rules
        self.seat: Seat = seat
        self.win = win
        self.concealed = concealed = concealed + (WEIGHT[hand.win] if win == KIND[hand.win] else UNIT[win])
        """Concealed tiles with the winning one."""
        self.packed = all_tiles = concealed + melded
        """All tiles, marked ones by themselves too."""
        self.kinds = kinds = all_tiles & ALL_KINDS
        self.called = called
        self.closed = True
        self.meld_bits = self.meld_features = self.kans = self.closed_kans = 0
        if called:
            self._add_melds()
        self.norths = hand.nuki.count(NORTH) if hand.nuki else 0
        self.way = way = self._find_way()
        self.drawn = way.drawn
        self.dora = book.dora.counts(all_tiles, hand.nuki, situation)
        self.signature = sorts = signature(kinds)
        self.yaku = book.of_tiles(sorts, kinds, closed=self.closed)

    def _add_melds(self) -> None:
        """What the melds bring to every reading."""
        for meld in self.called:
            self.meld_bits |= meld.bits
            self.meld_features += meld.features
            self.kans += meld.is_kan
            self.closed_kans += meld.is_closed
        self.closed = self.closed_kans == len(self.called)

    @property
    def needs_care(self) -> bool:
        """There may be a reason for which a complete hand cannot be won."""
        won, book = self.situation, self.book
        return (
            book.has_surplus
            or book.is_kansaki
            or won.robbed is not _NOT_ROBBED
            or won.pocchi_as is not None
            or self.win == NO_KIND
        )

    def _find_way(self) -> Way:
        """The circumstances; those met before are known to go together."""
        won = self.situation
        key = (won.by is _TSUMO) | self.closed << 1 | self.seat.dealer << 2
        if won.riichi is not _NO_RIICHI:
            key |= _RIICHI_BITS[won.riichi] | won.ippatsu << 3
        elif won.ippatsu:
            key |= 1 << 3
        if won.haitei or won.houtei or won.rinshan or won.first_turn or won.forced or won.robbed is not _NOT_ROBBED:
            key |= won.haitei << 4 | won.houtei << 5 | won.rinshan << 6 | won.first_turn << 7 | won.forced << 8
            key |= _ROBBED_BITS[won.robbed] | bool(self.called) << 9 | bool(self.kans) << 10
            key |= self.is_fed << 11 | bool(self.hand.nuki) << 19
        found = self.book.ways.get(key)
        if found is None:
            found = self.book.ways[key] = self._new_way()
        return found

    @property
    def is_fed(self) -> bool:
        """Won on the replacement tile of a kan that was called from a discard: the last kan there is."""
        kans = [meld for meld in self.called if meld.is_kan]
        return self.situation.rinshan and bool(kans) and kans[-1].how is MeldKind.MINKAN

    def _new_way(self) -> Way:
        won, book = self.situation, self.book
        wrong = tuple(HandProblem(code, f"situation/{where}") for code, where in contradictions(self.hand, won, book))
        if wrong:
            raise InvalidHandError(wrong)
        pao = book.play.pao
        as_ron = pao is not None and pao.open_kan_as_ron and self.is_fed
        circumstance = Circumstance(
            tsumo=won.by is _TSUMO,
            drawn=won.by is _TSUMO and not as_ron,
            closed=self.closed,
            dealer=self.seat.dealer,
            riichi=won.riichi,
            ippatsu=won.ippatsu,
            haitei=won.haitei,
            houtei=won.houtei,
            rinshan=won.rinshan,
            first_turn=won.first_turn,
            robbed=won.robbed,
            last_tile=book.play.yaku_rules.rinshan_on_last_tile,
        )
        fu = (DRAWN if circumstance.drawn else 0) | (CLOSED if self.closed else 0) | (REPLACED if won.rinshan else 0)
        return Way(book.of_circumstance(circumstance), fu, circumstance.drawn, as_ron)

    @property
    def is_ron(self) -> bool:
        """One player pays, as for a discard."""
        return self.way.as_ron or self.situation.by is _RON

    @property
    def is_uncapped(self) -> bool:
        """No limit holds in the last hand of the last round, where the house plays it so."""
        return self.situation.last_hand and self.book.play.value.uncapped_in_last_hand

    def readings(self) -> list[Reading]:
        """Every reading of the hand that these rules know."""
        win, more = self.win, self.meld_features
        if self.concealed & _BONUS or win < 0:
            found = []
        else:
            found = [
                Reading(self, _SETS, bits, features + more, wait)
                for bits, features in readings_of(self.concealed)
                for wait in waits_on(bits, win)
            ]
            if not self.called:
                self._add_others(found)
        if self.book.all_seven and not self.packed & _NOT_SEVENS and not self.kans:
            found.append(Reading(self, Form.ALL_SEVEN, 0, 0, Wait.OTHER))
        return found

    def _add_others(self, found: list[Reading]) -> None:
        """Seven pairs and thirteen orphans."""
        if not self.kinds & self.book.pairs_mask:
            found.append(Reading(self, _PAIRS, 0, 0, _PAIR))
        if found:
            return
        for orphans in self.book.orphans:
            if _is_orphans(self.kinds, orphans):
                found.append(Reading(self, Form.ORPHANS, 0, 0, Wait.OTHER))
                found[-1].orphans = orphans


def _packed(hand: Hand, situation: Situation, book: Book) -> tuple[int, int, tuple[Called, ...]] | None:
    """The concealed tiles and those of the melds, packed, and the melds as sets; none if the tiles cannot be."""
    melded = 0
    called = _NO_MELDS
    try:
        concealed = sum(map(_weigh, hand.concealed))
        for meld in hand.melds:
            weight = sum(map(_weigh, meld.tiles))
            melded += weight
            called += (MELDS[meld.kind][weight & ALL_KINDS],)
        seen = concealed + melded + _weigh(hand.win)
        seen += sum(map(_weigh, situation.dora_indicators + situation.ura_indicators + hand.nuki))
    except KeyError:
        return None
    is_right = len(hand.concealed) + _IN_MELD * len(called) == _TILES and is_within(seen, book.excess)
    return (concealed, melded, called) if is_right else None


def _is_suspect(hand: Hand, situation: Situation, book: Book) -> bool:
    """Something is said that has to be looked at more closely."""
    if hand.melds and not book.play.calls.chi and any(meld.kind is MeldKind.CHI for meld in hand.melds):
        return True
    return bool(
        situation.honba < 0
        or situation.deposits < 0
        or len(situation.dora_indicators) > book.most_indicators
        or len(situation.ura_indicators) > book.most_indicators
        or situation.pocchi_as is not None
        or situation.liable
        or (hand.nuki and not book.nuki.issuperset(hand.nuki))
        or (situation.discarder is not None and _is_no_discarder(situation.discarder, situation, book))
    )


def _is_no_discarder(discarder: Wind, situation: Situation, book: Book) -> bool:
    seats = book.rules.setup.seat_winds
    return situation.by is _TSUMO or discarder is situation.seat_wind or discarder not in seats


def _is_orphans(kinds: int, orphans: int) -> bool:
    """One of each of these kinds, and one of them again."""
    again = kinds - orphans
    return again > 0 and again & orphans == again and again.bit_count() == 1
