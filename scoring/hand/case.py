"""A hand laid open under a ruleset: its tiles packed, its circumstances, its dora, and every reading of it.

Bad input is refused here, before anything is scored.
"""

from __future__ import annotations

from typing import NamedTuple

from scoring.hand.book import Book, Found, is_within
from scoring.hand.dora import DoraCount, dora_of
from scoring.hand.notation import Hand, MeldKind
from scoring.hand.payments import is_fed_kan
from scoring.hand.problems import HandProblem, InvalidHandError, contradictions, problems
from scoring.hand.reading import MELDS, Called, Facts, Form, Reading, Seat
from scoring.hand.shapes import Wait, readings_of
from scoring.hand.situation import RiichiKind, Robbed, Situation
from scoring.hand.tiles import (
    ALL_KINDS,
    BINGO,
    BITS,
    COUNT,
    FLOWERS,
    KIND,
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


class Way(NamedTuple):
    """How the hand was won: one for all hands won alike."""

    found: Found
    closed: bool
    drawn: bool
    """By self-draw, and not paid like a ron."""
    as_ron: bool


class Case:
    """A hand laid open."""

    __slots__ = (
        "book",
        "concealed",
        "dora",
        "facts",
        "hand",
        "is_special",
        "packed",
        "seat",
        "situation",
        "way",
        "yaku",
    )

    def __init__(self, hand: Hand, situation: Situation, book: Book, win: Kind) -> None:
        """Raise InvalidHandError if the hand or the situation cannot be; `win` is what the winning tile counts as."""
        packed = _packed(hand, situation, book)
        seat = book.seats.get((situation.seat_wind, situation.round))
        if packed is None or seat is None or _is_suspect(hand, situation, book):
            found = tuple(problems(hand, situation, book))
            if found or packed is None or seat is None:
                raise InvalidHandError(found)
        concealed, called, melded = packed
        self.hand = hand
        self.situation = situation
        self.book = book
        self.seat = seat
        winning = WEIGHT[hand.win] if win == KIND[hand.win] else UNIT[win]
        self.concealed = concealed + winning
        """Concealed tiles with the winning one."""
        self.packed = self.concealed + melded
        self.way = self._way(called)
        self.facts = self._facts(seat, called, win)
        self.dora: DoraCount = dora_of(self.packed, hand.nuki, situation, book, closed=self.way.closed)
        kinds = self.facts.packed
        self.yaku: Found = book.of_tiles(signature(kinds), kinds, closed=self.way.closed)
        self.is_special = book.is_special or bool(self.dora.points)
        """Its value is more than han and fu."""

    @property
    def is_uncapped(self) -> bool:
        """No limit holds in the last hand of the last round, where the house plays it so."""
        return self.situation.last_hand and self.book.play.value.uncapped_in_last_hand

    @property
    def point_dora(self) -> int:
        """How many dora are paid in points."""
        return sum(line.count for line in self.dora.lines if line.points)

    def _way(self, called: list[Called]) -> Way:
        """The circumstances; those met before are known to go together."""
        won, hand = self.situation, self.hand
        closed, has_kan = True, False
        for meld in called:
            closed = closed and meld.is_closed
            has_kan = has_kan or meld.is_kan
        fed = won.rinshan and is_fed_kan(hand)
        key = (
            won.ippatsu
            | won.haitei << 1
            | won.houtei << 2
            | won.rinshan << 3
            | won.first_turn << 4
            | won.forced << 5
            | (won.by is By.TSUMO) << 6
            | closed << 7
            | self.seat.dealer << 8
            | has_kan << 9
            | bool(called) << 10
            | fed << 11
        )
        if won.riichi is not RiichiKind.NONE:
            key |= _RIICHI_BITS[won.riichi]
        if won.robbed is not Robbed.NOTHING:
            key |= _ROBBED_BITS[won.robbed]
        if won.rinshan and hand.nuki:
            key |= 1 << 19
        found = self.book.ways.get(key)
        if found is None:
            found = self.book.ways[key] = self._new_way(closed=closed, fed=fed)
        return found

    def _new_way(self, *, closed: bool, fed: bool) -> Way:
        won, hand, book = self.situation, self.hand, self.book
        wrong = tuple(HandProblem(code, f"situation/{where}") for code, where in contradictions(hand, won, book))
        if wrong:
            raise InvalidHandError(wrong)
        pao = book.play.pao
        as_ron = fed and pao is not None and pao.open_kan_as_ron
        circumstance = Circumstance(
            tsumo=won.by is By.TSUMO,
            drawn=won.by is By.TSUMO and not as_ron,
            closed=closed,
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
        return Way(book.of_circumstance(circumstance), closed, circumstance.drawn, as_ron)

    def _facts(self, seat: Seat, called: list[Called], win: Kind) -> Facts:
        facts = Facts(self.book.play.yaku_rules, seat)
        facts.packed = self.packed & ALL_KINDS
        facts.win = win
        facts.drawn = self.way.drawn
        facts.closed = self.way.closed
        if called:
            facts.called = called
            for meld in called:
                facts.meld_runs |= meld.runs
                facts.meld_triplets |= meld.triplets
                facts.kans += meld.is_kan
                facts.closed_kans += meld.is_closed
        if self.hand.nuki:
            facts.norths = self.hand.nuki.count(NORTH)
        return facts

    def readings(self) -> list[Reading]:
        """Every reading of the hand that these rules know."""
        facts = self.facts
        found: list[Reading] = []
        if not self.concealed & _BONUS and facts.win >= 0:
            for parts in readings_of(self.concealed & ALL_KINDS):
                for wait in parts[min(facts.win // 9, 3)].waits_on(facts.win):
                    found.append(Reading(facts, Form.SETS, parts, wait))
            if not facts.called:
                found += self._without_sets()
        if self.book.all_seven and self._is_all_seven():
            found.append(Reading(facts, Form.ALL_SEVEN, (), Wait.OTHER))
        return found

    def _without_sets(self) -> list[Reading]:
        """Seven pairs and thirteen orphans."""
        found: list[Reading] = []
        packed = self.facts.packed
        if not packed & self.book.pairs_mask:
            found.append(Reading(self.facts, Form.PAIRS, (), Wait.PAIR))
        for orphans in self.book.orphans:
            if _is_orphans(packed, orphans):
                found.append(Reading(self.facts, Form.ORPHANS, (), Wait.OTHER))
                found[-1].orphans = orphans
        return found

    def _is_all_seven(self) -> bool:
        """Nothing but sevens and bonus tiles, and no kan."""
        return not self.packed & _NOT_SEVENS and not self.facts.kans


Packed = tuple[int, list[Called], int]


def _packed(hand: Hand, situation: Situation, book: Book) -> Packed | None:
    """The concealed tiles packed, the melds as sets, their tiles packed; none if something is wrong with the tiles."""
    called: list[Called] = []
    melded = 0
    try:
        concealed = sum(map(_weigh, hand.concealed))
        for meld in hand.melds:
            weight = sum(map(_weigh, meld.tiles))
            called.append(MELDS[meld.kind][weight & ALL_KINDS])
            melded += weight
        seen = concealed + melded + _weigh(hand.win)
        for indicator in situation.dora_indicators:
            seen += _weigh(indicator)
        for tile in (*situation.ura_indicators, *hand.nuki):
            seen += _weigh(tile)
    except KeyError:
        return None
    is_right = len(hand.concealed) + _IN_MELD * len(called) == _TILES and is_within(seen, book.excess)
    return (concealed, called, melded) if is_right else None


def _is_suspect(hand: Hand, situation: Situation, book: Book) -> bool:
    """Something is said that has to be looked at more closely."""
    discarder = situation.discarder
    return (
        situation.honba < 0
        or situation.deposits < 0
        or len(situation.dora_indicators) > book.most_indicators
        or len(situation.ura_indicators) > book.most_indicators
        or situation.pocchi_as is not None
        or bool(situation.liable)
        or bool(hand.nuki)
        or (discarder is not None and _is_no_discarder(discarder, situation, book))
        or (not book.play.calls.chi and any(meld.kind is MeldKind.CHI for meld in hand.melds))
    )


def _is_no_discarder(discarder: Wind, situation: Situation, book: Book) -> bool:
    seats = book.rules.setup.seat_winds
    return situation.by is By.TSUMO or discarder is situation.seat_wind or discarder not in seats


def _is_orphans(packed: int, orphans: int) -> bool:
    """One of each of these kinds, and one of them again."""
    again = packed - orphans
    return again > 0 and again & orphans == again and again.bit_count() == 1
