"""Search of players by part of a name, or of its reading in kana or Latin letters, in any spelling.

The search text and the stored names are folded alike and compared as substrings. Full-width letters, katakana,
capitals, macrons, long vowels written out and spaces make no difference. Folding is done in Python, so that
SQLite and PostgreSQL find the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from league.models import Player
from league.selectors.access.readers import Reader, Visitor, visible_competitions
from league.selectors.competitions.batches import readers_of
from league.selectors.people.visibility import players_in
from rulesets.normalization import normalize

PAGE = 30
LONGEST = 100
_TO_HIRAGANA = {letter: letter - 0x60 for letter in range(0x30A1, 0x30F7)}
_ACCENTS = dict.fromkeys(range(0x0300, 0x0370))
_APART = re.compile(r"[\s'’・･=＝‐-―-]+")
_LONG = re.compile(r"(?<=o)[ou]|(?<=u)u")


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """One page of matches in the order of readings; `after` is the cursor of the next page, empty on the last."""

    players: tuple[Player, ...]
    after: str


@lru_cache(maxsize=50_000)
def folded(text: str) -> str:
    """Return the text with differences of spelling removed: Ōtowa, OTOWA and ｏｔｏｕｗａ fold to the same."""
    plain = normalize("NFKC", text).casefold().translate(_TO_HIRAGANA)
    # Kana voicing marks (U+3099) are outside `_ACCENTS` and recombine below: が must stay different from か.
    bare = normalize("NFKD", plain).translate(_ACCENTS)
    return _LONG.sub("", _APART.sub("", normalize("NFC", bare)))


def known_readers(visitor: Visitor | None) -> tuple[Reader, ...]:
    """Return readers for the competitions whose players the visitor may know by name.

    Open tables' guests are private.
    """
    readers = readers_of(visible_competitions(visitor).order_by("pk"), visitor).values()
    return tuple(reader for reader in readers if not reader.guards_guests)


def find_players(readers: Sequence[Reader], text: str, after: str = "") -> PlayerPage:
    """Return a page of teams, then people, whose name or reading contains each word, or of all without a word.

    The page begins behind the player with the key `after`.
    """
    words = words_of(text)
    people = players_in([reader.competition.pk for reader in readers]).filter(erased_at=None, merged_into=None)
    # Compared in Python: LIKE ignores case differently in SQLite and PostgreSQL, and neither folds kana.
    rows = [player for player in people.order_by("-is_team", "name_kana", "name", "pk") if holds(player, words)]
    keys = [player.key for player in rows]
    first = keys.index(after) + 1 if after in keys else 0
    page = rows[first : first + PAGE]
    return PlayerPage(tuple(page), page[-1].key if len(rows) > first + PAGE else "")


def words_of(text: str) -> list[str]:
    """Return the words of a search, folded."""
    return [folded(word) for word in normalize("NFKC", text[:LONGEST]).split()]


def holds(player: Player, words: Sequence[str]) -> bool:
    """Return True if each word occurs in the name or in one of its readings."""
    fields = [folded(field) for field in (player.name, player.name_kana, player.name_romaji, player.short_name)]
    return all(any(word in field for field in fields) for word in words)
