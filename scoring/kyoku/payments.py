"""Points that move in a kyoku, in their order of payment.

The order is stakes and fines, the hand, honba, deposits; or the costs of a draw or an offence. Each function yields
transfers with cause and clause; none of them depends on what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.kyoku.outcomes import LiableFor, LiablePlayer, Points, Win
from scoring.kyoku.state import Cause, State, Transfer, stake_of
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import NagashiWorth
from scoring.ruleset.play import Play
from scoring.ruleset.value import HonbaOfSeveral, LimitName, PaoHonba, StakesOfSeveral, YakumanEffect
from scoring.value import Part, PartName, Value, Worth, hand_part, rounded_up, value, yakuman_base

Why = tuple[Cause, str]
"""A cause and its clause."""

CAUSES = {PartName.HAND: Cause.HAND, PartName.CLOSED: Cause.CLOSED, PartName.DORA: Cause.DORA}


@dataclass(frozen=True, slots=True)
class RuledState:
    """A state with the rules it is played under."""

    state: State
    rules: Ruleset
    play: Play

    @property
    def is_last_hand(self) -> bool:
        """True in the last hand of the last round."""
        return self.rules.is_last_hand(self.state.round, self.state.number)

    def points(
        self, payer: int | None, receiver: int | None, amount: int, why: tuple[Cause, str]
    ) -> Iterator[Transfer]:
        """Yield a transfer of table points, unless the amount is 0."""
        if amount:
            yield Transfer(TABLE_POINTS, payer, receiver, amount, *why)


def table_of(state: State, rules: Ruleset) -> RuledState:
    """Return the state with its rules; raise NoHandsError if the ruleset only settles final scores."""
    return RuledState(state, rules, rules.hand_rules)


def stakes_and_fines(table: RuledState) -> Iterator[Transfer]:
    """Yield the stakes and fines laid on the table in this hand."""
    for stake in table.state.hand.stakes:
        rule = table.play.riichi.open if stake.open and table.play.riichi.open else table.play.riichi
        yield from table.points(stake.seat, None, stake_of(stake, table.play), (Cause.STAKE, rule.clauses[0]))
    fine = table.play.penalties.fine
    if fine is not None:
        for seat in table.state.hand.fines:
            yield from table.points(seat, None, fine.amount, (Cause.FINE, fine.clauses[0]))


def return_stakes(table: RuledState) -> Iterator[Transfer]:
    """Yield the stakes of a void hand, and fines if the book says so, back to the players who laid them."""
    after = table.play.penalties.chonbo.after
    back = {Cause.STAKE: Cause.STAKE_RETURNED} if after.stakes_returned else {}
    if after.fines_returned:
        back[Cause.FINE] = Cause.FINE_RETURNED
    # Returned to the player who laid it, one transfer for each stake or fine.
    for laid in stakes_and_fines(table):
        if laid.cause in back:
            why = (back[laid.cause], after.clauses[0])
            yield from table.points(None, laid.payer, laid.amount, why)


def value_of_win(win: Win, table: RuledState) -> Value:
    """Return the value of a win; a forced deal-in to an open riichi may make it a yakuman."""
    dealer = win.seat == table.state.dealer
    if forced_yakuman(win, table.play):
        return value(Worth(yakuman=1), dealer=dealer, play=table.play)
    if isinstance(win.value, Points):
        given = win.value
        part = Part(PartName.HAND, given.ron, given.from_dealer, given.from_other)
        return Value(None, 0, (part,), dealer)
    uncapped = is_uncapped(table)
    worth = win.value if win.value.uncapped is uncapped else replace(win.value, uncapped=uncapped)
    return value(worth, dealer=dealer, play=table.play)


def is_instant_top(win: Win, table: RuledState) -> bool:
    """Return True if a win is a yakuman that ends the game at once."""
    is_played = table.play.value.yakuman.effect is YakumanEffect.INSTANT_TOP
    return is_played and value_of_win(win, table).instant_top


def is_uncapped(table: RuledState) -> bool:
    """Return whether no limit applies to this hand: the last one, in houses that play it so."""
    return table.play.value.uncapped_in_last_hand and table.is_last_hand


def forced_yakuman(win: Win, play: Play) -> bool:
    """Return whether this is a forced deal-in to an open riichi that the book pays as a yakuman."""
    return win.forced and play.riichi.open is not None and play.riichi.open.forced_deal_in_yakuman


def ron(win: Win, loser: int, table: RuledState) -> Iterator[Transfer]:
    """Yield the payment of the discarder; a part under another player's liability is halved between the two."""
    worth = value_of_win(win, table)
    # A win that ends the game at once moves no points.
    if worth.instant_top:
        return
    liable, rest = _split(win, worth, table, by_ron=True)
    for part in rest:
        yield from table.points(loser, win.seat, part.ron, (CAUSES[part.name], table.play.payments.clauses[0]))
    if win.liability is None or table.play.pao is None:
        return
    if win.liability.seat == loser:
        yield from table.points(loser, win.seat, liable.ron, (Cause.HAND, table.play.pao.clauses[0]))
        return
    # Rounded up for the liable player; the discarder pays the remainder, so the sum is exact.
    half = rounded_up(-(-liable.ron // 2), table.play.payments)
    clause = table.play.pao.clauses[0]
    yield from table.points(loser, win.seat, liable.ron - half, (Cause.HAND, clause))
    yield from _mark_liable(table.points(win.liability.seat, win.seat, half, (Cause.HAND, clause)))


def tsumo(win: Win, table: RuledState, cause: Cause = Cause.HAND) -> Iterator[Transfer]:
    """Yield the shares of all payers; a liable player pays for all of them, or as for a ron."""
    worth = value_of_win(win, table)
    if worth.instant_top:
        return
    if win.liability is not None and fed_as_ron(win.liability, table.play):
        yield from _mark_liable(_pay_by_feeder(win.liability.seat, win.seat, worth, table))
        return
    liable, rest = _split(win, worth, table, by_ron=False)
    for payer in table.state.turn_from(win.seat):
        for part in rest:
            amount = part.from_dealer if payer == table.state.dealer else part.from_other
            why = (cause if part.name is PartName.HAND else CAUSES[part.name], table.play.payments.clauses[0])
            yield from table.points(payer, win.seat, amount, why)
    if win.liability is not None and table.play.pao is not None:
        whole = replace(worth, parts=(liable,)).tsumo(table.state.players - 1)
        why = (cause, table.play.pao.clauses[0])
        yield from _mark_liable(table.points(win.liability.seat, win.seat, whole, why))


def honba(win: Win, loser: int | None, table: RuledState) -> Iterator[Transfer]:
    """Yield the honba: from the discarder, or from each payer; on a self-draw a liable player pays for all.

    In some books the liable player pays it on a ron too.
    """
    rule, count, pao = table.play.honba, table.state.honba, table.play.pao
    # BOO-107: a win without yaku may leave the counters.
    if not collects_honba(win, table) or is_instant_top(win, table):
        return
    why = (Cause.HONBA, rule.clauses[0])
    liability = win.liability
    if loser is not None and liability is not None and pao is not None and pao.honba is PaoHonba.LIABLE:
        yield from _mark_liable(table.points(liability.seat, win.seat, count * rule.ron, why))
    elif loser is not None:
        yield from table.points(loser, win.seat, count * rule.ron, why)
    elif liability is None:
        for payer in table.state.turn_from(win.seat):
            yield from table.points(payer, win.seat, count * rule.tsumo_each, why)
    else:
        all_shares = count * rule.tsumo_each * (table.state.players - 1)
        amount = count * rule.ron if fed_as_ron(liability, table.play) else all_shares
        yield from _mark_liable(table.points(liability.seat, win.seat, amount, why))


def honba_of_all(wins: Sequence[Win], loser: int | None, table: RuledState) -> Iterator[Transfer]:
    """Yield the honba of the head winner, or of every winner in books that pay each of them."""
    for win in wins if table.play.several_winners.honba is HonbaOfSeveral.EACH else wins[:1]:
        yield from honba(win, loser, table)


def deposits(winners: Sequence[int], table: RuledState) -> Iterator[Transfer]:
    """Yield all deposits to the head winner, the first; in some books other winners take their own stakes back."""
    rule, state = table.play.several_winners, table.state
    back = winners[1:] if rule.stakes is StakesOfSeveral.OWN_BACK else ()
    own = {seat: state.hand.staked(seat, table.rules) for seat in back}
    left = state.deposits(table.rules) - sum(own.values())
    for seat, amount in {winners[0]: left, **own}.items():
        yield from table.points(None, seat, amount, (Cause.DEPOSITS, rule.clauses[0]))


def collects_honba(win: Win, table: RuledState) -> bool:
    """Return whether a win collects the honba; without yaku it does so only if the book says so."""
    return table.play.honba.without_yaku or has_yaku(win, table)


def has_yaku(win: Win, table: RuledState) -> bool:
    """Return whether the hand has more han than the book gives every hand."""
    worth = win.value
    if isinstance(worth, Points) or worth.yakuman or worth.limit is not None:
        return True
    return worth.han > table.rules.bazoro(table.state.round)


def fed_as_ron(liability: LiablePlayer | None, play: Play) -> bool:
    """Return whether the liability is for an open kan whose replacement win the book pays as a ron."""
    return (
        liability is not None
        and liability.kind is LiableFor.OPEN_KAN
        and play.pao is not None
        and play.pao.open_kan_as_ron
    )


def noten(tenpai: Sequence[int], table: RuledState) -> Iterator[Transfer]:
    """Yield the payments from players who are not tenpai to those who are, the same total for each on a side.

    A single payer pays in turn order; of several payers, the first from the dealer pays the first receiver first.
    """
    pool, order = table.play.draws.noten.pool, table.state.from_dealer()
    payers = [seat for seat in order if seat not in tenpai]
    receivers = [seat for seat in order if seat in tenpai]
    if len(payers) == 1:
        # The order only matters for a player who goes out: the first payment not covered decides the prize.
        receivers = [seat for seat in table.state.turn_from(payers[0]) if seat in tenpai]
    due = {seat: pool // len(receivers) for seat in receivers}
    why = (Cause.NOTEN, table.play.draws.noten.clauses[0])
    for payer in payers:
        left = pool // len(payers)
        for receiver in receivers:
            amount = min(left, due[receiver])
            due[receiver] -= amount
            left -= amount
            yield from table.points(payer, receiver, amount, why)


def nagashi(seat: int, table: RuledState) -> Iterator[Transfer]:
    """Yield the payments of a nagashi, which are those of a self-draw."""
    yield from tsumo(Win(seat, nagashi_worth(table)), table, Cause.NAGASHI)


def nagashi_worth(table: RuledState) -> Worth:
    """Return the value of a nagashi: a mangan or a yakuman."""
    rule = table.play.draws.nagashi
    if rule is not None and rule.worth is NagashiWorth.YAKUMAN:
        return Worth(yakuman=1)
    return Worth(limit=LimitName.MANGAN)


def chonbo(offender: int, table: RuledState) -> Iterator[Transfer]:
    """Yield the offender's payments to all others, in points and if the book says so in a ledger."""
    rule, state = table.play.penalties.chonbo, table.state
    for receiver in state.turn_from(offender):
        if offender == state.dealer:
            amount = rule.points.from_dealer_to_each
        elif receiver == state.dealer:
            amount = rule.points.from_other_to_dealer
        else:
            amount = rule.points.from_other_to_other
        why = (Cause.CHONBO, rule.points.clauses[0])
        yield from table.points(offender, receiver, rounded_up(amount, table.play.payments), why)
    if rule.chips is not None:
        each = table.rules.ledger(rule.chips.ledger).stored(rule.chips.each)
        for receiver in state.turn_from(offender):
            yield Transfer(rule.chips.ledger, offender, receiver, each, Cause.CHONBO, rule.chips.clauses[0])


def _pay_by_feeder(feeder: int, winner: int, worth: Value, table: RuledState) -> Iterator[Transfer]:
    """Yield the payments of the player who fed the kan, as for a discarder."""
    rule = table.play.pao or table.play.payments
    for part in worth.parts:
        yield from table.points(feeder, winner, part.ron, (CAUSES[part.name], rule.clauses[0]))


def _split(win: Win, worth: Value, table: RuledState, *, by_ron: bool) -> tuple[Part, tuple[Part, ...]]:
    """Return the part of a hand that a player is liable for, and the other parts."""
    nothing = Part(PartName.HAND, 0, 0, 0)
    liability, hand, pao = win.liability, win.value, table.play.pao
    if liability is None or pao is None:
        return nothing, worth.parts
    if liability.kind is LiableFor.OPEN_KAN or isinstance(hand, Points) or pao.covers_hand(by_ron=by_ron):
        ron, from_dealer, from_other = worth.ron, worth.from_dealer, worth.from_other
        return Part(PartName.HAND, ron, from_dealer, from_other), ()
    liable = hand_part(_liable_base(liability, hand, table.play), dealer=worth.dealer, payments=table.play.payments)
    others = tuple(part for part in worth.parts if part.name is not PartName.HAND)
    # Split by base points, not by payments: each part is rounded like a hand of its own.
    left = worth.base - _liable_base(liability, hand, table.play)
    if left:
        others = (hand_part(left, dealer=worth.dealer, payments=table.play.payments), *others)
    return liable, others


def _liable_base(liability: LiablePlayer, hand: Worth, play: Play) -> int:
    """Return the base points of the yakuman under liability."""
    return yakuman_base(min(liability.yakuman, max(hand.yakuman, 1)), play.value)


def _mark_liable(transfers: Iterator[Transfer]) -> Iterator[Transfer]:
    return (replace(each, liable=True) for each in transfers)
