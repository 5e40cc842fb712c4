"""Pictures for link previews (og:image), and the stylesheet with a competition's accent colour.

A card shows to all requests what an anonymous visitor sees: it ends up in chats. It is drawn once for each
published version and language, and cached under its ETag like a page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.selectors.access.etags import etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import hanchan_of, shown_table, shown_tables, stamp_of
from league.selectors.competitions.schedule import played_tables
from league.selectors.people.player_records import entrant_of
from league.selectors.standings.published import outcome_of, standings_of
from league.views.base import PageData, competition_page
from league.web.card_image import Card, draw_card, japanese_font
from league.web.middleware.spoiler_guard import apply_guard
from league.web.previews import CardData, hanchan_card, league_card, main_table, player_card
from league.web.response_cache import Render, cached_response
from league.wording.accents import for_dark

Draw = Callable[..., Card]


def card_page(make: Draw) -> Callable[..., HttpResponseBase]:
    """Decorate a function that returns a card for a reader as a view of its picture in the language of the URL."""

    @require_safe
    def view(request: HttpRequest, slug: str, language: str, **keys: object) -> HttpResponseBase:
        if language not in dict(settings.LANGUAGES):
            raise Http404(_("There is no such language."))

        def read() -> tuple[str, Render]:
            found = public_reader(slug)
            if found is None:
                raise Http404(_("There is no such competition."))
            reader = apply_guard(request, found)
            # The etag names the language, so it is made with the card's own active.
            etag = etag_of(reader, "card", japanese_font(), settings.BASE_URL)
            return etag, partial(picture, make, reader, language, **keys)

        with translation.override(language):
            return cached_response(request, read, is_shared=True)

    return view


def picture(make: Draw, reader: Reader, language: str, **keys: object) -> HttpResponse:
    """Return the drawn card."""
    drawn_in = language if japanese_font() else "en"
    with translation.override(drawn_in), timezone.override(ZoneInfo(reader.competition.time_zone)):
        return HttpResponse(draw_card(make(reader, **keys)), content_type="image/png")


def data_of(reader: Reader, shown: PageData) -> CardData:
    """Return what every card of the competition needs."""
    return CardData(reader.competition, shown.ruleset.ranking_ledger.scale, stamp_of(reader))


@card_page
def home(reader: Reader) -> Card:
    """Return the card of a competition: the champion or leader, and the furthest table."""
    return league_card(data_of(reader, PageData(reader)), main_table(shown_tables(reader)), outcome_of(reader))


@card_page
def block(reader: Reader, key: str) -> Card:
    """Return the card of a block."""
    shown = PageData(reader)
    return league_card(data_of(reader, shown), shown_table(reader, shown.block(key)))


@card_page
def entrant(reader: Reader, key: str) -> Card:
    """Return the card of a player."""
    shown = PageData(reader)
    found = entrant_of(reader, key)
    if found is None:
        raise Http404(_("There is no such player here."))
    row = next((each for each in reversed(standings_of(reader, entrant=found)) if each.played), None)
    table = shown_table(reader, row.block) if row else None
    return player_card(data_of(reader, shown), table, found.player)


@card_page
def hanchan(reader: Reader, key: int) -> Card:
    """Return the card of a hanchan with a result that the public may see."""
    row = None if reader.guards_guests else hanchan_of(reader, key)
    games = played_tables(reader, [row.table_session])[0].hanchan if row else ()
    played = next((each for each in games if each.hanchan.pk == key and each.results), None)
    if played is None:
        raise Http404(_("There is no such hanchan."))
    return hanchan_card(data_of(reader, PageData(reader)), played)


@competition_page
def accent(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Return the stylesheet that replaces the house green by the competition's accent colour."""
    colour = reader.competition.accent
    if not colour:
        raise Http404(_("This competition has no accent colour."))
    css = (
        f"@media screen{{:root{{--house:light-dark({colour},{for_dark(colour)});--on-house:light-dark(#fff,#121412);"
        "--house-tint:color-mix(in srgb,var(--house) 12%,var(--sheet))}}\n"
    )
    return HttpResponse(css, content_type="text/css; charset=utf-8")
