"""All values a hand can have, as a ladder of distinct payments from the smallest to the largest.

A rung is one payment with the hand that players associate with it. The ladder ends with the largest number of
yakuman a hand can have; where nothing caps han and fu, with a hand for which every payer pays all the points
at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scoring.kyoku.outcomes import Prizes, Win
from scoring.kyoku.payments import RuledState, collects_honba
from scoring.kyoku.worths import Winner, winner_of, worths
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.value import By, Value, Worth

_MOST_LADDERS = 256


@dataclass(frozen=True, slots=True)
class Rung:
    """One payment, and the hand it is named after."""

    worth: Worth
    limit: LimitName | None
    ron: int
    """Paid by the discarder; zero on the ladder of self-draws."""
    from_dealer: int
    from_other: int
    points: int
    """Total that the hand brings, honba and deposits not counted."""
    collects: bool
    """The win takes the counters (honba) as well."""
    instant_top: bool
    """The hand ends the game, and no points are paid."""
    is_alone: bool = False
    """No other rung has the same limit: the limit's name is sufficient."""

    @property
    def payment(self) -> tuple[int, int, int, bool, bool]:
        """Return the key by which rungs are distinguished."""
        return self.ron, self.from_dealer, self.from_other, self.collects, self.instant_top

    def win(self, seat: int) -> Win:
        """Return the hand as a win, without prizes besides its points."""
        return Win(seat, self.worth, prizes=Prizes(complete=True))

    def moved(self, winner: int, loser: int | None, dealer: int, players: int) -> tuple[int, ...]:
        """Return each seat's gain or loss by the hand alone."""
        if loser is not None:
            return tuple(self.ron * ((seat == winner) - (seat == loser)) for seat in range(players))
        paid = (self.from_dealer if seat == dealer else self.from_other for seat in range(players))
        return tuple(self.points if seat == winner else -due for seat, due in enumerate(paid))


def ladder(table: RuledState, winner: int, by: By) -> tuple[Rung, ...]:
    """Return every payment that a seat can win by self-draw, or by ron, smallest first."""
    return build_ladder(winner_of(winner, by, table))


@lru_cache(maxsize=_MOST_LADDERS)
def build_ladder(winner: Winner) -> tuple[Rung, ...]:
    """Return the rungs of a ladder: hands with equal payments are one rung, named after the most familiar hand."""
    table = winner.table
    best: dict[tuple[int, int, int, bool, bool], Rung] = {}
    for worth, found in worths(winner):
        rung = _rung(worth, found, winner, table)
        payment = rung.payment
        known = best.get(payment)
        # Many hands have the same payment (80 fu 2 han, 40 fu 3 han); players name the most familiar one.
        if known is None or _strangeness(rung, table.play) < _strangeness(known, table.play):
            best[payment] = rung
    rungs = sorted(best.values(), key=lambda rung: (rung.points, rung.from_dealer, rung.collects))
    named = Counter(_title(rung) for rung in rungs)
    return tuple(replace(rung, is_alone=named[_title(rung)] == 1) for rung in rungs)


def _rung(worth: Worth, found: Value, winner: Winner, table: RuledState) -> Rung:
    by_ron = winner.by is By.RON
    return Rung(
        worth=worth,
        limit=found.limit,
        ron=found.ron if by_ron else 0,
        from_dealer=0 if by_ron else found.from_dealer,
        from_other=0 if by_ron else found.from_other,
        points=found.ron if by_ron else found.tsumo(winner.rules.players - 1),
        collects=collects_honba(Win(0, worth), table),
        instant_top=found.instant_top,
    )


def _strangeness(rung: Rung, play: Play) -> tuple[int, ...]:
    """Return a sort key for the most familiar hand: yakuman, then limits, then few dora and common fu."""
    kinds: Sequence[bool] = (rung.limit is LimitName.YAKUMAN, rung.limit is not None, True)
    usual = play.fu.base + play.fu.closed_ron
    worth = rung.worth
    return kinds.index(True), worth.yakuman, worth.dora, abs(worth.fu - usual), -worth.fu, worth.han, bool(worth.closed)


def _title(rung: Rung) -> tuple[LimitName | None, int]:
    return rung.limit, rung.worth.yakuman
