"""How often somebody declares riichi, wins or deals in: counted from kyoku, each rate over those that tell of it.

A kyoku counts unless it was void or ended by a ruling. Of one whose scores were only read off the table it is known
who won, and nothing else; it stands under no rate that asks for more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from scoring.kyoku import KyokuResult
from scoring.kyoku.outcomes import ChonboCalled, Draw, Nagashi, Outcome, Ron, Ruling, ScoresOnly, Tsumo
from scoring.kyoku.state import Cause, play_of
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.flow import NagashiNature
from scoring.ruleset.play import Play

OF_THE_HAND = (Cause.HAND, Cause.CLOSED, Cause.DORA, Cause.NAGASHI)
"""What a win is worth by itself; counters and deposits are not part of it."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """So many of so many, or a sum over so many."""

    count: int = 0
    of: int = 0

    @property
    def value(self) -> Fraction | None:
        """The share or the mean; None over nothing."""
        return Fraction(self.count, self.of) if self.of else None

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.count + other.count, self.of + other.of)


NOTHING = Ratio()


@dataclass(frozen=True, slots=True)
class Rates:
    """One player's figures over a number of kyoku."""

    kyoku: int = 0
    riichi: Ratio = NOTHING
    """Declared and not taken back, of the kyoku in which a riichi lays a stake; elsewhere none need be logged."""
    wins: Ratio = NOTHING
    deal_ins: Ratio = NOTHING
    """Once for each kyoku, however many won on the discard."""
    tsumo: Ratio = NOTHING
    """Of the wins."""
    tenpai: Ratio = NOTHING
    """Of the draws at which who is tenpai is paid by who is not."""
    won: Ratio = NOTHING
    """What the hands brought, over the wins that were paid: a yakuman that ends the game has no amount."""
    paid: Ratio = NOTHING
    """What deal-ins cost, over those that were paid."""
    largest: int | None = None
    """The hand that brought most."""

    def __add__(self, other: Rates) -> Rates:
        hands = [each for each in (self.largest, other.largest) if each is not None]
        return Rates(
            self.kyoku + other.kyoku,
            self.riichi + other.riichi,
            self.wins + other.wins,
            self.deal_ins + other.deal_ins,
            self.tsumo + other.tsumo,
            self.tenpai + other.tenpai,
            self.won + other.won,
            self.paid + other.paid,
            max(hands, default=None),
        )


def rates_of(results: Iterable[KyokuResult], rules: Ruleset) -> tuple[Rates, ...]:
    """Each seat's figures over these kyoku."""
    play = play_of(rules)
    counted = [result for result in results if not isinstance(result.outcome, ChonboCalled | Ruling)]
    return tuple(
        sum((_of_seat(seat, result, play) for result in counted), start=Rates()) for seat in range(rules.players)
    )


def _of_seat(seat: int, result: KyokuResult, play: Play) -> Rates:
    """What one kyoku tells of one seat."""
    outcome = result.outcome
    is_told = not isinstance(outcome, ScoresOnly)
    has_won = seat in _winners(result, play)
    deals_in = isinstance(outcome, Ron) and outcome.loser == seat
    tenpai = _tenpai(outcome, play)
    won = _hands_paid(result, receiver=seat) if has_won else 0
    paid = _hands_paid(result, payer=seat) if deals_in else 0
    return Rates(
        kyoku=1,
        riichi=_one(seat in result.before.hand.declared(), known=is_told and play.riichi.stake > 0),
        wins=_one(has_won),
        deal_ins=_one(deals_in, known=is_told),
        tsumo=_one(not isinstance(outcome, Ron), known=is_told and has_won),
        tenpai=NOTHING if tenpai is None else _one(seat in tenpai),
        won=Ratio(won, bool(won)),
        paid=Ratio(paid, bool(paid)),
        largest=won or None,
    )


def _one(happened: bool, *, known: bool = True) -> Ratio:  # noqa: FBT001 - the one thing it is about
    """Once or not at all, if it is known."""
    return Ratio(int(happened), 1) if known else NOTHING


def _winners(result: KyokuResult, play: Play) -> Collection[int | None]:
    """Who won; terminals and honours among the discards are a win only where the book has it so."""
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


def _tenpai(outcome: Outcome, play: Play) -> tuple[int, ...] | None:
    """Who was tenpai at a draw; None where it had no consequence for everybody, and need not have been noted."""
    if not isinstance(outcome, Draw | Nagashi) or not play.draws.noten.pool:
        return None
    rule = play.draws.nagashi
    is_paid = isinstance(outcome, Draw) or (rule is not None and rule.noten_paid)
    return outcome.tenpai if is_paid else None


def _hands_paid(result: KyokuResult, *, receiver: int | None = None, payer: int | None = None) -> int:
    """What the hands of a kyoku brought a receiver, or cost a payer."""
    return sum(
        each.amount
        for each in result.transfers
        if each.ledger == TABLE_POINTS
        and each.cause in OF_THE_HAND
        and (each.receiver == receiver if payer is None else each.payer == payer)
    )
