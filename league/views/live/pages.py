"""The pages at a table: the score sheet for who keeps it, and a player's yes or no to the result.

The pages carry their scripts' texts and addresses as data; all they show comes from the table's document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.models import TableSession
from league.platform.environment import ROOT
from league.selectors.access.actors import Capability
from league.selectors.live.access import Visitor, has_ended, visitor_at
from league.views.live.sheet_tiles import asked_hanchan, tiles_of
from league.views.live.sheet_words import confirm_words, sheet_words

View = Callable[..., HttpResponse]
WORKER = ROOT / "league" / "static" / "league" / "sheet" / "worker.js"
NOT_KEPT = "private, no-store"


def table_page(view: View) -> Callable[..., HttpResponseBase]:
    """A page at one table, for its staff and those who hold one of its links; a visitor without either may log in."""

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, table: int) -> HttpResponseBase:
        visitor = visitor_at(request, table)
        response: HttpResponseBase
        if visitor is None:
            response = refused(request, table)
        else:
            with timezone.override(ZoneInfo(visitor.table_session.competition.time_zone)):
                response = view(request, visitor)
        response["Cache-Control"] = NOT_KEPT
        return response

    return page


def refused(request: HttpRequest, table: int) -> HttpResponseBase:
    """Say that the visitor's link has ended; without one, ask for a login. Raise Http404 for another's account."""
    row = TableSession.objects.filter(pk=table).first()
    if row is not None and has_ended(request, row):
        return render(request, "live/ended.html", status=410)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    raise Http404(_("There is no such table."))


@table_page
def sheet(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """The live score sheet; a player's link leads to the confirmation alone."""
    hanchan = asked_hanchan(request, visitor)
    if hanchan is None:
        return render(request, "live/none.html", {"table_session": visitor.table_session}, status=404)
    context = shared(request, visitor, sheet_words())
    context["data"]["urls"] |= {
        name: reverse(f"pages:table-{name}", args=[visitor.table_session.pk])
        for name in ("events", "preview", "legality", "submit", "hand")
    }
    tiles = tiles_of(hanchan)
    context["data"]["riichi"] = tiles.get("kinds_of_riichi", [])
    context["rounds"] = list(visitor.table_session.hanchan.order_by("round").values_list("round", flat=True))
    return render(request, "live/sheet.html", context | tiles)


@table_page
def confirm(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """A player says whether the result is right."""
    context = shared(request, visitor, confirm_words())
    context["data"]["urls"] |= {
        name: reverse(f"pages:table-{name}", args=[visitor.table_session.pk]) for name in ("approve", "object")
    }
    return render(request, "live/confirm.html", context)


@require_safe
@cache_control(no_cache=True)
def worker(_request: HttpRequest) -> HttpResponse:
    """The worker that keeps the pages at a table on the device; it looks after the addresses beneath its own."""
    return HttpResponse(WORKER.read_text(), content_type="text/javascript; charset=utf-8")


def shared(request: HttpRequest, visitor: Visitor, words: dict[str, Any]) -> dict[str, Any]:
    """What the scripts of both pages start from, and the ways out of them."""
    table = visitor.table_session
    data = {
        "table": table.pk,
        "user": visitor.user.pk if visitor.user else f"link-{visitor.link.pk}" if visitor.link else "",
        "csrf": get_token(request),
        "urls": {
            "state": reverse("pages:table-state", args=[table.pk]),
            "worker": reverse("pages:table-worker"),
        },
        "words": words,
    }
    return {
        "table_session": table,
        "competition": table.competition,
        "visitor": visitor,
        "data": data,
        "may_type": Capability.SUBMIT in visitor.may,
        "may_see_desk": visitor.is_staff and request.user.is_staff,
    }
