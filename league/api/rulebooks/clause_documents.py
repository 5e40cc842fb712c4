"""Clause documents: clauses of the rule books in both languages, with the ruleset values that cite them."""

from __future__ import annotations

from django.urls import reverse
from pydantic import Field

from league.selectors.rulebooks.clauses import ClauseInBook, settings_by_clause
from league.web.document_parts import InBoth
from league.web.documents import Document
from rulesets.clauses import SECTION_TITLES, ClauseStatus, Depth, Section
from rulesets.example_kinds import KINDS
from rulesets.proofs import TEST, proofs_for
from scoring.ruleset.yaku import YakuName

CLAUSE = r"^[A-Z][A-Z0-9]*-\d{3}$"


class ClauseSection(Document):
    """The section of a rule book that a clause belongs to."""

    key: Section = Field(description="The section's key.")
    title: InBoth = Field(description="The section's title.")


class ClauseValue(Document):
    """A value of the ruleset's file that cites the clause."""

    path: str = Field(description="The value's path in the file.")
    value: object = Field(description="The value, of any JSON type.")


class Proof(Document):
    """An example or a test that cites a clause and fails if it is violated."""

    kind: str = Field(description="The kind of worked example, or `test`.", json_schema_extra={"enum": [*KINDS, TEST]})
    id: str = Field(description="The example's id in `examples.toml`, or the test's name.")


class ClauseDocument(Document):
    """A clause of a rule book: its rule, the interpretation of what the book leaves open, and its execution."""

    id: str = Field(description="The clause's number.", json_schema_extra={"pattern": CLAUSE})
    ruleset: str = Field(description="The ruleset whose book it stands in.")
    section: ClauseSection
    depth: Depth = Field(description="The detail of a game that executing it requires.")
    status: ClauseStatus = Field(description="The software's treatment of the clause.")
    why: InBoth | None = Field(description="The reason why the software does not execute it.")
    says: InBoth = Field(description="The rule: the book's, or an added one where `gap` is true.")
    gap: bool = Field(description="The book does not contain the rule.")
    ambiguous: InBoth | None = Field(description="The question that the book leaves open.")
    decision: InBoth | None = Field(description="The interpretation applied, and its reason.")
    reconstructed: bool = Field(description="The value is lost in the book; this one is reconstructed.")
    terms: list[str] = Field(description="Search terms for the clause.")
    options: list[str] = Field(description="The house options that it describes.")
    yaku: list[YakuName] = Field(description="The yaku whose value it states.")
    values: list[ClauseValue] = Field(description="The values of the ruleset that cite it.")
    proved_by: list[Proof] = Field(description="The proofs that it is executed: worked examples, then tests.")
    page: str = Field(description="The address of its place in the rule book.")


def clause_document(found: ClauseInBook) -> ClauseDocument:
    """Return a clause with the values that cite it, and the examples and tests that prove it."""
    clause = found.clause
    return ClauseDocument.build(
        clause,
        ruleset=found.book,
        section={"key": clause.section, "title": SECTION_TITLES[clause.section]},
        values=settings_by_clause(found.book).get(clause.id, ()),
        proved_by=proofs_for(found.book, clause.id),
        page=f"{reverse('pages:rulebook', args=[found.book])}#{clause.id}",
    )
