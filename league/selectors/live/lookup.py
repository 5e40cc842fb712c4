"""The hanchan of a live table, found with the inputs of its document's ETag; for the public in one raw query.

Overlays poll once a second, and nearly always nothing has changed. Finding competition, table, hanchan, result and log
one after the other takes five queries, one of them with the whole ruleset; this takes one.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, F, IntegerField, QuerySet, When

from league.models import Hanchan, TableEvent
from league.selectors.access.public_lookup import COMPETITION, found_by
from league.selectors.access.readers import Reader
from league.selectors.live.public import known_until

PLAYED = (Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME, Hanchan.State.ABANDONED)
"""States in which no more is played: an overlay goes on to the table's next hanchan."""
PUBLIC = """
SELECT {competition}, game.id AS game_id, game.state AS game_state,
  (SELECT MAX(event.sequence) FROM league_tableevent AS event WHERE event.hanchan_id = game.id) AS newest_event,
  EXISTS (
    SELECT 1 FROM league_resultsheet AS sheet
    WHERE sheet.hanchan_id = game.id AND sheet.confirmed_n <= competition.public_version
      AND (sheet.ended_n IS NULL OR sheet.ended_n > competition.public_version)
  ) AS has_result
FROM league_hanchan AS game
JOIN league_tablesession AS seating ON seating.id = game.table_session_id
JOIN league_competition AS competition ON competition.id = seating.competition_id
WHERE {column} = %s AND seating.is_released
ORDER BY CASE WHEN game.state IN (%s, %s, %s) THEN 1000000 - game.round ELSE game.round END
LIMIT 1
"""
"""The hanchan of a table session in the order of `current_first`; `column` is one of the two below."""
OF_HANCHAN, OF_TABLE = (
    PUBLIC.format(competition=COMPETITION, column=column) for column in ("game.id", "game.table_session_id")
)
FURTHER = ("game_id", "game_state", "newest_event", "has_result")


@dataclass(frozen=True, slots=True)
class LiveMark:
    """A live hanchan as the public may know it: who reads it, which one it is, and what its document depends on."""

    reader: Reader
    hanchan_id: int
    state: list[object]
    """The same as `live_state` returns."""


def public_mark(query: str, pk: int) -> LiveMark | None:
    """Return the mark of a hanchan (`OF_HANCHAN`) or of a table session's current one (`OF_TABLE`).

    None if the public may not know of it.
    """
    reader = found_by(query, [pk, *PLAYED], FURTHER)
    if reader is None:
        return None
    of = vars(reader.competition)
    hanchan_id, is_over, newest = int(of["game_id"]), bool(of["has_result"]), of["newest_event"]
    until = known_until(reader, is_over=is_over)
    if until is not None:
        # The delay moves with the clock: the ETag follows the newest event already visible, not the newest written.
        events = TableEvent.objects.filter(hanchan=hanchan_id, at__lte=until).order_by("-sequence")
        newest = events.values_list("sequence", flat=True).first()
    return LiveMark(reader, hanchan_id, [newest, is_over, of["game_state"], of["advice"], of["live_delay"]])


def current_first(rows: QuerySet[Hanchan]) -> QuerySet[Hanchan]:
    """Order the hanchan of one table session: first the earliest that is not over, after those the latest played."""
    played = When(state__in=PLAYED, then=1_000_000 - F("round"))
    return rows.order_by(Case(played, default=F("round"), output_field=IntegerField()))
