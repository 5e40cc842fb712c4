"""Comparison of one game's settlement under several rulesets; the URL carries the whole game."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from league.forms.rulebooks.comparison import ComparisonForm
from league.platform.rendering import render
from league.selectors.rulebooks.comparison import ComparedColumn, NotComparableError, first_comparable, notes_of
from league.views.base import conditional
from league.views.competitions.schedule import LedgerSheet
from league.views.rulebooks.hand import etag_of_input
from league.web.rulebooks.rule_facts import Fact, options_of
from league.wording.names import title_in

EXAMPLE = (41_200, 30_100, 18_700, 10_000)


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """The game's settlement under one ruleset, as text for the template."""

    name: str
    title: str
    revision: str
    unit: str
    scale: int
    seats: tuple[tuple[int, int], ...]
    """Place and points by seat; empty if the game could not be settled under this ruleset."""
    ledgers: tuple[LedgerSheet, ...]
    options: tuple[Fact, ...]
    notes: tuple[str, ...]


def shown(found: ComparedColumn) -> ShownColumn:
    """Return a column of the comparison in the reader's language."""
    ranking = found.ruleset.ranking_ledger
    number = found.book.number
    places = found.settlement.places if found.settlement else ()
    return ShownColumn(
        name=found.book.name,
        title=title_in(found.ruleset.title),
        revision=found.book.name if number is None else f"{found.book.name} r{number}",
        unit=title_in(ranking.title),
        scale=ranking.scale,
        seats=tuple(zip(places, found.ranking_totals, strict=True)),
        ledgers=tuple(
            LedgerSheet(title_in(ledger.title), ledger, tuple(rows), totals) for ledger, totals, rows in found.ledgers()
        ),
        options=tuple(options_of(found.ruleset)),
        notes=tuple(notes_of(found)),
    )


@require_safe
def compare(request: HttpRequest) -> HttpResponseBase:
    """Show the form, and the game under every ruleset that fits it."""
    return conditional(request, etag_of_input(request, "compare"), lambda: _compared(request))


def _compared(request: HttpRequest) -> HttpResponse:
    form = ComparisonForm(request.GET)
    context: dict[str, object] = {"form": form, "example": ",".join(map(str, EXAMPLE))}
    if form.is_bound and form.is_valid():
        try:
            game, found = first_comparable(form.games(), request.user)
            context |= {"game": game, "columns": list(map(shown, found)), "seats": range(1, len(game.scores) + 1)}
        except NotComparableError as error:
            form.take(error)
    return render(request, "rulebooks/compare.html", context, status=422 if form.is_bound and form.errors else 200)
