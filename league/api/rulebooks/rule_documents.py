"""Ruleset documents: their values as JSON, with revision and digest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.selectors.rulebooks.catalogue import CatalogueEntry
from league.web.documents import Values
from league.web.live.hand_documents import RulesetHead, ruleset_head
from scoring.ruleset import Ruleset

Revisions = Annotated[list[int], Field(description="All revisions that can be read.")]


class RulesetDocument(RulesetHead):
    """A ruleset with its values and its house options."""

    revisions: Revisions
    values: Values = Field(description="The values by table and key, as in the ruleset's file.")
    options: Values = Field(description="The house options by name, each with its default and what it may be.")


def ruleset_document(book: CatalogueEntry[Ruleset], revisions: Sequence[int]) -> RulesetDocument:
    """Return a ruleset with its values and its options."""
    values = book.value.data()
    options = values.pop("options", {})
    return RulesetDocument.build(ruleset_head(book), revisions=revisions, values=values, options=options)
