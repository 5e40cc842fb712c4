"""Results as a table with one hanchan to a row: its columns, and the parsing of a row.

Scores are table points (41,200) or, as on paper, in the unit of the rules (412); the sum of the row tells which,
because all scores of a table add up to about the same total. Under rules that keep scores from 0, scores that add up
to about 0 are gains and losses. Only whole numbers are accepted; the header says which seat a column is for.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.files.tables import ParsedTable, TableColumn, TableFault, TableRow
from rulesets.normalization import normalize
from scoring.ruleset import Ruleset

WINDS = ("東", "南", "西", "北")
WINDS_EN = ("east", "south", "west", "north")
PLACE = (
    TableColumn("id", ("対局ID", "番号ID", "hanchan id")),
    TableColumn("session", ("節", "開催", "日", "session number", "day")),
    TableColumn("block", ("ブロック", "組", "卓組", "group")),
    TableColumn("table", ("卓", "卓番", "卓名")),
    TableColumn("hanchan", ("回戦", "回", "半荘", "試合", "game", "number", "round")),
)
DATE = TableColumn("date", ("日時", "日付", "開始", "starts at"))
"""The start of a table of a team league: who is a member depends on the day."""
WHOLE = (
    TableColumn("kyoutaku", ("供託", "残り供託", "供託点", "deposits")),
    TableColumn("seats", ("席順", "席", "seats known")),
    TableColumn("reason", ("理由", "訂正理由")),
)
_SIGNS = str.maketrans(dict.fromkeys("▲△▼−–—―ー‐‑", "-"))
_NUMBER = re.compile(r"[+-]?(\d+|\d{1,3}(,\d{3})+)")
_DATE = re.compile(
    r"(?P<year>[0-9]{4})[-/.年](?P<month>[0-9]{1,2})[-/.月](?P<day>[0-9]{1,2})日?"
    r"([T ]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(:[0-9]{2})?)?"
)
_LARGEST = 9
_NO = frozenset({"no", "n", "0", "false", "不明", "いいえ", "x", "×"})
_YES = frozenset({"", "yes", "y", "1", "true", "はい", "o", "○", "〇", "◯", "席順どおり"})
_FEWEST = 4
"""A row is in the unit of the rules if its sum is less than the table's total divided by this number."""


def columns_of(rules: Ruleset, *, has_teams: bool = False) -> tuple[TableColumn, ...]:
    """Return the columns of results under a ruleset; the columns of one seat are adjacent.

    In a league of teams a seat has a column for the team, and none for a substitute; the date says whose member sat.
    """
    place = (*PLACE, DATE) if has_teams else PLACE
    seats = (column for seat in range(rules.players) for column in _of_seat(seat, rules, has_teams=has_teams))
    return (*place, *seats, *WHOLE)


def _of_seat(seat: int, rules: Ruleset, *, has_teams: bool) -> Iterator[TableColumn]:
    number, wind, english = seat + 1, WINDS[seat], WINDS_EN[seat]
    if has_teams:
        yield TableColumn(
            f"team{number}", (f"{wind}家のチーム", f"チーム{number}", f"{english} team", f"team {number}")
        )
    names = (f"{wind}家", f"選手{number}", f"player {number}", english, f"{number}人目", wind)
    yield TableColumn(f"player{number}", (*names, "起家") if seat == 0 else names)
    scored = (f"{wind}家の点", f"{wind}家点数", f"{wind}家素点", f"点数{number}", f"素点{number}", f"得点{number}")
    yield TableColumn(f"score{number}", (*scored, f"{english} score", f"points {number}"), is_needed=True)
    for ledger in rules.entered_ledgers:
        titled = (f"{wind}家の{ledger.title.ja}", f"{ledger.title.ja}{number}", f"{ledger.title.en} {number}")
        yield TableColumn(f"{ledger.key}{number}", titled)
    yield TableColumn(f"chonbo{number}", (f"{wind}家のチョンボ", f"チョンボ{number}", f"{english} chonbo"))
    if not has_teams:
        yield TableColumn(f"substitute{number}", (f"{wind}家の代打", f"代打{number}", f"{english} substitute"))


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, with the time of day if the cell has one."""

    day: dt.date | None = None
    time: dt.time | None = None


@dataclass(frozen=True, slots=True)
class SeatCells:
    """One seat of a row: names of people as written, numbers parsed."""

    player: str
    substitute: str
    team: str
    score: int
    chonbo: int
    carried: dict[str, int]


@dataclass
class ResultRow:
    """A parsed row of results; unreadable cells are among the faults."""

    number: int
    place: dict[str, str]
    seats: tuple[SeatCells, ...]
    kyoutaku: int
    are_seats_known: bool
    reason: str
    moment: Moment
    faults: list[TableFault] = field(default_factory=list)

    def in_points(self, rules: Ruleset) -> tuple[tuple[int, ...], int]:
        """Return the scores and the leftover deposits in table points.

        Where the rules keep scores from 0, a row whose sum is about 0 has gains and losses: the start is added.
        """
        scores = tuple(seat.score for seat in self.seats)
        total = rules.table_total
        unit = rules.entry.unit
        if rules.typed_from and abs(sum(scores) + self.kyoutaku) * _FEWEST * unit < total:
            # A sum of 0 does not tell the unit, but no player can gain more than the table holds.
            factor = unit if max(map(abs, scores)) * unit <= total else 1
            return tuple(score * factor + rules.typed_from for score in scores), self.kyoutaku * factor
        if unit > 1 and abs(sum(scores) + self.kyoutaku) * _FEWEST < total:
            return tuple(score * unit for score in scores), self.kyoutaku * unit
        return scores, self.kyoutaku


def is_blank(row: TableRow, rules: Ruleset) -> bool:
    """Return True if the row has no score: a line of the template for a game that was not played yet."""
    return not any(row.cells.get(f"score{seat + 1}") for seat in range(rules.players))


def read_row(row: TableRow, table: ParsedTable, rules: Ruleset) -> ResultRow:
    """Parse a row; every unreadable cell becomes a fault."""
    cells = _Cells(row, table)
    seats = tuple(_seat(cells, seat + 1, rules) for seat in range(rules.players))
    return ResultRow(
        number=row.number,
        place={column.key: row.cells.get(column.key, "") for column in PLACE},
        seats=seats,
        kyoutaku=cells.number("kyoutaku"),
        are_seats_known=cells.yes("seats"),
        reason=row.cells.get("reason", ""),
        moment=cells.moment("date"),
        faults=cells.faults,
    )


def _seat(cells: _Cells, number: int, rules: Ruleset) -> SeatCells:
    return SeatCells(
        player=cells.text(f"player{number}"),
        substitute=cells.text(f"substitute{number}"),
        team=cells.text(f"team{number}"),
        score=cells.number(f"score{number}", is_needed=True),
        chonbo=cells.number(f"chonbo{number}", is_count=True),
        carried={ledger.key: cells.number(f"{ledger.key}{number}") for ledger in rules.entered_ledgers},
    )


@dataclass
class _Cells:
    """Parses the cells of a row one by one, and collects the faults."""

    row: TableRow
    table: ParsedTable
    faults: list[TableFault] = field(default_factory=list)

    def text(self, key: str) -> str:
        """Return the text of a cell, unchanged."""
        return self.row.cells.get(key, "")

    def number(self, key: str, *, is_needed: bool = False, is_count: bool = False) -> int:
        """Return a cell's whole number; an empty cell is 0, or a fault if it is needed."""
        text = self.text(key)
        if not text and not is_needed:
            return 0
        value = whole_number(text)
        if value is None or (is_count and value < 0):
            self.fault(key, text, self._words(text, is_count=is_count))
            return 0
        return value

    def moment(self, key: str) -> Moment:
        """Return a cell's date and time; an empty cell has none, an unreadable one is a fault."""
        text = self.text(key)
        found = moment_in(text)
        if text and found.day is None:
            self.fault(key, text, _("Write a date such as 2026-10-05, with a time if you like: 2026-10-05 19:00."))
        return found

    def yes(self, key: str) -> bool:
        """Return True if a cell says yes or is empty; any other word than yes or no is a fault."""
        plain = normalize("NFKC", self.text(key)).casefold().strip()
        if plain not in _YES | _NO:
            self.fault(key, self.text(key), _("Write 1 if the seats are known, 0 if not."))
        return plain not in _NO

    def fault(self, key: str, value: str, message: str) -> None:
        """Record a fault of a cell."""
        self.faults.append(TableFault(message, self.row.number, self.table.header(key), value))

    @staticmethod
    def _words(text: str, *, is_count: bool) -> str:
        if not text:
            return _("The score is missing.")
        if is_count:
            return _("Write how many: 0, 1, 2 ...")
        return _("Write a whole number of points, such as 41200 or ▲3500.")


def moment_in(text: str) -> Moment:
    """Parse a date such as 2026-10-05, 2026/10/5 or 2026年10月5日, with or without a time after it."""
    found = _DATE.fullmatch(normalize("NFKC", text).strip())
    if found is None:
        return Moment()
    try:
        day = dt.date(int(found["year"]), int(found["month"]), int(found["day"]))
        return Moment(day, dt.time(int(found["hour"]), int(found["minute"])) if found["hour"] else None)
    except ValueError:
        return Moment()


def whole_number(text: str) -> int | None:
    """Parse a number as people write it: full-width digits, ▲ for minus, thousands separators.

    Return None if it is not a whole number, or has more than nine digits.
    """
    plain = normalize("NFKC", text).translate(_SIGNS).replace(" ", "").removesuffix("点")
    if not _NUMBER.fullmatch(plain) or not plain.isascii():
        return None
    digits = plain.replace(",", "")
    return int(digits) if len(digits.lstrip("+-0")) <= _LARGEST else None
