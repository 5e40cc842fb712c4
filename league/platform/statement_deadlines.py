"""A client-side deadline for each statement on PostgreSQL.

A server that hangs keeps its connections open and sends nothing, so neither `statement_timeout`, which the server
enforces, nor TCP timeouts end the wait. Web processes set the deadline (`process.settle`); commands and workers, whose
statements may take minutes, have none.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen

RV = TypeVar("RV")
INTERVAL = 0.1
"""Seconds between two checks for an interrupt while waiting for the server."""


class DeadlineConnection(Connection[object]):
    """A psycopg connection that is closed when a statement takes longer than `seconds`; None means no deadline."""

    seconds: ClassVar[float | None] = None

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL, timeout: float | None = None) -> RV:
        """Wait for a statement.

        Raise psycopg.OperationalError after the deadline, answered with 503 by `league.platform.outages`.
        """
        if timeout is not None or self.seconds is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.seconds)
        except OperationalError:
            # The statement may still be running: a rollback on this connection would wait just as long.
            self.pgconn.finish()
            raise


class ReplicaConnection(DeadlineConnection):
    """A connection to a replica: a slow one is left out soon, as the primary can answer instead."""

    seconds: ClassVar[float | None] = 3
