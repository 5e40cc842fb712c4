"""Send texts to people: to a Discord, Slack or LINE address, or by mail.

The three services take one HTTPS request each, which goes through the same guarded sender as all webhooks
(`league.services.webhooks.http`). The library for such services (apprise, with ten packages behind it) opens its own
connections, without one deadline over all steps, and tells failures apart only in its log; organizers are to see why a
message did not arrive.

Addresses: Discord's and Slack's are webhook URLs made in those services. LINE's is made here from the channel access
token and the id of a group, a room or a user, so that one column holds every kind; a mail address becomes `mailto:`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from smtplib import SMTPException
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from league.models import WebhookDelivery, WebhookSubscription
from league.models.webhooks import MAIL, DeliveryFault
from league.platform.errors import refuse
from league.services.webhooks.http import Sender, SendingError, WebhookResponse

Service = WebhookSubscription.Service
HOSTS: Mapping[str, tuple[str, ...]] = {
    Service.DISCORD: ("discord.com", "discordapp.com"),
    Service.SLACK: ("hooks.slack.com",),
}
LINE_PUSH = "https://api.line.me/v2/bot/message/push"
LONGEST_TEXT: Mapping[str, int] = {Service.DISCORD: 2000, Service.SLACK: 4000, Service.LINE: 5000, Service.MAIL: 20000}
"""Characters that a service takes in one message; Discord's and LINE's limits, and what Slack recommends."""
ACCEPTED = 202
ALREADY_ACCEPTED = 409


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """One HTTPS request to a chat service."""

    url: str
    body: bytes
    headers: Mapping[str, str]


def address_for(service: str, address: str, token: str) -> str:
    """Return the stored address of a receiver of texts. Raise RuleViolationError if it is none of that service.

    `token` is LINE's channel access token, empty for the others.
    """
    address, token = address.strip(), token.strip()
    if service == Service.MAIL:
        return mail_address(address)
    if service == Service.LINE:
        if not token:
            raise refuse(
                "token_missing", _("Type the channel access token from the LINE Developers console."), "/token"
            )
        if not (address.isascii() and address.isalnum() and token.isascii() and token.isprintable()):
            advice = _("Type the id of a group, a room or a user, such as C0123456789abcdef0123456789abcdef.")
            raise refuse("bad_url", advice, "/url")
        parts = urlsplit(LINE_PUSH)
        return urlunsplit(
            parts._replace(netloc=f"{quote(token, safe='')}@{parts.netloc}", query=urlencode({"to": address}))
        )
    hosts = HOSTS[service]
    if not settings.WEBHOOK_ALLOW_PRIVATE and urlsplit(address).hostname not in hosts:
        raise refuse(
            "bad_url",
            _("Copy the webhook's address from %(service)s; it begins with https://%(host)s/.")
            % {"service": Service(service).label, "host": hosts[0]},
            "/url",
        )
    return address


def mail_address(address: str) -> str:
    """Return a mail address as it is stored. Raise RuleViolationError if it is none, or if no letters are sent."""
    if not settings.SENDS_LETTERS:
        raise refuse(
            "no_mail_server", _("This service has no mail server; its operator can set one (EMAIL_URL)."), "/service"
        )
    try:
        validate_email(address)
    except ValidationError as wrong:
        raise refuse("bad_url", _("Type one mail address, such as that of a mailing list."), "/url") from wrong
    return f"{MAIL}{address}"


def send_text(delivery: WebhookDelivery, sender: Sender) -> WebhookResponse:
    """Send a text to its receiver and return the response. Raise SendingError if there is none.

    A mail counts as accepted once the mail server has it.
    """
    subscription = delivery.subscription
    text = fit(str(json.loads(delivery.body)["text"]), LONGEST_TEXT[subscription.service])
    if subscription.service == Service.MAIL:
        return send_mail(subscription.typed_address, text)
    request = service_request(subscription, text, delivery.message_id)
    answer = sender.post(request.url, request.body, request.headers)
    # LINE's answer to a retry key it knows: the text arrived at an earlier attempt, whose response was lost.
    has_it = subscription.service == Service.LINE and answer.status == ALREADY_ACCEPTED
    return WebhookResponse(ACCEPTED, "") if has_it else answer


def service_request(subscription: WebhookSubscription, text: str, message_id: str) -> ServiceRequest:
    """Return the request that shows a text in a chat service; names in it mention and link to nothing."""
    url, more = subscription.url, {}
    if subscription.service == Service.DISCORD:
        told: Mapping[str, object] = {"content": text, "allowed_mentions": {"parse": []}}
    elif subscription.service == Service.SLACK:
        told = {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}
    else:
        parts = urlsplit(url)
        token, _at, netloc = parts.netloc.rpartition("@")
        told = {"to": subscription.typed_address, "messages": [{"type": "text", "text": text}]}
        url = urlunsplit(parts._replace(netloc=netloc, query=""))
        # LINE does not repeat a message under the same retry key, so that a lost response does no harm.
        more = {
            "Authorization": f"Bearer {unquote(token)}",
            "X-Line-Retry-Key": str(uuid.uuid5(uuid.NAMESPACE_OID, message_id)),
        }
    body = json.dumps(told, ensure_ascii=False).encode()
    return ServiceRequest(url, body, {"Content-Type": "application/json", "User-Agent": "Jantaku-Webhooks/1", **more})


def send_mail(address: str, text: str) -> WebhookResponse:
    """Send a text as a letter; its first line is the subject. Raise SendingError if the mail server refuses it."""
    subject, _newline, body = text.partition("\n")
    letter = EmailMessage(" ".join(subject.split()), body or subject, to=[parseaddr(address)[1]])
    try:
        letter.send()
    except (OSError, SMTPException, ValueError) as fault:
        # The server's text may hold the address of others; the number says enough.
        raise SendingError(
            DeliveryFault.MAIL_REFUSED, str(getattr(fault, "smtp_code", "") or type(fault).__name__)
        ) from fault
    return WebhookResponse(ACCEPTED, "")


def fit(text: str, most: int) -> str:
    """Return a text of at most `most` characters, cut after a line; its last line, the address, stays."""
    if len(text) <= most:
        return text
    *lines, last = text.split("\n")
    while lines and len("\n".join([*lines, "…", last])) > most:
        lines.pop()
    return "\n".join([*lines, "…", last])[:most]
