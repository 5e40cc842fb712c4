"""Entrants that results of a block may name."""

from __future__ import annotations

from collections.abc import Collection

from league.models import Audience, Block, Entrant, SlotState


def entrants_who_may_play(block: Block, among: Collection[int] | None = None) -> frozenset[int]:
    """Return the ids of the entrants that a result of the block may name.

    In a block with slots these are the entrants that certainly fill one; in an open table every entrant of the
    competition. `among` restricts the query to these ids at an open table, which may have thousands of entrants;
    the result then says nothing about the others.
    """
    seeds = list(block.slots.order_by().values_list("seeded", flat=True))
    if not seeds:
        everybody = Entrant.objects.filter(competition=block.competition_id).order_by()
        if among is not None:
            everybody = everybody.filter(pk__in=list(among))
        return frozenset(everybody.values_list("pk", flat=True))
    # The staff's rows: the public's may lack results that are under embargo.
    filled = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    certain = filled.order_by().values_list("entrant", flat=True)
    return frozenset(filter(None, (*seeds, *certain)))
