"""Match days for organizers: sessions with their dates and progress, the session to run next, progress by stage.

Each function runs a fixed number of queries for any number of sessions and competitions.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from league.models import Closing, Competition, Hanchan, ResultSheet, RulesInForce, Session, Stage, TableSession
from league.selectors.rulebooks.rules_in_force import format_of, ruleset_of
from league.wording.formatting import days_text
from league.wording.names import title_of
from scoring.format import Format
from scoring.format.numbers import odd_by
from scoring.format.policies import OddBy

LONGEST_DAY = dt.timedelta(days=1)
"""Tables that started longer ago are not of today, whatever the competition's time zone."""


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """The dates of a session and its counts. Cancelled tables and abandoned hanchan are left out.

    `tables` counts a table of a block once, however many rounds in new seats are played at it. `starts` are those of
    its dated tables in the competition's time zone, the earliest first. `done` counts hanchan with a confirmed result.
    """

    starts: tuple[dt.datetime, ...] = ()
    tables: int = 0
    planned: int = 0
    done: int = 0

    @property
    def days(self) -> str:
        """The day or the first and last day in words; empty if no table has a date."""
        return days_text(self.starts[0].date(), self.starts[-1].date()) if self.starts else ""

    @property
    def when(self) -> str:
        """The day and the time of the first table in words; the days alone if there are several."""
        is_one_day = len({start.date() for start in self.starts}) == 1
        return f"{self.days} {self.starts[0]:%H:%M}" if is_one_day else self.days

    @property
    def is_done(self) -> bool:
        """True if every hanchan has a confirmed result."""
        return self.planned == self.done > 0

    def is_on(self, day: dt.date) -> bool:
        """Return True if a table starts on the day."""
        return any(start.date() == day for start in self.starts)


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
    tables = TableSession.objects.filter(session__in=zones, is_cancelled=False).order_by()
    starts: dict[int, list[dt.datetime | None]] = {pk: [] for pk in zones}
    places: dict[int, set[tuple[int, str | int]]] = {pk: set() for pk in zones}
    for table, pk, start, block, label in tables.values_list("pk", "session", "starts_at", "block", "table"):
        starts[pk].append(start)
        places[pk].add((block, label or table))
    games = Hanchan.objects.filter(table_session__session__in=zones, table_session__is_cancelled=False)
    counts = {pk: (planned, done) for pk, planned, done in _counts(games, "table_session__session")}
    return {
        pk: SessionProgress(
            tuple(sorted(start.astimezone(zones[pk]) for start in found if start)),
            len(places[pk]),
            *counts.get(pk, (0, 0)),
        )
        for pk, found in starts.items()
    }


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

    Sessions of today come first, then by date.
    """
    leagues = competitions.filter(kind=Competition.Kind.LEAGUE)
    tables = TableSession.objects.filter(competition__in=leagues, is_cancelled=False).order_by()
    since = timezone.now() - LONGEST_DAY
    coming = match_days(_sessions(tables.filter(starts_at__gte=since).values_list("session", flat=True)))
    chosen = [day for day in coming if day.is_today]
    chosen += _first_of_each([day for day in coming if _is_ahead(day)], {day.session.competition_id for day in chosen})
    served = {day.session.competition_id for day in chosen}
    to_come = Hanchan.objects.filter(state__in=[Hanchan.State.SCHEDULED, Hanchan.State.RUNNING]).order_by()
    open_tables = tables.exclude(competition__in=served).filter(pk__in=to_come.values("table_session"))
    unfinished = match_days(_sessions(open_tables.values_list("session", flat=True).distinct()))
    chosen += _first_of_each([day for day in unfinished if not day.progress.is_done], served)
    return sorted(chosen, key=_when)


def _sessions(ids: Iterable[int]) -> QuerySet[Session]:
    return Session.objects.filter(pk__in=set(ids)).select_related("competition").order_by("competition", "number")


def _is_ahead(day: MatchDay) -> bool:
    return bool(day.progress.starts) and day.progress.starts[-1] > timezone.now()


def _when(day: MatchDay) -> tuple[bool, bool, float, int]:
    ahead = [start.timestamp() for start in day.progress.starts if start > timezone.now() - LONGEST_DAY]
    return not day.is_today, not ahead, min(ahead, default=0), day.session.number


def _first_of_each(days: Iterable[MatchDay], served: set[int]) -> list[MatchDay]:
    """Return the earliest session of each competition that is not served yet."""
    found: dict[int, MatchDay] = {}
    for day in sorted(days, key=_when):
        if day.session.competition_id not in served:
            found.setdefault(day.session.competition_id, day)
    return list(found.values())


def stage_progress(competition: Competition, rules: RulesInForce) -> list[StageProgress]:
    """Return the progress of each stage that has hanchan to play; a closed block plays no more than is scheduled."""
    league_format, players = format_of(rules), ruleset_of(rules).players
    closed = Closing.objects.standing().filter(block=OuterRef("pk"))
    blocks = competition.blocks.select_related("stage").exclude(Exists(closed)).order_by()
    by_format: Counter[int] = Counter()
    for block in blocks.annotate(places=Count("slots")):
        hanchan = block.stage.hanchan_count or 0
        by_format[block.stage_id] += games_planned(league_format, block.key, block.places, hanchan, players)
    counts = {pk: (planned, done) for pk, planned, done in _counts(_games_of(competition), "block__stage")}
    rows = []
    for stage in competition.stages.order_by("order"):
        scheduled, done = counts.get(stage.pk, (0, 0))
        rows.append(StageProgress(stage, done, max(scheduled, by_format[stage.pk])))
    return [row for row in rows if row.planned]


def games_planned(league_format: Format, block: str, places: int, hanchan: int, players: int) -> int:
    """Return the games of a block with these places, each with its number of hanchan; byes are no games."""
    stage = league_format.stage_of.get(block)
    has_byes = stage is not None and odd_by(league_format, stage) is OddBy.BYES
    return places // players * hanchan if has_byes else places * hanchan // players


def _games_of(competition: Competition) -> QuerySet[Hanchan]:
    return Hanchan.objects.filter(block__competition=competition, table_session__is_cancelled=False)


def dated_title(session: Session, progress: SessionProgress) -> str:
    """Return a session's name with its days, to choose it from a list."""
    return " · ".join(filter(None, (title_of(session), progress.days)))
