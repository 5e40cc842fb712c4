"""Reports of a parlour over a period: games and table use by hour, visits by guest, and waiting times.

Periods count in business days. Figures follow the results that count now, so a correction changes a report of the past.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median_low
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Count, F, QuerySet
from django.db.models.functions import Coalesce, ExtractHour, Least
from django.utils import timezone

from league.models import Competition, Player, ResultSheet, SeatResult, Sitting, SittingSeat, WaitingGuest
from league.selectors.parlour.house_games import house_games

K = TypeVar("K")
MINUTE = 60
HOUR = 60 * MINUTE
HOURS_OF_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Period:
    """Business days from `first` to `last`, both included."""

    first: dt.date
    last: dt.date

    @property
    def ends(self) -> tuple[dt.date, dt.date]:
        """Return both ends, for a lookup by range."""
        return self.first, self.last

    @property
    def days(self) -> int:
        """Return the number of calendar days."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Use:
    """Games finished, and seconds for which the table was open."""

    games: int = 0
    seconds: int = 0

    def __add__(self, other: Use) -> Use:
        return Use(self.games + other.games, self.seconds + other.seconds)

    @property
    def games_per_hour(self) -> Fraction | None:
        """Return the games in an hour of one table; None without any time."""
        return Fraction(self.games * HOUR, self.seconds) if self.seconds else None


NO_USE = Use()


@dataclass(frozen=True, slots=True)
class Play:
    """Play in a period. `cells` are by rule book (its id), table and hour of the day.

    `open_seconds` is the time, by hour, in which the house was open: each day from its first table to its last.
    """

    cells: Mapping[tuple[int, str, int], Use]
    open_seconds: Mapping[int, int]
    hours: tuple[int, ...]
    """The hours of the day with play, in the order of a business day."""

    def by_hour(self) -> dict[int, Use]:
        """Return the use of all tables by hour of the day."""
        return _summed((hour, use) for (_book, _table, hour), use in self.cells.items())

    def by_table(self) -> dict[str, Use]:
        """Return the use of each table, by its name."""
        return _summed((table, use) for (_book, table, _hour), use in self.cells.items())

    def by_book(self) -> dict[int, Use]:
        """Return the use of all tables by rule book."""
        return _summed((book, use) for (book, _table, _hour), use in self.cells.items())

    def by_table_and_hour(self) -> dict[tuple[str, int], Use]:
        """Return the use of each table by hour of the day."""
        return _summed(((table, hour), use) for (_book, table, hour), use in self.cells.items())

    def share(self, seconds: int, hour: int | None = None) -> Fraction | None:
        """Return the share of the house's open time, of one hour or of all; None if it was not open."""
        open_for = sum(self.open_seconds.values()) if hour is None else self.open_seconds.get(hour, 0)
        return Fraction(seconds, open_for) if open_for else None


def _summed(uses: Iterable[tuple[K, Use]]) -> dict[K, Use]:
    found: dict[K, Use] = {}
    for key, use in uses:
        found[key] = found.get(key, NO_USE) + use
    return found


def play_of(books: Sequence[Competition], period: Period, now: dt.datetime | None = None) -> Play:
    """Return games and table use of a parlour's rule books; a table that is open counts up to `now`."""
    if not books:
        return Play({}, {}, ())
    zone, starts_at = ZoneInfo(books[0].time_zone), books[0].day_starts_at.hour
    cells: defaultdict[tuple[int, str, int], Use] = defaultdict(Use)
    house: dict[dt.date, tuple[int, int]] = {}
    taken: dict[str, int] = {}
    for book, table, day, opened, closed in _sittings(books, period, now or timezone.now()):
        first, last = house.get(day, (opened, closed))
        house[day] = min(first, opened), max(last, closed)
        # Two sittings may overlap at one table, when one was closed too late: no minute counts twice.
        since = max(opened, taken.get(table, opened))
        taken[table] = max(closed, since)
        for hour, seconds in by_hour(since, closed, zone):
            cells[book, table, hour] += Use(seconds=seconds)
    for book, table, hour, games in _games(books, period, zone):
        cells[book, table, hour] += Use(games=games)
    open_seconds: Counter[int] = Counter()
    for opened, closed in house.values():
        open_seconds.update(dict(by_hour(opened, closed, zone)))
    order = sorted({hour for *_, hour in cells}, key=lambda hour: (hour - starts_at) % HOURS_OF_A_DAY)
    return Play(dict(cells), dict(open_seconds), tuple(order))


def by_hour(since: int, until: int, zone: ZoneInfo) -> Iterator[tuple[int, int]]:
    """Divide a stretch of time, in seconds of the epoch, into seconds by hour of the local day."""
    while since < until:
        local = dt.datetime.fromtimestamp(since, zone)
        rest = min(HOUR - local.minute * MINUTE - local.second, until - since)
        yield local.hour, rest
        since += rest


def _sittings(
    books: Sequence[Competition], period: Period, now: dt.datetime
) -> Iterator[tuple[int, str, dt.date, int, int]]:
    """Yield rule book, table and day of each sitting, with the seconds at which it began and ended, in that order."""
    rows = Sitting.objects.filter(
        table_session__competition__in=books, table_session__session__day__range=period.ends
    ).order_by("opened_at", "pk")
    for book, table, day, opened, closed in rows.values_list(
        "table_session__competition", "table_session__table", "table_session__session__day", "opened_at", "closed_at"
    ):
        if day is not None:
            yield book, table, day, int(opened.timestamp()), int((closed or now).timestamp())


def _games(books: Sequence[Competition], period: Period, zone: ZoneInfo) -> Iterable[tuple[int, str, int, int]]:
    """Return the number of games that count, by rule book, table and hour in which they ended.

    A game ends when its first result is entered, at the latest when its table closes.
    """
    entered, closed = F("hanchan__sheets__entered_at"), F("hanchan__table_session__sitting__closed_at")
    return (
        _counting(books, period)
        .filter(hanchan__sheets__revision=1)
        # SQLite's least value is null if any is, PostgreSQL's is not.
        .annotate(hour=ExtractHour(Least(entered, Coalesce(closed, entered)), tzinfo=zone))
        .values_list("hanchan__block__competition", "hanchan__table_session__table", "hour")
        .annotate(games=Count("pk"))
        .order_by()
    )


def _counting(books: Sequence[Competition], period: Period) -> QuerySet[ResultSheet]:
    return ResultSheet.objects.counting().filter(
        hanchan__block__competition__in=books, hanchan__table_session__session__day__range=period.ends
    )


@dataclass(slots=True)
class Visits:
    """A guest's visits in a period, each a business day; games and time for the house are left out."""

    player: int
    days: set[dt.date] = field(default_factory=set)
    games: int = 0
    seconds: int = 0
    is_new: bool = False

    @property
    def last(self) -> dt.date:
        """Return the last day."""
        return max(self.days)


_PERSON = Coalesce("entrant__player__merged_into", "entrant__player")
"""The kept entry of the person; chains of merges are flattened when they are made."""


def visits_of(books: Sequence[Competition], period: Period, now: dt.datetime | None = None) -> list[Visits]:
    """Return the visits of each guest, those with most visits first; the time is that in a chair."""
    found: dict[int, Visits] = {}
    until = now or timezone.now()
    seats = SittingSeat.objects.filter(sitting__table_session__competition__in=books, is_house=False).annotate(
        person=_PERSON
    )
    rows = seats.filter(sitting__table_session__session__day__range=period.ends).order_by()
    stays: defaultdict[int, list[tuple[dt.datetime, dt.datetime]]] = defaultdict(list)
    # A sitting that runs into the next day goes on in a second row with the time of sitting down: it counts from there.
    for person, day, joined, opened, left, closed in rows.values_list(
        "person",
        "sitting__table_session__session__day",
        "joined_at",
        "sitting__opened_at",
        "left_at",
        "sitting__closed_at",
    ):
        own = found.setdefault(person, Visits(person))
        own.days.update({day} if day else ())
        stays[person].append((max(joined, opened), left or closed or until))
    before = seats.filter(sitting__table_session__session__day__lt=period.first)
    known = set(before.order_by().values_list("person", flat=True).distinct())
    games = _games_of_guests(books, period)
    for own in found.values():
        own.seconds = _seconds_of(stays[own.player])
        own.is_new = own.player not in known
        own.games = games[own.player]
    return sorted(found.values(), key=lambda own: (-len(own.days), -own.games, -own.seconds, own.player))


def _seconds_of(stays: Iterable[tuple[dt.datetime, dt.datetime]]) -> int:
    """Return the seconds of these stays, which overlap where a guest changed chairs; no minute counts twice."""
    seconds, counted = 0, dt.datetime.min.replace(tzinfo=dt.UTC)
    for since, until in sorted(stays):
        seconds += max(0, int((until - max(since, counted)).total_seconds()))
        counted = max(counted, until)
    return seconds


def _games_of_guests(books: Sequence[Competition], period: Period) -> Counter[int]:
    """Return the number of games of each person, without those for the house."""
    results = SeatResult.objects.filter(sheet__in=_counting(books, period)).order_by().annotate(person=_PERSON)
    games = Counter(dict(results.values_list("person").annotate(games=Count("pk"))))
    marked = results.filter(sheet__hanchan__table_session__sitting__seats__is_house=True)
    house = house_games(set(marked.values_list("sheet__hanchan__table_session", flat=True)))
    played = marked.values_list("sheet__hanchan", "person").distinct()
    games.subtract(person for hanchan, person in played if (hanchan, person) in house)
    return games


def people_of(visits: Iterable[Visits]) -> Mapping[int, Player]:
    """Return the players of these visits by id, in one query."""
    return Player.objects.in_bulk([own.player for own in visits])


@dataclass(frozen=True, slots=True)
class Waits:
    """Parties that began to wait, with the minutes in ascending order until the last guest of each was seated."""

    parties: int = 0
    people: int = 0
    gone: int = 0
    minutes: tuple[int, ...] = ()

    def __add__(self, other: Waits) -> Waits:
        return Waits(
            self.parties + other.parties,
            self.people + other.people,
            self.gone + other.gone,
            tuple(sorted(self.minutes + other.minutes)),
        )

    @property
    def seated(self) -> int:
        """Return the number of parties that were seated."""
        return len(self.minutes)

    @property
    def median(self) -> int | None:
        """Return the minutes within which half of the seated parties got a seat; None without any."""
        return median_low(self.minutes) if self.minutes else None

    @property
    def longest(self) -> int | None:
        """Return the longest wait for a seat, in minutes; None without any."""
        return self.minutes[-1] if self.minutes else None


def waits_of(books: Sequence[Competition], period: Period) -> dict[int, Waits]:
    """Return the waits by the hour of the day in which they began, in the order of a business day."""
    if not books:
        return {}
    zone, starts_at = ZoneInfo(books[0].time_zone), books[0].day_starts_at
    since = dt.datetime.combine(period.first, starts_at, zone)
    until = dt.datetime.combine(period.last + dt.timedelta(days=1), starts_at, zone)
    rows = WaitingGuest.objects.filter(competition__in=books, since__gte=since, since__lt=until).order_by("pk")
    rows = rows.annotate(person=Coalesce("player__merged_into", "player"))
    parties: dict[tuple[int, int, dt.datetime], tuple[int, bool, int | None]] = {}
    columns = ("competition", "person", "since", "seated_at", "gone_at", "party")
    for book, person, began, seated, gone, people in rows.values_list(*columns):
        waited = None if seated is None else max(0, int((seated - began).total_seconds())) // MINUTE
        # A party seated one by one has a row for each step: the first one tells its size, the last one its end.
        size = parties.get((book, person, began), (people,))[0]
        parties[book, person, began] = (size, gone is not None, waited)
    found: defaultdict[int, list[tuple[int, int, int | None]]] = defaultdict(list)
    for (_book, _person, began), party in parties.items():
        found[began.astimezone(zone).hour].append(party)
    return {
        hour: Waits(
            parties=len(found[hour]),
            people=sum(party for party, _gone, _waited in found[hour]),
            gone=sum(gone for _party, gone, _waited in found[hour]),
            minutes=tuple(sorted(waited for _party, _gone, waited in found[hour] if waited is not None)),
        )
        for hour in sorted(found, key=lambda hour: (hour - starts_at.hour) % HOURS_OF_A_DAY)
    }
