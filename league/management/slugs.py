"""Competitions as commands name them."""

from __future__ import annotations

from django.core.management.base import CommandError

from league.models import Competition


def competition_at(slug: str) -> Competition:
    """The competition at this address; CommandError, with those there are, if there is none."""
    found = Competition.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Competition.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no competition “{slug}”. There are: {known}.")
    return found
