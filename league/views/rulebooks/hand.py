"""The hand calculator: a hand tapped or typed in, and its value under one ruleset or under all.

The URL carries the whole input, so a hand can be shared, and without a script every tap is a link to the next URL. The
page's script requests `value` for the same input and inserts the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.forms.rulebooks.hand import HandForm, Options
from league.platform.rendering import render
from league.selectors.access.etags import etag
from league.selectors.rulebooks.catalogue import CatalogueEntry, rulesets_for
from league.selectors.rulebooks.hand_circumstances import Known, known_by, known_by_any
from league.selectors.rulebooks.hand_tray import WHOLE, TapTarget, Tray
from league.selectors.rulebooks.hands import Scored, books_of_hands, score_everywhere, score_under
from league.views.base import REPRESENTATION, conditional
from league.views.rulebooks.hand_picker import Picker, picker_of
from league.views.rulebooks.hand_value import ShownHand, shown_hand
from league.web.live.hand_documents import comparison_document, scored_document
from league.wording.names import title_in
from rulesets.clauses import books
from scoring.hand import NotationError, tiles_text
from scoring.hand.tiles import NAMED
from scoring.ruleset import Ruleset
from scoring.tulip import declares_tulip

REFUSED = 422
EXAMPLE = {"hand": "234m567m34p678s99s + 2p", "riichi": "riichi", "dora": "8s"}
EVERYWHERE = ""
"""The ruleset name in URLs of the comparison under all rulesets."""


@dataclass(frozen=True, slots=True)
class CalculatorPage:
    """The input of a calculator page and its result."""

    name: str
    book: CatalogueEntry[Ruleset] | None
    options: Options | None
    form: HandForm
    picker: Picker
    scored: tuple[Scored, ...]
    """One result, or one for each ruleset; empty while the hand is incomplete or the input has errors."""

    @property
    def is_refused(self) -> bool:
        """Return True if the input has errors."""
        return bool(self.form.errors or (self.options and self.options.errors))

    @property
    def is_asked(self) -> bool:
        """Return True if at least the beginning of a hand was entered."""
        return bool(self.form.line)

    @property
    def query(self) -> str:
        """Return the URL query that reproduces this input."""
        revision = self.form.data.get("revision", "")
        chosen = [("revision", revision)] if revision else []
        chosen += [*self.form.chosen(hand=self.picker.line), *(self.options.query() if self.options else ())]
        return urlencode(chosen)

    @property
    def leads_to_tulip(self) -> bool:
        """Return True if the hand wins and its rules let the wall be flipped for it (tulip)."""
        return self.book is not None and declares_tulip(self.book.value) and self.scored[0].value is not None

    @property
    def hands(self) -> list[ShownHand]:
        """Return the results as text for the template."""
        return list(map(shown_hand, self.scored))


@require_safe
def calculator(request: HttpRequest, name: str = EVERYWHERE) -> HttpResponseBase:
    """Show the calculator of one ruleset, or of all of them."""
    return _answered(request, name, _page)


@require_safe
def value(request: HttpRequest, name: str = EVERYWHERE) -> HttpResponseBase:
    """Return the result for scripts: the hand in notation, a JSON document, and the HTML of the answer."""
    return _answered(request, name, _value)


def _answered(
    request: HttpRequest, name: str, make: Callable[[HttpRequest, CalculatorPage], HttpResponse]
) -> HttpResponseBase:
    """Return the response or 304."""
    tag = etag_of_input(request, make.__name__, name)
    return conditional(request, tag, lambda: make(request, read(request, name)))


def etag_of_input(request: HttpRequest, *parts: str) -> str:
    """Return the ETag of a page that follows from its address and the stored rulesets, whose texts never change."""
    kept = list(rulesets_for(request.user).kept.order_by("name", "number").values_list("name", "number"))
    return etag(kept, REPRESENTATION, *parts, sorted(map(repr, request.GET.lists())))


def read(request: HttpRequest, name: str) -> CalculatorPage:
    """Parse the input, and score the hand if it is complete."""
    return _under_every(request) if name == EVERYWHERE else _under_one(request, name)


def _under_one(request: HttpRequest, name: str) -> CalculatorPage:
    """Score under one ruleset with its options; errors are attached to their fields."""
    book = _book(request, name)
    options = Options(book.value, request.GET)
    rules = options.ruled()
    form, picker = _asked(request, known_by(rules))
    scored: tuple[Scored, ...] = ()
    if form.asked is not None and not _is_begun_only(form):
        found = score_under(book, rules, form.asked.hand, form.asked.situation)
        form.take(found.problems)
        scored = () if found.problems else (found,)
    return CalculatorPage(name, book, options, form, picker, scored)


def _under_every(request: HttpRequest) -> CalculatorPage:
    """Score under every ruleset; an impossible hand is reported beside each ruleset."""
    every = books_of_hands(request.user)
    form, picker = _asked(request, known_by_any(each.value for each in every))
    scored: tuple[Scored, ...] = ()
    if form.asked is not None and not _is_begun_only(form):
        scored = tuple(score_everywhere(form.asked.hand, form.asked.situation, every))
    return CalculatorPage(EVERYWHERE, None, None, form, picker, scored)


def _asked(request: HttpRequest, known: Known) -> tuple[HandForm, Picker]:
    """Return the form with the input, and the picker with the tiles entered so far."""
    form = HandForm(known, request.GET)
    form.is_valid()
    tray = _tray(form)
    line = form.line if tray is None else tray.line
    return form, picker_of(known, tray or Tray(), line, target=_target(request.GET.get("to", "")))


def _book(request: HttpRequest, name: str) -> CatalogueEntry[Ruleset]:
    """Return the revision in the URL; raise Http404 if it does not exist or has no rules for hands."""
    number = request.GET.get("revision", "")
    # `isdigit` accepts other scripts' digits, and int() of a very long number takes quadratic time.
    if number and not (number.isascii() and number.isdigit() and len(number) < len("1000000")):
        raise Http404(_("There is no such revision."))
    book = rulesets_for(request.user).book(name, int(number) if number else None)
    if book is None or book.value.play is None:
        raise Http404(_("There is no ruleset of this name that says how hands are played."))
    return book


def _tray(form: HandForm) -> Tray | None:
    """Return the tiles entered so far, or None if the text cannot be parsed."""
    try:
        return Tray.read(form.line, form.tiles_typed("dora"), form.tiles_typed("ura"))
    except NotationError:
        return None


def _target(text: str) -> TapTarget:
    return TapTarget(text) if text in set(TapTarget) else TapTarget.HAND


def _is_begun_only(form: HandForm) -> bool:
    """Return True if the hand is still being put together: tiles are missing and no winning tile was named."""
    asked = form.asked
    named = "+" in form.line or bool(form.cleaned_data.get("win"))
    return asked is not None and not named and len(asked.hand.concealed) + 3 * len(asked.hand.melds) < WHOLE - 1


def _page(request: HttpRequest, page: CalculatorPage) -> HttpResponse:
    """Render the page, or redirect to the next URL after a tap without a script."""
    tapped = _tapped(request, page)
    if tapped is not None:
        return HttpResponseRedirect(f"{request.path}?{tapped}")
    return render(
        request, "rulebooks/hand/calculator.html", context_of(page), status=REFUSED if page.is_refused else 200
    )


def context_of(page: CalculatorPage) -> dict[str, object]:
    """Return the context of the calculator's templates."""
    return {
        "page": page,
        "name": page.name,
        "title": title_in(page.book.value.title) if page.book else "",
        "has_rulebook": page.name in books(),
        "value_url": reverse("pages:hand-value", args=[page.name] if page.name else []),
        "form": page.form,
        "options": page.options,
        "picker": page.picker,
        "hands": page.hands,
        "example": urlencode(EXAMPLE),
    }


def _tapped(request: HttpRequest, page: CalculatorPage) -> str | None:
    """Return the URL query after a tap, or None without one; input that cannot be parsed is left unchanged."""
    asked, tray = request.GET, page.picker.tray
    wall, target = page.form.known.wall, _target(asked.get("to", ""))
    if asked.get("tap") in NAMED:
        tray = tray.tap(NAMED[asked["tap"]], target, wall)
    elif "drop" in asked:
        tray = tray.drop(asked["drop"])
    elif "recolour" in asked:
        tray = tray.recolour(asked["recolour"], wall)
    elif "clear" in asked:
        tray = Tray()
    else:
        return None
    if _tray(page.form) is None and "clear" not in asked:
        return page.query
    changed = list(page.form.chosen(hand=tray.line, win="", dora=tiles_text(tray.dora), ura=tiles_text(tray.ura)))
    changed += [*(page.options.query() if page.options else ())]
    return urlencode([*changed, *([("to", target.value)] if target is not TapTarget.HAND else [])])


def _value(request: HttpRequest, page: CalculatorPage) -> HttpResponse:
    """Return the JSON document that the page's script inserts, and that pages with an embedded picker use."""
    wrong = {**page.form.errors.get_json_data(), **(page.options.errors.get_json_data() if page.options else {})}
    document: dict[str, object] = {
        "hand": page.picker.line,
        "missing": page.picker.missing,
        "query": page.query,
        "errors": [
            {"field": field, "code": each["code"], "detail": each["message"]}
            for field, found in wrong.items()
            for each in found
        ],
        "value": None,
        "html": render_to_string("rulebooks/hand/answer.html", context_of(page), request=request),
    }
    if page.scored:
        scored = scored_document(page.scored[0]) if page.name else comparison_document(page.scored)
        document["value"] = scored.as_json()
    return JsonResponse(document, status=REFUSED if page.is_refused else 200, json_dumps_params={"ensure_ascii": False})
