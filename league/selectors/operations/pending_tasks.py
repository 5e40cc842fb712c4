"""Work items on the organizers' admin: due tables, sheets to confirm, ties, draws and more.

Each function runs a fixed number of queries for any number of competitions. It takes the competitions in which
the user may do the work it lists; the caller checks that permission.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import pgettext

from league.models import (
    Audience,
    Block,
    Change,
    Closing,
    Competition,
    Draw,
    Entrant,
    Hanchan,
    HanchanSeat,
    Invitation,
    Outcome,
    Prepared,
    ResultSheet,
    SlotState,
    Stage,
    TableSession,
)
from league.wording.names import names_of, person_name
from scoring.resolution import Reason

LATE_AFTER = dt.timedelta(minutes=1)
Competitions = QuerySet[Competition]


@dataclass(frozen=True, slots=True)
class PendingTie:
    """Entrants that no criterion separates, with their names; `scope` is the ranking in which they are level."""

    competition: Competition
    scope: str
    where: str
    entrants: Sequence[int]
    names: Sequence[str]


def with_counts(tables: QuerySet[TableSession]) -> QuerySet[TableSession]:
    """Annotate table sessions with their planned, finished and unconfirmed hanchan (`planned`, `done`, `waiting`).

    `first_round` is the round of the first one. The counts are subqueries per table: a list shows a few tables, while
    an open table may have had thousands.
    """
    games = Hanchan.objects.filter(table_session=OuterRef("pk")).exclude(state=Hanchan.State.ABANDONED).order_by()
    return tables.annotate(
        planned=_count_of(games),
        done=_count_of(games.filter(_has_sheet(ResultSheet.State.CONFIRMED))),
        waiting=_count_of(games.filter(_has_sheet(ResultSheet.State.SUBMITTED))),
        first_round=Subquery(
            Hanchan.objects.filter(table_session=OuterRef("pk")).order_by("round").values("round")[:1]
        ),
    )


def _has_sheet(state: ResultSheet.State) -> Exists:
    """Return an EXISTS clause for hanchan with a sheet in this state."""
    return Exists(ResultSheet.objects.filter(hanchan=OuterRef("pk"), state=state))


def _count_of(games: QuerySet[Hanchan]) -> Coalesce:
    """Return a subquery that counts the hanchan of the outer table session, 0 if there are none."""
    return Coalesce(Subquery(games.values("table_session").annotate(number=Count("pk")).values("number")), 0)


def with_gaps(tables: QuerySet[TableSession]) -> QuerySet[TableSession]:
    """Filter table sessions to those with a hanchan whose result is missing."""
    # Start from the unfinished games, which are few, not from a million finished ones.
    to_come = Hanchan.objects.filter(state__in=[Hanchan.State.SCHEDULED, Hanchan.State.RUNNING])
    open_games = to_come.exclude(_has_sheet(ResultSheet.State.CONFIRMED)).order_by()
    return tables.filter(pk__in=open_games.values("table_session"))


def with_people(tables: Sequence[TableSession]) -> list[tuple[TableSession, str]]:
    """Return each table with the names of the players in its first hanchan, which tell tables of a block apart."""
    before = Hanchan.objects.filter(
        table_session=OuterRef("hanchan__table_session"), round__lt=OuterRef("hanchan__round")
    )
    seats = HanchanSeat.objects.filter(~Exists(before), hanchan__table_session__in=tables).order_by("seat")
    people: defaultdict[int, list[str]] = defaultdict(list)
    for seat in seats.select_related("hanchan", "entrant__player"):
        people[seat.hanchan.table_session_id].append(person_name(seat.entrant.player))
    return [(table, pgettext("list of players", ", ").join(people[table.pk])) for table in tables]


def due_tables(competitions: Competitions) -> QuerySet[TableSession]:
    """Return tables that have begun and lack results, by start time; a table without a date counts as due.

    Tables of a parlour's sittings are left out, since their games are entered at the counter.
    """
    begun = Q(starts_at__lte=timezone.now()) | Q(starts_at=None)
    tables = TableSession.objects.filter(begun, competition__in=competitions, is_cancelled=False, sitting=None)
    return (
        with_counts(with_gaps(tables))
        .select_related("competition", "session", "block")
        .order_by(F("starts_at").asc(nulls_last=True), "session__number", "order")
    )


def next_table_with_gaps(session: TableSession) -> TableSession | None:
    """Return the table with missing results that follows in playing order, else the first one of the competition."""
    later = Q(session=session.session_id, order__gt=session.order) | Q(session__number__gt=session.session.number)
    others = TableSession.objects.filter(competition=session.competition_id, is_cancelled=False).exclude(pk=session.pk)
    rows = with_gaps(others).select_related("session", "block").order_by("session__number", "order")
    return rows.filter(later).first() or rows.first()


def sheets_waiting(competitions: Competitions) -> QuerySet[ResultSheet]:
    """Return sheets that await confirmation, the oldest first."""
    submitted = ResultSheet.objects.filter(state=ResultSheet.State.SUBMITTED).order_by()
    return (
        # The subquery starts from the few submitted sheets; otherwise the planner may scan every game of the
        # competitions.
        ResultSheet.objects.filter(pk__in=submitted.values("pk"), hanchan__block__competition__in=competitions)
        .select_related(
            "hanchan__table_session__session",
            "hanchan__table_session__block",
            "hanchan__block__competition",
            "entered_by",
        )
        .order_by("entered_at")
    )


def ties_awaiting(competitions: Competitions) -> Iterator[PendingTie]:
    """Yield the ties that need a ruling because a place depends on them."""
    # The staff's outcome: the public's may hide the tie together with results under embargo.
    rows = Outcome.objects.filter(competition__in=competitions, audience=Audience.STAFF).select_related("competition")
    awaited = [(row.competition, tie) for row in rows for tie in row.awaiting]
    if not awaited:
        return
    ids = {pk for _competition, tie in awaited for pk in tie["entrants"]}
    people = Entrant.objects.select_related("player").in_bulk(ids)
    blocks = list(Block.objects.filter(competition__in=competitions).select_related("stage"))
    for competition, tie in awaited:
        names = names_of(block for block in blocks if block.competition_id == competition.pk)
        yield PendingTie(
            competition=competition,
            scope=tie["scope"],
            where=names.block(tie["scope"]),
            entrants=tie["entrants"],
            names=[person_name(people[pk].player) for pk in tie["entrants"]],
        )


def draws_due(competitions: Competitions) -> list[Stage]:
    """Return the stages that have not been drawn yet although all their entrants are certain."""
    rows = Outcome.objects.filter(competition__in=competitions, audience=Audience.STAFF).only("competition", "pools")
    complete = [
        Q(competition=row.competition_id, key=stage)
        for row in rows
        for stage, pool in row.pools.items()
        if pool and all(slot["state"] == SlotState.State.CERTAIN for slot in pool)
    ]
    if not complete:
        return []
    undrawn = Stage.objects.exclude(Exists(Draw.objects.filter(stage=OuterRef("pk"), ended_n=None)))
    return list(undrawn.filter(reduce(or_, complete)).select_related("competition").order_by("competition", "order"))


def blocks_to_seed(competitions: Competitions) -> QuerySet[Block]:
    """Return blocks with empty seed slots, annotated with their number (`empty`), once the competition has entrants."""
    empty = Q(slots__source__startswith="seed:", slots__seeded=None)
    return (
        Block.objects.filter(competition__in=competitions, competition__entrants__isnull=False)
        .annotate(empty=Count("slots", filter=empty, distinct=True))
        .filter(empty__gt=0)
        .select_related("competition", "stage")
        .order_by("competition", "stage__order", "order")
    )


def blocks_left_open(competitions: Competitions) -> list[Block]:
    """Return blocks that have no hanchan left to play and are not complete: they need further tables, or to be closed.

    Blocks with results that wait for confirmation or are held back are left out: the last of them may complete it.
    """
    leagues = competitions.filter(kind=Competition.Kind.LEAGUE, status=Competition.Status.PUBLISHED)
    games = Hanchan.objects.filter(block=OuterRef("pk"), table_session__is_cancelled=False)
    to_play = Q(state__in=(Hanchan.State.SCHEDULED, Hanchan.State.RUNNING)) | Q(table_session__is_released=False)
    rows = Block.objects.filter(
        Exists(games.filter(_has_sheet(ResultSheet.State.CONFIRMED))),
        ~Exists(games.filter(to_play | _has_sheet(ResultSheet.State.SUBMITTED))),
        ~Exists(Closing.objects.standing().filter(block=OuterRef("pk"))),
        competition__in=leagues,
        stage__hanchan_count__isnull=False,
    ).select_related("competition", "stage")
    blocks = list(rows.order_by("competition", "stage__order", "order"))
    seasons = Prepared.objects.filter(part=Prepared.Part.SEASON, competition__in=[row.competition_id for row in blocks])
    complete = dict(seasons.values_list("competition", "data__facts__complete"))
    return [row for row in blocks if row.key not in complete.get(row.competition_id, [row.key])]


def places_held_twice(competitions: Competitions) -> QuerySet[SlotState]:
    """Return the places of blocks without a result whose player holds another place of the stage too.

    A correction accepted after a later stage had begun may lead to that; one of the two is filled from elsewhere then.
    """
    played = ResultSheet.objects.counting().filter(hanchan__block=OuterRef("slot__block"))
    rows = SlotState.objects.filter(
        ~Exists(played), slot__block__competition__in=competitions, audience=Audience.STAFF, reason=Reason.TWICE
    )
    return rows.select_related("slot__block__competition", "slot__block__stage", "entrant__player").order_by(
        "slot__block__competition", "slot__block__stage__order", "slot__block__order", "slot__number"
    )


def misseated_tables(competitions: Competitions) -> QuerySet[TableSession]:
    """Return tables to be played where a player sits who has lost the place in the block since the seats were set.

    A correction of the stage before, or a decision, gives it to another player. While it is open who plays in the
    block, none of its tables is listed.
    """
    leagues = competitions.filter(kind=Competition.Kind.LEAGUE, status=Competition.Status.PUBLISHED)
    places = SlotState.objects.filter(audience=Audience.STAFF)
    of_block = places.filter(slot__block=OuterRef("block"))
    own_place = places.filter(slot__block=OuterRef("hanchan__block"), entrant=OuterRef("entrant"))
    without_place = HanchanSeat.objects.filter(~Exists(own_place), hanchan=OuterRef("pk"), entrant__is_house=False)
    games = Hanchan.objects.filter(
        Exists(of_block),
        ~Exists(of_block.exclude(state=SlotState.State.CERTAIN)),
        ~_has_sheet(ResultSheet.State.CONFIRMED),
        ~_has_sheet(ResultSheet.State.SUBMITTED),
        Exists(without_place),
        state=Hanchan.State.SCHEDULED,
        block__competition__in=leagues,
    )
    tables = TableSession.objects.filter(is_cancelled=False, hanchan__in=games).distinct()
    return tables.select_related("competition", "session", "block__stage").order_by(
        "competition", "session__number", "order"
    )


def embargoed_tables(competitions: Competitions) -> QuerySet[TableSession]:
    """Return tables under embargo, the next to be released first."""
    return (
        TableSession.objects.filter(competition__in=competitions, is_released=False)
        .select_related("competition", "session", "block")
        .order_by("public_at")
    )


def lagging_competitions(competitions: Competitions) -> Iterator[tuple[Competition, int]]:
    """Yield competitions with standings older than `LATE_AFTER`, and the number of changes they lag behind."""
    lagging = list(competitions.filter(computed_version__lt=F("version")))
    if not lagging:
        return
    since = dict(
        # Judge by the age of the oldest change: right after a result every competition is behind for a moment.
        Change.objects.filter(competition__in=lagging, n__gt=F("competition__computed_version"))
        .values_list("competition")
        .annotate(first=Min("at"))
    )
    for competition in lagging:
        if since.get(competition.pk, timezone.now()) < timezone.now() - LATE_AFTER:
            yield competition, competition.version - competition.computed_version


def open_invitations(competitions: Competitions) -> QuerySet[Invitation]:
    """Return invitations neither accepted, withdrawn nor expired; the first to expire comes first."""
    rows = Invitation.objects.filter(competition__in=competitions, accepted_at=None, withdrawn_at=None)
    return rows.filter(expires_at__gt=timezone.now()).select_related("competition").order_by("expires_at")
