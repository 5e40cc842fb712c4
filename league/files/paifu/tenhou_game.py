"""Facts about a game of Tenhou: its id, which holds the hour, and its rules, which are bits of a number."""

from __future__ import annotations

import datetime as dt
import re

GAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-[0-9a-f]{4,6}-[0-9a-fx]{8,40}", re.ASCII)
"""The id of a game: year, month, day and hour in Japan, kind of game, lobby, and a number."""
JAPAN = dt.timezone(dt.timedelta(hours=9))
NO_RED, NO_OPEN_TANYAO, SOUTH_TOO, THREE = 0x02, 0x04, 0x08, 0x10


def game_of(name: str) -> tuple[str, dt.datetime | None]:
    """Return the id of the game in a text such as a file's name, and the hour it began; empty and None without."""
    found = GAME.search(name)
    if found is None:
        return "", None
    year, month, day, hour = map(int, found.groups())
    try:
        return found.group(), dt.datetime(year, month, day, hour, tzinfo=JAPAN)
    except ValueError:
        return found.group(), None


def rules_of(kind: int) -> dict[str, str]:
    """Return the rules that the bits of a game's kind say."""
    reds = 0 if kind & NO_RED else 2 if kind & THREE else 3
    return {
        "length": "ES" if kind & SOUTH_TOO else "E",
        "red": str(reds),
        "open_tanyao": "no" if kind & NO_OPEN_TANYAO else "yes",
    }
