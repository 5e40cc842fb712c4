"""The reasons of a pairing: why these four sit at a table, and whether today's standing would pair otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from league.models import Entrant, HanchanSeat, Pairing
from league.selectors.access.readers import Reader
from league.selectors.competitions.seating.pairing import (
    PlannedPairing,
    origins_of,
    past_tables,
    ranked_levels,
    round_plan,
    rule_of,
    search_pairing,
)
from league.selectors.rulebooks.rules_in_force import format_of, rules_at

NEAR = 4
"""Places in the standing within which an earlier opponent is named."""


@dataclass(frozen=True, slots=True)
class ExplainedPair:
    """Two entrants of a table with the terms of their cost."""

    one: Entrant
    other: Entrant
    apart: int
    """Difference of their places in the order."""
    met: int
    is_same_club: bool
    is_same_country: bool
    cost: int


@dataclass(frozen=True, slots=True)
class ExplainedTable:
    """A table of a pairing with the reasons for its four."""

    number: int
    """Its place among the tables of the round, from 1."""
    label: str
    hanchan: int | None
    seats: tuple[tuple[Entrant, int], ...]
    """The entrants from the first dealer on, each with the place in the standing that it was paired by."""
    pairs: tuple[ExplainedPair, ...]
    cost: int
    nearest: tuple[Entrant, ...]
    """The best four in a row of the order that include one of these; empty if they are these four."""
    nearest_cost: int
    nearest_avoided: int
    met: tuple[tuple[Entrant, tuple[Entrant, ...]], ...]
    """Entrants with the opponents near them in the standing whom they had met before."""
    is_changed: bool = False
    """Others sit there now: players were exchanged after the pairing."""

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Return the four, the first dealer first."""
        return tuple(entrant for entrant, _place in self.seats)


def table_reasons(planned: PlannedPairing, number: int) -> dict[str, Any]:
    """Return a table of a planned round as JSON: the terms of its cost, entrants by their ids."""
    table, game = planned.found.tables[number], planned.games[number]

    def ids(numbers: Sequence[int]) -> list[int]:
        return [planned.past_ids[one] for one in numbers]

    return {
        "hanchan": game and game.hanchan.pk,
        "table": game.hanchan.table_session.table if game else "",
        "entrants": ids(table.entrants),
        "cost": table.cost,
        "terms": [
            {
                "entrants": ids(each.entrants),
                "apart": each.apart,
                "met": each.met,
                "same_club": each.is_same_club,
                "same_country": each.is_same_country,
                "cost": each.cost,
            }
            for each in table.terms
        ],
        "nearest": {
            "entrants": ids(table.nearest.entrants),
            "cost": table.nearest.cost,
            "avoided": table.nearest.avoided,
        },
        "met": {str(planned.past_ids[one]): ids(others) for one, others in table.met.items()},
    }


def explained_plan(planned: PlannedPairing) -> list[ExplainedTable]:
    """Return the tables of a planned round with their reasons."""
    order = [[planned.past_ids[one] for one in level] for level in planned.standing]
    tables = [table_reasons(planned, number) for number in range(len(planned.found.tables))]
    return _explained(planned.block.competition_id, order, tables)


def explained_tables(pairing: Pairing) -> list[ExplainedTable]:
    """Return the tables of a published pairing with their reasons."""
    tables = _explained(pairing.block.competition_id, pairing.order, pairing.tables)
    seats: defaultdict[int, set[int]] = defaultdict(set)
    rows = HanchanSeat.objects.filter(hanchan__block=pairing.block_id, hanchan__number=pairing.number)
    for hanchan, entrant in rows.values_list("hanchan", "entrant"):
        seats[hanchan].add(entrant)
    return [
        replace(table, is_changed=True)
        if (now := seats.get(table.hanchan or 0)) is not None and now != {one.pk for one in table.entrants}
        else table
        for table in tables
    ]


def _explained(
    competition: int, order: Sequence[Sequence[int]], tables: Sequence[Mapping[str, Any]]
) -> list[ExplainedTable]:
    people = {row.pk: row for row in Entrant.objects.filter(competition=competition).select_related("player")}
    places: dict[int, int] = {}
    for level in order:
        places |= dict.fromkeys(level, len(places) + 1)
    return [_table(number, table, places, people) for number, table in enumerate(tables, 1)]


def _table(
    number: int, table: Mapping[str, Any], places: Mapping[int, int], people: Mapping[int, Entrant]
) -> ExplainedTable:
    nearest = table["nearest"]
    is_same = set(nearest["entrants"]) == set(table["entrants"])
    met = (
        (
            one,
            [other for other in table["met"].get(str(one), ()) if abs(places.get(other, -NEAR) - places[one]) <= NEAR],
        )
        for one in table["entrants"]
    )
    return ExplainedTable(
        number=number,
        label=table["table"],
        hanchan=table["hanchan"],
        seats=tuple((people[one], places[one]) for one in table["entrants"]),
        pairs=tuple(
            ExplainedPair(
                people[each["entrants"][0]], people[each["entrants"][1]], each["apart"], each["met"],
                each["same_club"], each["same_country"], each["cost"],
            )
            for each in table["terms"]
        ),
        cost=table["cost"],
        nearest=() if is_same else tuple(people[one] for one in nearest["entrants"]),
        nearest_cost=nearest["cost"],
        nearest_avoided=nearest["avoided"],
        met=tuple((people[one], tuple(people[other] for other in others)) for one, others in met if others),
    )  # fmt: skip


def tables_otherwise(reader: Reader, pairing: Pairing) -> list[int] | None:
    """Return the numbers of the tables that today's facts would seat with others, counted from 1.

    The facts are those that the reader may know, so that the public learns nothing of tables held back. The same
    entrants are paired again by the same rule and seed. None if the format does not pair the round any more.
    """
    block = pairing.block
    format_ = format_of(rules_at(block.competition))
    plan = round_plan(format_, block.stage.key, pairing.number)
    if plan is None:
        return None
    known = Entrant.objects.filter(pk__in=[one for level in pairing.order for one in level]).select_related("player")
    people = list(known.order_by("number"))
    # House players stay behind the last, as in the pairing.
    ranked = ranked_levels(reader, block, pairing.number, plan, format_, [one for one in people if not one.is_house])
    house = tuple(one.number for one in people if one.is_house)
    past = past_tables(reader, block, pairing.number, [table["table"] for table in pairing.tables])
    standing = tuple(filter(None, (*ranked, house)))
    found = search_pairing(standing, past, rule_of(plan), *origins_of(people), pairing.seed)
    numbers = {one.pk: one.number for one in people}
    then = [{numbers[one] for one in table["entrants"]} for table in pairing.tables]
    return [place for place, (was, now) in enumerate(zip(then, found.round, strict=True), 1) if was != set(now)]
