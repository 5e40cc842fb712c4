"""Games followed hand by hand, for the staff: the counter's buttons, and the codes to print for the tables."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.forms.fields import number_of
from league.models import Parlour, ParlourTable, ResultSheet
from league.platform.rendering import render
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Capability
from league.selectors.parlour.following import code_of, tables_of
from league.selectors.parlour.houses import require_in
from league.services.parlour.following import (
    abandon_followed_game,
    confirm_followed_game,
    renew_table_code,
    start_followed_game,
)
from league.views.parlour.board import (
    actor_of,
    back_to,
    frame,
    refusals_as_messages,
    sitting_of,
    staff_page,
)


@require_POST
@staff_page
def follow_start(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Start the next game of the table hand by hand."""
    sitting = sitting_of(parlour, pk)
    dealer = number_of(request.POST.get("first_dealer"))
    with refusals_as_messages(request):
        hanchan = start_followed_game(
            sitting=sitting, first_dealer=-1 if dealer is None else dealer, by=actor_of(request)
        )
        messages.success(
            request, _("Game %(number)s is followed hand by hand from now on.") % {"number": hanchan.round}
        )
        # After the changeover the game belongs to the sitting of the new day.
        pk = hanchan.table_session.sitting.pk
    return back_to("counter", parlour.slug, pk)


@require_POST
@staff_page
def follow_confirm(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Confirm the result that the table has submitted."""
    require_in(actor_of(request), parlour, Capability.CONFIRM)
    session = sitting_of(parlour, pk).table_session_id
    key = number_of(request.POST.get("sheet")) or 0
    sheet = ResultSheet.objects.filter(hanchan__table_session=session, pk=key).select_related("hanchan").first()
    if sheet is None:
        raise Http404
    with refusals_as_messages(request):
        confirm_followed_game(sheet=sheet, by=actor_of(request))
        messages.success(request, _("Game %(number)s is in.") % {"number": sheet.hanchan.round})
    return back_to("counter", parlour.slug, pk)


@require_POST
@staff_page
def follow_abandon(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Abandon the game that is followed at the table."""
    sitting = sitting_of(parlour, pk)
    with refusals_as_messages(request):
        abandon_followed_game(sitting=sitting, by=actor_of(request), reason=request.POST.get("reason", ""))
        messages.success(request, _("The game is abandoned; it does not count."))
    return back_to("counter", parlour.slug, pk)


@require_safe
@staff_page
def codes(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show the codes of all tables, to be printed and put on them; printing again gives the same ones."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    labels = [
        (table, absolute_url("pages:table_code", code_of(table), request=request)) for table in tables_of(parlour)
    ]
    return render(request, "parlour/codes.html", frame(request, parlour, "codes", labels=labels))


@require_POST
@staff_page
def renew_code(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Make the printed codes of a table worthless, and show its new one."""
    require_in(actor_of(request), parlour, Capability.MANAGE)
    key = number_of(request.POST.get("table")) or 0
    table = ParlourTable.objects.filter(parlour=parlour, removed_at=None, pk=key).first()
    if table is None:
        raise Http404
    with refusals_as_messages(request):
        renew_table_code(table=table, by=actor_of(request))
        messages.success(request, _("Table %(table)s has a new code. Print it now.") % {"table": table.name})
    return back_to("codes", parlour.slug)
