"""What a projector shows: the clock, announcements, blocks under way, what was just played and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from league.models import Announcement, Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import sessions_around, shown_tables, stamp_of
from league.selectors.competitions.schedule import PlayedTable, SessionTables
from league.selectors.standings.tables import BlockTable, StandingLine

LINES = 8
"""Lines of a table that can be read across a hall at once."""
TABLES = 4


@dataclass(frozen=True, slots=True)
class Part:
    """As much of a block's table as one picture holds."""

    table: BlockTable
    lines: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class Hall:
    """Everything for one round of pictures."""

    timer: Session | None
    announcements: tuple[Announcement, ...]
    parts: tuple[Part, ...]
    latest: tuple[SessionTables, ...]
    upcoming: tuple[SessionTables, ...]


def hall_of(reader: Reader) -> Hall:
    """What the reader may know of this evening."""
    latest, upcoming = sessions_around(reader, stamp_of(reader))
    sessions = [found.session for found in (upcoming, latest) if found]
    return Hall(
        timer=next((session for session in sessions if session.timer_ends_at), None),
        announcements=tuple(Announcement.objects.filter(session__in=sessions, ended_at=None)),
        parts=tuple(_parts(_under_way(shown_tables(reader)))),
        latest=tuple(_pictures(latest, lambda table: table.newest is not None)),
        upcoming=tuple(_pictures(upcoming, lambda table: bool(table.awaited))),
    )


def _under_way(tables: Sequence[BlockTable]) -> Sequence[BlockTable]:
    """Blocks in which something has been played and something has not; where there is none, the last one played."""
    played = [table for table in tables if not table.is_empty]
    return [table for table in played if not table.is_complete] or played[-1:]


def _parts(tables: Sequence[BlockTable]) -> Iterator[Part]:
    for table in tables:
        for first in range(0, len(table.lines), LINES):
            yield Part(table, table.lines[first : first + LINES])


def _pictures(found: SessionTables | None, is_shown: Callable[[PlayedTable], bool]) -> Iterator[SessionTables]:
    tables = [table for table in found.tables if is_shown(table)] if found else []
    for first in range(0, len(tables), TABLES):
        if found is not None:
            yield SessionTables(found.session, tuple(tables[first : first + TABLES]))
