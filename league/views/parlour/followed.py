"""Buttons of the counter for a game followed hand by hand: start it, confirm what the table submitted, abandon it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.models import Competition, ResultSheet
from league.platform.errors import PermissionRefusedError, ServiceError
from league.services.parlour.following import abandon_followed_game, confirm_followed_game, start_followed_game
from league.views.parlour.board import actor_of, add_error_messages, back_to, number_of, sitting_of, staff_page


@require_POST
@staff_page
def follow_start(request: HttpRequest, competition: Competition, pk: int) -> HttpResponse:
    """Start the next game of the table hand by hand."""
    sitting = sitting_of(competition, pk)

    def start() -> int:
        dealer = number_of(request.POST.get("first_dealer"))
        hanchan = start_followed_game(
            sitting=sitting, first_dealer=-1 if dealer is None else dealer, by=actor_of(request)
        )
        messages.success(
            request, _("Game %(number)s is followed hand by hand from now on.") % {"number": hanchan.round}
        )
        # After the changeover the game belongs to the sitting of the new day.
        return hanchan.table_session.sitting.pk

    return _done(request, competition, pk, start)


@require_POST
@staff_page
def follow_confirm(request: HttpRequest, competition: Competition, pk: int) -> HttpResponse:
    """Confirm the result that the table has submitted."""
    session = sitting_of(competition, pk).table_session_id
    key = number_of(request.POST.get("sheet")) or 0
    sheet = ResultSheet.objects.filter(hanchan__table_session=session, pk=key).select_related("hanchan").first()
    if sheet is None:
        raise Http404

    def confirm() -> int:
        confirm_followed_game(sheet=sheet, by=actor_of(request))
        messages.success(request, _("Game %(number)s is in.") % {"number": sheet.hanchan.round})
        return pk

    return _done(request, competition, pk, confirm)


@require_POST
@staff_page
def follow_abandon(request: HttpRequest, competition: Competition, pk: int) -> HttpResponse:
    """Abandon the game that is followed at the table."""
    sitting = sitting_of(competition, pk)

    def abandon() -> int:
        abandon_followed_game(sitting=sitting, by=actor_of(request), reason=request.POST.get("reason", ""))
        messages.success(request, _("The game is abandoned; it does not count."))
        return pk

    return _done(request, competition, pk, abandon)


def _done(request: HttpRequest, competition: Competition, pk: int, act: Callable[[], int]) -> HttpResponse:
    """Carry out the button and redirect to the counter, with its errors as messages."""
    try:
        pk = act()
    except PermissionRefusedError:
        raise
    except ServiceError as error:
        add_error_messages(request, error)
    return back_to("counter", competition.slug, pk)
