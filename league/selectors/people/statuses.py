"""The state of an entrant in a word: withdrawn, disqualified, house player."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from league.models import Competition, Departure, Entrant
from league.selectors.access.readers import Reader


def entrant_status(competition: Competition, entrant: Entrant, reader: Reader | None = None) -> str:
    """Return how an entrant of the competition has left, or that the player is a house player; else an empty text.

    With a reader, a departure that the reader does not know of yet is none.
    """
    if entrant.is_house:
        return _("house player")
    if entrant.withdrawn_at is None:
        return ""
    kind = _departures(competition, reader).get(entrant.pk, Departure.Kind.WITHDRAWN)
    return str(Departure.Kind(kind).label) if kind else ""


def _departures(competition: Competition, reader: Reader | None) -> Mapping[int, str]:
    """Return the kinds of departure by the entrant's id, empty if unknown to the reader; read once for each reader."""
    key = f"departures_by_entrant_at_{reader.audience}_{reader.version}" if reader else "departures_by_entrant"
    kept: Mapping[int, str] | None = vars(competition).get(key)
    if kept is None:
        rows = Departure.objects.standing().filter(entrant__competition=competition).order_by()
        kept = dict(rows.values_list("entrant", "kind"))
        if reader is not None:
            known = set(reader.decisions(Departure, entrant__competition=competition).values_list("entrant", flat=True))
            kept = {entrant: kind if entrant in known else "" for entrant, kind in kept.items()}
        vars(competition)[key] = kept
    return kept
