"""Occasions that no single change causes: a finished session, a block's last hanchan, a session that begins soon.

The first two follow from results and abandoned hanchan, the third from the clock, so that each run of the sender looks
for it. Each is told once per subscription: the key of its message names it.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Min, Q
from django.utils import timezone

from league.models import (
    Audience,
    Block,
    Competition,
    Hanchan,
    Session,
    TableSession,
    WebhookDelivery,
    WebhookSubscription,
)
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import open_games
from league.selectors.standings.conditions import conditions_of
from league.services.webhooks.events import ABANDONED, LAST_HANCHAN, RESULTS, SESSION_FINISHED, SESSION_SOON
from league.services.webhooks.outgoing import OutgoingMessage, address, message_id

SOON = dt.timedelta(hours=24)
"""The time before a session's first game within which its readers are reminded."""


@dataclass(frozen=True, slots=True)
class SessionStart:
    """When a session's first table begins: of all its tables, and of those that are not held back."""

    session: int
    first: dt.datetime
    shown: dt.datetime | None


def occasions_of_results(reader: Reader, told: Sequence[OutgoingMessage]) -> Iterator[OutgoingMessage]:
    """Yield the sessions that are finished, and the blocks before their last hanchan, after these messages."""
    keys = [each.more["subject"] for each in told if each.event in RESULTS or each.more.get("kind") == ABANDONED]
    games = [int(str(key["id"])) for key in keys if isinstance(key, dict)]
    if not games or reader.guards_guests:
        return
    rows = reader.hanchan().filter(pk__in=games)
    for session in Session.objects.filter(table_sessions__hanchan__in=rows).distinct().order_by("number"):
        if is_finished(reader, session):
            url = address("api:session", session.pk)
            yield occasion(reader, SESSION_FINISHED, str(session.pk), url, "session", session.pk)
    blocks = Block.objects.filter(hanchan__in=rows).select_related("stage")
    for block in blocks.distinct().order_by("order", "pk"):
        if is_before_last(reader, block):
            url = address("api:conditions", reader.competition.slug)
            yield occasion(reader, LAST_HANCHAN, str(block.pk), url, "block", block.pk, block=block.key)


def occasion(reader: Reader, event: str, key: str, url: str, kind: str, pk: int, **more: object) -> OutgoingMessage:
    """Return the message about an occasion, which is told now."""
    subject = {"type": kind, "id": str(pk)}
    return OutgoingMessage(event, key, timezone.now(), reader.shown_version, url, more={"subject": subject, **more})


def is_occasion_shown(reader: Reader, event: str, pk: int) -> bool:
    """Return False if a retry of an occasion would tell of a table that is held back from the reader by now."""
    about = {SESSION_SOON: Q(session=pk), SESSION_FINISHED: Q(session=pk), LAST_HANCHAN: Q(block=pk)}.get(event)
    if about is None:
        return True
    tables = TableSession.objects.filter(about, is_cancelled=False)
    shown = tables.filter(pk__in=reader.table_sessions().values("pk"))
    # A reminder tells of the tables that are not held back; the others tell of all.
    return shown.exists() if event == SESSION_SOON else shown.count() == tables.count()


def is_finished(reader: Reader, session: Session) -> bool:
    """Return True if the reader may read every table of the session, and each of its games counts.

    An open table's session is a business day, at which another game may begin at any time.
    """
    if reader.competition.kind == Competition.Kind.OPEN:
        return False
    tables = TableSession.objects.filter(session=session, is_cancelled=False)
    if tables.exclude(pk__in=reader.table_sessions().filter(session=session).values("pk")).exists():
        return False
    return not open_games(reader).filter(table_session__session=session).exists()


def is_before_last(reader: Reader, block: Block) -> bool:
    """Return True if only games of the block's last number are left, after others."""
    left = set(open_games(reader).filter(block=block).order_by().values_list("number", flat=True))
    last = Hanchan.objects.filter(block=block).order_by("-number").values_list("number", flat=True).first()
    if left != {last} or block.stage.hanchan_count is None:
        return left == {last}
    # Games may be left that are not scheduled yet.
    found = next(iter(conditions_of(reader, block=block)), None)
    return found is not None and found.hanchan_left == 1


def reminders_due() -> list[tuple[WebhookSubscription, OutgoingMessage]]:
    """Return the reminders of sessions that begin soon, by subscription, without those already written."""
    now = timezone.now()
    heard = WebhookSubscription.objects.filter(disabled_at=None).exclude(competition=None).order_by()
    tables = TableSession.objects.filter(is_cancelled=False, competition__in=heard.values("competition"))
    rows = tables.order_by().values("competition", "session")
    rows = rows.annotate(first=Min("starts_at"), shown=Min("starts_at", filter=Q(is_released=True)))
    begins: dict[int, list[SessionStart]] = defaultdict(list)
    for row in rows.filter(Q(first__gt=now, first__lte=now + SOON) | Q(shown__gt=now, shown__lte=now + SOON)):
        begins[row["competition"]].append(SessionStart(row["session"], row["first"], row["shown"]))
    if not begins:
        return []
    hooks = WebhookSubscription.objects.filter(competition__in=begins, disabled_at=None).select_related("competition")
    found = [(hook, each) for hook in hooks for each in reminders(hook, begins[hook.competition_id or 0])]
    ids = [message_id(hook, each.event, each.key) for hook, each in found]
    known = set(WebhookDelivery.objects.filter(message_id__in=ids).values_list("message_id", flat=True))
    return [pair for pair, made in zip(found, ids, strict=True) if made not in known]


def reminders(hook: WebhookSubscription, begins: Sequence[SessionStart]) -> Iterator[OutgoingMessage]:
    """Yield a subscription's reminders. A session moved to another time is told again."""
    competition = hook.competition
    wanted = not hook.events or SESSION_SOON in hook.events
    is_public = hook.audience == Audience.PUBLIC
    if not wanted or competition is None or (is_public and not competition.is_readable_by_public):
        return
    version = competition.public_version if is_public else competition.computed_version
    reader = Reader(competition, Audience.PUBLIC if is_public else Audience.STAFF, version)
    if reader.guards_guests:
        return
    now = timezone.now()
    for each in begins:
        first = each.shown if is_public else each.first
        if first is not None and now < first <= now + SOON:
            key = f"{each.session}:{first.astimezone(dt.UTC):%Y%m%d%H%M}"
            yield occasion(reader, SESSION_SOON, key, address("api:session", each.session), "session", each.session)
