"""State of webhooks: subscriptions, failed deliveries, and reasons in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Competition, WebhookDelivery, WebhookSubscription
from league.models.webhooks import FAILING_REASON, GONE_REASON, RIGHTS_REASON, DeliveryFault

REASONS = {
    GONE_REASON: _("The receiver says that the address is gone."),
    FAILING_REASON: _("Messages have failed for days."),
    RIGHTS_REASON: _("Who made it may no longer read what is held back."),
}
FAULTS: Mapping[str, object] = {
    DeliveryFault.NAME_UNKNOWN: _("the host's name is unknown"),
    DeliveryFault.ADDRESS_REFUSED: _("the host is not on the public internet"),
    DeliveryFault.CONNECTION_FAILED: _("no connection"),
    DeliveryFault.TLS_FAILED: _("no safe connection: certificate or encryption"),
    DeliveryFault.TIMEOUT: _("no answer in time"),
    DeliveryFault.ANSWER_TOO_LONG: _("the answer does not end"),
    DeliveryFault.ANSWER_UNREADABLE: _("the answer is not HTTP"),
    DeliveryFault.REDIRECTED: _("the answer leads elsewhere, which is not followed"),
    DeliveryFault.NOT_ACCEPTED: _("the receiver did not accept it"),
}


def webhooks_of(competition: Competition) -> QuerySet[WebhookSubscription]:
    """Return the webhook subscriptions of a competition, oldest first."""
    return WebhookSubscription.objects.filter(competition=competition).select_related("competition").order_by("pk")


def failing_webhooks(competitions: Iterable[Competition]) -> QuerySet[WebhookSubscription]:
    """Return subscriptions that are disabled or whose last delivery failed, the longest failing first.

    Each is annotated with its number of pending deliveries (`waiting`).
    """
    waiting = Count("deliveries", filter=Q(deliveries__state=WebhookDelivery.State.WAITING))
    rows = WebhookSubscription.objects.filter(competition__in=competitions)
    rows = rows.exclude(failures=0, disabled_at=None).select_related("competition")
    return rows.annotate(waiting=waiting).order_by("failing_since", "pk")


def why_disabled(subscription: WebhookSubscription) -> str:
    """Return in words the reason why a subscription is disabled; empty while it is active."""
    return str(REASONS.get(subscription.disabled_because, subscription.disabled_because))


def why_not_delivered(delivery: WebhookDelivery) -> str:
    """Return in words the reason why the last attempt failed, with the receiver's detail; empty without a failure.

    A code written by another version of the software that has no words here is returned itself.
    """
    code, _colon, detail = delivery.error.partition(": ")
    if not code:
        return ""
    words = str(FAULTS.get(code, code))
    return f"{words} ({detail})" if detail else words
