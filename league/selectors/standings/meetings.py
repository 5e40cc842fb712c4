"""Head-to-head records within a block: shared hanchan, points, and the balance of meetings and starting winds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from league.models import Block, SeatResult
from league.selectors.access.readers import Reader
from scoring.seating.balance import Balance, balance_of


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
    """The head-to-head records of a block; `Balance` indexes entrants in the given order."""

    pairs: Mapping[tuple[int, int], Meeting]
    balance: Balance
    """Balance over all hanchan that count."""
    starts: Balance
    """Balance over the hanchan with known seats."""


def meetings_of(reader: Reader, block: Block, entrants: Sequence[int]) -> Meetings:
    """Compute the records from the hanchan of the block that count."""
    tables = _tables(reader, block)
    pairs: defaultdict[tuple[int, int], Meeting] = defaultdict(Meeting)
    for seats in tables:
        for own, other in permutations(seats, 2):
            key = own.entrant_id, other.entrant_id
            pairs[key] = pairs[key].with_game(own, other)
    order = {entrant: place for place, entrant in enumerate(entrants)}
    # A sheet without known seats still has seat numbers, but they say nothing of the winds.
    known = [seats for seats in tables if seats[0].sheet.facts.get("are_seats_known", True)]
    return Meetings(dict(pairs), _balance(tables, order), _balance(known, order))


def _tables(reader: Reader, block: Block) -> list[list[SeatResult]]:
    rows = reader.seat_results(block=block).select_related("sheet").order_by("sheet__hanchan", "seat")
    tables: defaultdict[int, list[SeatResult]] = defaultdict(list)
    for row in rows:
        tables[row.sheet_id].append(row)
    return list(tables.values())


def _balance(tables: Sequence[Sequence[SeatResult]], order: Mapping[int, int]) -> Balance:
    return balance_of(tuple((tuple(order[seat.entrant_id] for seat in seats),) for seats in tables), len(order))
