"""The pages at a table: the score sheet for the scorer, and the confirmation of the result by a player.

The pages carry their scripts' texts and URLs as data; everything else comes from the table's JSON document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.models import Competition, TableSession
from league.platform.environment import ROOT
from league.platform.rendering import render
from league.selectors.access.actors import Capability
from league.selectors.competitions.clock import clock_of
from league.selectors.live.access import Visitor, has_ended, visitor_at
from league.selectors.live.referee_calls import open_call_at
from league.selectors.live.score_sheet import hanchan_open_to
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.views.live.sheet_tiles import asked_hanchan, tiles_of
from league.views.live.sheet_words import confirm_words, sheet_words
from league.web.access.visitors import to_sign_in

View = Callable[..., HttpResponse]
WORKER = ROOT / "league" / "static" / "league" / "sheet" / "worker.js"
"""The service worker's source file, which is served from a view because of its scope."""


def table_page(view: View) -> Callable[..., HttpResponseBase]:
    """Decorate a view as a page at one table, for staff and holders of a table link; others are asked to sign in."""

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, table: int) -> HttpResponseBase:
        visitor = visitor_at(request, table)
        if visitor is None:
            return refused(request, table)
        with timezone.override(ZoneInfo(visitor.table_session.competition.time_zone)):
            return view(request, visitor)

    return page


def refused(request: HttpRequest, table: int) -> HttpResponseBase:
    """Render "link has ended" (410), or redirect to the sign-in page; raise Http404 for an account without rights."""
    row = TableSession.objects.filter(pk=table).first()
    if row is not None and has_ended(request, row):
        return render(request, "live/ended.html", status=410)
    if not request.user.is_authenticated:
        return to_sign_in(request)
    raise Http404(_("There is no such table."))


@table_page
def sheet(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """Show the live score sheet; with a player's link it leads to the confirmation only."""
    hanchan = asked_hanchan(request, visitor)
    if hanchan is None:
        return render(request, "live/none.html", {"table_session": visitor.table_session}, status=404)
    tiles = tiles_of(hanchan)
    data = {
        **data_of(request, visitor, sheet_words(), ("events", "preview", "legality", "submit", "hand")),
        "riichi": tiles.get("kinds_of_riichi", []),
    }
    rounds = [each.round for each in hanchan_open_to(visitor)]
    return render(request, "live/sheet.html", {**shared(request, visitor), "data": data, "rounds": rounds, **tiles})


@table_page
def confirm(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """Show the page on which a player confirms the result or objects to it."""
    data = data_of(request, visitor, confirm_words(), ("approve", "object"))
    return render(request, "live/confirm.html", {**shared(request, visitor), "data": data})


@require_safe
@cache_control(no_cache=True)
def worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker that keeps the pages at a table available offline.

    It is served below `/tables/`, because a service worker controls only the URLs below its own.
    """
    return HttpResponse(WORKER.read_text(), content_type="text/javascript; charset=utf-8")


def data_of(
    request: HttpRequest, visitor: Visitor, words: Mapping[str, object], actions: Iterable[str]
) -> dict[str, object]:
    """Return the data of a page's script: the table, the texts, and the addresses of the actions it offers."""
    table = visitor.table_session
    return {
        "table": table.pk,
        # Key of the device's local storage: entries kept offline must not be sent under another user's name.
        "user": visitor.user.pk if visitor.user else f"link-{visitor.link.pk}" if visitor.link else "",
        "csrf": get_token(request),
        "urls": {
            "state": reverse("pages:table-state", args=[table.pk]),
            "worker": reverse("pages:table-worker"),
            **{name: reverse(f"pages:table-{name}", args=[table.pk]) for name in actions},
        },
        "words": words,
    }


def shared(request: HttpRequest, visitor: Visitor) -> dict[str, object]:
    """Return the template context common to both pages."""
    table = visitor.table_session
    return {
        "table_session": table,
        "competition": table.competition,
        "visitor": visitor,
        "may_type": Capability.SUBMIT in visitor.may,
        "may_see_desk": visitor.is_staff and request.user.is_staff,
        "takes_logs": takes_logs(visitor),
        **hall(visitor),
    }


def takes_logs(visitor: Visitor) -> bool:
    """Return True if logs of online games can be imported at the table: in a league whose rules know hands."""
    is_league = visitor.table_session.competition.kind == Competition.Kind.LEAGUE
    return is_league and any(ruleset_of(each.rules).play is not None for each in hanchan_open_to(visitor))


def hall(visitor: Visitor) -> dict[str, object]:
    """Return the round clock and the open call for a referee; nothing at an open table."""
    table = visitor.table_session
    if table.competition.kind != Competition.Kind.LEAGUE:
        return {}
    return {
        "clock": clock_of(table.session),
        "standing": open_call_at(table),
        "refresh": reverse("pages:clock", args=[table.competition.slug, table.session.number]),
    }
