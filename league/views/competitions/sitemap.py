"""The sitemap and robots.txt: the public pages that search engines may list, each in all languages."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.models import Term
from league.platform.rendering import render
from league.platform.site_url import absolute_url
from league.selectors.access.etags import etag
from league.selectors.access.readers import visible_competitions
from league.selectors.people.visibility import listed_players
from league.selectors.rulebooks.clauses import address
from league.selectors.seasons.rankings import visible_rankings
from league.selectors.seasons.series import series_for
from league.views.base import conditional
from league.web.previews import Preview, public_url
from rulesets.clauses import books

MOST_PLAYERS = 10_000
"""Players listed at most; a sitemap may have 50,000 URLs, and each page has one for every language."""


@require_safe
def sitemap(request: HttpRequest) -> HttpResponseBase:
    """List the pages that an anonymous visitor may see: competitions, series, rankings, players, rule books."""
    paths = list(paths_listed())

    def make() -> HttpResponse:
        pages = [Preview("", "", public_url(path), "") for path in paths]
        return render(request, "competitions/sitemap.xml", {"pages": pages}, content_type="application/xml")

    return conditional(request, etag("sitemap", paths), make)


def paths_listed() -> Iterator[str]:
    """Yield the paths of all pages that search engines may list."""
    yield address("start")
    for slug in visible_competitions(None).order_by("pk").values_list("slug", flat=True):
        yield address("home", slug)
    yield address("all-time")
    yield from _across_competitions()
    for key in listed_players().order_by("pk").values_list("key", flat=True)[:MOST_PLAYERS]:
        yield address("player", key)
    for book in books():
        yield address("rulebook", book)


def _across_competitions() -> Iterator[str]:
    """Yield the paths of public series, their terms with a competition to be read, and public rankings."""
    series = series_for(None)
    if series:
        yield address("series-list")
    for row in series:
        yield address("series", row.slug)
    played = Term.objects.filter(series__in=series, competitions__in=visible_competitions(None))
    for slug, number in played.distinct().order_by("series", "number").values_list("series__slug", "number"):
        yield address("series-term", slug, number)
    rankings = visible_rankings(None)
    if rankings:
        yield address("rankings")
    for ranking in rankings:
        yield address("ranking-across", ranking.slug)


@require_safe
@cache_control(public=True, max_age=3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Name the sitemap; pages that no search engine should list say so themselves."""
    text = f"User-agent: *\nDisallow: /admin/\n\nSitemap: {absolute_url('pages:sitemap', request=request)}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
