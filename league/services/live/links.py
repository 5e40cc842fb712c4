"""Links to a table: the holder keeps its score sheet, or confirms results for one of its players.

The secret token is shown once, when the link is made; only its digest is stored. A link is valid for one table and
ends when the last hanchan of that table has its result.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db import OperationalError
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Entrant, Hanchan, HanchanSeat, TableLink, TableSession
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.live.access import is_awaiting, tables_awaiting
from league.services.access.changes import OpenChange, lock, open_change, open_changes, record_together
from league.services.access.guard import all_or_nothing

TOKEN_BYTES = 24
NOTED_EVERY = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link with its token, which is shown once."""

    link: TableLink
    token: str


def digest_of(token: str) -> str:
    """Return the SHA-256 that is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


@all_or_nothing
def make_link(
    *, table_session: TableSession, kind: TableLink.Kind, by: Actor, entrant: Entrant | None = None
) -> NewLink:
    """Make a link for keeping this table's score sheet, or for confirming its results as one of its players.

    1. Refuse actors without the right to submit results.
    2. Refuse a table that is done or cancelled; a player's link is for an entrant seated there.
    3. A new link for the same player ends the one before.
    """
    competition = table_session.competition
    require(by, competition, Capability.SUBMIT)
    refuse_done(table_session)
    refuse_wrong_holder(table_session, kind, entrant)
    change = open_change(competition, by)
    if entrant is not None:
        live_links(table_session).filter(entrant=entrant).update(ended_at=timezone.now())
    return _new_link(table_session, kind, entrant, change, by)


@all_or_nothing
def make_scorer_links(*, tables: Sequence[TableSession], by: Actor, ends_earlier: bool = False) -> list[NewLink]:
    """Make a scorer's link for each of these tables of one competition that still plays, in one step.

    `ends_earlier` ends the scorer's links that these tables have, so that slips printed before are void.
    """
    if not tables:
        return []
    competition = tables[0].competition
    require(by, competition, Capability.SUBMIT)
    lock(competition)
    awaiting = tables_awaiting([table.pk for table in tables])
    own = [table for table in tables if table.pk in awaiting and not table.is_cancelled]
    tokens = [secrets.token_urlsafe(TOKEN_BYTES) for _table in own]
    earlier = TableLink.objects.filter(table_session__in=own, ended_at=None, kind=TableLink.Kind.SCORER)
    ended = list(earlier.select_related("table_session")) if ends_earlier else []
    TableLink.objects.filter(pk__in=[link.pk for link in ended]).update(ended_at=timezone.now())
    made = TableLink.objects.bulk_create(
        TableLink(table_session=table, kind=TableLink.Kind.SCORER, digest=digest_of(token), made_by=by.user)
        for table, token in zip(own, tokens, strict=True)
    )
    changes = iter(open_changes(competition, by, len(ended) + len(made)))
    record_together(
        competition,
        [
            *(
                next(changes).row("table_link.ended", link.table_session, before={"link": link.pk}, is_public=False)
                for link in ended
            ),
            *(
                next(changes).row("table_link.made", link.table_session, after=_as_made(link), is_public=False)
                for link in made
            ),
        ],
    )
    return [NewLink(link, token) for link, token in zip(made, tokens, strict=True)]


def move_links(games: Iterable[Hanchan], by: Actor) -> None:
    """Let players' links follow them to the tables at which these hanchan, seated again, have them now.

    A link stays while its player still sits at the table in any hanchan, or has no seat in these. The caller has
    locked the competition.
    """
    games = list(games)
    seats = HanchanSeat.objects.filter(hanchan__in=games, hanchan__table_session__is_cancelled=False)
    rows = seats.order_by("-hanchan__number").values_list("entrant", "hanchan__table_session")
    placed: dict[int | None, int] = dict(rows)
    sessions = TableSession.objects.filter(hanchan__in=games).order_by().values("session")
    links = TableLink.objects.filter(
        entrant__in=placed, table_session__session__in=sessions, ended_at=None, kind=TableLink.Kind.PLAYER
    )
    seated = links.filter(table_session__hanchan__seats__entrant=F("entrant")).values("pk")
    moving = list(links.exclude(pk__in=seated).select_related("table_session__competition").order_by("pk"))
    for link in moving:
        to = placed[link.entrant_id]
        # As with a new link, the player's earlier one at the same table ends.
        TableLink.objects.filter(table_session=to, entrant=link.entrant_id, ended_at=None).update(
            ended_at=timezone.now()
        )
        TableLink.objects.filter(pk=link.pk).update(table_session=to)
    if moving:
        competition, after = moving[0].table_session.competition, {"links": [link.pk for link in moving]}
        open_change(competition, by).record("table_link.moved", competition, after=after, is_public=False)


def code_link(table_session: TableSession, by: Actor) -> TableLink:
    """Return the link for browsers that scanned the code on a table, made once while a game is followed there.

    Its token stays unknown: the link is kept in the browser's session alone. The caller has locked the competition.
    """
    there = live_links(table_session).filter(kind=TableLink.Kind.SCORER, made_by=None).first()
    if there is not None:
        return there
    change = open_change(table_session.competition, by)
    return _new_link(table_session, TableLink.Kind.SCORER, None, change, by).link


def _new_link(
    table_session: TableSession, kind: TableLink.Kind, entrant: Entrant | None, change: OpenChange, by: Actor
) -> NewLink:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    link = TableLink.objects.create(
        table_session=table_session, kind=kind, entrant=entrant, digest=digest_of(token), made_by=by.user
    )
    change.record("table_link.made", table_session, after=_as_made(link), is_public=False)
    return NewLink(link, token)


def _as_made(link: TableLink) -> dict[str, object]:
    return {"link": link.pk, "kind": link.kind, "entrant": link.entrant_id}


@all_or_nothing
def end_link(*, link: TableLink, by: Actor) -> None:
    """End a link; one that has ended stays as it is."""
    competition = link.table_session.competition
    require(by, competition, Capability.SUBMIT)
    if not live_links(link.table_session).filter(pk=link.pk).exists():
        return
    change = open_change(competition, by)
    TableLink.objects.filter(pk=link.pk).update(ended_at=timezone.now())
    change.record("table_link.ended", link.table_session, before={"link": link.pk}, is_public=False)


def note_use(link: TableLink) -> None:
    """Store when a link was last used, to the minute; a database that takes no writes does not refuse the request."""
    now = timezone.now()
    if link.used_at is None or link.used_at < now - NOTED_EVERY:
        with suppress(OperationalError):
            TableLink.objects.filter(pk=link.pk).update(used_at=now)


def live_links(table_session: TableSession) -> QuerySet[TableLink]:
    """Return the links of a table that have not ended."""
    return TableLink.objects.filter(table_session=table_session, ended_at=None)


def end_links_when_done(table_session_id: int) -> None:
    """End the links of a table if all its hanchan have their results."""
    if not is_awaiting(table_session_id):
        TableLink.objects.filter(table_session=table_session_id, ended_at=None).update(ended_at=timezone.now())


def refuse_done(table_session: TableSession) -> None:
    """Raise ConflictError if the table is cancelled or all its hanchan have results."""
    if table_session.is_cancelled or not is_awaiting(table_session.pk):
        raise conflict("table_done", _("Every hanchan of this table has its result: there is nothing left to enter."))


def refuse_wrong_holder(table_session: TableSession, kind: TableLink.Kind, entrant: Entrant | None) -> None:
    """Raise unless a player's link names an entrant seated at the table, and a scorer's link names none."""
    if kind == TableLink.Kind.SCORER and entrant is None:
        return
    seats = HanchanSeat.objects.filter(hanchan__table_session=table_session)
    if kind == TableLink.Kind.SCORER or entrant is None or not seats.filter(entrant=entrant).exists():
        raise refuse("player_not_at_table", _("Choose one of the players who sit at this table."), "/entrant")
