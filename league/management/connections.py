"""Connections of the embedded server: deadlines for slow clients, and room for new ones.

waitress closes a connection on which nothing arrives for a while, and stops accepting at its limit of connections.
A client that sends a byte now and then would keep its connection for ever, and a few thousand silent ones would
keep all others out. A client that takes no response would keep its connection too, because waitress closes only when
there is room to send, and its thread with more than 16 MB to send: one large response, or hundreds of requests at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

BYTES_PER_SECOND = 1000
"""Slowest rate at which a request may arrive, far below that of a phone at the edge of its network."""

MOST_QUEUED = 16
"""Requests of one connection that may wait; browsers send one at a time. Their responses fit into waitress's buffer."""


class Connection(HTTPChannel):
    """A client's connection that counts as idle while a request arrives too slowly or no response is taken."""

    most: ClassVar[int]
    """Connections of the server; waitress stops accepting at a few more."""

    began = 0.0
    """When the first byte of the incomplete request arrived."""
    arrived = 0
    """Bytes received since then."""
    sending_since = 0.0
    """When bytes were first seen waiting to be sent; zero if none wait."""

    def add_channel(self, map: Mapping[int, Any] | None = None) -> None:  # noqa: A002 - waitress names it so
        """Register the new connection; close an idle one if there are too many."""
        channels: dict[int, HTTPChannel] = vars(self.server)["active_channels"]
        if len(channels) >= self.most:
            close_longest_idle(channels.values())
        super().add_channel(map)

    def received(self, data: bytes) -> bool:
        """Receive a part of a request; date an incomplete one from its first byte, later by what has arrived of it."""
        before: HTTPRequestParser | None = self.request
        answer: bool = super().received(data)
        if self.request is not None:
            if self.request is not before:
                self.began, self.arrived = self.last_activity, 0
            self.arrived += len(data)
            self.last_activity = min(self.last_activity, self.began + self.arrived / BYTES_PER_SECOND)
        if len(self.requests) > MOST_QUEUED:
            self.will_close = True
        return answer

    def writable(self) -> bool:
        """Return True if there is something to send; close the connection of a client that takes nothing for long."""
        if not self.total_outbufs_len:
            self.sending_since = 0.0
        elif not self.sending_since:
            # A request may have taken longer than the limit, so that the last activity was long ago.
            self.sending_since = time.time()
        elif max(self.sending_since, self.last_activity) < time.time() - self.adj.channel_timeout:
            self.handle_close()
            return False
        return bool(super().writable())


def close_longest_idle(channels: Iterable[HTTPChannel]) -> None:
    """Close the connection that has been idle for longest; those whose requests are being answered stay open."""
    idle = [each for each in channels if not (each.requests or each.will_close)]
    if idle:
        min(idle, key=lambda each: each.last_activity).handle_close()
