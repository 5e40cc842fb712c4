"""The reader's wish for the long lists of a page: players found by name or number, or every row without folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.http import HttpRequest

from league.models import Entrant, Player
from league.selectors.people.search import LONGEST, folded

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wish in a page's address: `?q=` finds players, `?show=all` unfolds; by default neither."""

    text: str = ""
    shows_all: bool = False

    @classmethod
    def of(cls, request: HttpRequest) -> Wanted:
        """Return the wish of this request."""
        text = request.GET.get("q", "").strip()[:LONGEST]
        return cls(text, shows_all=not text and request.GET.get("show") == "all")

    @property
    def matches(self) -> Callable[[Entrant | None], bool]:
        """Return a function that finds the entrants searched for: by part of a name in any spelling, or the number."""
        text = folded(self.text)

        def is_found(entrant: Entrant | None) -> bool:
            if entrant is None:
                return not text
            return str(entrant.number) == text or self.names(entrant.player)

        return is_found

    def names(self, player: Player) -> bool:
        """Return True if a part of the player's name, in any spelling, is searched for."""
        text = folded(self.text)
        return any(text in folded(name) for name in (player.name, player.name_kana, player.name_romaji))

    def only(self, rows: Iterable[R], entrants_of: Callable[[R], Iterable[Entrant | None]]) -> list[R]:
        """Return the rows with an entrant who is found; all rows if nothing is searched for."""
        return [row for row in rows if self.has_any(entrants_of(row))]

    def finds(self, entrant: Entrant) -> bool:
        """Return True if this entrant is found, or nothing is searched for."""
        return self.has_any((entrant,))

    def has_any(self, entrants: Iterable[Entrant | None]) -> bool:
        """Return True if one of these entrants is found, or nothing is searched for."""
        return not self.text or any(map(self.matches, entrants))
