"""The outbox for webhooks: turn published changes into messages, one for each subscription and event.

A subscription's `sent_n` is the number of the last change it was notified about. One step locks its row, reads the
next published changes, writes a message for each that concerns it, and advances `sent_n`, in one transaction: a
worker that dies leaves nothing half done, and of several workers only one takes the step. A message's id is derived
from its content, so that the same event never gets two ids.

Public subscriptions are notified only of data that the public can read at that moment: not of anything held back,
nor of data that was public once and is held back again. When a table is released, its results are reported as if
they had been entered then, together with the decisions that were hidden with them.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from league.models import (
    Audience,
    Change,
    Competition,
    Credit,
    Departure,
    Hanchan,
    ResultSheet,
    SlotState,
    Standing,
    WebhookDelivery,
    WebhookSubscription,
)
from league.selectors.access.readers import Reader, leaves_held_back_table, public_reader_of, tells_of_held_back_table
from league.selectors.standings.derivation import tallied_blocks
from league.selectors.webhooks.texts import text_for_people
from league.services.operations.independent_jobs import do_for_each
from league.services.webhooks.events import (
    BY_KIND,
    DECISIONS,
    HELD_BACK,
    LINE_UPS,
    PING,
    RELEASED,
    RESULT_CONFIRMED,
    RESULTS,
    SLOT_FILLED,
    STANDINGS,
)
from league.services.webhooks.occasions import is_occasion_shown, occasions_of_results, reminders_due
from league.services.webhooks.outgoing import OutgoingMessage, address, message_id
from league.services.webhooks.season_messages import address_of_owner, season_messages

CHANGES_AT_ONCE = 200
MOST_RESULTS = 20
"""The most results in one step that people are told of one by one: a hall's tables that end together, no import."""
PAGES = {"hanchan": "api:hanchan-one", "tablesession": "api:table-session", "session": "api:session"}


def queue_all_messages() -> None:
    """Write the outstanding messages and reminders of every subscription; a failure of one does not stop the others."""
    do_for_each(lambda due: write(due[0], [due[1]]), reminders_due(), "reminder %s could not be written; tried again")
    do_for_each(
        queue_messages,
        subscriptions_behind().values_list("pk", flat=True),
        "webhook %s could not be told of what was published",
    )


def queue_messages(pk: int) -> None:
    """Write the outstanding messages of one subscription, step by step."""
    while queue_next_messages(pk):
        pass


def subscriptions_behind() -> QuerySet[WebhookSubscription]:
    """Return the enabled subscriptions that lack messages for published changes."""
    newer = Q(sent_n__lt=F("competition__computed_version"))
    newer |= Q(sent_n__lt=F("series__version")) | Q(sent_n__lt=F("ranking__version"))
    return WebhookSubscription.objects.filter(newer, disabled_at=None)


@transaction.atomic
def queue_next_messages(pk: int) -> bool:
    """Write a subscription's messages for the next changes; return True if there are more.

    False too while another worker holds the subscription's lock.
    """
    subscription = (
        # skip_locked: a second worker leaves the step to the first one instead of waiting and repeating it.
        WebhookSubscription.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(pk=pk, disabled_at=None)
        .first()
    )
    if subscription is None:
        return False
    if subscription.competition_id is None:
        told, until = season_messages(subscription)
        write(subscription, told)
        WebhookSubscription.objects.filter(pk=pk).update(sent_n=until)
        return False
    competition = subscription.competition = Competition.objects.get(pk=subscription.competition_id)
    newest = competition.computed_version
    if subscription.sent_n >= newest:
        return False
    rows = Change.objects.filter(competition=competition, n__gt=subscription.sent_n, n__lte=newest)
    changes = list(rows.order_by("n")[:CHANGES_AT_ONCE])
    until = changes[-1].n if len(changes) == CHANGES_AT_ONCE else newest
    write(subscription, messages(subscription, changes, until))
    WebhookSubscription.objects.filter(pk=pk).update(sent_n=until)
    return until < newest


def write(subscription: WebhookSubscription, told: Iterable[OutgoingMessage]) -> None:
    """Insert messages for the chosen events; existing ones (same id) stay as they are.

    Where many results are published at once, as by an import, people are told of the sessions alone.
    """
    wanted = set(subscription.events)
    if subscription.is_for_people:
        told = list(told)
        if sum(each.event in RESULTS for each in told) > MOST_RESULTS:
            told = [each for each in told if each.event not in RESULTS]
    WebhookDelivery.objects.bulk_create(
        filter(None, (delivery_of(subscription, each) for each in told if not wanted or each.event in wanted)),
        # The derived id makes this idempotent: a message that exists already is left as it is.
        ignore_conflicts=True,
    )


def delivery_of(subscription: WebhookSubscription, message: OutgoingMessage) -> WebhookDelivery | None:
    """Return a message as an unsaved delivery; None if there is nothing to say to people.

    For a program its body holds ids, never names; for people the text that they read.
    """
    body = text_body(subscription, message) if subscription.is_for_people else program_body(subscription, message)
    if body is None:
        return None
    return WebhookDelivery(
        subscription=subscription,
        message_id=message_id(subscription, message.event, message.key),
        event=message.event,
        change_n=message.change_n,
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
    )


def program_body(subscription: WebhookSubscription, message: OutgoingMessage) -> dict[str, object]:
    """Return the message that a program gets."""
    return {
        "type": message.event,
        "timestamp": message.at.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": {
            subscription.owner._meta.model_name or "": subscription.owner.slug,
            "version": message.version,
            "url": message.url,
            **message.more,
        },
    }


def text_body(subscription: WebhookSubscription, message: OutgoingMessage) -> dict[str, object] | None:
    """Return the text that people get; None if what it would tell is not there any more."""
    told: dict[str, object] = {"data": message.more}
    text = current_text(subscription, message.event, told)
    return {**told, "text": text} if text else None


def current_text(subscription: WebhookSubscription, event: str, told: Mapping[str, Any]) -> str:
    """Return the text about a stored message as its readers may read it now; empty if there is nothing to tell."""
    reader = reader_of_subscription(subscription)
    return text_for_people(reader, event, subject_of(told), subscription.language) if reader else ""


def renew_text(delivery: WebhookDelivery) -> bool:
    """Make a text for people as of now; return False if there is nothing to tell any more."""
    told = json.loads(delivery.body)
    # A text that an earlier release has stored does not name its subject; it is sent as it is.
    if not delivery.subscription.is_for_people or "data" not in told:
        return True
    text = current_text(delivery.subscription, delivery.event, told)
    if text != told["text"]:
        delivery.body = json.dumps({**told, "text": text}, ensure_ascii=False, separators=(",", ":"))
        WebhookDelivery.objects.filter(pk=delivery.pk).update(body=delivery.body)
    return bool(text)


def subject_of(told: Mapping[str, Any]) -> int:
    """Return the key of the row that a stored message is about; 0 if it names none."""
    return int(told.get("data", {}).get("subject", {}).get("id", 0))


def reader_of_subscription(subscription: WebhookSubscription) -> Reader | None:
    """Return the reader that sees what a competition's subscription may tell; None if that is nothing."""
    competition = subscription.competition
    if competition is None:
        return None
    if subscription.audience == Audience.STAFF:
        return Reader(competition, Audience.STAFF, competition.computed_version)
    return (
        Reader(competition, Audience.PUBLIC, competition.public_version) if competition.is_readable_by_public else None
    )


def messages(subscription: WebhookSubscription, changes: Sequence[Change], until: int) -> Iterator[OutgoingMessage]:
    """Yield a subscription's messages for these changes, and for the standings published up to change `until`."""
    reader = reader_of_subscription(subscription)
    if reader is None:
        return
    told = list(change_messages(reader, changes))
    yield from told
    yield from consequences(reader, told, subscription.sent_n, until)
    yield from occasions_of_results(reader, told)


def change_messages(reader: Reader, changes: Sequence[Change]) -> Iterator[OutgoingMessage]:
    """Yield messages for the changes the reader may know at this moment, with the results a released table reveals."""
    if not reader.is_staff:
        # `is_public` is as of the change itself; a table may have been held back again since.
        changes = list(shown_changes(reader, [change for change in changes if change.is_public]))
    for change in changes:
        event = event_for(reader, change)
        if event is None:
            continue
        yield message_of(reader, change, event)
        if event == RELEASED and not reader.is_staff:
            yield from release_messages(reader, change)


def event_for(reader: Reader, change: Change) -> str | None:
    """Return the event's name under which this audience is notified of a change; None if it is not.

    To hold a table back is a public change only if the table becomes public by it or was public before; a reader
    who can see the table afterwards sees one that was released.
    """
    event = BY_KIND.get(change.kind)
    if event is None:
        return None
    # Only the team and its organizers may know that a secret line-up was named; a webhook may be another's.
    if change.kind in LINE_UPS and not change.is_public:
        return None
    if event.name == HELD_BACK and not reader.is_staff:
        return RELEASED
    return None if event.staff_only and not reader.is_staff else event.name


def may_still_be_told(delivery: WebhookDelivery) -> bool:
    """Return False if the public may not know any more what a public message tells of: its table is held back now."""
    subscription = delivery.subscription
    if subscription.audience == Audience.STAFF or subscription.competition_id is None:
        return True
    reader = reader_of_subscription(subscription)
    if reader is None:
        return delivery.event == PING
    if delivery.change_n is None:
        subject = subject_of(json.loads(delivery.body))
        return not subject or is_occasion_shown(reader, delivery.event, subject)
    return any(shown_changes(reader, Change.objects.filter(competition=reader.competition, n=delivery.change_n)))


def shown_changes(reader: Reader, changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes that tell the public of no table held back now."""
    changes = list(changes)
    shown = {
        "hanchan": reader.hanchan().values_list("pk", flat=True),
        "tablesession": reader.table_sessions().values_list("pk", flat=True),
        "session": reader.table_sessions().values_list("session", flat=True),
        "credit": Credit.objects.exclude(tells_of_held_back_table()).values_list("pk", flat=True),
        "departure": Departure.objects.exclude(leaves_held_back_table()).values_list("pk", flat=True),
    }
    found = {
        kind: {str(pk) for pk in rows.filter(**{looked_up(kind): subjects(changes, kind)})}
        for kind, rows in shown.items()
        if subjects(changes, kind)
    }
    for change in changes:
        if change.subject_type not in shown or change.subject_id in found[change.subject_type]:
            yield change


def looked_up(kind: str) -> str:
    """Return the lookup by which visible rows of a kind are filtered."""
    return "session__in" if kind == "session" else "pk__in"


def subjects(changes: Iterable[Change], kind: str) -> list[str]:
    """Return the ids of the changes' subjects of one kind."""
    return [change.subject_id for change in changes if change.subject_type == kind]


def release_messages(reader: Reader, release: Change) -> Iterator[OutgoingMessage]:
    """Yield messages for the results of a table that has just become public, and for the decisions hidden with them."""
    sheets = ResultSheet.objects.counting_at(reader.version).filter(hanchan__table_session=int(release.subject_id))
    counting = list(sheets.order_by("confirmed_n"))
    for sheet in counting:
        yield OutgoingMessage(
            event=RESULT_CONFIRMED,
            key=str(sheet.confirmed_n),
            at=release.at,
            version=reader.number_shown(release.n),
            url=address("api:hanchan-one", sheet.hanchan_id),
            change_n=release.n,
            more={"subject": {"type": "hanchan", "id": str(sheet.hanchan_id)}, "revision": sheet.revision},
        )
    first = first_change_told(int(release.subject_id), reader.version)
    if first is not None:
        for change in decisions_since(reader, first):
            event = BY_KIND[change.kind].name
            yield message_of(reader, change, event, at=release.at, told_with=release.n)


def first_change_told(table: int, version: int) -> int | None:
    """Return the number of the first change that a table's release tells of: its first result, or an absence before."""
    hanchan = Hanchan.objects.filter(table_session=table)
    there = Exists(hanchan.filter(block=OuterRef("block"), number=OuterRef("number")))
    decisions = Change.objects.filter(kind__in=DECISIONS, is_public=False, subject_type="hanchan", n__lte=version)
    firsts = (
        ResultSheet.objects.filter(confirmed_n__lte=version, hanchan__in=hanchan).aggregate(n=Min("confirmed_n")),
        Credit.objects.filter(there, kind=Credit.Kind.NO_SHOW, made_n__lte=version).aggregate(n=Min("made_n")),
        decisions.filter(subject_id__in=[str(pk) for pk in hanchan.values_list("pk", flat=True)]).aggregate(n=Min("n")),
    )
    return min((first["n"] for first in firsts if first["n"] is not None), default=None)


def decisions_since(reader: Reader, n: int) -> Iterator[Change]:
    """Yield the decisions hidden from change `n` on that are so no more, and tell of no other table held back."""
    hidden = Change.objects.filter(competition=reader.competition, is_public=False, kind__in=DECISIONS)
    rows = hidden.filter(n__gte=n, n__lte=reader.version).order_by("n")
    yield from shown_changes(reader, rows.exclude(n__in=reader.hidden_changes()))


def message_of(
    reader: Reader, change: Change, event: str, *, at: dt.datetime | None = None, told_with: int | None = None
) -> OutgoingMessage:
    """Return a change as a message; `told_with` is the number of the change by which it became public later."""
    more: dict[str, object] = {"subject": {"type": change.subject_type, "id": change.subject_id}}
    if event.partition(".")[0] not in ("result", "table_session", "hanchan"):
        more["kind"] = change.kind
    if revision := (change.after or change.before or {}).get("revision"):
        more["revision"] = revision
    return OutgoingMessage(
        event=event,
        key=str(change.n),
        at=at or change.at,
        version=reader.number_shown(told_with or change.n),
        url=address_of(reader, change),
        change_n=told_with or change.n,
        more=more,
    )


def address_of(reader: Reader, change: Change) -> str:
    """Return the API URL at which the changed object can be read."""
    page = PAGES.get(change.subject_type)
    if page is None:
        return address("api:competition", reader.competition.slug)
    return address(page, change.subject_id)


def consequences(reader: Reader, told: Sequence[OutgoingMessage], since: int, until: int) -> Iterator[OutgoingMessage]:
    """Yield messages for standings and slots that were republished after change `since` and up to `until`."""
    now = timezone.now()
    slug = reader.competition.slug
    if blocks := sorted(changed_blocks(reader, told, since, until)):
        url = f"{address('api:standings')}?competition={slug}"
        yield OutgoingMessage(STANDINGS, str(until), now, reader.shown_version, url, more={"blocks": blocks})
    filled = SlotState.objects.filter(
        slot__block__competition=reader.competition,
        audience=reader.audience,
        state=SlotState.State.CERTAIN,
        computed_version__gt=since,
        computed_version__lte=until,
    )
    for row in filled.exclude(entrant=None).select_related("slot__block").order_by("pk"):
        yield OutgoingMessage(
            event=SLOT_FILLED,
            key=f"{row.slot_id}:{row.computed_version}",
            at=now,
            version=reader.shown_version,
            url=address("api:bracket", slug),
            more={"block": row.slot.block.key, "number": row.slot.number, "entrant": str(row.entrant_id)},
        )


def changed_blocks(reader: Reader, told: Sequence[OutgoingMessage], since: int, until: int) -> set[str]:
    """Return the keys of blocks whose standings were rewritten; at an open table, those with reported games."""
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


def ping_message(subscription: WebhookSubscription, key: str) -> OutgoingMessage:
    """Return a test message that reports no change."""
    if subscription.competition is None:
        return OutgoingMessage(PING, key, timezone.now(), subscription.sent_n, address_of_owner(subscription.owner))
    competition = subscription.competition
    is_public = subscription.audience == Audience.PUBLIC
    reader = (
        public_reader_of(competition)
        if is_public
        else Reader(competition, Audience.STAFF, competition.computed_version)
    )
    return OutgoingMessage(
        PING, key, timezone.now(), reader.shown_version, address("api:competition", competition.slug)
    )
