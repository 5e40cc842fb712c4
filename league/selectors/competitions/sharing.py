"""Addresses to pass on: pages, hall screen, overlays and widgets of a competition, or of one of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from league.models import Competition, TableSession
from league.selectors.access.readers import Reader
from league.selectors.operations.pending_tasks import with_gaps


@dataclass(frozen=True, slots=True)
class Overlay:
    """The overlay of one table session."""

    table_session: TableSession
    address: str


@dataclass(frozen=True, slots=True)
class Widget:
    """A page for a frame on another site, with the HTML that embeds it."""

    name: str
    address: str

    @property
    def html(self) -> str:
        """Return the frame to paste; `name` is its title for screen readers."""
        return f'<iframe src="{self.address}" title="{self.name}" width="100%" height="480"></iframe>'


def overlays_of(reader: Reader, site: str, table_session: TableSession | None = None) -> tuple[Overlay, ...]:
    """Return the overlay of a table, or of each table of the next session with a result to come."""
    if reader.guards_guests:
        return ()
    tables = (table_session,) if table_session is not None else next_tables(reader)
    return tuple(Overlay(row, f"{site}{reverse('pages:overlay', args=[row.pk])}") for row in tables)


def next_tables(reader: Reader) -> tuple[TableSession, ...]:
    """Return the tables of the next session with a result to come, as far as the reader may know of them."""
    rows = reader.table_sessions().filter(is_cancelled=False).select_related("session", "block__stage")
    awaited = list(with_gaps(rows).order_by("session__number", "order", "pk"))
    return tuple(row for row in awaited if row.session_id == awaited[0].session_id)


def widgets_of(competition: Competition, site: str, standings: str, ladder: str, games: str) -> Iterator[Widget]:
    """Yield the widgets of a competition under these names; only a league has a ladder and a next game."""
    yield Widget(standings, f"{site}{reverse('feeds:embed-standings', args=[competition.slug])}")
    if competition.kind == Competition.Kind.LEAGUE:
        yield Widget(ladder, f"{site}{reverse('feeds:embed-ladder', args=[competition.slug])}")
        yield Widget(games, f"{site}{reverse('feeds:embed-next', args=[competition.slug])}")
