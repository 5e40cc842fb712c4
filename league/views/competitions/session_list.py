"""The list of all sessions: tables by round, of which a long list shows only the rounds now playing and coming next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from league.models import Block, Session
from league.selectors.competitions.schedule import PlayedTable, SessionTables
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


def found_sessions(sessions: Sequence[SessionTables], wanted: Wanted) -> list[SessionTables]:
    """Return the sessions with the tables of those players whom the reader searches for."""
    if not wanted.text:
        return list(sessions)
    found = (
        replace(each, tables=tuple(wanted.only(each.tables, lambda table: [seat.entrant for seat in table.entrants])))
        for each in sessions
    )
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
