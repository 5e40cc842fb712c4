"""How often pages that take a secret may be asked: a count per minute and address, shared with the REST interface."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from league.network import client_address

WINDOW = 60
GONE = 410

View = Callable[..., HttpResponseBase]


def counted(scope: str, whose: str) -> bool:
    """Count one more; False once the minute's share is used up."""
    key = key_of(scope, whose)
    try:
        count = cache.incr(key)
    except ValueError:  # the first of this minute
        count = 1 if cache.add(key, 1, timeout=2 * WINDOW) else _one_more(key)
    return bool(count <= settings.REQUESTS_PER_MINUTE[scope])


def _one_more(key: str) -> int:
    """The count after somebody else was the first; none where the cache is away or has dropped it since."""
    try:
        return cache.incr(key)
    except ValueError:
        return 0


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
    return f"address:{client_address(request)}"


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
