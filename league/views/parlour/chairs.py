"""The chairs of a table, from its counter: guests sit down, leave, change chairs, and have stand-ins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.forms.fields import number_of
from league.forms.parlour.clock import ClockField
from league.forms.parlour.picker import GuestPicker, choice_in
from league.models import Parlour, Player, Sitting, SittingSeat
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import Running, open_sittings
from league.selectors.parlour.guests import house_players
from league.selectors.parlour.houses import played_books, require_in
from league.services.parlour.chairs import move_guest, swap_guests
from league.services.parlour.people import choose_guest, choose_player
from league.services.parlour.sittings import Guest, join, leave, mark_last_game, set_house, set_stand_in
from league.views.parlour.board import actor_of, back_to, refusals_as_messages, sitting_of, staff_page
from league.wording.names import person_name

TYPED = ("guest", "house", "stays", "at")
"""Fields that are typed again into the form of a refused action."""


@require_POST
@staff_page
def seats(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Change what one chair is about; then redirect to the counter, with the input if it was refused."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    sitting = sitting_of(parlour, pk)
    chair, action = number_of(request.POST.get("chair")), request.POST.get("action", "")
    if chair is None or action not in ACTIONS:
        raise Http404
    with refusals_as_messages(request):
        ACTIONS[action](request, sitting, chair, actor_of(request))
        return back_to("counter", parlour.slug, pk)
    typed = {key: request.POST[key] for key in TYPED if key in request.POST}
    return back_to("counter", parlour.slug, pk, chair=chair, action=action, **typed)


def _seat_at(sitting: Sitting, chair: int, shown: str | None) -> SittingSeat:
    """Return the seat whose id the page showed, or without one the occupied seat of the chair.

    Raise ConflictError if the guest has left the chair since the page was loaded: another may sit there by now.
    """
    seats = SittingSeat.objects.filter(sitting=sitting, seat=chair)
    seat = seats.filter(pk=number_of(shown) or 0).first() if shown else seats.filter(left_at=None).first()
    if seat is None:
        raise Http404
    if seat.left_at is not None:
        raise conflict(
            "chair_left",
            _("%(name)s no longer sits there, so nothing was changed. This page shows who sits where now.")
            % {"name": seat.entrant},
        )
    return seat


@transaction.atomic
def _join(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    competition = sitting.table_session.competition
    entrant = choose_guest(competition=competition, choice=choice_in(request.POST), by=by)
    is_house = request.POST.get("house") == "1"
    since = ClockField(book=competition, label="")
    try:
        at = since.clean(request.POST.get("at"))
    except ValidationError as error:
        raise refuse("clock", error.messages[0], "/at") from error
    join(sitting=sitting, seat=chair, guest=Guest(entrant=entrant, is_house=is_house), by=by, at=at)


def _leave(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    leave(seat=_seat_at(sitting, chair, request.POST.get("who")), by=by)


def _last_game(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    seat = _seat_at(sitting, chair, request.POST.get("who"))
    mark_last_game(seat=seat, by=by, is_last=not seat.is_last_game)


def _house(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    seat = _seat_at(sitting, chair, request.POST.get("who"))
    set_house(seat=seat, by=by, is_house=not seat.is_house)


@transaction.atomic
def _stand_in(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    choice = choice_in(request.POST)
    player = None
    if choice.text or choice.player:
        player = choose_player(sitting.table_session.competition, choice, by)
    stays = request.POST.get("stays") == "1"
    set_stand_in(seat=_seat_at(sitting, chair, request.POST.get("who")), player=player, by=by, stays=stays)


def _move(request: HttpRequest, sitting: Sitting, chair: int, by: Actor) -> None:
    """Move the guest to the chosen place: an empty chair `sitting:chair`, or `sitting:chair:seat` to swap guests."""
    parlour = sitting.table_session.competition.parlour
    if parlour is None:
        raise Http404
    target, number, guest = (*request.POST.get("place", "").split(":", 2), "", "")[:3]
    other, place = sitting_of(parlour, number_of(target) or 0), number_of(number)
    if place is None:
        raise Http404
    seat = _seat_at(sitting, chair, request.POST.get("who"))
    if guest:
        swap_guests(one=seat, other=_seat_at(other, place, guest), by=by)
    else:
        move_guest(seat=seat, sitting=other, chair=place, by=by)


ACTIONS: Mapping[str, Callable[[HttpRequest, Sitting, int, Actor], None]] = {
    "join": _join,
    "leave": _leave,
    "last": _last_game,
    "house": _house,
    "stand_in": _stand_in,
    "move": _move,
}


@dataclass(frozen=True, slots=True)
class ChairChoice:
    """A chair to which a guest may move, by its value in the form; the guest of a taken one (`seat`) swaps."""

    value: str
    label: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class ChairsPart:
    """The data of the counter's list of chairs beyond the table: typed values, places to move to, staff to play."""

    chair: int | None
    action: str
    picker: GuestPicker
    house: bool
    stays: bool
    at: str
    places: tuple[ChairChoice, ...]
    staff: tuple[Player, ...]


def chairs_part(request: HttpRequest, parlour: Parlour, table: Running) -> ChairsPart:
    """Return the chairs as the counter shows them; what was typed and refused is in the address."""
    tables = open_sittings(played_books(parlour))
    sitting = {seat.entrant.player_id for each in tables for seat in each.seated}
    return ChairsPart(
        chair=number_of(request.GET.get("chair")),
        action=request.GET.get("action", ""),
        picker=GuestPicker.typed(parlour.pk, request.GET, focus=True),
        house=request.GET.get("house") == "1",
        stays=request.GET.get("stays") == "1",
        at=request.GET.get("at", ""),
        places=tuple(_places(tables, table)),
        staff=tuple(player for player in house_players(parlour.pk) if player.pk not in sitting),
    )


def _places(tables: list[Running], table: Running) -> list[ChairChoice]:
    """Return the chairs of all running tables, those of this table first."""
    found = []
    for each in sorted(tables, key=lambda one: one.sitting.pk != table.sitting.pk):
        for chair, seat in enumerate(each.chairs):
            shown = {"table": each.table, "chair": chair + 1, "name": person_name(seat.entrant.player) if seat else ""}
            swap, empty = _("Table %(table)s: swap with %(name)s"), _("Table %(table)s: empty chair %(chair)s")
            value = f"{each.sitting.pk}:{chair}" + (f":{seat.pk}" if seat else "")
            found.append(ChairChoice(value, (swap if seat else empty) % shown, seat.pk if seat else None))
    return found
