"""Expected waits of a parlour's waiting list, from the times at which its last games were entered."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Min
from django.utils import timezone

from league.models import Hanchan, SittingSeat, WaitingGuest
from league.selectors.parlour.board import Running
from scoring.waits import Party, RunningTable, Wait, average_minutes, expected_waits

GAMES = 10
"""The number of a book's last games whose average is its pace."""
RECENT = dt.timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """A row of the waiting list with its expected wait.

    `is_company` tells that the named guest sits already and the rest of the party waits; `chairs` are the first empty
    chairs of the tables, those that play the book waited for first.
    """

    row: WaitingGuest
    wait: Wait
    is_company: bool
    chairs: tuple[tuple[Running, int], ...]


def waiting_lines(waiting: Sequence[WaitingGuest], tables: Sequence[Running]) -> list[WaitingLine]:
    """Return the waiting list of a house as its staff see it; `tables` are all its running ones."""
    waits, lines = waits_of(waiting, tables), []
    for row in waiting:
        own = [table for table in tables if table.competition.pk == row.competition_id]
        others = [table for table in tables if table.competition.pk != row.competition_id]
        free = [(table, table.empty_chairs[0]) for table in (*own, *others) if table.empty_chairs]
        lines.append(WaitingLine(row, waits[row.pk], is_company(row), tuple(free)))
    return lines


def is_company(row: WaitingGuest) -> bool:
    """Return True if a row of the waiting list is what is left of a party whose named guest has been seated."""
    seats = SittingSeat.objects.filter(entrant__player=row.player_id, joined_at__gte=row.since)
    return seats.filter(sitting__table_session__competition__parlour=row.competition.parlour_id).exists()


def waits_of(
    waiting: Sequence[WaitingGuest], tables: Sequence[Running], at: dt.datetime | None = None
) -> dict[int, Wait]:
    """Return the expected waits of the waiting list by the rows' ids; both lists are those of one house."""
    if not waiting:
        return {}
    now = at or timezone.now()
    games = _recent_games(waiting, now)
    begun = {table: times[-1] for table, times in games.items() if times}
    paces = {book: average_minutes(_minutes_of(games, book)) for book in {row.competition_id for row in waiting}}
    running = [
        RunningTable(
            name=table.table,
            book=table.competition.pk,
            played=_minutes(begun.get((table.competition.pk, table.sitting.table_session_id), _began(table)), now),
            empty=len(table.empty_chairs),
            leaving=sum(seat.is_last_game for seat in table.seated),
        )
        for table in tables
        if table.sitting.kind == table.sitting.Kind.FREE
    ]
    parties = [Party(book=row.competition_id, people=row.party) for row in waiting]
    return dict(zip([row.pk for row in waiting], expected_waits(parties, running, paces), strict=True))


def _began(table: Running) -> dt.datetime:
    """Return the start of a table's first game: the last of its guests sat down."""
    return max([table.sitting.opened_at, *(seat.joined_at for seat in table.seated)])


def _minutes(since: dt.datetime, until: dt.datetime) -> int:
    return max(0, int((until - since) / dt.timedelta(minutes=1)))


def _recent_games(waiting: Sequence[WaitingGuest], now: dt.datetime) -> Mapping[tuple[int, int], list[dt.datetime]]:
    """Return the times at which recent games were entered first, by book and table session."""
    books = {row.competition_id for row in waiting}
    rows = (
        Hanchan.objects.filter(
            block__competition__in=books, table_session__sitting__isnull=False, sheets__entered_at__gt=now - RECENT
        )
        .annotate(entered_at=Min("sheets__entered_at"))
        .order_by("entered_at", "pk")
        .values_list("block__competition", "table_session", "entered_at")
    )
    found: defaultdict[tuple[int, int], list[dt.datetime]] = defaultdict(list)
    for book, table, entered_at in rows:
        found[book, table].append(entered_at)
    return found


def _minutes_of(games: Mapping[tuple[int, int], list[dt.datetime]], book: int) -> list[int]:
    """Return the times of a book's last games: from the game entered before at the same table to the next.

    Games entered within one minute were typed from a paper record and say nothing of the pace.
    """
    ends = [
        (end, _minutes(start, end))
        for (of, _table), times in games.items()
        if of == book
        for start, end in pairwise(times)
    ]
    return [minutes for _end, minutes in sorted(ends) if minutes][-GAMES:]
