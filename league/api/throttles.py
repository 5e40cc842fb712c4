"""How often somebody may ask: a count per minute in the cache, nothing else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.platform.throttling import WINDOW, address_of, counted, uncount

if TYPE_CHECKING:  # Django REST framework reads this module while it loads its own views
    from rest_framework.views import APIView


class MinuteThrottle(BaseThrottle):
    """So many requests a minute for each user, or for each address where nobody is logged in."""

    scope = "read"
    counted_for: str | None = None
    """Whose share this request was counted against, once it was."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count this request; False once the minute's share is used up."""
        if not self.counts(request):
            return True
        self.counted_for = self.whose(request)
        return counted(self.scope, self.counted_for)

    def forgive(self) -> None:
        """Take this request back: it cost next to nothing."""
        if self.counted_for is not None:
            uncount(self.scope, self.counted_for)

    def counts(self, request: Request) -> bool:
        """Whether this throttle counts such a request at all."""
        return True

    def whose(self, request: Request) -> str:
        """Whose share it is."""
        return f"user:{request.user.pk}" if request.user.is_authenticated else address_of(cast("HttpRequest", request))

    def wait(self) -> float:
        """Seconds until the next minute's share."""
        return WINDOW - time.time() % WINDOW + 1


class ReadThrottle(MinuteThrottle):
    """All requests."""

    scope = "read"


class WriteThrottle(MinuteThrottle):
    """Requests that change something."""

    scope = "write"

    def counts(self, request: Request) -> bool:
        """Reading is counted elsewhere."""
        return request.method not in ("GET", "HEAD", "OPTIONS")


class LoginThrottle(MinuteThrottle):
    """Attempts to log in, per address whoever is named."""

    scope = "login"

    def whose(self, request: Request) -> str:
        """The address alone."""
        return address_of(cast("HttpRequest", request))
