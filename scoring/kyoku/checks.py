"""Checks of outcomes, seat by seat and rule by rule; each check yields its refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.kyoku.check_values import liability_refusals, prize_refusals, value_refusals
from scoring.kyoku.circumstances import refused_circumstances
from scoring.kyoku.flow import playable_rounds
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    FourKansStand,
    Move,
    Nagashi,
    Ron,
    RonCalls,
    Ruling,
    ScoresOnly,
    Tsumo,
    Win,
)
from scoring.kyoku.payments import RuledState, fed_as_ron
from scoring.kyoku.refusals import Refusal, Refusals, refusal
from scoring.kyoku.winning import in_turn, judge_wins
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import AbortiveKind, Offence, Penalty
from scoring.ruleset.value import MultiRon
from scoring.value import By


def seats(named: Sequence[int], pointer: str, table: RuledState) -> Refusals:
    """Yield refusals of seats that do not exist or are named twice."""
    for index, seat in enumerate(named):
        if not 0 <= seat < table.state.players:
            yield refusal("seat_unknown", f"{pointer}/{index}", seat=seat, last=table.state.players - 1)
        if seat in named[:index]:
            yield refusal("seat_twice", f"{pointer}/{index}", seat=seat)


def ron(outcome: Ron, table: RuledState) -> Refusals:
    """Yield the refusals of a ron: too many winners for the book, impossible or forbidden wins."""
    found = [*_ron_seats(outcome.loser, outcome.wins, "wins", table)]
    yield from found
    if found:
        return
    ordered, count = in_turn(outcome.wins, outcome.loser, table), len(outcome.wins)
    policy = ron_policy(count, table)
    if policy is MultiRon.DRAW:
        yield refusal("rons_draw_hand", "wins", count=count)
    elif policy is MultiRon.HEAD_BUMP:
        yield refusal("second_ron", "wins/1", seat=ordered[0].seat)
    wins = [*_wins(outcome.wins, outcome.loser, "wins", table)]
    yield from wins
    # Whether a win is forbidden depends on the payments, which exist only for valid wins.
    if policy is MultiRon.ALL and not wins:
        yield from _forbidden(ordered, outcome.loser, table)


def ron_calls(outcome: RonCalls, table: RuledState) -> Refusals:
    """Yield the refusals of calls of ron; each must be a possible win."""
    found = [*_ron_seats(outcome.loser, outcome.calls, "calls", table)]
    yield from found or _wins(outcome.calls, outcome.loser, "calls", table)


def tsumo(outcome: Tsumo, table: RuledState) -> Refusals:
    """Yield the refusals of a self-draw: an unknown seat, an impossible or forbidden win."""
    found = [*seats((outcome.win.seat,), "win", table)] or [*_wins((outcome.win,), None, "win", table)]
    yield from found or _forbidden((outcome.win,), None, table)


def four_kans(outcome: FourKansStand, table: RuledState) -> Refusals:
    """Yield the refusals of four kans that count as a yakuman; only some books have this."""
    yield from seats((outcome.seat,), "seat", table)
    if not table.play.yaku_rules.fourth_kan_wins:
        yield refusal("four_kans_do_not_stand", "seat")


def draw(outcome: Draw, table: RuledState) -> Refusals:
    """Yield the refusals of a draw: tenpai with a dead hand, or a hand that four riichi end in another way."""
    yield from _tenpai(outcome.tenpai, table)
    four = table.play.draws.abortive.get(AbortiveKind.FOUR_RIICHI)
    if four is not None and four.played and len(table.state.hand.stakes) == table.state.players:
        yield refusal("four_riichi_end_hand")


def nagashi(outcome: Nagashi, table: RuledState) -> Refusals:
    """Yield the refusals of a nagashi, which the book must pay and a riichi may spoil."""
    rule = table.play.draws.nagashi
    yield from seats(outcome.seats, "seats", table)
    yield from _tenpai(outcome.tenpai, table)
    if rule is None:
        yield refusal("no_nagashi")
        return
    if not outcome.seats:
        yield refusal("no_winner", "seats")
    for index, seat in enumerate(outcome.seats):
        if rule.riichi_spoils and seat in table.state.hand.declared():
            yield refusal("nagashi_in_riichi", f"seats/{index}", seat=seat)


def abortive(outcome: AbortiveDraw, table: RuledState) -> Refusals:
    """Yield the refusals of an abortive draw that the book does not play."""
    rule = table.play.draws.abortive.get(outcome.kind)
    if rule is None or not rule.played:
        yield refusal("abortive_not_played", "kind", kind=outcome.kind.value)
    elif outcome.kind is AbortiveKind.FOUR_RIICHI and len(table.state.hand.stakes) < table.state.players:
        yield refusal("not_all_in_riichi", "kind")


def chonbo(outcome: ChonboCalled, table: RuledState) -> Refusals:
    """Yield the refusals of a chonbo: no offender, or an offence that is not a chonbo in this book."""
    yield from seats(outcome.offenders, "offenders", table)
    if not outcome.offenders:
        yield refusal("no_offender", "offenders")
    if not table.play.penalties.offences:
        yield refusal("no_offences")
    elif outcome.offence:
        yield from _offence_is_chonbo(outcome, table)


def scores_only(outcome: ScoresOnly, table: RuledState) -> Refusals:
    """Yield the refusals of scores that are incomplete or leave an impossible amount on the table."""
    state, unit = table.state, table.rules.entry.unit
    yield from seats(outcome.winners, "winners", table)
    yield from _tenpai(outcome.tenpai, table)
    if len(outcome.scores) != state.players:
        yield refusal("score_count", "scores", actual=len(outcome.scores), expected=state.players)
        return
    for seat, score in enumerate(outcome.scores):
        if score % unit:
            yield refusal("score_not_multiple", f"scores/{seat}", score=score, unit=unit)
    yield from _left(outcome, table)
    for ledger, amounts in outcome.prizes.items():
        yield from _ledger(ledger, f"prizes/{ledger}", table)
        if sum(amounts):
            yield refusal("amounts_sum", f"prizes/{ledger}", ledger=ledger, actual=sum(amounts))


def _left(outcome: ScoresOnly, table: RuledState) -> Refusals:
    """Refuse scores by the deposits they leave: none after a win; after a draw the old ones plus whole stakes."""
    state, stake = table.state, table.play.riichi.stake
    left = sum(state.scores) + state.kyoutaku - sum(outcome.scores)
    if outcome.winners:
        if left:
            yield refusal("deposits_after_win", "scores", left=left)
        return
    # Old deposits need not be whole stakes (a ruling may leave any amount); only stakes can be added to them, and
    # none where the book has no riichi stake.
    added = left - state.kyoutaku
    if added < 0 or (added % stake if stake else added):
        yield refusal("deposits_after_draw", "scores", left=left, least=state.kyoutaku)


def ruling(outcome: Ruling, table: RuledState) -> Refusals:
    """Yield the refusals of a ruling: no reason, an unknown clause, or amounts that are not there."""
    if not outcome.reason.strip():
        yield refusal("reason_missing", "reason")
    if outcome.clause and outcome.clause not in table.rules.book.known():
        yield refusal("clause_unknown", "clause", clause=outcome.clause)
    for index, move in enumerate(outcome.moves):
        yield from _move(move, f"moves/{index}", table)
    points = [move for move in outcome.moves if move.ledger == TABLE_POINTS]
    taken = sum(move.amount for move in points if move.payer is None)
    laid = sum(move.amount for move in points if move.receiver is None)
    # Only deposits can be taken from the table; what the ruling itself lays down counts as well.
    if taken - laid > table.state.deposits(table.rules):
        yield refusal("deposits_missing", "moves", deposits=table.state.deposits(table.rules))
    yield from _position(outcome, table)


def ron_policy(count: int, table: RuledState) -> MultiRon:
    """Return the book's policy for this number of calls of ron."""
    several = table.play.several_winners
    # 0 calls are refused elsewhere (`no_winner`); here they must not raise.
    return {0: MultiRon.ALL, 1: MultiRon.ALL, 2: several.two}.get(count, several.three)


def offence_of(key: str, table: RuledState) -> Offence | None:
    """Return the book's offence of this key; None if it lists none."""
    return next((each for each in table.play.penalties.offences if each.key == key), None)


def offence_by(seat: int, key: str, table: RuledState) -> Offence | None:
    """Return the offence that this act is for the seat: for a player in riichi it may be another one."""
    found = offence_of(key, table)
    if found is None or not found.in_riichi or seat not in table.state.hand.declared():
        return found
    return offence_of(found.in_riichi, table)


def offence_needs_riichi(seat: int, offence: Offence, pointer: str, table: RuledState) -> Refusals:
    """Refuse an offence that only a player in riichi can commit."""
    if offence.by_riichi and seat not in table.state.hand.declared():
        yield refusal("offence_needs_riichi", pointer, seat=seat, offence=offence.key)


def unknown_offence(key: str, table: RuledState) -> Refusal:
    """Return the refusal of an offence that the book does not list."""
    known = ", ".join(each.key for each in table.play.penalties.offences) or "none"
    return refusal("offence_unknown", "offence", offence=key, known=known)


def _ron_seats(loser: int, wins: Sequence[Win], pointer: str, table: RuledState) -> Refusals:
    yield from seats((loser,), "loser", table)
    yield from seats([win.seat for win in wins], pointer, table)
    if not wins:
        yield refusal("no_winner", pointer)
    for index, win in enumerate(wins):
        if win.seat == loser:
            yield refusal("winner_is_loser", f"{pointer}/{index}", seat=loser)


def _wins(wins: Sequence[Win], loser: int | None, pointer: str, table: RuledState) -> Refusals:
    hand, several = table.state.hand, loser is not None
    by = By.RON if several else By.TSUMO
    for index, win in enumerate(wins):
        at = f"{pointer}/{index}" if several else pointer
        if win.seat in hand.dead:
            yield refusal("winner_dead_hand", at, seat=win.seat)
        if win.seat in hand.redeclare:
            yield refusal("win_needs_riichi", at, seat=win.seat)
        yield from refused_circumstances(win, loser, at, table)
        # BOO-039: after 大明槓 the value is that of a ron, so fu and points are checked as for a ron.
        paid_by = By.RON if fed_as_ron(win.liability, table.play) else by
        yield from value_refusals(win, paid_by, at, table)
        yield from liability_refusals(win, by, at, table)
        yield from prize_refusals(win, at, table)


def _forbidden(wins: Sequence[Win], loser: int | None, table: RuledState) -> Refusals:
    for win, judgement in zip(wins, judge_wins(wins, loser, table), strict=False):
        if not judgement.is_allowed:
            yield refusal("win_forbidden", "", seat=win.seat, reasons=", ".join(judgement.reasons))


def _tenpai(tenpai: Sequence[int], table: RuledState) -> Refusals:
    yield from seats(tenpai, "tenpai", table)
    dead = table.play.penalties.dead_hand
    silent = table.play.penalties.redeclare
    for index, seat in enumerate(tenpai):
        if seat in table.state.hand.dead and not (dead is not None and dead.tenpai):
            yield refusal("tenpai_dead_hand", f"tenpai/{index}", seat=seat)
        if seat in table.state.hand.redeclare and silent is not None and not silent.tenpai:
            yield refusal("tenpai_needs_riichi", f"tenpai/{index}", seat=seat)


def _offence_is_chonbo(outcome: ChonboCalled, table: RuledState) -> Refusals:
    key = outcome.offence
    offence = offence_of(key, table)
    if offence is None:
        yield unknown_offence(key, table)
        return
    if offence.penalty not in (Penalty.CHONBO, Penalty.DEAD_HAND_AND_CHONBO):
        yield refusal("offence_no_chonbo", "offence", offence=key, penalty=offence.penalty.value)
    for index, seat in enumerate(outcome.offenders):
        yield from offence_needs_riichi(seat, offence, f"offenders/{index}", table)


def _ledger(key: str, pointer: str, table: RuledState) -> Refusals:
    known = [ledger.key for ledger in table.rules.entered_ledgers]
    if key not in known:
        yield refusal("ledger_unknown", pointer, ledger=key, known=", ".join(known) or "none")


def _move(move: Move, pointer: str, table: RuledState) -> Refusals:
    named = [seat for seat in (move.payer, move.receiver) if seat is not None]
    for seat in named:
        if not 0 <= seat < table.state.players:
            yield refusal("seat_unknown", pointer, seat=seat, last=table.state.players - 1)
    if move.payer == move.receiver or (None in (move.payer, move.receiver) and move.ledger != TABLE_POINTS):
        yield refusal("move_to_self", pointer)
    if move.amount <= 0:
        yield refusal("amount_not_positive", pointer, amount=move.amount)
    if move.ledger != TABLE_POINTS:
        yield from _ledger(move.ledger, pointer, table)


def _position(outcome: Ruling, table: RuledState) -> Refusals:
    there = outcome.goes_on
    if there is None:
        return
    exists = there.round in playable_rounds(table.rules) and 1 <= there.number <= table.state.players
    if not exists or there.honba < 0:
        params = {"round": there.round.value, "number": there.number, "honba": there.honba}
        yield refusal("position_unknown", "goes_on", **params)


@dataclass(frozen=True, slots=True)
class AtDraw:
    """The offences that a draw reveals."""

    offenders: tuple[int, ...]
    offence: str
    """The first of them."""
    is_one: bool
    """True if all offenders committed the same one."""


def offenders_at_draw(tenpai: Sequence[int], table: RuledState) -> AtDraw | None:
    """Return the offences revealed when the hand is drawn: pending ones, and riichi without tenpai.

    Return None if there are none.
    """
    hand = table.state.hand
    pending = [(each.seat, each.offence) for each in hand.pending]
    if table.play.riichi.noten_is_offence:
        false = [seat for seat in hand.declared() if seat not in tenpai and seat not in hand.dead]
        pending += [(seat, NOTEN_RIICHI) for seat in false]
    if not pending:
        return None
    offenders = tuple(sorted({seat for seat, _ in pending}))
    return AtDraw(offenders, pending[0][1], len({offence for _, offence in pending}) == 1)


NOTEN_RIICHI = "noten_riichi"
"""The key under which books list riichi without tenpai."""

CHECKS: Mapping[type[Any], Callable[[Any, RuledState], Refusals]] = {
    Ron: ron,
    RonCalls: ron_calls,
    Tsumo: tsumo,
    FourKansStand: four_kans,
    Draw: draw,
    Nagashi: nagashi,
    AbortiveDraw: abortive,
    ChonboCalled: chonbo,
    ScoresOnly: scores_only,
    Ruling: ruling,
}
"""The check of each kind of outcome."""
