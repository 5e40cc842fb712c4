"""From changes to messages: what each subscription is told of, once.

A subscription's `sent_n` says up to which change it was told. One step locks its row, reads the next changes that
standings were published for, writes a message for each it is to hear of, and moves `sent_n`, in one transaction: a
worker that dies leaves nothing half done, and of several workers only one takes the step. A message's id is derived
from what it tells, so that the same thing is never told twice under two ids.

Whoever hears what everybody may know is told only of what can be read by everybody at that moment: not of what is
held back, nor of what was public once and is held back again. When a table is released its results are told of as if
they had come in then, together with the decisions that were kept hidden with them.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from league.models import (
    Audience,
    Change,
    Competition,
    ResultSheet,
    SlotState,
    Standing,
    WebhookDelivery,
    WebhookSubscription,
)
from league.platform.site_url import absolute_url
from league.selectors.access.readers import Reader
from league.selectors.standings.derivation import tallied_blocks
from league.services.operations.independent_jobs import do_for_each
from league.services.webhooks.events import (
    BY_KIND,
    DECISIONS,
    HELD_BACK,
    PING,
    RELEASED,
    RESULT_CONFIRMED,
    RESULTS,
    SLOT_FILLED,
    STANDINGS,
)

CHANGES_AT_ONCE = 200
ID_LENGTH = 40
PAGES = {"hanchan": "api:hanchan-one", "tablesession": "api:table-session", "session": "api:session"}


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to be told. `key` says what it is: equal keys are the same message."""

    event: str
    key: str
    at: dt.datetime
    version: int
    url: str
    change_n: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


def tell_all() -> None:
    """Tell every subscription of everything that was published since it was last told."""
    do_for_each(tell, behind().values_list("pk", flat=True), "webhook %s could not be told of what was published")


def tell(pk: int) -> None:
    """Tell one subscription, step by step, until it knows all."""
    while tell_next(pk):
        pass


def behind() -> QuerySet[WebhookSubscription]:
    """The subscriptions that were not told yet of all that was published."""
    return WebhookSubscription.objects.filter(disabled_at=None, sent_n__lt=F("competition__computed_version"))


@transaction.atomic
def tell_next(pk: int) -> bool:
    """Tell a subscription of the next changes; whether there are more. False too while somebody else is at it."""
    subscription = (
        WebhookSubscription.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(pk=pk, disabled_at=None)
        .first()
    )
    if subscription is None:
        return False
    competition = Competition.objects.get(pk=subscription.competition_id)
    newest = competition.computed_version
    if subscription.sent_n >= newest:
        return False
    rows = Change.objects.filter(competition=competition, n__gt=subscription.sent_n, n__lte=newest)
    changes = list(rows.order_by("n")[:CHANGES_AT_ONCE])
    until = changes[-1].n if len(changes) == CHANGES_AT_ONCE else newest
    write(subscription, messages(subscription, competition, changes, until))
    WebhookSubscription.objects.filter(pk=pk).update(sent_n=until)
    return until < newest


def write(subscription: WebhookSubscription, told: Iterable[Message]) -> None:
    """Put messages in line, those that are there already left as they are."""
    wanted = set(subscription.events)
    WebhookDelivery.objects.bulk_create(
        [delivery_of(subscription, each) for each in told if not wanted or each.event in wanted],
        ignore_conflicts=True,
    )


def delivery_of(subscription: WebhookSubscription, message: Message) -> WebhookDelivery:
    """A message as it stands in line. Its body holds ids, never names."""
    body = {
        "type": message.event,
        "timestamp": message.at.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {
            "competition": subscription.competition.slug,
            "version": message.version,
            "url": message.url,
            **message.more,
        },
    }
    return WebhookDelivery(
        subscription=subscription,
        message_id=message_id(subscription, message.event, message.key),
        event=message.event,
        change_n=message.change_n,
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
    )


def message_id(subscription: WebhookSubscription, event: str, key: str) -> str:
    """The id of what is told: the same whenever it is made again, another in every installation."""
    told = "|".join((settings.BASE_URL, str(subscription.pk), event, key))
    return f"msg_{hashlib.sha256(told.encode()).hexdigest()[:ID_LENGTH]}"


def messages(
    subscription: WebhookSubscription, competition: Competition, changes: Sequence[Change], until: int
) -> Iterator[Message]:
    """What a subscription hears of these changes, and of what was published up to change `until`."""
    is_public = subscription.audience == Audience.PUBLIC
    if is_public and not competition.is_readable_by_public:
        return
    audience = Audience.PUBLIC if is_public else Audience.STAFF
    reader = Reader(competition, audience, competition.public_version if is_public else competition.computed_version)
    told = list(told_to(reader, changes))
    yield from told
    yield from consequences(reader, told, subscription.sent_n, until)


def told_to(reader: Reader, changes: Sequence[Change]) -> Iterator[Message]:
    """The changes the reader may know of at this moment, with what a released table brings along."""
    known = changes if reader.is_staff else list(readable(reader, changes))
    for change in known:
        event = event_for(reader, change)
        if event is None:
            continue
        yield message_of(reader, change, event)
        if event == RELEASED and not reader.is_staff:
            yield from revealed(reader, change)


def event_for(reader: Reader, change: Change) -> str | None:
    """The name under which this audience is told of a change; None if it is not.

    That a table is held back is a public change only where it becomes public by it or was so before; whoever may read
    it afterwards sees a table that was released.
    """
    event = BY_KIND.get(change.kind)
    if event is None:
        return None
    if event.name == HELD_BACK and not reader.is_staff:
        return RELEASED
    return None if event.staff_only and not reader.is_staff else event.name


def readable(reader: Reader, changes: Sequence[Change]) -> Iterator[Change]:
    """The public changes whose table or session everybody may know of now."""
    public = [change for change in changes if change.is_public]
    shown = {
        "hanchan": reader.hanchan().values_list("pk", flat=True),
        "tablesession": reader.table_sessions().values_list("pk", flat=True),
        "session": reader.table_sessions().values_list("session", flat=True),
    }
    found = {
        kind: {str(pk) for pk in rows.filter(**{looked_up(kind): subjects(public, kind)})}
        for kind, rows in shown.items()
        if subjects(public, kind)
    }
    for change in public:
        if change.subject_type not in shown or change.subject_id in found[change.subject_type]:
            yield change


def looked_up(kind: str) -> str:
    """The column by which what is shown is looked for."""
    return "session__in" if kind == "session" else "pk__in"


def subjects(changes: Iterable[Change], kind: str) -> list[str]:
    """The ids of the subjects of one kind."""
    return [change.subject_id for change in changes if change.subject_type == kind]


def revealed(reader: Reader, release: Change) -> Iterator[Message]:
    """The results of a table that has just become public, and the decisions that were hidden with them."""
    sheets = ResultSheet.objects.counting_at(reader.version).filter(hanchan__table_session=int(release.subject_id))
    counting = list(sheets.order_by("confirmed_n"))
    for sheet in counting:
        yield Message(
            event=RESULT_CONFIRMED,
            key=str(sheet.confirmed_n),
            at=release.at,
            version=release.n,
            url=address("api:hanchan-one", sheet.hanchan_id),
            change_n=release.n,
            more={"subject": {"type": "hanchan", "id": str(sheet.hanchan_id)}, "revision": sheet.revision},
        )
    if counting:
        for change in decisions_after(reader, counting[0].confirmed_n or 0):
            event = BY_KIND[change.kind].name
            yield message_of(reader, change, event, at=release.at, version=release.n)


def decisions_after(reader: Reader, n: int) -> Iterable[Change]:
    """The decisions kept hidden since change `n` that nothing hides any more."""
    hidden = Change.objects.filter(competition=reader.competition, is_public=False, kind__in=DECISIONS)
    rows = hidden.filter(n__gt=n, n__lte=reader.version).order_by("n")
    return rows.exclude(n__in=reader.hidden_changes())


def message_of(
    reader: Reader, change: Change, event: str, *, at: dt.datetime | None = None, version: int | None = None
) -> Message:
    """A change as a message."""
    more: dict[str, Any] = {"subject": {"type": change.subject_type, "id": change.subject_id}}
    if event.partition(".")[0] not in ("result", "table_session", "hanchan"):
        more["kind"] = change.kind
    if revision := (change.after or change.before or {}).get("revision"):
        more["revision"] = revision
    return Message(
        event=event,
        key=str(change.n),
        at=at or change.at,
        version=version or change.n,
        url=address_of(reader, change),
        change_n=change.n if version is None else version,
        more=more,
    )


def address_of(reader: Reader, change: Change) -> str:
    """Where to read what has changed."""
    page = PAGES.get(change.subject_type)
    if page is None:
        return address("api:competition", reader.competition.slug)
    return address(page, change.subject_id)


def consequences(reader: Reader, told: Sequence[Message], since: int, until: int) -> Iterator[Message]:
    """Whose standings and which slots were published anew, after change `since` and up to `until`."""
    now = timezone.now()
    slug = reader.competition.slug
    if blocks := sorted(changed_blocks(reader, told, since, until)):
        url = f"{address('api:standings')}?competition={slug}"
        yield Message(STANDINGS, str(until), now, reader.version, url, more={"blocks": blocks})
    filled = SlotState.objects.filter(
        slot__block__competition=reader.competition,
        audience=reader.audience,
        state=SlotState.State.CERTAIN,
        computed_version__gt=since,
        computed_version__lte=until,
    )
    for row in filled.exclude(entrant=None).select_related("slot__block").order_by("pk"):
        yield Message(
            event=SLOT_FILLED,
            key=f"{row.slot_id}:{row.computed_version}",
            at=now,
            version=reader.version,
            url=address("api:bracket", slug),
            more={"block": row.slot.block.key, "number": row.slot.number, "entrant": str(row.entrant_id)},
        )


def changed_blocks(reader: Reader, told: Sequence[Message], since: int, until: int) -> set[str]:
    """The blocks whose standings were rewritten; at an open table, those whose games were told of."""
    rows = Standing.objects.filter(
        block__competition=reader.competition,
        audience=reader.audience,
        computed_version__gt=since,
        computed_version__lte=until,
    )
    found = set(rows.values_list("block__key", flat=True))
    if any(message.event in RESULTS for message in told):
        found |= set(tallied_blocks(reader.competition).values_list("key", flat=True))
    return found


def ping_message(subscription: WebhookSubscription, key: str) -> Message:
    """A message that tells of nothing."""
    competition = subscription.competition
    version = competition.public_version if subscription.audience == Audience.PUBLIC else competition.computed_version
    return Message(PING, key, timezone.now(), version, address("api:competition", competition.slug))


def address(name: str, *args: Any) -> str:
    """A full address of the interface for programs."""
    return absolute_url(name, *args)
