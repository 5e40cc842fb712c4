"""Match days for organizers: sessions with their dates and progress, the session to run next, progress by stage.

Each function runs a fixed number of queries for any number of sessions and competitions.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, Max, Min, OuterRef, QuerySet
from django.utils import timezone

from league.models import Block, Competition, Hanchan, ResultSheet, Session, Stage, TableSession
from league.wording.formatting import days_text
from league.wording.names import title_of

LONGEST_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """The dates of a session and its counts. Cancelled tables and abandoned hanchan are left out.

    `first_at` and `last_at` are the starts of its first and last table in the competition's time zone, None if no
    table has a date. `done` counts hanchan with a confirmed result.
    """

    first_at: dt.datetime | None = None
    last_at: dt.datetime | None = None
    tables: int = 0
    planned: int = 0
    done: int = 0

    @property
    def days(self) -> str:
        """The day or the first and last day in words; empty if no table has a date."""
        return days_text(self.first_at.date(), self.last_at.date()) if self.first_at and self.last_at else ""

    @property
    def starts(self) -> str:
        """The day and the time of the first table in words; the days alone if there are several."""
        if self.first_at and self.last_at and self.first_at.date() == self.last_at.date():
            return f"{self.days} {self.first_at:%H:%M}"
        return self.days

    @property
    def is_done(self) -> bool:
        """True if every hanchan has a confirmed result."""
        return self.planned == self.done > 0

    def is_on(self, day: dt.date) -> bool:
        """Return True if the day is within the session's days."""
        if self.first_at is None or self.last_at is None:
            return False
        return self.first_at.date() <= day <= self.last_at.date()


@dataclass(frozen=True, slots=True)
class MatchDay:
    """A session with its progress. `is_today` if it is played today in the competition's time zone."""

    session: Session
    progress: SessionProgress
    is_today: bool


@dataclass(frozen=True, slots=True)
class StageProgress:
    """The numbers of hanchan of a stage with a confirmed result, and planned by the format or scheduled."""

    stage: Stage
    done: int
    planned: int


def match_days(sessions: Iterable[Session]) -> list[MatchDay]:
    """Return sessions with their progress, in their order. Fetch their competitions with `select_related`."""
    rows = list(sessions)
    found = session_progress(rows)
    return [
        MatchDay(row, found[row.pk], found[row.pk].is_on(timezone.localdate(timezone=zone_of(row.competition))))
        for row in rows
    ]


def session_progress(sessions: Sequence[Session]) -> dict[int, SessionProgress]:
    """Return the progress of sessions by id."""
    zones = {row.pk: zone_of(row.competition) for row in sessions}
    found = {pk: SessionProgress() for pk in zones}
    tables = TableSession.objects.filter(session__in=found, is_cancelled=False).order_by()
    spans = tables.values_list("session").annotate(number=Count("pk"), first=Min("starts_at"), last=Max("starts_at"))
    for pk, number, first, last in spans:
        days = [each.astimezone(zones[pk]) if each else None for each in (first, last)]
        found[pk] = SessionProgress(days[0], days[1], number)
    games = Hanchan.objects.filter(table_session__session__in=found, table_session__is_cancelled=False)
    for pk, planned, done in _counts(games, "table_session__session"):
        found[pk] = replace(found[pk], planned=planned, done=done)
    return found


def _counts(games: QuerySet[Hanchan], owner: str) -> QuerySet[Hanchan, tuple[int, int, int]]:
    """Return the owner's id with its numbers of planned and of confirmed hanchan."""
    confirmed = ResultSheet.objects.filter(hanchan=OuterRef("pk"), state=ResultSheet.State.CONFIRMED)
    counted = games.exclude(state=Hanchan.State.ABANDONED).order_by().values_list(owner)
    return counted.annotate(planned=Count("pk"), done=Count("pk", filter=Exists(confirmed)))


def zone_of(competition: Competition) -> ZoneInfo:
    """Return the competition's time zone."""
    return ZoneInfo(competition.time_zone)


def next_match_days(competitions: QuerySet[Competition]) -> list[MatchDay]:
    """Return the sessions to run: of each league those played today, else the next one, else the first unfinished one.

    Sessions of today come first, then by date. A session over several days counts as today's on each of them.
    """
    leagues = competitions.filter(kind=Competition.Kind.LEAGUE)
    tables = TableSession.objects.filter(competition__in=leagues, is_cancelled=False).order_by()
    today = timezone.now() - LONGEST_DAY
    coming = tables.values_list("competition", "session").annotate(first=Min("starts_at"), last=Max("starts_at"))
    by_league: dict[int, list[int]] = {}
    for competition, session, _first, _last in coming.filter(last__gte=today).order_by("first", "session"):
        by_league.setdefault(competition, []).append(session)
    begun = match_days(_sessions(pk for found in by_league.values() for pk in found))
    chosen = [day for day in begun if day.is_today]
    chosen += _first_of_each([day for day in begun if _is_ahead(day)], {day.session.competition_id for day in chosen})
    served = {day.session.competition_id for day in chosen}
    to_come = Hanchan.objects.filter(state__in=[Hanchan.State.SCHEDULED, Hanchan.State.RUNNING]).order_by()
    open_tables = tables.exclude(competition__in=served).filter(pk__in=to_come.values("table_session"))
    unfinished = match_days(_sessions(open_tables.values_list("session", flat=True).distinct()))
    chosen += _first_of_each([day for day in unfinished if not day.progress.is_done], served)
    return sorted(chosen, key=_when)


def _sessions(ids: Iterable[int]) -> QuerySet[Session]:
    return Session.objects.filter(pk__in=set(ids)).select_related("competition").order_by("competition", "number")


def _is_ahead(day: MatchDay) -> bool:
    return day.progress.first_at is not None and day.progress.first_at > timezone.now()


def _when(day: MatchDay) -> tuple[bool, bool, float, int]:
    first = day.progress.first_at
    return not day.is_today, first is None, first.timestamp() if first else 0, day.session.pk


def _first_of_each(days: Iterable[MatchDay], served: set[int]) -> list[MatchDay]:
    """Return the earliest session of each competition that is not served yet."""
    found: dict[int, MatchDay] = {}
    for day in sorted(days, key=_when):
        if day.session.competition_id not in served:
            found.setdefault(day.session.competition_id, day)
    return list(found.values())


def stage_progress(competition: Competition, players: int) -> list[StageProgress]:
    """Return the progress of each stage that has hanchan to play; `players` sit at a table."""
    blocks = Block.objects.filter(competition=competition).order_by()
    places = dict(blocks.values_list("stage").annotate(number=Count("slots")))
    counts = {pk: (planned, done) for pk, planned, done in _counts(_games_of(competition), "block__stage")}
    rows = []
    for stage in competition.stages.order_by("order"):
        scheduled, done = counts.get(stage.pk, (0, 0))
        by_format = (stage.hanchan_count or 0) * places.get(stage.pk, 0) // players
        rows.append(StageProgress(stage, done, max(scheduled, by_format)))
    return [row for row in rows if row.planned]


def _games_of(competition: Competition) -> QuerySet[Hanchan]:
    return Hanchan.objects.filter(block__competition=competition, table_session__is_cancelled=False)


def dated_title(session: Session, progress: SessionProgress) -> str:
    """Return a session's name with its days, to choose it from a list."""
    return " · ".join(filter(None, (title_of(session), progress.days)))
