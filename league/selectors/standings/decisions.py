"""Kinds of decisions that a competition has any of: most have few, and one query saves one for each of the others."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Exists, OuterRef

from league.models import Adjustment, Closing, Competition, Credit, Departure, Draw, Override, Ruling
from league.models.rulings import Decided

COMPETITION_OF: Mapping[type[Decided], str] = {
    Adjustment: "block__competition",
    Closing: "block__competition",
    Credit: "block__competition",
    Departure: "entrant__competition",
    Draw: "stage__competition",
    Override: "block__competition",
    Ruling: "competition",
}
"""The path from each kind of decision that standings follow from to its competition."""


def kinds_decided(competition: Competition) -> frozenset[type[Decided]]:
    """Return the kinds of decisions of which the competition has a row, in force or not."""
    made = [Exists(kind.objects.filter(**{path: OuterRef("pk")})) for kind, path in COMPETITION_OF.items()]
    found = Competition.objects.filter(pk=competition.pk).values_list(*made).get()
    return frozenset(kind for kind, is_made in zip(COMPETITION_OF, found, strict=True) if is_made)
