"""Winning hands entered as tiles on the score sheet: the tile picker, and the value of the hand in the current game.

The rules are the game's own, options included, so the holder of a table link needs no other right.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.forms.fields import number_of
from league.forms.rulebooks.hand import HandForm, query_under
from league.models import Hanchan
from league.selectors.live.access import Visitor, visitor_at
from league.selectors.live.log import TableLog, log_of
from league.selectors.live.score_sheet import hanchan_at
from league.selectors.rulebooks.hand_circumstances import known_by
from league.views.rulebooks.hand_picker import picker_for
from league.web.live.hand_documents import value_document
from league.wording.live.hands import no_win_text
from rulesets.clauses import books
from scoring.hand import HandValue, InvalidHandError, score
from scoring.ruleset import TABLE_POINTS, Ruleset
from scoring.tulip import declares_tulip


def tiles_of(hanchan: Hanchan) -> dict[str, object]:
    """Return the context of the picker; empty if the rules do not cover hands."""
    log = log_of(hanchan)
    rules = log.rules
    if rules.play is None:
        return {}
    known = known_by(rules)
    return {
        "picker": picker_for(rules),
        "ticks": [field for field in HandForm(known, QueryDict()) if field.widget_type == "checkbox"],
        "kinds_of_riichi": [kind.value for kind in known.riichi],
        "tulip": tulip_address(log),
    }


def tulip_address(log: TableLog) -> str:
    """Return the page on which this table's tulip is flipped, with its options; empty without a tulip in the book."""
    rules = log.rules
    if rules.name not in books() or not declares_tulip(rules):
        return ""
    # Without the revision, which guests may not read: the book as it is now.
    query = query_under(rules, None, {**log.hanchan.rules.options, **log.options})
    return f"{reverse('pages:tulip', args=[rules.name])}?{query}"


def asked_hanchan(request: HttpRequest, visitor: Visitor) -> Hanchan | None:
    """Return the hanchan named in the URL, by default the one to be played now."""
    return hanchan_at(visitor, number_of(request.GET.get("hanchan")))


@never_cache
@require_safe
def hand(request: HttpRequest, table: int) -> HttpResponseBase:
    """Return the value of a hand at this table, or its errors, as JSON."""
    visitor = visitor_at(request, table)
    hanchan = asked_hanchan(request, visitor) if visitor else None
    rules = log_of(hanchan).rules if hanchan else None
    if rules is None or rules.play is None:
        raise Http404(_("There is no such table."))
    return JsonResponse(scored(request.GET, rules), json_dumps_params={"ensure_ascii": False})


def scored(given: QueryDict, rules: Ruleset) -> dict[str, object]:
    """Return the value of the hand, or None while the input has errors or is incomplete."""
    form = HandForm(known_by(rules), given)
    form.is_valid()
    value = worth(form, rules) if form.asked and not form.errors else None
    said = [value] if isinstance(value, str) else []
    return {
        "value": value_document(value, rules, totals(value)).as_json() if isinstance(value, HandValue) else None,
        "errors": [*said, *(text for texts in form.errors.values() for text in texts)],
    }


def worth(form: HandForm, rules: Ruleset) -> HandValue | str:
    """Return the value, or the reason why the hand is no win; errors are attached to their fields."""
    if form.asked is None:
        return ""
    try:
        answer = score(form.asked.hand, form.asked.situation, rules)
    except InvalidHandError as error:
        form.take(error.problems)
        return ""
    return answer if isinstance(answer, HandValue) else no_win_text(answer)


def totals(value: HandValue) -> dict[str, int]:
    """Return the winner's gain in each ledger."""
    found: dict[str, int] = {TABLE_POINTS: 0}
    for each in value.payments:
        found[each.ledger] = found.get(each.ledger, 0) + each.amount
    return found
