"""The state of an entrant in a word: withdrawn, disqualified, house player."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from league.models import Competition, Departure, Entrant


def entrant_status(competition: Competition, entrant: Entrant) -> str:
    """Return how an entrant of the competition has left, or that the player is a house player; else an empty text."""
    if entrant.is_house:
        return _("house player")
    if entrant.withdrawn_at is None:
        return ""
    kind = _departures(competition).get(entrant.pk, Departure.Kind.WITHDRAWN)
    return str(Departure.Kind(kind).label)


def _departures(competition: Competition) -> Mapping[int, str]:
    """Return the kinds of departure by the entrant's id, read once for each competition object."""
    kept: Mapping[int, str] | None = vars(competition).get("departures_by_entrant")
    if kept is None:
        rows = Departure.objects.standing().filter(entrant__competition=competition).order_by()
        kept = vars(competition)["departures_by_entrant"] = dict(rows.values_list("entrant", "kind"))
    return kept
