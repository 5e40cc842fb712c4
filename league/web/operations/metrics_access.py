"""The clients that may read metrics, of the web service and of the stream."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from league.platform.network import client_address


def may_read_metrics(request: HttpRequest) -> bool:
    """Return True if the request carries the token or comes from an allowed address."""
    environment = settings.ENVIRONMENT
    scheme, _space, given = request.headers.get("Authorization", "").partition(" ")
    if environment.metrics_token and scheme.lower() == "bearer":
        # In constant time, so that response times do not reveal the token character by character.
        return compare_digest(given.strip().encode(), environment.metrics_token.encode())
    try:
        address = ip_address(client_address(request))
    except ValueError:
        return False
    return any(address in network for network in environment.metrics_addresses)
