"""Server-sent events of live tables: an ASGI application beside the web processes.

An open connection costs no thread and nothing while nothing changes. Each document is read `EVERY` seconds for all of
its clients together, and sent to them when its ETag has changed. Only the public's document is sent, to clients of any
origin; tokens and sessions are not looked at. Without this process overlays poll the same document.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request
from prometheus_client import CONTENT_TYPE_LATEST

from league.api.live.stream_metrics import Refusal, exposition, may_read
from league.api.live.stream_source import Reading, Source, read
from league.web.middleware.language import with_english

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

ADDRESS = re.compile(r"/api/v1/(?P<kind>hanchan|table-sessions)/(?P<pk>[0-9]{1,18})/live/stream/?")
HEALTH, METRICS = "/health/live", "/metrics"
EVERY = 0.2
"""Seconds between two readings of a document."""
RETRY_SECONDS = 1.0
HEARTBEAT_SECONDS = 5.0
"""Seconds without an event after which a heartbeat is sent, by which a client knows that nothing has changed."""
SEND_SECONDS = 10.0
"""Seconds after which a client that reads nothing is disconnected."""
MOST_CLIENTS, MOST_CHANNELS = 5_000, 200
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"access-control-allow-origin", b"*"),
    (b"x-content-type-options", b"nosniff"),
]
HEARTBEAT = b"event: heartbeat\ndata: {}\n\n"
GONE = b"event: gone\ndata: {}\n\n"
READERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="stream")

logger = logging.getLogger(__name__)


class Channel:
    """A document with the clients that follow it."""

    def __init__(self, source: Source) -> None:
        self.source, self.clients = source, 0
        self.status, self.tag, self.event, self.read_at = 0, "", b"", 0.0
        self.loop = asyncio.get_running_loop()
        self.begun_at = self.loop.time()
        self.news = asyncio.Event()

    async def follow(self) -> None:
        """Read the document again and again; end once it is gone."""
        loop, has_failed = asyncio.get_running_loop(), False
        while self.status in (0, HTTPStatus.OK):
            try:
                self.take(await loop.run_in_executor(READERS, read, self.source, self.tag), loop.time())
                has_failed = False
            except Exception:
                # Clients get no heartbeat meanwhile, and poll; a later reading may succeed.
                if not has_failed:
                    logger.exception("the live document of %s cannot be read; tried again each second", self.source)
                has_failed = True
            await asyncio.sleep(RETRY_SECONDS if has_failed else EVERY)

    def take(self, found: Reading, now: float) -> None:
        """Take what was read, and wake the clients if it is new."""
        if found.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return
        self.read_at = now
        if found.status == HTTPStatus.NOT_MODIFIED:
            return
        self.status, self.tag = int(found.status), found.tag
        data = b"\ndata: ".join(found.body.splitlines())
        self.event = b"id: %s\nevent: live\ndata: %s\n\n" % (found.tag.encode(), data)
        news, self.news = self.news, asyncio.Event()
        news.set()

    def is_fresh(self, now: float) -> bool:
        """Return True if the document was read lately, so that a heartbeat is true."""
        return now - self.read_at < HEARTBEAT_SECONDS

    def reading_age(self, now: float) -> float:
        """Return the seconds since the document was read, or since the channel began to if it never was."""
        return now - max(self.read_at, self.begun_at)


class Stream:
    """The ASGI application, with the channels that have clients."""

    def __init__(self) -> None:
        self.channels: dict[Source, tuple[Channel, asyncio.Task[None]]] = {}
        self.clients = 0
        self.refused: Counter[Refusal] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: the health check, metrics, or a client that follows a document until it leaves."""
        if scope["type"] != "http":
            raise NotImplementedError(scope["type"])
        if scope["path"].rstrip("/") == HEALTH:
            await answer(send, HTTPStatus.OK, {"status": "live", "clients": self.clients})
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["path"].rstrip("/") == METRICS and may_read(scope, headers):
            await send_whole(send, HTTPStatus.OK, exposition(self), CONTENT_TYPE_LATEST)
            return
        found = ADDRESS.fullmatch(scope["path"])
        if found is None or scope["method"] != "GET":
            await answer(send, HTTPStatus.METHOD_NOT_ALLOWED if found else HTTPStatus.NOT_FOUND)
            return
        source = Source(found["kind"], int(found["pk"]), language_of(headers), headers.get("host", ""))
        is_full = self.clients >= MOST_CLIENTS or (source not in self.channels and len(self.channels) >= MOST_CHANNELS)
        if is_full:
            self.refused[Refusal.FULL] += 1
            await answer(send, HTTPStatus.SERVICE_UNAVAILABLE)
            return
        channel = self.enter(source)
        try:
            refusal = await serve(channel, headers.get("last-event-id", ""), receive, send)
        finally:
            self.leave(channel)
        if refusal:
            self.refused[refusal] += 1

    def reading_ages(self) -> list[float]:
        """Return for each document that is followed the seconds since it was last read; none for one that is gone."""
        followed = [channel for channel, _reading in self.channels.values() if channel.status in (0, HTTPStatus.OK)]
        return [channel.reading_age(channel.loop.time()) for channel in followed]

    def enter(self, source: Source) -> Channel:
        """Return the document's channel with one client more; the first one begins to read."""
        self.clients += 1
        if source not in self.channels:
            channel = Channel(source)
            self.channels[source] = channel, asyncio.create_task(channel.follow())
        channel, _reading = self.channels[source]
        channel.clients += 1
        return channel

    def leave(self, channel: Channel) -> None:
        """Count a client less; the last one ends the reading."""
        self.clients -= 1
        channel.clients -= 1
        if channel.clients == 0:
            _channel, reading = self.channels.pop(channel.source)
            reading.cancel()


async def serve(channel: Channel, known: str, receive: Receive, send: Send) -> Refusal | None:
    """Send the document and then each newer one, until the client leaves or the document is gone.

    A client that reconnects names the last ETag it got, and gets the document at once if that has changed. Return the
    reason if the client is turned away.
    """
    left = asyncio.ensure_future(disconnected(receive))
    try:
        if channel.status == 0:
            await until_news(channel.news, left)
        if channel.status != HTTPStatus.OK:
            await answer(send, HTTPStatus.NOT_FOUND if channel.status else HTTPStatus.SERVICE_UNAVAILABLE)
            return Refusal.NOT_FOUND if channel.status else Refusal.UNREAD
        await send_events(channel, known, left, send)
    except TimeoutError:
        return Refusal.SLOW
    else:
        return None
    finally:
        left.cancel()


async def send_events(channel: Channel, sent: str, left: asyncio.Future[None], send: Send) -> None:
    """Send the document unless its ETag is `sent`, and then each newer one. Raise TimeoutError for a slow client."""
    loop = asyncio.get_running_loop()
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    while not left.done():
        news = channel.news
        if channel.status != HTTPStatus.OK:
            await send_part(send, GONE)
            break
        if channel.tag != sent:
            sent = channel.tag
            await send_part(send, channel.event)
        elif channel.is_fresh(loop.time()):
            await send_part(send, HEARTBEAT)
        await until_news(news, left)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def until_news(news: asyncio.Event, left: asyncio.Future[None]) -> None:
    """Return when there are news, when the client has left, or when a heartbeat is due."""
    waiting = asyncio.ensure_future(news.wait())
    either: list[asyncio.Future[Any]] = [waiting, left]
    try:
        await asyncio.wait(either, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


async def disconnected(receive: Receive) -> None:
    """Return when the client has left."""
    with suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass


async def send_part(send: Send, body: bytes) -> None:
    """Send a part of the body. Raise TimeoutError if the client does not read."""
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def answer(send: Send, status: HTTPStatus, document: dict[str, object] | None = None) -> None:
    """Send a short JSON response."""
    body = json.dumps(document or {"status": int(status), "title": status.phrase}).encode()
    await send_whole(send, status, body, "application/json")


async def send_whole(send: Send, status: HTTPStatus, body: bytes, media_type: str) -> None:
    """Send a response with its whole body, never to be cached."""
    headers = [(b"content-type", media_type.encode()), (b"cache-control", b"no-store")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def language_of(headers: dict[str, str]) -> str:
    """Return the language of the response, chosen as in the REST API: the cookie, then Accept-Language, English."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = with_english(headers.get("accept-language", ""))
    chosen = dict(part.strip().partition("=")[::2] for part in headers.get("cookie", "").split(";"))
    request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: chosen.get(settings.LANGUAGE_COOKIE_NAME, "")}
    return get_language_from_request(request)
