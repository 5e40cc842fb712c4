"""Reading several competitions at once."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet

from league.models import Audience, Competition, Membership
from league.selectors.readers import Reader, Visitor
from league.services.actor import CAN, Capability


def readers_of(competitions: QuerySet[Competition], visitor: Visitor | None) -> dict[int, Reader]:
    """A reader for each competition by its id, in two queries however many there are."""
    works_for = own_competitions(visitor)
    is_superuser = isinstance(visitor, User) and visitor.is_active and visitor.is_superuser
    found = {}
    for row in competitions:
        is_staff = is_superuser or row.pk in works_for
        found[row.pk] = (
            Reader(row, Audience.STAFF, row.computed_version)
            if is_staff
            else Reader(row, Audience.PUBLIC, row.public_version)
        )
    return found


def own_competitions(visitor: Visitor | None) -> frozenset[int]:
    """Ids of the competitions in which the visitor may read what is held back."""
    if not isinstance(visitor, User) or not visitor.is_active:
        return frozenset()
    rows = Membership.objects.filter(user=visitor).values_list("competition", "role")
    return frozenset(pk for pk, role in rows if Capability.READ in CAN[role])
