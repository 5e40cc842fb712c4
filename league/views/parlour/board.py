"""Pages for a parlour's staff: the board of running tables, opening a table, the waiting list, guests.

Every page shows the current facts, not a published version, and is never cached. Each action calls one service and
redirects back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import structlog
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.forms.parlour.sitting import SittingForm
from league.models import Competition, Door, Entrant, Player, Sitting, WaitingGuest
from league.platform.errors import PermissionRefusedError, ServiceError
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.selectors.access.readers import visible_competitions
from league.selectors.parlour.board import (
    Running,
    business_day,
    closed_day,
    open_sittings,
    parlours_of,
    running,
    waiting_list,
)
from league.selectors.parlour.guests import find_guests
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.parlour.people import (
    GuestChoice,
    add_waiting,
    choose_guest,
    choose_player,
    drop_waiting,
    merge_players,
    seat_waiting,
)
from league.services.parlour.sittings import Guest, SittingPlan, open_sitting
from league.web.visitors import user_of
from league.wording.names import person_name, reading_of

View = Callable[..., HttpResponse]
NOT_KEPT = "private, no-store"
"""Cache-Control of staff pages: they show guests' data and change at any moment."""
LONGEST_NUMBER = 18
"""Digits of the longest number read from a form: ids and counts fit into 64 bits."""


def staff_page(view: View) -> Callable[..., HttpResponseBase]:
    """Decorate a view as a staff page of an open table, called with the competition instead of its slug.

    Anonymous visitors are redirected to the sign-in page; users who do not work there get 404.
    """

    @wraps(view)
    def page(request: HttpRequest, slug: str, **keys: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        competition = visible_competitions(request.user).filter(slug=slug, kind=Competition.Kind.OPEN).first()
        if competition is None or Capability.READ not in capabilities(request.user, competition):
            raise Http404(_("There is no such open table."))
        with timezone.override(ZoneInfo(competition.time_zone)):
            try:
                response = view(request, competition, **keys)
            except PermissionRefusedError as error:
                raise PermissionDenied(str(error)) from error
        response["Cache-Control"] = NOT_KEPT
        return response

    return page


def actor_of(request: HttpRequest) -> Actor:
    """Return the signed-in user as an actor, with the request's id for the log."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return Actor(user=user_of(request), door=Door.PAGE, request_id=str(request_id))


def may(request: HttpRequest, competition: Competition, capability: Capability) -> bool:
    """Return True if the user has a capability in this competition."""
    return capability in capabilities(request.user, competition)


def add_error_messages(request: HttpRequest, error: ServiceError) -> None:
    """Add the findings of a refusal as messages to the next page."""
    for finding in error.findings:
        messages.error(request, finding.message)


def back_to(name: str, *keys: object, **query: object) -> HttpResponseRedirect:
    """Redirect to one of the parlour's pages."""
    address = reverse(f"pages:{name}", args=keys)
    return HttpResponseRedirect(f"{address}?{urlencode(query)}" if query else address)


def number_of(text: str | None) -> int | None:
    """Parse a number from a form, or return None; no id and no count has more than `LONGEST_NUMBER` digits."""
    is_number = text and len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit()
    return int(text) if text and is_number else None


def choice_of(request: HttpRequest, suffix: str = "") -> GuestChoice:
    """Return the guest picked in a form; `suffix` names one of several pickers in a form."""
    return GuestChoice(
        text=request.POST.get(f"guest{suffix}", "").strip(),
        player=number_of(request.POST.get(f"player{suffix}")),
        is_new=request.POST.get(f"new{suffix}") == "1",
    )


def frame(request: HttpRequest, competition: Competition, tab: str, **context: object) -> dict[str, object]:
    """Return the template context common to a parlour's pages."""
    rules = ruleset_of(rules_at(competition))
    return {
        "competition": competition,
        "parlours": parlours_of(request.user),
        "tab": tab,
        "rules": rules,
        "ranking": rules.ranking_ledger,
        "may_enter": may(request, competition, Capability.SUBMIT),
        "may_direct": may(request, competition, Capability.MANAGE),
        **context,
    }


@dataclass(frozen=True, slots=True)
class Board:
    """The board of an open table."""

    competition: Competition
    tables: tuple[Running, ...]
    waiting: tuple[WaitingGuest, ...]
    is_closed: bool

    @property
    def free_chairs(self) -> list[tuple[Running, int]]:
        """Return the empty chairs, with their tables."""
        return [(table, chair) for table in self.tables for chair in table.empty_chairs]


def boards_of(competitions: list[Competition]) -> list[Board]:
    """Return the boards of several open tables."""
    tables, waiting = open_sittings(competitions), waiting_list(competitions)
    return [
        Board(
            one,
            tuple(table for table in tables if table.competition.pk == one.pk),
            tuple(row for row in waiting if row.competition_id == one.pk),
            closed_day(one, business_day(one)) is not None,
        )
        for one in competitions
    ]


@require_safe
def boards(request: HttpRequest) -> HttpResponseBase:
    """Show the boards of every open table the user works for."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    found = parlours_of(request.user)
    response = render(request, "parlour/boards.html", {"boards": boards_of(found), "parlours": found})
    response["Cache-Control"] = NOT_KEPT
    return response


@require_safe
@staff_page
def board(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Show one open table's board: seats with times, the next dealer, and the waiting list."""
    context = frame(request, competition, "board", board=boards_of([competition])[0])
    return render(request, "parlour/board.html", context)


@staff_page
def open_table(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Open a table with its name, its guests, the way chips are counted, and the options it plays."""
    if not may(request, competition, Capability.SUBMIT):
        raise PermissionDenied
    in_force = rules_at(competition)
    rules = ruleset_of(in_force)
    form = SittingForm(request.POST or None, rules=rules, competition=competition)
    if request.method == "POST" and form.is_valid():
        try:
            sitting = _open(competition, form, rules.players, request)
        except ServiceError as error:
            form.take(error)
        else:
            return back_to("counter", competition.slug, sitting.pk)
    context = frame(request, competition, "open", form=form, waiting=waiting_list([competition]))
    return render(request, "parlour/open.html", context, status=422 if form.is_bound else 200)


@transaction.atomic
def _open(competition: Competition, form: SittingForm, players: int, request: HttpRequest) -> Sitting:
    """Add new guests and open the table in one transaction."""
    by, people = actor_of(request), []
    for chair in range(players):
        choice = choice_of(request, f"_{chair}")
        if choice.text or choice.player:
            entrant = _chosen(competition, choice, by, form, chair)
            if entrant is not None:
                people.append(Guest(entrant=entrant, is_house=request.POST.get(f"house_{chair}") == "1"))
                form.taken_chairs.append(chair)
    if form.errors:
        raise ServiceError
    typed = form.cleaned_data
    plan = SittingPlan(
        table=typed["table"],
        people=people,
        kind=Sitting.Kind(typed["kind"]),
        chips=Sitting.Chips(typed["chips"]),
        options=form.options(),
        yen_per_hour=typed["yen_per_hour"] or 0,
    )
    return open_sitting(competition=competition, plan=plan, by=by)


def _chosen(competition: Competition, choice: GuestChoice, by: Actor, form: SittingForm, chair: int) -> Entrant | None:
    """Return the guest of a chair, or None with the error attached to the chair's field."""
    try:
        return choose_guest(competition=competition, choice=choice, by=by)
    except PermissionRefusedError:
        raise
    except ServiceError as error:
        form.refuse_guest(chair, error)
        return None


@require_safe
@staff_page
def guests(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Return the guests matching the typed text as JSON, each with the table where they sit now."""
    found = find_guests(competition.parlour_id, request.GET.get("q", ""))
    sits = {seat.entrant.player_id: table.table for table in open_sittings([competition]) for seat in table.seated}
    listed = [
        {
            "player": guest.player.pk,
            "name": person_name(guest.player),
            "reading": reading_of(guest.player),
            "number": guest.player.number or (str(guest.entrant.number) if guest.entrant else ""),
            "table": sits.get(guest.player.pk, ""),
        }
        for guest in found
    ]
    return JsonResponse({"guests": listed})


@require_POST
@staff_page
def waiting(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Add a guest to the waiting list, seat a waiting guest, or remove one from the list."""
    by, action = actor_of(request), request.POST.get("action")
    require(by, competition, Capability.SUBMIT)
    try:
        if action == "add":
            with transaction.atomic():
                player = choose_player(competition, choice_of(request), by)
                add_waiting(competition=competition, player=player, by=by)
        else:
            row = WaitingGuest.objects.filter(
                competition=competition, pk=number_of(request.POST.get("waiting")) or 0
            ).first()
            if row is None:
                raise Http404
            if action == "gone":
                drop_waiting(waiting=row, by=by)
            else:
                return _seat(request, competition, row, by)
    except PermissionRefusedError:
        raise
    except ServiceError as error:
        add_error_messages(request, error)
    return back_to("board", competition.slug)


def _seat(request: HttpRequest, competition: Competition, row: WaitingGuest, by: Actor) -> HttpResponse:
    """Seat a waiting guest on the chosen chair, posted as `sitting:chair`."""
    sitting, _colon, chair = request.POST.get("place", "").partition(":")
    table = sitting_of(competition, number_of(sitting) or 0)
    seat_waiting(waiting=row, sitting=table, seat=number_of(chair) or 0, by=by)
    return back_to("counter", competition.slug, table.pk)


def sitting_of(competition: Competition, pk: int) -> Sitting:
    """Return a sitting of the open table; raise Http404 if it has none of this id."""
    found = Sitting.objects.filter(table_session__competition=competition, pk=pk).first()
    if found is None:
        raise Http404(_("There is no such table."))
    return found


def table_of(competition: Competition, pk: int) -> Running:
    """Return the current state of one of its sittings."""
    return running(sitting_of(competition, pk))


@staff_page
def merge(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Merge two entries of the same person into one."""
    if not may(request, competition, Capability.MANAGE):
        raise PermissionDenied
    typed = {"duplicate": choice_of(request, "_duplicate"), "keep": choice_of(request, "_keep")}
    if request.method == "POST":
        by = actor_of(request)
        try:
            found: dict[str, Player] = {
                name: choose_player(competition, GuestChoice(text=each.text, player=each.player), by)
                for name, each in typed.items()
            }
            merge_players(**found, by=by, reason=request.POST.get("reason", "").strip())
        except PermissionRefusedError:
            raise
        except ServiceError as error:
            add_error_messages(request, error)
        else:
            names = {"one": person_name(found["duplicate"]), "kept": person_name(found["keep"])}
            messages.success(request, _("%(one)s counts for %(kept)s from now on.") % names)
            return back_to("merge_guests", competition.slug)
    context = frame(request, competition, "merge", typed=typed)
    return render(request, "parlour/merge.html", context)
