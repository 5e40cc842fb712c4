"""One search over everything at the desk: people, competitions, sessions, clauses of the rule books."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import Competition, Entrant, Player, Session, TableSession
from league.selectors.people.search import folded, holds
from rulesets.search import Found, find_clauses

MOST = 12
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Results:
    """What was found, each kind in its own order and no more than `MOST` of it."""

    players: tuple[Player, ...]
    competitions: tuple[Competition, ...]
    sessions: tuple[Session, ...]
    tables: tuple[TableSession, ...]
    clauses: tuple[Found, ...]

    @property
    def is_empty(self) -> bool:
        """Nothing at all."""
        return not (self.players or self.competitions or self.sessions or self.tables or self.clauses)


def found_at_desk(text: str, competitions: QuerySet[Competition]) -> Results:
    """What holds every word that is asked for, however it is written, of what these competitions have.

    Names are compared folded (`player_search.folded`), so that kana, width and long vowels make no difference.
    """
    words = [folded(word) for word in unicodedata.normalize("NFKC", text[:LONGEST]).split()]
    if not words:
        return Results((), (), (), (), ())
    own = list(competitions)
    entered = Entrant.objects.filter(competition__in=own).values("player")
    people = Player.objects.filter(pk__in=entered, erased_at=None, merged_into=None)
    sessions = Session.objects.filter(competition__in=own, day=None).select_related("competition")
    tables = TableSession.objects.filter(competition__in=own, sitting=None).exclude(venue="", table="")
    return Results(
        players=tuple(one for one in people.order_by("name_kana", "name", "pk") if holds(one, words))[:MOST],
        competitions=tuple(one for one in own if says(words, one.name, one.name_en, one.slug))[:MOST],
        sessions=tuple(
            one
            for one in sessions.order_by("-pk")
            if says(words, one.name, one.name_en, one.competition.name, one.competition.name_en)
            and says_some(words, one.name, one.name_en)
        )[:MOST],
        tables=tuple(
            one
            for one in tables.select_related("competition", "session", "block").order_by("-starts_at", "pk")
            if says(words, one.venue, one.table, one.session.name, one.session.name_en)
            and says_some(words, one.venue, one.table)
        )[:MOST],
        clauses=find_clauses(text)[:MOST],
    )


def says(words: list[str], *texts: str) -> bool:
    """Whether each word stands in one of the texts."""
    there = [folded(text) for text in texts]
    return all(any(word in text for text in there) for word in words)


def says_some(words: list[str], *texts: str) -> bool:
    """Whether any of the words stands in one of the texts."""
    return any(says([word], *texts) for word in words)
