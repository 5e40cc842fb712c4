"""Rows of collections that changed since a moment, by the change log as far as a reader may know it.

A row counts as changed if its document may differ: a change of one hanchan names it, a change of a table session also
its hanchan. Any other change, such as of a name, a rule or an entrant, may be in every row, so all rows count. The
condition therefore never misses a row and sometimes gives one that is equal. Changes under embargo do not count before
their release; with a release all rows do, because it may show seats of other tables.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from django.db.models import BigIntegerField, Exists, F, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from league.models import (
    Change,
    Competition,
    Entrant,
    Hanchan,
    OrganizationChange,
    Player,
    Session,
    Slot,
    Stage,
    TableSession,
    TeamMember,
)
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import HELD_BACK, RELEASED

M = TypeVar("M", bound=Model)
Condition = Callable[[QuerySet[Change]], Q]
OF_GAMES = ("hanchan", "tablesession", "session")
"""Subjects of changes that touch the rows of single games, tables and sessions."""
UNLISTED = (
    *("adjustment", "ruling", "invitation", "membership", "tablelink", "sitting", "statement"),
    *("webhooksubscription", "webhookdelivery", "seatingsearch", "paifuimport", "announcement"),
)
"""Subjects that no collection shows."""
UNLISTED_KINDS = ("entrant.checked_in", "entrant.check_in_taken_back")
"""Changes of what no collection shows."""
TO_COME = (Hanchan.State.SCHEDULED, Hanchan.State.RUNNING)


def newest_change(reader: Reader) -> dt.datetime | None:
    """Return the moment of the newest change that the reader's version takes into account; None before the first."""
    rows = Change.objects.filter(competition=reader.competition, n=reader.version)
    return rows.values_list("at", flat=True).first()


def changed_rows(reader: Reader, rows: QuerySet[M], since: dt.datetime) -> QuerySet[M]:
    """Return those rows of one competition that changed at the moment `since` or after it."""
    changes = reader.changes().filter(at__gte=since).order_by()
    elsewhere = ~Q(subject_type__in=(*OF_GAMES, *UNLISTED)) & ~Q(kind__in=UNLISTED_KINDS)
    if changes.filter(elsewhere | Q(kind__in=(RELEASED, HELD_BACK))).exists():
        return rows
    condition = CONDITIONS[rows.model](changes)
    if not reader.is_staff and changes.exists():
        condition |= SEATED_LATER[rows.model]
    return rows.filter(condition)


def _ids(changes: QuerySet[Any], subject: str) -> QuerySet[Any, Any]:
    """Return the ids of the subjects of one kind that these changes are about."""
    found = changes.filter(subject_type=subject).order_by().annotate(key=Cast("subject_id", BigIntegerField()))
    keys: QuerySet[Any, Any] = found.values("key")
    return keys


def _hanchan(changes: QuerySet[Change]) -> Q:
    return Q(pk__in=_ids(changes, "hanchan")) | Q(table_session__in=_ids(changes, "tablesession"))


def _tables(changes: QuerySet[Change]) -> Q:
    games = Hanchan.objects.filter(pk__in=_ids(changes, "hanchan")).order_by().values("table_session")
    own = Q(pk__in=_ids(changes, "tablesession")) | Q(pk__in=games)
    return own | Q(session__in=_ids(changes, "session"))


def _sessions(changes: QuerySet[Change]) -> Q:
    tables = TableSession.objects.filter(pk__in=_ids(changes, "tablesession")).order_by().values("session")
    return Q(pk__in=_ids(changes, "session")) | Q(pk__in=tables)


NO_ROW = Q(pk__in=[])
CONDITIONS: Mapping[type[Model], Condition] = {
    Hanchan: _hanchan,
    TableSession: _tables,
    Session: _sessions,
    Stage: lambda _changes: NO_ROW,
}
"""For each model the condition of rows touched by changes of games, tables and sessions."""
_LATER_BLOCKS = Slot.objects.exclude(source__startswith="seed:").order_by().values("block")
_SEATED_LATER = Q(state__in=TO_COME, block__in=_LATER_BLOCKS)
SEATED_LATER: Mapping[type[Model], Q] = {
    Hanchan: _SEATED_LATER,
    TableSession: Q(pk__in=Hanchan.objects.filter(_SEATED_LATER).order_by().values("table_session")),
    Session: NO_ROW,
    Stage: NO_ROW,
}
"""Games to come of later stages: a result elsewhere may show the public who is seated there."""


def changes_known(readers: Collection[Reader], since: dt.datetime) -> QuerySet[Change]:
    """Return the changes since a moment that these readers may know of, of all their competitions."""
    staff = [reader.competition.pk for reader in readers if reader.is_staff]
    public = [reader.competition.pk for reader in readers if not reader.is_staff]
    return Change.objects.filter(at__gte=since).filter(_known(staff) | _public() & Q(competition__in=public)).order_by()


def _known(staff: Collection[int]) -> Q:
    return Q(competition__in=staff, n__lte=F("competition__computed_version"))


def _public() -> Q:
    return Q(is_public=True, n__lte=F("competition__public_version"))


def changed_competitions(
    rows: QuerySet[Competition], staff: Collection[int], since: dt.datetime
) -> QuerySet[Competition]:
    """Return the competitions that changed; in those with ids in `staff` changes under embargo count."""
    changes = Change.objects.filter(competition=OuterRef("pk"), at__gte=since).filter(_known(staff) | _public())
    return rows.filter(Exists(changes.order_by()))


def changed_players(rows: QuerySet[Player], readers: Collection[Reader], since: dt.datetime) -> QuerySet[Player]:
    """Return the players that changed, or whose entry in one of the readers' competitions did."""
    changes = changes_known(readers, since)
    outside = OrganizationChange.objects.filter(at__gte=since)
    entrants = _ids(changes, "entrant")
    everywhere = changes.exclude(subject_type__in=(*OF_GAMES, *UNLISTED, "player", "entrant")).values("competition")
    entered = Entrant.objects.filter(Q(pk__in=entrants) | Q(competition__in=everywhere)).order_by()
    members = TeamMember.objects.filter(Q(entrant__in=entrants) | Q(entrant__competition__in=everywhere)).order_by()
    return rows.filter(
        Q(pk__in=_ids(changes, "player"))
        | Q(pk__in=_ids(outside, "player"))
        | Q(pk__in=entered.values("player"))
        | Q(pk__in=members.values("player"))
    )
