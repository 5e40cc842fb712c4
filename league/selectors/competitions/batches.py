"""Readers for several competitions at once."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from league.models import Audience, Competition
from league.selectors.access.actors import Capability, competitions_where
from league.selectors.access.readers import Reader, Visitor


def readers_of(competitions: QuerySet[Competition], visitor: Visitor | None) -> dict[int, Reader]:
    """Return a reader for each competition by id, in two queries for any number of competitions."""
    works_for = own_competitions(visitor)
    return {
        row.pk: Reader(row, Audience.STAFF, row.computed_version)
        if row.pk in works_for
        else Reader(row, Audience.PUBLIC, row.public_version)
        for row in competitions
    }


def own_competitions(visitor: Visitor | None) -> frozenset[int]:
    """Return the ids of the competitions in which the visitor may read results under embargo."""
    return frozenset(competitions_where(visitor, Capability.READ).values_list("pk", flat=True))


def published_rows(readers: Collection[Reader], competition: str) -> Q:
    """Return the condition of derived rows that these readers read as stored; `competition` is the path to it.

    Readers behind the spoiler guard are left out: for them the rows are derived again without later sessions.
    """
    wanted = Q(pk__in=[])
    for audience in {reader.audience for reader in readers}:
        stored = [each.competition.pk for each in readers if each.audience == audience and each.until is None]
        wanted |= Q(("audience", audience), (f"{competition}__in", stored))
    return wanted
