"""The check of a game while it is typed at the counter: sums, findings, places, totals and the house's fees."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.forms.parlour.counter import GameForm
from league.forms.results.entry import digest
from league.models import Parlour
from league.platform.errors import Level
from league.selectors.access.actors import Capability
from league.selectors.parlour.board import Running, business_day
from league.selectors.parlour.houses import require_in
from league.selectors.parlour.previewed_fees import previewed_charges
from league.services.parlour.games import GamePreview, preview_game
from league.views.parlour.board import actor_of, staff_page, table_of
from league.views.parlour.counter import last_game, next_game
from league.web.entry_preview import finding_json, sum_json, unreadable
from league.wording.formatting import money_text, place_text, points_text
from scoring.charges import Charge
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import FeeCollector


@require_POST
@staff_page
def preview(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Return the engine's findings on a partly typed game as JSON; nothing is written."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    table = table_of(parlour, pk)
    is_correction = "correct" in request.POST
    if not is_correction and not table.is_full:
        return JsonResponse({"stale": True})
    form = GameForm(request.POST, game=last_game(table) if is_correction else next_game(table))
    return JsonResponse(preview_json(form, table, parlour.currency))


def preview_json(form: GameForm, table: Running, currency: str) -> dict[str, object]:
    """Return all that can be computed from the values typed so far: sum, findings, places, totals, next dealer."""
    shown = {"sum": sum_json(form), "sums": chip_sums(form), "chairs": {}, "digest": "", "next": "", "fees": ""}
    form.errors.pop("reason", None)
    if form.errors:
        return {**shown, "findings": list(unreadable(form))}
    entry = form.sheet()
    at_table = table
    if form.game.corrects is not None and table.last is not None:
        # A correction is settled by the rules of its own game, even if others are in force now.
        at_table = replace(table, in_force=table.last.hanchan.rules)
    preview = preview_game(table=at_table, entry=entry)
    charges = charges_json(form, table, preview)
    return {
        **shown,
        "fees": fees_handed_over_text(charges, table, preview, currency),
        "digest": digest(entry),
        "findings": [finding_json(form, finding) for finding in preview.findings],
        "chairs": _chairs_json(form, preview, form.rules, [fee_text(each, currency) for each in charges]),
        "next": _next_dealer_text(form, preview),
        "ok": not any(finding.level is Level.ERROR for finding in preview.findings),
    }


def chip_sums(form: GameForm) -> dict[str, dict[str, str]]:
    """Return, by ledger, the sum of the amounts typed so far and whether it is right, as `sum_json` does for scores."""
    form.is_valid()
    sums = {}
    for ledger in form.ledgers:
        typed = [amount for amount in form.amounts_typed(ledger) if amount is not None]
        total, is_whole = sum(typed), len(typed) == form.rules.players
        state = "open" if not is_whole else "wrong" if ledger.zero_sum and total else "ok"
        text = points_text(total, ledger.scale, plus=True) if typed else ""
        sums[ledger.key] = {"state": state, "text": _("%(sum)s OK") % {"sum": text} if state == "ok" else text}
    return sums


def day_of_game(form: GameForm, table: Running) -> dt.date:
    """Return the business day to which the typed game will belong, as far as it is known."""
    own = table.day if form.game.corrects is not None else form.game.own_day
    is_own = form.game.corrects is not None or bool(form.cleaned_data.get("of_own_day"))
    return own if own is not None and is_own else business_day(table.competition)


def charges_json(form: GameForm, table: Running, preview: GamePreview) -> tuple[Charge, ...]:
    """Return the house's charge for each seat; empty before the game can be settled."""
    if preview.settlement is None:
        return ()
    corrected = table.last.hanchan if form.game.corrects is not None and table.last is not None else None
    entrants = [form.game.people[chair].entrant for chair in form.order()]
    return previewed_charges(table, entrants, preview.settlement.places, day_of_game(form, table), corrected)


def fees_handed_over_text(charges: Sequence[Charge], table: Running, preview: GamePreview, currency: str) -> str:
    """Say what one player hands over for all, where the rule book has the fees collected in this way."""
    fees, total = table.rules.settlement.fees, sum(charge.total for charge in charges)
    if fees is None or fees.handed_over_by is not FeeCollector.TOP or preview.settlement is None or not total:
        return ""
    others = total - charges[preview.settlement.top].total
    text = _("The leader hands over %(total)s: %(others)s from the others.")
    return text % {"total": money_text(total, currency), "others": money_text(others, currency)}


def _chairs_json(
    form: GameForm, preview: GamePreview, rules: Ruleset, fees: Sequence[str]
) -> dict[int, dict[str, object]]:
    """Return, by chair, the place, the totals in every ledger, and the house's fee."""
    settlement = preview.settlement
    if settlement is None:
        return {}
    return {
        chair: {
            "place": settlement.places[seat],
            "place_text": place_text(settlement.places[seat]),
            "totals": {
                ledger.key: points_text(settlement.totals[ledger.key][seat], ledger.scale, plus=True)
                for ledger in rules.ledgers
            },
            "fee": fees[seat],
        }
        for seat, chair in enumerate(form.order())
    }


def fee_text(charge: Charge, currency: str) -> str:
    """Write a fee; a game that a stamp card makes free says so."""
    money = money_text(charge.total, currency)
    return _("%(money)s (free game)") % {"money": money} if charge.is_free else money


def _next_dealer_text(form: GameForm, preview: GamePreview) -> str:
    """Name the first dealer of the next game; empty if unknown."""
    if preview.settlement is None or preview.settlement.next_first_dealer is None or form.entry().first_dealer is None:
        return ""
    chair = form.order()[preview.settlement.next_first_dealer]
    return _("Next first dealer: %(name)s") % {"name": form.game.names[chair]}
