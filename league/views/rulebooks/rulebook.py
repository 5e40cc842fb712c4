"""The rule books as pages: each whole on one page with an anchor for every clause, a search, and a one-page summary."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.models import RulesetRevision
from league.platform.rendering import render
from league.selectors.access.etags import etag
from league.selectors.rulebooks.catalogue import rulesets_for
from league.selectors.rulebooks.clauses import limit_rows, payment_tables, settings_by_clause, yaku_of
from league.selectors.rulebooks.rule_changes import revisions_read
from league.views.base import REPRESENTATION, answer, conditional
from league.web.response_cache import Render
from league.web.rulebooks.rule_facts import Fact, facts_of
from league.wording.live.yaku import limit_name, yaku_name
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_settings import (
    KEYS,
    SettingLine,
    combined_worth,
    facts_of_play,
    setting_line,
    setting_text,
    yaku_line,
    yaku_worth,
)
from rulesets import loader
from rulesets.clauses import SECTION_TITLES, Clause, ClauseStatus, RuleBook, books, load_book
from rulesets.proofs import proofs_for
from rulesets.search import LONGEST_QUESTION, find_clauses
from scoring.ruleset import Option, Ruleset, Title
from scoring.ruleset.options import Choice, Flag, Subset
from scoring.ruleset.play import Play

FOUND_AT_MOST = 12
"""Maximum number of clauses shown for a search."""
YAKU_PATH = "play.yaku."

STATUS: dict[ClauseStatus, str | Promise] = {
    ClauseStatus.EXECUTED: gettext_lazy("executed"),
    ClauseStatus.ENTERED: gettext_lazy("entered by the scorer"),
    ClauseStatus.RULING: gettext_lazy("human ruling"),
    ClauseStatus.DESCRIPTIVE: gettext_lazy("descriptive"),
    ClauseStatus.PENDING: gettext_lazy("not yet executed"),
}
STATUS_MEANING: dict[ClauseStatus, str | Promise] = {
    ClauseStatus.EXECUTED: gettext_lazy("The software applies it by itself."),
    ClauseStatus.ENTERED: gettext_lazy("The scorer enters its outcome, and the software reckons with that."),
    ClauseStatus.RULING: gettext_lazy("A person rules on it; the software shows the rule and records the ruling."),
    ClauseStatus.DESCRIPTIVE: gettext_lazy("It tells or explains; no result depends on it."),
    ClauseStatus.PENDING: gettext_lazy("The software does not apply it yet."),
}


@dataclass(frozen=True, slots=True)
class ShownOption:
    """A house option: its value, and the values allowed."""

    key: str
    name: str
    value: str
    allowed: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownClause:
    """A clause as text, with the ruleset values that cite it."""

    clause: Clause
    status: str
    values: tuple[SettingLine, ...]
    options: tuple[ShownOption, ...]
    examples: int = 0
    """The number of worked examples that prove the clause."""
    tests: int = 0


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section of the book."""

    key: str
    title: str
    clauses: tuple[ShownClause, ...]


@dataclass(frozen=True, slots=True)
class ShownYaku:
    """A yaku in the table."""

    name: str
    closed: str
    opened: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRevision:
    """A stored revision of the ruleset that competitions were played by.

    `changes` are value, before, after and clauses; None for the first revision.
    """

    number: int
    kept_at: dt.datetime
    changes: tuple[tuple[SettingLine, str, str, tuple[str, ...]], ...] | None
    texts: tuple[tuple[str, str, str], ...] = ()
    """Clauses with changed text, before and after."""


@dataclass(frozen=True, slots=True)
class BookHead:
    """A book's entry in the list."""

    name: str
    book: RuleBook
    players: int
    counts: tuple[tuple[ClauseStatus, str, int], ...]


def require_book(name: str) -> tuple[RuleBook, Ruleset]:
    """Return the book and its ruleset; raise Http404 for an unknown name."""
    if name not in books():
        raise Http404(_("There is no such rule book."))
    return load_book(name), loader.load(name)


@require_safe
def books_list(request: HttpRequest) -> HttpResponseBase:
    """List all rule books."""
    return static_page(
        request,
        etag(REPRESENTATION, "rulebooks"),
        lambda: render(request, "rulebooks/books.html", {"heads": list(map(head_of, books()))}),
    )


def static_page(request: HttpRequest, tag: str, make: Render) -> HttpResponseBase:
    """Return a page of rule books, whose ETag cannot change while the page is rendered."""
    return answer(request, lambda: (tag, make))


def head_of(name: str) -> BookHead:
    """Return a book's entry with the number of clauses by status."""
    book, ruleset = require_book(name)
    counts = Counter(clause.status for clause in book.clauses)
    said = tuple((each, str(STATUS[each]), counts[each]) for each in ClauseStatus if counts[each])
    return BookHead(name, book, ruleset.players, said)


@require_safe
def rulebook(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a book, or the clauses that a search finds."""
    require_book(name)
    question = request.GET.get("q", "").strip()[:LONGEST_QUESTION]
    if question:
        return _found(request, name, question)
    kept = list(rulesets_for(request.user).kept.filter(name=name).order_by("number"))
    return static_page(
        request,
        etag(REPRESENTATION, "rulebook", name, [(each.number, each.sha256, each.created_at) for each in kept]),
        lambda: render(request, "rulebooks/book.html", book_context(name) | {"revisions": list(shown_revisions(kept))}),
    )


def shown_revisions(kept: list[RulesetRevision]) -> Iterator[ShownRevision]:
    """Yield the revisions with their changes in words."""
    for each in revisions_read(kept):
        changes = None
        if each.changes is not None:
            changes = tuple(
                (
                    SettingLine(found.path, str(KEYS.get(found.path, "")), ""),
                    _shown(found.path, found.before),
                    _shown(found.path, found.after),
                    found.clauses,
                )
                for found in each.changes
            )
        texts = tuple((found.clause, _told(found.before), _told(found.after)) for found in each.texts)
        yield ShownRevision(each.number, each.kept_at, changes, texts)


def _told(text: Title | None) -> str:
    return "–" if text is None else title_in(text)


def _shown(path: str, value: object) -> str:
    return "–" if value is None else setting_text(path, value)


def _found(request: HttpRequest, name: str, question: str) -> HttpResponseBase:
    """Return the clauses nearest to a question, without server-side caching: each question has a page of its own."""
    return conditional(
        request,
        etag(REPRESENTATION, "rulebook", name, question),
        lambda: render(request, "rulebooks/found.html", found_context(name, question)),
    )


@require_safe
def summary(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a summary on one page, for printing."""
    require_book(name)
    return static_page(
        request,
        etag(REPRESENTATION, "rulebook summary", name),
        lambda: render(request, "rulebooks/summary.html", summary_context(name)),
    )


def book_context(name: str) -> dict[str, object]:
    """Return the context of a whole book."""
    book, ruleset = require_book(name)
    return {
        **head_context(name),
        **play_context(ruleset.play),
        "sections": [
            ShownSection(
                section.value, title_in(SECTION_TITLES[section]), tuple(shown_clause(name, each) for each in clauses)
            )
            for section, clauses in book.sections().items()
        ],
        "options": options_of(ruleset),
        "statuses": [(status.value, str(STATUS[status]), str(STATUS_MEANING[status])) for status in ClauseStatus],
    }


def found_context(name: str, question: str) -> dict[str, object]:
    """Return the context of a search."""
    nearest = find_clauses(question, name)[:FOUND_AT_MOST]
    return {
        **head_context(name),
        "within": reverse("pages:rulebook", args=[name]),
        "question": question,
        "found": [shown_clause(name, each.clause) for each in nearest],
    }


def summary_context(name: str) -> dict[str, object]:
    """Return the context of a summary: the most wanted values, yaku grouped by worth, and payments."""
    ruleset = require_book(name)[1]
    facts = [*facts_of(ruleset), *(Fact(each.name, each.value, each.clauses) for each in facts_of_play(ruleset))]
    return {
        **head_context(name),
        **play_context(ruleset.play),
        "facts": facts,
        "options": options_of(ruleset),
        "groups": list(yaku_groups(ruleset.play)) if ruleset.play else [],
    }


def head_context(name: str) -> dict[str, object]:
    """Return the context common to all pages of a book."""
    book, ruleset = require_book(name)
    return {"name": name, "book": book, "ruleset": ruleset, "longest": LONGEST_QUESTION}


def play_context(play: Play | None) -> dict[str, object]:
    """Return the tables of yaku and payments; empty if the rules do not cover hands."""
    if play is None:
        return {}
    return {
        "yaku": [ShownYaku(yaku_name(name), *yaku_worth(name, play), yaku.clauses) for name, yaku in yaku_of(play)],
        "tables": payment_tables(play),
        "limits": [(limit_name(row.name), row) for row in limit_rows(play)],
        "payment_clauses": tuple(dict.fromkeys((*play.payments.clauses, *play.value.clauses))),
    }


def yaku_groups(play: Play) -> Iterator[tuple[str, list[str]]]:
    """Yield groups of yaku with equal worth, closed and opened."""
    groups: dict[str, list[str]] = {}
    for name, _yaku in yaku_of(play):
        groups.setdefault(combined_worth(name, play), []).append(yaku_name(name))
    yield from groups.items()


def shown_clause(name: str, clause: Clause) -> ShownClause:
    """Return a clause with its status in words, the values that cite it, and its options."""
    ruleset = loader.load(name)
    proofs = Counter(proof.is_example for proof in proofs_for(name, clause.id))
    return ShownClause(
        clause,
        str(STATUS[clause.status]),
        tuple(values_of(name, ruleset, clause.id)),
        tuple(shown_option(key, ruleset.options[key]) for key in clause.options),
        proofs[True],
        proofs[False],
    )


def values_of(name: str, ruleset: Ruleset, number: str) -> Iterator[SettingLine]:
    """Yield the values that cite a clause: one line for each yaku, all others by path."""
    for setting in settings_by_clause(name).get(number, ()):
        if not setting.path.startswith(YAKU_PATH):
            yield setting_line(setting.path, setting.value)
    if ruleset.play is not None:
        cited = [yaku for yaku, each in ruleset.play.yaku.items() if number in each.clauses]
        yield from (yaku_line(yaku, ruleset.play) for yaku in cited)


def options_of(ruleset: Ruleset) -> list[ShownOption]:
    """Return the house options with the book's own value and the values allowed."""
    return [shown_option(key, option) for key, option in ruleset.options.items()]


def shown_option(key: str, option: Option) -> ShownOption:
    """Return a house option with the book's own value and the values allowed."""
    return ShownOption(key, title_in(option.title), setting_text("", option.default), allowed(option), option.clauses)


def allowed(option: Option) -> str:
    """Return the allowed values of an option as text."""
    if isinstance(option, Flag):
        return _("yes or no")
    if isinstance(option, Choice | Subset):
        return setting_text("", option.values)
    return _("%(least)s to %(most)s") % {
        "least": setting_text("", option.minimum),
        "most": setting_text("", option.maximum),
    }
