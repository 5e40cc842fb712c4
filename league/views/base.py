"""The common base of all public pages: the reader's rights, conditional responses, and the time zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Block, RulesInForce
from league.platform.rendering import render
from league.platform.replica import read_from_replica
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.competitions.schedule import session_until
from league.selectors.rulebooks.rules_in_force import format_of_revision, rules_of, ruleset_of
from league.selectors.seasons.series_places import tier_names
from league.selectors.standings.tables import blocks_of
from league.web.access.visitors import is_signed_in
from league.web.long_lists import Wanted
from league.web.middleware.spoiler_guard import apply_guard
from league.web.response_cache import Read, Render, cached_response, conditional_response
from league.wording.formatting import language_of
from league.wording.names import Names, names_of, title_in
from scoring.format import EntrantKind
from scoring.ruleset import Ruleset

REPRESENTATION = "html"

Page = Callable[..., HttpResponse]
State = Callable[[Reader], Sequence[object]]
"""A function that returns what a page depends on besides the published version, for its ETag."""


def competition_page(view: Page) -> Callable[..., HttpResponseBase]:
    """Decorate a view as a page of one competition: it is called with a reader instead of the slug.

    An unchanged page is answered with 304 from the competition's row alone. A competition that the visitor may not
    know of answers 404.
    """
    return competition_page_with()(view)


def competition_page_with(*states: State) -> Callable[[Page], Callable[..., HttpResponseBase]]:
    """Return a decorator for a page that also changes with these states, without a new published version."""

    def decorated(view: Page) -> Callable[..., HttpResponseBase]:
        @require_safe
        @wraps(view)
        def page(request: HttpRequest, slug: str, **keys: object) -> HttpResponseBase:
            def read() -> tuple[str, Render]:
                reader = reader_at(request, slug)
                etag = etag_of(reader, REPRESENTATION, *(state(reader) for state in states))
                return etag, partial(render_in_zone, view, request, reader, **keys)

            return answer(request, read)

        return page

    return decorated


def list_page(*states: State) -> Callable[[Page], Callable[..., HttpResponseBase]]:
    """Return a decorator for a page with long lists: the view is called with what the reader wants of them.

    The page is cached as it is and unfolded; a search is rendered for each request, within the limit of searches.
    """

    def decorated(view: Page) -> Callable[..., HttpResponseBase]:
        as_it_is = competition_page_with(*states)(partial(view, wanted=Wanted()))
        unfolded = competition_page_with(*states, lambda _reader: ["all"])(partial(view, wanted=Wanted(shows_all=True)))

        @rate_limited("search")
        def found(request: HttpRequest, slug: str, **keys: object) -> HttpResponseBase:
            return render_in_zone(view, request, reader_at(request, slug), wanted=Wanted.of(request), **keys)

        @require_safe
        @wraps(view)
        def page(request: HttpRequest, slug: str, **keys: object) -> HttpResponseBase:
            wanted = Wanted.of(request)
            answering = found if wanted.text else unfolded if wanted.shows_all else as_it_is
            return answering(request, slug, **keys)

        return page

    return decorated


def render_in_zone(view: Page, request: HttpRequest, reader: Reader, **keys: object) -> HttpResponse:
    """Call the view with the competition's time zone active."""
    with timezone.override(ZoneInfo(reader.competition.time_zone)):
        return view(request, reader, **keys)


def reader_at(request: HttpRequest, slug: str) -> Reader:
    """Return the competition at this slug as the visitor may read it, with the spoiler guard applied.

    Raise Http404 if there is none that the visitor may read.
    """
    # An anonymous request takes one raw query for the whole reader.
    reader = signed_in_reader(request, slug) if is_signed_in(request) else public_reader(slug)
    if reader is None:
        raise Http404(_("There is no such competition."))
    return apply_guard(request, reader)


def signed_in_reader(request: HttpRequest, slug: str) -> Reader | None:
    """Return the reader of a signed-in user; staff also read embargoed results."""
    competition = visible_competitions(request.user).filter(slug=slug).first()
    return reader_of(competition, request.user) if competition else None


def answer(request: HttpRequest, read: Read) -> HttpResponseBase:
    """Return the page: 304, cached, or rendered now; only anonymous visitors' pages may be stored by shared caches."""

    def read_for_visitor() -> tuple[str, Render]:
        etag, render_page = read()
        return for_visitor(request, etag), render_page

    if is_signed_in(request):
        return cached_response(request, read_for_visitor, is_shared=False)
    return read_from_replica(lambda: cached_response(request, read_for_visitor, is_shared=True))


def for_visitor(request: HttpRequest, etag: str) -> str:
    """Return the ETag of a page for this visitor: its header links to the account of those who are signed in.

    The pages themselves are the same for all visitors of an audience, so there are two variants of each, not one for
    every account.
    """
    return f'{etag[:-1]}-in"' if is_signed_in(request) else etag


def conditional(request: HttpRequest, etag: str, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return any other kind of response, or 304; the server caches nothing of it."""
    return conditional_response(request, for_visitor(request, etag), make, is_shared=not is_signed_in(request))


class PageData:
    """The data that most pages of a competition need: blocks, names and rules, each read once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.language = language_of()
        self.blocks: list[Block] = blocks_of(reader)
        self.names: Names = names_of(self.blocks, self.language, tiers=tier_names(reader.competition))
        self.rules: RulesInForce = rules_of(reader)
        self.ruleset: Ruleset = ruleset_of(self.rules)
        played = format_of_revision(self.rules.format)
        self.has_teams = played.kind is EntrantKind.TEAMS
        self.has_awards = bool(played.awards)

    def block(self, key: str) -> Block:
        """Return the block of this key; raise Http404 for any other."""
        for block in self.blocks:
            if block.key == key:
                return block
        raise Http404(_("There is no such block."))

    def context(self) -> dict[str, object]:
        """Return the template context common to all pages of the competition."""
        return {
            "reader": self.reader,
            "competition": self.reader.competition,
            "guarded_after": session_until(self.reader),
            "is_closed": self.reader.guards_guests,
            "has_teams": self.has_teams,
            "has_awards": self.has_awards,
            "names": self.names,
            "scale": self.ruleset.ranking_ledger.scale,
            "language": self.language,
            "unit": title_in(self.ruleset.ranking_ledger.title, self.language),
        }


def show(request: HttpRequest, template: str, shown: PageData, **further: object) -> HttpResponse:
    """Render a page of a competition."""
    return render(request, template, shown.context() | further)
