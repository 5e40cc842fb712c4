"""Entrants that results of a block may name, and the hanchan that are missing before it is closed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from league.models import Audience, Block, Entrant, Hanchan, ResultSheet, SlotState, Standing


def entrants_who_may_play(block: Block, among: Collection[int] | None = None) -> frozenset[int]:
    """Return the ids of the entrants that a result of the block may name.

    In a block with slots these are the entrants that certainly fill one; in an open table every entrant of the
    competition. `among` restricts the query to these ids at an open table, which may have thousands of entrants;
    the result then says nothing about the others.
    """
    seeds = list(block.slots.order_by().values_list("seeded", flat=True))
    if not seeds:
        entrants = Entrant.objects.filter(competition=block.competition_id).order_by()
        if among is not None:
            entrants = entrants.filter(pk__in=list(among))
        return frozenset(entrants.values_list("pk", flat=True))
    # The staff's rows: the public's may lack results that are under embargo.
    filled = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    certain = filled.order_by().values_list("entrant", flat=True)
    return frozenset(filter(None, (*seeds, *certain)))


def entrants_who_may_sit(block: Block) -> frozenset[int]:
    """Return the ids of the entrants who may have a seat in a block: those who may play, and house players."""
    house = Entrant.objects.filter(competition=block.competition_id, is_house=True).order_by()
    return entrants_who_may_play(block) | frozenset(house.values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The hanchan that a block lacks if it ends now."""

    most: int
    """The largest number of hanchan that an entrant has played."""
    behind: tuple[tuple[Entrant, int], ...]
    """The entrants who have played fewer, with their numbers of hanchan, fewest first."""
    scheduled: int
    """Hanchan that are scheduled and have no result."""


def unplayed_in(block: Block) -> Unplayed:
    """Return the hanchan that the block lacks, as the organizers know it."""
    rows = Standing.objects.filter(block=block, audience=Audience.STAFF).select_related("entrant__player")
    played = [(row.entrant, row.played) for row in rows.order_by("played", "position")]
    most = max((count for _entrant, count in played), default=0)
    open_ones = Hanchan.objects.filter(block=block, table_session__is_cancelled=False)
    open_ones = open_ones.exclude(state=Hanchan.State.ABANDONED)
    counted = ResultSheet.objects.counting().filter(hanchan__block=block)
    return Unplayed(
        most=most,
        behind=tuple((entrant, count) for entrant, count in played if count < most),
        scheduled=open_ones.exclude(pk__in=counted.values("hanchan")).count(),
    )
