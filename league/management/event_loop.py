"""Event loop of the embedded server whose cost does not grow with the number of idle connections.

waitress's own loop asks every connection after every event whether it would read or write: with 300 idle ones a small
response cost four times as much, with 2,000 forty times. This one asks again only connections with a request or
response under way, or with an event. It asks all once a second, as maintenance may have closed some.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any

from waitress.channel import HTTPChannel
from waitress.wasyncore import dispatcher, read, write

ASK_ALL_SECONDS = 1.0


class Sockets(dict[int, Any]):  # waitress's type stubs say sockets, but the values are dispatchers
    """The sockets that waitress keeps by file descriptor, and the events each of them waits for."""

    def __init__(self) -> None:
        super().__init__()
        self.selector = DefaultSelector()
        self.wanted: dict[int, int] = {}
        """Events waited for, by descriptor."""
        self.unsettled: set[int] = set()
        """Descriptors of sockets to ask again before the next wait."""
        self.asked_all = time.monotonic()

    def __setitem__(self, number: int, found: dispatcher) -> None:
        super().__setitem__(number, found)
        self.unsettled.add(number)

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self.unsettled.discard(number)
        self._wait_for(number, 0)

    def step(self, seconds: float) -> None:
        """Wait for events, this long at most, and handle them."""
        now = time.monotonic()
        if now - self.asked_all >= ASK_ALL_SECONDS:
            self.unsettled |= self.keys()
            self.asked_all = now
        for number in tuple(self.unsettled):
            self._ask(number)
        ready = [(key.fd, self[key.fd], events) for key, events in self.selector.select(seconds) if key.fd in self]
        found: dispatcher
        for number, found, events in ready:
            for event, handle in ((EVENT_READ, read), (EVENT_WRITE, write)):
                # One event may close another socket, whose number a new one may get.
                if events & event and found is self.get(number):
                    self.unsettled.add(number)
                    handle(found)

    def _ask(self, number: int) -> None:
        """Wait for the events that a socket wants now, and settle a connection that only waits for a request.

        Only this thread gives a connection a request, and while it has one it does not want to read. So nothing but an
        event, or a close that this thread decides, changes a settled one.
        """
        found: dispatcher | None = self.get(number)
        if found is None:
            return
        wanted = EVENT_READ if found.readable() else 0
        # Listening sockets have nothing to write.
        wanted |= EVENT_WRITE if found.writable() and not found.accepting else 0
        if self.get(number) is found:  # a client that takes nothing is closed when asked
            self._wait_for(number, wanted)
            if wanted == EVENT_READ and isinstance(found, HTTPChannel):
                self.unsettled.discard(number)

    def _wait_for(self, number: int, wanted: int) -> None:
        """Wait for these events of a socket from now on."""
        before = self.wanted.pop(number, 0)
        if wanted:
            self.wanted[number] = wanted
        if wanted and not before:
            self.selector.register(number, wanted)
        elif wanted and wanted != before:
            self.selector.modify(number, wanted)
        elif before and not wanted:
            self.selector.unregister(number)


def loop(
    timeout: float = 30.0,
    use_poll: bool = False,  # noqa: FBT001, FBT002 - waitress calls it so
    map: Mapping[int, Any] | None = None,  # noqa: A002 - waitress names it so
    count: int | None = None,
) -> None:
    """Handle events until no socket is left; stands in for `waitress.wasyncore.loop`. The map must be `Sockets`."""
    assert isinstance(map, Sockets)  # noqa: S101 - as `serve` starts it
    while map:
        map.step(timeout)
