"""From tiles to points: every reading is counted, the dearest is taken, and the answer says what it is made of."""

from __future__ import annotations

from dataclasses import replace

from scoring.hand import kansaki
from scoring.hand.answer import HandValue
from scoring.hand.book import Book, book_of, is_within
from scoring.hand.case import Case
from scoring.hand.notation import Hand
from scoring.hand.problems import tiles_of
from scoring.hand.reading import Form, Reading
from scoring.hand.records import Notice, NoWin, NoWinReason
from scoring.hand.situation import Robbed, Situation
from scoring.hand.tally import Tally, tally
from scoring.hand.tiles import KIND, KINDS, NO_KIND, POCCHI
from scoring.ruleset import Ruleset
from scoring.value import By


def score(hand: Hand, situation: Situation, rules: Ruleset) -> HandValue | NoWin:
    """Return what a winning hand is worth and who pays it, or why it may not be won.

    Of several readings the dearest counts. Points are table points; prizes are in the ledger the ruleset names. Raise
    InvalidHandError if the hand or the situation cannot be, NoHandsError if the ruleset says nothing of hands.
    """
    book = book_of(rules)
    if situation.pocchi_as is not None:
        return _scored(Case(hand, situation, book, situation.pocchi_as))
    if hand.win == POCCHI and book.is_pocchi_wild(situation):
        return _dearest_pocchi(hand, situation, book)
    return _scored(Case(hand, situation, book, KIND[hand.win]))


def _dearest_pocchi(hand: Hand, situation: Situation, book: Book) -> HandValue | NoWin:
    """Propose the tile that brings most points, then most prizes; the winner may choose another."""
    answers = [
        score(hand, replace(situation, pocchi_as=kind), book.rules) for kind in range(KINDS) if book.most_copies[kind]
    ]
    values = [each for each in answers if isinstance(each, HandValue)]
    if not values:
        return _scored(Case(hand, situation, book, KIND[hand.win]))
    best = max(values, key=lambda each: (each.total, sum(payment.amount for payment in each.payments)))
    return HandValue(best.tally, (*best.notices, Notice.POCCHI_CHOICE))


def _scored(case: Case) -> HandValue | NoWin:
    """The dearest of all readings, if the hand may be won at all."""
    readings, book = case.readings(), case.book
    if len(readings) == 1 and not book.needs_care and case.situation.is_plain:
        only = tally(case, readings[0])
        return HandValue(only) if only.yaku_han >= book.min_han or not only.fu else _too_little(case, [only])
    no_win = _barred(case, readings)
    if no_win is not None:
        return no_win
    notices: tuple[Notice, ...] = ()
    if book.is_kansaki:
        verdict = kansaki.settled(case, readings)
        if verdict.no_win is not None:
            return verdict.no_win
        notices = () if verdict.is_shown_by_tiles else (Notice.KANSAKI_CONCEALED,)
    best = _best(case, readings)
    return best if isinstance(best, NoWin) else HandValue(best, notices)


def _barred(case: Case, readings: list[Reading]) -> NoWin | None:
    """Why the tiles cannot be won at all."""
    book, won = case.book, case.situation
    if won.by is By.RON and case.win == NO_KIND:
        return NoWin(NoWinReason.BINGO_RON, book.play.win.clauses)
    if won.robbed is Robbed.NUKI and not any(each.won_on for each in book.play.nuki.values()):
        return NoWin(NoWinReason.NUKI_RON, book.play.win.clauses)
    if not readings:
        return NoWin(NoWinReason.NOT_COMPLETE, book.play.win.clauses, {"tiles": tiles_of(case.hand)})
    if (book.has_surplus or won.pocchi_as is not None) and not is_within(case.kinds, book.alike_excess):
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
    enough = [each for each in counted if each.yaku_han >= case.book.min_han or each.is_limit]
    return max(enough, key=Tally.rank) if enough else _too_little(case, counted)


def _too_little(case: Case, counted: list[Tally]) -> NoWin:
    """No reading has the yaku that a hand needs."""
    params = {"han": max(each.yaku_han for each in counted), "needed": case.book.min_han}
    return NoWin(NoWinReason.NO_YAKU, case.book.play.win.clauses, params)
