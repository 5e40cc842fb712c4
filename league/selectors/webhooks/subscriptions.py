"""State of webhooks: subscriptions, failed deliveries, and reasons in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Competition, Ranking, Series, WebhookDelivery, WebhookSubscription
from league.models.webhooks import FAILING_REASON, GONE_REASON, RIGHTS_REASON, DeliveryFault
from league.selectors.access.actors import AnyUser, Capability, capabilities
from league.selectors.competitions.addresses import competition_at
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series

REASONS = {
    GONE_REASON: _("The receiver says that the address is gone."),
    FAILING_REASON: _("Messages have failed for days."),
    RIGHTS_REASON: _("Who made it may no longer read what is held back."),
}
FAULTS: Mapping[str, object] = {
    DeliveryFault.ADDRESS_REFUSED: _("there is no such host on the public internet"),
    DeliveryFault.CONNECTION_FAILED: _("no connection"),
    DeliveryFault.TLS_FAILED: _("no safe connection: certificate or encryption"),
    DeliveryFault.TIMEOUT: _("no answer in time"),
    DeliveryFault.ANSWER_TOO_LONG: _("the answer does not end"),
    DeliveryFault.ANSWER_UNREADABLE: _("the answer is not HTTP"),
    DeliveryFault.REDIRECTED: _("the answer leads elsewhere, which is not followed"),
    DeliveryFault.NOT_ACCEPTED: _("the receiver did not accept it"),
    DeliveryFault.MAIL_REFUSED: _("the mail server did not take it"),
}


OWNERS = ("competition", "series", "ranking")
"""The models that can have webhooks; each is a column of a subscription."""


def webhooks_of(owner: Competition | Series | Ranking) -> QuerySet[WebhookSubscription]:
    """Return the webhook subscriptions of a competition, a series or a ranking, oldest first."""
    rows = WebhookSubscription.objects.filter(**{owner._meta.model_name or "": owner})
    return rows.select_related(*OWNERS).order_by("pk")


def owner_named(kind: str, slug: str, user: AnyUser) -> Competition | Series | Ranking | None:
    """Return the owner of a kind at a slug; None unless the user may manage its webhooks."""
    if kind == "series":
        return Series.objects.filter(slug=slug).first() if may_change_series(user) else None
    if kind == "ranking":
        return Ranking.objects.filter(slug=slug).first() if may_write_rankings(user) else None
    competition = competition_at(slug, user)
    return competition if competition and Capability.MANAGE in capabilities(user, competition) else None


def of_seasons(user: AnyUser) -> Q:
    """Return the condition for webhooks of series and rankings that the user may manage."""
    found = Q(pk__in=())
    if may_change_series(user):
        found |= Q(series__isnull=False)
    return found | Q(ranking__isnull=False) if may_write_rankings(user) else found


def failing_webhooks(competitions: Iterable[Competition], user: AnyUser | None = None) -> QuerySet[WebhookSubscription]:
    """Return subscriptions that are disabled or whose last delivery failed, the longest failing first.

    With a user also those of series and rankings that the user may manage. Each is annotated with its number of pending
    deliveries (`waiting`).
    """
    waiting = Count("deliveries", filter=Q(deliveries__state=WebhookDelivery.State.WAITING))
    own = Q(competition__in=competitions)
    rows = WebhookSubscription.objects.filter(own if user is None else own | of_seasons(user))
    rows = rows.exclude(failures=0, disabled_at=None).select_related(*OWNERS)
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
