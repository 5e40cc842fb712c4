"""Prizes of a kyoku beside the points: those of a win, and the prize for taking a player out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.hanchan_result import BustPayment
from scoring.kyoku.outcomes import LiableFor, Points, Win
from scoring.kyoku.payments import RuledState, fed_as_ron, value_of_win
from scoring.kyoku.state import Cause, Transfer
from scoring.placement import groups
from scoring.ruleset.chips import AwardEvent, Chips, FixedAward
from scoring.ruleset.settling import PrizeReceiver, PrizeTime
from scoring.ruleset.value import LimitName, SeveralYakuman
from scoring.tobi import receivers

GIVEN = "given"
"""The event name of a prize that was entered as a sum, without its events."""


@dataclass(frozen=True, slots=True)
class Item:
    """One prize of a hand: the amount from the discarder, and the amount from each payer of a self-draw."""

    event: str
    ron: int
    each: int
    clause: str
    liable: bool = False
    """True if a player is liable for it together with the yakuman."""


def prizes(win: Win, loser: int | None, table: RuledState) -> Iterator[Transfer]:
    """Yield every prize of a win, from the players that the book makes pay it."""
    chips = table.play.chips
    if chips is None:
        return
    if win.prizes.fixed is not None:
        yield from _fixed(win, chips.fixed[win.prizes.fixed], table, chips)
        return
    for item in items(win, table, chips, by_ron=loser is not None):
        for payer, amount, liable in _payers(item, win, loser, table):
            if amount:
                params = {"event": item.event}
                ledger = chips.rules.ledger
                yield Transfer(ledger, payer, win.seat, amount, Cause.PRIZE, item.clause, liable, params)


def items(win: Win, table: RuledState, chips: Chips, *, by_ron: bool) -> Iterator[Item]:
    """Yield the prizes of a hand, by event."""
    rules, worth = chips.rules, win.value
    closed = isinstance(worth, Points) or worth.closed
    if (win.forced and rules.none_if_forced) or not (closed or rules.open_hands):
        return
    liable, others = _yakuman(win, table, chips, by_ron=by_ron)
    if win.prizes.complete:
        liable = replace(liable, ron=liable.ron * win.prizes.times, each=liable.each * win.prizes.times)
        # A flip multiplies the whole prize: the liable part is taken out of the total instead of added to it.
        rest = replace(_given(win, rules.clauses[0]), each=win.prizes.each, ron=win.prizes.each)
        yield from (liable,) if liable.ron or liable.each else ()
        yield replace(rest, ron=rest.ron - liable.ron, each=rest.each - liable.each)
        return
    for event, count in win.prizes.counts.items():
        yield _award(event, count, table, chips)
    yield _given(win, rules.clauses[0])
    yield liable
    yield others
    if value_of_win(win, table).limit is LimitName.KAZOE and not win.forced:
        yield _award(AwardEvent.KAZOE, 1, table, chips)
    if win.forced:
        yield _award(AwardEvent.FORCED, 1, table, chips)


def _given(win: Win, clause: str) -> Item:
    return Item(GIVEN, win.prizes.each, win.prizes.each, clause)


def _award(event: AwardEvent, count: int, table: RuledState, chips: Chips) -> Item:
    """Return the prize for `count` of one event; 0 if the book has no prize for it."""
    award, scale = chips.awards.get(event), table.rules.ledger(chips.rules.ledger).scale
    if award is None:
        return Item(event, 0, 0, chips.rules.clauses[0])
    return Item(event, award.ron * count * scale, award.tsumo_each * count * scale, award.clauses[0])


def _yakuman(win: Win, table: RuledState, chips: Chips, *, by_ron: bool) -> tuple[Item, Item]:
    """Return the prizes for the yakuman that a player is liable for, and for the others."""
    total = 0 if isinstance(win.value, Points) else win.value.yakuman or (win.value.limit is LimitName.YAKUMAN)
    if table.play.value.yakuman.several is SeveralYakuman.ONCE:
        total = min(total, 1)
    counted = max(int(total) - win.prizes.without, 0)
    shared = min(counted, _liable_for(win, counted, table, by_ron=by_ron))
    liable, others = (_award(AwardEvent.YAKUMAN, count, table, chips) for count in (shared, counted - shared))
    return replace(liable, liable=True), others


def _liable_for(win: Win, counted: int, table: RuledState, *, by_ron: bool) -> int:
    """Return the number of a hand's yakuman that a player is liable for."""
    liability, pao = win.liability, table.play.pao
    if liability is None or pao is None or liability.kind is not LiableFor.YAKUMAN:
        return 0
    return counted if pao.covers_hand(by_ron=by_ron) else liability.yakuman


def _payers(item: Item, win: Win, loser: int | None, table: RuledState) -> Iterator[tuple[int, int, bool]]:
    """Yield the payers of a prize: seat, amount, and True for the liable player's part."""
    liability, others = win.liability, table.state.players - 1
    if loser is not None:
        half = item.ron // 2 if item.liable and liability is not None and liability.seat != loser else 0
        # B4-042: only the yakuman's prize is halved; the odd remainder falls to the discarder.
        yield loser, item.ron - half, False
        if liability is not None:
            yield liability.seat, half, True
    elif liability is not None and fed_as_ron(liability, table.play):
        yield liability.seat, item.ron, True
    elif liability is not None and (item.liable or _pays_all(table)):
        yield liability.seat, item.each * others, True
    else:
        yield from ((payer, item.each, False) for payer in table.state.turn_from(win.seat))


def _pays_all(table: RuledState) -> bool:
    return table.play.chips is not None and table.play.chips.rules.pao_pays_all


def _fixed(win: Win, award: FixedAward, table: RuledState, chips: Chips) -> Iterator[Transfer]:
    """Yield a yaku's fixed prize from all other players, on ron too; it replaces all other prizes."""
    amount = award.each * table.rules.ledger(chips.rules.ledger).scale
    params = {"event": win.prizes.fixed}
    for payer in table.state.turn_from(win.seat):
        clause = award.clauses[0]
        yield Transfer(chips.rules.ledger, payer, win.seat, amount, Cause.PRIZE, clause, params=params)


def busts(
    paid: Sequence[Transfer], after: tuple[int, ...], winners: Sequence[int], table: RuledState
) -> tuple[tuple[int, int], ...]:
    """Return the players who went out by these payments, each with a receiver of the prize.

    Empty if the book has no such prize.
    """
    prize = table.rules.settlement.tobi
    if prize is None:
        return ()
    found: list[tuple[int, int]] = []
    for seat in range(len(after)):
        if table.rules.end.bust.is_bust(after[seat]):
            payment = _payment(seat, paid, table)
            takers = tuple(receivers(payment, prize.receiver, table.rules.end.bust, len(after)))
            fallback = _takers(seat, after, winners, table)
            found += [(seat, taker) for taker in takers or fallback]
    return tuple(found)


def bust_prizes(tobi: Sequence[tuple[int, int]], table: RuledState) -> Iterator[Transfer]:
    """Yield the prizes for going out, if the book pays them with the hand."""
    prize = table.rules.settlement.tobi
    if prize is None or prize.paid is not PrizeTime.WITH_THE_HAND:
        return
    amount = table.rules.ledger(prize.ledger).stored(prize.amount)
    for busted, receiver in tobi:
        yield Transfer(prize.ledger, busted, receiver, amount, Cause.TOBI, prize.clauses[0])


def _payment(seat: int, paid: Sequence[Transfer], table: RuledState) -> BustPayment:
    """Return the payments of a player in this hand, and the score before them, less own stakes and fines."""
    had, due = table.state.scores[seat], dict[int, int]()
    for each in paid:
        if each.payer == seat and each.receiver is None:
            had -= each.amount
        elif each.payer == seat and each.receiver is not None:
            due[each.receiver] = due.get(each.receiver, 0) + each.amount
        elif each.receiver == seat and each.payer is None:
            had += each.amount
    return BustPayment(seat, had, tuple(due.items()))


def _takers(seat: int, after: tuple[int, ...], winners: Sequence[int], table: RuledState) -> tuple[int, ...]:
    """Return the receiver of the prize for a player out by their own stake or fine.

    It is a winner, or after a draw the top. A winner who was below zero before and stays there pays another winner,
    or the top, and never themselves.
    """
    prize = table.rules.settlement.tobi
    others = tuple(winner for winner in winners if winner != seat)
    if others:
        every = prize is not None and prize.receiver is PrizeReceiver.EACH_PAID
        return others if every else others[:1]
    order = [each for group in groups(after, table.rules.settlement.placing.ties) for each in group]
    return tuple(each for each in order if each != seat)[:1]
