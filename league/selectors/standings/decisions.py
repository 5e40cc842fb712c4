"""Decisions of organizers from which standings follow, as a reader may know them.

Most competitions have few kinds of them: one query tells which, and the others need none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from league.models import Adjustment, Closing, Competition, Credit, Departure, Draw, Override, Ruling
from league.models.rulings import Decided
from league.selectors.access.raw_rows import fetch_rows
from league.selectors.access.readers import Reader
from league.selectors.standings.leaving import credits_by_block
from scoring.credits import GivenCredit
from scoring.stages import PassOver, Replace

KINDS: Mapping[type[Decided], str] = {
    Adjustment: "league_adjustment AS made JOIN league_block AS owner ON owner.id = made.block_id",
    Closing: "league_closing AS made JOIN league_block AS owner ON owner.id = made.block_id",
    Credit: "league_credit AS made JOIN league_block AS owner ON owner.id = made.block_id",
    Departure: "league_departure AS made JOIN league_entrant AS owner ON owner.id = made.entrant_id",
    Draw: "league_draw AS made JOIN league_stage AS owner ON owner.id = made.stage_id",
    Override: "league_override AS made JOIN league_block AS owner ON owner.id = made.block_id",
    Ruling: "league_ruling AS owner",
}
"""The tables of each kind of decision that standings follow from; `owner` is the one that names the competition."""
IS_MADE = "EXISTS (SELECT 1 FROM {} WHERE owner.competition_id = %s)"
# In one statement: through the ORM this takes 6,900 function calls.
MADE = "SELECT " + ", ".join(map(IS_MADE.format, KINDS.values()))


def kinds_decided(competition: Competition) -> frozenset[type[Decided]]:
    """Return the kinds of decisions of which the competition has a row, in force or not."""
    (found,) = fetch_rows(MADE, [competition.pk] * len(KINDS))
    return frozenset(kind for kind, is_made in zip(KINDS, found, strict=True) if is_made)


def adjusted_points(reader: Reader) -> Mapping[tuple[str, int], int]:
    """Return the sum of the adjustments in force by block key and entrant."""
    points: defaultdict[tuple[str, int], int] = defaultdict(int)
    for row in reader.decisions(Adjustment, block__competition=reader.competition).select_related("block"):
        points[row.block.key, row.entrant_id] += row.points
    return dict(points)


def ruled_orders(reader: Reader) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """Return the orders of the rulings in force by scope, oldest first."""
    orders: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    for row in reader.decisions(Ruling, competition=reader.competition):
        orders[row.scope].append(tuple(row.order))
    return {scope: tuple(own) for scope, own in orders.items()}


def leaving_kinds(reader: Reader) -> Mapping[int, str]:
    """Return the kind of departure of each entrant who has left."""
    rows = reader.decisions(Departure, entrant__competition=reader.competition)
    return dict(rows.values_list("entrant", "kind"))


def given_by_block(reader: Reader) -> Mapping[str, Mapping[int, tuple[GivenCredit, ...]]]:
    """Return by block key and entrant the hanchan that count without having been played."""
    rows = reader.decisions(Credit, block__competition=reader.competition).order_by("number", "made_n")
    return credits_by_block(rows.values_list("block__key", "entrant", "number", "kind", "points", "place"))


def draws_of(reader: Reader) -> Mapping[str, Any]:
    """Return the result of the draw in force for each stage, by stage key."""
    rows = reader.decisions(Draw, stage__competition=reader.competition).select_related("stage")
    # Decisions come oldest first, so the newest draw of a stage wins.
    return {row.stage.key: row.result for row in rows}


def overrides_of(reader: Reader) -> Iterator[Replace | PassOver]:
    """Yield the organizers' slot overrides and passed-over entrants, oldest first."""
    rows = reader.decisions(Override, block__competition=reader.competition)
    for row in rows.select_related("block", "slot"):
        if row.kind == Override.Kind.REPLACE and row.slot is not None:
            yield Replace(row.block.key, row.slot.number, row.source, row.reason, row.entrant_id)
        elif row.entrant_id is not None:
            yield PassOver(row.block.key, row.entrant_id, row.reason)
