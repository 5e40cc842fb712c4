"""Public lookup of a competition by its slug, with the inputs of its ETag, in one SQL statement.

Almost all requests are anonymous, and most of an unchanged response's cost is finding the competition.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from league.models import Competition
from league.selectors.access.raw_rows import columns_of, read_instances
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.standings.odds import METHOD

COMPETITION = columns_of(Competition, "competition")
LOOKUP = """
SELECT {competition}, forecast.digest AS forecast_digest, forecast.computed_version AS forecast_version,
  CASE WHEN competition.kind = 'league' THEN (
    SELECT {ids}
    FROM league_tablesession AS seating
    JOIN league_hanchan AS game ON game.table_session_id = seating.id
    -- The first condition is that of the index, which SQLite must find word for word.
    WHERE game.state IN ('scheduled', 'running') AND game.state = 'running'
      AND seating.competition_id = competition.id AND seating.is_released
  ) END AS running_games
FROM league_competition AS competition
LEFT JOIN league_forecast AS forecast
  ON forecast.competition_id = competition.id AND forecast.audience = 'public' AND forecast.method = %s
WHERE competition.slug = %s
"""
IDS = "GROUP_CONCAT(game.id)" if settings.ON_SQLITE else "STRING_AGG(game.id::text, ',')"
"""The ids of the running games, separated by commas."""
BY_SLUG = LOOKUP.format(competition=COMPETITION, ids=IDS)
FURTHER = ("forecast_digest", "forecast_version", "running_games")
"""Its columns after those of the competition, for `forecast_mark` and `running_games`."""


def public_reader(slug: str) -> Reader | None:
    """Return the public's reader of the competition with this slug; None if the public may not know of it."""
    return found_by(BY_SLUG, [METHOD, slug], FURTHER)


def found_by(statement: str, parameters: Sequence[str | int], further: Sequence[str]) -> Reader | None:
    """Return the public's reader of the competition in the first row; None if the public may not know of it."""
    found = next(read_instances(Competition, statement, parameters, further), None)
    return public_reader_of(found) if found is not None and found.is_readable_by_public else None
