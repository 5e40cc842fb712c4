"""Deliver webhook messages: claim, send, record the result; retry with back-off after failures.

1. A delivery is claimed by moving its `next_attempt_at` ahead: only one of several workers can do that, and if it
   dies while sending, the delivery is soon due again under the same id.
2. It is sent outside any transaction, so that a slow receiver blocks no lock.
3. The result is recorded. After each failure the message waits longer, then it is given up.

A webhook is disabled if its receiver answers 410 Gone, or after days of failures. Within one run a receiver that
failed is not tried again, and working receivers come first.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import time
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import Audience, Door, Membership, WebhookDelivery, WebhookSubscription
from league.models.webhooks import FAILING_REASON, GONE_REASON, RIGHTS_REASON, DeliveryFault
from league.selectors.access.actors import ROLE_CAPABILITIES, Actor, Capability
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series
from league.services.webhooks.http import REDIRECTS, Sender, SendingError, WebhookResponse
from league.services.webhooks.occasions import reminders_due
from league.services.webhooks.outbox import may_still_be_told, queue_all_messages, renew_text, subscriptions_behind
from league.services.webhooks.owners import lock_owner, record_change
from league.services.webhooks.people import send_text
from league.services.webhooks.signing import signed_headers

RETRY_AFTER = (
    dt.timedelta(seconds=30),
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=30),
    dt.timedelta(hours=2),
    dt.timedelta(hours=8),
    dt.timedelta(hours=24),
)
"""Waiting times after the first failure, the second, and so on; after one more failure the message is given up."""
JITTER_PERCENT = 10
"""Percent by which a wait is lengthened or shortened, per message, so that retries do not all come at once."""
LEASE = dt.timedelta(seconds=60)
"""The time for which a claimed message belongs to its worker."""
RUN_SECONDS = 30
"""Seconds after which a run claims no more messages; the next run continues."""
CLAIMED_AMONG = 10
MOST_FAILURES = 20
FAILING_FOR = dt.timedelta(days=3)
"""A webhook is disabled after `MOST_FAILURES` failures in a row over at least this time."""
KEPT_FOR = dt.timedelta(days=30)
"""The time for which messages are kept."""
LOOKED_AT = 500
GONE = 410
MOST_SAID = 200
MOST_NOTED = 300

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The result of an attempt: the response's status if there was one, and the error, empty on success."""

    status: int | None = None
    error: str = ""

    @property
    def is_success(self) -> bool:
        """Return True if the message has arrived."""
        return not self.error


def deliver_webhooks(sender: Sender | None = None) -> int:
    """Write messages about published changes, and send those that are due; return the number delivered."""
    end_unentitled()
    queue_all_messages()
    return send_due(sender or Sender(allow_private=settings.WEBHOOK_ALLOW_PRIVATE))


def is_anything_to_send() -> bool:
    """Return True if a subscription is behind, or a message or a reminder is due."""
    return subscriptions_behind().exists() or due(timezone.now()).exists() or bool(reminders_due())


def send_due(sender: Sender) -> int:
    """Send due messages until none is left or the run's time is over; return the number delivered."""
    end = time.monotonic() + RUN_SECONDS
    failed: set[int] = set()
    arrived = 0
    while time.monotonic() < end and (delivery := claim(failed)):
        if not (may_still_be_told(delivery) and renew_text(delivery)):
            # The release of the table writes it again, under the same id.
            delivery.delete()
            continue
        outcome = attempt(delivery, sender)
        note(delivery, outcome)
        if outcome.is_success:
            arrived += 1
        else:
            failed.add(delivery.subscription_id)
    return arrived


def due(now: dt.datetime) -> QuerySet[WebhookDelivery]:
    """Return the messages to be sent now: those of working receivers first, then those due longest."""
    rows = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, next_attempt_at__lte=now)
    rows = rows.filter(subscription__disabled_at=None).select_related("subscription")
    return rows.order_by("subscription__failures", "next_attempt_at", "pk")


def claim(failed: set[int]) -> WebhookDelivery | None:
    """Claim the next due message until the lease runs out; None if none is due."""
    now = timezone.now()
    while rows := list(due(now).exclude(subscription__in=failed)[:CLAIMED_AMONG]):
        for row in rows:
            same = WebhookDelivery.objects.filter(pk=row.pk, state=row.state, next_attempt_at=row.next_attempt_at)
            # Compare and set: exactly one of several workers that saw this row changes it.
            if same.update(next_attempt_at=now + LEASE, attempts=F("attempts") + 1):
                row.next_attempt_at, row.attempts = now + LEASE, row.attempts + 1
                return row
    return None


def attempt(delivery: WebhookDelivery, sender: Sender) -> DeliveryOutcome:
    """Send a message, to a program signed with the present time, and return the result."""
    try:
        if delivery.subscription.is_for_people:
            return outcome_of(send_text(delivery, sender))
        return outcome_of(send_signed(delivery, sender))
    except SendingError as error:
        return DeliveryOutcome(error=str(error)[:MOST_NOTED])


def send_signed(delivery: WebhookDelivery, sender: Sender) -> WebhookResponse:
    """Send a program's message and return the response. Raise SendingError if there is none."""
    # The stored text is signed byte for byte: encoding the data again could change it and break the signature.
    body = delivery.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Jantaku-Webhooks/1",
        **signed_headers(delivery.subscription, delivery.message_id, int(time.time()), body),
    }
    return sender.post(delivery.subscription.url, body, headers)


def outcome_of(answer: WebhookResponse) -> DeliveryOutcome:
    """Return the result for a response: only 2xx is success; a redirect is an error."""
    if answer.is_success:
        return DeliveryOutcome(answer.status)
    fault = DeliveryFault.REDIRECTED if answer.status in REDIRECTS else DeliveryFault.NOT_ACCEPTED
    said = " ".join("".join(char if char.isprintable() else " " for char in answer.text).split())[:MOST_SAID]
    return DeliveryOutcome(answer.status, f"{fault}: {said}" if said else str(fault))


def note(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> None:
    """Record the result of an attempt, for the message and for its webhook."""
    if outcome.is_success:
        note_arrival(delivery, outcome)
    else:
        note_failure(delivery, outcome)


@transaction.atomic
def note_arrival(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> None:
    """Mark the message as delivered, even if another worker has claimed it meanwhile; reset the webhook's failures."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=WebhookDelivery.State.DELIVERED,
        next_attempt_at=None,
        status=outcome.status,
        error="",
        delivered_at=timezone.now(),
    )
    failing = WebhookSubscription.objects.filter(pk=delivery.subscription_id, failures__gt=0)
    failing.update(failures=0, failing_since=None)


@transaction.atomic
def note_failure(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> None:
    """Schedule the next attempt, or give the message up; perhaps disable its webhook.

    Do nothing if another worker has claimed the message meanwhile.
    """
    now = timezone.now()
    wait = wait_after(delivery)
    # Still our lease? After it has run out, another worker's result must not be overwritten by a late failure.
    ours = WebhookDelivery.objects.filter(
        pk=delivery.pk, state=WebhookDelivery.State.WAITING, next_attempt_at=delivery.next_attempt_at
    )
    if not ours.update(
        state=WebhookDelivery.State.FAILED if wait is None else WebhookDelivery.State.WAITING,
        next_attempt_at=None if wait is None else now + wait,
        status=outcome.status,
        error=outcome.error,
    ):
        return
    log.info("webhook not delivered", subscription=delivery.subscription_id, status=outcome.status)
    # The owner before the subscription, as organizers' changes lock them: `disable` records a change of the owner.
    lock_owner(delivery.subscription.owner)
    rows = WebhookSubscription.objects.filter(pk=delivery.subscription_id)
    rows.update(failures=F("failures") + 1, failing_since=Coalesce("failing_since", now))
    if outcome.status == GONE:
        disable(delivery.subscription_id, GONE_REASON)
    elif rows.filter(failures__gte=MOST_FAILURES, failing_since__lte=now - FAILING_FOR).exists():
        disable(delivery.subscription_id, FAILING_REASON)


def wait_after(delivery: WebhookDelivery) -> dt.timedelta | None:
    """Return the wait before the next attempt; None if the message is to be given up."""
    if delivery.attempts > len(RETRY_AFTER):
        return None
    digest = hashlib.sha256(f"{delivery.message_id}:{delivery.attempts}".encode()).digest()
    percent = 100 - JITTER_PERCENT + digest[0] % (2 * JITTER_PERCENT + 1)
    return RETRY_AFTER[delivery.attempts - 1] * percent / 100


@transaction.atomic
def disable(pk: int, because: str) -> None:
    """Disable a webhook, with the reason; do nothing if it is disabled already."""
    rows = WebhookSubscription.objects.filter(pk=pk, disabled_at=None)
    subscription = rows.select_related("competition", "series", "ranking").first()
    if subscription is None:
        return
    lock_owner(subscription.owner)
    if rows.update(disabled_at=timezone.now(), disabled_because=because):
        record_change("webhook.disabled", subscription, by=Actor.system(Door.TASK), after={"because": because})


def end_unentitled() -> None:
    """Disable staff webhooks whose owner has lost the right to read held-back results."""
    roles = [role for role, can in ROLE_CAPABILITIES.items() if Capability.READ in can]
    membership = Membership.objects.filter(
        competition=OuterRef("competition"), user=OuterRef("made_by"), role__in=roles
    )
    entitled = Q(made_by=None) | Q(made_by__is_active=True) & (Q(made_by__is_superuser=True) | Exists(membership))
    rows = WebhookSubscription.objects.filter(disabled_at=None, audience=Audience.STAFF)
    for pk in rows.exclude(competition=None).exclude(entitled).values_list("pk", flat=True):
        disable(pk, RIGHTS_REASON)
    for row in rows.filter(competition=None).exclude(made_by=None).select_related("made_by", "series", "ranking"):
        may = may_change_series if row.series_id is not None else may_write_rankings
        if not may(row.made_by):
            disable(row.pk, RIGHTS_REASON)


def forget_old_deliveries() -> None:
    """Delete old messages, a limited number at a time, oldest ids first."""
    oldest = WebhookDelivery.objects.order_by("pk").values_list("pk", flat=True)[:LOOKED_AT]
    WebhookDelivery.objects.filter(pk__in=list(oldest), created_at__lt=timezone.now() - KEPT_FOR).delete()
