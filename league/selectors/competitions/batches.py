"""Reading several competitions at once."""

from __future__ import annotations

from django.db.models import QuerySet

from league.models import Audience, Competition
from league.selectors.access.actors import Capability, competitions_where
from league.selectors.access.readers import Reader, Visitor


def readers_of(competitions: QuerySet[Competition], visitor: Visitor | None) -> dict[int, Reader]:
    """A reader for each competition by its id, in two queries however many there are."""
    works_for = own_competitions(visitor)
    return {
        row.pk: Reader(row, Audience.STAFF, row.computed_version)
        if row.pk in works_for
        else Reader(row, Audience.PUBLIC, row.public_version)
        for row in competitions
    }


def own_competitions(visitor: Visitor | None) -> frozenset[int]:
    """Ids of the competitions in which the visitor may read what is held back."""
    return frozenset(competitions_where(visitor, Capability.READ).values_list("pk", flat=True))
