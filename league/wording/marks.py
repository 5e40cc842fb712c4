"""Marks of players and leagues: a mahjong tile with one character and one of twelve colours, shown beside the name.

Readers of a list find a player by the mark before they read the name. Colour is never the only difference: the
character stands on the tile and the name beside it. Both are chosen by an organizer, or derived from name and key. The
colours themselves are in the stylesheet (classes c0 to c11).
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from django.utils.translation import gettext_lazy as _

COLOUR_NAMES = (
    _("indigo"),
    _("vermilion"),
    _("moss green"),
    _("gold brown"),
    _("purple"),
    _("teal"),
    _("crimson"),
    _("slate blue"),
    _("bellflower blue"),
    _("brick"),
    _("pine green"),
    _("peony"),
)
"""The names of the colours 0 to 11."""
COLOURS = len(COLOUR_NAMES)
"""The number of colours; more could not be told apart at 4.5 : 1 on paper and in the dark."""
LONGEST_GLYPH = 8
"""The most code points of a glyph: a character with its variation selector and combining marks."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without any ink: Hangul fillers and the empty Braille pattern."""


class Marked(Protocol):
    """A player or competition with its name and chosen mark; "" and None stand for a derived one."""

    name: str
    mark_glyph: str
    mark_colour: int | None


class MarkedPlayer(Marked, Protocol):
    """A player with the key that the colour is derived from."""

    pk: int
    key: str
    is_team: bool


class MarkedCompetition(Marked, Protocol):
    """A competition with the slug that the colour is derived from."""

    slug: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The character on the tile and the number of its colour, 0 to 11."""

    glyph: str
    colour: int
    is_filled: bool = False
    """True for a team's tile, which is filled with its colour."""


def mark_of(player: MarkedPlayer) -> Mark:
    """Return the mark of a player or team: as chosen, else the first character of the name and a colour by the key."""
    return _mark(player, player.key, is_filled=player.is_team)


def competition_mark(competition: MarkedCompetition) -> Mark:
    """Return the mark of a competition: as chosen, else the first character of the name and a colour by the slug."""
    return _mark(competition, competition.slug)


def colour_of(player: MarkedPlayer) -> int:
    """Return the number of a player's or team's colour: as chosen, else by the key."""
    return _colour(player, player.key)


def _mark(row: Marked, key: str, *, is_filled: bool = False) -> Mark:
    return Mark(row.mark_glyph or first_glyph(row.name), _colour(row, key), is_filled)


def _colour(row: Marked, key: str) -> int:
    return zlib.crc32(key.encode()) % COLOURS if row.mark_colour is None else row.mark_colour


def marks_of(players: Iterable[MarkedPlayer]) -> dict[int, Mark]:
    """Return the marks of the players at one table by primary key, in seating order, no colour twice.

    Chosen colours are given first; a colour already taken is replaced by the next free one. Beyond twelve players
    colours repeat.
    """
    own = {player.pk: player for player in players}
    marks: dict[int, Mark] = {}
    taken: set[int] = set()
    for player in sorted(own.values(), key=lambda each: each.mark_colour is None):
        mark = mark_of(player)
        steps = (mark.colour + step for step in range(COLOURS))
        colour = next((each % COLOURS for each in steps if each % COLOURS not in taken), mark.colour)
        taken.add(colour)
        marks[player.pk] = mark if colour == mark.colour else replace(mark, colour=colour)
    return {pk: marks[pk] for pk in own}


class SeatedTwice(Protocol):
    """A seat: the entrant it counts for, and the one who sits."""

    seat: int

    @property
    def entrant(self) -> Entered:
        """The entrant."""

    @property
    def player(self) -> MarkedPlayer:
        """The one who sits."""


class Entered(Protocol):
    """An entrant with the player or team entered."""

    @property
    def player(self) -> MarkedPlayer:
        """The player or team."""


def marks_at(seats: Iterable[SeatedTwice]) -> dict[int, Mark]:
    """Return the marks at one table by primary key of player and team; a member sits under the team's mark.

    Substitutes have marks of their own. Colours go round in seating order, so that a table looks the same wherever it
    is shown and however it is sorted.
    """
    seated = sorted(seats, key=lambda seat: seat.seat)
    teams = {seat.player.pk: seat.entrant.player.pk for seat in seated if seat.entrant.player.is_team}
    people = (player for seat in seated for player in (seat.entrant.player, seat.player))
    marks = marks_of(player for player in people if teams.get(player.pk, player.pk) == player.pk)
    return marks | {sits: marks[team] for sits, team in teams.items()}


@lru_cache(maxsize=1 << 12)
def first_glyph(text: str) -> str:
    """Return the first visible character of a text with its combining marks, in upper case; empty without one."""
    visible = text.lstrip()
    end = next((at for at, char in enumerate(visible) if at and not _combines(char)), len(visible))
    return visible[: min(end, LONGEST_GLYPH)].upper()[:LONGEST_GLYPH]


def is_glyph(text: str) -> bool:
    """Return True if a text is exactly one visible character, which may have combining marks or a variation selector.

    Emoji sequences and flags, which fonts join from several characters, are none: not every font can join them.
    """
    if not text or len(text) > LONGEST_GLYPH or text[0] in BLANK:
        return False
    return unicodedata.category(text[0])[0] in "LNPS" and all(_combines(char) for char in text[1:])


def _combines(char: str) -> bool:
    """Return True for combining marks; variation selectors of kanji are among them."""
    return unicodedata.category(char)[0] == "M"
