"""Head-to-head records within a block: shared hanchan, points, meetings and starting winds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations

from league.models import Block, SeatResult
from league.selectors.access.readers import Reader
from league.selectors.standings.credits import annulled_in
from scoring.seating.balance import starts_of


@dataclass(frozen=True, slots=True)
class Meeting:
    """The record of an entrant against another: shared hanchan, own points in them, and the number of better places."""

    hanchan: int = 0
    points: int = 0
    ahead: int = 0

    def with_game(self, own: SeatResult, other: SeatResult) -> Meeting:
        """Return the record with another hanchan added; equal places are not ahead."""
        return Meeting(self.hanchan + 1, self.points + own.points, self.ahead + (own.place < other.place))


@dataclass(frozen=True, slots=True)
class Meetings:
    """The head-to-head records of a block; counts of players are in the order of the entrants given."""

    pairs: Mapping[tuple[int, int], Meeting]
    hanchan: int
    """Number of hanchan that count."""
    known: int
    """Number of those with known seats."""
    starts: Sequence[Sequence[int]]
    """Starts of each entrant from each wind, in the hanchan with known seats."""
    least: int
    """Meetings of the pair that met least often."""
    most: int
    """Meetings of the pair that met most often."""
    fewest: int
    """The highest possible value of `least` for as many meetings."""
    highest: int
    """The lowest possible value of `most` for as many meetings."""


def meetings_of(reader: Reader, block: Block, entrants: Sequence[int]) -> Meetings:
    """Compute the records from the hanchan of the block that count; one annulled for those who stayed does not."""
    tables = _tables(reader, block)
    pairs: defaultdict[tuple[int, int], Meeting] = defaultdict(Meeting)
    for seats in tables:
        for own, other in permutations(seats, 2):
            key = own.entrant_id, other.entrant_id
            pairs[key] = pairs[key].with_game(own, other)
    # A sheet without known seats still has seat numbers, but they say nothing of the winds.
    known = [seats for seats in tables if seats[0].sheet.facts.get("are_seats_known", True)]
    # House players, who are not among the entrants, start from a wind too.
    people = dict.fromkeys([*entrants, *(seat.entrant_id for seats in known for seat in seats)])
    order = {entrant: place for place, entrant in enumerate(people)}
    counts = [pairs[pair].hanchan if pair in pairs else 0 for pair in combinations(entrants, 2)] or [0]
    even, left = divmod(sum(counts), len(counts))
    seats_of = tuple((tuple(order[seat.entrant_id] for seat in seats),) for seats in known)
    return Meetings(
        pairs=dict(pairs),
        hanchan=len(tables),
        known=len(known),
        starts=starts_of(seats_of, len(order))[: len(entrants)],
        least=min(counts),
        most=max(counts),
        fewest=even,
        highest=even + (left > 0),
    )


def _tables(reader: Reader, block: Block) -> list[list[SeatResult]]:
    rows = reader.seat_results(block=block).select_related("sheet").order_by("sheet__hanchan", "seat")
    annulled = {hanchan for _entrant, hanchan in annulled_in(reader)}
    counted = (row for row in rows if row.sheet.hanchan_id not in annulled)
    return [list(seats) for _sheet, seats in groupby(counted, key=lambda row: row.sheet_id)]
