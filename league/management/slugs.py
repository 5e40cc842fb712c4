"""Look up the row that a command names by its slug."""

from __future__ import annotations

from typing import TypeVar

from django.core.management.base import CommandError
from django.db.models import Model, QuerySet

from league.models import Competition

M = TypeVar("M", bound=Model)


def competition_at(slug: str) -> Competition:
    """Return the competition with this slug. CommandError, listing the known slugs, if there is none."""
    return row_at(Competition.objects.all(), slug)


def row_at(rows: QuerySet[M], slug: str) -> M:
    """Return the row with this slug. CommandError, listing the known slugs, if there is none."""
    found = rows.filter(slug=slug).first()
    if found is None:
        known = ", ".join(rows.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no {rows.model._meta.model_name} “{slug}”. There are: {known}.")
    return found
