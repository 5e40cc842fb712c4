"""The running and the next games of several competitions, for the start page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from league.models import Hanchan, TableSession
from league.selectors.access.readers import Reader
from league.selectors.operations.pending_tasks import with_gaps

RUNNING_SHOWN = 6
NEXT_SHOWN = 4
ROWS_READ = 200
"""Upper limit for the tables looked through for the first one of each competition."""


@dataclass(frozen=True, slots=True)
class NowAndNext:
    """The running games, and the first table of the next session of each competition that is not playing."""

    running: tuple[Hanchan, ...]
    upcoming: tuple[TableSession, ...]


def now_and_next(readers: Sequence[Reader]) -> NowAndNext:
    """Return what these readers may know, in two queries.

    Competitions behind the spoiler guard are left out, and open tables, whose games are not public.
    """
    shown = [reader for reader in readers if reader.until is None and not reader.guards_guests]
    public = [reader.competition.pk for reader in shown if not reader.is_staff]
    own = [reader.competition.pk for reader in shown if reader.is_staff]
    visible = Q(competition__in=own) | Q(competition__in=public, is_released=True)
    tables = TableSession.objects.filter(visible, is_cancelled=False)
    games = Hanchan.objects.filter(state=Hanchan.State.RUNNING, table_session__in=tables.order_by().values("pk"))
    games = games.select_related("table_session__competition", "table_session__session", "block")
    running = tuple(games.order_by("-started_at", "pk")[:RUNNING_SHOWN])
    playing = {row.table_session.competition_id for row in running}
    awaited = with_gaps(tables.filter(starts_at__isnull=False)).select_related("competition", "session", "block")
    first: dict[int, TableSession] = {}
    for row in awaited.order_by("starts_at", "order", "pk")[:ROWS_READ]:
        first.setdefault(row.competition_id, row)
    upcoming = [row for key, row in first.items() if key not in playing]
    return NowAndNext(running, tuple(upcoming[:NEXT_SHOWN]))
