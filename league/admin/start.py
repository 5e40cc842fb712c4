"""The start page: what needs doing now, in a fixed number of queries."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Min, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from league.admin.base import may_set_up, own_competitions, page_of, public_page
from league.models import (
    Audience,
    Block,
    Change,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Outcome,
    ResultSheet,
    TableSession,
)
from league.names import names_of, person_name
from league.services.actor import Capability

MOST_LISTED = 20
LATE_AFTER = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants whom nothing separates, and the page to rule on it."""

    competition: Competition
    where: str
    names: Sequence[str]
    url: str


@dataclass(frozen=True, slots=True)
class SeasonLinks:
    """A competition with the lists an organizer opens most."""

    competition: Competition
    public_url: str
    query: str


def start_page(request: HttpRequest) -> dict[str, Any]:
    """Everything the start page shows."""
    own = own_competitions(request)
    open_ones = own.exclude(status=Competition.Status.CLOSED)
    entering = own_competitions(request, Capability.SUBMIT).exclude(status=Competition.Status.CLOSED)
    tables = list(due_tables(entering)[: MOST_LISTED + 1])
    waiting = sheets_waiting(open_ones)
    return {
        "tables": with_people(tables[:MOST_LISTED]),
        "has_more_tables": len(tables) > MOST_LISTED,
        "sheets_waiting": list(waiting[:MOST_LISTED]),
        "ties": list(ties_awaiting(open_ones)),
        "held_back": list(held_back(open_ones)[:MOST_LISTED]),
        "behind": list(behind(own)),
        "may_create": may_set_up(request),
        "seasons": [
            SeasonLinks(one, public_page(one), urlencode({"competition__id__exact": one.pk}))
            for one in own.annotate(people=Count("entrants")).order_by("status", "-created_at")[:MOST_LISTED]
        ],
    }


def with_counts(tables: QuerySet[TableSession]) -> QuerySet[Any]:
    """Table sessions with how many hanchan they have, how many are in, and how many wait for confirmation."""
    counted = ~Q(hanchan__state=Hanchan.State.ABANDONED)
    confirmed = counted & Q(hanchan__sheets__state=ResultSheet.State.CONFIRMED)
    submitted = counted & Q(hanchan__sheets__state=ResultSheet.State.SUBMITTED)
    return tables.annotate(
        planned=Count("hanchan", filter=counted, distinct=True),
        done=Count("hanchan", filter=confirmed, distinct=True),
        waiting=Count("hanchan", filter=submitted, distinct=True),
    )


def with_people(tables: Sequence[Any]) -> list[tuple[Any, str]]:
    """Each table with the names of those who begin there: two tables of a block look alike without."""
    seats = HanchanSeat.objects.filter(hanchan__table_session__in=tables, hanchan__round=1).order_by("seat")
    people: defaultdict[int, list[str]] = defaultdict(list)
    for seat in seats.select_related("hanchan", "entrant__player"):
        people[seat.hanchan.table_session_id].append(person_name(seat.entrant.player))
    return [(table, ", ".join(people[table.pk])) for table in tables]


def due_tables(competitions: QuerySet[Competition]) -> QuerySet[Any]:
    """Today's tables, and earlier ones whose results are not all in; tables without a date count as due.

    Games of a parlour's sittings are entered at the counter.
    """
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = today + dt.timedelta(days=1)
    missing = Q(done__lt=F("planned"))
    return (
        with_counts(TableSession.objects.filter(competition__in=competitions, is_cancelled=False, sitting=None))
        .filter(Q(starts_at__gte=today, starts_at__lt=tomorrow) | (missing & Q(starts_at__lt=today)) | no_date(missing))
        .select_related("competition", "session", "block")
        .order_by(F("starts_at").asc(nulls_last=True), "session__number", "order")
    )


def no_date(missing: Q) -> Q:
    """Tables without a date whose results are not all in."""
    return missing & Q(starts_at=None)


def next_table_with_gaps(session: TableSession) -> TableSession | None:
    """The next table of the competition, in playing order, whose results are not all in."""
    later = Q(session=session.session_id, order__gt=session.order) | Q(session__number__gt=session.session.number)
    others = TableSession.objects.filter(competition=session.competition_id, is_cancelled=False).exclude(pk=session.pk)
    rows = with_counts(others).filter(done__lt=F("planned"))
    rows = rows.select_related("session", "block").order_by("session__number", "order")
    return rows.filter(later).first() or rows.first()


def sheets_waiting(competitions: QuerySet[Competition]) -> QuerySet[ResultSheet]:
    """Sheets that await confirmation, the oldest first."""
    return (
        ResultSheet.objects.filter(state=ResultSheet.State.SUBMITTED, hanchan__block__competition__in=competitions)
        .select_related(
            "hanchan__table_session__session",
            "hanchan__table_session__block",
            "hanchan__block__competition",
            "entered_by",
        )
        .order_by("entered_at")
    )


def ties_awaiting(competitions: QuerySet[Competition]) -> Iterator[Tie]:
    """Ties on which a place depends."""
    rows = Outcome.objects.filter(competition__in=competitions, audience=Audience.STAFF).select_related("competition")
    awaited = [(row.competition, tie) for row in rows for tie in row.awaiting]
    if not awaited:
        return
    ids = {pk for _competition, tie in awaited for pk in tie["entrants"]}
    people = Entrant.objects.select_related("player").in_bulk(ids)
    blocks = Block.objects.filter(competition__in=competitions).select_related("stage")
    for competition, tie in awaited:
        names = names_of(block for block in blocks if block.competition_id == competition.pk)
        query = urlencode([("scope", tie["scope"]), *(("entrant", pk) for pk in tie["entrants"])])
        yield Tie(
            competition=competition,
            where=names.block(tie["scope"]),
            names=[person_name(people[pk].player) for pk in tie["entrants"]],
            url=f"{page_of(competition, 'rule')}?{query}",
        )


def held_back(competitions: QuerySet[Competition]) -> QuerySet[TableSession]:
    """Tables the public does not see yet, the next to be shown first."""
    return (
        TableSession.objects.filter(competition__in=competitions, is_released=False)
        .select_related("competition", "session", "block")
        .order_by("public_at")
    )


def behind(competitions: QuerySet[Competition]) -> Iterator[tuple[Competition, int]]:
    """Competitions whose standings lag behind their results, and since how many changes."""
    lagging = list(competitions.filter(computed_version__lt=F("version")))
    if not lagging:
        return
    since = dict(
        Change.objects.filter(competition__in=lagging, n__gt=F("competition__computed_version"))
        .values_list("competition")
        .annotate(first=Min("at"))
    )
    for competition in lagging:
        if since.get(competition.pk, timezone.now()) < timezone.now() - LATE_AFTER:
            yield competition, competition.version - competition.computed_version
