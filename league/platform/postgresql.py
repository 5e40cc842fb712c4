"""Connections to PostgreSQL: a deadline for each statement, a check without a round trip, cursors that prepare.

A server that hangs keeps its connections open and sends nothing, so neither `statement_timeout`, which the server
enforces, nor TCP timeouts end the wait. Web processes set the deadline (`processes.settle`); commands and workers,
whose statements may take minutes, have none.
"""

from __future__ import annotations

import select
from typing import Any, ClassVar, Self, TypeVar

from psycopg import Connection, Cursor, OperationalError
from psycopg.abc import Params, PQGen
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus

RV = TypeVar("RV")
INTERVAL = 0.1
"""Seconds between two checks for an interrupt while waiting for the server."""


class PreparingCursor(Cursor[object]):
    """A psycopg cursor whose statements the server prepares once they have run `prepare_threshold` times.

    Django's cursors write the parameters into the statement, so theirs are parsed and planned each time.
    """

    def execute(self, query: Any, params: Params | None = None, **options: bool | None) -> Self:
        """Execute a statement; if a column's type has changed since it was prepared, prepare it again."""
        try:
            return super().execute(query, params, **options)
        except FeatureNotSupported:  # "cached plan must not change result type"
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                raise
            self.connection.execute("DEALLOCATE ALL")
            return super().execute(query, params, **options)


class DeadlineConnection(Connection[object]):
    """A psycopg connection that is closed when a statement takes longer than `seconds`; None means no deadline."""

    seconds: ClassVar[float | None] = None

    def preparing_cursor(self) -> PreparingCursor:
        """Return a cursor for statements that recur."""
        return PreparingCursor(self)

    def execute(self, query: Any, params: Params | None = None, **options: Any) -> Cursor[object]:
        """Execute a statement; an empty one, the pool's check before each use, only if the server has sent something.

        A server that ends a connection says so on its socket, so a silent connection needs no round trip, which took
        a quarter of the time of an unchanged response.
        """
        if query == "" and not self._has_input():
            return self.cursor()
        return super().execute(query, params, **options)

    def _has_input(self) -> bool:
        """Return True if the socket has bytes to read, has been closed by the server or has failed."""
        sockets = select.poll()
        sockets.register(self.fileno(), select.POLLIN)
        return bool(sockets.poll(0))

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
