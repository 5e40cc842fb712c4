"""Build a whole schedule: the best known companies, players exchanged for wishes, a search, tables and winds.

1. The most even companies that are known for as many players and rounds. Where players are absent or rest, their
   tables are filled up with the players of other such tables.
2. Wishes: whole players change numbers (`relabelling.py`), which costs nothing in any figure of the plan.
3. If pairs that are to be kept apart still meet, or meetings are uneven, players change places in single rounds
   (`companies.py`), then also where that links pairs who never meet by third players.
4. Table numbers (`tables.py`), then starting winds (`winds.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.seating.balance import (
    Pair,
    Round,
    Schedule,
    meetings_of,
    pairs_forced,
    price_of,
    squares_at_least,
    together_at_least,
)
from scoring.seating.catalogue import FOUR, lines_for, shipped
from scoring.seating.companies import Companies, link, prices_of, spread
from scoring.seating.draws import stream
from scoring.seating.figures import figures_of
from scoring.seating.relabelling import relabelled
from scoring.seating.rounds import Attendance, even_rests
from scoring.seating.search import APART
from scoring.seating.tables import with_tables
from scoring.seating.winds import play_in_turns, with_winds

MOVES = 500_000
"""Default effort of the search, in exchanges times players: with more players an exchange takes more time. It takes
1 to 2 seconds."""

LINKS = 200
"""Part of the effort that goes into indirect meetings: one exchange for each 200."""
FEW = 60
"""Players below which an exchange takes no less time."""


class SeatingError(ValueError):
    """A schedule that is impossible; `code` gives the reason, `params` the numbers for its message."""

    def __init__(self, code: str, **params: int) -> None:
        super().__init__(MESSAGES[code].format(**params))
        self.code = code
        self.params = params


MESSAGES = {
    "too_few_players": "{players} players do not fill a table of {size}.",
    "tables_not_full": "In round {round} there are {present} players, which tables of {size} do not take evenly. "
    "Let {missing} more play, or {over} fewer.",
    "no_such_player": "There is no player {player}.",
    "no_rounds": "A schedule has at least one round, not {rounds}.",
    "no_tables": "In round {round} there is no table. Check the absences and the number of tables.",
    "hanchan_fill_no_tables": "{players} players x {hanchan} hanchan do not fill tables of {size}: "
    "take {lower} or {upper} hanchan.",
    "too_few_hanchan": "{players} players x {hanchan} hanchan do not fill tables of {size}: take {upper} hanchan.",
    "too_many_absences": "With these absences {left} players have hanchan left in the end, too few for a table of "
    "{size}.",
}


COMPATRIOTS = APART // 5
"""Price of a meeting of two players of one country, for whom the price is lower than for clubmates."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """Requirements on a schedule besides evenness."""

    apart: Mapping[Pair, int] = field(default_factory=dict)
    """Pairs to be kept apart as far as possible, each with the price of a meeting in squares of meetings: `APART`
    for clubmates, `COMPATRIOTS` for one country, and the sum for both."""
    absent: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Players absent in a round, by its number from 0: late arrivals, early leavers."""
    tables: Mapping[int, int] = field(default_factory=dict)
    """Most tables of a round, by its number from 0; a round without a value has as many as its players fill."""
    played: Schedule = ()
    """Rounds that have already been played and count for meetings, rests, tables and winds."""


NOTHING = Constraints()


def seating(
    players: int, rounds: int, *, size: int = 4, constraints: Constraints = NOTHING, moves: int = MOVES, seed: int = 0
) -> Schedule:
    """Return a schedule of `rounds` rounds; players present in a round who do not fill its tables rest by turns.

    Raise SeatingError if players are too many for full tables although none is absent and no table is missing.
    Equal arguments give equal schedules.
    """
    _refuse_impossible(players, rounds, size, constraints)
    seated = _seated(players, rounds, size, constraints)
    found = companies(seated, players, size, constraints, moves=moves, seed=seed)
    if not found.has_tables:
        schedule = with_tables(found.schedule, players, constraints.played, moves=moves // 4, seed=seed)
    else:
        schedule = found.schedule
    return with_winds(schedule, size, constraints.played)


@dataclass(frozen=True, slots=True)
class CompanyPlan:
    """The companies of each round, before winds; `has_tables` if the order of tables is a shipped plan's."""

    schedule: Schedule
    has_tables: bool


def companies(
    seated: Sequence[Collection[int]], players: int, size: int, constraints: Constraints, *, moves: int, seed: int
) -> CompanyPlan:
    """Return the most even companies found for the players who play in each round."""
    whole = all(len(each) == players for each in seated)
    ready = shipped(players, len(seated)) if whole and size == FOUR else None
    start = ready or _start(seated, players, size)
    prices = prices_of(constraints.apart, players)
    # A meeting of two players who have met m times adds 2m + 1 squares, so that played rounds are a price as well.
    before = prices + 2 * np.array(meetings_of(constraints.played, players), dtype=np.int64)
    named = relabelled(start, before, [tuple(one in each for each in seated) for one in range(players)], seed=seed)
    if ready and not (before * np.array(meetings_of(named, players))).any():
        return CompanyPlan(named, has_tables=not constraints.played)
    least = _least(named, players, constraints)
    search = Companies.of(named, prices, constraints.played, least)
    spread(search, moves // max(players, FEW), stream(seed))
    link(search, moves // LINKS, stream(seed))
    found = search.schedule
    return CompanyPlan(found, has_tables=ready is not None and found == named and not constraints.played)


def staying(
    players: int,
    turns: Sequence[int],
    *,
    size: int = 4,
    constraints: Constraints = NOTHING,
    moves: int = MOVES,
    seed: int = 0,
) -> Schedule:
    """Return a schedule for sessions: in each turn every player plays, and a table's players stay for all its hanchan.

    `turns` gives the number of hanchan of each turn. The result has a round for each hanchan; within a turn
    tables keep their place. Every player starts equally often from each wind, give or take one.
    """
    company = seating(players, len(turns), size=size, constraints=constraints, moves=moves, seed=seed)
    return play_in_turns(company, turns, size)


def refuse_none(players: int, rounds: int, size: int) -> None:
    """Raise SeatingError without a round, or without a full table."""
    if rounds < 1:
        raise SeatingError("no_rounds", rounds=rounds)
    if players < size:
        raise SeatingError("too_few_players", players=players, size=size)


def _refuse_impossible(players: int, rounds: int, size: int, constraints: Constraints) -> None:
    """Raise SeatingError unless every round fills its tables and constraints name existing players."""
    refuse_none(players, rounds, size)
    named = {one for pair in constraints.apart for one in pair}.union(*constraints.absent.values())
    for unknown in sorted(named - set(range(players))):
        raise SeatingError("no_such_player", player=unknown)
    over = players % size
    if over and not constraints.absent and not constraints.tables:
        raise SeatingError("tables_not_full", round=1, present=players, size=size, missing=size - over, over=over)
    for number in range(rounds):
        there = players - len(constraints.absent.get(number, ()))
        if there < size:
            raise SeatingError("too_few_players", players=there, size=size)
        if constraints.tables.get(number, 1) < 1:
            raise SeatingError("no_tables", round=number + 1)


def _seated(players: int, rounds: int, size: int, constraints: Constraints) -> list[frozenset[int]]:
    """Return the players who play in each round: those present, but for those who rest."""
    attendances = []
    for number in range(rounds):
        there = tuple(one for one in range(players) if one not in constraints.absent.get(number, ()))
        attendances.append(Attendance(there, tuple(range(constraints.tables.get(number, len(there) // size)))))
    playing = [{one for table in each for one in table} for each in constraints.played]
    rested = [sum(one not in each for each in playing) for one in range(players)]
    resting = even_rests(attendances, players, size, rested)
    return [frozenset(each.players) - rests for each, rests in zip(attendances, resting, strict=True)]


def _start(seated: Sequence[Collection[int]], players: int, size: int) -> Schedule:
    """Return the most even schedule known before any search.

    It is made from a plan for all players; with places for further ones if they do not fill tables.
    """
    places, rounds = -(-players // size) * size, len(seated)
    known: list[Schedule] = [tuple(_shifted(range(places), number, size) for number in range(rounds))]
    if size == FOUR:
        ready = shipped(places, rounds)
        known += [ready] if ready else _known(places, rounds)
    filled = [
        tuple(_filled(each, there, size) for each, there in zip(schedule, seated, strict=True)) for schedule in known
    ]
    return min(filled, key=lambda schedule: figures_of(schedule, players).companies_key)


def _filled(each: Round, there: Collection[int], size: int) -> Round:
    """Return a round without those who do not play: their tables are filled up from the emptiest of them."""
    tables = [tuple(one for one in table if one in there) for table in each]
    broken = sorted((table for table in tables if len(table) < size), key=len, reverse=True)
    count = sum(map(len, broken)) // size
    spare = [one for table in broken[count:] for one in table]
    filled = [(*table, *(spare.pop() for _ in range(size - len(table)))) for table in broken[:count]]
    return (*(table for table in tables if len(table) == size), *filled)


def _shifted(present: Sequence[int], number: int, size: int) -> Round:
    """Return a plain round: every table's second player moves on by one table a round, the third by two, ..."""
    tables = len(present) // size
    columns = [present[column * tables : (column + 1) * tables] for column in range(size)]
    return tuple(
        tuple(columns[column][(table + column * number) % tables] for column in range(size)) for table in range(tables)
    )


def _known(players: int, rounds: int) -> list[Schedule]:
    """Return the shipped plans for a number of players, each begun again until it has as many rounds."""
    plans = [line.schedule() for line in lines_for(players).values()]
    return [tuple(plan[number % len(plan)] for number in range(rounds)) for plan in plans]


def _least(planned: Schedule, players: int, constraints: Constraints) -> int:
    """Return a lower bound of squares and prices of all meetings, for rounds played and planned of these tables."""
    rounds = (*constraints.played, *planned)
    squares = squares_at_least(rounds, players, pairs_forced(rounds))
    past = price_of(meetings_of(constraints.played, players), constraints.apart)
    games = Counter(one for each in planned for table in each for one in table)
    tables, floor, forced = sum(map(len, planned)), 0, 0
    for price in sorted(set(constraints.apart.values())):
        pairs = {pair for pair, asked in constraints.apart.items() if asked >= price}
        forced += (price - floor) * sum(
            together_at_least(sum(games[one] for one in group), tables) for group in _groups(pairs)
        )
        floor = price
    return squares + past + forced


def _groups(pairs: Collection[Pair]) -> Iterable[list[int]]:
    """Yield groups of players, each of whom is paired with all others of the group; no player is in two of them."""
    near: dict[int, set[int]] = {}
    for one, other in pairs:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    left = sorted(near)
    while left:
        group = [left[0]]
        for one in left[1:]:
            if near[one].issuperset(group):
                group.append(one)
        yield group
        left = [one for one in left if one not in set(group)]
