"""How a process of gunicorn takes connections where several serve one port.

A connection that is kept stays with the process that accepted it, and of processes that do nothing the same one mostly
wakes first: it would answer nearly everybody, one thread at a time, while the other sleeps.
"""

import time
from socket import socket

from gunicorn.workers.gthread import ThreadWorker

WAIT_SECONDS, MOST_WAIT_SECONDS = 0.0002, 0.002
"""For each connection it has, a process lets the others go first so long, and never longer than so long."""


class EvenWorker(ThreadWorker):
    """A worker with threads that accepts a connection the later, the more it has already."""

    def accept(self, listener: socket) -> None:
        """Let whoever has fewer connections accept this one; it is gone then, which is no error."""
        time.sleep(min(self.nr_conns * WAIT_SECONDS, MOST_WAIT_SECONDS))
        super().accept(listener)
