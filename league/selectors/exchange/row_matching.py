"""Matching of imported result rows to the schedule: the hanchan a row describes, and the players its cells name."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from django.utils.translation import gettext as _

from league.files.result_rows import whole_number
from league.files.tables import fold_text
from league.models import Block, Competition, Entrant, Hanchan, HanchanSeat, Player, Session
from league.selectors.seasons.teams import day_of
from rulesets.normalization import normalize

MOST_SHOWN = 3
MOST_HINTS = 500
"""At most this many unknown names get a suggestion; a page shows no more faults than that."""
ENTERED_WITH = (
    "table_session__session",
    "table_session__block",
    "table_session__competition",
    "block__stage",
    "block__competition",
    "rules__ruleset",
    "rules__format",
)
"""Relations loaded with a hanchan for which a result is entered."""
Place = tuple[object, ...]


class NotFoundError(Exception):
    """Raised for a cell that matches nothing, or several things; the message says what to write."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass
class EntrantIndex:
    """The entrants of a competition by the texts that may name them: key, name, reading, Latin letters."""

    entrants: Mapping[int, Entrant]
    named: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    hints: int = 0

    @classmethod
    def of(cls, competition: Competition) -> EntrantIndex:
        """Load the entrants of a competition."""
        rows = Entrant.objects.filter(competition=competition).select_related("player")
        people = cls({entrant.pk: entrant for entrant in rows})
        for pk, entrant in people.entrants.items():
            player = entrant.player
            for text in filter(None, (player.key, player.name, player.name_kana, player.name_romaji)):
                people.named[name_of_cell(text)].add(pk)
        return people

    def entrant(self, key: str, text: str) -> Entrant:
        """Return the entrant that a cell names; a key takes precedence over names.

        Raise NotFoundError if no entrant or several match.
        """
        found = self.named.get(name_of_cell(text), set())
        exact = [pk for pk in found if self.entrants[pk].player.key == text.strip()]
        chosen = exact or sorted(found)
        if len(chosen) == 1:
            return self.entrants[chosen[0]]
        if not chosen:
            raise NotFoundError(key, _("No player of this competition is called so.") + self._hint(text))
        keys = ", ".join(self.entrants[pk].player.key for pk in chosen[:MOST_SHOWN])
        raise NotFoundError(key, _("Several players are called so; write the key: %(keys)s.") % {"keys": keys})

    def _hint(self, text: str) -> str:
        self.hints += 1
        # Each suggestion compares against all names; a file with only unknown names would take minutes.
        if self.hints > MOST_HINTS:
            return ""
        close = get_close_matches(name_of_cell(text), list(self.named), n=1)
        if not close:
            return ""
        return " " + _("Is it %(name)s?") % {"name": self.entrants[min(self.named[close[0]])].player.name}


def name_of_cell(text: str) -> str:
    """Return a name folded for comparison: width, case and blanks make no difference."""
    return "".join(normalize("NFKC", text).casefold().split())


@dataclass
class Substitutes:
    """Known players by key or name, loaded once for the substitutes of a table."""

    players: Mapping[str, Sequence[Player]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Substitutes:
        """Load the players that these texts name."""
        wanted = {text.strip() for text in texts if text.strip()}
        found: defaultdict[str, list[Player]] = defaultdict(list)
        if wanted:
            for player in Player.objects.filter(erased_at=None, merged_into=None):
                for text in {player.key, player.name} & wanted:
                    found[text].append(player)
        return cls(found)

    def player(self, key: str, text: str) -> Player:
        """Return the player that a cell names; raise NotFoundError if none or several match."""
        found = self.players.get(text.strip(), ())
        if len(found) == 1:
            return found[0]
        if not found:
            raise NotFoundError(key, _("There is no player of this name or key. Add the player first."))
        keys = ", ".join(player.key for player in found[:MOST_SHOWN])
        raise NotFoundError(key, _("Several players are called so; write the key: %(keys)s.") % {"keys": keys})


@dataclass
class Schedule:
    """The hanchan of a competition, searchable by the places that rows give."""

    competition: Competition
    hanchan: Mapping[int, Hanchan]
    seats: Mapping[int, tuple[int, ...]]
    """By hanchan the ids of the entrants planned, first dealer first."""
    sitting: Mapping[tuple[int, int], int]
    """By hanchan and entrant the id of the player planned: of a team its member, or the team while it names none."""
    blocks: Mapping[str, Block]
    sessions: Mapping[str, int]
    """Number of the session by its names."""
    indexes: dict[tuple[str, ...], Mapping[Place, list[Hanchan]]] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition) -> Schedule:
        """Load the schedule of a competition."""
        rows = Hanchan.objects.filter(
            table_session__competition=competition, table_session__is_cancelled=False
        ).select_related(*ENTERED_WITH)
        seats: defaultdict[int, list[int]] = defaultdict(list)
        planned = HanchanSeat.objects.filter(hanchan__table_session__competition=competition).order_by("seat")
        sitting: dict[tuple[int, int], int] = {}
        for pk, entrant, player in planned.values_list("hanchan", "entrant", "player"):
            seats[pk].append(entrant)
            sitting[pk, entrant] = player
        blocks: dict[str, Block] = {}
        for block in Block.objects.filter(competition=competition).select_related("stage", "competition"):
            blocks |= dict.fromkeys(map(fold_text, filter(None, (block.key, block.name, block.name_en))), block)
        sessions: dict[str, int] = {}
        for number, *names in Session.objects.filter(competition=competition).values_list("number", "name", "name_en"):
            sessions |= dict.fromkeys(map(fold_text, filter(None, names)), number)
        return cls(
            competition,
            {row.pk: row for row in rows.order_by("table_session__session__number", "table_session__order", "round")},
            {pk: tuple(people) for pk, people in seats.items()},
            sitting,
            blocks,
            sessions,
        )

    def find(self, place: Mapping[str, str], people: Sequence[int]) -> Hanchan | None:
        """Return the hanchan that a row describes; None if the schedule has none like it.

        An id is sufficient. Otherwise session, block, table and number are compared as far as they are given, and the
        players if several hanchan are left. Raise NotFoundError if the row is still ambiguous.
        """
        if place["id"]:
            return self._by_id(place["id"])
        given = self.read(place)
        found = self._found(given)
        if len(found) > 1 and people:
            found = self._found({**given, "people": frozenset(people)})
        if len(found) > 1:
            message = _("%(count)s games fit this row. Say the session, the table and the number, or the ID.")
            raise NotFoundError("hanchan", message % {"count": len(found)})
        return found[0] if found else None

    def day_of(self, place: Mapping[str, str]) -> dt.date | None:
        """Return the day of the hanchan that may be meant by a row's place; None if it is not known or not one day."""
        try:
            found = [self._by_id(place["id"])] if place["id"] else self._found(self.read(place))
        except NotFoundError:
            return None
        days = {day_of(one.table_session) for one in found}
        return days.pop() if len(days) == 1 else None

    def read(self, place: Mapping[str, str]) -> dict[str, object]:
        """Parse the cells of a place that are filled in."""
        given: dict[str, object] = {}
        for key in ("session", "hanchan"):
            if place[key]:
                # A name such as ベスト16 has a number that is not the session's.
                named = self.sessions.get(fold_text(place[key])) if key == "session" else None
                number = number_in(place[key]) if named is None else named
                if number is None:
                    raise NotFoundError(key, _("Write a number."))
                given[key] = number
        if place["block"]:
            block = self.blocks.get(fold_text(place["block"]))
            if block is None:
                known = ", ".join(dict.fromkeys(one.key for one in self.blocks.values()))
                raise NotFoundError("block", _("The competition has these blocks: %(known)s.") % {"known": known})
            given["block"] = block.pk
        if place["table"]:
            given["table"] = fold_text(place["table"])
        return given

    def _by_id(self, text: str) -> Hanchan:
        number = whole_number(text)
        found = self.hanchan.get(number) if number is not None else None
        if found is None:
            raise NotFoundError("id", _("This competition has no game with this ID. Download the template again."))
        return found

    def _found(self, given: Mapping[str, object]) -> list[Hanchan]:
        pattern = tuple(sorted(given))
        # One index for each combination of filled columns, built on first use: an import may have thousands of rows.
        if pattern not in self.indexes:
            index: defaultdict[Place, list[Hanchan]] = defaultdict(list)
            for one in self.hanchan.values():
                index[tuple(self._said(one, key) for key in pattern)].append(one)
            self.indexes[pattern] = index
        return self.indexes[pattern].get(tuple(given[key] for key in pattern), [])

    def _said(self, one: Hanchan, key: str) -> object:
        """Return the schedule's value of a hanchan for one column."""
        table_session = one.table_session
        said: dict[str, object] = {
            "session": table_session.session.number,
            "hanchan": one.number,
            "block": one.block_id,
            "table": fold_text(table_session.table),
            "people": frozenset(self.seats.get(one.pk, ())),
        }
        return said[key]


def number_in(text: str) -> int | None:
    """Return the number in text such as 第3節, 2回戦 or 3; None without one, or with several."""
    parts = "".join(sign if sign.isdigit() else " " for sign in normalize("NFKC", text)).split()
    return whole_number(parts[0]) if len(parts) == 1 else None
