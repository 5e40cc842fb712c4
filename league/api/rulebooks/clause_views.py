"""Views of the clauses of the rule books."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404
from rest_framework import serializers as s

from league.api.base import StaticView
from league.api.fields import PagedQuery
from league.api.rulebooks.clause_documents import ClauseDocument, clause_document
from league.api.schema import describe_get
from league.selectors.rulebooks.clauses import ClauseInBook, clauses_by_id
from league.web.documents import Page
from rulesets.clauses import ClauseStatus, Section, books
from rulesets.search import LONGEST_QUESTION, find_clauses


class ClausesQuery(PagedQuery):
    """Filters of the clauses: a rule book, a section, a status, or a search text."""

    ruleset = s.ChoiceField(books(), required=False, help_text="The rule book of this ruleset.")
    section = s.ChoiceField([each.value for each in Section], required=False)
    status = s.ChoiceField([each.value for each in ClauseStatus], required=False)
    q = s.CharField(
        required=False,
        max_length=LONGEST_QUESTION,
        help_text="A word or a question, Japanese or English; the clauses that answer it best come first.",
    )


@describe_get("list_clauses", Page[ClauseDocument], query=ClausesQuery)
class ClausesView(StaticView):
    """List the clauses of the rule books, in the order of the books, or by relevance to a search text."""

    query_class = ClausesQuery

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(list(self.clauses()), lambda found: [clause_document(each) for each in found])

    def clauses(self) -> Iterator[ClauseInBook]:
        """Yield the clauses that match the query."""
        wanted = {key: self.query[key] for key in ("section", "status") if key in self.query}
        for each in self.candidates():
            if all(getattr(each.clause, key) == value for key, value in wanted.items()):
                yield each

    def candidates(self) -> Iterator[ClauseInBook]:
        """Yield the search results, or else the clauses of the book, before the other filters."""
        book = self.query.get("ruleset")
        if "q" in self.query:
            yield from (ClauseInBook(each.book, each.clause) for each in find_clauses(self.query["q"], book))
        else:
            yield from (each for each in clauses_by_id().values() if book in (None, each.book))


@describe_get("get_clause", ClauseDocument)
class ClauseView(StaticView):
    """Return one clause."""

    found: ClauseInBook

    def open(self, **path: object) -> None:
        """Find the clause with this number."""
        found = clauses_by_id().get(self.kwargs["id"])
        if found is None:
            raise Http404
        self.found = found

    def document(self) -> ClauseDocument:
        """Return the clause with its values and proofs."""
        return clause_document(self.found)
