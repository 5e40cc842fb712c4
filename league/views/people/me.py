"""The visitor as a player ("me"): chosen without an account, kept in a cookie, shown as that player's page and card.

The pages of a competition are the same for all visitors and kept by shared caches. What a visitor has chosen is
therefore read below `me/` alone, and nothing of it is stored on the way.
"""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.platform.rendering import render
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_listed, stamp_of
from league.selectors.people.mine import Mine, mine_of, teams_with_members
from league.selectors.people.visibility import kept_player
from league.selectors.rulebooks.clauses import address
from league.selectors.seasons.members import has_teams, member_table
from league.views.base import PageData, reader_at, render_in_zone, show
from league.views.people.card import shown_card
from league.views.people.players import entrant_context
from league.views.seasons.member_now import member_now
from league.views.seasons.member_page import member_context
from league.web.access.competition_cookies import ME

if TYPE_CHECKING:
    from collections.abc import Callable


def own_page(view: Callable[[HttpRequest, Reader], HttpResponse]) -> Callable[[HttpRequest, str], HttpResponse]:
    """Decorate a view about the visitor: it gets a reader instead of the slug; `SafeHeaders` keeps it out of caches."""

    @wraps(view)
    def page(request: HttpRequest, slug: str) -> HttpResponse:
        reader = reader_at(request, slug)
        if reader.guards_guests:
            raise Http404(_("The guests of this table are not public."))
        return render_in_zone(view, request, reader)

    return page


@require_http_methods(["GET", "HEAD", "POST"])
@own_page
def me(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the page of the player who the visitor is, or of the one asked for with `?player=`; without one, ask.

    In a league of teams that is a team, or a member of one. A form keeps the player on the device, or forgets them.
    """
    if request.method == "POST":
        return choose(request, reader)
    kept = chosen(request, reader)
    return renewed(request, reader, kept, shown_or_asked(request, reader, kept))


def shown_or_asked(request: HttpRequest, reader: Reader, kept: Mine | None) -> HttpResponse:
    """Return the page of the player asked for, or else of the one kept; without one, the question."""
    asked_for = request.GET.get("player")
    mine = kept if asked_for is None else mine_of(reader, asked_for)
    if mine is None:
        return ask(request, reader, kept, is_unknown=bool(asked_for))
    shown, mark = PageData(reader), {"tab": "me", "is_me": mine == kept}
    if mine.member is not None:
        return show(request, "seasons/member.html", shown, **member_context(shown, mine.member.key) | mark)
    return show(request, "people/entrant.html", shown, **entrant_context(shown, mine.entrant) | mark)


@require_safe
@own_page
def card(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Return the short card, or the question, as a part for the competition's page."""
    mine = chosen(request, reader)
    if mine is None:
        return render(request, "people/me/ask.html", asked(reader))
    return renewed(request, reader, mine, card_of(request, reader, mine))


def card_of(request: HttpRequest, reader: Reader, mine: Mine) -> HttpResponse:
    """Return the short card of a player or member."""
    shown = PageData(reader)
    card = shown_card(reader, mine.entrant, shown)
    if mine.member is None:
        return show(request, "people/me/card.html", shown, card=card)
    rows = [row for row in member_table(reader) if row.player == mine.member]
    now = member_now(shown, mine.entrant, mine.member, rows)
    return show(request, "people/me/member_card.html", shown, card=card, mine=mine, now=now)


def chosen(request: HttpRequest, reader: Reader) -> Mine | None:
    """Return the player whom the cookie names, or who was kept when that entry was merged.

    None without a cookie, or if that player is not in the competition.
    """
    key = ME.of(request, reader.competition.slug)
    if not key:
        return None
    mine = mine_of(reader, key)
    if mine is None and (kept := kept_player(key, request.user)):
        return mine_of(reader, kept.key)
    return mine


def renewed(request: HttpRequest, reader: Reader, mine: Mine | None, response: HttpResponse) -> HttpResponse:
    """Return the response, with a new cookie if the one sent names an entry merged into the player kept."""
    slug = reader.competition.slug
    if mine is not None and mine.player.key != ME.of(request, slug):
        ME.keep(request, response, slug, mine.player.key)
    return response


def choose(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Keep the player in the cookie, or forget them for an empty choice."""
    slug, key = reader.competition.slug, request.POST.get("player", "")
    if key and mine_of(reader, key) is None:
        return ask(request, reader, chosen(request, reader), is_unknown=True)
    response = HttpResponseRedirect(address("me", slug))
    if key:
        ME.keep(request, response, slug, key)
    else:
        ME.forget(response, slug)
    return response


def ask(request: HttpRequest, reader: Reader, kept: Mine | None, *, is_unknown: bool) -> HttpResponse:
    """Ask which player the visitor is; 422 if the one asked for does not exist."""
    context = asked(reader) | {"tab": "me", "kept": kept, "is_unknown": is_unknown, "stamp": stamp_of(reader)}
    response = show(request, "people/me/me.html", PageData(reader), **context)
    response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if is_unknown else HTTPStatus.OK
    return response


def asked(reader: Reader) -> dict[str, object]:
    """Return what the question needs."""
    if has_teams(reader):
        return {"competition": reader.competition, "teams": teams_with_members(reader), "has_teams": True,
                "people": entrants_listed(reader)}  # fmt: skip
    people = [each for each in entrants_listed(reader) if not each.is_house]
    return {"competition": reader.competition, "people": people, "has_teams": False}
