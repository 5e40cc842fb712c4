"""Fixtures pasted as text: day, time, table and the teams of each hanchan, one hanchan to a line."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from league.models import Block, Entrant, Hanchan, HanchanSeat, Session, TableSession
from league.selectors.parlour.board import business_day
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_sit

MOST_LINES = 1000
_CELLS = re.compile(r"[\t,、，]")
_DAY = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?:[ T]+(?P<time>\d{1,2}:\d{2}))?")
_TIME = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})")


@dataclass(frozen=True, slots=True)
class FixtureLine:
    """A line as it was understood; with a fault it cannot be scheduled."""

    number: int
    day: dt.date | None
    starts_at: dt.datetime | None
    table: str
    teams: tuple[Entrant, ...]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FixtureTable:
    """A table to schedule: consecutive lines with the same day, table and teams are its hanchan."""

    day: dt.date
    starts_at: dt.datetime
    table: str
    rounds: tuple[tuple[Entrant, ...], ...]
    """The teams of each hanchan, first dealer first."""
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FixturePlan:
    """Pasted fixtures with what follows from them."""

    lines: tuple[FixtureLine, ...]
    tables: tuple[FixtureTable, ...]
    counts: tuple[tuple[Entrant, int], ...]
    """Hanchan of each team of the block, those scheduled before included."""
    wanted: int | None
    """Hanchan that each team plays in the stage."""
    faults: tuple[str, ...]

    @property
    def is_even(self) -> bool:
        """Return True if all teams play equally often."""
        return len({count for _team, count in self.counts}) <= 1

    @property
    def digest(self) -> str:
        """Return a digest of all tables."""
        said = [(str(one.starts_at), one.table, one.numbers, [[team.pk for team in seats] for seats in one.rounds])
                for one in self.tables]  # fmt: skip
        return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


@dataclass
class _Reader:
    """The teams of a block by their names."""

    block: Block
    players: int
    named: Mapping[str, list[Entrant]]
    zone: ZoneInfo

    def line(self, number: int, text: str) -> FixtureLine:
        """Return a line as it is understood."""
        cells = [cell.strip() for cell in _CELLS.split(text.strip())]
        found = _DAY.fullmatch(cells[0])
        rest, clock = cells[1:], found["time"] if found else None
        if clock is None and rest and _TIME.fullmatch(rest[0]):
            clock = rest.pop(0)
        try:
            day = dt.date(int(found["year"]), int(found["month"]), int(found["day"])) if found else None
            at = dt.datetime.strptime(clock, "%H:%M").time() if clock else None  # noqa: DTZ007 - the zone follows
        except ValueError:
            day = at = None
        if day is None or at is None:
            return FixtureLine(number, None, None, "", (), _("Begin with day and time, as in 2026-10-05 19:00."))
        starts_at = dt.datetime.combine(day, at, self.zone)
        table = rest.pop(0) if len(rest) == self.players + 1 else ""
        if len(rest) != self.players:
            fault = _("Name %(count)s teams after the day, the time and the table.") % {"count": self.players}
            return FixtureLine(number, day, starts_at, table, (), fault)
        teams, fault = self._teams(rest)
        return FixtureLine(number, day, starts_at, table[:32], teams, fault)

    def _teams(self, names: Sequence[str]) -> tuple[tuple[Entrant, ...], str]:
        """Return the teams of these names, and the fault of the first name without exactly one team."""
        teams = []
        for name in names:
            found = self.named.get(name.casefold(), [])
            if len(found) != 1:
                return (), _("No team of this block is called “%(name)s”.") % {"name": name[:50]}
            teams.append(found[0])
        if len(set(teams)) < len(teams):
            return (), _("A team is named twice at this table.")
        return tuple(teams), ""


def planned_fixtures(block: Block, text: str) -> FixturePlan:
    """Return the fixtures of a text for a block, with the numbers that they get and the faults."""
    competition, players = block.competition, ruleset_of(rules_at(block.competition)).players
    may_sit = entrants_who_may_sit(block)
    entrants = list(competition.entrants.filter(pk__in=may_sit).select_related("player").order_by("number"))
    named: defaultdict[str, list[Entrant]] = defaultdict(list)
    for one in entrants:
        row = one.player
        for name in {row.name.casefold(), row.short_name.casefold(), row.name_romaji.casefold()} - {""}:
            named[name].append(one)
    reader = _Reader(block, players, named, ZoneInfo(competition.time_zone))
    lines = [reader.line(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    there = _Scheduled.of(block)
    tables = tuple(_tables(lines, there)) if not any(line.fault for line in lines) else ()
    counts = Counter(there.counts)
    counts.update(team.pk for table in tables for seats in table.rounds for team in seats)
    faults = [_("Line %(line)s: %(fault)s") % {"line": one.number, "fault": one.fault} for one in lines if one.fault]
    wanted = block.stage.hanchan_count
    faults += [
        _("%(team)s would play %(count)s hanchan; the stage has %(wanted)s.")
        % {"team": one, "count": counts[one.pk], "wanted": wanted}
        for one in entrants
        if wanted is not None and counts[one.pk] > wanted
    ]
    faults += _twice(tables, there)
    shown = tuple((one, counts[one.pk]) for one in entrants)
    return FixturePlan(tuple(lines), tables, shown, wanted, tuple(faults))


@dataclass
class _Scheduled:
    """The tables of a block that are scheduled already."""

    last: int
    first_of_day: Mapping[dt.date, int]
    """The number of the first hanchan of each day."""
    counts: Counter[int]
    at: set[tuple[dt.date, int, int]] = field(default_factory=set)
    """Day, number and team."""

    @classmethod
    def of(cls, block: Block) -> _Scheduled:
        tables = TableSession.objects.filter(block=block, is_cancelled=False, starts_at__isnull=False)
        days = {row.pk: business_day(block.competition, row.starts_at) for row in tables}
        games = Hanchan.objects.filter(block=block, table_session__is_cancelled=False)
        games = games.exclude(state=Hanchan.State.ABANDONED)
        first: dict[dt.date, int] = {}
        numbers = list(games.order_by("number").values_list("pk", "table_session", "number"))
        for _pk, table, number in numbers:
            if table in days:
                first.setdefault(days[table], number)
        places = {pk: (days[table], number) for pk, table, number in numbers if table in days}
        seats = list(HanchanSeat.objects.filter(hanchan__in=games).order_by().values_list("hanchan", "entrant"))
        return cls(
            max((number for _pk, _table, number in numbers), default=0),
            first,
            Counter(entrant for _hanchan, entrant in seats),
            {(*places[hanchan], entrant) for hanchan, entrant in seats if hanchan in places},
        )


def _tables(lines: Sequence[FixtureLine], there: _Scheduled) -> Iterator[FixtureTable]:
    """Yield the tables of the lines, day by day; tables of one day count the same hanchan numbers."""
    days: defaultdict[dt.date, list[list[FixtureLine]]] = defaultdict(list)
    for line in lines:
        if line.day is None:
            continue
        own = days[line.day]
        last = own[-1][-1] if own else None
        if last and (last.table, set(last.teams)) == (line.table, set(line.teams)):
            own[-1].append(line)
        else:
            own.append([line])
    following = there.last + 1
    for day, tables in sorted(days.items()):
        first = there.first_of_day.get(day, following)
        reached = first
        for table, number in _first_numbers(tables, first):
            numbers = tuple(range(number, number + len(table)))
            reached = max(reached, numbers[-1] + 1)
            starts_at = table[0].starts_at
            if starts_at is not None:
                yield FixtureTable(day, starts_at, table[0].table, tuple(one.teams for one in table), numbers)
        following = max(following, reached)


def _first_numbers(tables: Sequence[Sequence[FixtureLine]], first: int) -> Iterator[tuple[Sequence[FixtureLine], int]]:
    """Yield the tables of a day with the number of their first hanchan: a table follows on where one has its name."""
    next_at: dict[str, int] = {}
    for table in tables:
        name = table[0].table
        number = next_at.get(name, first)
        next_at[name] = number + len(table)
        yield table, number


def _twice(tables: Sequence[FixtureTable], there: _Scheduled) -> Iterator[str]:
    """Yield a fault for each team that would sit at two tables at once."""
    taken = set(there.at)
    for table in tables:
        for number, seats in zip(table.numbers, table.rounds, strict=True):
            for team in seats:
                if (table.day, number, team.pk) in taken:
                    yield _("%(team)s would sit at two tables on %(day)s at once.") % {"team": team, "day": table.day}
                taken.add((table.day, number, team.pk))


def session_on(block: Block, day: dt.date) -> Session | None:
    """Return the session of a day of the competition, or None."""
    competition = block.competition
    found = Session.objects.filter(competition=competition, day=day).first()
    if found is not None:
        return found
    for table in TableSession.objects.filter(competition=competition, starts_at__isnull=False).select_related(
        "session"
    ):
        if business_day(competition, table.starts_at) == day:
            return table.session
    return None
