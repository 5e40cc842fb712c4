"""Connections of the embedded server: deadlines for slow clients, and room for new ones.

waitress closes a connection on which nothing arrives for a while, and stops accepting at its limit of connections.
A client that sends a byte now and then would keep its connection for ever, and a few thousand silent ones would
keep all others out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

BYTES_PER_SECOND = 1000
"""Slowest rate at which a request may arrive, far below that of a phone at the edge of its network."""


class Connection(HTTPChannel):
    """A client's connection whose incomplete requests count as idle unless they arrive at a tolerable rate."""

    most: ClassVar[int]
    """Connections of the server; waitress stops accepting at a few more."""

    began = 0.0
    """When the first byte of the incomplete request arrived."""
    arrived = 0
    """Bytes received since then."""

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
        return answer


def close_longest_idle(channels: Iterable[HTTPChannel]) -> None:
    """Close the connection that has been idle for longest; those whose requests are being answered stay open."""
    idle = [each for each in channels if not (each.requests or each.will_close)]
    if idle:
        min(idle, key=lambda each: each.last_activity).will_close = True
