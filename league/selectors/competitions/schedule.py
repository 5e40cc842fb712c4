"""Sessions, table sessions and hanchan as an audience may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from league.models import (
    Audience,
    Entrant,
    Hanchan,
    HanchanSeat,
    Player,
    ResultSheet,
    SeatResult,
    Session,
    SlotState,
    TableSession,
)
from league.selectors.access.readers import Reader
from league.selectors.standings.prepared import PreparedSeason, PreparedTable, season_of
from league.selectors.standings.published import slot_states_of


@dataclass(frozen=True, slots=True)
class PlayedHanchan:
    """A hanchan with the sheet that counts, if any; seats are listed first dealer first, as played or as planned."""

    hanchan: Hanchan
    sheet: ResultSheet | None
    results: tuple[SeatResult, ...]
    planned: tuple[HanchanSeat, ...]

    @property
    def has_hands(self) -> bool:
        """Return True if its page may show hands.

        That is so if it has a result, and a score sheet was begun before that result counted.
        """
        begun, sheet = self.hanchan.started_at, self.sheet
        if sheet is None or sheet.made_from_sequence is not None:
            return sheet is not None
        return begun is not None and sheet.confirmed_at is not None and begun <= sheet.confirmed_at

    @property
    def by_place(self) -> tuple[SeatResult, ...]:
        """Return the results, first place first."""
        return tuple(sorted(self.results, key=lambda result: (result.place, result.seat)))


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table session with its hanchan in order."""

    table_session: TableSession
    hanchan: tuple[PlayedHanchan, ...]

    @property
    def is_complete(self) -> bool:
        """Return True if there are hanchan and each of them has its result."""
        return bool(self.hanchan) and all(played.sheet for played in self.hanchan)

    @property
    def awaited(self) -> tuple[PlayedHanchan, ...]:
        """Return the hanchan still to be played."""
        return tuple(
            played for played in self.hanchan if not played.sheet and played.hanchan.state != Hanchan.State.ABANDONED
        )

    @property
    def newest(self) -> PlayedHanchan | None:
        """Return the last hanchan with a result; None without one."""
        return next((played for played in reversed(self.hanchan) if played.sheet), None)

    @property
    def entrants(self) -> tuple[HanchanSeat, ...]:
        """Return the planned seats of the first hanchan; empty if none are set."""
        return self.hanchan[0].planned if self.hanchan else ()


@dataclass(frozen=True, slots=True)
class TableGame:
    """A hanchan at its table."""

    table: PlayedTable
    played: PlayedHanchan


@dataclass(frozen=True, slots=True)
class SessionTables:
    """A session with its tables."""

    session: Session
    tables: tuple[PlayedTable, ...]


def session_tables(reader: Reader, session: Session | None = None) -> tuple[SessionTables, ...]:
    """Return all sessions, or one, with the tables visible to this audience.

    A session with all its tables under embargo is hidden from the public altogether.
    """
    tables = reader.table_sessions().select_related("session", "block__stage")
    sessions = Session.objects.filter(competition=reader.competition)
    if session is not None:
        tables, sessions = tables.filter(session=session), sessions.filter(pk=session.pk)
    by_session: defaultdict[int, list[PlayedTable]] = defaultdict(list)
    for played in played_tables(reader, list(tables)):
        by_session[played.table_session.session_id].append(played)
    hidden = set() if reader.is_staff else _sessions_held_back(reader)
    return tuple(SessionTables(row, tuple(by_session[row.pk])) for row in sessions if row.pk not in hidden)


def sessions_shown(reader: Reader) -> tuple[Session, ...]:
    """Return the sessions visible to this audience."""
    hidden = set() if reader.is_staff else _sessions_held_back(reader)
    return tuple(row for row in Session.objects.filter(competition=reader.competition) if row.pk not in hidden)


def session_until(reader: Reader) -> Session | None:
    """Return the last session in front of the spoiler guard; None without a guard, or with all sessions behind it."""
    if reader.until is None:
        return None
    rows = Session.objects.filter(competition=reader.competition, number__lte=reader.until)
    return rows.order_by("number").last()


def _sessions_held_back(reader: Reader) -> set[int]:
    """Return the ids of sessions that have tables, none of them released."""
    tables = TableSession.objects.filter(competition=reader.competition).values_list("session", "is_released")
    released = {session for session, is_released in tables if is_released}
    return {session for session, _is_released in tables} - released


def played_tables(reader: Reader, tables: list[TableSession], *, with_people: bool = True) -> list[PlayedTable]:
    """Return the tables with hanchan, seats and counting sheets, in a fixed number of queries.

    `with_people=False` saves reading the entrants and players of the seats, and the hanchan's sessions and blocks.
    """
    if not tables:
        return []
    own = {table.pk: table for table in tables}
    rows = reader.hanchan().filter(table_session__in=[*own]).prefetch_related("seats")
    if with_people:
        rows = rows.select_related("table_session__session", "block")
    hanchan = list(rows.order_by("table_session_id", "round"))
    if not with_people:
        for game in hanchan:
            game.table_session = own[game.table_session_id]
    played = {row.hanchan.pk: row for row in played_hanchan(reader, hanchan, with_people=with_people)}
    by_table: defaultdict[int, list[PlayedHanchan]] = defaultdict(list)
    for row in hanchan:
        by_table[row.table_session_id].append(played[row.pk])
    return [PlayedTable(table, tuple(by_table[table.pk])) for table in tables]


def played_prepared(season: PreparedSeason, session: Session, tables: Iterable[PreparedTable]) -> SessionTables:
    """Return a prepared session with its tables."""
    return SessionTables(session, tuple(played_table(season, table) for table in tables))


def played_table(season: PreparedSeason, table: PreparedTable) -> PlayedTable:
    """Return a prepared table; planned seats under embargo are left out."""
    return PlayedTable(
        table.table_session,
        tuple(
            PlayedHanchan(
                hanchan=row,
                sheet=table.sheets.get(row.pk),
                results=table.results.get(row.pk, ()),
                planned=tuple(
                    seat
                    for seat in table.seats.get(row.pk, ())
                    if (row.block_id, seat.entrant_id) not in season.held_back
                ),
            )
            for row in table.hanchan
        ),
    )


def seat_people(seats: Sequence[HanchanSeat | SeatResult]) -> None:
    """Give all seats their entrants and players; each is read once, not once for every seat."""
    entrants = Entrant.objects.select_related("player").order_by().in_bulk({seat.entrant_id for seat in seats})
    players = {entrant.player_id: entrant.player for entrant in entrants.values()}
    substitutes = {seat.player_id for seat in seats} - players.keys()
    if substitutes:
        players |= Player.objects.in_bulk(substitutes)
    for seat in seats:
        seat.entrant, seat.player = entrants[seat.entrant_id], players[seat.player_id]


def played_hanchan(reader: Reader, rows: list[Hanchan], *, with_people: bool = True) -> list[PlayedHanchan]:
    """Return the hanchan with the sheets that count at the reader's version."""
    found = reader.sheets().filter(hanchan__in=rows).order_by().prefetch_related("seats")
    sheets = {sheet.hanchan_id: sheet for sheet in found}
    if with_people:
        planned = [seat for row in rows for seat in row.seats.all()]
        seat_people([*planned, *(seat for sheet in sheets.values() for seat in sheet.seats.all())])
    held_back = places_held_back(reader)
    hide_states(reader, rows)
    return [
        PlayedHanchan(
            hanchan=row,
            sheet=sheets.get(row.pk),
            results=tuple(sheets[row.pk].seats.all()) if row.pk in sheets else (),
            planned=tuple(seat for seat in row.seats.all() if (row.block_id, seat.entrant_id) not in held_back),
        )
        for row in rows
    ]


def played_with(sheet: ResultSheet) -> PlayedHanchan:
    """Return the hanchan of a counting sheet that is already loaded; planned seats are not read."""
    sheet.known_seats = seats = tuple(sheet.known_seats or sheet.seats.all())
    seat_people(seats)
    return PlayedHanchan(sheet.hanchan, sheet, seats, planned=())


def hide_states(reader: Reader, rows: Sequence[Hanchan]) -> None:
    """Show hanchan behind the spoiler guard as not begun.

    The state is changed on the instances, which must not be saved.
    """
    if reader.until is None:
        return
    for row in rows:
        if is_later(reader, row):
            row.state = Hanchan.State.SCHEDULED


def is_later(reader: Reader, row: Hanchan) -> bool:
    """Return True if the hanchan belongs to a session behind the spoiler guard."""
    return reader.until is not None and row.table_session.session.number > reader.until


def places_held_back(reader: Reader) -> frozenset[tuple[int, int]]:
    """Return block and entrant of every slot that is certain for staff but must not be known to this audience yet.

    A table of the final may be announced while the results that lead there are still under embargo.
    """
    if reader.is_staff and reader.until is None:
        return frozenset()
    if (season := season_of(reader)) is not None:
        return season.held_back
    if "held_back" not in reader.known:
        reader.known["held_back"] = _read_held_back(reader)
    found: frozenset[tuple[int, int]] = reader.known["held_back"]
    return found


def _read_held_back(reader: Reader) -> frozenset[tuple[int, int]]:
    filled = SlotState.objects.filter(
        slot__block__competition=reader.competition, state=SlotState.State.CERTAIN, entrant__isnull=False
    ).values_list("audience", "slot__block", "entrant")
    if reader.until is None:
        # `filled` has the rows of both audiences: what staff know beyond the public is under embargo.
        known = {(block, entrant) for audience, block, entrant in filled if audience == Audience.PUBLIC}
    else:
        known = {
            (state.slot.block_id, state.entrant_id)
            for state in slot_states_of(reader)
            if state.state == SlotState.State.CERTAIN and state.entrant_id is not None
        }
    return frozenset((block, entrant) for _audience, block, entrant in filled if entrant) - known
