"""Rate limits of the API: a counter per minute in the cache."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.models import TableLink
from league.platform.throttling import WINDOW, address_of, count_request, uncount_request

if TYPE_CHECKING:  # Django REST framework reads this module while it loads its own views
    from rest_framework.views import APIView


class MinuteThrottle(BaseThrottle):
    """Limits the requests per minute of each user, or of each IP address without a login."""

    scope = "read"
    counted_for: str | None = None
    """The user or address that this request was counted for; None before that."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count this request, and return False once the limit of the minute is exceeded."""
        if not self.counts(request):
            return True
        self.counted_for = self.client_identity(request)
        return count_request(self.scope, self.counted_for)

    def forgive(self) -> None:
        """Take back the count of this request, for responses that cost next to nothing."""
        if self.counted_for is not None:
            uncount_request(self.scope, self.counted_for)

    def counts(self, request: Request) -> bool:
        """Return True if this throttle counts such a request."""
        return True

    def client_identity(self, request: Request) -> str:
        """Return the cache identity of the client: its user id, the id of its link to a table, or its IP address."""
        # Devices in a hall share an address: their tables must not use up each other's limit.
        if isinstance(request.auth, TableLink):
            return f"link:{request.auth.pk}"
        return f"user:{request.user.pk}" if request.user.is_authenticated else client_address(request)

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return WINDOW - time.time() % WINDOW + 1


def client_address(request: Request) -> str:
    """Return the client's IP address as the key of a counter."""
    return address_of(cast("HttpRequest", request))  # the stubs do not say that it has Django's attributes


class ReadThrottle(MinuteThrottle):
    """Limits all requests."""


class WriteThrottle(MinuteThrottle):
    """Limits requests that change data."""

    scope = "write"

    def counts(self, request: Request) -> bool:
        """Return True except for safe methods, which `ReadThrottle` counts."""
        return request.method not in ("GET", "HEAD", "OPTIONS")


class LoginThrottle(MinuteThrottle):
    """Limits login attempts by IP address, regardless of the user name."""

    scope = "login"

    def client_identity(self, request: Request) -> str:
        """Return the IP address, also of a logged-in user."""
        # The user name must not matter: an attacker could otherwise try many accounts from one address.
        return client_address(request)
