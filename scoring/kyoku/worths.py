"""Every value that a hand can have under a ruleset, with its payments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from scoring.hand.most import most_paid_dora, paid_yakuman
from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.possible_limits import possible_limits
from scoring.hand.situation import RiichiKind
from scoring.hand.uncapped import possible_han
from scoring.kyoku.circumstances import riichi_of
from scoring.kyoku.payments import RuledState, is_uncapped, table_of
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.value import Dora
from scoring.value import By, Value, Worth, value

_MOST_WINNERS = 256


@dataclass(frozen=True, slots=True)
class Winner:
    """A winner, as far as the value of hands depends on who wins and how; the key of caches."""

    rules: Ruleset
    by: By
    dealer: bool
    round: RoundName
    last_hand: bool
    riichi: RiichiKind = RiichiKind.NONE
    """The riichi that the seat has declared: its hands are closed and include the han of it."""
    prizes: tuple[tuple[AwardEvent, int], ...] = ()
    """The prizes that were entered, with their counts: the hands include their han."""

    @property
    def circumstances(self) -> Circumstances:
        """Return the circumstances on which the values of hands depend."""
        return Circumstances(self.by, riichi=self.riichi, prizes=self.prizes, round=self.round)

    @property
    def uncapped(self) -> bool:
        """True if no limit caps the hand."""
        return is_uncapped(self.table)

    @property
    def table(self) -> RuledState:
        """Return a table with these circumstances."""
        players = self.rules.players
        number = players if self.last_hand else 1
        return table_of(State((self.rules.setup.start,) * players, self.round, number), self.rules)


def winner_of(seat: int, by: By, table: RuledState, *, double: bool = False) -> Winner:
    """Return a seat that wins at a table as the key of its possible values; `double` is that of `riichi_of`."""
    riichi = riichi_of(seat, table, double=double)
    return Winner(table.rules, by, seat == table.state.dealer, table.state.round, table.is_last_hand, riichi)


@lru_cache(maxsize=_MOST_WINNERS)
def possible_payments(winner: Winner) -> frozenset[tuple[int, int, int]]:
    """Return every payment of a hand, without honba: by the discarder, by the dealer, and by each other player."""
    is_ron = winner.by is By.RON
    return frozenset(
        (each.ron, 0, 0) if is_ron else (0, each.from_dealer, each.from_other)
        for _, each in worths(winner)
        if not each.instant_top
    )


def worths(winner: Winner) -> Iterator[tuple[Worth, Value]]:
    """Yield every possible hand value: han and fu, up to the highest limit if one caps the hand, then yakuman.

    Opened or closed, and with each number of dora, where the book pays for these separately; each with its payments.
    """
    play = winner.table.play

    def paid(worth: Worth) -> tuple[Worth, Value]:
        return worth, value(worth, dealer=winner.dealer, play=play)

    parts = tuple(_parts(play, is_declared=winner.riichi is not RiichiKind.NONE))
    won, uncapped = winner.circumstances, winner.uncapped
    for ((fu, is_closed), least), (closed, dora) in product(possible_values(winner.rules, won).items(), parts):
        if closed in (is_closed, None):
            worth = Worth(least.han, fu, closed=closed, dora=dora, uncapped=uncapped)
            if uncapped:
                hans = possible_han(winner.rules, won).get((fu, is_closed), ())
                yield from (paid(replace(worth, han=han)) for han in hans if han >= least.han)
            else:
                yield from _counted(worth, winner, play)
    if uncapped:
        limits = possible_limits(winner.rules, won, uncapped=True)
        for limit, (closed, dora) in product(limits, parts):
            yield paid(Worth(limit=limit, closed=closed, dora=dora))
    for (closed, dora), yakuman in product(parts, range(1, paid_yakuman(play) + 1)):
        yield paid(Worth(closed=closed, dora=dora, yakuman=yakuman))


def _counted(worth: Worth, winner: Winner, play: Play) -> Iterator[tuple[Worth, Value]]:
    """Yield hands from the fewest han on, until more han no longer raise the value."""
    found = value(worth, dealer=winner.dealer, play=play)
    yield worth, found
    while not _is_highest(found, winner.rules, play):
        worth = replace(worth, han=worth.han + 1)
        found = value(worth, dealer=winner.dealer, play=play)
        yield worth, found


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


def pays_closed_differently(play: Play) -> bool:
    """Return whether a closed hand is paid differently from an open one."""
    kind = play.dora.kinds.get(Dora.INDICATOR)
    dora = kind is not None and kind.points_closed != kind.points_open
    return dora or play.value.closed is not None or play.value.open_hands_step_up
