"""Data of the projector page in a hall: announcements, blocks under way, latest results and upcoming tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from league.models import Announcement
from league.selectors.access.readers import Reader
from league.selectors.competitions.floor import Floor, TableStage, floor_of
from league.selectors.competitions.overview import sessions_around, shown_tables, stamp_of
from league.selectors.competitions.schedule import PlayedTable, SessionTables
from league.selectors.standings.tables import BlockTable, StandingLine

LINES = 8
"""Lines of a table that are readable across a hall on one screen."""
LIST_LINES = 48
"""Lines of a screen that lists totals alone, for fields of which so few lines at a time would take minutes."""
MOST_LINES = 32
"""Lines of a table that is shown with its rounds."""
TABLES = 4


@dataclass(frozen=True, slots=True)
class TablePart:
    """As many lines of a block's table as fit on one screen."""

    table: BlockTable
    lines: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class Hall:
    """The content of one cycle of screens."""

    announcements: tuple[Announcement, ...]
    floor: Floor | None
    """The tables of the round being played, if there are more than fit on one screen of games."""
    parts: tuple[TablePart, ...]
    latest: tuple[SessionTables, ...]
    upcoming: tuple[SessionTables, ...]


def hall_of(reader: Reader) -> Hall:
    """Return the content of the projector page for the current session, as far as the reader may know it."""
    latest, upcoming = sessions_around(reader, stamp_of(reader))
    sessions = [found.session for found in (upcoming, latest) if found]
    return Hall(
        floor=_busy_floor(reader, upcoming),
        announcements=tuple(Announcement.objects.filter(session__in=sessions, ended_at=None)),
        parts=tuple(_parts(_under_way(shown_tables(reader)))),
        latest=tuple(_pictures(latest, lambda table: table.newest is not None)),
        upcoming=tuple(_pictures(upcoming, lambda table: bool(table.awaited))),
    )


def _busy_floor(reader: Reader, upcoming: SessionTables | None) -> Floor | None:
    floor = floor_of(reader, upcoming.session) if upcoming else None
    if (
        floor is None
        or len(floor.states) <= TABLES
        or not floor.counts.keys() - {TableStage.SEATED, TableStage.UNSEATED}
    ):
        return None
    return floor


def _under_way(tables: Sequence[BlockTable]) -> Sequence[BlockTable]:
    """Return the blocks with some but not all hanchan played; if there are none, the last block played."""
    played = [table for table in tables if not table.is_empty]
    return [table for table in played if not table.is_complete] or played[-1:]


def _parts(tables: Sequence[BlockTable]) -> Iterator[TablePart]:
    for table in tables:
        size = LINES if len(table.lines) <= MOST_LINES else LIST_LINES
        for first in range(0, len(table.lines), size):
            yield TablePart(table, table.lines[first : first + size])


def _pictures(found: SessionTables | None, is_shown: Callable[[PlayedTable], bool]) -> Iterator[SessionTables]:
    tables = [table for table in found.tables if is_shown(table)] if found else []
    for first in range(0, len(tables), TABLES):
        if found is not None:
            yield SessionTables(found.session, tuple(tables[first : first + TABLES]))
