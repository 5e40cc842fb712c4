"""The fees that hold in a parlour: for a book, a table and a business day, and the rows that a person reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from zoneinfo import ZoneInfo

from league.models import Competition, HouseTariff, Parlour, RulesInForce
from league.selectors.rulebooks.rules_in_force import every_rules, latest, ruleset_of
from scoring.charges import Tariff

FEES_OF_BOOKS = "JPY"
"""The currency of the fees that rule books name."""


@dataclass(frozen=True, slots=True)
class Tariffs:
    """All tariffs of a parlour, read once.

    The row with the narrowest scope holds (table before book before parlour), of these the one with the latest day
    that has come, of these the newest. Without a row the fees of the rule book hold.
    """

    parlour: Parlour
    rows: Sequence[HouseTariff]
    _rules: dict[int, tuple[Competition, list[RulesInForce]]] = field(default_factory=dict, repr=False, compare=False)
    _by_books: dict[tuple[int, dt.date], Tariff] = field(default_factory=dict, repr=False, compare=False)

    def at(self, book_id: int, table: str, day: dt.date) -> Tariff:
        """Return the fees at a table that plays this book (an open competition's id) on a business day."""
        row = self.row_at(book_id, table, day)
        return self.of_book(book_id, day) if row is None else as_tariff(row)

    def row_at(self, book_id: int, table: str, day: dt.date) -> HouseTariff | None:
        """Return the row that holds, or None if the fees of the rule book hold."""
        found = [
            row
            for row in self.rows
            if row.from_day <= day and row.book_id in {None, book_id} and row.table in {"", table}
        ]
        return max(found, key=_nearness, default=None)

    def of_book(self, book_id: int, day: dt.date) -> Tariff:
        """Return the fees that the rule book itself names on a business day; 0 in a currency not its own.

        A day keeps the fees with which it began: other rules put in force later in the day change no game's fee.
        """
        if self.parlour.currency != FEES_OF_BOOKS:
            return Tariff()
        if (book_id, day) not in self._by_books:
            if book_id not in self._rules:
                book = Competition.objects.get(pk=book_id)
                self._rules[book_id] = (book, every_rules(book))
            book, rules = self._rules[book_id]
            began = dt.datetime.combine(day, book.day_starts_at, ZoneInfo(book.time_zone))
            self._by_books[book_id, day] = Tariff.of_book(ruleset_of(latest(rules, began)))
        return self._by_books[book_id, day]


def _nearness(row: HouseTariff) -> tuple[bool, bool, dt.date, int]:
    return (row.table != "", row.book_id is not None, row.from_day, row.pk)


def tariffs_of(parlour: Parlour) -> Tariffs:
    """Return all tariffs of a parlour in one query, the newest first."""
    rows = HouseTariff.objects.filter(parlour=parlour).select_related("book", "by").order_by("-from_day", "-pk")
    return Tariffs(parlour, tuple(rows))


def tariff_of(parlour: Parlour, book: Competition, table: str, day: dt.date) -> Tariff:
    """Return the fees at one table of a parlour on a business day; for several use `tariffs_of`."""
    return tariffs_of(parlour).at(book.pk, table, day)


def as_tariff(row: HouseTariff) -> Tariff:
    """Return a stored row as the engine's value."""
    return Tariff(**{each.name: getattr(row, each.name) for each in fields(Tariff)})


@dataclass(frozen=True, slots=True)
class Holding:
    """The fees that hold for a book, at all tables or at one with fees of its own; `row` is None for the book's own."""

    book: Competition
    table: str
    tariff: Tariff
    row: HouseTariff | None


def holding_of(tariffs: Tariffs, books: Sequence[Competition], day: dt.date) -> list[Holding]:
    """Return the fees that hold on a business day: those of each book, then those of tables with their own."""
    own_tables = sorted({row.table for row in tariffs.rows if row.table and row.from_day <= day})
    return [
        Holding(book, table, tariffs.at(book.pk, table, day), row)
        for book in books
        for table in ("", *own_tables)
        if (row := tariffs.row_at(book.pk, table, day)) is None or row.table == table
        if not (row is None and table)
    ]
