"""Player statistics counted from kyoku: rates of riichi, wins, deal-ins and tenpai, each with its own denominator.

A kyoku counts unless it was void or ended by a ruling. For a kyoku of which only the final scores were read
off the table, the winners are known and nothing else; it enters no rate that needs more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from scoring.kyoku import KyokuResult
from scoring.kyoku.outcomes import ChonboCalled, Draw, Nagashi, Outcome, Ron, Ruling, ScoresOnly, Tsumo
from scoring.kyoku.state import Cause
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import NagashiNature
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.value import Worth, base_points

OF_THE_HAND = (Cause.HAND, Cause.CLOSED, Cause.DORA, Cause.NAGASHI)
"""Causes of transfers that make up a hand's own value, without counters and deposits."""
YAKUMAN = (LimitName.YAKUMAN, LimitName.KAZOE)


@dataclass(frozen=True, slots=True)
class Ratio:
    """A count out of a number of cases, or a sum over them."""

    count: int = 0
    of: int = 0

    @property
    def value(self) -> Fraction | None:
        """Return the share or the mean; None if there are no cases."""
        return Fraction(self.count, self.of) if self.of else None

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.count + other.count, self.of + other.of)


NOTHING = Ratio()


@dataclass(frozen=True, slots=True)
class Rates:
    """One player's statistics over a number of kyoku."""

    kyoku: int = 0
    riichi: Ratio = NOTHING
    """Declared and not withdrawn, out of the kyoku in which riichi costs a stake; elsewhere it need not be logged."""
    wins: Ratio = NOTHING
    deal_ins: Ratio = NOTHING
    """Counted once for each kyoku, even if several players won on the discard."""
    tsumo: Ratio = NOTHING
    """Out of the wins."""
    tenpai: Ratio = NOTHING
    """Out of the draws at which noten players pay tenpai players."""
    won: Ratio = NOTHING
    """Points won by hands, over the wins that were paid: a yakuman that ends the game has no amount."""
    paid: Ratio = NOTHING
    """Points lost by deal-ins, over those that were paid."""
    largest: int | None = None
    """The value of the largest hand won."""
    yakuman: int = 0
    """Wins with a yakuman, those counted from han included."""
    largest_at: int | None = field(default=None, compare=False)
    yakuman_at: int | None = field(default=None, compare=False)
    """Index of the largest hand, and of the first yakuman, among the hands of the game; for one game's rates only."""

    def __add__(self, other: Rates) -> Rates:
        larger = max(self, other, key=lambda each: -1 if each.largest is None else each.largest)
        return Rates(
            self.kyoku + other.kyoku,
            self.riichi + other.riichi,
            self.wins + other.wins,
            self.deal_ins + other.deal_ins,
            self.tsumo + other.tsumo,
            self.tenpai + other.tenpai,
            self.won + other.won,
            self.paid + other.paid,
            larger.largest,
            self.yakuman + other.yakuman,
            larger.largest_at,
            other.yakuman_at if self.yakuman_at is None else self.yakuman_at,
        )


def rates_of(results: Iterable[KyokuResult], rules: Ruleset) -> tuple[Rates, ...]:
    """Return the statistics of each seat over these kyoku; void kyoku and rulings are left out."""
    play = rules.hand_rules
    counted = [(at, each) for at, each in enumerate(results) if not isinstance(each.outcome, ChonboCalled | Ruling)]
    return tuple(
        sum((_of_seat(seat, at, result, play) for at, result in counted), start=Rates())
        for seat in range(rules.players)
    )


def _of_seat(seat: int, at: int, result: KyokuResult, play: Play) -> Rates:
    """Return the statistics of one seat from one kyoku, the game's hand of the index `at`."""
    outcome = result.outcome
    is_told = not isinstance(outcome, ScoresOnly)
    has_won = seat in _winners(result, play)
    has_yakuman = has_won and _has_yakuman(seat, outcome, play)
    deals_in = isinstance(outcome, Ron) and outcome.loser == seat
    tenpai = _tenpai(outcome, play)
    won = _hands_paid(result, receiver=seat) if has_won else 0
    paid = _hands_paid(result, payer=seat) if deals_in else 0
    return Rates(
        kyoku=1,
        # Without a stake a riichi moves no points and is often not logged: it would count as not declared.
        riichi=_single_case(seat in result.before.hand.declared(), known=is_told and play.riichi.stake > 0),
        wins=_single_case(has_won),
        deal_ins=_single_case(deals_in, known=is_told),
        tsumo=_single_case(not isinstance(outcome, Ron), known=is_told and has_won),
        tenpai=NOTHING if tenpai is None else _single_case(seat in tenpai),
        won=Ratio(won, bool(won)),
        paid=Ratio(paid, bool(paid)),
        largest=won or None,
        largest_at=at if won else None,
        yakuman=int(has_yakuman),
        yakuman_at=at if has_yakuman else None,
    )


def _single_case(happened: bool, *, known: bool = True) -> Ratio:  # noqa: FBT001 - the one thing it is about
    """Return one case, counted or not; no case if it is not known."""
    return Ratio(int(happened), 1) if known else NOTHING


def _winners(result: KyokuResult, play: Play) -> Collection[int | None]:
    """Return the winners of a kyoku; nagashi counts as a win only where the book treats it as one."""
    outcome, rule = result.outcome, play.draws.nagashi
    if isinstance(outcome, Ron):
        return [win.seat for win in outcome.wins]
    if isinstance(outcome, Tsumo):
        return [outcome.win.seat]
    if isinstance(outcome, ScoresOnly):
        return outcome.winners
    if isinstance(outcome, Nagashi) and rule is not None and rule.nature is NagashiNature.WIN:
        return {each.receiver for each in result.transfers if each.cause is Cause.NAGASHI}
    return ()


def _has_yakuman(seat: int, outcome: Outcome, play: Play) -> bool:
    """Return True if the seat's win is worth a yakuman by its own value, not as the price of a forced deal-in."""
    wins = outcome.wins if isinstance(outcome, Ron) else (outcome.win,) if isinstance(outcome, Tsumo) else ()
    own = (win.value for win in wins if win.seat == seat)
    return any(isinstance(worth, Worth) and base_points(worth, play)[0] in YAKUMAN for worth in own)


def _tenpai(outcome: Outcome, play: Play) -> tuple[int, ...] | None:
    """Return the tenpai players at a draw; None where tenpai had no consequence and need not have been noted."""
    if not isinstance(outcome, Draw | Nagashi) or not play.draws.noten.pool:
        return None
    rule = play.draws.nagashi
    is_paid = isinstance(outcome, Draw) or (rule is not None and rule.noten_paid)
    return outcome.tenpai if is_paid else None


def _hands_paid(result: KyokuResult, *, receiver: int | None = None, payer: int | None = None) -> int:
    """Return the points that the hands of a kyoku brought a receiver, or cost a payer."""
    return sum(
        each.amount
        for each in result.transfers
        if each.ledger == TABLE_POINTS
        and each.cause in OF_THE_HAND
        and (each.receiver == receiver if payer is None else each.payer == payer)
    )
