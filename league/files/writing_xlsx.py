"""XLSX files with typed numbers; an own module, because loading openpyxl takes a twentieth of a process's start."""

from __future__ import annotations

import datetime as dt
import io
import re
import shutil
from itertools import chain, islice
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.writer.excel import ExcelWriter
from typing_extensions import override

from league.files.writing_tables import Cell, Sheet
from league.wording.formatting import text_width

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NARROWEST, _WIDEST = 6, 40
"""Widths of columns, in digits."""
_MEASURED = 500
"""Rows by which columns get their widths."""
UNDATED = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - XLSX and ZIP store no zone
"""The date in every file written: the earliest that ZIP knows."""


def xlsx_bytes(sheet: Sheet, language: str) -> bytes:
    """Return an XLSX file with one sheet, whose header row is bold and frozen."""
    book = Workbook(write_only=True)
    page = book.create_sheet(_sheet_title(sheet.title))
    page.freeze_panes = "A2"
    heads, rows = [head.header_in(language) for head in sheet.heads], iter(sheet.rows)
    # The widths are written before the rows, which may be a million.
    first = list(islice(rows, _MEASURED))
    for number, column in enumerate(zip(heads, *first, strict=True), start=1):
        longest = max(text_width("" if cell is None else str(cell)) for cell in column)
        page.column_dimensions[get_column_letter(number)].width = min(max(_NARROWEST, longest + 2), _WIDEST)
    page.append([_bold(page, head) for head in heads])
    for row in chain(first, rows):
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


def _sheet_title(title: str) -> str:
    """Return a valid sheet title: at most 31 characters, none of those that XLSX forbids."""
    return re.sub(r"[\[\]:*?/\\']", " ", _CONTROL.sub("", title))[:31].strip() or "1"


def _bold(page: Any, text: str) -> Any:
    cell = _cell(page, text)
    cell.font = Font(bold=True)
    return cell


def _cell(page: Any, value: Cell) -> Any:
    if not isinstance(value, str):
        return value
    cell = WriteOnlyCell(page, _CONTROL.sub("", value))
    cell.data_type = "s"
    return cell
