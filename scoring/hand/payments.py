"""Payments of a win: shares of a self-draw, the discarder, honba, liability, deposits, prizes."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.hand.book import Book, Price
from scoring.hand.case import Case
from scoring.hand.records import Clauses, Payer, Payment, PaymentCause, YakuLine
from scoring.hand.situation import Situation
from scoring.hand.tally import HandScore
from scoring.hand.tiles import FLOWERS
from scoring.ruleset.base import TABLE_POINTS, Wind
from scoring.ruleset.chips import AwardEvent, Chips
from scoring.ruleset.value import Dora, LimitName, PaoHonba, SeveralYakuman
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import By, Part, PartName, Value, Worth, value

_CAUSES = {
    PartName.HAND: PaymentCause.HAND,
    PartName.CLOSED: PaymentCause.CLOSED,
    PartName.DORA: PaymentCause.DORA,
}
_PRIZES = {event: PaymentCause(event.value) for event in AwardEvent}
RoledPayer = tuple[Payer, Wind | None]
"""The role in which a player pays, and the player's wind; None if it was not entered."""


class Bill:
    """The payments for one hand while they are put together."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.situation = case.situation
        self.book = case.book
        self.is_ron = case.is_ron
        self.payers = self._payers()
        """The players who pay, each with the role in which they pay."""
        self.payments: list[Payment] = []

    def _payers(self) -> tuple[RoledPayer, ...]:
        won = self.situation
        if self.is_ron:
            # BOO-039: after 大明槓 the self-draw is a ron off the player whose tile was called; there is no discarder.
            feeder = won.liable[0].seat if self.case.way.as_ron and won.liable else won.discarder
            # `feeder` is None when neither the liable player nor the discarder was entered.
            return ((Payer.DISCARDER, feeder),)
        return self.others()

    def others(self) -> tuple[RoledPayer, ...]:
        """Return all players except the winner, with their roles on a self-draw."""
        others = (wind for wind in self.book.rules.setup.seat_winds if wind is not self.situation.seat_wind)
        return tuple((Payer.DEALER if wind is Wind.EAST else Payer.OTHER, wind) for wind in others)

    def pay_parts(self, worth: Value, clauses: Clauses) -> None:
        """Add a payment of each part of a value by each payer."""
        for part in worth.parts:
            for payer in self.payers:
                self.pay(
                    payer, self.share(part, payer[0]), _CAUSES[part.name], _clauses_of(part.name, clauses, self.book)
                )

    def pay_honba(self) -> None:
        """Add the honba: from the discarder, or from each payer of a self-draw."""
        rules = self.book.play.honba
        each = rules.ron if self.is_ron else rules.tsumo_each
        for payer in self.payers:
            self.pay(payer, each * self.situation.honba, PaymentCause.HONBA, rules.clauses)

    def all_from_feeder(self) -> tuple[Payment, ...]:
        """Return the payments, all moved to the player who fed an open kan if the win came on its replacement tile.

        That player pays the shares of all payers, prizes included. Without such a liability the payments are
        unchanged.
        """
        pao = self.book.play.pao
        named = next((each for each in self.situation.liable if each.yaku is None), None)
        # Named liability comes first: with further kans in the same turn (B4-025) the melds alone do not show it.
        fed = self.case.is_fed and pao is not None and pao.open_kan
        if self.is_ron or not (fed or named is not None):
            return tuple(self.payments)
        seat = None if named is None else named.seat
        return tuple(
            Payment(seat, Payer.LIABLE, each.ledger, each.amount, each.cause, each.clauses) for each in self.payments
        )

    def pay(self, payer: RoledPayer, amount: int, cause: PaymentCause, clauses: Clauses) -> None:
        """Add an amount of table points; 0 adds nothing."""
        if amount:
            self._add(payer, amount, cause, clauses, TABLE_POINTS)

    def prize(self, payer: RoledPayer, amount: int, cause: PaymentCause, clauses: Clauses) -> None:
        """Add an amount in the ledger of prizes; 0 adds nothing."""
        chips = self.book.play.chips
        if amount and chips is not None:
            self._add(payer, amount, cause, clauses, chips.rules.ledger)

    def _add(self, payer: RoledPayer, amount: int, cause: PaymentCause, clauses: Clauses, ledger: str) -> None:
        role, seat = payer
        self.payments.append(Payment(seat, role, ledger, amount, cause, clauses))

    def share(self, part: Part, role: Payer) -> int:
        """Return the share of a part that a payer of this role pays."""
        if role is Payer.DISCARDER:
            return part.ron
        return part.from_dealer if role is Payer.DEALER else part.from_other

    def liable_shares(self, seat: Wind, whole: int) -> Iterator[tuple[RoledPayer, int]]:
        """Yield who pays how much of an amount that a player is liable for: all of it, or half of another's deal-in."""
        if not self.is_ron:
            yield (Payer.LIABLE, seat), whole
        # B4-042: a liable player who deals in pays everything alone.
        elif seat is self.situation.discarder:
            yield self.payers[0], whole
        else:
            # B4-042: halves between the liable player and the discarder; an odd remainder falls to the discarder.
            half = whole // 2
            yield (Payer.LIABLE, seat), half
            yield self.payers[0], whole - half

    def whole(self, part: Part) -> int:
        """Return the sum of all payers' shares of a part."""
        return sum(self.share(part, role) for role, _ in self.payers)


def payments_of(case: Case, best: HandScore) -> tuple[Payment, ...]:
    """Return all payments of a hand: the hand itself, honba, liability, prizes, and last the deposits."""
    won, book, worth = case.situation, case.book, best.price.value
    # A win that ends the game at once moves no points at all, deposits and honba included.
    if worth.instant_top:
        return ()
    # BOO-107: in some houses a win without yaku is paid no honba and leaves the counters.
    with_honba = won.honba and (book.play.honba.without_yaku or best.is_limit or best.yaku_han)
    if book.is_plain_paid and not (won.liable or won.forced or (won.rinshan and case.is_fed)):
        paid = _plain(case, best.price)
        if with_honba:
            paid += _plain_honba(case)
    else:
        paid = _billed(case, best, with_honba=bool(with_honba))
    return (*paid, _deposits(won, book)) if won.deposits else paid


_SEATS: dict[Wind | None, int] = {None: 0, **{wind: number for number, wind in enumerate(Wind, start=1)}}
_MOST_HONBA = 64
"""Payments of fewer honba counters, and of this many different amounts of deposits, are kept in the book."""


def _place(case: Case) -> int:
    """Return the winner and the payer as one small number."""
    won = case.situation
    if won.by is By.TSUMO:
        return case.seat.number
    return case.seat.number | 4 | _SEATS[won.discarder] << 3


def _plain(case: Case, price: Price) -> tuple[Payment, ...]:
    """Return the payments for the hand itself; cached, as they are the same for every hand of this value and way."""
    place = _place(case)
    found = price.payments.get(place)
    if found is None:
        bill = Bill(case)
        bill.pay_parts(price.value, case.book.payment_clauses)
        found = price.payments[place] = tuple(bill.payments)
    return found


def _plain_honba(case: Case) -> tuple[Payment, ...]:
    honba = case.situation.honba
    key = _place(case) << 6 | honba
    known = case.book.paid_honba
    found = known.get(key) if honba < _MOST_HONBA else None
    if found is None:
        bill = Bill(case)
        bill.pay_honba()
        found = tuple(bill.payments)
        if honba < _MOST_HONBA:
            known[key] = found
    return found


def _billed(case: Case, best: HandScore, *, with_honba: bool) -> tuple[Payment, ...]:
    """Return the payments of a hand with liability, prizes or a forced deal-in; not cached."""
    won, book, worth = case.situation, case.book, best.price.value
    bill = Bill(case)
    liable = Liable(best.yaku if best.yakuman else (), best.yakuman, bill)
    if liable.seats:
        liable.pay(book.payment_clauses)
    else:
        forced = won.forced and not best.yakuman
        bill.pay_parts(
            book.forced(dealer=case.seat.dealer) if forced else worth,
            book.forced_clauses if forced else book.payment_clauses,
        )
        if with_honba:
            bill.pay_honba()
    if book.play.chips is not None:
        PrizePayments(bill, book.play.chips).pay(best.yaku, worth.limit, liable)
    return bill.all_from_feeder()


def _deposits(situation: Situation, book: Book) -> Payment:
    """Return the payment of the sticks on the table; a limited number of amounts is cached."""
    known, points = book.paid_deposits, situation.deposits
    found = known.get(points)
    if found is not None:
        return found
    clauses = book.play.riichi.clauses
    found = Payment(None, Payer.TABLE, TABLE_POINTS, points, PaymentCause.DEPOSITS, clauses)
    if len(known) < _MOST_HONBA:
        known[points] = found
    return found


def _clauses_of(name: PartName, clauses: Clauses, book: Book) -> Clauses:
    """Return the clauses that a part rests on."""
    closed = book.play.value.closed
    if name is PartName.CLOSED and closed is not None:
        return closed.clauses
    return book.play.dora.kinds[Dora.INDICATOR].clauses if name is PartName.DORA else clauses


class Liable:
    """The liability (包) for the yakuman of a hand, and its effect on the payments."""

    def __init__(self, yakuman: tuple[YakuLine, ...], count: int, bill: Bill) -> None:
        self.bill = bill
        self.count = count
        found = [(line, each) for line in yakuman for each in bill.situation.liable if each.yaku is line.name]
        self.seats: tuple[Wind, ...] = tuple(dict.fromkeys(each.seat for _, each in found))
        self.counts = {
            seat: min(count, sum(line.worth for line, each in found if each.seat is seat)) for seat in self.seats
        }
        pao = bill.book.play.pao
        if self.seats and pao is not None and pao.covers_hand(by_ron=bill.is_ron):
            # B4-041, B4-042: where liability covers the hand, the first liable player also covers the other yakuman.
            self.counts[self.seats[0]] += max(count - sum(self.counts.values()), 0)

    def pay(self, clauses: Clauses) -> None:
        """Add the payments of a yakuman hand with liability.

        The liable player pays all that is covered on a self-draw and half of it on a ron; further yakuman are paid
        as usual. Honba is not divided.
        """
        bill = self.bill
        left = self.count
        for seat, count in self.counts.items():
            for payer, amount in bill.liable_shares(seat, bill.whole(_yakuman(count, bill))):
                bill.pay(payer, amount, PaymentCause.HAND, (*bill.book.pao_clauses, *clauses))
            left -= count
        if left:
            rest = _yakuman(left, bill)
            for payer in bill.payers:
                bill.pay(payer, bill.share(rest, payer[0]), PaymentCause.HAND, clauses)
        self._pay_honba()

    def _pay_honba(self) -> None:
        bill = self.bill
        rules, honba = bill.book.play.honba, bill.situation.honba
        pao = bill.book.play.pao
        # Tenhou (TH-017) lets the liable player pay the honba of a ron; most books the discarder.
        if bill.is_ron and pao is not None and pao.honba is PaoHonba.LIABLE:
            bill.pay((Payer.LIABLE, self.seats[0]), rules.ron * honba, PaymentCause.HONBA, rules.clauses)
        elif bill.is_ron:
            bill.pay(bill.payers[0], rules.ron * honba, PaymentCause.HONBA, rules.clauses)
        else:
            whole = rules.tsumo_each * honba * len(bill.payers)
            bill.pay((Payer.LIABLE, self.seats[0]), whole, PaymentCause.HONBA, rules.clauses)


def _yakuman(count: int, bill: Bill) -> Part:
    return value(Worth(yakuman=count), dealer=bill.case.seat.dealer, play=bill.book.play).parts[0]


class PrizePayments:
    """Prizes paid beside the points, one for each event."""

    def __init__(self, bill: Bill, chips: Chips) -> None:
        self.bill = bill
        self.chips = chips

    def pay(self, yaku: tuple[YakuLine, ...], limit: LimitName | None, liable: Liable) -> None:
        """Add the prize of every event, from the discarder or from each payer."""
        rules = self.chips.rules
        # A fixed prize replaces all others and ignores `open_hands` and `none_if_forced`, so it is looked for first.
        fixed = next((line for line in yaku if line.name in self.chips.fixed), None)
        if fixed is not None:
            self._pay_fixed(YakuName(fixed.name))
        elif self.bill.case.closed or rules.open_hands:
            if rules.none_if_forced and self.bill.situation.forced:
                return
            for event, times in self._events(yaku, limit):
                self._pay_event(event, times, liable)

    def _pay_fixed(self, name: YakuName) -> None:
        """Add a yaku's fixed prize from all other players, on ron too; it replaces all other prizes."""
        award = self.chips.fixed[name]
        for payer in self.bill.others():
            self.bill.prize(payer, award.each, PaymentCause.FIXED, award.clauses)

    def _events(self, yaku: tuple[YakuLine, ...], limit: LimitName | None) -> Iterator[tuple[AwardEvent, int]]:
        case, situation, play = self.bill.case, self.bill.situation, self.bill.book.play
        dora = self.bill.book.dora.summarize(case.dora, closed=case.closed)
        yield AwardEvent.IPPATSU, int(situation.ippatsu)
        yield AwardEvent.URA, dora.ura
        yield AwardEvent.RED, dora.red
        yield AwardEvent.GOLD, dora.gold
        yield AwardEvent.YAKUMAN, self._yakuman(yaku)
        yield AwardEvent.KAZOE, int(limit is LimitName.KAZOE)
        flowers = sum(1 for tile in case.hand.nuki if tile in FLOWERS)
        yield AwardEvent.FLUSH, int(0 < play.tiles.flowers == flowers)
        yield AwardEvent.FORCED, int(situation.forced)

    def _yakuman(self, yaku: tuple[YakuLine, ...]) -> int:
        """Return the number of yakuman that bring a prize; at most one if several count once."""
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
            # Only the yakuman's own prize is halved on a ron; other prizes stay with the discarder (B4-042).
            times = self._pay_liable(event, each, times, liable)
        for payer in bill.payers:
            bill.prize(payer, each * times, _PRIZES[event], award.clauses)

    def _pay_liable(self, event: AwardEvent, each: int, times: int, liable: Liable) -> int:
        """Add the liable player's part of a prize; return the number of prizes left for the usual payers."""
        bill, clauses, cause = self.bill, self.chips.awards[event].clauses, _PRIZES[event]
        if event is not AwardEvent.YAKUMAN:
            bill.prize((Payer.LIABLE, liable.seats[0]), each * times * len(bill.payers), cause, clauses)
            return 0
        for seat, found in liable.counts.items():
            count = min(found, times)
            times -= count
            for payer, amount in bill.liable_shares(seat, each * count * len(bill.payers)):
                bill.prize(payer, amount, cause, clauses)
        return times
