"""Who stands at a table: its staff, or whoever holds one of its links, which the browser's session remembers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from league.models import Competition, Door, Hanchan, ResultSheet, TableLink, TableSession
from league.selectors.access.actors import Actor, Capability, capabilities
from league.selectors.access.readers import Reader

REMEMBERED = "table_links"
MOST_REMEMBERED = 8
SHOWN_OF_DIGEST = 12


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody at a table, with what they may do there."""

    table_session: TableSession
    user: User | None
    may: frozenset[Capability]
    """By their role in the competition; empty for whoever has a link only."""
    link: TableLink | None

    @property
    def is_staff(self) -> bool:
        """On the competition's staff: no link decides what they see."""
        return Capability.READ in self.may

    @property
    def kind(self) -> str:
        """`staff`, `scorer` or `player`."""
        return "staff" if self.is_staff or self.link is None else self.link.kind

    @property
    def may_write(self) -> bool:
        """Keeps the score sheet."""
        return Capability.SUBMIT in self.may or self._holds(TableLink.Kind.SCORER)

    @property
    def approves_for(self) -> int | None:
        """The entrant for whom this device says that a result is right."""
        return self.link.entrant_id if self.link and self._holds(TableLink.Kind.PLAYER) else None

    def may_write_to(self, hanchan: Hanchan) -> bool:
        """A result that counts is corrected by those who may."""
        counts = ResultSheet.objects.counting().filter(hanchan=hanchan).exists()
        return self.may_write and (not counts or Capability.CORRECT in self.may)

    def actor(self, request_id: str = "") -> Actor:
        """Whoever acts at the table's door."""
        credential = f"link:{self.link.digest[:SHOWN_OF_DIGEST]}" if self.link else ""
        return Actor(user=self.user, door=Door.TABLE, credential=credential, request_id=request_id, link=self.link)

    def _holds(self, kind: TableLink.Kind) -> bool:
        return self.link is not None and self.link.kind == kind and self.link.ended_at is None


def visitor_at(request: HttpRequest, table_session_id: int) -> Visitor | None:
    """Who the request comes from, if they have anything to do with the table.

    A link that ended because the table is done still lets its holder read.
    """
    table = TableSession.objects.select_related("competition", "session", "block").filter(pk=table_session_id).first()
    if table is None:
        return None
    user = request.user if isinstance(request.user, User) else None
    may = capabilities(user, table.competition)
    link = _best(remembered(request, table))
    if link is not None and link.ended_at is not None and is_awaiting(table.pk):
        link = None
    if link is None and Capability.READ not in may:
        return None
    return Visitor(table, user if Capability.READ in may else None, may, link)


def remembered(request: HttpRequest, table: TableSession) -> Sequence[TableLink]:
    """The links to this table that the session has opened."""
    ids = request.session.get(REMEMBERED, [])
    return list(TableLink.objects.filter(pk__in=ids, table_session=table).order_by("-made_at")) if ids else []


def has_ended(request: HttpRequest, table: TableSession) -> bool:
    """Whether the session came by a link to this table that lets nobody in any more."""
    return any(link.ended_at is not None for link in remembered(request, table))


def _best(links: Sequence[TableLink]) -> TableLink | None:
    """A link that is alive before one that has ended, a scorer's before a player's."""
    order = {TableLink.Kind.SCORER: 0, TableLink.Kind.PLAYER: 1}
    return min(links, key=lambda link: (link.ended_at is not None, order[TableLink.Kind(link.kind)]), default=None)


def link_of(token: str) -> TableLink | None:
    """The link of a token, whether or not it still lets anybody in."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    return TableLink.objects.select_related("table_session__competition").filter(digest=digest).first()


def remember(request: HttpRequest, link: TableLink) -> None:
    """Let the browser's session stand for the link; its key changes, so that one known before is worth nothing."""
    ids = [each for each in request.session.get(REMEMBERED, []) if each != link.pk]
    request.session.cycle_key()
    request.session[REMEMBERED] = [link.pk, *ids][:MOST_REMEMBERED]


def reads_advice(request: HttpRequest, reader: Reader, table: TableSession) -> bool:
    """Whether this visitor may be told what the hand at the table needs, wherever they read of it."""
    return may_read_advice(reader.competition, is_staff=reader.is_staff, has_link=bool(remembered(request, table)))


def may_read_advice(competition: Competition, *, is_staff: bool, has_link: bool) -> bool:
    """Whether it may be said what the hand at the table needs, before the hanchan is confirmed.

    In a league a device that came by one of the table's links is taken for a seated player's: it never says so.
    """
    if has_link and competition.kind == Competition.Kind.LEAGUE:
        return False
    if is_staff:
        return competition.advice != Competition.Advice.NOWHERE
    return competition.advice == Competition.Advice.PUBLIC


def is_awaiting(table_session_id: int) -> bool:
    """Whether a hanchan of the table still has to be played or confirmed."""
    counting = ResultSheet.objects.counting().filter(hanchan=OuterRef("pk"))
    awaited = Hanchan.objects.filter(table_session=table_session_id).exclude(state=Hanchan.State.ABANDONED)
    return awaited.filter(~Exists(counting)).exists()
