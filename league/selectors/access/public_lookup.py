"""The competition at a public address, with everything an ETag depends on, in one query.

Almost every request is an anonymous one, and most of an unchanged answer's cost is finding the competition: building
and running the query costs three times as much with the ORM (0.33 ms) as raw (0.12 ms), and a 304 costs about 1 ms.
"""

from __future__ import annotations

from league.models import Competition
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.standings.odds import METHOD

BY_SLUG = """
SELECT competition.*, forecast.digest AS forecast_digest, forecast.computed_version AS forecast_version
FROM league_competition AS competition
LEFT JOIN league_forecast AS forecast
  ON forecast.competition_id = competition.id AND forecast.audience = 'public' AND forecast.method = %s
WHERE competition.slug = %s
"""


def public_reader(slug: str) -> Reader | None:
    """The competition of this slug as the public reads it; None where the public knows of no such competition."""
    found = next(iter(Competition.objects.raw(BY_SLUG, [METHOD, slug])), None)
    return public_reader_of(found) if found is not None and found.is_readable_by_public else None
