"""Rounds that differ in the players present and in the tables: exchange players until the plan is as good as can be.

Where the players of a round do not fill its tables, some rest. Rests are dealt out first, as evenly as possible;
the search then exchanges two players of one round, or one who plays and one who rests if rests stay as even. A
schedule keeps the numbers of the tables: a table that is not used in a round is empty.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.seating.balance import Pair, Schedule, meetings_of, visits_of
from scoring.seating.draws import stream

REPEAT = 1_000
"""Price of one square of meetings, to which the other prices are compared."""
LIMITS = (4 * REPEAT, 2 * REPEAT, 2 * REPEAT, 200, 20, 0)
"""Largest accepted increase of the cost, by phase of the search."""
NOWHERE = -1
"""Place of a player who has no table in a round."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """The players present in a round, and the numbers of the tables that can be used, from 0."""

    players: tuple[int, ...]
    places: tuple[int, ...]

    def tables(self, size: int) -> int:
        """Return the number of tables that are used."""
        return min(len(self.places), len(self.players) // size)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices beside `REPEAT`: of a seat at another table than planned earlier, and of a square of visits to a table."""

    stay: int = 0
    visit: int = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """The rounds already played, the rests that players had in them, and the earlier plan of the rounds to come."""

    played: Schedule = ()
    rested: Sequence[int] = ()
    """By player; empty if none has rested."""
    earlier: Schedule = ()
    """A round for each round to be planned; empty if there was no plan."""


NO_PAST = Past()


def plan_rounds(
    rounds: Sequence[Attendance],
    players: int,
    *,
    size: int = 4,
    past: Past = NO_PAST,
    apart: Mapping[Pair, int] = MappingProxyType({}),
    prices: Prices = Prices(),
    moves: int = 200_000,
    seed: int = 0,
) -> Schedule:
    """Return a schedule of these rounds; players of a round who are at no table rest.

    Costs are compared in this order: squares of meetings, those of pairs in `apart` with their price in squares
    added, seats that differ from the earlier plan, squares of visits to a table. Equal arguments give equal schedules.
    """
    search = _Search.of(rounds, players, size, past, apart, prices)
    search.run(moves, stream(seed))
    return search.schedule()


def even_rests(
    rounds: Sequence[Attendance],
    players: int,
    size: int = 4,
    rested: Sequence[int] = (),
    preferred: Sequence[Collection[int]] = (),
) -> list[set[int]]:
    """Return the players who rest in each round, as even as possible with the rests that they had before.

    Among those with as few rests a player who is `preferred` in the round rests first, then the one who has been
    present most often, then the one whose last rest is longest ago. The sum of the squares of all rests is least.
    """
    counts = list(rested) or [0] * players
    presence = [0] * players
    for each in rounds:
        for one in each.players:
            presence[one] += 1
    last = [-len(rounds)] * players
    found: list[set[int]] = []
    for number, each in enumerate(rounds):
        over = len(each.players) - size * each.tables(size)
        first = preferred[number] if preferred else ()
        order = sorted(each.players, key=lambda one: (counts[one], one not in first, -presence[one], last[one], one))
        found.append(set(order[:over]))
        for one in order[:over]:
            counts[one] += 1
            last[one] = number
    _even_out(rounds, found, counts, presence)
    return found


def _even_out(
    rounds: Sequence[Attendance], rests: Sequence[set[int]], counts: list[int], presence: Sequence[int]
) -> None:
    """Move rests along paths from players with many to players with few, until no path evens them out further.

    Without such a path the sum of squares is least, as in any flow with convex costs.
    """
    for one in sorted(range(len(counts)), key=lambda one: -counts[one]):
        while (path := _path(rounds, rests, counts, presence, one)) is not None:
            counts[one] -= 1
            counts[path[-1][1]] += 1
            giver = one
            for number, taker in path:
                rests[number].remove(giver)
                rests[number].add(taker)
                giver = taker


def _path(
    rounds: Sequence[Attendance], rests: Sequence[set[int]], counts: Sequence[int], presence: Sequence[int], start: int
) -> list[tuple[int, int]] | None:
    """Return the rounds and players by which a rest of `start` gets to one with fewer, or as few and more rounds."""
    if not counts[start]:
        return None
    came: dict[int, tuple[int, int]] = {start: (NOWHERE, start)}
    waiting = deque([start])
    while waiting:
        giver = waiting.popleft()
        for number, resting in enumerate(rests):
            if giver not in resting:
                continue
            for taker in rounds[number].players:
                if taker in came or taker in resting:
                    continue
                came[taker] = (number, giver)
                waiting.append(taker)
                gap = counts[start] - counts[taker]
                if gap > 1 or (gap == 1 and presence[taker] > presence[start]):
                    return _steps(came, taker)
    return None


def _steps(came: dict[int, tuple[int, int]], last: int) -> list[tuple[int, int]]:
    steps: list[tuple[int, int]] = []
    while came[last][0] != NOWHERE:
        number, giver = came[last]
        steps.append((number, last))
        last = giver
    return steps[::-1]


@dataclass(slots=True)
class _Round:
    """A round during the search: its tables by place, the players who rest, and everyone's place before."""

    tables: dict[int, list[int]]
    resting: list[int]
    home: list[int]
    """By player: the table planned earlier, or NOWHERE."""
    seats: list[tuple[int, int]] = field(default_factory=list)
    """Place and index of each seat; the seats of those who rest have the place NOWHERE."""

    @property
    def may_change(self) -> bool:
        """Return whether any two players can exchange places."""
        return len(self.tables) > 1 or bool(self.tables and self.resting)

    def company(self, place: int) -> list[int]:
        """Return the players at a table, or those who rest."""
        return self.resting if place == NOWHERE else self.tables[place]


@dataclass(slots=True)
class _Search:
    """All rounds with their counts; `weight` holds for each pair the cost of meeting once more, less a constant."""

    rounds: list[_Round]
    weight: list[list[int]]
    visits: list[list[int]]
    rests: list[int]
    presence: list[int]
    prices: Prices
    cost: int = 0
    """Change of the cost since the start."""

    @classmethod
    def of(
        cls,
        rounds: Sequence[Attendance],
        players: int,
        size: int,
        past: Past,
        apart: Mapping[Pair, int],
        prices: Prices,
    ) -> _Search:
        weight = [[2 * REPEAT * count for count in row] for row in meetings_of(past.played, players)]
        for (one, other), price in apart.items():
            weight[one][other] += price * REPEAT
            weight[other][one] += price * REPEAT
        places = 1 + max((place for each in rounds for place in each.places), default=0)
        places = max([places, *map(len, past.played), *map(len, past.earlier)])
        visits = visits_of(past.played, players, places)
        earlier = past.earlier or ((),) * len(rounds)
        kept = [_kept(each, before, size) for each, before in zip(rounds, earlier, strict=True)]
        displaced = [set(each.players).difference(*tables.values()) for each, tables in zip(rounds, kept, strict=True)]
        resting = even_rests(rounds, players, size, past.rested, displaced)
        rests = list(past.rested) or [0] * players
        presence = [0] * players
        for each, out in zip(rounds, resting, strict=True):
            for one in each.players:
                presence[one] += 1
                rests[one] += one in out
        search = cls([], weight, visits, rests, presence, prices)
        for number, each in enumerate(rounds):
            search.add(each, kept[number], resting[number], earlier[number], size)
        return search

    def add(
        self,
        attendance: Attendance,
        kept: dict[int, list[int]],
        resting: Collection[int],
        earlier: Sequence[Sequence[int]],
        size: int,
    ) -> None:
        """Add a round: fill the tables kept from the earlier plan with the players who have none."""
        home = [NOWHERE] * len(self.weight)
        for place, company in enumerate(earlier):
            for one in company:
                home[one] = place
        tables = {place: [one for one in company if one not in resting] for place, company in kept.items()}
        for place, company in tables.items():
            for number, one in enumerate(company):
                self._sit(one, company[:number], place)
        free = [one for one in attendance.players if one not in resting]
        seated = {one for company in tables.values() for one in company}
        free = [one for one in free if one not in seated]
        # The tables that lack most are filled in turn, each by the player who costs least there.
        while free:
            place = min(tables, key=lambda place: (len(tables[place]), place))
            company, visits = tables[place], self.prices.visit
            one = min(
                free,
                key=lambda one: (
                    sum(self.weight[one][other] for other in company)
                    + 2 * visits * self.visits[one][place]
                    - self.prices.stay * (home[one] == place)
                ),
            )
            free.remove(one)
            self._sit(one, company, place)
            company.append(one)
        new = _Round(tables, sorted(resting), home)
        new.seats = [(place, index) for place in tables for index in range(size)]
        new.seats += [(NOWHERE, index) for index in range(len(new.resting))]
        self.rounds.append(new)

    def _sit(self, one: int, company: Sequence[int], place: int, times: int = 1) -> None:
        """Count that a player sits down with this company, or gets up if `times` is -1."""
        step = 2 * REPEAT * times
        for other in company:
            self.weight[one][other] += step
            self.weight[other][one] += step
        self.visits[one][place] += times

    def run(self, moves: int, draws: Iterator[int]) -> None:
        """Repair what costs most, then try exchanges by chance, and end with the best tables found.

        Where an earlier seat has a high price, one of the two players is always one who costs something.
        """
        best, best_cost = self._copy(), self.cost
        calm = 2 * self.prices.stay if self.prices.stay > self.prices.visit else LIMITS[0]
        for phase, limit in enumerate(LIMITS if any(each.may_change for each in self.rounds) else ()):
            self.descend()
            if self.cost < best_cost:
                best, best_cost = self._copy(), self.cost
            seats = self.focus()
            for _move in range(moves * (phase + 1) // len(LIMITS) - moves * phase // len(LIMITS) if seats else 0):
                number, which = divmod(next(draws), len(seats))
                at, first = seats[which]
                second = at.seats[number % len(at.seats)]
                if self._try(at, first, second, min(limit, calm)) and self.cost < best_cost:
                    best, best_cost = self._copy(), self.cost
            self._restore(best, best_cost)
        self.descend()

    def focus(self) -> list[tuple[_Round, tuple[int, int]]]:
        """Return the seats of players who cost something; all seats where earlier ones have no high price."""
        every = [(at, seat) for at in self.rounds if at.may_change for seat in at.seats]
        if self.prices.stay <= self.prices.visit:
            return every
        return [(at, seat) for at, seat in every if self._is_costly(at, seat)]

    def _is_costly(self, at: _Round, seat: tuple[int, int]) -> bool:
        """Return whether a player is away from the earlier table, or meets another one again."""
        place, index = seat
        company = at.company(place)
        one = company[index]
        if self.prices.stay and at.home[one] != place:
            return True
        return place != NOWHERE and any(self.weight[one][other] > 2 * REPEAT for other in company if other != one)

    def descend(self) -> None:
        """Make the exchange that saves most for each costly player, until none saves anything."""
        is_better = True
        while is_better:
            is_better = False
            for at in self.rounds:
                for seat in at.seats:
                    if self._is_costly(at, seat):
                        is_better = self._improve(at, seat) or is_better

    def _improve(self, at: _Round, seat: tuple[int, int]) -> bool:
        """Make the exchange that saves most for the player of a seat; return False if none saves anything."""
        best, least = seat, 0
        for second in at.seats:
            change = self._change(at, seat, second)
            if change is not None and change < least:
                best, least = second, change
        return best != seat and self._try(at, seat, best, least)

    def _copy(self) -> list[tuple[dict[int, list[int]], list[int]]]:
        return [
            ({place: list(company) for place, company in each.tables.items()}, list(each.resting))
            for each in self.rounds
        ]

    def _restore(self, kept: list[tuple[dict[int, list[int]], list[int]]], cost: int) -> None:
        """Return to tables kept earlier, with the counts that belong to them."""
        for at, (tables, resting) in zip(self.rounds, kept, strict=True):
            for times, seated, out in ((-1, at.tables, at.resting), (1, tables, resting)):
                for place, company in seated.items():
                    for number, one in enumerate(company):
                        self._sit(one, company[:number], place, times)
                for one in out:
                    self.rests[one] += times
            at.tables = {place: list(company) for place, company in tables.items()}
            at.resting = list(resting)
        self.cost = cost

    def _change(self, at: _Round, first: tuple[int, int], second: tuple[int, int]) -> int | None:
        """Return the change of the cost if the players of two seats of a round change places; None if they may not."""
        (here, index), (there, other_index) = first, second
        if here == there:
            return None
        company, others = at.company(here), at.company(there)
        one, other = company[index], others[other_index]
        if NOWHERE in (here, there) and not self._rests_stay_even(*((one, other) if here == NOWHERE else (other, one))):
            return None
        return self._gain(at, one, other, company, here) + self._gain(at, other, one, others, there)

    def _try(self, at: _Round, first: tuple[int, int], second: tuple[int, int], limit: int) -> bool:
        """Exchange the players of two seats of a round if they may, and if it costs no more than the limit."""
        change = self._change(at, first, second)
        if change is None or change > limit:
            return False
        (here, index), (there, other_index) = first, second
        company, others = at.company(here), at.company(there)
        one, other = company.pop(index), others.pop(other_index)
        for who, instead, left, place in ((one, other, company, here), (other, one, others, there)):
            if place == NOWHERE:
                self.rests[who] -= 1
                self.rests[instead] += 1
            else:
                self._sit(who, left, place, -1)
                self._sit(instead, left, place)
        company.insert(index, other)
        others.insert(other_index, one)
        self.cost += change
        return True

    def _gain(self, at: _Round, leaves: int, comes: int, company: Sequence[int], place: int) -> int:
        """Return the change of the cost if one player comes to a table instead of another."""
        if place == NOWHERE:
            return 0
        old, new, home = self.weight[leaves], self.weight[comes], at.home
        # Weights hold the 2m of (m + 1)² - m² and (m - 1)² - m². The player who leaves is still in the company: taken
        # off first is the pair with the one who comes, which does not begin to meet.
        change = -new[leaves]
        for other in company:
            change += new[other] - old[other]
        visits = self.visits[comes][place] - self.visits[leaves][place] + 1
        moved = (home[leaves] == place) - (home[comes] == place)
        return change + 2 * REPEAT * (len(company) - 1) + 2 * self.prices.visit * visits + self.prices.stay * moved

    def _rests_stay_even(self, rested: int, plays: int) -> bool:
        """Return whether rests are as even if these two exchange theirs."""
        return self.rests[rested] == self.rests[plays] + 1 and self.presence[plays] >= self.presence[rested]

    def schedule(self) -> Schedule:
        """Return the schedule, with an empty table at each place that is not used."""
        return tuple(
            tuple(tuple(each.tables.get(place, ())) for place in range(max(each.tables, default=-1) + 1))
            for each in self.rounds
        )


def _kept(attendance: Attendance, earlier: Sequence[Sequence[int]], size: int) -> dict[int, list[int]]:
    """Return the tables to use by place, each with the players present who were planned there earlier.

    The tables with the fewest of them are dissolved. If a table cannot be used and another one is free, its company
    moves there together.
    """
    there, usable = set(attendance.players), set(attendance.places)
    companies = [(place, [one for one in table if one in there]) for place, table in enumerate(earlier) if table]
    companies.sort(key=lambda each: (each[0] not in usable, -len(each[1]), each[0]))
    used: dict[int, list[int]] = {}
    count = attendance.tables(size)
    free = [place for place in attendance.places if place not in {place for place, _company in companies}]
    for place, company in companies[:count]:
        if place in usable:
            used[place] = company
        else:
            used[free.pop(0)] = company
    for place in free[: count - len(used)]:
        used[place] = []
    return dict(sorted(used.items()))
