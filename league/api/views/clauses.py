"""The clauses of the rule books."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from league.api.documents.clauses import clause_document
from league.api.documents.common import Document
from league.api.fields import PagedQuery
from league.api.schema import reads
from league.api.shapes import InBoth, Shape, page_of
from league.api.views.base import StaticView
from league.selectors.clauses import ClauseInBook, clauses_by_id
from rulesets.clauses import Depth, Section, Status, books
from rulesets.example_kinds import KINDS
from rulesets.proofs import TEST
from rulesets.search import LONGEST_QUESTION, find_clauses

CLAUSE = r"^[A-Z][A-Z0-9]*-\d{3}$"


class ClausesQuery(PagedQuery):
    """Which clauses: of a book, of a section, of a status, or those that answer a question."""

    ruleset = s.ChoiceField(books(), required=False, help_text="The rule book of this ruleset.")
    section = s.ChoiceField([each.value for each in Section], required=False)
    status = s.ChoiceField([each.value for each in Status], required=False)
    q = s.CharField(
        required=False,
        max_length=LONGEST_QUESTION,
        help_text="A word or a question, Japanese or English; the clauses that answer it best come first.",
    )


class ClauseSectionShape(Shape):
    """What a clause is about."""

    key = s.ChoiceField([each.value for each in Section])
    title = InBoth()


@extend_schema_field({})
class AnyValue(s.JSONField):
    """Any JSON value."""


class ClauseValueShape(Shape):
    """A value of the ruleset's file."""

    path = s.CharField(help_text="Where it stands in the file.")
    value = AnyValue()


class ProofShape(Shape):
    """An example or a test that cites a clause and fails where it is not kept."""

    kind = s.ChoiceField([*KINDS, TEST], help_text="The kind of worked example, or `test`.")
    id = s.CharField(help_text="The example's id in `examples.toml`, or the test's name.")


class ClauseShape(Shape):
    """A clause of a rule book: what the book says, what the house reads, what the software does with it."""

    id = s.RegexField(CLAUSE)
    ruleset = s.CharField()
    section = ClauseSectionShape()
    depth = s.ChoiceField([each.value for each in Depth], help_text="What must be known of a game to execute it.")
    status = s.ChoiceField([each.value for each in Status], help_text="What the software does with it.")
    why = InBoth(allow_null=True, help_text="Why the software does not execute it.")
    says = InBoth(help_text="The rule: the book's, or the house's own where `gap` is true.")
    gap = s.BooleanField(help_text="The book does not say it.")
    ambiguous = InBoth(allow_null=True, help_text="What the book leaves open.")
    decision = InBoth(allow_null=True, help_text="How the house reads it then, and why.")
    reconstructed = s.BooleanField(help_text="The value is lost in the book and was rebuilt by the house.")
    terms = s.ListField(child=s.CharField(), help_text="Words under which it is looked for.")
    options = s.ListField(child=s.CharField(), help_text="The house options it describes.")
    yaku = s.ListField(child=s.CharField(), help_text="The yaku it gives their worth.")
    values = ClauseValueShape(many=True, help_text="The values of the ruleset that cite it.")
    proved_by = ProofShape(many=True, help_text="What proves that it is executed: worked examples, then tests.")
    page = s.CharField(help_text="The address of its place in the rule book.")


@reads("list_clauses", page_of(ClauseShape), query=ClausesQuery)
class ClausesView(StaticView):
    """The clauses of the rule books, in the order of the books, or by how well they answer a question."""

    query_class = ClausesQuery

    def document(self) -> Document:
        """One page."""
        return self.page_of(list(self.clauses()), lambda found: [clause_document(each) for each in found])

    def clauses(self) -> Iterator[ClauseInBook]:
        """The clauses asked for."""
        wanted = {key: self.query[key] for key in ("section", "status") if key in self.query}
        for each in self.candidates():
            if all(getattr(each.clause, key) == value for key, value in wanted.items()):
                yield each

    def candidates(self) -> Iterator[ClauseInBook]:
        """Those of the book, or those that answer."""
        book = self.query.get("ruleset")
        if "q" in self.query:
            yield from (ClauseInBook(each.book, each.clause) for each in find_clauses(self.query["q"], book))
        else:
            yield from (each for each in clauses_by_id().values() if book in (None, each.book))


@reads("get_clause", ClauseShape)
class ClauseView(StaticView):
    """One clause."""

    found: ClauseInBook

    def open(self, **path: Any) -> None:
        """The clause of this number."""
        found = clauses_by_id().get(path["id"])
        if found is None:
            raise Http404
        self.found = found

    def document(self) -> Document:
        """Everything there is to know of it."""
        return clause_document(self.found)
