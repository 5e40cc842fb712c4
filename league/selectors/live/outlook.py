"""Total, rank and side of the border of the players of a running game, as if it ended now with no other result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from league.selectors.live.public import Live
from league.selectors.people.player_card import counted_rows
from league.selectors.standings.published import standings_of
from scoring.lines import CHAMPION, OUT
from scoring.pyramid.conditions import read_destination


class Cut(StrEnum):
    """The side of the border, and whether it is certain."""

    IN = "in"
    """Inside as it stands."""
    OUT = "out"
    """Outside as it stands."""
    THROUGH = "through"
    """Certainly going on."""
    ELIMINATED = "eliminated"
    """Certainly eliminated."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The total at the ranking ledger's scale, the rank, and the side of the border; None without a border.

    A house player has neither rank nor side.
    """

    total: int
    rank: int | None
    cut: Cut | None


def outlooks_of(live: Live) -> Mapping[int, Outlook]:
    """Return the outlook of each player at the table by entrant id; of a game that counts, the standing itself."""
    rows = standings_of(live.reader, blocks=[live.log.hanchan.block])
    seats = live.typed_seats or live.seats
    people = [seat.entrant_id for seat in seats]
    house = {seat.entrant_id for seat in seats if seat.entrant.is_house}
    totals = {row.entrant_id: row.total for row in rows if row.is_ranked or row.entrant_id in people}
    if live.sheet is None:
        points = live.settlement.totals[live.log.rules.ranking_ledger.key]
        for seat in live.seats:
            totals[seat.entrant_id] = totals.get(seat.entrant_id, 0) + points[seat.seat]
    goes = {row.entrant_id: row.goes for row in rows}
    # In a tier of a series the border between staying and relegation counts for more players than the title.
    is_tier = any(read_destination(row.destination) is not None for row in rows)
    is_title = not is_tier and any(row.destination == CHAMPION for row in rows)
    counted, inside = ([], 0) if is_title else counted_rows(rows)
    every = [total for entrant, total in totals.items() if entrant not in house]
    # Those whose place a decision has settled stand on neither side, and take no place from the others.
    apart = house | {row.entrant_id for row in rows} - {row.entrant_id for row in counted}
    rivals = sorted((total for entrant, total in totals.items() if entrant not in apart), reverse=True)
    found = {}
    for entrant in people:
        total = totals.get(entrant, 0)
        cut = None if is_title or entrant in apart else _cut(goes.get(entrant, ""), total, rivals, inside)
        rank = None if entrant in house else 1 + sum(other > total for other in every)
        found[entrant] = Outlook(total, rank, cut)
    return found


def _cut(goes: str, total: int, every: list[int], inside: int) -> Cut | None:
    """Return the side of the border for a total; None where all or none go on, or where the border divides a tie."""
    if goes:
        return Cut.ELIMINATED if goes == OUT else Cut.THROUGH
    if not 0 < inside < len(every):
        return None
    if total > every[inside]:
        return Cut.IN
    return Cut.OUT if total < every[inside - 1] else None
