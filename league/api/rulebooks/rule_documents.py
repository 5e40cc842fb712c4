"""Ruleset and format documents: their values as JSON, with revision and digest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.selectors.rulebooks.catalogue import CatalogueEntry
from league.web.document_parts import InBoth
from league.web.documents import Document, Values
from league.web.hand_documents import Digest, Revision, RulesetHead, ruleset_head
from scoring.format import Format
from scoring.ruleset import Ruleset

Revisions = Annotated[list[int], Field(description="All revisions that can be read.")]


class RulesetDocument(RulesetHead):
    """A ruleset with its values and its house options."""

    revisions: Revisions
    values: Values = Field(description="The values by table and key, as in the ruleset's file.")
    options: Values = Field(description="The house options by name, each with its default and what it may be.")


class FormatHead(Document):
    """A league format without its values."""

    name: str = Field(description="The format's name in addresses.")
    title: InBoth
    entrants: int | None = Field(description="The number of entrants; null for any number, or one within bounds.")
    entrants_least: int | None = Field(description="The least number of entrants, until the roster is closed.")
    entrants_most: int | None = Field(description="The greatest number of entrants, until the roster is closed.")
    revision: Revision
    digest: Digest


class FormatDocument(FormatHead):
    """A league format: stages, blocks, rules of advancement, tie-breaks."""

    revisions: Revisions
    values: Values = Field(description="The values by table and key, as in the format's file.")


def ruleset_document(book: CatalogueEntry[Ruleset], revisions: Sequence[int]) -> RulesetDocument:
    """Return a ruleset with its values and its options."""
    values = book.value.data()
    options = values.pop("options", {})
    return RulesetDocument.build(ruleset_head(book), revisions=revisions, values=values, options=options)


def format_head(book: CatalogueEntry[Format]) -> FormatHead:
    """Return a format without its values."""
    found = book.value
    return FormatHead.build(
        book,
        title=found.title,
        entrants=found.seeds or None,
        entrants_least=found.bounds.least if found.bounds else None,
        entrants_most=found.bounds.most if found.bounds else None,
        revision=book.number,
        digest=book.sha256,
    )


def format_document(book: CatalogueEntry[Format], revisions: Sequence[int]) -> FormatDocument:
    """Return a format with its values."""
    values = json.loads(book.value.model_dump_json(by_alias=True, exclude_none=True))
    return FormatDocument.build(format_head(book), revisions=revisions, values=values)
