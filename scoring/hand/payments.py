"""Who pays what: shares of a self-draw, the discarder, honba, liability, sticks on the table, prizes."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand.book import Book
from scoring.hand.dora import DoraCount
from scoring.hand.notation import Hand, MeldKind
from scoring.hand.records import Clauses, Payer, Payment, PaymentCause, YakuLine
from scoring.hand.situation import Liability, Situation
from scoring.hand.tiles import FLOWERS
from scoring.ruleset.base import TABLE_POINTS, Wind
from scoring.ruleset.chips import AwardEvent, Chips
from scoring.ruleset.value import Dora, LimitName, SeveralYakuman
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import By, Part, PartName, Value, Worth, value

_CAUSES = {
    PartName.HAND: PaymentCause.HAND,
    PartName.CLOSED: PaymentCause.CLOSED,
    PartName.DORA: PaymentCause.DORA,
}
_PRIZES = {event: PaymentCause(event.value) for event in AwardEvent}
Payers = tuple[tuple[Payer, Wind | None], ...]


class Bill:
    """The payments for one hand, as they come together."""

    def __init__(self, situation: Situation, book: Book, *, as_ron: bool) -> None:
        self.situation = situation
        self.book = book
        self.is_ron = situation.by is By.RON or as_ron
        self.as_ron = as_ron
        self.dealer = situation.seat_wind is Wind.EAST
        self.payers = self._payers()
        self.open_kan = self._open_kan_liability()
        self.payments: list[Payment] = []

    def _payers(self) -> Payers:
        """Everyone who pays, as what."""
        if self.is_ron:
            feeder = self.situation.liable[0].seat if self.as_ron and self.situation.liable else None
            return ((Payer.DISCARDER, feeder if self.as_ron else self.situation.discarder),)
        others = (wind for wind in self.book.rules.setup.seat_winds if wind is not self.situation.seat_wind)
        return tuple((Payer.DEALER if wind is Wind.EAST else Payer.OTHER, wind) for wind in others)

    def _open_kan_liability(self) -> Liability | None:
        """Who fed the kan on whose replacement tile the hand was won."""
        if self.is_ron:
            return None
        return next((each for each in self.situation.liable if each.yaku is None), None)

    def pay(self, payer: tuple[Payer, Wind | None], amount: int, cause: PaymentCause, clauses: Clauses) -> None:
        """Add an amount of table points."""
        if amount:
            self._add(payer, amount, cause, clauses, TABLE_POINTS)

    def prize(self, payer: tuple[Payer, Wind | None], amount: int, cause: PaymentCause, clauses: Clauses) -> None:
        """Add an amount of the ledger of prizes."""
        chips = self.book.play.chips
        if amount and chips is not None:
            self._add(payer, amount, cause, clauses, chips.rules.ledger)

    def _add(
        self, payer: tuple[Payer, Wind | None], amount: int, cause: PaymentCause, clauses: Clauses, ledger: str
    ) -> None:
        role, seat = payer
        self.payments.append(Payment(seat, role, ledger, amount, cause, clauses))

    def share(self, part: Part, role: Payer) -> int:
        """What a payer of this role pays of a part."""
        if role is Payer.DISCARDER:
            return part.ron
        return part.from_dealer if role is Payer.DEALER else part.from_other

    def whole(self, part: Part) -> int:
        """What all payers together pay of a part."""
        return sum(self.share(part, role) for role, _ in self.payers)


def simple_payments(worth: Value, situation: Situation, book: Book, *, as_ron: bool, clauses: Clauses) -> list[Payment]:
    """Payments for the hand itself, its parts and honba, without liability."""
    bill = Bill(situation, book, as_ron=as_ron)
    for part in worth.parts:
        for payer in bill.payers:
            bill.pay(payer, bill.share(part, payer[0]), _CAUSES[part.name], _clauses_of(part.name, clauses, book))
    return bill.payments


def _clauses_of(name: PartName, clauses: Clauses, book: Book) -> Clauses:
    """The clauses a part rests on."""
    closed = book.play.value.closed
    if name is PartName.CLOSED and closed is not None:
        return closed.clauses
    return book.play.dora.kinds[Dora.INDICATOR].clauses if name is PartName.DORA else clauses


def honba_payments(situation: Situation, book: Book, *, as_ron: bool) -> list[Payment]:
    """Each counter from the discarder, or from each payer of a self-draw."""
    bill = Bill(situation, book, as_ron=as_ron)
    rules = book.play.honba
    each = rules.ron if bill.is_ron else rules.tsumo_each
    for payer in bill.payers:
        bill.pay(payer, each * situation.honba, PaymentCause.HONBA, rules.clauses)
    return bill.payments


def deposits(situation: Situation, book: Book) -> Payment:
    """Sticks on the table go to the winner."""
    clauses = book.play.riichi.clauses
    return Payment(None, Payer.TABLE, TABLE_POINTS, situation.deposits, PaymentCause.DEPOSITS, clauses)


class Liable:
    """How liability changes who pays for the yakuman that a player's discard made certain."""

    def __init__(self, yakuman: tuple[YakuLine, ...], count: int, bill: Bill) -> None:
        self.bill = bill
        self.count = count
        found = [(line, each) for line in yakuman for each in bill.situation.liable if each.yaku is line.name]
        self.seats: tuple[Wind, ...] = tuple(dict.fromkeys(each.seat for _, each in found))
        self.counts = {
            seat: min(count, sum(line.worth for line, each in found if each.seat is seat)) for seat in self.seats
        }

    def pay(self, clauses: Clauses) -> None:
        """The liable yakuman: all of it on a self-draw, half on a ron; further yakuman as usual; honba undivided."""
        bill, book = self.bill, self.bill.book
        pao = book.play.pao
        if pao is None:
            return
        left = self.count
        for seat, count in self.counts.items():
            self._pay_liable(seat, _yakuman(count, bill), (*pao.clauses, *clauses))
            left -= count
        if left:
            rest = _yakuman(left, bill)
            for payer in bill.payers:
                bill.pay(payer, bill.share(rest, payer[0]), PaymentCause.HAND, clauses)
        self._pay_honba()

    def _pay_liable(self, seat: Wind, part: Part, clauses: Clauses) -> None:
        bill = self.bill
        whole = bill.whole(part)
        if not bill.is_ron:
            bill.pay((Payer.LIABLE, seat), whole, PaymentCause.HAND, clauses)
        elif seat is bill.situation.discarder:
            bill.pay(bill.payers[0], whole, PaymentCause.HAND, clauses)
        else:
            half = whole // 2
            bill.pay((Payer.LIABLE, seat), half, PaymentCause.HAND, clauses)
            bill.pay(bill.payers[0], whole - half, PaymentCause.HAND, clauses)

    def _pay_honba(self) -> None:
        bill = self.bill
        rules, honba = bill.book.play.honba, bill.situation.honba
        if bill.is_ron:
            bill.pay(bill.payers[0], rules.ron * honba, PaymentCause.HONBA, rules.clauses)
        else:
            whole = rules.tsumo_each * honba * len(bill.payers)
            bill.pay((Payer.LIABLE, self.seats[0]), whole, PaymentCause.HONBA, rules.clauses)


def _yakuman(count: int, bill: Bill) -> Part:
    return value(Worth(yakuman=count), dealer=bill.dealer, play=bill.book.play).parts[0]


def all_from_one(payments: list[Payment], seat: Wind | None) -> list[Payment]:
    """Who fed an open kan pays what all would have paid, points and prizes alike."""
    return [Payment(seat, Payer.LIABLE, each.ledger, each.amount, each.cause, each.clauses) for each in payments]


def is_fed_kan(hand: Hand) -> bool:
    """The last kan was called from a discard."""
    kans = [meld for meld in hand.melds if meld.kind not in (MeldKind.CHI, MeldKind.PON)]
    return bool(kans) and kans[-1].kind is MeldKind.MINKAN


class Prizes:
    """Prizes beside the points, per event."""

    def __init__(self, bill: Bill, chips: Chips, *, closed: bool) -> None:
        self.bill = bill
        self.chips = chips
        self.closed = closed

    def pay(
        self, hand: Hand, yaku: tuple[YakuLine, ...], dora: DoraCount, limit: LimitName | None, liable: Liable
    ) -> None:
        """Every event brings its prize from the discarder or from each payer."""
        rules = self.chips.rules
        fixed = next((line for line in yaku if line.name in self.chips.fixed), None)
        if fixed is not None:
            self._pay_fixed(YakuName(fixed.name))
        elif self.closed or rules.open_hands:
            if rules.none_if_forced and self.bill.situation.forced:
                return
            for event, times in self._events(hand, yaku, dora, limit):
                self._pay_event(event, times, liable)

    def _pay_fixed(self, name: YakuName) -> None:
        """A prize from everybody, on ron too, and no other."""
        award = self.chips.fixed[name]
        situation = self.bill.situation
        others = [wind for wind in self.bill.book.rules.setup.seat_winds if wind is not situation.seat_wind]
        for wind in others:
            role = Payer.DEALER if wind is Wind.EAST else Payer.OTHER
            self.bill.prize((role, wind), award.each, PaymentCause.FIXED, award.clauses)

    def _events(
        self, hand: Hand, yaku: tuple[YakuLine, ...], dora: DoraCount, limit: LimitName | None
    ) -> Iterator[tuple[AwardEvent, int]]:
        situation, play = self.bill.situation, self.bill.book.play
        yield AwardEvent.IPPATSU, int(situation.ippatsu)
        yield AwardEvent.URA, dora.ura
        yield AwardEvent.RED, dora.red
        yield AwardEvent.GOLD, dora.gold
        yield AwardEvent.YAKUMAN, self._yakuman(yaku)
        yield AwardEvent.KAZOE, int(limit is LimitName.KAZOE)
        flowers = sum(1 for tile in hand.nuki if tile in FLOWERS)
        yield AwardEvent.FLUSH, int(0 < play.tiles.flowers == flowers)
        yield AwardEvent.FORCED, int(situation.forced)

    def _yakuman(self, yaku: tuple[YakuLine, ...]) -> int:
        """Each yakuman that brings a prize; one at most where several count once."""
        without = self.chips.rules.yakuman_without
        count = sum(line.worth for line in yaku if line.counts is Counts.YAKUMAN and line.name not in without)
        once = self.bill.book.play.value.yakuman.several is SeveralYakuman.ONCE
        return min(count, 1) if once else count

    def _pay_event(self, event: AwardEvent, times: int, liable: Liable) -> None:
        award = self.chips.awards.get(event)
        if award is None or not times:
            return
        bill = self.bill
        each = award.ron if bill.is_ron else award.tsumo_each
        if liable.seats and (event is AwardEvent.YAKUMAN or (self.chips.rules.pao_pays_all and not bill.is_ron)):
            times = self._pay_liable(event, each, times, liable)
        for payer in bill.payers:
            bill.prize(payer, each * times, _PRIZES[event], award.clauses)

    def _pay_liable(self, event: AwardEvent, each: int, times: int, liable: Liable) -> int:
        """The liable player's part of a prize; return how many are left for the usual payers."""
        bill, clauses, cause = self.bill, self.chips.awards[event].clauses, _PRIZES[event]
        if event is not AwardEvent.YAKUMAN:
            bill.prize((Payer.LIABLE, liable.seats[0]), each * times * len(bill.payers), cause, clauses)
            return 0
        for seat, found in liable.counts.items():
            count = min(found, times)
            times -= count
            whole = each * count * len(bill.payers)
            if bill.is_ron and seat is bill.situation.discarder:
                bill.prize(bill.payers[0], whole, cause, clauses)
            elif bill.is_ron:
                bill.prize((Payer.LIABLE, seat), whole // 2, cause, clauses)
                bill.prize(bill.payers[0], whole - whole // 2, cause, clauses)
            else:
                bill.prize((Payer.LIABLE, seat), whole, cause, clauses)
        return times
