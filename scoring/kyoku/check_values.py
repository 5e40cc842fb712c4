"""Checks of a win's value, liability and prizes against the values, limits and prizes that the book has."""

from __future__ import annotations

from dataclasses import replace

from scoring.hand.most import most_paid_dora, most_prizes, most_yakuman
from scoring.hand.possible import FU_NEEDS_HAN, Circumstances, Impossible, why_impossible
from scoring.hand.possible_limits import why_limit_impossible
from scoring.hand.uncapped import why_no_such_han
from scoring.kyoku.circumstances import riichi_of
from scoring.kyoku.outcomes import LiableFor, Points, Win
from scoring.kyoku.payments import RuledState, is_uncapped
from scoring.kyoku.refusals import Refusals, refusal
from scoring.kyoku.worths import Winner, pays_closed_differently, possible_payments, winner_of
from scoring.ruleset.chips import AwardEvent
from scoring.value import By, UnknownLimitError, Worth, limit_base

_NEAREST = 2
"""Number of possible payments that a refusal names."""


def value_refusals(win: Win, by: By, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusals of a value: impossible han and fu, an unknown limit, or impossible points."""
    at = f"{pointer}/value"
    if isinstance(win.value, Points):
        winner = winner_of(win.seat, by, table, double=win.double_riichi)
        yield from _points(win.value, replace(winner, prizes=_prizes(win)), at, table)
        return
    won = circumstances_of(win, by, table)
    yield from _worth(win.value, won, at, table)
    if win.value.dora:
        yield from _dora(win.value.dora, won, at, table)
    if win.value.uncapped and not is_uncapped(table):
        yield refusal("capped_hand", f"{at}/uncapped")


def liability_refusals(win: Win, by: By, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusals of a liability that the book does not know or that contradicts the win."""
    liability, pao = win.liability, table.play.pao
    if liability is None:
        return
    at = f"{pointer}/liability"
    if not 0 <= liability.seat < table.state.players:
        yield refusal("seat_unknown", at, seat=liability.seat, last=table.state.players - 1)
    if liability.seat == win.seat:
        yield refusal("liable_is_winner", at, seat=win.seat)
    open_kan = liability.kind is LiableFor.OPEN_KAN
    if pao is None or not (pao.open_kan if open_kan else pao.yaku):
        yield refusal("no_liability", at)
    # The replacement tile is drawn, so the winner entered a tsumo, even in books that pay it as a ron.
    if open_kan and by is By.RON:
        yield refusal("open_kan_by_tsumo", at)
    if not open_kan and isinstance(win.value, Worth) and not 0 < liability.yakuman <= win.value.yakuman:
        yield refusal("liable_without_yakuman", at, liable=liability.yakuman, yakuman=win.value.yakuman)


def prize_refusals(win: Win, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusals of prizes that the book does not have, and of negative counts."""
    prizes, chips, at = win.prizes, table.play.chips, f"{pointer}/prizes"
    if chips is None:
        if prizes.counts or prizes.each or prizes.fixed:
            yield refusal("no_prizes", at)
        return
    known = ", ".join((*chips.awards, *chips.fixed)) or "none"
    for event, count in prizes.counts.items():
        if event not in chips.awards:
            yield refusal("prize_unknown", f"{at}/counts", event=event.value, known=known)
        else:
            yield from _count(event, count, f"{at}/counts", table)
    # `times` is a multiplier and at least 1; all other amounts may be 0.
    counts = (("counts", count, 0) for count in prizes.counts.values())
    for key, amount, least in (*counts, ("each", prizes.each, 0), ("times", prizes.times, 1)):
        if amount < least:
            yield refusal("prize_negative", f"{at}/{key}", amount=amount)
    if prizes.fixed is not None and prizes.fixed not in chips.fixed:
        yield refusal("prize_unknown", f"{at}/fixed", event=prizes.fixed.value, known=known)


def _count(event: AwardEvent, count: int, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusal of a prize that follows from the value, or of more of it than a hand can have."""
    most = most_prizes(table.play)
    if event not in most:
        yield refusal("prize_follows", pointer, event=event.value)
    elif count > most[event]:
        yield refusal("prize_too_many", pointer, event=event.value, count=count, most=most[event])


def _points(points: Points, winner: Winner, pointer: str, table: RuledState) -> Refusals:
    amounts = (
        {"ron": points.ron}
        if winner.by is By.RON
        else {"from_dealer": points.from_dealer, "from_other": points.from_other}
    )
    unit = table.play.payments.round_up_to
    if sum(amounts.values()) <= 0:
        yield refusal("points_missing", pointer)
    for name, amount in amounts.items():
        if amount < 0 or amount % unit:
            yield refusal("points_not_multiple", f"{pointer}/{name}", points=amount, unit=unit)
    if winner.dealer and amounts.get("from_dealer"):
        yield refusal("points_from_dealer", f"{pointer}/from_dealer", points=points.from_dealer)
        return
    payment = (amounts.get("ron", 0), amounts.get("from_dealer", 0), amounts.get("from_other", 0))
    if payment not in (possible := possible_payments(winner)):
        nearest = sorted(possible, key=lambda each: (abs(sum(each) - sum(payment)), each))[:_NEAREST]
        params = {"points": _told(payment), "nearest": ", ".join(map(_told, sorted(nearest)))}
        yield refusal("points_impossible", pointer, **params)


def _told(payment: tuple[int, int, int]) -> str:
    """Return a payment as players write it: 7700, or 2000/4000 for the others and the dealer."""
    ron, from_dealer, from_other = payment
    return f"{from_other}/{from_dealer}" if from_dealer else str(ron or from_other)


def _worth(worth: Worth, circumstances: Circumstances, pointer: str, table: RuledState) -> Refusals:
    if worth.yakuman < 0:
        yield refusal("yakuman_negative", f"{pointer}/yakuman", yakuman=worth.yakuman)
    if worth.yakuman:
        most = most_yakuman(table.play, closed=circumstances.closed is not False)
        if worth.yakuman > most:
            yield refusal("yakuman_too_many", f"{pointer}/yakuman", yakuman=worth.yakuman, most=most)
        return
    if worth.limit is not None:
        try:
            limit_base(worth.limit, table.play.value)
        except UnknownLimitError:
            known = ", ".join((*(limit.name for limit in table.play.value.limits), "yakuman"))
            yield refusal("limit_unknown", f"{pointer}/limit", limit=worth.limit.value, known=known)
            return
        found = why_limit_impossible(table.rules, circumstances, worth.limit, uncapped=is_uncapped(table))
        yield from _impossible(found, pointer)
        return
    yield from _han_and_fu(worth, circumstances, pointer, table)


def _han_and_fu(worth: Worth, circumstances: Circumstances, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusals of han and fu; fu are required below the limits."""
    if not worth.fu and not table.play.fu.fixed and not _reaches_a_limit(worth, table):
        yield refusal("fu_missing", f"{pointer}/fu", han=worth.han)
        return
    if table.play.fu.fixed and worth.fu not in (0, table.play.fu.fixed):
        yield refusal("fu_fixed", f"{pointer}/fu", fixed=table.play.fu.fixed, fu=worth.fu)
        return
    fu = 0 if table.play.fu.fixed else worth.fu
    too_few = why_impossible(table.rules, circumstances, worth.han, 0)
    yield from _impossible(too_few, pointer)
    if fu:
        found = why_impossible(table.rules, circumstances, worth.han, fu)
        # One refusal is enough where the han are too few for any fu.
        if found is not None and not (too_few is not None and found.code == FU_NEEDS_HAN):
            yield from _impossible(found, pointer)
    if is_uncapped(table):
        yield from _impossible(why_no_such_han(table.rules, circumstances, worth.han, fu), pointer)


def _reaches_a_limit(worth: Worth, table: RuledState) -> bool:
    """Return whether the han alone reach a limit, so that fu need not be entered."""
    limits = table.play.value.limits
    return bool(limits) and worth.han >= limits[0].from_han and not is_uncapped(table)


def _dora(count: int, circumstances: Circumstances, pointer: str, table: RuledState) -> Refusals:
    """Yield the refusal of a number of dora that are paid in points."""
    either = (True, False) if circumstances.closed is None else (circumstances.closed,)
    most = max(most_paid_dora(table.play, closed=closed) for closed in either)
    if not 0 <= count <= most:
        yield refusal("dora_count", f"{pointer}/dora", count=count, most=most)


def _impossible(found: Impossible | None, pointer: str) -> Refusals:
    if found is not None:
        yield refusal(found.code, f"{pointer}/{found.at}", **found.params)


def circumstances_of(win: Win, by: By, table: RuledState) -> Circumstances:
    """Return the circumstances of a win that decide which values are possible.

    In books that pay closed hands differently, a hand that is not entered as closed counts as open.
    """
    closed = None if isinstance(win.value, Points) else win.value.closed
    if closed is None and pays_closed_differently(table.play):
        closed = False
    riichi = riichi_of(win.seat, table, double=win.double_riichi)
    return Circumstances(by, closed, riichi, _prizes(win), table.state.round)


def _prizes(win: Win) -> tuple[tuple[AwardEvent, int], ...]:
    return tuple(sorted(win.prizes.counts.items()))
