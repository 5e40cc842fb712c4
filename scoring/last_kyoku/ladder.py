"""All values a hand can have, as a ladder of distinct payments from the smallest to the largest.

A rung is one payment with the hand that players associate with it. The ladder ends with the largest number of
yakuman a hand can have; where nothing caps han and fu, with a hand for which every payer pays all the points
at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from scoring.hand.most import most_paid_dora, paid_yakuman
from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.situation import RiichiKind
from scoring.kyoku.check_values import pays_closed_differently
from scoring.kyoku.circumstances import riichi_of
from scoring.kyoku.outcomes import Prizes, Win
from scoring.kyoku.payments import RuledState, collects_honba, table_of
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.value import By, Value, Worth, value

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


@dataclass(frozen=True, slots=True)
class Climber:
    """Winner and circumstances of a ladder, as far as the value of hands depends on them; the key of the cache."""

    rules: Ruleset
    by: By
    dealer: bool
    round: RoundName
    last_hand: bool
    riichi: RiichiKind = RiichiKind.NONE
    """The riichi that the seat has declared: its hands are closed and include the han of it."""

    @property
    def table(self) -> RuledState:
        """Return a table with these circumstances."""
        players = self.rules.players
        number = players if self.last_hand else 1
        return table_of(State((self.rules.setup.start,) * players, self.round, number), self.rules)


def ladder(table: RuledState, winner: int, by: By) -> tuple[Rung, ...]:
    """Return every payment that a seat can win by self-draw, or by ron, smallest first."""
    state = table.state
    riichi = riichi_of(winner, table)
    return build_ladder(Climber(table.rules, by, winner == state.dealer, state.round, table.is_last_hand, riichi))


@lru_cache(maxsize=_MOST_LADDERS)
def build_ladder(climber: Climber) -> tuple[Rung, ...]:
    """Return the rungs of a ladder: hands with equal payments are one rung, named after the most familiar hand."""
    table = climber.table
    best: dict[tuple[int, int, int, bool, bool], Rung] = {}
    for worth in worths(climber, table.play):
        rung = _rung(worth, climber, table)
        known = best.get(rung.payment, rung)
        # Many hands have the same payment (80 fu 2 han, 40 fu 3 han); players name the most familiar one.
        best[rung.payment] = min(known, rung, key=lambda each: _strangeness(each, table.play))
    rungs = sorted(best.values(), key=lambda rung: (rung.points, rung.from_dealer, rung.collects))
    named = Counter(_title(rung) for rung in rungs)
    return tuple(replace(rung, is_alone=named[_title(rung)] == 1) for rung in rungs)


def worths(climber: Climber, play: Play) -> Iterator[Worth]:
    """Yield every possible hand value: han and fu up to the highest limit, then yakuman.

    Opened or closed, and with each number of dora, where the book pays for these separately.
    """
    parts = tuple(_parts(play, is_declared=climber.riichi is not RiichiKind.NONE))
    won = Circumstances(climber.by, riichi=climber.riichi, round=climber.round)
    for ((fu, is_closed), least), (closed, dora) in product(possible_values(climber.rules, won).items(), parts):
        if closed in (is_closed, None):
            yield from _counted(Worth(least.han, fu, closed=closed, dora=dora), climber, play)
    for (closed, dora), yakuman in product(parts, range(1, paid_yakuman(play) + 1)):
        yield Worth(closed=closed, dora=dora, yakuman=yakuman)


def _counted(least: Worth, climber: Climber, play: Play) -> Iterator[Worth]:
    """Yield hands from the fewest han on, until more han no longer raise the value."""
    uncapped = play.value.uncapped_in_last_hand and climber.last_hand
    worth = replace(least, uncapped=uncapped)
    yield worth
    while not _is_highest(value(worth, dealer=climber.dealer, play=play), climber.rules, play):
        worth = replace(worth, han=worth.han + 1)
        yield worth


def _is_highest(found: Value, rules: Ruleset, play: Play) -> bool:
    """Return whether the last limit is reached, or every payer's share is all the points at the table."""
    limits = play.value.limits
    share = min(part for part in (found.ron, found.from_other) if part)
    return share >= rules.table_total or bool(limits and found.limit is limits[-1].name)


def _parts(play: Play, *, is_declared: bool) -> Iterator[tuple[bool | None, int]]:
    """Yield closed or opened, and the number of dora, where the book pays for these separately.

    After a riichi only closed hands are possible.
    """
    for closed in ((True,) if is_declared else (False, True)) if pays_closed_differently(play) else (None,):
        yield from ((closed, dora) for dora in range(most_paid_dora(play, closed=bool(closed)) + 1))


def _rung(worth: Worth, climber: Climber, table: RuledState) -> Rung:
    found = value(worth, dealer=climber.dealer, play=table.play)
    by_ron = climber.by is By.RON
    return Rung(
        worth=worth,
        limit=found.limit,
        ron=found.ron if by_ron else 0,
        from_dealer=0 if by_ron else found.from_dealer,
        from_other=0 if by_ron else found.from_other,
        points=found.ron if by_ron else found.tsumo(climber.rules.players - 1),
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
