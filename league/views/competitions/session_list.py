"""The list of all sessions: tables by round, of which a long list shows only the rounds now playing and coming next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from league.models import Block, Entrant, Player, Session, TableSession, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedTable, SessionTables
from league.selectors.seasons.teams import day_of, holds_on, memberships_seen_by
from league.web.long_lists import Wanted

MOST_TABLES = 12
"""Tables of a session that are listed without folds."""
MOST_IN_ALL = 48
"""The same for the tables of all sessions together."""
OPEN_ROUNDS = 2
"""Rounds shown unfolded: the one being played and the next, which is folded in a large field."""


@dataclass(frozen=True, slots=True)
class RoundTables:
    """Tables that play the same round of a session (回戦); block and start are None unless all have the same."""

    number: int | None
    """The round; None for tables that stay together for several."""
    tables: tuple[PlayedTable, ...]
    block: Block | None
    starts_at: dt.datetime | None
    is_open: bool = False

    @property
    def is_over(self) -> bool:
        """Return True if no table of the round is still to be played."""
        return not any(table.awaited and not table.table_session.is_cancelled for table in self.tables)


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session with its rounds."""

    session: Session
    rounds: tuple[RoundTables, ...]
    is_folded: bool
    """True if the rounds are folded; else they are listed as one."""


@dataclass(frozen=True, slots=True)
class FoundMember:
    """A member of a team who is searched for, with the memberships and the tables with the member's seat."""

    player: Player
    memberships: tuple[TeamMember, ...]
    tables: tuple[TableSession, ...]
    """Tables at which the member sat, or is announced to sit."""

    @property
    def teams(self) -> tuple[Entrant, ...]:
        """Return the member's teams, each once."""
        return tuple(dict.fromkeys(row.entrant for row in self.memberships))

    def is_concerned(self, table: PlayedTable, day: dt.date | None) -> bool:
        """Return True if the member has a seat at a table, or a team of that day has one."""
        teams = {row.entrant_id for row in self.memberships if holds_on(row, day)}
        return table.table_session in self.tables or any(seat.entrant_id in teams for seat in table.entrants)


def found_members(reader: Reader, sessions: Sequence[SessionTables], wanted: Wanted) -> tuple[FoundMember, ...]:
    """Return the members of teams whose name is searched for; none without a text.

    Seats show the team until the line-up is announced, so that no table tells more than the schedule does.
    """
    rows = [row for row in memberships_seen_by(reader) if wanted.names(row.player)] if wanted.text else []
    seated: dict[int, list[TableSession]] = {row.player_id: [] for row in rows}
    for table in (table for each in sessions for table in each.tables) if rows else ():
        # Its time zone gives the table's day; unset, each table would read its competition again.
        table.table_session.competition = reader.competition
        seats = [seat.player_id for played in table.hanchan for seat in (played.results or played.planned)]
        for player in seated.keys() & set(seats):
            seated[player].append(table.table_session)
    people = {row.player_id: row.player for row in rows}
    return tuple(
        FoundMember(player, tuple(row for row in rows if row.player_id == key), tuple(seated[key]))
        for key, player in people.items()
    )


def found_sessions(
    sessions: Sequence[SessionTables], wanted: Wanted, members: Sequence[FoundMember]
) -> list[SessionTables]:
    """Return the sessions with the tables of those players whom the reader searches for, and of these members."""
    if not wanted.text:
        return list(sessions)

    def is_found(table: PlayedTable) -> bool:
        day = day_of(table.table_session) if members else None
        return wanted.has_any(seat.entrant for seat in table.entrants) or any(
            each.is_concerned(table, day) for each in members
        )

    found = (replace(each, tables=tuple(filter(is_found, each.tables))) for each in sessions)
    return [each for each in found if each.tables]


def listed_sessions(sessions: Sequence[SessionTables], wanted: Wanted) -> list[ListedSession]:
    """Return the sessions with their rounds; without a round to be played, the last one is shown unfolded."""
    is_long = sum(len(each.tables) for each in sessions) > MOST_IN_ALL
    listed = []
    for each in sessions:
        is_folded = is_long or len(each.tables) > MOST_TABLES
        rounds = tuple(_rounds(each.tables)) if is_folded else (_round(None, each.tables),)
        listed.append(ListedSession(each.session, rounds, is_folded))
    rounds_in_order = [each for row in listed for each in row.rounds if each.tables]
    shown = [each for each in rounds_in_order if not each.is_over][:OPEN_ROUNDS] or rounds_in_order[-1:]
    if shown and len(shown[0].tables) > MOST_TABLES:
        shown = shown[:1]
    if wanted.shows_all:
        shown = rounds_in_order
    return [replace(row, rounds=tuple(replace(each, is_open=each in shown) for each in row.rounds)) for row in listed]


def _rounds(tables: Sequence[PlayedTable]) -> Iterator[RoundTables]:
    in_order = sorted(tables, key=lambda table: _number(table) or 0)
    for number, group in groupby(in_order, key=_number):
        yield _round(number, tuple(group))


def _number(table: PlayedTable) -> int | None:
    return table.hanchan[0].hanchan.round if len(table.hanchan) == 1 else None


def _round(number: int | None, tables: tuple[PlayedTable, ...]) -> RoundTables:
    blocks = {table.table_session.block for table in tables}
    starts = {table.table_session.starts_at for table in tables}
    return RoundTables(
        number,
        tables,
        next(iter(blocks)) if len(blocks) == 1 else None,
        next(iter(starts)) if len(starts) == 1 else None,
    )
