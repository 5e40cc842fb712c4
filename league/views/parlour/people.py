"""The guests of a parlour: the search behind every guest field, the waiting list, and merging two entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.forms.fields import number_of
from league.forms.parlour.picker import GuestPicker, choice_in
from league.models import Parlour, Player, WaitingGuest
from league.platform.rendering import render
from league.selectors.access.actors import Actor, Capability, competitions_where
from league.selectors.parlour.board import open_sittings
from league.selectors.parlour.guests import find_guests, house_players
from league.selectors.parlour.houses import played_books, require_in
from league.selectors.parlour.merging import Holdings, holdings_of
from league.services.parlour.people import (
    add_waiting,
    choose_known,
    choose_player,
    drop_waiting,
    merge_players,
    refuse_unmergeable,
    seat_waiting,
)
from league.views.parlour.board import (
    actor_of,
    back_to,
    book_of,
    frame,
    refusals_as_messages,
    sitting_of,
    staff_page,
)
from league.wording.names import person_name, reading_of

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


@require_safe
@staff_page
def guests(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Return the guests matching the typed text as JSON, each with the table where they sit now."""
    found = find_guests(parlour.pk, request.GET.get("q", ""))
    tables = open_sittings(played_books(parlour))
    sits = {seat.entrant.player_id: table.table for table in tables for seat in table.seated}
    staff = {player.pk for player in house_players(parlour.pk)}
    listed = [
        {
            "player": guest.player.pk,
            "name": person_name(guest.player),
            "reading": reading_of(guest.player),
            "number": guest.number,
            "table": sits.get(guest.player.pk, ""),
            "house": guest.player.pk in staff,
        }
        for guest in found
    ]
    return JsonResponse({"guests": listed})


# The waiting list


@require_POST
@staff_page
def waiting(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Add guests to the waiting list, seat one of them, or remove them from the list."""
    by, action = actor_of(request), request.POST.get("action")
    require_in(by, parlour, Capability.SUBMIT)
    query: dict[str, object] = {}
    with refusals_as_messages(request):
        if action == "add":
            query = {key: request.POST.get(key, "") for key in ("guest", "party", "wish", "book")}
            _add(request, parlour, by)
            return back_to("board", parlour.slug)
        rows = WaitingGuest.objects.filter(competition__parlour=parlour)
        row = rows.filter(pk=number_of(request.POST.get("waiting")) or 0).first()
        if row is None:
            raise Http404
        if action != "gone":
            query = {"waiting": row.pk, "guest": request.POST.get("guest", "")}
            return _seat(request, parlour, row, by)
        drop_waiting(waiting=row, by=by)
    return back_to("board", parlour.slug, **query)


@transaction.atomic
def _add(request: HttpRequest, parlour: Parlour, by: Actor) -> None:
    book = book_of(request, played_books(parlour))
    player = choose_player(book, choice_in(request.POST), by)
    party = number_of(request.POST.get("party") or "1") or 0
    add_waiting(competition=book, player=player, party=party, wish=request.POST.get("wish", ""), by=by)


@transaction.atomic
def _seat(request: HttpRequest, parlour: Parlour, row: WaitingGuest, by: Actor) -> HttpResponse:
    """Seat one of a waiting party on the chosen chair, posted as `sitting:chair`."""
    sitting, _colon, chair = request.POST.get("place", "").partition(":")
    table = sitting_of(parlour, number_of(sitting) or 0)
    choice = choice_in(request.POST)
    guest = choose_player(table.table_session.competition, choice, by) if choice.text or choice.player else None
    seat_waiting(waiting=row, sitting=table, seat=number_of(chair) or 0, by=by, player=guest)
    return back_to("counter", parlour.slug, table.pk)


# Merging


@dataclass(frozen=True, slots=True)
class MergePreview:
    """Two entries that would become one, and what each holds."""

    duplicate: Holdings
    keep: Holdings

    @property
    def rows(self) -> list[tuple[StrPromise, object, object]]:
        """Return what is shown of both side by side: a name, and the two values."""
        return [(name, value(self.duplicate), value(self.keep)) for name, value in HELD]


HELD: tuple[tuple[StrPromise, Callable[[Holdings], object]], ...] = (
    (gettext_lazy("Rule books"), lambda one: _(", ").join(one.books)),
    (gettext_lazy("Games"), lambda one: one.games),
    (gettext_lazy("Sittings"), lambda one: one.sittings),
    (gettext_lazy("Sits now at table"), lambda one: one.sits_at or "–"),
    (gettext_lazy("On the waiting list"), lambda one: one.waiting),
    (gettext_lazy("Statements"), lambda one: one.statements),
    (gettext_lazy("Payments"), lambda one: one.payments),
    (gettext_lazy("Drinks and other items"), lambda one: one.extras),
    (gettext_lazy("Stamps on the card"), lambda one: "–" if one.stamps is None else one.stamps),
)


@staff_page
def merge(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show what two entries of one person hold, then merge them once that is confirmed."""
    by = actor_of(request)
    require_in(by, parlour, Capability.MANAGE)
    preview = None
    if request.method == "POST":
        with refusals_as_messages(request):
            duplicate, keep = _typed_players(request, parlour, by)
            if request.POST.get("confirmed") == f"{duplicate.pk}:{keep.pk}":
                merge_players(duplicate=duplicate, keep=keep, by=by, reason=request.POST.get("reason", "").strip())
                names = {"one": person_name(duplicate), "kept": person_name(keep)}
                messages.success(request, _("%(one)s counts for %(kept)s from now on.") % names)
                return back_to("merge_guests", parlour.slug)
            # The entry that stays may also be a guest of a house that is none of this user's business.
            own = competitions_where(request.user, Capability.MANAGE)
            preview = MergePreview(holdings_of(duplicate, own), holdings_of(keep, own))
    context = frame(
        request,
        parlour,
        "merge",
        duplicate=GuestPicker.typed(parlour.pk, request.POST, "_duplicate", focus=preview is None, known=True),
        keep=GuestPicker.typed(parlour.pk, request.POST, "_keep", known=True),
        reason=request.POST.get("reason", ""),
        preview=preview,
    )
    is_refused = request.method == "POST" and preview is None
    return render(request, "parlour/merge.html", context, status=422 if is_refused else 200)


def _typed_players(request: HttpRequest, parlour: Parlour, by: Actor) -> tuple[Player, Player]:
    """Return both people as typed; raise unless they can be one person."""
    book = played_books(parlour)[0]
    duplicate, keep = (choose_known(book, choice_in(request.POST, suffix)) for suffix in ("_duplicate", "_keep"))
    return refuse_unmergeable(duplicate, keep, by)
