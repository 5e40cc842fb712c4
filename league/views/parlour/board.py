"""Pages for a parlour's staff: the board of running tables, opening a table, the waiting list, guests.

Every page shows the current facts, not a published version, and is never cached (`SafeHeaders`). Each action
calls one service and redirects back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
)
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.forms.fields import number_of
from league.forms.parlour.picker import GuestPicker, choice_in
from league.forms.parlour.sitting import SittingForm
from league.models import Competition, Door, Entrant, Parlour, Sitting
from league.platform.errors import PermissionRefusedError, ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import Actor, Capability, competitions_where, has_right
from league.selectors.parlour.board import (
    Running,
    running,
    waiting_list,
)
from league.selectors.parlour.houses import house_day, parlour_capabilities, parlours_of, played_books, require_in
from league.selectors.parlour.waits import waiting_lines
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.parlour.people import (
    GuestChoice,
    choose_guest,
)
from league.services.parlour.sittings import Guest, SittingPlan, open_sitting
from league.views.parlour.tables import board_of, debtors_of
from league.web.access.visitors import to_sign_in, user_of
from league.web.problems import request_id

View = Callable[..., HttpResponseBase]


def staff_page(view: View) -> Callable[..., HttpResponseBase]:
    """Decorate a view as a staff page of a parlour, called with the parlour instead of its slug.

    Anonymous visitors are redirected to the sign-in page; users who work for none of its books get 404.
    """

    @wraps(view)
    def page(request: HttpRequest, slug: str, **keys: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return to_sign_in(request)
        own = competitions_where(request.user, Capability.READ).filter(parlour__slug=slug)
        book = own.select_related("parlour").order_by("pk").first()
        if book is None or book.parlour is None:
            raise Http404(_("There is no such parlour."))
        with timezone.override(ZoneInfo(book.time_zone)):
            try:
                return view(request, book.parlour, **keys)
            except PermissionRefusedError as error:
                raise PermissionDenied(str(error)) from error

    return page


def actor_of(request: HttpRequest) -> Actor:
    """Return the signed-in user as an actor, with the request's id for the log."""
    return Actor(user=user_of(request), door=Door.PAGE, request_id=request_id())


def may(request: HttpRequest, parlour: Parlour, capability: Capability) -> bool:
    """Return True if the user has a capability in this parlour."""
    return capability in parlour_capabilities(request.user, parlour)


@dataclass(frozen=True, slots=True)
class RefusalsTo:
    """A context that hands a refusal to `take`; a missing permission passes on to `staff_page`."""

    take: Callable[[ServiceError], object]

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Take a refusal; let anything else pass."""
        if isinstance(error, PermissionRefusedError) or not isinstance(error, ServiceError):
            return False
        self.take(error)
        return True


def refusals_as_messages(request: HttpRequest) -> RefusalsTo:
    """Return a context that adds the findings of a refusal as messages to the next page."""

    def take(error: ServiceError) -> None:
        for finding in error.findings:
            messages.error(request, finding.message)

    return RefusalsTo(take)


def back_to(name: str, *keys: object, **query: object) -> HttpResponseRedirect:
    """Redirect to one of the parlour's pages."""
    address = reverse(f"pages:{name}", args=keys)
    return HttpResponseRedirect(f"{address}?{urlencode(query)}" if query else address)


def frame(request: HttpRequest, parlour: Parlour, tab: str, **context: object) -> dict[str, object]:
    """Return the template context common to a parlour's pages."""
    rights = parlour_capabilities(request.user, parlour)
    return {
        "parlour": parlour,
        "parlours": parlours_of(request.user),
        "tab": tab,
        "may_enter": Capability.SUBMIT in rights,
        "may_direct": Capability.MANAGE in rights,
        **context,
    }


@require_safe
def boards(request: HttpRequest) -> HttpResponseBase:
    """Show the boards of every parlour the user works for, or redirect to the only one."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    found = parlours_of(request.user)
    if len(found) == 1:
        return back_to("board", found[0].slug)
    shown = [board_of(parlour, money=False) for parlour in found]
    may_set_up = has_right(request.user, "league.add_competition")
    return render(request, "parlour/boards.html", {"boards": shown, "parlours": found, "may_set_up": may_set_up})


@require_safe
def former_board(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Redirect from a board's address of the time when each open table had one of its own."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    own = competitions_where(request.user, Capability.READ).exclude(parlour=None)
    parlour = own.filter(slug=slug).values_list("parlour__slug", flat=True).first()
    if parlour is None:
        raise Http404(_("There is no such parlour."))
    return HttpResponsePermanentRedirect(reverse("pages:board", args=[parlour]))


@require_safe
@staff_page
def board(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show a parlour's board: the tables of all its books with what guests owe, the waiting list, and the till."""
    found = board_of(parlour)
    context = frame(
        request,
        parlour,
        "board",
        board=found,
        gone=[each for each in debtors_of(parlour, found.dues) if each.seat is None],
        day=house_day(parlour),
        now=timezone.now(),
        waiting=waiting_lines(found.waiting, found.tables),
        asked=request.GET,
        picker=GuestPicker.typed(parlour.pk, request.GET, focus="guest" in request.GET),
    )
    return render(request, "parlour/board.html", context)


def book_of(request: HttpRequest, books: Sequence[Competition]) -> Competition:
    """Return the rule book chosen in the form or the address, or the first one."""
    wanted = request.POST.get("book") or request.GET.get("book")
    return next((book for book in books if book.slug == wanted), books[0])


@staff_page
def open_table(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Open a table with its rule book, its guests, the way chips are counted, and the options it plays."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    books = played_books(parlour)
    book = book_of(request, books)
    rules = ruleset_of(rules_at(book))
    form = SittingForm(request.POST or None, rules=rules, books=books)
    if wanted := request.GET.get("table"):
        form.initial["table"] = wanted
    if request.method == "POST" and form.is_valid():
        try:
            sitting = _open(book, form, rules.players, request)
        except ServiceError as error:
            form.take(error)
        else:
            return back_to("counter", parlour.slug, sitting.pk)
    context = frame(request, parlour, "open", form=form, waiting=waiting_list(books), books=books, book=book)
    return render(request, "parlour/open.html", context, status=422 if form.is_bound else 200)


@transaction.atomic
def _open(competition: Competition, form: SittingForm, players: int, request: HttpRequest) -> Sitting:
    """Add new guests and open the table in one transaction."""
    by, people = actor_of(request), []
    for chair in range(players):
        choice = choice_in(request.POST, f"_{chair}")
        if choice.text or choice.player:
            entrant = _chosen(competition, choice, by, form, chair)
            if entrant is not None:
                people.append(Guest(entrant=entrant, is_house=request.POST.get(f"house_{chair}") == "1"))
                form.taken_chairs.append(chair)
    if form.errors:
        raise ServiceError
    typed = form.cleaned_data
    dealer = number_of(request.POST.get("first_dealer"))
    plan = SittingPlan(
        table=typed["table"],
        people=people,
        first_dealer=form.taken_chairs.index(dealer) if dealer in form.taken_chairs else 0,
        kind=Sitting.Kind(typed["kind"]),
        chips=Sitting.Chips(typed["chips"]),
        options=form.options(),
        yen_per_hour=typed["per_hour"],
        at=typed["at"],
    )
    return open_sitting(competition=competition, plan=plan, by=by)


def _chosen(competition: Competition, choice: GuestChoice, by: Actor, form: SittingForm, chair: int) -> Entrant | None:
    """Return the guest of a chair, or None with the error attached to the chair's field."""
    with RefusalsTo(partial(form.refuse_guest, chair)):
        return choose_guest(competition=competition, choice=choice, by=by)
    return None


def sitting_of(parlour: Parlour, pk: int) -> Sitting:
    """Return a sitting of the parlour; raise Http404 if it has none of this id."""
    found = Sitting.objects.filter(table_session__competition__parlour=parlour, pk=pk).first()
    if found is None:
        raise Http404(_("There is no such table."))
    return found


def table_of(parlour: Parlour, pk: int) -> Running:
    """Return the current state of one of its sittings."""
    return running(sitting_of(parlour, pk))
