"""Signatures according to Standard Webhooks, with keys that are derived from the secret key and never stored.

A subscription's key number n is derived from the installation's secret. After a rotation messages carry one
signature by the new key and one by the key before, so that a receiver can switch at any time; rotating twice ends
the old key. Secrets in SECRET_KEY_FALLBACKS sign as well while they are set.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.conf import settings
from django.utils.encoding import force_bytes

from league.models import WebhookSubscription

PREFIX = "whsec_"
VERSION = "v1"
PURPOSE = "jantaku.webhook"


def signing_key(subscription: WebhookSubscription) -> str:
    """Return the subscription's present key in text form, as it is shown to its owner once."""
    return PREFIX + base64.b64encode(derived_key(settings.SECRET_KEY, subscription, subscription.key_number)).decode()


def derived_key(secret: str | bytes, subscription: WebhookSubscription, number: int) -> bytes:
    """Return key `number` of a subscription, derived from one of the installation's secrets."""
    told = f"{PURPOSE}:{subscription.pk}:{number}"
    return hmac.digest(force_bytes(secret), told.encode(), hashlib.sha256)


def keys_of(subscription: WebhookSubscription) -> list[bytes]:
    """Return all keys that sign now, the newest first."""
    newest = subscription.key_number
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        derived_key(secret, subscription, number)
        for number in range(newest, max(newest - 2, 0), -1)
        for secret in secrets
    ]


def signature(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of one message by one key."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return f"{VERSION},{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def signed_headers(subscription: WebhookSubscription, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers by which a receiver verifies a message."""
    made = [signature(key, message_id, timestamp, body) for key in keys_of(subscription)]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(made),
    }
