"""Settling up with guests: the slip of what is due, statements (精算) with their codes, and the till of today."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.db.models import QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.forms.fields import number_of
from league.forms.parlour.settling import ExtraForm, PayForm, SettleForm, TermsForm
from league.models import Extra, Parlour, Payment, Player, SittingSeat, Statement
from league.platform.rendering import render
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Capability
from league.selectors.parlour.charges import of_people, terms_of_guests
from league.selectors.parlour.dues import Due, as_line, balances_of, due_of, dues_of
from league.selectors.parlour.guests import find_guests
from league.selectors.parlour.houses import books_of, house_day, played_books, require_in
from league.services.parlour.statements import add_extra, cancel_extra, cancel_statement, pay_account, settle
from league.services.parlour.terms import set_terms, stamps_now
from league.views.parlour.board import (
    RefusalsTo,
    actor_of,
    back_to,
    frame,
    refusals_as_messages,
    staff_page,
)
from league.views.parlour.slips import Books, slip_of
from league.views.parlour.tables import debtors_of, seats_now
from league.web.access.guest_links import guest_token
from league.web.access.shared_links import loopback_advice
from league.web.middleware.security_headers import hide_path_from_referrer
from league.wording.formatting import money_text
from league.wording.names import person_name
from scoring.charges import Rate

SIGNER = Signer(salt="league.statement")
MOST_LABELS = 20


def guest_of(parlour: Parlour, pk: int) -> Player:
    """Return a guest of the parlour, the entry kept after merging; raise Http404 if it has none of this id."""
    player = Player.objects.filter(pk=pk, entrants__competition__parlour=parlour).first()
    if player is None:
        raise Http404(_("There is no such guest."))
    return player.kept


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of the settle page; the one that was sent is bound."""

    settle: SettleForm
    extra: ExtraForm
    terms: TermsForm
    pay: PayForm

    @property
    def is_bound(self) -> bool:
        """Return True if a form was sent, which is shown again with its errors."""
        return any(form.is_bound for form in (self.settle, self.extra, self.terms, self.pay))


def forms_of(request: HttpRequest, parlour: Parlour, player: Player, due: Due) -> Forms:
    """Return the forms, that of the posted action with its input."""
    data, action = request.POST or None, request.POST.get("action", "")
    row = terms_of_guests(parlour).at(player.pk, house_day(parlour))
    stamps = stamps_now(parlour, player, house_day(parlour))[0]
    initial = {"rate": row.rate if row else Rate.ORDINARY.value, "stamps": stamps}
    return Forms(
        settle=SettleForm(data if action in ("paid", "account") else None, book=played_books(parlour)[0]),
        extra=ExtraForm(data if action == "extra" else None, currency=parlour.currency),
        terms=TermsForm(data if action == "terms" else None, initial=initial),
        pay=PayForm(data if action == "pay" else None, currency=parlour.currency, balance=due.on_account),
    )


@staff_page
def settle_guest(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Show what a guest owes; a POST settles up, adds an item, sets the terms, or takes money for the account."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    player = guest_of(parlour, pk)
    due = due_of(parlour, player)
    forms = forms_of(request, parlour, player, due)
    if request.method == "POST":
        action = ACTIONS.get(request.POST.get("action", ""))
        if action is None:
            raise Http404
        answer = action(request, parlour, player, forms)
        if answer is not None:
            return answer
    return _show(request, parlour, player, due, forms)


def _show(request: HttpRequest, parlour: Parlour, player: Player, due: Due, forms: Forms) -> HttpResponse:
    day, seat = house_day(parlour), seats_now(parlour, [player.pk]).get(player.pk)
    labels = Extra.objects.filter(parlour=parlour, money__gt=0).order_by("-pk").values_list("label", flat=True)
    context = frame(
        request,
        parlour,
        "statements",
        player=player,
        due=due,
        total=due.total,
        now=timezone.now(),
        slip=slip_of(due.guest_lines, Books(parlour)),
        forms=forms,
        seat=seat,
        stamps=stamps_now(parlour, player, day)[1],
        labels=list(dict.fromkeys(labels[:200]))[:MOST_LABELS],
        statements=statements_of(parlour).filter(of_people([player.pk], "player"))[:5],
    )
    return render(request, "parlour/settle.html", context, status=422 if forms.is_bound else 200)


def _settle(request: HttpRequest, parlour: Parlour, player: Player, forms: Forms) -> HttpResponse | None:
    if not forms.settle.is_valid():
        return None
    typed = forms.settle.cleaned_data
    with RefusalsTo(forms.settle.take):
        statement = settle(
            parlour=parlour,
            player=player,
            by=actor_of(request),
            is_paid=request.POST["action"] == "paid",
            leaves=request.POST.get("stays") != "1",
            at=typed["at"],
            # With another leaving time the hours, and so the total, differ from what the page showed.
            expected=None if typed["at"] else typed["expected"],
        )
        if statement is not None:
            return back_to("statement", parlour.slug, statement.number, new=1)
        messages.success(request, _("%(name)s has left; nothing was open.") % {"name": person_name(player)})
        return back_to("board", parlour.slug)
    return None


def _add_extra(request: HttpRequest, parlour: Parlour, player: Player, forms: Forms) -> HttpResponse | None:
    form = forms.extra
    if form.is_valid():
        typed = form.cleaned_data
        with RefusalsTo(form.take):
            add_extra(parlour=parlour, player=player, label=typed["label"], money=typed["money"], by=actor_of(request))
            return back_to("settle_guest", parlour.slug, player.pk)
    return None


def _drop_extra(request: HttpRequest, parlour: Parlour, player: Player, _forms: Forms) -> HttpResponse | None:
    extra = Extra.objects.filter(parlour=parlour, pk=number_of(request.POST.get("extra")) or 0).first()
    if extra is None:
        raise Http404
    with refusals_as_messages(request):
        cancel_extra(extra=extra, by=actor_of(request))
    return back_to("settle_guest", parlour.slug, player.pk)


def _set_terms(request: HttpRequest, parlour: Parlour, player: Player, forms: Forms) -> HttpResponse | None:
    form = forms.terms
    if form.is_valid():
        rate, stamps = Rate(form.cleaned_data["rate"]), form.cleaned_data["stamps"]
        with RefusalsTo(form.take):
            set_terms(parlour=parlour, player=player, rate=rate, stamps=stamps, by=actor_of(request))
            return back_to("settle_guest", parlour.slug, player.pk)
    return None


def _pay(request: HttpRequest, parlour: Parlour, player: Player, forms: Forms) -> HttpResponse | None:
    form = forms.pay
    if form.is_valid():
        with RefusalsTo(form.take):
            payment = pay_account(parlour=parlour, player=player, money=form.cleaned_data["paid"], by=actor_of(request))
            shown = {"money": money_text(payment.money, parlour.currency), "name": person_name(player)}
            messages.success(request, _("%(money)s of %(name)s are in the till.") % shown)
            return back_to("settle_guest", parlour.slug, player.pk)
    return None


ACTIONS: Mapping[str, Callable[[HttpRequest, Parlour, Player, Forms], HttpResponse | None]] = {
    "paid": _settle,
    "account": _settle,
    "extra": _add_extra,
    "drop": _drop_extra,
    "terms": _set_terms,
    "pay": _pay,
}


# Statements


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement in a list, with what was paid for it."""

    statement: Statement
    paid: int

    @property
    def is_on_account(self) -> bool:
        """Return True if money of it was put on account."""
        return self.statement.cancelled_at is None and self.paid < self.statement.money


def statements_of(parlour: Parlour) -> QuerySet[Statement]:
    """Return the statements of a parlour, newest first."""
    return Statement.objects.filter(parlour=parlour).select_related("player", "by").order_by("-number")


def statement_numbered(parlour: Parlour, number: int) -> Statement:
    """Return a statement; raise Http404 if there is none of this number."""
    found = statements_of(parlour).filter(number=number).first()
    if found is None:
        raise Http404(_("There is no such statement."))
    return found


def statement_context(statement: Statement) -> dict[str, object]:
    """Return what both the staff's page and the guest's page of a statement show."""
    payments = Payment.objects.filter(statement=statement)
    return {
        "statement": statement,
        "slip": slip_of([as_line(row) for row in statement.lines.order_by("pk")], Books(statement.parlour)),
        "paid": payments.aggregate(sum=Sum("money"))["sum"] or 0,
    }


@require_safe
@staff_page
def statement(request: HttpRequest, parlour: Parlour, number: int) -> HttpResponse:
    """Show a statement to print, with the code by which the guest opens it on a phone."""
    found = statement_numbered(parlour, number)
    link = absolute_url("pages:guest_statement", SIGNER.sign(str(found.pk)), request=request)
    context = frame(
        request,
        parlour,
        "statements",
        **statement_context(found),
        link=link,
        advice=loopback_advice(link),
        is_new=request.GET.get("new") == "1",
        on_account=balances_of(parlour).get(found.player.kept_id, 0),
    )
    return render(request, "parlour/statement.html", context)


@require_POST
@staff_page
def cancel(request: HttpRequest, parlour: Parlour, number: int) -> HttpResponse:
    """Cancel a statement that was made by mistake."""
    found = statement_numbered(parlour, number)
    with refusals_as_messages(request):
        cancel_statement(statement=found, by=actor_of(request), reason=request.POST.get("reason", ""))
        messages.success(request, _("Statement %(number)s is cancelled.") % {"number": number})
    return back_to("statement", parlour.slug, number)


@require_safe
@hide_path_from_referrer
def guest_statement(request: HttpRequest, bill: str) -> HttpResponse:
    """Show a statement to its guest, who has its signed address from the code on the slip."""
    try:
        pk = int(SIGNER.unsign(bill))
    except (BadSignature, ValueError) as error:
        raise Http404(_("There is no such statement.")) from error
    rows = Statement.objects.select_related("player", "parlour").filter(pk=pk, player__erased_at=None)
    found = rows.first()
    if found is None:
        raise Http404(_("There is no such statement."))
    with timezone.override(ZoneInfo(books_of(found.parlour)[0].time_zone)):
        response = render(
            request,
            "parlour/statement_guest.html",
            {
                "parlour": found.parlour,
                "own_page": guest_token(found.parlour, found.player),
                **statement_context(found),
            },
        )
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@staff_page
def statements(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """List the guests who have not settled up, the statements of a business day, and the amount on account."""
    today = house_day(parlour)
    try:
        day = dt.date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        day = today
    rows = list(statements_of(parlour).filter(day=day))
    paid = Payment.objects.filter(statement__in=rows).values_list("statement").annotate(sum=Sum("money"))
    sums = dict(paid)
    balances = {person: money for person, money in balances_of(parlour).items() if money}
    people = Player.objects.in_bulk(list(balances))
    context = frame(
        request,
        parlour,
        "statements",
        day=day,
        today=today,
        debtors=debtors_of(parlour, dues_of(parlour)) if day == today else [],
        rows=[StatementRow(row, sums.get(row.pk, 0)) for row in rows],
        accounts=[(people[person], money) for person, money in balances.items() if person in people],
    )
    return render(request, "parlour/statements.html", context)


@require_safe
@staff_page
def guest_list(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Find a guest, and list the guests who sit now; each leads to the guest's settlement."""
    text = request.GET.get("q", "").strip()
    found = [guest.player for guest in find_guests(parlour.pk, text) if guest.entrant] if text else []
    rows = SittingSeat.objects.filter(sitting__table_session__competition__parlour=parlour, left_at=None)
    here = [row.entrant.player for row in rows.select_related("entrant__player").order_by("joined_at")]
    listed = found if text else here
    terms, day = terms_of_guests(parlour), house_day(parlour)
    seats = seats_now(parlour, [player.pk for player in listed])
    lines = [(player, seats.get(player.pk), terms.at(player.pk, day)) for player in listed]
    return render(request, "parlour/guests.html", frame(request, parlour, "guests", text=text, lines=lines))
