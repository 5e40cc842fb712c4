"""Export of tables: CSV that spreadsheets open, XLSX with typed numbers, JSON for programs.

A text that a spreadsheet would run as a formula is exported as text (protection against CSV injection): in CSV behind
an apostrophe, which the import removes again, in XLSX as a cell of type text. Numbers are never changed, so that
-30.0 remains a number. XLSX files are written by `league.files.writing_xlsx`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from league.files.formulas import escape_formula

Cell = str | int | Decimal | None
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its stable key, and its Japanese header."""

    key: str
    ja: str

    def header_in(self, language: str) -> str:
        """Return the header in a language."""
        return self.ja if language == "ja" else self.key


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to export. `rows` may be lazy, so that they are computed while they are written."""

    title: str
    heads: Sequence[Head]
    rows: Iterable[Sequence[Cell]]


def csv_lines(sheet: Sheet, language: str) -> Iterator[str]:
    """Yield the lines of a CSV file, with the byte order mark by which Excel recognizes UTF-8."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow([head.header_in(language) for head in sheet.heads])
    yield BOM + written.getvalue()
    for row in sheet.rows:
        written.seek(0)
        written.truncate()
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
        yield written.getvalue()


def json_pieces(sheet: Sheet) -> Iterator[str]:
    """Yield a JSON list of objects by column key; decimal amounts are strings, as everywhere in the API."""
    yield "["
    for number, row in enumerate(sheet.rows):
        said = {
            head.key: str(cell) if isinstance(cell, Decimal) else cell
            for head, cell in zip(sheet.heads, row, strict=True)
        }
        yield ("," if number else "") + "\n" + json.dumps(said, ensure_ascii=False)
    yield "\n]\n"
