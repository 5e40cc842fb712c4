"""Who plays in a block, and what was played in it."""

from __future__ import annotations

from collections.abc import Collection

from league.models import Audience, Block, Entrant, SlotState


def entrants_who_may_play(block: Block, among: Collection[int] | None = None) -> frozenset[int]:
    """Ids of the entrants a result of the block may name.

    In a block with slots those who certainly fill one; in an open table every entrant of the competition. With
    `among` an open table's thousands are not all looked up: of the others nothing is said.
    """
    seeds = list(block.slots.order_by().values_list("seeded", flat=True))
    if not seeds:
        everybody = Entrant.objects.filter(competition=block.competition_id).order_by()
        if among is not None:
            everybody = everybody.filter(pk__in=list(among))
        return frozenset(everybody.values_list("pk", flat=True))
    filled = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    certain = filled.order_by().values_list("entrant", flat=True)
    return frozenset(filter(None, (*seeds, *certain)))
