"""The document of a live table as the public may read it, for the stream.

It is read through the REST view itself, as by a client without a token or a session: embargo, delay and ETag of the
stream are those of polling, and both share one response cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING

from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.db import close_old_connections
from django.urls import reverse
from django.utils import translation

from league.api.live.current_views import LiveTableView, LiveView

if TYPE_CHECKING:
    from django.http import HttpResponseBase

# Readings are not counted against a rate limit: one of them serves all clients.
VIEWS = {
    "hanchan": ("api:live", LiveView.as_view(throttle_classes=[])),
    "table-sessions": ("api:live-table", LiveTableView.as_view(throttle_classes=[])),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A document that clients follow: its kind is a key of `VIEWS`. The host is the one that the clients named."""

    kind: str
    pk: int
    language: str
    host: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The status of a reading: 200 with ETag and JSON, 304, or an error."""

    status: int
    tag: str = ""
    body: bytes = b""


def read(source: Source, tag: str) -> Reading:
    """Return the document, or 304 if the ETag is still its own. Runs in a thread, whose connection it keeps."""
    close_old_connections()
    name, view = VIEWS[source.kind]
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": reverse(name, args=[source.pk]),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "HTTP_HOST": source.host,
        "HTTP_IF_NONE_MATCH": tag,
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
    }
    with translation.override(source.language):
        try:
            response: HttpResponseBase = view(WSGIRequest(environ), pk=source.pk)
        except DisallowedHost:
            return Reading(HTTPStatus.NOT_FOUND)
        if response.status_code != HTTPStatus.OK:
            return Reading(response.status_code)
        if not getattr(response, "is_rendered", True):
            response.render()  # type: ignore[attr-defined]  # a response of Django REST framework
        return Reading(response.status_code, response.headers["ETag"], response.content)  # type: ignore[attr-defined]
