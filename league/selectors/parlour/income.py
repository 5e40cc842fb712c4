"""The income of a parlour over a period: what statements hold, and what is still open, by day, hour and rule book.

A line counts on the business day of its game or item, also if it was settled on another one, and in the hour in which
the game ended; hours and other items count in the hour of their statement. Games for the house are no income.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import F, IntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, ExtractHour, Least

from league.models import Competition, Parlour, StatementLine
from league.selectors.parlour.dues import Due, DueLine, dues_of, open_days
from league.selectors.parlour.reports import HOURS_OF_A_DAY, Period

K = TypeVar("K", bound=Hashable)
Kind = StatementLine.Kind


class Source(StrEnum):
    """The source of an amount. `LATE` is what corrections changed after a game was settled."""

    GAMES = "games"
    TOP = "top"
    HOURS = "hours"
    SET = "set"
    EXTRAS = "extras"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Amount:
    """A part of the income, in the smallest unit of money; no book for other items, no hour while it is open."""

    day: dt.date
    book: int | None
    hour: int | None
    source: Source
    money: int
    is_open: bool = False


class Row(Counter[Source]):
    """A row of the report: settled and open money by source; `open` is the part that no statement holds."""

    open = 0

    def add(self, amount: Amount) -> None:
        """Count an amount."""
        self[amount.source] += amount.money
        self.open += amount.money if amount.is_open else 0


@dataclass(frozen=True, slots=True)
class Income:
    """The income of a period, in parts that can be summed up in any way."""

    amounts: Sequence[Amount]
    starts_at: int
    """The hour in which a business day begins."""

    def by_day(self) -> dict[dt.date, Row]:
        """Return the income of each business day, in order."""
        return self._by(lambda amount: amount.day, _in_time)

    def by_month(self) -> dict[dt.date, Row]:
        """Return the income of each month by its first day, in order."""
        return self._by(lambda amount: amount.day.replace(day=1), _in_time)

    def by_book(self) -> dict[int | None, Row]:
        """Return the income of each rule book; None stands for items of no book and comes last."""
        return self._by(lambda amount: amount.book, lambda book: (book is None, book or 0))

    def by_hour(self) -> dict[int | None, Row]:
        """Return the income by hour in the order of a business day; None, the last, is open and has no hour yet."""
        return self._by(
            lambda amount: amount.hour,
            lambda hour: (hour is None, ((hour or 0) - self.starts_at) % HOURS_OF_A_DAY),
        )

    def total(self) -> Row:
        """Return the income of the whole period."""
        total = Row()
        for amount in self.amounts:
            total.add(amount)
        return total

    def _by(self, key: Callable[[Amount], K], order: Callable[[K], tuple[bool, int]]) -> dict[K, Row]:
        found: defaultdict[K, Row] = defaultdict(Row)
        for amount in self.amounts:
            found[key(amount)].add(amount)
        return {each: found[each] for each in sorted(found, key=order)}


def _in_time(day: dt.date) -> tuple[bool, int]:
    return False, day.toordinal()


def income_of(parlour: Parlour, books: Sequence[Competition], period: Period) -> Income:
    """Return the income of a parlour over a period, settled and open."""
    zone = ZoneInfo(books[0].time_zone)
    open_lines = (line for due in _dues(parlour, period).values() for line in due.guest_lines)
    amounts = [*_settled(parlour, period, zone), *_open(open_lines, period)]
    return Income(amounts, books[0].day_starts_at.hour)


def money_of_guests(parlour: Parlour, period: Period) -> Mapping[int, int]:
    """Return the income from each person, settled and open."""
    found: Counter[int] = Counter()
    person = Coalesce("statement__player__merged_into", "statement__player")
    rows = _lines(parlour, period).annotate(person=person).values_list("person")
    found.update(dict(rows.annotate(sum=Sum("money"))))
    for pk, due in _dues(parlour, period).items():
        found[pk] += sum(amount.money for amount in _open(due.guest_lines, period))
    return found


def _lines(parlour: Parlour, period: Period) -> QuerySet[StatementLine]:
    """Return the lines that count."""
    return StatementLine.objects.filter(
        statement__parlour=parlour, statement__cancelled_at=None, day__range=period.ends
    ).order_by()


def _settled(parlour: Parlour, period: Period, zone: ZoneInfo) -> Iterable[Amount]:
    entered, closed = F("hanchan__sheets__entered_at"), F("hanchan__table_session__sitting__closed_at")
    ended = Coalesce(Least(entered, Coalesce(closed, entered)), F("statement__at"))
    rows = (
        _lines(parlour, period)
        # The first sheet of a game tells when it ended; other lines have no game.
        .filter(Q(hanchan=None) | Q(hanchan__sheets__revision=1))
        .annotate(
            hour=ExtractHour(ended, tzinfo=zone),
            book=Cast(KT("detail__book"), IntegerField()),
            top=Cast(KT("detail__top"), IntegerField()),
        )
        .values_list("day", "book", "hour", "kind", "is_late")
        .annotate(money=Sum("money"), tops=Coalesce(Sum("top"), 0))
    )
    for day, book, hour, kind, is_late, money, top in rows:
        yield from _amounts(day, book, hour, Kind(kind), money, 0 if is_late else top, is_late=is_late, is_open=False)


def _dues(parlour: Parlour, period: Period) -> Mapping[int, Due]:
    """Return the dues, none if all books of the period are closed."""
    days = open_days(parlour)
    return dues_of(parlour) if any(period.first <= day <= period.last for day in days) else {}


def _open(lines: Iterable[DueLine], period: Period) -> Iterable[Amount]:
    for line in lines:
        if period.first <= line.day <= period.last:
            top = line.detail.get("top", 0)
            yield from _amounts(
                line.day,
                line.book,
                None,
                line.kind,
                line.money,
                top if isinstance(top, int) and not line.is_late else 0,
                is_late=line.is_late,
                is_open=True,
            )


def _amounts(
    day: dt.date, book: int | None, hour: int | None, kind: Kind, money: int, top: int, *, is_late: bool, is_open: bool
) -> Iterable[Amount]:
    """Yield a line's money by source; chips counted for a sitting are no money."""
    source = Source.LATE if is_late else _SOURCES.get(kind)
    if source is not None and money != top:
        yield Amount(day, book, hour, source, money - top, is_open)
    if top:
        yield Amount(day, book, hour, Source.TOP, top, is_open)


_SOURCES = {Kind.GAME: Source.GAMES, Kind.HOURS: Source.HOURS, Kind.SET: Source.SET, Kind.EXTRA: Source.EXTRAS}
