"""The competition that the service's root address leads to, for a service that exists for one league."""

from __future__ import annotations

from league.models import Competition
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import refuse_strangers


@all_or_nothing
def set_first_page(*, competition: Competition, is_first: bool, by: Actor) -> Competition:
    """Make the competition the first page of the service instead of any other, or no longer.

    Without a first page the list of all competitions is shown there. Since the address belongs to all competitions,
    the actor needs the right to add some, besides the management of this one.
    """
    require(by, competition, Capability.MANAGE)
    refuse_strangers(by)
    # Locked in the order of ids: two such changes cannot deadlock, and the one before leaves the place first.
    first = Competition.objects.filter(is_first_page=True) | Competition.objects.filter(pk=competition.pk)
    rows = list(first.select_for_update().order_by("pk"))
    for row in sorted(rows, key=lambda row: row.pk == competition.pk):
        after = is_first and row.pk == competition.pk
        if row.is_first_page != after and (is_first or row.pk == competition.pk):
            row.is_first_page = after
            row.save(update_fields=["is_first_page"])
            change, said = open_change(row, by), {"is_first_page": after}
            change.record("first_page.chosen", row, before={"is_first_page": not after}, after=said, is_public=False)
    competition.is_first_page = is_first
    return competition
