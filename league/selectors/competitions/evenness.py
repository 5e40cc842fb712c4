"""Evenness of schedules: of one that is planned, of a block's present one, and of a swap of two players in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.models import Block, Entrant, HanchanSeat
from scoring.seating import Balance, balance_of
from scoring.seating.balance import Pair, Schedule


@dataclass(frozen=True, slots=True)
class Evenness:
    """The balance of a block's schedule: `games` counts each hanchan, `turns` each group that stays together once."""

    block: Block
    players: tuple[Entrant, ...]
    games: Balance
    turns: Balance
    is_staying: bool

    @property
    def _order(self) -> list[int]:
        """Return the players' indexes in the order of their numbers."""
        return sorted(range(len(self.players)), key=lambda place: self.players[place].number)

    @property
    def people(self) -> list[Entrant]:
        """Return the players by number."""
        return [self.players[place] for place in self._order]

    @property
    def rows(self) -> list[tuple[Entrant, list[int | None], tuple[int, ...], int]]:
        """Return a row for each player by number: meetings by player (None for themselves), start winds, games."""
        order = self._order
        met, winds, games = self.turns.meetings, self.games.winds, self.games.games
        return [
            (self.players[one], [None if one == other else met[one][other] for other in order], winds[one], games[one])
            for one in order
        ]


def clubmates(players: Sequence[Entrant]) -> Iterable[Pair]:
    """Yield the pairs of players with the same affiliation, by index."""
    for (one, first), (other, second) in combinations(enumerate(players), 2):
        if first.affiliation.strip() and first.affiliation.strip() == second.affiliation.strip():
            yield one, other


def evenness(block: Block, players: Sequence[Entrant], schedule: Schedule, apart: Iterable[Pair] = ()) -> Evenness:
    """Compute the evenness of a schedule of these players."""
    turns = turns_of(schedule)
    pairs = tuple(apart)
    return Evenness(
        block=block,
        players=tuple(players),
        games=balance_of(schedule, len(players), pairs),
        turns=balance_of(turns, len(players), pairs),
        is_staying=len(turns) < len(schedule),
    )


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


@dataclass(frozen=True, slots=True)
class Exchange:
    """The evenness of a block before and after two players exchange seats in some hanchan."""

    before: Evenness
    after: Evenness

    @property
    def both(self) -> tuple[Evenness, Evenness]:
        """Return the evenness before and after."""
        return self.before, self.after


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
