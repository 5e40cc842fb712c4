"""From tiles to points: score every reading, keep the most valuable one, and return it with all its lines."""

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
from scoring.hand.tally import HandScore, tally
from scoring.hand.tiles import KIND, KINDS, NO_KIND, POCCHI
from scoring.ruleset import Ruleset
from scoring.value import By


def score(hand: Hand, situation: Situation, rules: Ruleset) -> HandValue | NoWin:
    """Return the value of a winning hand and its payments, or the reason why it may not be won.

    The most valuable of several readings counts. Amounts are table points; prizes are in the ledger that the ruleset
    names. Raise InvalidHandError if the hand or the situation is impossible, NoHandsError if the ruleset has no
    rules for hands.
    """
    book = book_of(rules)
    if situation.pocchi_as is not None:
        return _score_case(Case(hand, situation, book, situation.pocchi_as))
    if hand.win == POCCHI and book.is_pocchi_wild(situation):
        return _best_pocchi(hand, situation, book)
    return _score_case(Case(hand, situation, book, KIND[hand.win]))


def _best_pocchi(hand: Hand, situation: Situation, book: Book) -> HandValue | NoWin:
    """Return the score with the pocchi as the tile that brings most points, then most prizes.

    It is a proposal, marked by a notice: the winner may choose another tile.
    """
    answers = [
        score(hand, replace(situation, pocchi_as=kind), book.rules) for kind in range(KINDS) if book.most_copies[kind]
    ]
    # Some choices may be refused (no yaku, 完全先付け); the winner would not make those.
    values = [each for each in answers if isinstance(each, HandValue)]
    if not values:
        return _score_case(Case(hand, situation, book, KIND[hand.win]))
    best = max(values, key=lambda each: (each.total, sum(payment.amount for payment in each.payments)))
    return HandValue(best.tally, (*best.notices, Notice.POCCHI_CHOICE))


def _score_case(case: Case) -> HandValue | NoWin:
    """Return the value of the best reading, or the reason why the hand may not be won."""
    readings, book = case.readings(), case.book
    # Fast path for nearly all hands: one reading, and no rule that could refuse a complete hand but its han.
    if len(readings) == 1 and not book.needs_care and case.situation.is_plain:
        only = tally(case, readings[0])
        return HandValue(only) if only.yaku_han >= book.min_han or not only.fu else _refuse_no_yaku(case, [only])
    no_win = _find_refusal(case, readings)
    if no_win is not None:
        return no_win
    notices: tuple[Notice, ...] = ()
    if book.is_kansaki:
        verdict = kansaki.judge_settled(case, readings)
        if verdict.no_win is not None:
            return verdict.no_win
        notices = () if verdict.is_shown_by_tiles else (Notice.KANSAKI_CONCEALED,)
    best = _best(case, readings)
    return best if isinstance(best, NoWin) else HandValue(best, notices)


def _find_refusal(case: Case, readings: list[Reading]) -> NoWin | None:
    """Return the reason why the tiles cannot be won at all; None if they can.

    Readings that the ruleset forbids are removed from the list.
    """
    book, won = case.book, case.situation
    if won.by is By.RON and case.win == NO_KIND:
        return NoWin(NoWinReason.BINGO_RON, book.play.win.clauses)
    if won.robbed is Robbed.NUKI and not any(each.won_on for each in book.play.nuki.values()):
        return NoWin(NoWinReason.NUKI_RON, book.play.win.clauses)
    if not readings:
        return NoWin(NoWinReason.NOT_COMPLETE, book.play.win.clauses, {"tiles": tiles_of(case.hand)})
    if (book.has_surplus or won.pocchi_as is not None) and not is_within(case.kinds, book.alike_excess):
        # SB-034: no five equal tiles, except in a hand of all sevens (SB-046).
        readings[:] = [reading for reading in readings if reading.form is Form.ALL_SEVEN]
        if not readings:
            most = book.play.tiles.alike_in_hand
            return NoWin(NoWinReason.FIVE_IDENTICAL, book.play.tiles.clauses, {"most": most})
    return None


def _best(case: Case, readings: list[Reading]) -> HandScore | NoWin:
    """Return the most valuable reading that has the yaku a win needs, or the reason why none has."""
    counted = [tally(case, reading) for reading in readings]
    if case.situation.robbed is Robbed.CLOSED_KAN:
        robbing = case.book.play.calls.closed_kan_robbed_by
        counted = [each for each in counted if any(line.name in robbing for line in each.yaku)]
        if not counted:
            return NoWin(NoWinReason.CLOSED_KAN_CANNOT_BE_ROBBED, case.book.play.calls.clauses)
    # Filter before the maximum: the reading worth most by dora may be the one without a yaku.
    enough = [each for each in counted if each.yaku_han >= case.book.min_han or each.is_limit]
    return max(enough, key=HandScore.rank) if enough else _refuse_no_yaku(case, counted)


def _refuse_no_yaku(case: Case, counted: list[HandScore]) -> NoWin:
    """Return the refusal of a hand of which no reading has enough han of yaku."""
    params = {"han": max(each.yaku_han for each in counted), "needed": case.book.min_han}
    return NoWin(NoWinReason.NO_YAKU, case.book.play.win.clauses, params)
