"""Notice that the SQLite database is damaged while the service runs, so that readiness fails until a restore.

SQLite reports a damaged page only to the query that reads it. The first report is remembered in the process: later
queries may succeed, but the service must not be taken for a healthy one. PostgreSQL reports damage to its own log.
"""

from __future__ import annotations

import logging
import sqlite3

DAMAGED = ("database disk image is malformed", "file is not a database")
"""The messages of SQLITE_CORRUPT and SQLITE_NOTADB."""

logger = logging.getLogger(__name__)
_seen: list[str] = []


def note_damage(fault: sqlite3.DatabaseError) -> None:
    """Remember a damaged database and tell the operator once what to do; do nothing about any other fault."""
    said = str(fault)
    if not said.startswith(DAMAGED) or _seen:
        return
    _seen.append(said)
    logger.critical(
        "the database is damaged (%s): stop the service and restore the last backup, see docs/backup.md", said
    )


def damage() -> str:
    """Return what SQLite reported about a damaged database, or nothing."""
    return _seen[0] if _seen else ""
