"""Teams and their members as a table with one membership to a row: its columns, and the parsing of a row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from league.files.result_rows import moment_in, whole_number
from league.files.tables import ParsedTable, TableColumn, TableFault, TableRow, fold_text
from league.files.writing_tables import Head
from league.wording.marks import COLOUR_NAMES, is_glyph

OF_TEAM = (
    Head("team_key", "チームキー"),
    Head("team", "チーム"),
    Head("team_kana", "チームよみ"),
    Head("team_romaji", "チームローマ字"),
    Head("team_short", "チーム略称"),
    Head("glyph", "牌の文字"),
    Head("colour", "色"),
)
"""Columns of the team; a row with an empty team belongs to the team of the row before it."""
OF_MEMBER = (
    Head("key", "選手キー"),
    Head("name", "選手"),
    Head("kana", "よみ"),
    Head("romaji", "ローマ字"),
    Head("since", "加入日"),
    Head("until", "最終日"),
    Head("captain", "キャプテン"),
)
MEMBERS = (*OF_TEAM, *OF_MEMBER)
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "team": ("チーム名", "team name"),
    "team_short": ("略称", "short name"),
    "glyph": ("文字", "tile"),
    "colour": ("カラー", "チームカラー", "color"),
    "key": ("キー", "player key"),
    "name": ("選手名", "氏名", "名前", "所属選手", "member", "player"),
    "kana": ("選手よみ", "ふりがな", "name kana"),
    "romaji": ("選手ローマ字", "name romaji"),
    "since": ("加入", "から", "from"),
    "until": ("まで", "移籍日", "to"),
    "captain": ("主将",),
}
COLUMNS = tuple(
    TableColumn(head.key, (head.ja, *OTHER_NAMES.get(head.key, ())), is_needed=head.key in {"team", "name"})
    for head in MEMBERS
)
LONGEST: Mapping[str, int] = {
    **dict.fromkeys(("team", "team_kana", "team_romaji", "name", "kana", "romaji"), 100),
    **dict.fromkeys(("team_key", "key"), 64),
    "team_short": 20,
}
"""The most characters of a cell that is stored."""
_CAPTAIN = frozenset({"1", "yes", "y", "true", "c", "○", "〇", "◯", "はい", "キャプテン", "主将"})
_NO_CAPTAIN = frozenset({"", "0", "no", "n", "false", "×", "いいえ"})


@dataclass
class TeamRow:
    """A parsed row; unreadable cells are among the faults."""

    number: int
    cells: Mapping[str, str]
    colour: int | None = None
    since: dt.date | None = None
    until: dt.date | None = None
    is_captain: bool = False
    faults: list[TableFault] = field(default_factory=list)


def read_team_row(row: TableRow, table: ParsedTable) -> TeamRow:
    """Parse a row; every unreadable cell becomes a fault."""
    cells = {head.key: row.cells.get(head.key, "").strip() for head in MEMBERS}
    colour, days = colour_in(cells["colour"]), {key: moment_in(cells[key]).day for key in ("since", "until")}
    faults = [
        TableFault(message, row.number, table.header(key), cells[key])
        for key, message in (*_unfit(cells), *_unread(cells, colour, days))
    ]
    return TeamRow(
        row.number,
        cells,
        colour if isinstance(colour, int) else None,
        days["since"],
        days["until"],
        fold_text(cells["captain"]) in _CAPTAIN,
        faults,
    )


def _unfit(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield column and message of each text that cannot be stored."""
    for key, most in LONGEST.items():
        if len(cells[key]) > most:
            yield key, _("At most %(most)s characters.") % {"most": most}
    if cells["glyph"] and not is_glyph(cells["glyph"]):
        yield "glyph", _("Write one visible character.")


def _unread(cells: Mapping[str, str], colour: object, days: Mapping[str, dt.date | None]) -> Iterator[tuple[str, str]]:
    """Yield column and message of each cell that is no colour, day or mark of a captain."""
    if colour == "unknown":
        last = len(COLOUR_NAMES) - 1
        yield "colour", _("Write a colour's number from 0 to %(last)s, or its name.") % {"last": last}
    for key, day in days.items():
        if cells[key] and day is None:
            yield key, _("Write a date such as 2026-10-05.")
    if fold_text(cells["captain"]) not in _CAPTAIN | _NO_CAPTAIN:
        yield "captain", _("Write 1 for the captain, else nothing.")


def colour_in(text: str) -> int | Literal["unknown"] | None:
    """Return the colour's number that a cell gives as a number or by its name in any language; None if empty."""
    if not text:
        return None
    number = whole_number(text)
    if number is not None:
        return number if 0 <= number < len(COLOUR_NAMES) else "unknown"
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names = [fold_text(str(each)) for each in COLOUR_NAMES]
        if fold_text(text) in names:
            return names.index(fold_text(text))
    return "unknown"
