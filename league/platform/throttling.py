"""Rate limits: counts per minute and address, for pages with a secret in the URL and for the REST API.

Each process counts in a dictionary and adds to the shared cache a few requests at a time. One increment in Redis for
each request takes 0.28 ms of CPU, a quarter of an empty `GET /api/v1/` (1.08 ms); a few at a time take 0.09 ms each.
Django REST framework's `SimpleRateThrottle` takes 0.29 ms, loses counts of concurrent requests (it reads a list and
writes it back), and cannot take back a request that was answered with 304. django-ratelimit adds and increments in the
cache for each request too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponseBase

from league.platform.cache_backends import increment_counter
from league.platform.network import visitor_network
from league.platform.rendering import render

WINDOW = 60
"""Seconds of the window in which requests are counted."""
MOST_AT_A_TIME = 10
"""Upper bound of requests that one process counts before it updates the shared counter."""
MOST_REMEMBERED = 10_000
_counts: dict[str, tuple[int, int]] = {}
"""By key, the shared count as this process last saw it, and the requests it has counted but not yet reported."""
GONE = 410

View = Callable[..., HttpResponseBase]


def count_request(scope: str, whose: str) -> bool:
    """Count one request; return False once the limit of this minute is used up.

    A limit of hundreds is counted in steps: the process reports to the shared counter, and reads it, once per step.
    """
    limit: int = settings.REQUESTS_PER_MINUTE[scope]
    # At most one percent of the limit stays unreported in each process; small limits are counted one by one.
    step = min(MOST_AT_A_TIME, max(1, limit // 100))
    key = key_of(scope, whose)
    told, untold = _counts.get(key, (0, 0))
    untold += 1
    if untold >= step:
        # None (Redis is unavailable) counts as 0: requests are let through rather than refused.
        told, untold = increment_counter(key, 2 * WINDOW, untold) or 0, 0
    # Keys contain the minute, so old ones are never used again; clearing all loses less than a step for each client.
    if len(_counts) >= MOST_REMEMBERED:
        _counts.clear()
    _counts[key] = told, untold
    return told + untold <= limit


def uncount_request(scope: str, whose: str) -> None:
    """Take one counted request back, such as one answered with 304."""
    key = key_of(scope, whose)
    told, untold = _counts.get(key, (0, 0))
    _counts[key] = told, untold - 1


def key_of(scope: str, whose: str) -> str:
    """Return the cache key of the current minute's counter for a scope and a client."""
    return f"throttle:{scope}:{whose}:{int(time.time() // WINDOW)}"


def limit_failed_attempts(view: View) -> View:
    """Limit a page with a secret in its URL by failed attempts only.

    A 404 or 410 counts as an attempt; requests with a valid secret do not, so a hall full of players with valid links
    behind one address is never blocked.
    """

    @wraps(view)
    def page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        # Checked before the view: an address that has used up its failures is refused even with the right secret.
        if cache.get(key_of("secret", address_of(request)), 0) >= settings.REQUESTS_PER_MINUTE["secret"]:
            return render_too_many_requests(request)
        try:
            response = view(request, *args, **kwargs)
        except Http404:
            count_attempt(request)
            raise
        if response.status_code == GONE:
            count_attempt(request)
        return response

    return page


def render_too_many_requests(request: HttpRequest) -> HttpResponseBase:
    """Render the page of status 429, which asks the visitor to wait."""
    return render(request, "errors/429.html", status=429)


def address_of(request: HttpRequest) -> str:
    """Return the client key of a request: the visitor's network."""
    return f"address:{visitor_network(request)}"


def rate_limited(scope: str) -> Callable[[View], View]:
    """Return a decorator that limits a view to the requests per minute of a scope, by address."""

    def decorated(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            if count_attempt(request, scope):
                return view(request, *args, **kwargs)
            return render_too_many_requests(request)

        return page

    return decorated


def count_attempt(request: HttpRequest, scope: str = "secret") -> bool:
    """Count an attempt and return False once this address has used up its attempts of the minute."""
    return count_request(scope, address_of(request))
