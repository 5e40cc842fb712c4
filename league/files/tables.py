"""Reader of tables as people keep them (CSV, XLSX or pasted text) into rows of named cells.

`read_table(data, columns)` does not interpret the cells. Columns are recognized by their headers, in any order, in
Japanese or English; cells are text without surrounding blanks; a row's number is the one that spreadsheets show. All
faults of the table as such are returned at once.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from django.utils.translation import gettext as _

from league.files.encodings import UnreadableTextError, text_of
from league.files.formulas import FORMULA_STARTS
from league.files.spreadsheets import (
    MOST_COLUMNS,
    MOST_ROWS,
    OLD_WORKBOOK,
    PACKED,
    UnreadableSheetError,
    sheet_rows,
    too_many_rows,
)
from rulesets.normalization import normalize

LARGEST_FILE = 10 * 1024 * 1024
LONGEST_LINE = 100_000
MOST_LINES = 200
"""Lines of text in one row of a CSV; more than any real row has."""
LONGEST_HEADER = 200
LONGEST_CELL = 500
"""Characters of a cell that is read: Unicode normalization may take quadratic time."""
MOST_FAULTS = 1_000
"""The highest number of reported faults of one kind."""
SHOWN_OF_CELL = 40
LINES_TO_HEADER = 5
"""The header is looked for in this many lines: others may stand above it, such as a title and a date."""
DELIMITERS = "\t,;"
_FILLING = re.compile(r"[\s_\-・:：*※]+")
_ASIDE = re.compile(r"\([^()]*\)|\[[^][]*\]")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column, by its key, with the other headers it is recognized by."""

    key: str
    names: tuple[str, ...] = ()
    is_needed: bool = False

    @property
    def spellings(self) -> frozenset[str]:
        """Return all its headers in folded form, for comparison."""
        return frozenset(fold_text(name) for name in (self.key, *self.names))


@dataclass(frozen=True, slots=True)
class TableFault:
    """A fault of a table: row number as in spreadsheets, header of the column, value found, and what to do."""

    message: str
    row: int | None = None
    column: str = ""
    value: str = ""

    def __str__(self) -> str:
        place = [_("row %(row)s") % {"row": self.row}] if self.row else []
        place += [self.column] if self.column else []
        found = " " + _("(found %(value)s)") % {"value": repr(self.value)} if self.value else ""
        return f"{' · '.join(place)}: {self.message}{found}" if place else f"{self.message}{found}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One non-empty row: its number, and its cells by column key; an empty cell is an empty text."""

    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A parsed table: `headers` maps a column's key to its header in the file; `ignored` lists the other headers."""

    rows: tuple[TableRow, ...] = ()
    faults: tuple[TableFault, ...] = ()
    headers: Mapping[str, str] | None = None
    ignored: tuple[str, ...] = ()

    def header(self, key: str) -> str:
        """Return the file's header of a column; the key itself if it has none."""
        return (self.headers or {}).get(key, key)


def read_table(
    source: bytes | str, columns: Sequence[TableColumn], *, without_header: Sequence[str] = ()
) -> ParsedTable:
    """Parse a file's bytes or a pasted text.

    `without_header` names the columns, in their order, of a table whose first row is no header; if it is empty, such
    a table is a fault. A cell of more than `LONGEST_CELL` characters is a fault, but is cut in a table without a
    header.
    """
    try:
        lines = _lines(source, columns)
    except (UnreadableTextError, UnreadableSheetError) as error:
        return ParsedTable(faults=(TableFault(str(error)),))
    except csv.Error:
        return ParsedTable(
            faults=(TableFault(_("A quotation mark is opened and not closed, or a row is far too long.")),)
        )
    filled = [(number, cells) for number, cells in enumerate(lines, start=1) if any(cells)]
    if not filled:
        return ParsedTable(faults=(TableFault(_empty(source)),))
    if len(filled) > MOST_ROWS + 1:
        return ParsedTable(faults=(TableFault(too_many_rows()),))
    place = _place_of_header([cells for _number, cells in filled[:LINES_TO_HEADER]], columns)
    number, header = filled[place]
    if not without_header or _recognized(header, columns):
        return _with_header(number, header, filled[place + 1 :], columns)
    # Cutting cells loses nothing: the rest is longer than any name, so it is refused; a column of notes is ignored.
    keys = dict(enumerate(without_header[: max(len(cells) for _number, cells in filled)]))
    return ParsedTable(_rows(filled, keys), headers={})


def as_text(source: bytes | str) -> ParsedTable:
    """Read a table whose columns the caller identifies: cells are keyed by their index, as text."""
    return read_table(source, (), without_header=[str(place) for place in range(MOST_COLUMNS)])


def fold_text(text: str) -> str:
    """Return a header or name in the form for comparison: width, case, blanks and text in brackets are ignored."""
    plain = normalize("NFKC", text).casefold()
    return _FILLING.sub("", _ASIDE.sub("", plain)) or _FILLING.sub("", plain)


def _empty(source: bytes | str) -> str:
    """Return the message for a table without a filled cell."""
    if isinstance(source, bytes) and source.startswith(PACKED):
        return _("The first sheet of this file is empty, and only the first sheet is read. Move the table there.")
    return _("There is nothing in this table.")


def _place_of_header(first: Sequence[Sequence[str]], columns: Sequence[TableColumn]) -> int:
    """Return the index of the header among the first rows: below a title it is known by two columns at least."""
    known = [len(_recognized(cells, columns)) for cells in first]
    return 0 if known[0] else next((place for place, number in enumerate(known) if number > 1), 0)


def _lines(source: bytes | str, columns: Sequence[TableColumn]) -> list[list[str]]:
    """Return every row as a list of stripped cells. Raise UnreadableTextError or UnreadableSheetError."""
    if isinstance(source, bytes) and len(source) > LARGEST_FILE:
        raise UnreadableTextError(
            _("A file may have %(most)s MB. Divide it, or leave out what does not belong to the table.")
            % {"most": LARGEST_FILE // 1024 // 1024}
        )
    if isinstance(source, bytes) and source.startswith((PACKED, OLD_WORKBOOK)):
        return [[cell.strip() for cell in row] for row in sheet_rows(source)]
    text = text_of(source) if isinstance(source, bytes) else source
    return [[_plain(cell) for cell in row] for row in _separated(text.removeprefix("\ufeff"), columns)]


def _plain(cell: str) -> str:
    """Return a cell without surrounding blanks, and without the apostrophe that keeps a text from being a formula."""
    text = cell.strip()
    is_kept = text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS)
    return text[1:].strip() if is_kept else text


def _separated(text: str, columns: Sequence[TableColumn]) -> Iterator[list[str]]:
    """Yield the rows of a text, split at the delimiter that yields the most known headers in its header."""
    filled = (line[:LONGEST_LINE] for line in io.StringIO(text, newline="") if line.strip())
    first = list(islice(filled, LINES_TO_HEADER if columns else 1))

    def fitness(delimiter: str) -> tuple[int, int]:
        rows = [next(csv.reader([line], delimiter=delimiter), []) for line in first]
        return max(((len(_recognized(cells, columns)), len(cells)) for cells in rows), default=(0, 0))

    best = max(DELIMITERS, key=fitness)
    lines = _Lines(text)
    for row in csv.reader(lines, delimiter=best, strict=True):
        lines.in_row = 0
        if len(row) > MOST_COLUMNS:
            raise UnreadableTextError(_("A row of this table has more than %(most)s cells.") % {"most": MOST_COLUMNS})
        yield row


class _Lines:
    """Iterates over the lines of a text; raises csv.Error for an endless row before it fills the memory."""

    def __init__(self, text: str) -> None:
        self.stream = io.StringIO(text, newline="")
        self.in_row = 0

    def __iter__(self) -> Iterator[str]:
        for line in self.stream:
            self.in_row += 1
            if len(line) > LONGEST_LINE or self.in_row > MOST_LINES:
                raise csv.Error("a row has too many lines or too long a line")
            yield line


def _recognized(header: Sequence[str], columns: Sequence[TableColumn]) -> dict[int, str]:
    """Return the known columns of a header row, as a map of index to key."""
    keys = {spelling: column.key for column in columns for spelling in column.spellings}
    names = {place: fold_text(cell) for place, cell in enumerate(header) if len(cell) <= LONGEST_HEADER}
    return {place: keys[name] for place, name in names.items() if name in keys}


def _with_header(
    number: int, header: Sequence[str], rest: Sequence[tuple[int, Sequence[str]]], columns: Sequence[TableColumn]
) -> ParsedTable:
    known = _recognized(header, columns)
    long = [_too_long(number, "", cell, LONGEST_HEADER) for cell in header if len(cell) > LONGEST_HEADER]
    if faults := tuple(long) or tuple(islice(_long_cells(header, rest, known), MOST_FAULTS)):
        return ParsedTable(faults=faults)
    faults = (*_twice(number, header, known), *_missing(number, header, known, columns))
    if not faults and not rest:
        faults = (TableFault(_("Below the header there is nothing in this table."), number + 1),)
    faults += tuple(islice(_under_no_header(header, rest), MOST_FAULTS))
    ignored = tuple(cell for place, cell in enumerate(header) if cell and place not in known)
    headers = {key: header[place] for place, key in known.items()}
    return ParsedTable(_rows(rest, known), faults, headers, ignored)


def _long_cells(
    header: Sequence[str], rest: Sequence[tuple[int, Sequence[str]]], known: Mapping[int, str]
) -> Iterator[TableFault]:
    for number, cells in rest:
        for place in known:
            if place < len(cells) and len(cells[place]) > LONGEST_CELL:
                yield _too_long(number, header[place], cells[place], LONGEST_CELL)


def _too_long(number: int, column: str, cell: str, most: int) -> TableFault:
    message = _("This cell has %(length)s characters; at most %(most)s are read. Shorten it, or leave it out.")
    return TableFault(message % {"length": f"{len(cell):,}", "most": most}, number, column, _shortened(cell))


def _under_no_header(header: Sequence[str], rest: Sequence[tuple[int, Sequence[str]]]) -> Iterator[TableFault]:
    for row, cells in rest:
        for cell in filter(None, cells[len(header) :]):
            yield TableFault(_("This cell stands under no header."), row, value=_shortened(cell))


def _shortened(cell: str) -> str:
    """Return the cell, shortened for display in a fault."""
    return cell if len(cell) <= SHOWN_OF_CELL else f"{cell[:SHOWN_OF_CELL]}…"


def _rows(lines: Sequence[tuple[int, Sequence[str]]], keys: Mapping[int, str]) -> tuple[TableRow, ...]:
    return tuple(
        TableRow(
            number, {key: cells[place][:LONGEST_CELL] if place < len(cells) else "" for place, key in keys.items()}
        )
        for number, cells in lines
    )


def _twice(number: int, header: Sequence[str], known: Mapping[int, str]) -> Iterator[TableFault]:
    counted = Counter(known.values())
    for place, key in known.items():
        if counted[key] > 1:
            yield TableFault(_("Two columns have the same meaning; leave one out."), number, header[place])


def _missing(
    number: int, header: Sequence[str], known: Mapping[int, str], columns: Sequence[TableColumn]
) -> Iterator[TableFault]:
    for column in columns:
        if column.is_needed and column.key not in known.values():
            called = column.names[0] if column.names else column.key
            message = _("There is no column “%(column)s” (%(key)s).") % {"column": called, "key": column.key}
            close = get_close_matches(fold_text(called), list(map(fold_text, header)), n=1)
            meant = next((cell for cell in header if close and fold_text(cell) == close[0]), "")
            hint = " " + _("Is it “%(header)s”?") % {"header": meant} if meant else ""
            yield TableFault(message + hint, number)
