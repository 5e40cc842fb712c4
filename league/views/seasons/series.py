"""Pages of series: their terms and champions, who moves after a term and why, a player's way through the terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from league.models import Player, Series, Term
from league.platform.rendering import render
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag, etag_of_all
from league.selectors.access.readers import Reader, visible_competitions
from league.selectors.seasons.series import (
    SeriesStep,
    readers_of_terms,
    seasons_of_series,
    series_for,
    series_mark,
    series_of,
    tiers_of_player,
)
from league.selectors.seasons.series_duties import replacement_duties
from league.selectors.seasons.series_moves import TermMoves, shown_moves, term_after, term_before
from league.selectors.seasons.series_rules import may_add_series, rules_of_series
from league.views.base import REPRESENTATION, answer, conditional
from league.web.access.visitors import is_signed_in
from league.web.middleware.language import language_asked
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Render
from league.web.seasons.series_cards import series_card
from league.web.seasons.series_lines import direction_text, move_lines, points_lines, tier_moves
from league.web.seasons.series_tables import TERM_TABLES, no_such_term_table
from league.web.table_files import WRITERS, as_attachment
from league.wording.formatting import language_of
from league.wording.names import person_name
from league.wording.seasons.series_moves import PlayerNames, gains_text, reason_text, tier_title
from league.wording.seasons.series_sentences import tier_titles


@require_safe
def series_list(request: HttpRequest) -> HttpResponseBase:
    """List the series that the visitor may know of."""

    def read() -> tuple[str, Render]:
        rows = list(series_for(request.user))
        may_add = request.user.is_staff and may_add_series(request.user)
        shown = etag("series", series_mark(), [row.pk for row in rows], may_add, REPRESENTATION)
        return shown, lambda: render(request, "seasons/list.html", {"rows": rows, "may_add": may_add})

    return answer(request, read)


@require_safe
def series(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show a series: its terms with their competitions and champions, and its rules."""

    def read() -> tuple[str, Render]:
        row = series_at(request, slug)
        guard = partial(apply_guard, request)
        terms = [each for each in seasons_of_series(row, request.user, guard) if each.is_shown]
        readers = [tier.reader for each in terms for tier in each.tiers if tier.reader is not None]
        rules = rules_of_series(row)
        context = {
            "series": row,
            "terms": terms,
            "tiers": [tier_title(tier) for tier in rules.tiers],
        }
        return etag_of_all(readers, REPRESENTATION, "series", row.pk, series_mark()), lambda: render(
            request, "seasons/series.html", {**context, "card": series_card(rules)}
        )

    return answer(request, read)


@require_safe
def term(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Show a term: the tiers with their tables, where each player goes and why, promotion points."""

    def read() -> tuple[str, Render]:
        row = term_at(request, slug, number)
        found = shown_moves(row, request.user, partial(apply_guard, request))
        if not found.tables.readers:
            raise Http404(_("There is no such term."))
        before, after = (shown_term(request, each) for each in (term_before(row), term_after(row)))
        own = (row.pk, before and before.pk, after and after.pk)
        tag = etag_of_all(found.tables.readers, REPRESENTATION, "term", own, series_mark())
        return tag, lambda: term_response(request, found, before=before, after=after)

    return answer(request, read)


def shown_term(request: HttpRequest, term: Term | None) -> Term | None:
    """Return the term if it has a page for this visitor, None otherwise: the next one has drafts alone at first."""
    shown = term is not None and visible_competitions(request.user).filter(term=term).exists()
    return term if shown else None


def term_response(request: HttpRequest, found: TermMoves, *, before: Term | None, after: Term | None) -> HttpResponse:
    """Render the page of a term, with links to the terms before and after it."""
    lines = move_lines(found, found.moves)
    tables = [each for each in (*found.tables.tiers, *found.tables.outside) if each.reader is not None]
    visible = {each.tier.key for each in tables}
    row = found.term
    return render(
        request,
        "seasons/term.html",
        {
            "series": row.series,
            "term": row,
            "found": found,
            "tiers": tier_moves(tables, lines),
            "joining": [line for line in lines if not line.move.movement.source],
            "points": points_lines(found),
            "duties": replacement_duties(found.tables, request.user, partial(apply_guard, request)),
            "is_complete": len(visible) == len(found.tables.tiers) + len(found.tables.outside),
            "before": before,
            "after": after,
        },
    )


@require_safe
@rate_limited("file")
def term_file(request: HttpRequest, slug: str, number: int, term_table: str, suffix: str) -> HttpResponseBase:
    """Return the moves after a term, or its tables, as a file."""
    row = term_at(request, slug, number)
    if term_table not in TERM_TABLES or suffix not in WRITERS:
        raise Http404(no_such_term_table())
    found = shown_moves(row, request.user, partial(apply_guard, request))
    if not found.tables.readers:
        raise Http404(_("There is no such term."))
    language = language_of(language_asked(request))
    tag = etag_of_all(found.tables.readers, REPRESENTATION, term_table, suffix, language, row.pk, series_mark())

    def made() -> HttpResponseBase:
        with override(language):
            response = WRITERS[suffix](TERM_TABLES[term_table](found), language)
        return as_attachment(response, f"{slug}-{number}-{term_table}.{suffix}")

    return conditional(request, tag, made)


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A term on a player's way."""

    step: SeriesStep
    tier: str
    direction: str
    reason: str
    points: str


@require_safe
def way(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Show the way of a player or team through the terms of a series."""

    def read() -> tuple[str, Render]:
        row = series_at(request, slug)
        player = get_object_or_404(Player, key=key, merged_into=None)
        tiers = tiers_of_player(player, request.user, row)
        if not tiers:
            raise Http404(_("There is no such player here."))
        readers: list[Reader] = [apply_guard(request, each) for each in readers_of_terms(tiers, request.user)]
        tag = etag_of_all(readers, REPRESENTATION, "way", row.pk, player.pk, series_mark())

        def make() -> HttpResponse:
            steps = series_of(player, request.user, partial(apply_guard, request), row).get(row, [])
            names = names_of_passed(steps)
            context = {"series": row, "player": player, "steps": [shown_step(each, names) for each in steps]}
            return render(request, "seasons/way.html", context)

        return tag, make

    return answer(request, read)


def shown_step(step: SeriesStep, names: PlayerNames) -> ShownStep:
    """Return a term on a player's way in words, by the rules of that term."""
    titles = tier_titles(step.rules)
    return ShownStep(
        step,
        titles.get(step.tier, step.tier),
        direction_text(step.direction) if step.direction else "",
        reason_text(step.movement, step.rules, names, step.scale) if step.movement else "",
        gains_text(step.points),
    )


def names_of_passed(steps: Sequence[SeriesStep]) -> PlayerNames:
    """Return the names of the players passed over by the rules of these moves, by id."""
    ids = {int(str(one.player)) for each in steps if each.movement is not None for one in each.movement.passed}
    return {row.pk: person_name(row) for row in Player.objects.filter(pk__in=ids)}


def series_at(request: HttpRequest, slug: str) -> Series:
    """Return the series at this address; raise Http404 if the visitor may not know of it."""
    visitor = request.user if is_signed_in(request) else None
    return get_object_or_404(series_for(visitor), slug=slug)


def term_at(request: HttpRequest, slug: str, number: int) -> Term:
    """Return a term of the series at this address; raise Http404 for an unknown number."""
    row = series_at(request, slug)
    found = get_object_or_404(Term, series=row, number=number)
    found.series = row
    return found
