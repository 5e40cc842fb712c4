"""The page at a table that calls a referee, shows how long the call has waited, and takes it back."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.forms.live.calls import CallForm
from league.models import Competition, RefereeCall
from league.platform.errors import PermissionRefusedError, ServiceError
from league.platform.rendering import render
from league.selectors.live.access import Visitor, visitor_at
from league.selectors.live.referee_calls import open_call_at
from league.services.live.referee_calls import call_referee, take_call_back
from league.views.live.pages import refused
from league.views.live.sheet import actor_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def call(request: HttpRequest, table: int) -> HttpResponseBase:
    """Show the call of a table; POST makes one, or takes it back."""
    visitor = visitor_at(request, table)
    if visitor is None or visitor.table_session.competition.kind != Competition.Kind.LEAGUE:
        return refused(request, table)
    standing, form = open_call_at(visitor.table_session), CallForm()
    if request.method == "POST":
        form = CallForm(request.POST)
        if form.is_valid():
            try:
                settle(request, visitor, standing, form.cleaned_data["about"])
            except PermissionRefusedError as error:
                raise PermissionDenied from error
            except ServiceError as error:
                form.take(error)
            else:
                return HttpResponseRedirect(reverse("pages:table-call", args=[table]))
    return page(request, visitor, standing, form)


def settle(request: HttpRequest, visitor: Visitor, standing: RefereeCall | None, about: str) -> None:
    """Make the call, or take the one that stands back."""
    by = actor_of(visitor)
    if "take_back" not in request.POST:
        call_referee(table_session=visitor.table_session, by=by, about=about)
    elif standing is not None:
        take_call_back(call=standing, by=by)


def page(request: HttpRequest, visitor: Visitor, standing: RefereeCall | None, form: CallForm) -> HttpResponse:
    """Render the page; the status is 422 if the form has errors."""
    back = "pages:table-confirm" if visitor.kind == "player" else "pages:table-sheet"
    context = {
        "table_session": visitor.table_session,
        "visitor": visitor,
        "standing": standing,
        "form": form,
        "data": {},
        "back": reverse(back, args=[visitor.table_session.pk]),
    }
    return render(request, "live/call.html", context, status=422 if form.errors else 200)
