"""Export of tables: CSV that spreadsheets open, XLSX with typed numbers, JSON for programs.

A text that a spreadsheet would run as a formula is exported as text (protection against CSV injection): in CSV behind
an apostrophe, which the import removes again, in XLSX as a cell of type text. Numbers are never changed, so that
-30.0 remains a number. openpyxl is loaded with the first XLSX file, since loading it takes a twentieth of a process's
start.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from typing_extensions import override

from league.files.formulas import escape_formula

Cell = str | int | Decimal | None
BOM = "\ufeff"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WIDEST = 40
UNDATED = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - XLSX and ZIP store no zone
"""The date in every file written: the earliest that ZIP knows."""


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


def xlsx_bytes(sheet: Sheet, language: str) -> bytes:
    """Return an XLSX file with one sheet, whose header row is bold and frozen."""
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415
    from openpyxl.writer.excel import ExcelWriter  # noqa: PLC0415

    book = Workbook(write_only=True)
    page = book.create_sheet(_sheet_title(sheet.title))
    page.freeze_panes = "A2"
    for number, head in enumerate(sheet.heads):
        page.column_dimensions[get_column_letter(number + 1)].width = min(
            max(10, 2 * len(head.header_in(language)) + 2), _WIDEST
        )
    page.append([_bold(page, head.header_in(language)) for head in sheet.heads])
    for row in sheet.rows:
        page.append([_cell(page, cell) for cell in row])
    # `book.save` would write the time into the properties and the archive, and the strong ETag would name many bodies.
    book.properties.created = book.properties.modified = UNDATED
    packed = io.BytesIO()
    ExcelWriter(book, _UndatedZip(packed, "w", ZIP_DEFLATED)).save()
    return packed.getvalue()


class _UndatedZip(ZipFile):
    """A ZIP file whose members have all the same date, so that equal tables are equal bytes."""

    @override
    def writestr(self, zinfo_or_arcname: Any, data: Any, *args: Any, **options: Any) -> None:
        """Write a member that is given as text or bytes."""
        super().writestr(self._member(zinfo_or_arcname), data)

    @override
    def write(self, filename: Any, arcname: Any = None, *args: Any, **options: Any) -> None:
        """Write a member that is given as a file."""
        with Path(filename).open("rb") as file, self.open(self._member(arcname or filename), "w") as member:
            shutil.copyfileobj(file, member)

    @staticmethod
    def _member(name: Any) -> ZipInfo:
        made = ZipInfo(str(name), date_time=UNDATED.timetuple()[:6])
        made.compress_type = ZIP_DEFLATED
        return made


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


def _sheet_title(title: str) -> str:
    """Return a valid sheet title: at most 31 characters, none of those that XLSX forbids."""
    return re.sub(r"[\[\]:*?/\\']", " ", _CONTROL.sub("", title))[:31].strip() or "1"


def _bold(page: Any, text: str) -> Any:
    from openpyxl.styles import Font  # noqa: PLC0415

    cell = _cell(page, text)
    cell.font = Font(bold=True)
    return cell


def _cell(page: Any, value: Cell) -> Any:
    if not isinstance(value, str):
        return value
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    cell = WriteOnlyCell(page, _CONTROL.sub("", value))
    cell.data_type = "s"
    return cell
