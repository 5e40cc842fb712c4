"""The part of all results in which records are looked for: a club, competition, series or ranking.

A club is the one of an entrant in a competition, as it was entered for that season; a later move changes nothing of it.
A member of a team has the club of the team.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, EventListed, Ranking, Series, Term
from league.selectors.access.readers import Reader, Visitor
from league.selectors.competitions.addresses import competition_at
from league.selectors.seasons.rankings import events_of, visible_rankings
from league.selectors.seasons.series import series_for


@dataclass(frozen=True, slots=True)
class RecordWish:
    """The part that is asked for: addresses, and the text of a club; an empty one asks for all."""

    competition: str = ""
    series: str = ""
    ranking: str = ""
    club: str = ""

    @property
    def parts(self) -> tuple[str, str, str, str]:
        """Return the parts in a fixed order."""
        return self.competition, self.series, self.ranking, self.club


class UnknownScopeError(Exception):
    """A part that is asked for does not exist, or is not known to the visitor; `name` is the part's parameter."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(detail)
        self.name = name
        self.detail = detail


@dataclass(frozen=True, slots=True)
class RecordScope:
    """The leagues in which records are looked for, and the entrants who may hold them; None for all entrants.

    `wish` is what was asked for, with the present address of the competition.
    """

    wish: RecordWish
    readers: tuple[Reader, ...]
    entrants: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class RecordChoices:
    """The parts that a visitor may ask for."""

    competitions: Sequence[Competition]
    series: Sequence[Series]
    rankings: Sequence[Ranking]

    def mark(self) -> list[tuple[str, str, str]]:
        """Return addresses and names of series and rankings, of which no published version of a competition tells."""
        rows: tuple[Series | Ranking, ...] = (*self.series, *self.rankings)
        return [(row.slug, row.name, row.name_en) for row in rows]


def leagues_of(readers: Iterable[Reader]) -> tuple[Reader, ...]:
    """Return the readers of leagues; games of open tables are private and set no records."""
    return tuple(reader for reader in readers if reader.competition.kind == Competition.Kind.LEAGUE)


def record_choices(readers: Iterable[Reader], visitor: Visitor | None) -> RecordChoices:
    """Return the competitions, series and rankings of these readers that the visitor may know of."""
    competitions = [reader.competition for reader in leagues_of(readers)]
    ids = [row.pk for row in competitions]
    series = series_for(visitor).filter(pk__in=Term.objects.filter(competitions__in=ids).values("series"))
    listed = EventListed.objects.filter(ended_at=None, competition__in=ids)
    rankings = visible_rankings(visitor).filter(pk__in=listed.values("ranking"))
    return RecordChoices(competitions, list(series), list(rankings))


def _with_clubs(leagues: Iterable[Reader]) -> QuerySet[Entrant]:
    ids = [reader.competition.pk for reader in leagues]
    return Entrant.objects.filter(competition__in=ids, is_house=False).order_by()


def clubs_of(readers: Iterable[Reader]) -> list[str]:
    """Return the clubs of all entrants of leagues, in the order of their text."""
    rows = _with_clubs(leagues_of(readers)).exclude(affiliation="")
    # Sorted here: the databases sort Japanese text differently.
    return sorted(set(rows.values_list("affiliation", flat=True)))


def record_scope(readers: Iterable[Reader], visitor: Visitor | None, wish: RecordWish) -> RecordScope:
    """Return the part of the records that is asked for. Raise UnknownScopeError for one that does not exist."""
    leagues = leagues_of(readers)
    found = leagues
    if wish.competition:
        named = competition_at(wish.competition, visitor)
        found = tuple(reader for reader in found if reader.competition == named)
        if not found:
            detail = _("There is no league “%(key)s” whose records you may read. Leave it out, or choose another one.")
            raise UnknownScopeError("competition", detail % {"key": wish.competition})
        wish = replace(wish, competition=found[0].competition.slug)
    if wish.series:
        series = series_for(visitor).filter(slug=wish.series).first()
        if series is None:
            detail = _("There is no series “%(key)s” that you may read. Leave it out, or choose another one.")
            raise UnknownScopeError("series", detail % {"key": wish.series})
        terms = set(series.terms.values_list("pk", flat=True))
        found = tuple(reader for reader in found if reader.competition.term_id in terms)
    if wish.ranking:
        ranking = visible_rankings(visitor).filter(slug=wish.ranking).first()
        if ranking is None:
            detail = _("There is no ranking “%(key)s” that you may read. Leave it out, or choose another one.")
            raise UnknownScopeError("ranking", detail % {"key": wish.ranking})
        counted = {event.competition_id for event in events_of(ranking, visitor)}
        found = tuple(reader for reader in found if reader.competition.pk in counted)
    return RecordScope(wish, found, _entrants_of(wish.club, leagues) if wish.club else None)


def _entrants_of(club: str, leagues: Sequence[Reader]) -> frozenset[int]:
    """Return the entrants of a club in these leagues. Raise UnknownScopeError for a club of none of them."""
    entrants = frozenset(_with_clubs(leagues).filter(affiliation=club).values_list("pk", flat=True))
    if not entrants:
        detail = _("No player was entered for a club “%(key)s”. Write it as the lists do, or leave it out.")
        raise UnknownScopeError("club", detail % {"key": club})
    return entrants
