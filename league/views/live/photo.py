"""Upload of a photo of the paper slip by the table's scorer; photos cannot be viewed here."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.forms.results.night import PhotoForm
from league.models import SlipPhoto
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.live.access import Visitor, visitor_at
from league.selectors.live.score_sheet import hanchan_at
from league.services.results.photos import attach_photo
from league.views.live.sheet import actor_of


@never_cache
@require_http_methods(["GET", "POST"])
def photo(request: HttpRequest, table: int, round: int) -> HttpResponse:  # noqa: A002 - the word of the model
    """Show the upload form for the slip of the table's n-th hanchan, and store the photo."""
    visitor = visitor_at(request, table)
    if visitor is None or not visitor.may_write:
        raise Http404(_("There is no such table."))
    with timezone.override(ZoneInfo(visitor.table_session.competition.time_zone)):
        return answer(request, visitor, round)


def answer(request: HttpRequest, visitor: Visitor, number: int) -> HttpResponse:
    """Render the form, or store the photo and redirect."""
    row = visitor.table_session.hanchan.filter(round=number).first()
    hanchan = hanchan_at(visitor, row.pk) if row else None
    if hanchan is None:
        raise Http404(_("There is no such table."))
    form = PhotoForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            attach_photo(hanchan=hanchan, file=form.cleaned_data["file"], by=actor_of(visitor))
        except ServiceError as error:
            form.take(error)
        else:
            return redirect(f"{request.path}?sent=1")
    context = {
        "visitor": visitor,
        "table_session": visitor.table_session,
        "competition": visitor.table_session.competition,
        "hanchan": hanchan,
        "form": form,
        "sent": "sent" in request.GET,
        "count": SlipPhoto.objects.filter(hanchan=hanchan, removed_at=None).count(),
    }
    return render(request, "live/photo.html", context, status=422 if form.errors else 200)
