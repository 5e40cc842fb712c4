"""The page of a player across all competitions: the career of a person, or the seasons and members of a team."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Hanchan, Player, Ranking, Series
from league.platform.rendering import render
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Visitor, public_reader_of
from league.selectors.people.careers import (
    Career,
    CareerEntry,
    Figures,
    Opponent,
    Streak,
    career_of,
    combined_records,
    entries_of_career,
    figures_of,
    members_by_season,
    opponents_of,
    season_lines,
    years_of,
)
from league.selectors.people.honours import awards_won
from league.selectors.people.played_seats import PlayedSeat, RulesOfResults
from league.selectors.people.player_records import CompetitionRecord, Record, season_of
from league.selectors.people.rates import rates_of_entrant
from league.selectors.people.search import LONGEST
from league.selectors.seasons.rankings import RankingLine, events_of, may_concern, visible_rankings
from league.selectors.seasons.series import SeriesStep, readers_of_terms, series_mark, series_of
from league.views.base import REPRESENTATION, answer, conditional
from league.views.people.rates import ShownRates
from league.views.people.trend import Trend, trends_of
from league.views.seasons.rankings import board_for
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render
from league.web.seasons.ranking_tables import rank_title
from league.wording.formatting import points_text, score_text
from league.wording.names import title_in
from league.wording.seasons.series_sentences import tier_titles
from league.wording.standings.awards import award_title

DETAILED = 3
"""The newest own seasons are shown with charts and rates; all others in one line each, with a link to their page."""
OPPONENTS_SHOWN = 20
MOST_OPPONENTS = 200
"""Opponents listed on the page, the rest of them folded; others are found by name."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The part of a career that the address asks for; by default all of it."""

    year: int | None
    book: str
    text: str

    @classmethod
    def of(cls, request: HttpRequest) -> Wish:
        """Return the wish of this request. Raise Http404 for a year that is none."""
        year, book = request.GET.get("year", ""), request.GET.get("book", "")
        if year and not (year.isascii() and year.isdigit() and len(year) == len("2026")):
            raise Http404(_("There are no hanchan of such a year."))
        return cls(int(year) if year else None, book[:LONGEST], request.GET.get("q", "").strip()[:LONGEST])

    def part_of(self, career: Career) -> Career:
        """Return that part of the career. Raise Http404 if the career has no such year or book."""
        is_known = self.year in (None, *career.years) and self.book in ("", *career.book_names)
        if not is_known:
            raise Http404(_("This career has no such hanchan."))
        return career.only(self.year, self.book)


@require_safe
def player(request: HttpRequest, key: str) -> HttpResponseBase:
    """Show a player over all competitions that the visitor may see; raise Http404 without any.

    `?year=` and `?book=` choose a part of the career, `?q=` finds opponents.
    """
    wish = Wish.of(request)
    if wish.text:
        return found(request, key, wish=wish)
    return answer(request, lambda: read_career(request, key, wish))


@rate_limited("search")
def found(request: HttpRequest, key: str, *, wish: Wish) -> HttpResponseBase:
    """Show the page with the opponents who were searched for; it is not cached, since any text may be asked for."""
    etag, make = read_career(request, key, wish)
    return conditional(request, etag, make)


def read_career(request: HttpRequest, key: str, wish: Wish) -> tuple[str, Render]:
    """Return the ETag of the page and a function that renders it. Raise Http404 for an unknown player."""
    row = get_object_or_404(Player, key=key)
    entries = [
        replace(entry, reader=apply_guard(request, entry.reader)) for entry in entries_of_career(row, request.user)
    ]
    if not entries:
        raise Http404(_("There is no such player here."))
    state = (row.pk, row.name, row.name_kana, row.name_romaji, row.short_name, row.affiliation, row.country)
    shown = (row.mark_glyph, row.mark_colour, row.picture)
    parts = (*state, *shown, wish.year, wish.book, wish.text, [entry.entrant.pk for entry in entries])
    has_series = any(entry.reader.competition.term_id for entry in entries)
    rankings = [ranking for ranking in visible_rankings(request.user) if may_concern(ranking, row)]
    others = (series_mark() if has_series else 0, [ranking_state(ranking, request.user) for ranking in rankings])
    readers = [entry.reader for entry in entries]
    beside = [apply_guard(request, each) for each in readers_of_terms(readers, request.user)]
    etag = etag_of_all([*readers, *beside], REPRESENTATION, "career", *parts, *others)

    def make() -> HttpResponse:
        more = {
            "rankings": lines_in(request, rankings, row),
            "series": steps_in(request, row) if has_series else (),
        }
        return render(request, "people/player.html", {**player_context(row, entries, wish), **more})

    return etag, make


def ranking_state(ranking: Ranking, visitor: Visitor | None) -> list[object]:
    """Return what the lines of a ranking depend on, without reckoning it."""
    events = [
        (event.pk, event.digest, public_reader_of(event.competition).shown_version, event.competition.audience)
        for event in events_of(ranking, visitor)
    ]
    return [ranking.pk, ranking.name, ranking.name_en, ranking.rules_id, timezone.localdate(), events]


@dataclass(frozen=True, slots=True)
class ShownRanking:
    """The player's line in a ranking."""

    ranking: Ranking
    line: RankingLine
    rank: str


def lines_in(request: HttpRequest, rankings: Iterable[Ranking], player: Player) -> list[ShownRanking]:
    """Return the player's lines in these rankings as of today."""
    found = []
    for ranking in rankings:
        board = board_for(request, ranking, timezone.localdate())
        if (line := board.line_of(player)) is not None:
            found.append(ShownRanking(ranking, line, rank_title(board.rules, line.rank)))
    return found


@dataclass(frozen=True, slots=True)
class ShownSeries:
    """A series in which the player is or was, with the newest term first."""

    series: Series
    steps: tuple[tuple[SeriesStep, str], ...]
    """Each step with the title of its tier."""


def steps_in(request: HttpRequest, player: Player) -> list[ShownSeries]:
    """Return the player's tiers by series."""
    found = []
    for series, steps in series_of(player, request.user, partial(apply_guard, request)).items():
        titled = tuple((step, tier_titles(step.rules).get(step.tier, step.tier)) for step in steps)
        found.append(ShownSeries(series, titled))
    return found


@dataclass(frozen=True, slots=True)
class LinkedHanchan:
    """A hanchan that a figure links to."""

    text: str
    hanchan: Hanchan


@dataclass(frozen=True, slots=True)
class ShownStreak:
    """A run of hanchan with its ends."""

    title: str
    length: int
    first: Hanchan
    last: Hanchan


@dataclass(frozen=True, slots=True)
class ShownFigures:
    """The figures under one book, in words."""

    title: str
    record: Record
    points: int
    scale: int
    unit: str
    best: LinkedHanchan
    worst: LinkedHanchan
    streaks: tuple[ShownStreak, ...]


@dataclass(frozen=True, slots=True)
class ShownSeason:
    """One of the newest seasons with its totals, charts and rates."""

    season: CompetitionRecord
    trends: list[Trend]
    rates: ShownRates | None


def player_context(row: Player, entries: list[CareerEntry], wish: Wish) -> dict[str, object]:
    """Return the context of the page."""
    career = career_of(row, entries)
    part = wish.part_of(career)
    lines = season_lines(part)
    figures = figures_of(part)
    games = games_of(figures)
    opponents = opponents_of(part, wish.text)
    own = [entry for entry in part.entries if not entry.is_member][:DETAILED]
    return {
        "player": row,
        "wish": wish,
        "years": career.years,
        "books": sorted((name, title_in(book.title)) for name, book in career.book_names.items()),
        "figures": [in_words(each, games) for each in figures],
        "overall": combined_records(each.record for each in figures) if len(figures) > 1 else (),
        "by_year": years_of(part),
        "lines": lines,
        "titles": [line for line in lines if line.is_champion],
        "awards": [(won, award_title(won.award)) for won in awards_won(part)],
        "teams": list(members_by_season(part)) if row.is_team else (),
        "is_wide": len(figures) > 1,
        "seasons": [detailed(entry) for entry in own],
        "opponents": [shown_opponent(each, is_wide=len(figures) > 1) for each in opponents[:MOST_OPPONENTS]],
        "open_opponents": OPPONENTS_SHOWN,
        "more_opponents": max(0, len(opponents) - MOST_OPPONENTS),
    }


def games_of(figures: Iterable[Figures]) -> dict[int, Hanchan]:
    """Return the hanchan that the figures link to, by id."""
    keys: set[int] = set()
    for each in figures:
        keys |= {each.best.hanchan, each.worst.hanchan}
        for streak in (each.firsts, each.not_last):
            keys |= {streak.first.hanchan, streak.last.hanchan} if streak else set()
    return Hanchan.objects.select_related("table_session__session", "block__competition").in_bulk(keys)


def in_words(each: Figures, games: dict[int, Hanchan]) -> ShownFigures:
    """Return the figures under one book in words."""
    return ShownFigures(
        title=title_in(each.book.title),
        record=each.record,
        points=each.points,
        scale=each.book.scale,
        unit=title_in(each.book.ledger.title),
        best=seat_shown(each.best, games),
        worst=seat_shown(each.worst, games),
        streaks=tuple(streaks_of(each, games)),
    )


def seat_shown(seat: PlayedSeat, games: dict[int, Hanchan]) -> LinkedHanchan:
    """Return a final score with its hanchan."""
    return LinkedHanchan(score_text(seat.score), games[seat.hanchan])


def streaks_of(each: Figures, games: dict[int, Hanchan]) -> Iterable[ShownStreak]:
    """Yield the longest runs in words."""

    def shown(title: str, streak: Streak) -> ShownStreak:
        return ShownStreak(title, streak.length, games[streak.first.hanchan], games[streak.last.hanchan])

    if each.firsts is not None:
        yield shown(_("Most firsts in a row"), each.firsts)
    if each.not_last is not None:
        yield shown(_("Longest run without a last place"), each.not_last)


def detailed(entry: CareerEntry) -> ShownSeason:
    """Return a season with its totals, charts and rates."""
    season = season_of(entry.reader, entry.entrant)
    rates = ShownRates.of(rates_of_entrant(entry.reader, entry.entrant))
    return ShownSeason(season, trends_of(season.totals, season.scale), rates)


@dataclass(frozen=True, slots=True)
class ShownGap:
    """The points between two players under one book; `title` is the book's name where there are several."""

    title: str
    text: str
    is_minus: bool


@dataclass(frozen=True, slots=True)
class ShownOpponent:
    """An opponent with the points between the two."""

    opponent: Opponent
    gaps: tuple[ShownGap, ...]


def shown_opponent(each: Opponent, *, is_wide: bool) -> ShownOpponent:
    """Return an opponent with the points book by book."""
    return ShownOpponent(each, tuple(gap_of(book, points, is_wide=is_wide) for book, points in each.gaps))


def gap_of(book: RulesOfResults, points: int, *, is_wide: bool) -> ShownGap:
    """Return the points under one book in words."""
    return ShownGap(title_in(book.title) if is_wide else "", points_text(points, book.scale, plus=True), points < 0)
