"""A message that a webhook is to send, before it is addressed to one."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.encoding import force_bytes

from league.models import WebhookSubscription
from league.platform.site_url import absolute_url

ID_LENGTH = 40


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """One message to send. `key` identifies its content: equal keys are the same message."""

    event: str
    key: str
    at: dt.datetime
    version: int
    url: str
    change_n: int | None = None
    more: Mapping[str, object] = field(default_factory=dict)


def address(name: str, *args: object) -> str:
    """Return an absolute URL of the REST API."""
    return absolute_url(name, *args)


def message_id(subscription: WebhookSubscription, event: str, key: str) -> str:
    """Return the id of a message: the same each time it is built, different in every installation.

    Its digest is keyed with the installation's secret: a receiver that tried every key could else read the number of
    the change, and from it how many changes are held back.
    """
    told = "|".join((settings.BASE_URL, str(subscription.pk), event, key))
    return f"msg_{hmac.digest(force_bytes(settings.SECRET_KEY), told.encode(), hashlib.sha256).hex()[:ID_LENGTH]}"
