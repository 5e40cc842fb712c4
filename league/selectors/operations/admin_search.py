"""Search of the organizers' admin over players, competitions, series, rankings, sessions, tables and clauses."""

from __future__ import annotations

from dataclasses import dataclass, fields

from django.db.models import QuerySet

from league.models import Competition, Entrant, Player, Ranking, Series, Session, TableSession
from league.selectors.access.readers import Visitor
from league.selectors.people.search import folded, holds
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series
from rulesets.normalization import normalize
from rulesets.search import ClauseMatch, find_clauses

MOST = 12
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Results:
    """The matches by kind, at most `MOST` of each."""

    players: tuple[Player, ...]
    competitions: tuple[Competition, ...]
    sessions: tuple[Session, ...]
    tables: tuple[TableSession, ...]
    clauses: tuple[ClauseMatch, ...]
    series: tuple[Series, ...] = ()
    rankings: tuple[Ranking, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return True if nothing was found."""
        return not any(getattr(self, each.name) for each in fields(self))


def search_admin(text: str, competitions: QuerySet[Competition], visitor: Visitor) -> Results:
    """Return matches that contain every word of `text`, from the given competitions and from the rule books.

    Series and rankings are found for a visitor allowed to change them.

    Text is compared folded (`player_search.folded`), so that kana, width and long vowels make no difference.
    """
    # NFKC first: a full-width space separates words too.
    words = [folded(word) for word in normalize("NFKC", text[:LONGEST]).split()]
    if not words:
        return Results((), (), (), (), ())
    own = list(competitions)
    entered = Entrant.objects.filter(competition__in=own).values("player")
    people = Player.objects.filter(pk__in=entered, erased_at=None, merged_into=None)
    sessions = Session.objects.filter(competition__in=own, day=None).select_related("competition")
    tables = TableSession.objects.filter(competition__in=own, sitting=None).exclude(venue="", table="")
    series = Series.objects.all() if may_change_series(visitor) else Series.objects.none()
    rankings = Ranking.objects.all() if may_write_rankings(visitor) else Ranking.objects.none()
    return Results(
        series=tuple(one for one in series if contains_all(words, one.name, one.name_en, one.slug))[:MOST],
        rankings=tuple(one for one in rankings if contains_all(words, one.name, one.name_en, one.slug))[:MOST],
        players=tuple(one for one in people.order_by("name_kana", "name", "pk") if holds(one, words))[:MOST],
        competitions=tuple(one for one in own if contains_all(words, one.name, one.name_en, one.slug))[:MOST],
        sessions=tuple(
            one
            for one in sessions.order_by("-pk")
            if contains_all(words, one.name, one.name_en, one.competition.name, one.competition.name_en)
            and contains_any(words, one.name, one.name_en)
        )[:MOST],
        tables=tuple(
            one
            for one in tables.select_related("competition", "session", "block").order_by("-starts_at", "pk")
            if contains_all(words, one.venue, one.table, one.session.name, one.session.name_en)
            and contains_any(words, one.venue, one.table)
        )[:MOST],
        clauses=find_clauses(text)[:MOST],
    )


def contains_all(words: list[str], *texts: str) -> bool:
    """Return True if each word occurs in at least one of the texts."""
    there = [folded(text) for text in texts]
    return all(any(word in text for text in there) for word in words)


def contains_any(words: list[str], *texts: str) -> bool:
    """Return True if any of the words occurs in one of the texts."""
    return any(contains_all([word], *texts) for word in words)
