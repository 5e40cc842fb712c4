"""Look up the competition that a command names by its slug."""

from __future__ import annotations

from django.core.management.base import CommandError

from league.models import Competition


def competition_at(slug: str) -> Competition:
    """Return the competition with this slug. CommandError, listing the known slugs, if there is none."""
    found = Competition.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Competition.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no competition “{slug}”. There are: {known}.")
    return found
