"""From tiles to points: every reading is counted, the dearest is taken, and the answer says what it is made of."""

from __future__ import annotations

from dataclasses import replace

from scoring.hand import kansaki
from scoring.hand.book import Book, book_of, is_within
from scoring.hand.case import Case
from scoring.hand.notation import Hand
from scoring.hand.payments import (
    Bill,
    Liable,
    Prizes,
    all_from_one,
    deposits,
    honba_payments,
    simple_payments,
)
from scoring.hand.problems import tiles_of
from scoring.hand.reading import Form, Reading
from scoring.hand.records import Clauses, HandValue, Notice, NoWin, NoWinReason, Payment
from scoring.hand.situation import Robbed, Situation
from scoring.hand.tally import Tally, tally
from scoring.hand.tiles import BINGO, FLOWERS, KIND, KINDS, POCCHI
from scoring.ruleset import Ruleset
from scoring.ruleset.value import Settled
from scoring.value import By


def score(hand: Hand, situation: Situation, rules: Ruleset) -> HandValue | NoWin:
    """Return what a winning hand is worth and who pays it, or why it may not be won.

    Of several readings the dearest counts. Points are table points; prizes are in the ledger the ruleset names. Raise
    InvalidHandError if the hand or the situation cannot be, NoHandsError if the ruleset says nothing of hands.
    """
    book = book_of(rules)
    if hand.win == POCCHI and situation.pocchi_as is None and book.is_pocchi_wild(situation):
        return _dearest_pocchi(hand, situation, book)
    win = KIND[hand.win] if situation.pocchi_as is None else situation.pocchi_as
    return _scored(Case(hand, situation, book, win))


def _dearest_pocchi(hand: Hand, situation: Situation, book: Book) -> HandValue | NoWin:
    """Propose the tile that brings most points, then most prizes; the winner may choose another."""
    answers = [
        score(hand, replace(situation, pocchi_as=kind), book.rules) for kind in range(KINDS) if book.most_copies[kind]
    ]
    values = [each for each in answers if isinstance(each, HandValue)]
    if not values:
        return _scored(Case(hand, situation, book, KIND[hand.win]))
    best = max(values, key=lambda each: (each.total, sum(payment.amount for payment in each.payments)))
    return replace(best, notices=(*best.notices, Notice.POCCHI_CHOICE))


def _scored(case: Case) -> HandValue | NoWin:
    readings = case.readings()
    no_win = _barred(case, readings)
    if no_win is not None:
        return no_win
    notices: tuple[Notice, ...] = ()
    if case.book.play.win.settled is Settled.KANSAKI:
        verdict = kansaki.settled(case, readings)
        if verdict.no_win is not None:
            return verdict.no_win
        notices = () if verdict.is_shown_by_tiles else (Notice.KANSAKI_CONCEALED,)
    best = _best(case, readings)
    return best if isinstance(best, NoWin) else _answer(case, best, notices)


def _barred(case: Case, readings: list[Reading]) -> NoWin | None:
    """Why the tiles cannot be won at all."""
    book, won = case.book, case.situation
    win_clauses = book.play.win.clauses
    if won.by is By.RON and case.hand.win in (*BINGO, *FLOWERS):
        return NoWin(NoWinReason.BINGO_RON, win_clauses)
    if won.robbed is Robbed.NUKI and not any(each.won_on for each in book.play.nuki.values()):
        return NoWin(NoWinReason.NUKI_RON, win_clauses)
    if not readings:
        return NoWin(NoWinReason.NOT_COMPLETE, win_clauses, {"tiles": tiles_of(case.hand)})
    if (book.has_surplus or won.pocchi_as is not None) and not is_within(case.facts.packed, book.alike_excess):
        readings[:] = [reading for reading in readings if reading.form is Form.ALL_SEVEN]
        if not readings:
            most = book.play.tiles.alike_in_hand
            return NoWin(NoWinReason.FIVE_IDENTICAL, book.play.tiles.clauses, {"most": most})
    return None


def _best(case: Case, readings: list[Reading]) -> Tally | NoWin:
    """The dearest reading that has what a hand needs."""
    counted = [tally(case, reading) for reading in readings]
    if case.situation.robbed is Robbed.CLOSED_KAN:
        robbing = case.book.play.calls.closed_kan_robbed_by
        counted = [each for each in counted if any(line.name in robbing for line in each.yaku)]
        if not counted:
            return NoWin(NoWinReason.CLOSED_KAN_CANNOT_BE_ROBBED, case.book.play.calls.clauses)
    needed = case.book.play.win.min_han
    enough = [each for each in counted if each.is_limit or each.yaku_han >= needed]
    if not enough:
        han = max(each.yaku_han for each in counted)
        return NoWin(NoWinReason.NO_YAKU, case.book.play.win.clauses, {"han": han, "needed": needed})
    return enough[0] if len(enough) == 1 else max(enough, key=lambda each: each.rank(case))


def _answer(case: Case, best: Tally, notices: tuple[Notice, ...]) -> HandValue:
    """Everything the best reading is made of, and the payments."""
    won = case.situation
    dora = case.dora.lines
    if best.is_limit:
        dora = tuple(line for line in dora if line.points)
    return HandValue(
        yaku=best.yaku,
        dora=dora,
        fu_lines=best.fu_lines,
        han=best.han,
        fu=best.fu,
        yakuman=best.yakuman,
        limit=best.value.limit,
        base=best.value.base,
        limit_clauses=_limit_clauses(case, best),
        payments=_payments(case, best),
        reading=best.reading,
        situation=won,
        ura=case.dora.ura,
        pocchi_as=won.pocchi_as,
        instant_top=best.value.instant_top,
        as_ron=case.way.as_ron,
        notices=notices,
    )


def _limit_clauses(case: Case, best: Tally) -> Clauses:
    """The clauses of the limit reached, or of counting without one."""
    rules = case.book.play.value
    if best.yakuman:
        return rules.yakuman.clauses
    found = (limit.clauses for limit in rules.limits if limit.name is best.value.limit)
    return next(found, rules.clauses)


def _payments(case: Case, best: Tally) -> tuple[Payment, ...]:
    """Who pays what: the hand, honba, sticks on the table, prizes."""
    won, book, worth = case.situation, case.book, best.value
    if worth.instant_top:
        return ()
    bill = Bill(won, book, as_ron=case.way.as_ron)
    liable = Liable(best.yaku if best.yakuman else (), best.yakuman, bill)
    clauses = book.payment_clauses
    if won.forced and not best.yakuman:
        worth = book.forced(dealer=case.seat.dealer)
        clauses = book.forced_clauses
    if liable.seats:
        liable.pay(clauses)
    else:
        bill.payments += simple_payments(worth, won, book, as_ron=case.way.as_ron, clauses=clauses)
        if won.honba and (book.play.honba.without_yaku or best.is_limit or best.yaku_han):
            bill.payments += honba_payments(won, book, as_ron=case.way.as_ron)
    if book.play.chips is not None:
        prizes = Prizes(bill, book.play.chips, closed=case.facts.closed)
        prizes.pay(case.hand, best.yaku, case.dora, worth.limit, liable)
    paid = bill.payments
    if bill.open_kan is not None:
        paid = all_from_one(paid, bill.open_kan.seat)
    if won.deposits:
        paid.append(deposits(won, book))
    return tuple(paid)
