"""How often pages that take a secret may be asked: a count per minute and address, shared with the REST interface.

Counts are told to the shared cache a few at a time, from a dictionary of this process. One count in Redis for each
request takes 0.28 ms of CPU, a quarter of an empty `GET /api/v1/` (1.08 ms); a few at a time take 0.09 ms each. Django
REST framework's `SimpleRateThrottle` takes 0.29 ms, loses counts of requests that come at once (it reads a list and
writes it back), and cannot take a 304 back. django-ratelimit adds and increments in the cache for each request too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from league.platform.cache_backends import count
from league.platform.network import visitor_network

WINDOW = 60
MOST_AT_A_TIME = 10
MOST_REMEMBERED = 10_000
_counts: dict[str, tuple[int, int]] = {}
"""By key, how many were counted altogether when this process last asked, and how many it has not told since."""
GONE = 410

View = Callable[..., HttpResponseBase]


def counted(scope: str, whose: str) -> bool:
    """Count one more; False once the minute's share is used up.

    A share of hundreds is counted a few at a time: this process asks the others only when it has so many more.
    """
    limit: int = settings.REQUESTS_PER_MINUTE[scope]
    step = min(MOST_AT_A_TIME, max(1, limit // 100))
    key = key_of(scope, whose)
    told, untold = _counts.get(key, (0, 0))
    untold += 1
    if untold >= step:
        told, untold = count(key, 2 * WINDOW, untold) or 0, 0
    if len(_counts) >= MOST_REMEMBERED:
        _counts.clear()
    _counts[key] = told, untold
    return told + untold <= limit


def uncount(scope: str, whose: str) -> None:
    """Take one back that was counted."""
    key = key_of(scope, whose)
    told, untold = _counts.get(key, (0, 0))
    _counts[key] = told, untold - 1


def key_of(scope: str, whose: str) -> str:
    """Where the count of this minute is kept."""
    return f"throttle:{scope}:{whose}:{int(time.time() // WINDOW)}"


def guessed(view: View) -> View:
    """A page whose address is a secret: whoever missed too often waits, a hall full of people with theirs does not."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if cache.get(key_of("secret", address_of(request)), 0) >= settings.REQUESTS_PER_MINUTE["secret"]:
            return too_often(request)
        try:
            response = view(request, *args, **kwargs)
        except Http404:
            may_try(request)
            raise
        if response.status_code == GONE:
            may_try(request)
        return response

    return page


def too_often(request: HttpRequest) -> HttpResponseBase:
    """What somebody sees who must wait."""
    return render(request, "errors/429.html", status=429)


def address_of(request: HttpRequest) -> str:
    """Whose share it is."""
    return f"address:{visitor_network(request)}"


def limited(scope: str) -> Callable[[View], View]:
    """A page that one address may ask for so often a minute, and no oftener."""

    def decorated(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if may_try(request, scope):
                return view(request, *args, **kwargs)
            return too_often(request)

        return page

    return decorated


def may_try(request: HttpRequest, scope: str = "secret") -> bool:
    """Whether this address may try another secret this minute."""
    return counted(scope, address_of(request))
