"""Access to a live table: by the staff, or by the links (tokens) that a browser session has opened."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, Min, OuterRef
from django.http import HttpRequest

from league.models import Competition, Door, Hanchan, ResultSheet, TableLink, TableSession
from league.selectors.access.actors import Actor, Capability, capabilities
from league.selectors.access.readers import Reader

REMEMBERED = "table_links"
MOST_REMEMBERED = 8
SHOWN_OF_DIGEST = 12


@dataclass(frozen=True, slots=True)
class Visitor:
    """A user or a link's holder at a table, with their permissions there."""

    table_session: TableSession
    user: User | None
    may: frozenset[Capability]
    """Capabilities by the user's role in the competition; empty for the holder of a link alone."""
    link: TableLink | None

    @property
    def is_staff(self) -> bool:
        """Return True for the competition's staff, whose view does not depend on a link."""
        return Capability.READ in self.may

    @property
    def kind(self) -> str:
        """Return `staff`, `scorer` or `player`."""
        return "staff" if self.is_staff or self.link is None else self.link.kind

    @property
    def may_write(self) -> bool:
        """Return True if the visitor may keep the score sheet."""
        return Capability.SUBMIT in self.may or self._holds(TableLink.Kind.SCORER)

    @property
    def approves_for(self) -> int | None:
        """Return the id of the entrant for whom this device approves results; None for other visitors."""
        return self.link.entrant_id if self.link and self._holds(TableLink.Kind.PLAYER) else None

    def may_write_to(self, hanchan: Hanchan) -> bool:
        """Return True if the visitor may write to the hanchan.

        Once a result counts, only users with the right to correct it may.
        """
        counts = ResultSheet.objects.counting().filter(hanchan=hanchan).exists()
        return self.may_write and (not counts or Capability.CORRECT in self.may)

    def actor(self, request_id: str = "") -> Actor:
        """Return the actor for services, with the link as its credential."""
        credential = f"link:{self.link.digest[:SHOWN_OF_DIGEST]}" if self.link else ""
        return Actor(user=self.user, door=Door.TABLE, credential=credential, request_id=request_id, link=self.link)

    def _holds(self, kind: TableLink.Kind) -> bool:
        return self.link is not None and self.link.kind == kind and self.link.ended_at is None


def visitor_at(request: HttpRequest, table_session_id: int) -> Visitor | None:
    """Return the visitor of a request, or None without access to the table.

    A link that ended because the table is finished still grants reading.
    """
    table = TableSession.objects.select_related("competition", "session", "block").filter(pk=table_session_id).first()
    if table is None:
        return None
    user = request.user if isinstance(request.user, User) else None
    may = capabilities(user, table.competition)
    link = _best([each for each in remembered(request, table) if not is_revoked(each)])
    if link is None and Capability.READ not in may:
        return None
    return Visitor(table, user if Capability.READ in may else None, may, link)


def visitor_by_link(link: TableLink) -> Visitor:
    """Return the holder of a link that is not revoked, without an account, as the visitor of its table."""
    return Visitor(link.table_session, None, frozenset(), link)


def is_revoked(link: TableLink) -> bool:
    """Return True if the link was ended before its table was done; one that ended with its table still reads."""
    if link.ended_at is None:
        return False
    return is_awaiting(link.table_session_id) or _ended_before_results(link)


def _ended_before_results(link: TableLink) -> bool:
    """Return True if a hanchan of the table had no counting result yet when the link ended.

    A link scanned at a parlour's table ends with its own game: those begun later do not matter.
    """
    sheets = ResultSheet.objects.filter(hanchan__table_session=link.table_session_id, confirmed_at__isnull=False)
    if link.made_by_id is None and hasattr(link.table_session, "sitting"):
        sheets = sheets.filter(hanchan__started_at__lte=link.ended_at)
    firsts = sheets.order_by().values("hanchan").annotate(first=Min("confirmed_at"))
    return firsts.filter(first__gt=link.ended_at).exists()


def remembered(request: HttpRequest, table: TableSession) -> Sequence[TableLink]:
    """Return the links to this table that the browser session has opened, newest first."""
    ids = request.session.get(REMEMBERED, [])
    return list(TableLink.objects.filter(pk__in=ids, table_session=table).order_by("-made_at")) if ids else []


def has_ended(request: HttpRequest, table: TableSession) -> bool:
    """Return True if the session holds a link to this table that no longer grants access."""
    return any(link.ended_at is not None for link in remembered(request, table))


def _best(links: Sequence[TableLink]) -> TableLink | None:
    """Return the best link: active before ended, then scorer before player; None without links."""
    order = {TableLink.Kind.SCORER: 0, TableLink.Kind.PLAYER: 1}
    return min(links, key=lambda link: (link.ended_at is not None, order[TableLink.Kind(link.kind)]), default=None)


def link_of(token: str) -> TableLink | None:
    """Return the link of a token, active or ended; None if there is none."""
    # Only digests are stored, so that a copy of the database opens no table.
    digest = hashlib.sha256(token.encode()).hexdigest()
    return TableLink.objects.select_related("table_session__competition").filter(digest=digest).first()


def remember(request: HttpRequest, link: TableLink) -> None:
    """Add the link to the browser session, and cycle the session key against session fixation."""
    ids = [each for each in request.session.get(REMEMBERED, []) if each != link.pk]
    request.session.cycle_key()
    request.session[REMEMBERED] = [link.pk, *ids][:MOST_REMEMBERED]


def reads_advice(request: HttpRequest, reader: Reader, table: TableSession) -> bool:
    """Return True if this request may show what the hand at the table needs, on any page."""
    return may_read_advice(reader.competition, is_staff=reader.is_staff, has_link=bool(remembered(request, table)))


def may_read_advice(competition: Competition, *, is_staff: bool, has_link: bool) -> bool:
    """Return True if the requirements of the running hand may be shown before the hanchan is confirmed.

    In a league a device that opened one of the table's links is treated as a seated player's and never sees them.
    """
    if has_link and competition.kind == Competition.Kind.LEAGUE:
        return False
    if is_staff:
        return competition.advice != Competition.Advice.NOWHERE
    return competition.advice == Competition.Advice.PUBLIC


def is_awaiting(table_session_id: int) -> bool:
    """Return True if a hanchan of the table still has to be played or confirmed."""
    return bool(tables_awaiting([table_session_id]))


def tables_awaiting(ids: Iterable[int]) -> frozenset[int]:
    """Return those of the table sessions that have a hanchan still to be played or confirmed."""
    counting = ResultSheet.objects.counting().filter(hanchan=OuterRef("pk"))
    awaited = Hanchan.objects.filter(table_session__in=ids).exclude(state=Hanchan.State.ABANDONED).order_by()
    return frozenset(awaited.filter(~Exists(counting)).values_list("table_session", flat=True))
