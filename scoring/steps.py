"""The steps of a settlement: one function for each step of a rule book.

A step reads the game and the lines so far and yields its own lines. A step whose table is missing from the
ruleset yields nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from scoring.exact import ExactSum, add, nearest, towards_zero
from scoring.placement import Group
from scoring.ruleset.settling import (
    Conversion,
    FeeCollector,
    Halves,
    PlacePayment,
    PrizeTime,
    Receiver,
    Rounding,
    RoundingPolicy,
)
from scoring.ruleset.substitute import FlatPart, SubstituteAccount
from scoring.settled import Game, Line, LineCause

NOTHING = Fraction(0)
NO_PARAMS: Mapping[str, object] = MappingProxyType({})

Step = Callable[[Game, Sequence[Line]], Iterable[Line]]


def convert_scores(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Yield each seat's score less the return score, in the ledger's points."""
    conversion, back = game.rules.settlement.conversion, game.rules.setup.return_
    if conversion is None:
        return
    clause = conversion.clauses[0]
    for seat, score in enumerate(game.result.scores):
        params = {"score": score, "return": back}
        amount = conversion.amount(score - back)
        yield Line(seat, conversion.ledger, amount, LineCause.RETURN, clause, params)


def oka(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Give the first place the points that the return score held back from every player, shared if it is shared."""
    table, conversion = game.rules.settlement.oka, game.rules.settlement.conversion
    if table is None or table.receiver is Receiver.NOBODY or conversion is None:
        return
    setup = game.rules.setup
    total = conversion.amount(game.rules.players * (setup.return_ - setup.start))
    if total:
        yield from _shared(game, conversion.ledger, game.groups[0], total, (LineCause.OKA, table.clauses[0]))


def uma(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Give each group the bonuses of the places it fills (uma), shared exactly among its seats."""
    table, conversion = game.rules.settlement.uma, game.rules.settlement.conversion
    if table is None or conversion is None:
        return
    count = game.floating_count
    if not any(table.row(count)):
        return
    # The number of floating players is the reason for the row, so each line says it.
    about = {} if count is None else {"floating": count}
    for group in game.groups:
        total = table.of_places(game.places[group[0]] - 1, len(group), count)
        yield from _shared(game, conversion.ledger, group, total, (LineCause.UMA, table.clause(count)), about)


def _shared(
    game: Game,
    ledger: str,
    group: Group,
    total: Fraction,
    why: tuple[LineCause, str],
    about: Mapping[str, object] = NO_PARAMS,
) -> Iterator[Line]:
    cause, clause = why
    share, level = total, len(group)
    if level > 1:
        share, clause = total / level, game.rules.settlement.placing.clauses[0]
    params = {"place": game.places[group[0]], "level": level, **about}
    for seat in group:
        yield Line(seat, ledger, share, cause, clause, params)


def sinking_uma(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Let each player but the top who ends below the line pay the top."""
    table, conversion = game.rules.settlement.sinking_uma, game.rules.settlement.conversion
    if table is None or conversion is None:
        return
    amount = conversion.amount(table.amount)
    for seat in game.others():
        if game.final_scores[seat] < table.line:
            params = {"score": game.final_scores[seat], "line": table.line}
            why = (LineCause.SINKING_UMA, table.clauses[0])
            yield from _paid(seat, game.top, (conversion.ledger, amount), why, params)


def floor(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Charge the top for the points of each player below the lowest score that is settled."""
    table, conversion = game.rules.settlement.floor, game.rules.settlement.conversion
    if table is None or conversion is None:
        return
    for seat in game.others():
        score = game.final_scores[seat]
        if score < table.score:
            amount = conversion.amount(table.score - score)
            params = {"score": score, "floor": table.score}
            why = (LineCause.FLOOR, table.clauses[0])
            yield from _paid(game.top, seat, (conversion.ledger, amount), why, params)


def tobi(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Let each busted player pay a prize to the player who made them go out."""
    table = game.rules.settlement.tobi
    if table is None or table.paid is PrizeTime.WITH_THE_HAND:
        return
    for busted, receiver in game.tobi:
        why = (LineCause.TOBI, table.clauses[0])
        yield from _paid(busted, receiver, (table.ledger, table.amount), why, {})


def kyoutaku(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Show the leftover deposits that were added to the score of the top, or of the seats that share it."""
    table, conversion = game.rules.settlement.kyoutaku, game.rules.settlement.conversion
    if table is None or conversion is None:
        return
    for seat in game.seats():
        gained = game.final_scores[seat] - game.result.scores[seat]
        if gained:
            amount, params = conversion.amount(gained), {"points": gained}
            yield Line(seat, conversion.ledger, amount, LineCause.KYOUTAKU, table.clauses[0], params)


def rounding(game: Game, lines: Sequence[Line]) -> Iterator[Line]:
    """Round each account to a multiple of the step, by the ruleset's policy."""
    table, conversion = game.rules.settlement.rounding, game.rules.settlement.conversion
    if table is None or conversion is None or table.policy is RoundingPolicy.EXACT:
        return
    accounts = _accounts(game, lines, conversion.ledger)
    changes = ROUNDINGS[table.policy](game, conversion, accounts, table)
    for seat, change in enumerate(changes):
        # Where the top takes the balance, `balance` sets its account from the others': rounding it too would count
        # twice.
        if change and not (seat == game.top and game.rules.settlement.balance_to_top):
            params = {"account": str(accounts[seat].exact)}
            yield Line(seat, conversion.ledger, change, LineCause.ROUNDING, table.clauses[0], params)


def nearest_alike(_: Game, __: Conversion, accounts: Sequence[ExactSum], table: Rounding) -> list[Fraction]:
    """Return the changes that round each account to the nearest step, equal accounts alike."""
    return [_to_nearest(account, table) for account in accounts]


def odd_to_first_seats(_: Game, __: Conversion, accounts: Sequence[ExactSum], table: Rounding) -> list[Fraction]:
    """Return the changes that round each account down to a step.

    The steps lost are given back to rounded accounts, one each, from the seat nearest the first dealer on.
    """
    step = table.step
    changes = [_change(account, account.over(step)[0], step) for account in accounts]
    missing = -sum(changes, Fraction(0)) // step
    for seat, change in enumerate(changes):
        # Only accounts that lost a fraction take a step back; accounts already on a step stay exact.
        if change and missing > 0:
            changes[seat] += step
            missing -= 1
    return changes


def scores_nearest(game: Game, conversion: Conversion, _: Sequence[ExactSum], table: Rounding) -> list[Fraction]:
    """Return the changes that round each score to the nearest step before it is converted."""
    return [_to_nearest(add((conversion.amount(score),)), table) for score in game.final_scores]


def cut_towards_zero(_: Game, __: Conversion, accounts: Sequence[ExactSum], table: Rounding) -> list[Fraction]:
    """Return the changes that cut each account off towards zero."""
    return [_change(account, towards_zero(account, table.step), table.step) for account in accounts]


def _to_nearest(account: ExactSum, table: Rounding) -> Fraction:
    """Return the amount to add to an account to bring it to the nearest step."""
    return _change(account, nearest(account, table.step, halves_away=table.halves is Halves.AWAY), table.step)


def _change(account: ExactSum, steps: int, step: Fraction) -> Fraction:
    """Return the amount to add to an account to make it this number of steps."""
    if steps * account.unit(step) == account.numerator * step.denominator:
        return NOTHING
    return steps * step - account.exact


RoundingStep = Callable[[Game, Conversion, Sequence[ExactSum], Rounding], list[Fraction]]

ROUNDINGS: Mapping[RoundingPolicy, RoundingStep] = {
    RoundingPolicy.NEAREST_ALIKE: nearest_alike,
    RoundingPolicy.ODD_TO_FIRST_SEATS: odd_to_first_seats,
    RoundingPolicy.SCORES_NEAREST: scores_nearest,
    RoundingPolicy.TOWARDS_ZERO: cut_towards_zero,
}


def balance(game: Game, lines: Sequence[Line]) -> Iterator[Line]:
    """Correct the top's account so that the lines so far in the ledger of the scores add up to zero."""
    conversion, table = game.rules.settlement.conversion, game.rules.settlement.rounding
    if not game.rules.settlement.balance_to_top or conversion is None or table is None:
        return
    table_sum = add(line.amount for line in lines if line.ledger == conversion.ledger)
    if table_sum.numerator:
        missing = -table_sum.exact
        yield Line(game.top, conversion.ledger, missing, LineCause.ROUNDING, table.clauses[0])


def substitute_uma(game: Game, lines: Sequence[Line]) -> Iterator[Line]:
    """Replace the bonuses of a substitute's place by the flat amount, where the book says so."""
    table = game.rules.settlement.substitute
    if table is not None and table.replaces is FlatPart.UMA:
        bonuses = [line for line in lines if line.cause in (LineCause.UMA, LineCause.OKA)]
        yield from _flat(game, bonuses, table)


def substitute_result(game: Game, lines: Sequence[Line]) -> Iterator[Line]:
    """Replace the whole result of a substitute by the flat amount, where the book says so."""
    table = game.rules.settlement.substitute
    if table is not None and table.replaces is FlatPart.RESULT:
        yield from _flat(game, lines, table)


def _flat(game: Game, replaced: Sequence[Line], table: SubstituteAccount) -> Iterator[Line]:
    """Yield the line that brings the sum of each substitute's lines to the flat amount; the others' stay."""
    accounts = _accounts(game, replaced, table.ledger)
    for seat in game.result.substitutes:
        change, params = table.amount - accounts[seat].exact, {"account": str(table.amount)}
        yield Line(seat, table.ledger, change, LineCause.SUBSTITUTE, table.clauses[0], params)


def chonbo(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Deduct each offence, regardless of the place; no player receives the points."""
    table = game.rules.settlement.chonbo
    if table is None:
        return
    for seat, count in enumerate(game.result.chonbo):
        if count:
            amount, params = -table.amount * count, {"count": count}
            yield Line(seat, table.ledger, amount, LineCause.CHONBO, table.clauses[0], params)


def chips(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Carry the prizes over as they were entered at the table."""
    for key, amounts in game.result.carried.items():
        ledger = game.rules.ledger(key)
        for seat, amount in enumerate(amounts):
            if amount:
                exact = Fraction(amount, ledger.scale)
                yield Line(seat, key, exact, LineCause.CHIPS, ledger.clauses[0])


def place_payments(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Let places pay one another; the payments depend on one place's score having reached the line."""
    table = game.rules.settlement.place_payments
    if table is None:
        return
    by_place = {place: seat for seat, place in enumerate(game.places)}
    score = game.final_scores[by_place[table.place]]
    due: tuple[PlacePayment, ...] = table.reached if score >= table.line else table.missed
    for payment in due:
        params = {"payer": payment.payer, "receiver": payment.receiver, "score": score}
        why = (LineCause.PLACE_PAYMENT, table.clauses[0])
        money = (table.ledger, payment.amount)
        yield from _paid(by_place[payment.payer], by_place[payment.receiver], money, why, params)


def top_payment(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Let each sunk player pay the top a fixed amount; the top pays the house its fee."""
    table = game.rules.settlement.top_payment
    if table is None or game.floating is None:
        return
    kind = {"top_type": game.floating.top_type.value, "gentsuu": game.floating.gentsuu}
    stake, fee = game.floating.stake(table), game.floating.fee(table)
    for seat, floats in enumerate(game.floating.seats):
        if not floats:
            why = (LineCause.TOP_PAYMENT, table.clauses[0])
            yield from _paid(seat, game.top, (table.ledger, stake), why, kind)
    if fee:
        yield Line(game.top, table.ledger, -fee, LineCause.TOP_FEE, table.clauses[0], kind)


def fees(game: Game, _: Sequence[Line]) -> Iterator[Line]:
    """Charge every player the house's fee, and the top an additional one."""
    table = game.rules.settlement.fees
    if table is None:
        return
    by_top = table.handed_over_by is FeeCollector.TOP
    for seat in game.seats():
        params = {"handed_over_by": game.top if by_top else seat}
        yield Line(seat, table.ledger, -table.each, LineCause.FEE, table.clauses[0], params)
    if table.top:
        yield Line(game.top, table.ledger, -table.top, LineCause.TOP_FEE, table.clauses[0])


def _accounts(game: Game, lines: Sequence[Line], ledger: str) -> list[ExactSum]:
    """Add up a ledger's lines so far by seat."""
    amounts: list[list[Fraction]] = [[] for _ in game.seats()]
    for line in lines:
        if line.ledger == ledger:
            amounts[line.seat].append(line.amount)
    return [add(each) for each in amounts]


def _paid(
    payer: int,
    receiver: int,
    money: tuple[str, Fraction],
    why: tuple[LineCause, str],
    params: Mapping[str, object],
) -> Iterator[Line]:
    """Yield both sides of a payment from one seat to another."""
    ledger, amount = money
    yield Line(payer, ledger, -amount, *why, {**params, "to": receiver})
    yield Line(receiver, ledger, amount, *why, {**params, "from": payer})


STEPS: tuple[Step, ...] = (
    convert_scores,
    oka,
    uma,
    sinking_uma,
    floor,
    tobi,
    kyoutaku,
    substitute_uma,
    rounding,
    balance,
    substitute_result,
    chonbo,
    chips,
    place_payments,
    top_payment,
    fees,
)
"""The steps in order: lines are shown in it, and rounding sees the lines before it."""
