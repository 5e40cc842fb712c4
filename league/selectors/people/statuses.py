"""The state of an entrant in a word: withdrawn, disqualified, house player."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from league.models import Competition, Departure, Entrant
from league.selectors.access.readers import Reader


def entrant_status(competition: Competition, entrant: Entrant, reader: Reader | None = None) -> str:
    """Return how an entrant of the competition has left, or that the player is a house player; else an empty text."""
    return _("house player") if entrant.is_house else departure_word(competition, entrant, reader)


def departure_word(competition: Competition, entrant: Entrant, reader: Reader | None = None) -> str:
    """Return how an entrant of the competition has left; else an empty text.

    With a reader it is what the reader may know: a departure made or taken back under embargo counts from the release.
    """
    known = None if reader is None else _prepared_departures(reader)
    if known is None:
        # Most pages of the staff name only entrants who have not left, and then need no query.
        if entrant.withdrawn_at is None and reader is None:
            return ""
        known = _departures(competition) if reader is None else departures_of(reader)
    left = known.get(entrant.pk)
    return str(left.get_kind_display()) if left else ""


def departures_of(reader: Reader) -> Mapping[int, Departure]:
    """Return the departures that the reader may know of, by entrant id; read once."""
    found = _prepared_departures(reader)
    if found is None:
        if "departures" not in reader.known:
            rows = reader.decisions(Departure, entrant__competition=reader.competition)
            reader.known["departures"] = {row.entrant_id: row for row in rows}
        found = reader.known["departures"]
    return found


def _prepared_departures(reader: Reader) -> Mapping[int, Departure] | None:
    """Return the same from the prepared season; None if it was not read or there is none."""
    season = reader.known.get("season")
    found: Mapping[int, Departure] | None = season.departures if season is not None else None
    return found


def _departures(competition: Competition) -> Mapping[int, Departure]:
    """Return all departures in force by entrant id, read once for each competition object."""
    kept: Mapping[int, Departure] | None = vars(competition).get("departures_by_entrant")
    if kept is None:
        rows = Departure.objects.standing().filter(entrant__competition=competition).order_by()
        kept = vars(competition)["departures_by_entrant"] = {row.entrant_id: row for row in rows}
    return kept
