"""The calculator: a hand tapped together or typed, and what it is worth, under one ruleset or under all of them.

The one idea: the address carries everything, so a hand can be passed on, and every tap without a script is a way to the
next address. The script of the page asks `value` for the same and puts it in place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.forms.rulebooks.hand import HandForm, Options
from league.selectors.access.etags import etag
from league.selectors.rulebooks.catalogue import Book, rulesets_for
from league.selectors.rulebooks.hand_circumstances import Known, known_by, known_by_any
from league.selectors.rulebooks.hand_tray import WHOLE, Target, Tray
from league.selectors.rulebooks.hands import Scored, books_of_hands, score_everywhere, score_under
from league.views.base import REPRESENTATION, conditional
from league.views.rulebooks.hand_picker import Picker, picker_of
from league.views.rulebooks.hand_value import ShownHand, shown
from league.web.hand_documents import comparison_document, scored_document
from league.wording.names import title_in
from rulesets.clauses import books
from scoring.hand import NotationError, tiles_text
from scoring.hand.tiles import NAMED
from scoring.ruleset import Ruleset
from scoring.tulip import declares_tulip

REFUSED = 422
EXAMPLE = {"hand": "234m567m34p678s99s + 2p", "riichi": "riichi", "dora": "8s"}
EVERYWHERE = ""
"""The name under which a hand is scored under all rulesets."""


@dataclass(frozen=True, slots=True)
class Page:
    """What was asked, and what is answered."""

    name: str
    book: Book[Ruleset] | None
    options: Options | None
    form: HandForm
    picker: Picker
    scored: tuple[Scored, ...]
    """One, or one for each ruleset; none while the hand is not whole or something is wrong."""

    @property
    def is_refused(self) -> bool:
        """Something typed is wrong."""
        return bool(self.form.errors or (self.options and self.options.errors))

    @property
    def is_asked(self) -> bool:
        """There is a hand, or the beginning of one."""
        return bool(self.form.line)

    @property
    def query(self) -> str:
        """The address's query that says all of this again."""
        revision = self.form.data.get("revision", "")
        chosen = [("revision", revision)] if revision else []
        chosen += [*self.form.chosen(hand=self.picker.line), *(self.options.query() if self.options else ())]
        return urlencode(chosen)

    @property
    def leads_to_tulip(self) -> bool:
        """The hand is won, and under its rules the wall may be flipped for it."""
        return self.book is not None and declares_tulip(self.book.value) and self.scored[0].value is not None

    @property
    def hands(self) -> list[ShownHand]:
        """What the hand is worth, ready to be read."""
        return list(map(shown, self.scored))


@require_safe
def calculator(request: HttpRequest, name: str = EVERYWHERE) -> HttpResponseBase:
    """The page of one ruleset, or of all of them."""
    return _answered(request, name, _page)


@require_safe
def value(request: HttpRequest, name: str = EVERYWHERE) -> HttpResponseBase:
    """The same for scripts: the hand in a line, the answer as a document and as a part of the page."""
    return _answered(request, name, _value)


def _answered(request: HttpRequest, name: str, make: Callable[[HttpRequest, Page], HttpResponse]) -> HttpResponseBase:
    """The answer, or 304; how long it may be kept depends on who asks."""
    kept = list(rulesets_for(request.user).kept.order_by("name", "number").values_list("name", "number"))
    asked = sorted((key, request.GET.getlist(key)) for key in request.GET)
    tag = etag(kept, REPRESENTATION, make.__name__, name, asked)
    return conditional(request, tag, lambda: make(request, read(request, name)))


def read(request: HttpRequest, name: str) -> Page:
    """What is asked, scored if it is whole."""
    return _under_every(request) if name == EVERYWHERE else _under_one(request, name)


def _under_one(request: HttpRequest, name: str) -> Page:
    """Under a ruleset and its options; what cannot be is said at its field."""
    book = _book(request, name)
    options = Options(book.value, request.GET)
    rules = options.ruled()
    form, picker = _asked(request, known_by(rules))
    scored: tuple[Scored, ...] = ()
    if form.asked is not None and not _is_begun_only(form):
        found = score_under(book, rules, form.asked.hand, form.asked.situation)
        form.take(found.problems)
        scored = () if found.problems else (found,)
    return Page(name, book, options, form, picker, scored)


def _under_every(request: HttpRequest) -> Page:
    """Under every ruleset; what cannot be under one of them is said beside it."""
    every = books_of_hands(request.user)
    form, picker = _asked(request, known_by_any(each.value for each in every))
    scored: tuple[Scored, ...] = ()
    if form.asked is not None and not _is_begun_only(form):
        scored = tuple(score_everywhere(form.asked.hand, form.asked.situation, every))
    return Page(EVERYWHERE, None, None, form, picker, scored)


def _asked(request: HttpRequest, known: Known) -> tuple[HandForm, Picker]:
    """The form with what was typed, and the picker with the tiles so far."""
    form = HandForm(known, request.GET)
    form.is_valid()
    tray = _tray(form)
    line = form.line if tray is None else tray.line
    return form, picker_of(known, tray or Tray(), line, target=_target(request.GET.get("to", "")))


def _book(request: HttpRequest, name: str) -> Book[Ruleset]:
    """The revision asked for, if it says how hands are played."""
    number = request.GET.get("revision", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < len("1000000")):
        raise Http404(_("There is no such revision."))
    book = rulesets_for(request.user).book(name, int(number) if number else None)
    if book is None or book.value.play is None:
        raise Http404(_("There is no ruleset of this name that says how hands are played."))
    return book


def _tray(form: HandForm) -> Tray | None:
    """The tiles so far; none where the text cannot be read."""
    try:
        return Tray.read(form.line, form.tiles_typed("dora"), form.tiles_typed("ura"))
    except NotationError:
        return None


def _target(text: str) -> Target:
    return Target(text) if text in set(Target) else Target.HAND


def _is_begun_only(form: HandForm) -> bool:
    """A hand that lacks tiles and whose winning tile nobody named is still being put together."""
    asked = form.asked
    named = "+" in form.line or bool(form.cleaned_data.get("win"))
    return asked is not None and not named and len(asked.hand.concealed) + 3 * len(asked.hand.melds) < WHOLE - 1


def _page(request: HttpRequest, page: Page) -> HttpResponse:
    """The page; a tap without a script leads to the next one."""
    tapped = _tapped(request, page)
    if tapped is not None:
        return HttpResponseRedirect(f"{request.path}?{tapped}")
    return render(
        request, "rulebooks/hand/calculator.html", context_of(page), status=REFUSED if page.is_refused else 200
    )


def context_of(page: Page) -> dict[str, Any]:
    """What the templates of the calculator show."""
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


def _tapped(request: HttpRequest, page: Page) -> str | None:
    """The query after a tap, if there was one; what cannot be read is left as it was typed."""
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
    return urlencode([*changed, *([("to", target.value)] if target is not Target.HAND else [])])


def _value(request: HttpRequest, page: Page) -> HttpResponse:
    """What the script of the page puts in place, and what a page that embeds the picker takes."""
    wrong = {**page.form.errors.get_json_data(), **(page.options.errors.get_json_data() if page.options else {})}
    document: dict[str, Any] = {
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
