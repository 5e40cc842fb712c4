"""Response cache: rendered bodies stored under their ETags; the only cache of responses in the service.

Pages and documents are rendered from prepared data in a few milliseconds; the cache saves even those when many clients
request the same. An entry is never invalidated: everything the body depends on is part of the ETag, so another body
has another key. Entries are stored compressed, the form nearly every client accepts.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition

SHARED = "public, max-age=5, stale-while-revalidate=30"
"""Cache-Control of public responses: caches may serve them for 5 s, and stale ones for 30 s while they revalidate."""
SHARED_BRIEFLY = "public, max-age=1"
"""Cache-Control of public responses that open pages poll: the version and live tables."""
PRIVATE = "private, no-cache"
"""Cache-Control of responses for one user: browsers keep them but must revalidate every time."""
CACHED_SECONDS = 300
"""Lifetime of a cached body; an outdated one is no longer looked up, so this limits memory only."""
COMPRESSION = 3
"""The gzip level: 5 would take a little less than twice as long, for pages a tenth smaller."""
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))")
TURNS = tuple(Lock() for _ in range(64))
"""Locks shared by all keys (lock striping): at most one thread of the process renders an entry."""

ATTEMPTS = 3
"""Renderings to try while the ETag keeps changing; after that the response is sent uncached."""

Render = Callable[[], HttpResponse]
Read = Callable[[], tuple[str, Render]]
"""A function that returns the strong, quoted ETag of the current data and a function that renders it."""
Entry = tuple[str, bytes]
"""A cached body: the content type and the gzip-compressed content."""


@condition(etag_func=lambda _request, etag, _render: etag)
def unless_known(_request: HttpRequest, _etag: str, render: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return what `render` returns, with the ETag; or 304 if the client has it, 412 if the client requires another."""
    return render()


unless_known_packed = gzip_page(unless_known)
"""`unless_known`, compressed with random padding for clients that accept it."""


class ChangedError(Exception):
    """Raised when the ETag changed during rendering, so that the body may belong to either ETag."""


def cached_response(request: HttpRequest, read: Read, *, is_shared: bool, shared_as: str = SHARED) -> HttpResponseBase:
    """Return the response described by `read`: 304, the cached body, or one rendered now and cached.

    The ETag names everything the body depends on besides the path; `render` returns a 200 without cookies. If the ETag
    changes while the body is rendered, both are computed again: one ETag never names two bodies. A shared response may
    be stored by caches between server and client, as its Cache-Control `shared_as` allows; a private one is compressed
    for each request separately, with random padding, so that its length reveals nothing about secrets in it.
    """
    for _attempt in range(ATTEMPTS):
        etag, render = read()
        try:
            response = _respond(request, etag, lambda: read()[0], render, is_shared=is_shared)
        except ChangedError:
            continue
        response["Cache-Control"] = shared_as if is_shared else PRIVATE
        patch_vary_headers(response, ["Accept-Encoding", "Accept-Language", "Cookie"])
        return response
    # Results arrive faster than the page renders: send the body without an ETag rather than fail.
    response = read()[1]()
    response["Cache-Control"] = "no-store"
    return response


def _respond(
    request: HttpRequest, etag: str, etag_now: Callable[[], str], render: Render, *, is_shared: bool
) -> HttpResponseBase:
    def answer() -> HttpResponse:
        content_type, packed = _entry(f"{request.get_host()}{request.path}", etag, etag_now, render)
        if is_shared and ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            headers = {"Content-Encoding": "gzip", "ETag": f"W/{etag}"}  # weak: unpacked it is other bytes
            return HttpResponse(packed, content_type=content_type, headers=headers)
        return HttpResponse(gzip.decompress(packed), content_type=content_type)

    # `gzip_page` adds random padding against BREACH; the stored bytes have none, so only shared responses use them.
    response: HttpResponseBase = (unless_known if is_shared else unless_known_packed)(request, etag, answer)
    return response


def _entry(address: str, etag: str, etag_now: Callable[[], str], render: Render) -> Entry:
    """Return the cached entry, rendering it if missing; threads that want the same entry wait for the first one.

    The address is host and path: without BASE_URL a page names the host by which its reader reached the service.
    """
    key = f"rendered:{hashlib.sha256(f'{etag} {address}'.encode()).hexdigest()}"
    found: Entry | None = cache.get(key)
    if found is not None:
        return found
    with TURNS[hash(key) % len(TURNS)]:
        found = cache.get(key)
        if found is None:
            response = render()
            found = response["Content-Type"], gzip.compress(response.content, COMPRESSION, mtime=0)
            # The data changed while the body was rendered: which version it shows is unknown, so it must not be cached.
            if etag_now() != etag:
                raise ChangedError
            cache.set(key, found, CACHED_SECONDS)
    return found


def conditional_response(
    request: HttpRequest, etag: str, render: Callable[[], HttpResponseBase], *, is_shared: bool
) -> HttpResponseBase:
    """Return any other kind of response, such as a download or a refusal: 304, or rendered now without caching."""
    response: HttpResponseBase = unless_known_packed(request, etag, render)
    if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        response["Cache-Control"] = SHARED if is_shared else PRIVATE
    else:
        # A refusal or an error must not be stored under the URL of the document.
        response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
