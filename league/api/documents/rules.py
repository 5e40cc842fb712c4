"""Rulesets and formats: their values as JSON, with the revision and digest they are known by."""

from __future__ import annotations

import json
from collections.abc import Sequence

from league.api.documents.common import Document
from league.selectors.rulebooks import Book
from scoring.format import Format
from scoring.ruleset import Ruleset


def ruleset_head(book: Book[Ruleset]) -> Document:
    """A ruleset in one line."""
    return {
        "name": book.name,
        "title": {"ja": book.value.title.ja, "en": book.value.title.en},
        "players": book.value.players,
        "revision": book.number,
        "digest": book.sha256,
    }


def ruleset_document(book: Book[Ruleset], revisions: Sequence[int]) -> Document:
    """A ruleset with its values and its options."""
    values = book.value.data()
    options = values.pop("options", {})
    return {**ruleset_head(book), "revisions": list(revisions), "values": values, "options": options}


def format_head(book: Book[Format]) -> Document:
    """A format in one line."""
    return {
        "name": book.name,
        "title": {"ja": book.value.title.ja, "en": book.value.title.en},
        "entrants": book.value.entrants,
        "revision": book.number,
        "digest": book.sha256,
    }


def format_document(book: Book[Format], revisions: Sequence[int]) -> Document:
    """A format with its values."""
    values = json.loads(book.value.model_dump_json(by_alias=True, exclude_none=True))
    return {**format_head(book), "revisions": list(revisions), "values": values}
