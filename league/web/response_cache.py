"""The one cache of the service: rendered responses under their ETags.

Pages and documents are rendered from prepared data in a few milliseconds; the cache saves even those where many ask for
the same. An entry is never invalidated: whatever the body depends on is part of the ETag, so another body has another
key. Entries are stored compressed, the form nearly every client accepts.
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
PRIVATE = "private, no-cache"
CACHED_SECONDS = 300
COMPRESSION = 5
"""Of 9: more takes longer and saves little."""
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))")
TURNS = tuple(Lock() for _ in range(64))

ATTEMPTS = 3

Render = Callable[[], HttpResponse]
Read = Callable[[], tuple[str, Render]]
"""Read what the response depends on: its ETag, strong and quoted, and how to render it."""
Entry = tuple[str, bytes]
"""The content type, and the body compressed."""


class ChangedError(Exception):
    """The ETag changed while the response was rendered, so the body may belong to either."""


def cached_response(request: HttpRequest, read: Read, *, is_shared: bool) -> HttpResponseBase:
    """Return the response that `read` describes: 304, from the cache, or rendered now and cached.

    The ETag names everything the body depends on besides the path; `render` returns a 200 without cookies. If the ETag
    changes while the body is rendered, both are made again: one ETag never names two bodies. A shared response may be
    kept by caches on the way; a private one is compressed for each request separately, with random padding, so that its
    length tells nothing of secrets in it.
    """
    for _attempt in range(ATTEMPTS):
        etag, render = read()
        try:
            response = _respond(request, etag, lambda: read()[0], render, is_shared=is_shared)
        except ChangedError:
            continue
        response["Cache-Control"] = SHARED if is_shared else PRIVATE
        patch_vary_headers(response, ["Accept-Encoding", "Accept-Language", "Cookie"])
        return response
    response = read()[1]()
    response["Cache-Control"] = "no-store"
    return response


def _respond(
    request: HttpRequest, etag: str, etag_now: Callable[[], str], render: Render, *, is_shared: bool
) -> HttpResponseBase:
    @condition(etag_func=lambda _request: etag)
    def answer(_request: HttpRequest) -> HttpResponse:
        content_type, packed = _entry(request.path, etag, etag_now, render)
        if is_shared and ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            headers = {"Content-Encoding": "gzip", "ETag": f"W/{etag}"}  # weak: unpacked it is other bytes
            return HttpResponse(packed, content_type=content_type, headers=headers)
        return HttpResponse(gzip.decompress(packed), content_type=content_type)

    response: HttpResponseBase = (answer if is_shared else gzip_page(answer))(request)
    return response


def _entry(path: str, etag: str, etag_now: Callable[[], str], render: Render) -> Entry:
    """The cached entry. Threads that want the same one wait for the first instead of rendering it as well."""
    key = f"rendered:{hashlib.sha256(f'{etag} {path}'.encode()).hexdigest()}"
    found: Entry | None = cache.get(key)
    if found is not None:
        return found
    with TURNS[hash(key) % len(TURNS)]:
        found = cache.get(key)
        if found is None:
            response = render()
            found = response["Content-Type"], gzip.compress(response.content, COMPRESSION, mtime=0)
            if etag_now() != etag:
                raise ChangedError
            cache.set(key, found, CACHED_SECONDS)
    return found


def conditional_response(request: HttpRequest, etag: str, render: Render, *, is_shared: bool) -> HttpResponseBase:
    """Return any other kind of response, such as a download or a refusal: 304, or made now; nothing is cached here."""

    @gzip_page
    @condition(etag_func=lambda _request: etag)
    def answer(_request: HttpRequest) -> HttpResponse:
        return render()

    response: HttpResponseBase = answer(request)
    if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        response["Cache-Control"] = SHARED if is_shared else PRIVATE
    else:
        response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
