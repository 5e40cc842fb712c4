"""Renderers of responses: JSON of pydantic documents, CSV of standings, and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from league.api.standings.standings_documents import Standings
from league.files.formulas import escape_formula
from league.web.documents import Document

BYTE_ORDER_MARK = "\ufeff"
"""Byte order mark by which spreadsheet programs recognize UTF-8."""
HEAD = (
    "stage", "block", "rank", "position", "tied", "entrant", "name", "kana", "romaji", "affiliation", "country",
    "total", "carried", "adjustment", "played", "planned", "first", "second", "third", "fourth",
    "gap_to_above", "gap_to_border", "destination", "credited",
)  # fmt: skip
PLACES = ("first", "second", "third", "fourth")
TEXTS = frozenset(("stage", "block", "name", "kana", "romaji", "affiliation", "country"))


class DocumentEncoder(JSONEncoder):
    """JSON encoder of the framework, extended to encode documents."""

    def default(self, obj: object) -> object:
        """Return a serializable value in place of an object."""
        return obj.as_json() if isinstance(obj, Document) else super().default(obj)


class JsonRenderer(JSONRenderer):
    """Renders documents as JSON, single or in pages."""

    encoder_class = DocumentEncoder

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, object] | None = None,
    ) -> bytes:
        """Return the JSON bytes; pydantic serializes a single document several times faster than the framework."""
        if not isinstance(data, Document) or self.get_indent(accepted_media_type or "", renderer_context or {}):
            return super().render(data, accepted_media_type, renderer_context)
        # U+2028 and U+2029 are escaped below, because they end a line in JavaScript.
        text = data.model_dump_json()
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()


class StandingsCsvRenderer(BaseRenderer):
    """Renders standings as CSV for spreadsheets; a name that looks like a formula gets an apostrophe."""

    media_type = "text/csv"
    format = "csv"

    def render(self, data: Standings, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        """Return the rows of all blocks, one block after the other, under one header."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(HEAD)
        writer.writerows(rows(data))
        return (BYTE_ORDER_MARK + text.getvalue()).encode()


class FileRenderer(BaseRenderer):
    """Placeholder for a format that the view itself writes, so that content negotiation offers it."""

    charset = None

    def render(self, data: bytes, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        """Return the bytes that the view made."""
        return bytes(data)


def rows(standings: Standings) -> Iterator[list[str]]:
    """Yield one line for each entrant in each block."""
    for block in standings.blocks:
        for row in block.rows:
            flat = {
                **dict(row),
                "stage": block.stage.key,
                "block": block.key,
                "tied": int(row.tied),
                **dict(zip_longest(PLACES, row.places)),
                "destination": row.destination.key if row.destination else "",
            }
            yield [cell(flat[key], is_text=key in TEXTS) for key in HEAD]


def cell(value: object, *, is_text: bool) -> str:
    """Return a cell's text: empty for null, and with an apostrophe if a spreadsheet would take it for a formula."""
    text = "" if value is None else str(value)
    return escape_formula(text) if is_text else text
