"""Rankings: which there are, their rules and events, and their lines as of any day for a visitor.

What counts is what the public may read of each competition; competitions that the visitor may not know of do not
count. Lines over events are kept in this process by the content of their events (`event_lines`), so that another
event costs only its own entrants.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from django.db.models import QuerySet
from django.utils import timezone

from league.models import Competition, Entrant, EventListed, Player, Ranking
from league.models.ranking import EventResult
from league.selectors.access.actors import Capability, competitions_where, has_right
from league.selectors.access.etags import competition_state
from league.selectors.access.readers import Visitor, visible_competitions
from league.selectors.people.visibility import hide_behind_handle
from league.selectors.seasons.event_lines import reckoning
from league.selectors.seasons.game_lines import Step, games_played
from rulesets.rankings import parse_ranking
from scoring.format import Ranking as RankingRules
from scoring.format.ranking import Listed
from scoring.rankings.events import Event, Reckoning, Shortfall
from scoring.rankings.ladder import LadderStep
from scoring.rankings.rounding import text
from scoring.rankings.what_if import Outlook, what_if

RIGHTS = ("league.change_ranking", "league.add_ranking")
CHUNK = 500
"""Ids in one query; SQLite allows 32,766 parameters, older versions 999."""


@dataclass(frozen=True, slots=True)
class RankingLine:
    """A person's line: place, total as published and exact, and what is missing for a place.

    `player` is None for a person whom the visitor may not know by name. In a ladder `rank` is the number of the rank
    and `total` the points in it. `counting` is the number of results, or games, that count.
    """

    person: int
    player: Player | None
    place: int | None
    is_shared: bool
    total: str
    exact: Fraction
    counting: int
    rank: int | None = None
    missing: tuple[Shortfall, ...] = ()
    games_missing: int = 0


@dataclass
class Board:
    """A ranking as a visitor sees it on a day."""

    ranking: Ranking
    rules: RankingRules
    day: dt.date
    events: Mapping[int, EventListed]
    """The events up to the day, by id, that the visitor may know of."""
    reckoned: Reckoning[int] | None = None
    """For rankings over events."""
    steps: Mapping[int, Sequence[Step]] = field(default_factory=dict)
    """For rankings game by game: each person's steps up to the day."""
    visitor: Visitor | None = None

    @property
    def listed(self) -> Listed | None:
        """Return the form of published totals."""
        if self.rules.rating is not None:
            return self.rules.rating.listed
        version = self.rules.version_on(self.day)
        return version.listed if version else None

    def lines(self) -> list[RankingLine]:
        """Return all lines, those with a place first; people whom the visitor may not know are left out."""
        found = self._all_lines()
        known = self.people(line.person for line in found)
        return [replace(line, player=known[line.person]) for line in found if line.person in known]

    def line_of(self, player: Player) -> RankingLine | None:
        """Return a player's line; None without a result, or if the visitor may not know the player."""
        line = next((each for each in self._all_lines() if each.person == player.pk), None)
        known = self.people([player.pk]) if line else {}
        return replace(line, player=known[player.pk]) if line and player.pk in known else None

    def people(self, ids: Iterable[int]) -> dict[int, Player]:
        """Return the people by id, as the visitor may see them; those not to be known are left out."""
        wanted = list(ids)
        rows: list[Player] = []
        for first in range(0, len(wanted), CHUNK):
            rows += Player.objects.filter(pk__in=wanted[first : first + CHUNK], merged_into=None)
        if not self.rules.is_by_games:
            return {row.pk: row for row in rows}
        named = self._named()
        return {row.pk: row for row in rows if row.pk in named or hide_behind_handle(row)}

    def _named(self) -> set[int]:
        """Return the people whom the visitor knows by name: from a league, or from a table where they have a role."""
        ids = [event.competition_id for event in self.events.values()]
        own = competitions_where(self.visitor, Capability.READ) if self.visitor else Competition.objects.none()
        entrants = Entrant.objects.filter(competition__in=ids, is_house=False)
        named = entrants.filter(competition__kind=Competition.Kind.LEAGUE) | entrants.filter(
            competition__in=own.values("pk")
        )
        found = set(named.values_list("player", flat=True))
        # Members of teams and substitutes have no entry of their own.
        leagues = {event.pk for event in self.events.values() if event.competition.kind == Competition.Kind.LEAGUE}
        return found | {person for person, steps in self.steps.items() if any(s.game.event in leagues for s in steps)}

    def _all_lines(self) -> list[RankingLine]:
        if self.reckoned is not None:
            return [
                RankingLine(
                    person=each.total.person,
                    player=None,
                    place=each.place,
                    is_shared=each.is_shared,
                    total=text(each.total.exact, self.listed),
                    exact=each.total.exact,
                    counting=each.total.counting,
                    missing=each.total.missing,
                )
                for each in self.reckoned.ranked()
            ]
        return _lines_of_games(self.rules, self.steps)


def _lines_of_games(rules: RankingRules, steps: Mapping[int, Sequence[Step]]) -> list[RankingLine]:
    """Return the lines of a rating or a ladder, best first; level ones share the place."""
    kind = rules.rating or rules.ladder
    least = kind.least_games if kind else 0
    listed = rules.rating.listed if rules.rating else None
    found: list[tuple[tuple[bool, int, Fraction], int, Step, int]] = []
    for person, own in steps.items():
        last = own[-1]
        rank = last.rank if isinstance(last, LadderStep) else 0
        found.append(((len(own) >= least, rank, last.after), person, last, len(own)))
    found.sort(key=lambda each: each[0], reverse=True)
    lines: list[RankingLine] = []
    for (has_place, _rank, _value), group in groupby(found, key=lambda each: each[0]):
        level, place = list(group), len(lines) + 1
        lines += [
            RankingLine(
                person=person,
                player=None,
                place=place if has_place else None,
                is_shared=has_place and len(level) > 1,
                total=text(last.after, listed),
                exact=last.after,
                counting=games,
                rank=last.rank if isinstance(last, LadderStep) else None,
                games_missing=max(0, least - games),
            )
            for _key, person, last, games in level
        ]
    return lines


def visible_rankings(visitor: Visitor | None) -> QuerySet[Ranking]:
    """Return the rankings that a visitor may read: public ones, and all for users allowed to change them."""
    rows = Ranking.objects.select_related("rules")
    return rows if may_write_rankings(visitor) else rows.filter(is_public=True)


def rankings_counting(competition: Competition) -> QuerySet[Ranking]:
    """Return the public rankings that count this competition."""
    listed = EventListed.objects.filter(competition=competition, ended_at=None)
    return Ranking.objects.filter(is_public=True, pk__in=listed.values("ranking"))


def may_write_rankings(visitor: Visitor | None) -> bool:
    """Return True if the visitor has a right to write rankings."""
    return any(has_right(visitor, right) for right in RIGHTS)


@lru_cache(maxsize=64)
def _parsed(sha256: str, rules: str, source: str) -> RankingRules:
    del sha256
    return parse_ranking(rules, source)


def rules_of_ranking(ranking: Ranking) -> RankingRules:
    """Return the rules that a ranking follows."""
    return _parsed(ranking.rules.sha256, ranking.rules.text, str(ranking.rules))


def events_of(ranking: Ranking, visitor: Visitor | None) -> list[EventListed]:
    """Return the events listed, by day, of competitions that the visitor may know of."""
    rows = ranking.events.filter(ended_at=None, competition__in=visible_competitions(visitor).values("pk"))
    return list(rows.select_related("competition").order_by("day", "pk"))


def events_state(rules: RankingRules, events: Iterable[EventListed]) -> list[list[object]]:
    """Return the inputs of a response about these events, for its ETag.

    The digest covers final tables; where games count one by one, the published version covers them.
    """
    return [
        [
            event.pk,
            event.competition.public_version if rules.is_by_games else event.digest,
            *competition_state(event.competition),
        ]
        for event in events
    ]


def board_of(
    ranking: Ranking,
    day: dt.date | None = None,
    visitor: Visitor | None = None,
    *,
    leaves_out: Callable[[Competition], bool] = lambda _row: False,
) -> Board:
    """Return a ranking as of a day, by default today, as a visitor sees it; `leaves_out` hides competitions."""
    day = day or timezone.localdate()
    rules = rules_of_ranking(ranking)
    events = {event.pk: event for event in events_of(ranking, visitor) if not leaves_out(event.competition)}
    known = {key: event for key, event in events.items() if event.day <= day or rules.is_by_games}
    if rules.is_by_games:
        steps = games_played(ranking.rules.sha256, rules, list(known.values()), day)
        return Board(ranking, rules, day, known, steps=steps, visitor=visitor)
    return Board(
        ranking, rules, day, known, reckoning(ranking.rules.sha256, rules, list(known.values()), day), {}, visitor
    )


def may_concern(ranking: Ranking, player: Player) -> bool:
    """Return True unless the player has no result in a ranking over events, which saves reckoning it."""
    if rules_of_ranking(ranking).is_by_games:
        return True
    return EventResult.objects.filter(event__ranking=ranking, event__ended_at=None, player=player).exists()


def outlook(board: Board, person: Player, rival: Player, coming: Event[int]) -> Outlook[int] | None:
    """Return the totals that places at a coming event give one person, beside another; None game by game."""
    if board.reckoned is None:
        return None
    return what_if(board.rules, board.reckoned.events.values(), person.pk, rival.pk, coming)
