"""The tables of a parlour's reports, for the page and as files: columns with a kind, and rows of plain values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.files.writing_tables import Cell, Head, Sheet
from league.models import Competition, Parlour, Player
from league.selectors.parlour.income import Income, Row, Source
from league.selectors.parlour.reports import MINUTE, Play, Use, Visits, Waits
from league.views.parlour.report_charts import BarChart
from league.wording.formatting import day_text, decimal_text, language_of, money_decimal, money_text, score_text
from league.wording.names import person_name, title_of

Value = str | int | Fraction | dt.date | None
STEPS_OF_HEAT = 4
NONE = "–"


class Kind(StrEnum):
    """The kind of a column, which decides how its values are written."""

    TEXT = "text"
    COUNT = "count"
    TIME = "time"
    """Seconds, written in hours and minutes; in files whole minutes."""
    MINUTES = "minutes"
    RATE = "rate"
    SHARE = "share"
    MONEY = "money"
    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in files for programs, its title, and its kind."""

    key: str
    title: str
    kind: Kind = Kind.COUNT

    @property
    def is_number(self) -> bool:
        """Return True if the values stand at the right."""
        return self.kind not in {Kind.TEXT, Kind.DAY, Kind.MONTH}


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as text, with the step of its shade from 0 (none) to 4."""

    text: str
    is_number: bool
    heat: int = 0


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report; the first column heads the rows, `foot` is the last row with the sums."""

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    currency: str
    foot: Sequence[Value] | None = None
    note: str = ""
    has_heat: bool = False
    chart: BarChart | None = None
    most: int | None = None
    """The largest number of rows on the page; a file has all."""

    @property
    def shown(self) -> list[list[Shown]]:
        """Return the rows as text."""
        return [self._row(row) for row in self.rows[: self.most]]

    @property
    def shown_foot(self) -> list[Shown]:
        """Return the row of sums as text; empty without one."""
        return [] if self.foot is None else self._row(self.foot)

    @property
    def left_out(self) -> int:
        """Return the number of rows that the page leaves out."""
        return len(self.rows) - len(self.rows[: self.most])

    def without_empty(self) -> ReportTable:
        """Return the table without columns of money in which nothing stands, for narrow screens."""
        kept = [
            place
            for place, column in enumerate(self.columns)
            if column.kind is not Kind.MONEY or any(row[place] for row in self.rows)
        ]
        return replace(
            self,
            columns=[self.columns[place] for place in kept],
            rows=[[row[place] for place in kept] for row in self.rows],
            foot=None if self.foot is None else [self.foot[place] for place in kept],
        )

    def sheet(self) -> Sheet:
        """Return the table for a file, in the current language."""
        return Sheet(self.title, [Head(column.key, column.title) for column in self.columns], self._cells())

    def _cells(self) -> Iterator[Sequence[Cell]]:
        for row in self.rows:
            yield [_cell(value, column.kind, self.currency) for value, column in zip(row, self.columns, strict=True)]

    def _row(self, row: Sequence[Value]) -> list[Shown]:
        return [
            Shown(
                _text(value, column.kind, self.currency),
                column.is_number,
                _heat(value) if self.has_heat and isinstance(value, Fraction) else 0,
            )
            for value, column in zip(row, self.columns, strict=True)
        ]


def _heat(share: Fraction) -> int:
    return min(-(-share.numerator * STEPS_OF_HEAT // share.denominator), STEPS_OF_HEAT)


def _text(value: Value, kind: Kind, currency: str) -> str:
    """Format a value for the page."""
    if isinstance(value, Fraction):
        return f"{decimal_text(100 * value, 0)}%" if kind is Kind.SHARE else decimal_text(value, 2)
    if isinstance(value, dt.date):
        return month_text(value) if kind is Kind.MONTH else day_text(value)
    if isinstance(value, int):
        if kind is Kind.MONEY:
            return money_text(value, currency)
        return time_text(value) if kind is Kind.TIME else score_text(value)
    return value or (NONE if value is None else "")


def _cell(value: Value, kind: Kind, currency: str) -> Cell:
    """Return a value for a file: numbers as numbers, days as in ISO 8601, shares in percent."""
    if isinstance(value, Fraction):
        exact = 100 * value if kind is Kind.SHARE else value
        return round(Decimal(exact.numerator) / exact.denominator, 2)
    if isinstance(value, dt.date):
        return f"{value:%Y-%m}" if kind is Kind.MONTH else value.isoformat()
    if isinstance(value, int):
        if kind is Kind.MONEY:
            return money_decimal(value, currency)
        return value // MINUTE if kind is Kind.TIME else value
    return value


def time_text(seconds: int) -> str:
    """Format a time in hours and minutes."""
    minutes = seconds // MINUTE
    return f"{minutes // 60}:{minutes % 60:02}"


def month_text(month: dt.date) -> str:
    """Format a month."""
    return date_format(month, "Y年n月" if language_of() == "ja" else "F Y")


def short_month(month: dt.date) -> str:
    """Format a month in a chart."""
    return date_format(month, "n月" if language_of() == "ja" else "M")


def hour_text(hour: int) -> str:
    """Format an hour of the day."""
    return f"{hour:02}:00"


# Play


def play_tables(play: Play, books: Sequence[Competition], currency: str) -> list[ReportTable]:
    """Return the tables of games and table use: by hour, by table, both, and by rule book."""
    return [
        _games_by_hour(play, currency),
        _use_by_table(play, currency),
        _use_by_table_and_hour(play, currency),
        _games_by_book(play, books, currency),
    ]


def _measured() -> list[Column]:
    """Return the columns of `_measures`."""
    return [
        Column("games", _("Games")),
        Column("minutes", _("Table time"), Kind.TIME),
        Column("games_per_table_hour", _("Games per table-hour"), Kind.RATE),
    ]


def _measures(use: Use) -> tuple[Value, Value, Value]:
    return use.games, use.seconds, use.games_per_hour


def _table_column() -> Column:
    return Column("table", pgettext("parlour", "Table"), Kind.TEXT)


def _games_by_hour(play: Play, currency: str) -> ReportTable:
    uses = play.by_hour()
    total, open_for = sum(uses.values(), Use()), sum(play.open_seconds.values())
    return ReportTable(
        "hours",
        _("Games by hour"),
        [Column("hour", _("Hour"), Kind.TEXT), *_measured(), Column("tables_in_use", _("Tables in use"), Kind.RATE)],
        [(hour_text(hour), *_measures(uses[hour]), play.share(uses[hour].seconds, hour)) for hour in play.hours],
        currency,
        (_("Total"), *_measures(total), Fraction(total.seconds, open_for) if open_for else None),
        _(
            "A game counts in the hour in which its result was entered. Tables in use: on average while the house "
            "was open, that is from the first table of a day to the last."
        ),
    )


def _use_by_table(play: Play, currency: str) -> ReportTable:
    return ReportTable(
        "tables",
        _("Use of the tables"),
        [_table_column(), *_measured(), Column("use_percent", _("Use"), Kind.SHARE)],
        [(name, *_measures(use), play.share(use.seconds)) for name, use in sorted(play.by_table().items())],
        currency,
        (_("House open"), None, sum(play.open_seconds.values()), None, None),
        _("Use: the share of the time in which the house was open."),
    )


def _use_by_table_and_hour(play: Play, currency: str) -> ReportTable:
    uses = play.by_table_and_hour()
    return ReportTable(
        "use",
        _("Use of the tables by hour"),
        [_table_column(), *(Column(f"{hour:02}", str(hour), Kind.SHARE) for hour in play.hours)],
        [
            (name, *(play.share(uses.get((name, hour), Use()).seconds, hour) for hour in play.hours))
            for name in sorted(play.by_table())
        ],
        currency,
        has_heat=True,
    )


def _games_by_book(play: Play, books: Sequence[Competition], currency: str) -> ReportTable:
    names = {book.pk: title_of(book) for book in books}
    return ReportTable(
        "books",
        _("Games by rule book"),
        [Column("rule_book", _("Rule book"), Kind.TEXT), *_measured()],
        [(names[book], *_measures(use)) for book, use in sorted(play.by_book().items())],
        currency,
    )


# Guests


def guests_table(
    visits: Sequence[Visits], people: Mapping[int, Player], parlour: Parlour, money: Mapping[int, int] | None
) -> ReportTable:
    """Return the visits by guest; `money` is None for readers not allowed to see it."""
    columns = [
        Column("guest", _("Guest"), Kind.TEXT),
        Column("visits", _("Visits")),
        Column("games", _("Games")),
        Column("minutes", _("Time at the table"), Kind.TIME),
        *([] if money is None else [Column("money", _("Income"), Kind.MONEY)]),
        Column("last_visit", _("Last visit"), Kind.DAY),
        Column("is_new", _("New"), Kind.TEXT),
    ]
    rows = [
        (
            person_name(people[own.player]),
            len(own.days),
            own.games,
            own.seconds,
            *(() if money is None else (money.get(own.player, 0),)),
            own.last,
            _("new") if own.is_new else "",
        )
        for own in visits
    ]
    note = _("A visit is a business day on which the guest sat at a table. Games for the house are left out.")
    return ReportTable("guests", _("Visits by guest"), columns, rows, parlour.currency, note=note, most=200)


# Waiting


def waits_table(waits: Mapping[int, Waits], currency: str) -> ReportTable:
    """Return the waits by the hour in which they began."""
    columns = [
        Column("hour", _("Hour"), Kind.TEXT),
        Column("parties", _("Parties")),
        Column("people", pgettext("waiting", "People")),
        Column("seated", _("Seated")),
        Column("gone", _("Gone")),
        Column("median_minutes", _("Median wait (min)"), Kind.MINUTES),
        Column("longest_minutes", _("Longest wait (min)"), Kind.MINUTES),
    ]
    rows = [(hour_text(hour), *_wait(each)) for hour, each in waits.items()]
    foot = (_("Total"), *_wait(sum(waits.values(), Waits())))
    note = _("Waits count in the hour in which they began; their length only for parties that got a seat.")
    return ReportTable("waiting", _("Waiting times"), columns, rows, currency, foot, note)


def _wait(waits: Waits) -> tuple[Value, ...]:
    return waits.parties, waits.people, waits.seated, waits.gone, waits.median, waits.longest


# Income


def income_tables(income: Income, books: Sequence[Competition], currency: str) -> list[ReportTable]:
    """Return the income by day, month, hour and rule book."""
    names: dict[int | None, str] = {book.pk: title_of(book) for book in books}
    total = income.total()

    def table(key: str, title: str, column: Column, rows: Sequence[tuple[Value, Row]], note: str = "") -> ReportTable:
        return ReportTable(
            key,
            title,
            [column, *_income_columns()],
            [(head, *_income_cells(row)) for head, row in rows],
            currency,
            (_("Total"), *_income_cells(total)),
            note,
        )

    return [
        table("days", _("Income by day"), Column("day", _("Business day"), Kind.DAY), list(income.by_day().items())),
        table("months", _("Income by month"), Column("month", _("Month"), Kind.MONTH), list(income.by_month().items())),
        table(
            "hours",
            _("Income by hour"),
            Column("hour", _("Hour"), Kind.TEXT),
            [
                (_("not settled yet") if hour is None else hour_text(hour), row)
                for hour, row in income.by_hour().items()
            ],
            _("Games count in the hour in which they ended; hours and other items in the hour of their settlement."),
        ),
        table(
            "books",
            _("Income by rule book"),
            Column("rule_book", _("Rule book"), Kind.TEXT),
            [(names.get(book, _("no rule book")), row) for book, row in income.by_book().items()],
        ),
    ]


def _income_columns() -> list[Column]:
    titles = {
        Source.GAMES: _("Game fees"),
        Source.TOP: _("From the top"),
        Source.HOURS: _("By the hour"),
        Source.SET: _("Set tables"),
        Source.EXTRAS: _("Other items"),
        Source.LATE: _("Corrections"),
    }
    return [
        *(Column(str(source), title, Kind.MONEY) for source, title in titles.items()),
        Column("total", _("Total"), Kind.MONEY),
        Column("open", _("of it not settled"), Kind.MONEY),
    ]


def _income_cells(row: Row) -> tuple[Value, ...]:
    return (*(row[source] for source in Source), sum(row.values()), row.open)
