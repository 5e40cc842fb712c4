"""The demonstration season, in the file format of competitions, with its dates moved so that the final is today.

Two games of the final have a hand-by-hand log.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from league.files.reading import CompetitionFile, read
from league.files.shape import FileDocument

FILE = Path(__file__).parent / "season.toml"
GAMES = Path(__file__).parent / "games.toml"


def demo_season(today: dt.date) -> CompetitionFile:
    """Return the season as a file, its dates moved so that the last table is played on `today`."""
    file = read(FILE.read_text(encoding="utf-8"), str(FILE))
    starts = [table.starts_at for table in file.document.tables if table.starts_at]
    return file.with_document(moved(file.document, today - max(starts).date()))


class DemoGame(TypedDict):
    """A game with a log: block, number in it, and the log's entries in their order."""

    block: str
    number: int
    entries: list[dict[str, object]]


def demo_games() -> Sequence[DemoGame]:
    """Return the games that have a log."""
    games: Sequence[DemoGame] = tomllib.loads(GAMES.read_text(encoding="utf-8"))["games"]
    return games


def moved(document: FileDocument, by: dt.timedelta) -> FileDocument:
    """Return the document with every date and time moved by `by`."""
    rules = [rules.model_copy(update={"since": rules.since and rules.since + by}) for rules in document.rules]
    tables = [
        table.model_copy(
            update={
                "starts_at": table.starts_at and table.starts_at + by,
                "public_at": table.public_at and table.public_at + by,
            }
        )
        for table in document.tables
    ]
    return document.model_copy(update={"rules": tuple(rules), "tables": tuple(tables)})
