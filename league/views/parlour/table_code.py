"""The page behind the code printed on a parlour's table: it opens the running game, or lets the guests start one.

Guests need no account: the scan gives the browser session a link to that game. Nothing here is cached or indexed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.models import ParlourTable, SittingSeat
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.platform.throttling import limit_failed_attempts, rate_limited
from league.selectors.access.actors import Capability, capabilities
from league.selectors.live.access import remember
from league.selectors.parlour.board import Running, running
from league.selectors.parlour.following import is_code_valid, read_code, sitting_at
from league.selectors.people.visibility import hide_behind_handle
from league.services.live.links import note_use
from league.services.parlour.following import link_by_code, start_by_code
from league.wording.names import person_name

GONE = 410


def unlisted(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a view whose address is a secret printed on paper: search engines must not list it."""

    @wraps(view)
    def page(request: HttpRequest, signed: str) -> HttpResponseBase:
        response = view(request, signed)
        response["X-Robots-Tag"] = "noindex"
        return response

    return page


@never_cache
@require_http_methods(["GET", "POST"])
@unlisted
@rate_limited("write")
@limit_failed_attempts
def scan(request: HttpRequest, signed: str) -> HttpResponseBase:
    """Open the game that is followed at the table, or offer to start the next one; a POST starts it."""
    found = read_code(signed)
    if found is None:
        raise Http404(_("There is no such table."))
    table, number = found
    if not is_code_valid(table, number):
        return _say(request, table, "worthless", GONE)
    sitting = sitting_at(table)
    if sitting is None:
        return _say(request, table, "no_sitting")
    now = running(sitting)
    if now.followed is not None:
        return _open(request, table, number, now)
    if not now.is_full:
        return _say(request, table, "chair_empty")
    if now.rules.play is None:
        return _say(request, table, "no_hands")
    return _start(request, table, number, now)


def _say(request: HttpRequest, table: ParlourTable, state: str, status: int = 200) -> HttpResponse:
    """Render the page that says why no game can be opened here now."""
    return render(request, "parlour/code.html", {"table": table, "state": state}, status=status)


def _open(request: HttpRequest, table: ParlourTable, number: int, now: Running) -> HttpResponseRedirect:
    """Redirect to the score sheet of the game; a guest's browser session is given the link to it."""
    session = now.sitting.table_session
    if Capability.READ not in capabilities(request.user, now.competition):
        link = link_by_code(table=table, number=number)
        note_use(link)
        remember(request, link)
    return redirect("pages:table-sheet", session.pk)


def _start(request: HttpRequest, table: ParlourTable, number: int, now: Running) -> HttpResponse:
    """Show the seats with the proposed first dealer, or start the game and open its score sheet."""
    error, chosen = "", now.next_dealer
    if request.method == "POST":
        typed = request.POST.get("first_dealer", "")
        chosen = int(typed) if typed in map(str, range(len(now.chairs))) else None
        try:
            if chosen is None:
                error = _("Choose the player who deals first.")
            else:
                start_by_code(table=table, number=number, first_dealer=chosen)
                return redirect(request.path)
        except ServiceError as refused:
            error = " ".join(finding.message for finding in refused.findings)
    seats = [(chair, _name(seat)) for chair, seat in enumerate(now.seated)]
    context = {"table": table, "now": now, "seats": seats, "chosen": chosen, "error": error}
    return render(request, "parlour/table_start.html", context, status=422 if error else 200)


def _name(seat: SittingSeat) -> str:
    """Return the name of the guest on a chair as other guests may see it, or of the stand-in."""
    player = seat.stand_in or seat.entrant.player
    hide_behind_handle(player)
    return person_name(player)
