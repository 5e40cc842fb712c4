"""Moments of games, days of sessions and numbers of tables, as programs that draw a schedule or a bracket need them.

Nothing here is stored as such: a game is finished when its result was first confirmed, and public from then on, or from
the release of its table if that was held back longer. The change log has the releases.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import Min

from league.models import Change, Competition, Hanchan, ResultSheet, Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.standings.prepared import HanchanRow, season_of

RELEASED, HELD_BACK = "table_session.released", "table_session.held_back"
"""Kinds of the changes by which a table becomes public."""


@dataclass(frozen=True, slots=True)
class GameMoments:
    """Moments of a hanchan or of a table; None for what has not happened, or is not known to the reader."""

    started_at: dt.datetime | None = None
    """The first entry of the score sheet; None for a game whose result alone was entered."""
    finished_at: dt.datetime | None = None
    """The first confirmation of the result that counts; a correction does not move it."""
    published_at: dt.datetime | None = None
    """The moment from which the public may know the result that counts; a correction moves it."""


def game_moments(reader: Reader, games: Collection[PlayedHanchan]) -> Mapping[int, GameMoments]:
    """Return the moments of hanchan by id, in at most two queries for any number of them."""
    sheets = [played.sheet for played in games if played.sheet]
    finished = _first_confirmed(sheets)
    released = _releases(reader, {played.hanchan.table_session_id for played in games if played.sheet})
    found = {}
    for played in games:
        hanchan, sheet = played.hanchan, played.sheet
        confirmed = sheet.confirmed_at if sheet and hanchan.table_session.is_released else None
        hidden_until = released.get(hanchan.table_session_id)
        found[hanchan.pk] = GameMoments(
            started_at(reader, hanchan, is_over=sheet is not None),
            finished[sheet.pk] if sheet else None,
            max(confirmed, hidden_until) if confirmed and hidden_until else confirmed,
        )
    return found


def started_at(reader: Reader, hanchan: Hanchan | HanchanRow, *, is_over: bool) -> dt.datetime | None:
    """Return when a hanchan was begun, as far as the reader may know; `is_over` once its result counts."""
    is_shown = hanchan.state != Hanchan.State.SCHEDULED or is_over
    # Guests of an open table are not shown while they play.
    is_private = reader.guards_guests and not is_over
    return hanchan.started_at if is_shown and not is_private else None


def table_moments(games: Iterable[GameMoments], *, is_complete: bool) -> GameMoments:
    """Return the moments of a table: its first game begun, and its last one finished and public if it is complete."""
    every = list(games)
    started = [each.started_at for each in every if each.started_at]
    finished = [each.finished_at for each in every if each.finished_at]
    published = [each.published_at for each in every if each.published_at]
    return GameMoments(
        min(started, default=None),
        max(finished) if is_complete and len(finished) == len(every) else None,
        max(published) if is_complete and len(published) == len(every) else None,
    )


def _first_confirmed(sheets: Sequence[ResultSheet]) -> Mapping[int, dt.datetime | None]:
    """Return by sheet when its hanchan got a result, across corrections; a voided result begins nothing."""
    found = {sheet.pk: sheet.confirmed_at for sheet in sheets}
    corrected = {sheet.hanchan_id: sheet for sheet in sheets if sheet.revision > 1}
    if not corrected:
        return found
    rows = ResultSheet.objects.filter(hanchan__in=corrected, ended_n__isnull=False, confirmed_n__isnull=False)
    # A correction confirms one revision and ends the one before by the same change; voiding ends without a successor.
    before = {
        (hanchan, ended): (confirmed, at)
        for hanchan, ended, confirmed, at in rows.order_by().values_list(
            "hanchan", "ended_n", "confirmed_n", "confirmed_at"
        )
    }
    for hanchan, sheet in corrected.items():
        n = sheet.confirmed_n
        while n is not None and (hanchan, n) in before:
            n, found[sheet.pk] = before[hanchan, n]
    return found


def _releases(reader: Reader, tables: Collection[int]) -> Mapping[int, dt.datetime]:
    """Return by id when tables that had been held back were last released."""
    if not tables:
        return {}
    rows = Change.objects.filter(
        subject_type="tablesession",
        subject_id__in=[str(pk) for pk in tables],
        competition=reader.competition,
        kind__in=(RELEASED, HELD_BACK),
    ).order_by("n")
    return {
        int(pk): at
        for pk, kind, at, before, after in rows.values_list("subject_id", "kind", "at", "before", "after")
        if kind == RELEASED or (_is_hidden(before, at) and not _is_hidden(after, at))
    }


def _is_hidden(said: Mapping[str, str | None] | None, at: dt.datetime) -> bool:
    """Return True if a side of a change says that the table is held back beyond the change."""
    until = said and said.get("public_at")
    return bool(until) and dt.datetime.fromisoformat(str(until)) > at


def local_date(at: dt.datetime | None, competition: Competition) -> dt.date | None:
    """Return the date of a moment in the competition's time zone; None for None, and where the zone is unknown."""
    try:
        return None if at is None else at.astimezone(ZoneInfo(competition.time_zone)).date()
    except ZoneInfoNotFoundError:  # a zone that tzdata has given up must not stop the publication of results
        return None


class ScheduledTable(NamedTuple):
    """A table session by ids, with id, state and round of each of its hanchan in order."""

    pk: int
    session: int
    is_cancelled: bool
    starts_at: dt.datetime | None
    hanchan: Sequence[tuple[int, str, int]]


def scheduled_tables(reader: Reader) -> Sequence[ScheduledTable]:
    """Return all tables that the reader may know of, in playing order; selectors use `Reader.known["schedule"]`."""
    hanchan = defaultdict[int, list[tuple[int, str, int]]](list)
    games = reader.hanchan().order_by("round").values_list("table_session", "pk", "state", "round")
    for table, pk, state, round_ in games:
        hanchan[table].append((pk, state, round_))
    rows = reader.table_sessions().order_by("session__number", "order")
    found = rows.values_list("pk", "session", "is_cancelled", "starts_at")
    return [ScheduledTable(*row, hanchan[row[0]]) for row in found]


def session_dates(reader: Reader, sessions: Collection[Session]) -> Mapping[int, dt.date | None]:
    """Return the first day of each session by id, in the competition's time zone; None for one without a date."""
    season = season_of(reader)
    if season is not None and all(row.pk in season.session_dates for row in sessions):
        return season.session_dates
    if "schedule" in reader.known:
        held = [(row.starts_at, row.session) for row in reader.known["schedule"] if not row.is_cancelled]
        starts = {session: at for at, session in sorted([each for each in held if each[0]], reverse=True)}
    else:
        rows = reader.table_sessions().filter(session__in=sessions, is_cancelled=False).order_by()
        starts = dict(rows.values_list("session").annotate(first=Min("starts_at")))
    return {row.pk: row.day or local_date(starts.get(row.pk), reader.competition) for row in sessions}


def table_numbers(reader: Reader, tables: Collection[TableSession]) -> Mapping[int, int]:
    """Return the number of each table in its session, by id."""
    season = season_of(reader)
    if season is not None and all(row.pk in season.table_numbers for row in tables):
        return season.table_numbers
    return numbered_tables(reader, {row.session_id for row in tables})


def numbered_tables(reader: Reader, sessions: Collection[int]) -> Mapping[int, int]:
    """Return the numbers of all tables of these sessions that the reader may know of, by id.

    Tables count from 1 in their order. Where new tables sit down in a later round, as at an event, they are the same
    tables of the hall, so each round counts from 1 again.
    """
    if not sessions:
        return {}
    if "schedule" in reader.known:
        schedule = [row for row in reader.known["schedule"] if row.session in sessions]
        firsts = [(row.pk, row.session, row.hanchan[0][2] if row.hanchan else None) for row in schedule]
    else:
        rows = reader.table_sessions().filter(session__in=sessions).annotate(first=Min("hanchan__round"))
        firsts = list(rows.order_by("session", "order", "pk").values_list("pk", "session", "first"))
    seen = Counter[tuple[int, int]]()
    found = {}
    for pk, session, first in firsts:
        seen[session, first or 1] += 1
        found[pk] = seen[session, first or 1]
    return found
