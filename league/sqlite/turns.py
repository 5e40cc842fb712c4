"""Writers of one process take turns.

SQLite has one writer at a time. Whoever finds it busy asks again after a pause, after longer and longer ones, and who
happens to ask at the right moment is next: among many one may wait for seconds while others go twice. The threads of a
process stand in line here instead, and the next begins as soon as the one before is done. Other processes, such as a
command beside the service, are not in the line; for them SQLite's own way holds.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.sqlite3.base import DatabaseWrapper as Base
else:
    Base = object
PATIENCE = 10.0
"""So many seconds one stands in line; then one asks SQLite itself, which says what keeps it busy."""


class Line:
    """Who waits for their turn, first come, first served."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.waiting: deque[threading.Event] = deque()
        self.is_taken = False

    def take(self, seconds: float) -> bool:
        """Wait for the turn; False where it did not come in time."""
        mine = threading.Event()
        with self.guard:
            if not self.is_taken:
                self.is_taken = True
                return True
            self.waiting.append(mine)
        if mine.wait(seconds):
            return True
        with self.guard:
            if not mine.is_set():
                self.waiting.remove(mine)
            return mine.is_set()

    def give(self) -> None:
        """Let the next go."""
        with self.guard:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self.is_taken = False


LINES: defaultdict[Any, Line] = defaultdict(Line)
"""One for each database."""


class TakesTurns(Base):
    """A connection that waits for its turn before it begins a transaction, and gives it back behind it."""

    has_turn = False

    def _start_transaction_under_autocommit(self) -> None:
        self.has_turn = LINES[self.settings_dict["NAME"]].take(PATIENCE)
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_turn()

    def _give_turn(self) -> None:
        if self.has_turn:
            self.has_turn = False
            LINES[self.settings_dict["NAME"]].give()
