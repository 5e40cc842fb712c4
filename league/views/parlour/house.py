"""Pages of a parlour for its guests: the house with its books, rules and fees, and each guest's own page."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Competition, Parlour, ParlourTable, Player, Statement
from league.platform.rendering import render
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Capability, capabilities
from league.selectors.parlour.charges import of_people
from league.selectors.parlour.guest_page import guest_books
from league.selectors.parlour.houses import house_day, played_books
from league.selectors.parlour.tariffs import Tariffs, tariffs_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.views.parlour.board import frame, staff_page
from league.views.parlour.statements import SIGNER
from league.web.access.guest_links import guest_of_token, guest_token
from league.web.access.shared_links import loopback_advice
from league.web.middleware.security_headers import hide_path_from_referrer
from league.web.rulebooks.rule_facts import Fact, facts_of, options_of
from scoring.charges import Tariff
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import FeeCollector

STATEMENTS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class OfferedBook:
    """A rule book as the house offers it: facts and options in words, and the fees."""

    competition: Competition
    rules: Ruleset
    facts: tuple[Fact, ...]
    options: tuple[Fact, ...]
    tariff: Tariff
    is_handed_over: bool
    """True if the first place hands over the fees of all."""
    tables: tuple[tuple[str, Tariff], ...]
    """Tables with fees of their own, by name."""

    @property
    def is_public(self) -> bool:
        """Return True if visitors may read its ranking and rules."""
        return self.competition.is_readable_by_public


@require_safe
def house(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a parlour to its guests; strangers get 404 unless the house made a book public."""
    parlour = get_object_or_404(Parlour, slug=slug)
    books = played_books(parlour)
    staff = [book for book in books if Capability.READ in capabilities(request.user, book)]
    shown = [book for book in books if book in staff or book.is_readable_by_public]
    if not shown:
        raise Http404(_("There is no such parlour."))
    with timezone.override(ZoneInfo(shown[0].time_zone)):
        context = {
            "parlour": parlour,
            "books": offered_books(parlour, shown),
            "day_starts_at": shown[0].day_starts_at,
            "is_staff": bool(staff),
            "is_public": any(book.is_readable_by_public for book in shown),
        }
        return render(request, "parlour/house.html", context)


def offered_books(parlour: Parlour, books: list[Competition]) -> list[OfferedBook]:
    """Return these books with the fees of the present business day."""
    tariffs, day = tariffs_of(parlour), house_day(parlour)
    tables = ParlourTable.objects.filter(parlour=parlour, removed_at=None).values_list("name", flat=True)
    return [_offered(book, tariffs, day, list(tables)) for book in books]


def _offered(book: Competition, tariffs: Tariffs, day: dt.date, tables: list[str]) -> OfferedBook:
    rules = ruleset_of(rules_at(book))
    fees = rules.settlement.fees
    usual = tariffs.at(book.pk, "", day)
    own = {name: tariffs.at(book.pk, name, day) for name in tables}
    return OfferedBook(
        competition=book,
        rules=rules,
        facts=tuple(facts_of(rules)),
        options=tuple(options_of(rules)),
        tariff=usual,
        is_handed_over=fees is not None and fees.handed_over_by is FeeCollector.TOP,
        tables=tuple((name, each) for name, each in own.items() if each != usual),
    )


@require_safe
@hide_path_from_referrer
def guest(request: HttpRequest, token: str) -> HttpResponse:
    """Show a guest's own page to the holder of the personal link."""
    found = guest_of_token(token)
    if found is None:
        raise Http404(_("This link is not complete. Ask for it at the counter again."))
    parlour, player = found
    books = played_books(parlour)
    if not books:
        raise Http404(_("There is no such parlour."))
    with timezone.override(ZoneInfo(books[0].time_zone)):
        context = {
            "parlour": parlour,
            "player": player,
            "played": guest_books(parlour, player),
            "statements": own_statements(parlour, player),
            "books": offered_books(parlour, books),
            "is_public": any(book.is_readable_by_public for book in books),
        }
        response = render(request, "parlour/guest.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def own_statements(parlour: Parlour, player: Player) -> list[tuple[Statement, str]]:
    """Return a guest's newest statements, each with the token of its own address."""
    rows = Statement.objects.filter(of_people({player.pk}, "player"), parlour=parlour, cancelled_at=None)
    return [(row, SIGNER.sign(str(row.pk))) for row in rows.order_by("-number")[:STATEMENTS_SHOWN]]


@require_safe
@staff_page
def guest_link(request: HttpRequest, parlour: Parlour, key: str) -> HttpResponse:
    """Show the staff a guest's personal link as a QR code, to be read by the guest's phone or printed."""
    people = Player.objects.filter(entrants__competition__parlour=parlour).select_related("merged_into").distinct()
    player = get_object_or_404(people, key=key)
    url = absolute_url("pages:guest", guest_token(parlour, player), request=request)
    context = frame(request, parlour, "guests", player=player, guest_url=url, advice=loopback_advice(url))
    return render(request, "parlour/guest_link.html", context)
