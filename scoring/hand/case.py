"""A winning hand prepared for scoring under a ruleset: packed tiles, circumstances, dora, and every reading of it.

Invalid input is refused here, before anything is scored. Every hand takes this path (a whole scoring takes about 9
µs, see docs/benchmarks.md), so the checks are cheap: one sum shows that something may be wrong with the tiles, and
only then are the problems searched for.
"""

from __future__ import annotations

from scoring.hand.book import TOO_MANY, Book, FoundYaku, Outline, Way
from scoring.hand.fu import CLOSED, DRAWN, REPLACED, UNSHOWN
from scoring.hand.melds import MeldKind
from scoring.hand.notation import Hand
from scoring.hand.problems import InvalidHandError, contradictory, problems
from scoring.hand.reading import Form, HandFacts, Reading
from scoring.hand.shapes import Suits, Wait, by_suit, readings_of, waits_on
from scoring.hand.situation import KEY_BITS, Situation
from scoring.hand.tiles import (
    ALL_KINDS,
    BONUS,
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
from scoring.ruleset.value import UnshownDraw
from scoring.value import By

# In the key of a situation: robbed (bits 10 and 11), then forced, first turn, rinshan, houtei and haitei (bits 6 to 2).
# Two bits for a closed hand and for the dealer lie below.
_UNUSUAL = (0b11 << 10 | 0b1111100) << 2
_NOT_SEVENS = ALL_KINDS & ~mask(sets.SEVENS)
_TSUMO, _RON = By.TSUMO, By.RON
_SETS, _PAIRS, _PAIR = Form.SETS, Form.PAIRS, Wait.PAIR

_SIGNATURE_BITS = 8
"""The bits that the sorts of tiles take below the number of a way, in the keys of `Book.found_yaku`."""


class Case(HandFacts):
    """A winning hand prepared for scoring."""

    __slots__ = (
        "book",
        "dora",
        "hand",
        "meld_features",
        "signature",
        "situation",
        "suits",
        "way",
        "yaku",
    )

    way: Way
    dora: list[tuple[int, int]]
    """Each kind of dora (its place in `Dora`) with the number of them."""
    suits: Suits
    """The concealed tiles with the winning one, packed by suit."""
    signature: int
    """The sorts of tiles in the hand, as `scoring.hand.yaku.tiles.signature` encodes them."""
    yaku: FoundYaku
    """The yaku that do not depend on the reading."""
    meld_features: int
    """The features of the melds, to be added to those of every reading."""

    def __init__(self, hand: Hand, situation: Situation, book: Book, win: Kind, *, is_checked: bool = False) -> None:
        """Prepare a hand; `win` is the kind that the winning tile counts as.

        With `is_checked` the tiles and the situation are taken as valid. Raise InvalidHandError, with all problems,
        if the hand or the situation is impossible.
        """
        seat = book.seats.get(situation.place)
        if seat is None or not (is_checked or _is_possible(hand, situation, book)):
            found = tuple(problems(hand, situation, book))
            if found or seat is None:
                raise InvalidHandError(found)
        self.hand = hand
        self.situation = situation
        self.book = book
        self.seat = seat
        self.win = win
        if situation.pocchi_as is None:
            packed, self.suits, self.kinds, sorts = hand.packed + hand.melded, hand.suits, hand.kinds, hand.sorts
        else:
            concealed = _replaced(hand, win)
            packed, self.suits = concealed + hand.melded, by_suit(concealed)
            self.kinds = packed & ALL_KINDS
            sorts = signature(self.kinds)
        self.closed = closed = hand.closed
        self.called = hand.called
        self.meld_bits = hand.bits
        self.meld_features = hand.features
        self.kans = hand.kans
        self.closed_kans = hand.closed_kans
        nuki = hand.nuki
        self.norths = nuki.count(NORTH) if nuki else 0
        if self.norths:
            self.meld_features |= Outline.NORTHS
        # One integer finds the way without building a Circumstance or checking it again.
        key = situation.key << 2 | closed << 1 | seat.dealer
        self.way = way = book.ways.get(key) or self._find_way(key)
        self.drawn = way.drawn
        self.shows_wait = not way.fu & UNSHOWN
        self.dora = book.dora.counts(packed, nuki, situation)
        self.signature = sorts
        key = way.number << _SIGNATURE_BITS | sorts
        self.yaku = book.found_yaku.get(key) or self._find_yaku(key)

    def _find_way(self, key: int) -> Way:
        """Return the way of these circumstances, cached once checked for contradictions.

        Unusual circumstances (haitei, houtei, rinshan, a first turn, a forced deal-in, a robbed tile) can also
        contradict the melds, so their key has bits for the melds too.
        """
        if not key & _UNUSUAL:
            return self._new_way(key)
        has_meld, has_kan, has_nuki = bool(self.called), bool(self.kans), bool(self.hand.nuki)
        key |= (1 | has_meld << 1 | has_kan << 2 | self.is_fed << 3 | has_nuki << 4) << (KEY_BITS + 2)
        return self.book.ways.get(key) or self._new_way(key)

    @property
    def is_fed(self) -> bool:
        """True for a win on the replacement tile of a kan called from a discard (大明槓), judged by the last kan."""
        if not self.situation.rinshan:
            return False
        # An added kan keeps the place of its pon, so the last kan in this order need not be the last one declared.
        kans = [meld for meld in self.called if meld.is_kan]
        return bool(kans) and kans[-1].how is MeldKind.MINKAN

    def _new_way(self, key: int) -> Way:
        won, book = self.situation, self.book
        wrong = tuple(contradictory(self.hand, won, book))
        if wrong:
            raise InvalidHandError(wrong)
        pao = book.play.pao
        # BOO-039: a win after 大明槓 is paid as a ron by the player whose tile was called.
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
        if won.unshown and book.play.win.unshown is UnshownDraw.WITHOUT_WAIT:
            fu |= UNSHOWN
        found = book.of_circumstance(circumstance)
        paid = self.closed << 1 | self.seat.dealer
        way = book.ways[key] = Way(found, fu, circumstance.drawn, as_ron, len(book.ways), paid)
        return way

    def _find_yaku(self, key: int) -> FoundYaku:
        """Return the yaku that do not depend on the reading: those of the way and of the tiles; cached by both."""
        way, tiles = self.way.found, self.book.of_tiles(self.signature, self.kinds, closed=self.closed)
        lines, marks, han = way.lines + tiles.lines, way.marks | tiles.marks, way.han + tiles.han
        found = self.book.found_yaku[key] = FoundYaku(lines, marks, han, tiles.outline)
        return found

    @property
    def is_ron(self) -> bool:
        """True if one player pays, as for a discard."""
        return self.way.as_ron or self.situation.by is _RON

    @property
    def is_uncapped(self) -> bool:
        """True if no limit holds: the last hand of the last round, in houses that play it uncapped."""
        return self.situation.last_hand and self.book.play.value.uncapped_in_last_hand

    def readings(self) -> list[Reading]:
        """Return every reading of the hand that the ruleset knows: sets, seven pairs, orphans, all sevens."""
        win, more, book = self.win, self.meld_features, self.book
        found: list[Reading] = []
        # A bonus tile (kind -1) fits in no set; only the form of all sevens can hold one.
        if win >= 0 and not (book.has_bonus and self.hand.packed & BONUS):
            for bits, features in readings_of(self.suits):
                for wait in waits_on(bits, win):
                    found.append(Reading(self, _SETS, bits, features + more, wait))  # noqa: PERF401 - mostly one
            # Twice two identical sequences can be read as seven pairs too, so pairs are tried beside sets; orphans
            # never are.
            if not self.called and (not found or not self.kinds & book.pairs_mask):
                self._add_others(found)
        if book.all_seven and not self.kinds & _NOT_SEVENS and not self.kans:
            found.append(Reading(self, Form.ALL_SEVEN, 0, more | Outline.OTHER, Wait.OTHER))
        return found

    def _add_others(self, found: list[Reading]) -> None:
        """Add seven pairs, or thirteen orphans if nothing else fits."""
        if not self.kinds & self.book.pairs_mask:
            found.append(Reading(self, _PAIRS, 0, self.meld_features | Outline.PAIRS, _PAIR))
        if found:
            return
        for orphans in self.book.orphans:
            if _is_orphans(self.kinds, orphans):
                found.append(Reading(self, Form.ORPHANS, 0, self.meld_features | Outline.OTHER, Wait.OTHER))
                found[-1].orphans = orphans


def _is_possible(hand: Hand, situation: Situation, book: Book) -> bool:
    """Return whether the cheap sums find no problem and the situation needs no closer check.

    False does not mean that the hand is invalid, only that `problems` has to look.
    """
    seen, indicators = hand.seen, situation.indicators
    return (
        seen >= 0 <= indicators
        and not (seen + indicators + book.excess) & TOO_MANY
        and situation.is_plain
        and situation.most_turned <= book.most_indicators
        and (book.chi or not hand.has_chi)
        and (not hand.nuki or book.nuki.issuperset(hand.nuki))
        and (situation.discarder is None or situation.discarder in book.winds)
    )


def _replaced(hand: Hand, win: Kind) -> int:
    """Return the packed concealed tiles, with the winning tile counted as another kind."""
    # UNIT counts the kind alone: the pocchi is then neither a marked nor an unmarked copy of the other kind.
    return hand.packed - WEIGHT[hand.win] + (WEIGHT[hand.win] if win == KIND[hand.win] else UNIT[win])


def _is_orphans(kinds: int, orphans: int) -> bool:
    """Return whether the packed tiles are one of each of these kinds, and one of them twice."""
    # A missing kind borrows from the next one: the difference is then negative or has bits outside the mask.
    again = kinds - orphans
    return again > 0 and again & orphans == again and again.bit_count() == 1
