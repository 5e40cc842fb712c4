"""The values of a season with which the set-up of the next one begins."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from league.models import Competition, TableSession
from league.selectors.competitions.roster import active_entrants


def proposed_settings(before: Competition) -> dict[str, object]:
    """Return names, confirmation, number of entrants, and venue and start of the first table, by the form's fields."""
    found: dict[str, object] = {
        "name": before.name,
        "name_en": before.name_en,
        "confirmation": before.confirmation,
        "entrants": len(active_entrants(before)) or None,
    }
    tables = TableSession.objects.filter(competition=before, is_cancelled=False).exclude(starts_at=None)
    table = tables.order_by("starts_at", "pk").first()
    if table is not None and table.starts_at is not None:
        starts_at = table.starts_at.astimezone(ZoneInfo(before.time_zone))
        found |= {"venue": table.venue, "starts_at": starts_at.time()}
    return found
