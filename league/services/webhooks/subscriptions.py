"""Managing webhooks: make, change, end, test; and send a delivered message again.

URLs may contain secrets of their receivers: the audit log stores only their host.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from league.models import Audience, WebhookDelivery, WebhookSubscription
from league.platform.errors import RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor
from league.services.access.guard import all_or_nothing
from league.services.webhooks.events import CHOSEN, events_for_people, events_of_owner
from league.services.webhooks.http import is_port_allowed, is_public, port_of
from league.services.webhooks.outbox import delivery_of, ping_message
from league.services.webhooks.owners import Owner, lock_owner, record_change, require_owner
from league.services.webhooks.people import HOSTS, address_for
from league.services.webhooks.signing import signing_key

MOST_WEBHOOKS = 20
LONGEST_URL = 500
PING_KEY_LENGTH = 20


@dataclass(frozen=True, slots=True)
class ToldKey:
    """A webhook with its signing key, which is shown once."""

    subscription: WebhookSubscription
    key: str


@all_or_nothing
def subscribe(
    *,
    owner: Owner,
    url: str,
    by: Actor,
    events: Sequence[str] = (),
    audience: Audience = Audience.PUBLIC,
    service: str = WebhookSubscription.Service.PROGRAM,
    language: str = "",
    token: str = "",
) -> ToldKey:
    """Create a webhook: messages about the owner's changes go to a URL from now on; no events means all.

    For a chat service or a mail address (`service`), `url` is what identifies the receiver there, `token` LINE's access
    token, and `language` that of the texts (that of the service, if empty).

    1. Refuse actors who do not direct the competition, or may not change the series or ranking, and, for held-back
       results, those without the right to read them.
    2. Refuse URLs that no message can be sent to, events that the owner does not have, and too many webhooks.
    """
    require_owner(by, owner, audience)
    owner = lock_owner(owner)
    url = checked_address(service, url, token)
    refuse_unknown_events(owner, events, service)
    if owner.webhooks.count() >= MOST_WEBHOOKS:
        raise conflict(
            "too_many_webhooks",
            _("There can be at most %(most)s webhooks here. End one that is not needed.") % {"most": MOST_WEBHOOKS},
        )
    subscription = WebhookSubscription.objects.create(
        service=service,
        language=checked_language(service, language),
        url=url,
        events=in_order(events),
        audience=audience,
        made_by=by.user,
        **{owner._meta.model_name or "": owner},
    )
    subscription.sent_n = record_change("webhook.made", subscription, by=by, after=audit_data(subscription))
    subscription.save(update_fields=["sent_n"])
    return ToldKey(subscription, signing_key(subscription))


@all_or_nothing
def change_webhook(
    *,
    subscription: WebhookSubscription,
    by: Actor,
    url: str | None = None,
    events: Sequence[str] | None = None,
    language: str | None = None,
    token: str = "",
) -> WebhookSubscription:
    """Change a webhook's URL, events or language; parameters that are None stay as they are.

    A new LINE address takes its `token` again. The kind of receiver and the audience cannot be changed: messages
    written for organizers must never go to a URL meant for the public.
    """
    subscription = lock_subscription(subscription, by)
    before = audit_data(subscription)
    known = (subscription.url, subscription.events, subscription.language)
    if url is not None:
        subscription.url = checked_address(subscription.service, url, token)
    if events is not None:
        refuse_unknown_events(subscription.owner, events, subscription.service)
        subscription.events = in_order(events)
    if language is not None:
        subscription.language = checked_language(subscription.service, language)
    if (subscription.url, subscription.events, subscription.language) != known:
        subscription.save(update_fields=["url", "events", "language"])
        record_change("webhook.changed", subscription, by=by, before=before, after=audit_data(subscription))
    return subscription


@all_or_nothing
def end_webhook(*, subscription: WebhookSubscription, by: Actor) -> None:
    """Delete a webhook together with the messages sent to it."""
    subscription = lock_subscription(subscription, by)
    record_change("webhook.ended", subscription, by=by, before=audit_data(subscription))
    subscription.delete()


@all_or_nothing
def rotate_key(*, subscription: WebhookSubscription, by: Actor) -> ToldKey:
    """Create a new signing key. Messages are signed with it and with the one before; rotate twice to end an old key."""
    subscription = lock_subscription(subscription, by)
    subscription.key_number += 1
    subscription.save(update_fields=["key_number"])
    record_change("webhook.key_rotated", subscription, by=by, after={"key_number": subscription.key_number})
    return ToldKey(subscription, signing_key(subscription))


@all_or_nothing
def enable_webhook(*, subscription: WebhookSubscription, by: Actor) -> WebhookSubscription:
    """Enable a disabled webhook from now on; the enabling user becomes its owner, whose permissions it needs."""
    subscription = lock_subscription(subscription, by)
    if subscription.disabled_at is None:
        return subscription
    require_owner(by, subscription.owner, Audience(subscription.audience))
    before = {"because": subscription.disabled_because}
    subscription.disabled_at, subscription.disabled_because = None, ""
    subscription.failures, subscription.failing_since = 0, None
    subscription.sent_n = record_change("webhook.enabled", subscription, by=by, before=before)
    subscription.made_by = by.user
    subscription.save(
        update_fields=["disabled_at", "disabled_because", "failures", "failing_since", "sent_n", "made_by"]
    )
    return subscription


@all_or_nothing
def ping(*, subscription: WebhookSubscription, by: Actor) -> WebhookDelivery:
    """Queue a test message that reports no change, to see whether it arrives."""
    subscription = lock_subscription(subscription, by)
    refuse_disabled(subscription)
    delivery = delivery_of(subscription, ping_message(subscription, get_random_string(PING_KEY_LENGTH)))
    if delivery is None:
        raise conflict("nothing_to_read", _("Nothing is sent while the public may not read the competition."))
    delivery.save()
    record_change("webhook.pinged", subscription, by=by, after={"delivery": delivery.pk})
    return delivery


@all_or_nothing
def redeliver(*, delivery: WebhookDelivery, by: Actor) -> WebhookDelivery:
    """Send a message again under the same id, with as many attempts as a new one."""
    subscription = lock_subscription(delivery.subscription, by)
    refuse_disabled(subscription)
    delivery.state, delivery.attempts = WebhookDelivery.State.WAITING, 0
    delivery.next_attempt_at = timezone.now()
    delivery.save(update_fields=["state", "attempts", "next_attempt_at"])
    record_change("webhook.redelivered", subscription, by=by, after={"delivery": delivery.pk})
    return delivery


def lock_subscription(subscription: WebhookSubscription, by: Actor) -> WebhookSubscription:
    """Return the subscription as stored now, with owner and row locked; raise unless the actor may manage it."""
    require_owner(by, subscription.owner)
    # The owner before the subscription; `record_change` would otherwise take its lock second.
    lock_owner(subscription.owner)
    rows = WebhookSubscription.objects.select_for_update(of=("self",))
    found = rows.select_related("competition", "series", "ranking").filter(pk=subscription.pk).first()
    if found is None:
        raise conflict("webhook_ended", _("This webhook has ended meanwhile. Reload the page."))
    return found


def audit_data(subscription: WebhookSubscription) -> dict[str, object]:
    """Return a webhook's data as the audit log stores it."""
    return {
        "service": subscription.service,
        "host": subscription.host,
        "events": subscription.events,
        "audience": subscription.audience,
    }


def in_order(events: Sequence[str]) -> list[str]:
    """Return each event once, in the order of the list of events."""
    return [name for name in CHOSEN if name in set(events)]


def refuse_disabled(subscription: WebhookSubscription) -> None:
    """Raise ConflictError if the webhook is disabled."""
    if subscription.disabled_at is not None:
        raise conflict("webhook_disabled", _("Nothing is sent to this address. Enable the webhook first."))


def checked_address(service: str, url: str, token: str) -> str:
    """Return the address as it is stored. Raise RuleViolationError if no message can be sent there."""
    if service == WebhookSubscription.Service.PROGRAM:
        refuse_bad_url(url)
        return url
    address = address_for(service, url, token)
    if len(address) > LONGEST_URL:
        raise bad_url(_("It is too long: at most %(most)s characters.") % {"most": LONGEST_URL})
    if service in HOSTS:
        refuse_bad_url(address)
    return address


def checked_language(service: str, language: str) -> str:
    """Return the language of the texts, empty for a program. Raise RuleViolationError for an unknown one."""
    if service == WebhookSubscription.Service.PROGRAM:
        return ""
    known = [code for code, _name in settings.LANGUAGES]
    language = language or settings.LANGUAGE_CODE
    if language not in known:
        text = _("There is no language “%(code)s”. Known: %(known)s.") % {"code": language, "known": ", ".join(known)}
        raise refuse("unknown_language", text, "/language")
    return language


def refuse_unknown_events(owner: Owner, events: Sequence[str], service: str) -> None:
    """Raise unless all events exist and can be subscribed to for this owner and kind of receiver."""
    kind = owner._meta.model_name or ""
    is_program = service == WebhookSubscription.Service.PROGRAM
    known = events_of_owner(kind) if is_program else events_for_people(kind)
    if not known:
        raise refuse("no_texts", _("Only competitions send texts to people; choose “a program”."), "/service")
    for name in events:
        if name not in known:
            raise refuse(
                "unknown_event",
                _("There is no event “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(known)},
                "/events",
            )


def refuse_bad_url(url: str) -> None:
    """Raise unless the URL is plain https to a host on the public internet.

    The host name is resolved each time a message is sent; here only the URL itself is checked.
    """
    parts = split_url(url)
    schemes = ("https", "http") if settings.WEBHOOK_ALLOW_PRIVATE else ("https",)
    if parts.scheme not in schemes or not parts.hostname:
        raise bad_url(_("Write a whole address that begins with https://."))
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise bad_url(_("Write the address without a name, a password or a “#”."))
    if settings.WEBHOOK_ALLOW_PRIVATE:
        return
    if not is_port_allowed(port_of(parts)):
        raise bad_url(_("The port must be 443 or 1024 and above."))
    if is_private_host(parts.hostname):
        raise bad_url(_("The address must lead to a host on the public internet."))


def split_url(url: str) -> SplitResult:
    """Return the parts of a URL that can be sent as it is; raise RuleViolationError otherwise."""
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise bad_url(
            _("Write it in ASCII without spaces, with at most %(most)s characters (xn--… for other names).")
            % {"most": LONGEST_URL}
        )
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it finds a port that is none
    except ValueError as wrong:
        raise bad_url(_("Write a whole address that begins with https://.")) from wrong
    return parts


def bad_url(advice: str) -> RuleViolationError:
    """Return the error for a URL to which nothing can be sent, with advice."""
    return refuse("bad_url", _("Messages cannot be sent to this address. %(advice)s") % {"advice": advice}, "/url")


def is_private_host(host: str) -> bool:
    """Return True if the host is an IP address outside the public internet, or a name of this machine or network."""
    try:
        return not is_public(ipaddress.ip_address(host))
    except ValueError:
        return host.rstrip(".").rpartition(".")[2].lower() in ("localhost", "local", "internal")
