"""What every public page has in common: who reads, whether it changed since, in which time zone it speaks."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from league.kept_answers import Wanted, kept, kept_or_written, written_once
from league.models import Block, RulesInForce
from league.names import Names, names_of, title_in
from league.selectors.etags import etag_of, place_of
from league.selectors.everybody import public_reader
from league.selectors.pages import is_closed_to
from league.selectors.readers import Reader, reader_of, visible_competitions
from league.selectors.rules import rules_at, ruleset_of
from league.selectors.schedule import session_until
from league.views.guard import guarded
from league.views.visitors import is_signed_in
from scoring.ruleset import Ruleset

REPRESENTATION = "html"
FOR_EVERYBODY = "public, max-age=5, stale-while-revalidate=30"
FOR_ONE = "private, no-cache"
PACKING = 6
"""How hard pages are packed, of 9: harder takes longer and saves little."""

Page = Callable[..., HttpResponse]
State = Callable[[Reader], list[Any]]
"""What a page depends on besides the version read."""


def competition_page(view: Page) -> Callable[..., HttpResponseBase]:
    """A page of one competition: the view gets a reader instead of the address.

    An unchanged page is answered from the competition's row alone. A competition the visitor may not know of does
    not exist.
    """
    return competition_page_with()(view)


def competition_page_with(*states: State) -> Callable[[Page], Callable[..., HttpResponseBase]]:
    """A page that changes also where one of these states does, though no new version was published."""

    def decorated(view: Page) -> Callable[..., HttpResponseBase]:
        @require_safe
        @wraps(view)
        def page(request: HttpRequest, slug: str, **keys: Any) -> HttpResponseBase:
            reader = reader_at(request, slug)
            parts = [REPRESENTATION, *(state(reader) for state in states)]

            def make() -> HttpResponse:
                with timezone.override(ZoneInfo(reader.competition.time_zone)):
                    return view(request, reader, **keys)

            return answer(request, etag_of(reader, *parts), make, lambda: place_of(reader, *parts, request.path))

        return page

    return decorated


def reader_at(request: HttpRequest, slug: str) -> Reader:
    """The competition at this address as the visitor may read it, and wants to. Raise Http404 if there is none."""
    if is_signed_in(request):
        competition = visible_competitions(request.user).filter(slug=slug).first()
        reader = reader_of(competition, request.user) if competition else None
    else:
        reader = public_reader(slug)
    if reader is None:
        raise Http404(_("There is no such competition."))
    return guarded(request, reader)


def answer(
    request: HttpRequest, etag: str, make: Callable[[], HttpResponse], place: Callable[[], str] = str
) -> HttpResponseBase:
    """The page, or 304 if the visitor has it already; how long it may be kept depends on who asks.

    What everybody reads has no secrets that its length could tell of, so it is handed out as it was packed once, at a
    place that is named also a moment later. Whoever is signed in reads what is newest.
    """
    if is_signed_in(request):
        wanted = Wanted(etag, request.path, place())
        return conditional(request, etag, lambda: HttpResponse(gzip.decompress(newest(wanted, make))))
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        etag, packed = kept_or_written(Wanted(etag, request.path, place()), packing(make))
        response = get_conditional_response(request, etag=etag) or as_page(
            packed, etag, is_packed=accepts_gzip(request)
        )
    if "ETag" not in response:
        response["ETag"] = etag
    response["Cache-Control"] = FOR_EVERYBODY
    patch_vary_headers(response, ["Accept-Encoding", "Accept-Language", "Cookie"])
    return response


def conditional(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponseBase:
    """Whatever kind of answer, or 304; nothing of it is kept here."""

    @gzip_page
    @condition(etag_func=lambda _request: etag)
    def unless_known(_request: HttpRequest) -> HttpResponse:
        return make()

    response: HttpResponseBase = unless_known(request)
    response["Cache-Control"] = FOR_ONE if is_signed_in(request) else FOR_EVERYBODY
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def newest(wanted: Wanted, make: Callable[[], HttpResponse]) -> bytes:
    """The page under its own tag, packed, for whomever: the tag names all that a page depends on."""
    found = kept(wanted, wanted.tag) or written_once(wanted, packing(make))
    return found.written


def packing(make: Callable[[], HttpResponse]) -> Callable[[], bytes]:
    """Make the page and pack it."""
    return lambda: gzip.compress(make().content, PACKING, mtime=0)


def as_page(packed: bytes, etag: str, *, is_packed: bool) -> HttpResponse:
    """A page that stays packed on its way, under a weak tag since unpacked it is other bytes; or unpacked."""
    if is_packed:
        return HttpResponse(packed, headers={"Content-Encoding": "gzip", "ETag": f"W/{etag}"})
    return HttpResponse(gzip.decompress(packed))


def accepts_gzip(request: HttpRequest) -> bool:
    """Whether the visitor unpacks what was packed."""
    return re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")) is not None


class Shown:
    """What the pages of a competition need again and again, read once each."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.blocks: list[Block] = list(
            Block.objects.filter(competition=reader.competition)
            .select_related("stage")
            .order_by("stage__order", "order")
        )
        self.names: Names = names_of(self.blocks)
        self.rules: RulesInForce = rules_at(reader.competition)
        self.ruleset: Ruleset = ruleset_of(self.rules)

    def block(self, key: str) -> Block:
        """The block of this key; there is no page for any other."""
        for block in self.blocks:
            if block.key == key:
                return block
        raise Http404(_("There is no such block."))

    def context(self) -> dict[str, Any]:
        """What every page of the competition hands to its template."""
        return {
            "reader": self.reader,
            "competition": self.reader.competition,
            "guarded_after": session_until(self.reader),
            "is_closed": is_closed_to(self.reader),
            "names": self.names,
            "scale": self.ruleset.ranking_ledger.scale,
            "unit": title_in(self.ruleset.ranking_ledger.title),
        }


def show(request: HttpRequest, template: str, shown: Shown, **context: Any) -> HttpResponse:
    """Render a page of a competition."""
    return render(request, template, shown.context() | context)
