"""Evenness of schedules: of one that is planned, of a block's present one, and of a swap of two players in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from league.models import Block, Entrant, Hanchan, HanchanSeat, SeatResult
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import session_tables
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.wording.competitions.seating import FigureLine, figure_lines
from scoring.seating import Bounds, Figures, bounds_for, figures_of
from scoring.seating.balance import Pair, Schedule, meetings_of, starts_of

MOST_IN_MATRIX = 24
"""Most players whose meetings with every other are listed one by one."""


@dataclass(frozen=True, slots=True)
class PlayerCounts:
    """Counts of one player in a schedule."""

    entrant: Entrant
    met: tuple[int | None, ...]
    """Meetings with each player by number, None with themselves; empty in a large block."""
    opponents: int
    most: int
    """Meetings with the opponent who is met most often."""
    tables: int
    """Number of different tables visited."""
    at_one: int
    """Visits to the table visited most often."""
    starts: tuple[int, ...]
    """Starts from each wind, the first dealer's first."""

    @property
    def games(self) -> int:
        """Return the number of hanchan."""
        return sum(self.starts)


@dataclass(frozen=True, slots=True)
class Evenness:
    """Figures of a block's schedule beside their bounds.

    Meetings, tables and links are counted once for each group that stays together, starting winds in every hanchan.
    """

    block: Block
    players: tuple[Entrant, ...]
    schedule: Schedule
    """A round for each hanchan, with indexes of the players."""
    companies: Schedule
    """The rounds in which the groups at the tables change."""
    figures: Figures
    bounds: Bounds
    apart: int | None
    """Meetings of pairs that are to be kept apart; None without such pairs."""

    @property
    def is_staying(self) -> bool:
        """Return True if groups stay together for several hanchan."""
        return len(self.companies) < len(self.schedule)

    @property
    def lines(self) -> list[FigureLine]:
        """Return the figures in words."""
        return list(figure_lines(self.figures, self.bounds))

    @property
    def is_large(self) -> bool:
        """Return True if the page has no room for the meetings of every two players."""
        return len(self.players) > MOST_IN_MATRIX

    @property
    def rows(self) -> list[PlayerCounts]:
        """Return the counts of each player, by number."""
        order = sorted(range(len(self.players)), key=lambda place: self.players[place].number)
        met = meetings_of(self.companies, len(self.players))
        visits: list[Counter[int]] = [Counter() for _ in self.players]
        starts = starts_of(self.schedule, len(self.players))
        for each in self.companies:
            for number, table in enumerate(each):
                for player in table:
                    visits[player][number] += 1
        return [
            PlayerCounts(
                entrant=self.players[one],
                met=() if self.is_large else tuple(None if one == other else met[one][other] for other in order),
                opponents=sum(count > 0 for count in met[one]),
                most=max(met[one], default=0),
                tables=len(visits[one]),
                at_one=max(visits[one].values(), default=0),
                starts=tuple(starts[one]),
            )
            for one in order
        ]


def clubmates(players: Sequence[Entrant]) -> Iterable[Pair]:
    """Yield the pairs of players with the same affiliation, by index."""
    for (one, first), (other, second) in combinations(enumerate(players), 2):
        if first.affiliation.strip() and first.affiliation.strip() == second.affiliation.strip():
            yield one, other


def evenness(block: Block, players: Sequence[Entrant], schedule: Schedule, apart: Iterable[Pair] = ()) -> Evenness:
    """Compute the evenness of a schedule of these players."""
    companies, count = turns_of(schedule), len(players)
    figures, bounds = figures_of(companies, count), bounds_for(companies, count)
    if len(companies) < len(schedule):
        games = figures_of(schedule, count)
        figures = replace(figures, wind_off=games.wind_off, wind_gap=games.wind_gap)
        bounds = replace(bounds, wind_gap=bounds_for(schedule, count).wind_gap)
    met = meetings_of(companies, count)
    pairs = tuple(apart)
    kept_apart = sum(met[one][other] for one, other in pairs) if pairs else None
    return Evenness(block, tuple(players), schedule, companies, figures, bounds, kept_apart)


def turns_of(schedule: Schedule) -> Schedule:
    """Return the rounds in which the groups at the tables differ from the round before."""
    companies = [frozenset(map(frozenset, each)) for each in schedule]
    return tuple(
        each for number, each in enumerate(schedule) if number == 0 or companies[number] != companies[number - 1]
    )


def scheduled_players(block: Block) -> tuple[list[Entrant], dict[int, list[list[int]]]]:
    """Return a block's seated entrants by number, and by hanchan number its tables as indexes of them in seat order."""
    seats = (
        HanchanSeat.objects.filter(hanchan__block=block, hanchan__table_session__is_cancelled=False)
        .exclude(hanchan__state="abandoned")
        .select_related("hanchan", "entrant__player")
        .order_by("hanchan__number", "hanchan__table_session__order", "hanchan", "seat")
    )
    people = {seat.entrant_id: seat.entrant for seat in seats}
    players = sorted(people.values(), key=lambda entrant: entrant.number)
    place_of = {entrant.pk: place for place, entrant in enumerate(players)}
    tables: dict[int, dict[int, list[int]]] = {}
    for seat in seats:
        tables.setdefault(seat.hanchan.number, {}).setdefault(seat.hanchan_id, []).append(place_of[seat.entrant_id])
    return players, {number: list(each.values()) for number, each in tables.items()}


def block_evenness(block: Block) -> Evenness | None:
    """Return the evenness of a block's present schedule; None while it has no seats."""
    players, tables = scheduled_players(block)
    if not players:
        return None
    schedule = tuple(tuple(map(tuple, tables[number])) for number in sorted(tables))
    return evenness(block, players, schedule, clubmates(players))


def visible_evenness(reader: Reader, block: Block) -> Evenness | None:
    """Return the evenness of the part of a block's schedule that this audience may see; None while it has no seats.

    Tables with a player who must not be known yet are left out.
    """
    rounds: defaultdict[int, list[list[Entrant]]] = defaultdict(list)
    size = ruleset_of(rules_of(reader)).players
    tables = [table for found in session_tables(reader) for table in found.tables]
    for table in tables:
        if table.table_session.block_id != block.pk or table.table_session.is_cancelled:
            continue
        for played in table.hanchan:
            shown: Iterable[SeatResult | HanchanSeat] = played.results or played.planned
            seats = sorted(shown, key=lambda seat: seat.seat)
            if len(seats) == size and played.hanchan.state != Hanchan.State.ABANDONED:
                rounds[played.hanchan.number].append([seat.entrant for seat in seats])
    people = {entrant.pk: entrant for each in rounds.values() for seats in each for entrant in seats}
    if not people:
        return None
    players = sorted(people.values(), key=lambda entrant: entrant.number)
    place_of = {entrant.pk: place for place, entrant in enumerate(players)}
    schedule = tuple(
        tuple(tuple(place_of[entrant.pk] for entrant in seats) for seats in rounds[number]) for number in sorted(rounds)
    )
    return evenness(block, players, schedule)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The evenness of a block before and after two players exchange seats in some hanchan."""

    before: Evenness
    after: Evenness

    @property
    def lines(self) -> list[tuple[FigureLine, FigureLine]]:
        """Return the figures before and after, in words."""
        return list(zip(self.before.lines, self.after.lines, strict=True))


def exchange_effect(block: Block, numbers: Iterable[int], one: Entrant, other: Entrant) -> Exchange | None:
    """Compute the effect of exchanging two players in the hanchan of these numbers; None if one has no seat."""
    players, tables = scheduled_players(block)
    place_of = {entrant.pk: place for place, entrant in enumerate(players)}
    if one.pk not in place_of or other.pk not in place_of:
        return None
    first, second = place_of[one.pk], place_of[other.pk]
    swapped = {first: second, second: first}
    wanted = set(numbers)
    now = {number: tuple(map(tuple, each)) for number, each in sorted(tables.items())}
    then = tuple(
        tuple(tuple(swapped.get(who, who) for who in table) for table in each) if number in wanted else each
        for number, each in now.items()
    )
    pairs = tuple(clubmates(players))
    return Exchange(evenness(block, players, tuple(now.values()), pairs), evenness(block, players, then, pairs))
