"""The effect of moving a whole session to another time or venue, before it is moved.

A move is a pure function of the schedule and the wish: the page shows it with its digest, and the service computes
it again under the lock and compares digests, so that the move shown is the one made.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from league.models import (
    Audience,
    Change,
    Competition,
    Hanchan,
    HanchanSeat,
    Player,
    Session,
    TableSession,
)
from league.platform.errors import conflict, refuse
from league.platform.storable import YEARS
from league.selectors.competitions.calendars import PER_HANCHAN
from league.selectors.seasons.line_ups import is_due

MOVED = "session.moved"
FARTHEST = dt.timedelta(days=3660)
"""The farthest that a session moves at once; a longer way is a year mistyped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionMove:
    """A wish: the day of the session's first table, and its time and the venue if they change too.

    With `moves_later` all later sessions move by the same number of days; they keep their times and venues.
    """

    day: dt.date
    time: dt.time | None = None
    venue: str = ""
    moves_later: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveBack:
    """The wish to undo a move: the number of its change."""

    change: int


class Staying(StrEnum):
    """The reason for which a table does not move along."""

    RESULTS = "results"
    RUNNING = "running"
    CANCELLED = "cancelled"
    NO_TIME = "no_time"
    EDITED = "edited"


class Clash(StrEnum):
    """The kind of a collision that a move causes."""

    PLAYER = "player"
    TABLE = "table"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class TableBeforeMove:
    """The values of a table that a move changes."""

    starts_at: dt.datetime | None
    venue: str
    public_at: dt.datetime | None
    line_ups_due_at: dt.datetime | None

    def as_json(self) -> list[str | None]:
        """Return the values as the log keeps them."""
        return [_iso(self.starts_at), self.venue, _iso(self.public_at), _iso(self.line_ups_due_at)]


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table that moves, its values before and after, and the players seated there."""

    table: TableSession
    before: TableBeforeMove
    after: TableBeforeMove
    people: tuple[Player, ...] = ()

    @property
    def sides(self) -> tuple[TableBeforeMove, TableBeforeMove]:
        """Return the values before and after."""
        return self.before, self.after


@dataclass(frozen=True, slots=True)
class Collision:
    """A moved table, and what it meets at its new time: another table of its players, its place taken, a session."""

    kind: Clash
    table: TableSession
    other: TableSession
    people: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class MovePlan:
    """The tables that move, those that stay with the reason, and the collisions that follow."""

    moved: tuple[MovedTable, ...]
    staying: tuple[tuple[TableSession, Staying], ...]
    collisions: tuple[Collision, ...]

    @property
    def people(self) -> list[Player]:
        """Return the players whose tables move, each once, in the order of the tables."""
        return list({player.pk: player for moved in self.moved for player in moved.people}.values())

    @property
    def digest(self) -> str:
        """Return a digest of everything that the plan shows."""
        shown = [
            [[moved.table.pk, *moved.before.as_json(), *moved.after.as_json()] for moved in self.moved],
            [[moved.table.pk, *(player.pk for player in moved.people)] for moved in self.moved],
            [[table.pk, reason] for table, reason in self.staying],
            [[one.kind, one.table.pk, one.other.pk, *(each.pk for each in one.people)] for one in self.collisions],
        ]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


def planned_move(session: Session, wish: SessionMove | MoveBack) -> MovePlan:
    """Return the effect of moving a session.

    Raise RuleViolationError or ConflictError if nothing can move, or the new time is missing or out of reach.
    """
    if session.competition.kind == Competition.Kind.OPEN:
        message = _("A business day of an open table is what was played on it; it cannot be moved.")
        raise conflict("business_day", message)
    moves, staying = _moves_back(session, wish) if isinstance(wish, MoveBack) else _moves(session, wish)
    moves = [one for one in moves if one.before != one.after]
    if not moves:
        message = _("Nothing moves: each table is at this time and venue already, or is played, running or cancelled.")
        raise conflict("nothing_to_move", message)
    people = _people_at(one.table for one in moves)
    moved = tuple(replace(one, people=tuple(people[one.table.pk].values())) for one in moves)
    return MovePlan(moved, tuple(staying), tuple(_collisions(session.competition, moved)))


def first_start(session: Session) -> dt.datetime | None:
    """Return the local start of the first table that can move; None without one."""
    zone = ZoneInfo(session.competition.time_zone)
    free, _staying = _sorted_tables(TableSession.objects.filter(session=session))
    return min((table.starts_at.astimezone(zone) for table in free if table.starts_at), default=None)


def last_move(session: Session) -> Change | None:
    """Return the change that moved the session last; None if it never moved."""
    return _changes(session).order_by("-n").first()


def _changes(session: Session) -> QuerySet[Change]:
    return Change.objects.filter(
        competition=session.competition_id, kind=MOVED, subject_type="session", subject_id=str(session.pk)
    )


Moves = tuple[list[MovedTable], list[tuple[TableSession, Staying]]]


def _sorted_tables(tables: QuerySet[TableSession]) -> tuple[list[TableSession], list[tuple[TableSession, Staying]]]:
    """Return the tables that can move, and the others with the reason."""
    games = Hanchan.objects.filter(table_session=OuterRef("pk"))
    over = ~Q(state__in=(Hanchan.State.SCHEDULED, Hanchan.State.RUNNING))
    rows = tables.annotate(
        has_results=Exists(games.filter(over | Q(sheets__state__in=("confirmed", "submitted")))),
        is_running=Exists(games.filter(Q(state=Hanchan.State.RUNNING) | Q(events__isnull=False))),
    )
    free: list[TableSession] = []
    staying: list[tuple[TableSession, Staying]] = []
    for table in rows.select_related("session", "block__stage", "competition").order_by("session__number", "order"):
        if table.is_cancelled:
            staying.append((table, Staying.CANCELLED))
        elif table.has_results:
            staying.append((table, Staying.RESULTS))
        elif table.is_running:
            staying.append((table, Staying.RUNNING))
        else:
            free.append(table)
    return free, staying


def _moves(session: Session, wish: SessionMove) -> Moves:
    """Return the moves of a session's tables, which keep their distances, and of the later sessions'."""
    zone = ZoneInfo(session.competition.time_zone)
    free, staying = _sorted_tables(TableSession.objects.filter(session=session))
    start = first_start(session)
    if start is None:
        if wish.time is None:
            raise refuse("time_needed", _("No table of this session has a time yet. Enter one."), "/time")
        if wish.day.year not in YEARS:
            raise refuse("date_out_of_reach", _("A date in it is out of reach. Check the year."), "/day")
        first = dt.datetime.combine(wish.day, wish.time, tzinfo=zone)
        return [_moved(table, first, wish.venue, dt.timedelta(0), zone) for table in free], staying
    first = dt.datetime.combine(wish.day, wish.time or start.time())
    shift = first - start.replace(tzinfo=None)
    if abs(shift) > FARTHEST:
        raise refuse("date_out_of_reach", _("That is more than ten years away. Check the year."), "/day")
    staying += [(table, Staying.NO_TIME) for table in free if table.starts_at is None]
    moved = [_moved(table, _later(table.starts_at, shift, zone), wish.venue, shift, zone) for table in free]
    if wish.moves_later:
        days = dt.timedelta(days=(wish.day - start.date()).days)
        rows = TableSession.objects.filter(competition=session.competition, session__number__gt=session.number)
        others, others_staying = _sorted_tables(rows)
        moved += [_moved(table, _later(table.starts_at, days, zone), "", days, zone) for table in others]
        staying += [*others_staying, *((table, Staying.NO_TIME) for table in others if table.starts_at is None)]
    return [one for one in moved if one.after.starts_at], staying


def _moved(
    table: TableSession, starts_at: dt.datetime | None, venue: str, shift: dt.timedelta, zone: ZoneInfo
) -> MovedTable:
    # An embargo keeps its distance from the game, or it would end before the results it hides are there.
    public_at = table.public_at if table.is_released else _later(table.public_at, shift, zone)
    # So does the time until which line-ups are named. Once it has passed they are announced, and stay so.
    due_at = table.line_ups_due_at if is_due(table) else _later(table.line_ups_due_at, shift, zone)
    return MovedTable(table, _plan_of(table), TableBeforeMove(starts_at, venue or table.venue, public_at, due_at))


def _later(moment: dt.datetime | None, shift: dt.timedelta, zone: ZoneInfo) -> dt.datetime | None:
    """Return the moment, moved in local time: 13:00 stays 13:00 across a change to summer time."""
    return moment and (moment.astimezone(zone).replace(tzinfo=None) + shift).replace(tzinfo=zone)


def _moves_back(session: Session, wish: MoveBack) -> Moves:
    """Return the moves that undo an earlier one; a table that has been edited since stays."""
    change = _changes(session).filter(n=wish.change).first()
    if change is None:
        raise conflict("no_such_move", _("There is no such move of this session. Reload the page."))
    before, after = ({pk: values for pk, *values in (side or {})["moved"]} for side in (change.before, change.after))
    rows = TableSession.objects.filter(competition=session.competition, pk__in=list(before))
    free, staying = _sorted_tables(rows)
    moved = [MovedTable(table, _plan_of(table), _read(before[table.pk], table)) for table in free]
    kept = [one for one in moved if one.before == _read(after[one.table.pk], one.table)]
    return kept, [*staying, *((one.table, Staying.EDITED) for one in moved if one not in kept)]


def _plan_of(table: TableSession) -> TableBeforeMove:
    return TableBeforeMove(table.starts_at, table.venue, table.public_at, table.line_ups_due_at)


def _read(values: Sequence[str], table: TableSession) -> TableBeforeMove:
    """Return the values of a table that the log keeps; 1.1.0 and earlier kept no time for line-ups."""
    starts_at, venue, public_at, *due = values
    due_at = _moment(due[0]) if due else table.line_ups_due_at
    return TableBeforeMove(_moment(starts_at), venue, _moment(public_at), due_at)


def _moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _iso(moment: dt.datetime | None) -> str | None:
    """Return a moment as text that does not depend on a time zone."""
    return moment.astimezone(dt.UTC).isoformat() if moment else None


def _people_at(tables: Iterable[TableSession]) -> dict[int, dict[int, Player]]:
    """Return the players seated at each table, by table and by player id."""
    people: dict[int, dict[int, Player]] = defaultdict(dict)
    seats = HanchanSeat.objects.filter(hanchan__table_session__in=list(tables)).select_related("hanchan", "player")
    for seat in seats.order_by("hanchan__round", "seat"):
        people[seat.hanchan.table_session_id].setdefault(seat.player_id, seat.player)
    return people


@dataclass(frozen=True, slots=True)
class _Occupied:
    """The time and place that a table takes, whether it moves, and how far."""

    table: TableSession
    begins: dt.datetime
    ends: dt.datetime
    venue: str
    moves: bool
    shift: dt.timedelta | None
    """None for a table that had no time before."""

    def meets(self, other: _Occupied) -> bool:
        """Return True if a move makes the times overlap; tables that keep their distance overlapped before."""
        return self.shift != other.shift and self._overlaps(other)

    def takes_place_of(self, other: _Occupied) -> bool:
        """Return True if a move brings both to one place at overlapping times."""
        is_new = self.shift != other.shift or self.table.venue != other.table.venue
        return self.place == other.place and is_new and self._overlaps(other)

    def _overlaps(self, other: _Occupied) -> bool:
        """Return True if the times of two tables overlap; of two that both move, only the first says so."""
        is_told = self.moves and (not other.moves or self.table.pk < other.table.pk)
        return is_told and self.begins < other.ends and other.begins < self.ends

    @property
    def place(self) -> tuple[int, str, str]:
        """Return what identifies the table in its hall."""
        return self.table.competition_id, self.venue, self.table.table


def _collisions(competition: Competition, moved: Sequence[MovedTable]) -> Iterator[Collision]:
    """Yield what the moved tables meet at their new times: sessions, tables at the same place, tables of a player."""
    there = _occupied(competition, moved)
    yield from _met_sessions(competition, there.values())
    by_place: dict[tuple[int, str, str], list[_Occupied]] = defaultdict(list)
    for one in there.values():
        by_place[one.place].append(one)
    for one in there.values():
        met = by_place[one.place] if one.table.table else ()
        yield from (Collision(Clash.TABLE, one.table, other.table) for other in met if one.takes_place_of(other))
    yield from _met_players(there)


def _met_players(there: dict[int, _Occupied]) -> Iterator[Collision]:
    """Yield each pair of tables at which the same players would sit at once."""
    people = _people_at(one.table for one in there.values())
    by_player: dict[int, list[_Occupied]] = defaultdict(list)
    for pk, seated in people.items():
        for key in seated:
            by_player[key].append(there[pk])
    for one in there.values():
        met_by: dict[int, list[Player]] = defaultdict(list)
        for player in people[one.table.pk].values():
            for other in by_player[player.pk]:
                if one.meets(other):
                    met_by[other.table.pk].append(player)
        for other_pk, twice in met_by.items():
            yield Collision(Clash.PLAYER, one.table, there[other_pk].table, tuple(twice))


def _met_sessions(competition: Competition, there: Iterable[_Occupied]) -> Iterator[Collision]:
    """Yield each other session of the competition with tables on a day to which a session moves, once."""
    zone = ZoneInfo(competition.time_zone)
    days: dict[dt.date, list[_Occupied]] = defaultdict(list)
    for one in there:
        if one.table.competition_id == competition.pk:
            days[one.begins.astimezone(zone).date()].append(one)
    told: set[frozenset[int]] = set()
    for one, other in (pair for same_day in days.values() for pair in product(same_day, same_day)):
        pair = frozenset((one.table.session_id, other.table.session_id))
        if one.moves and one.shift != other.shift and len(pair) > 1 and pair not in told:
            told.add(pair)
            yield Collision(Clash.SESSION, one.table, other.table)


def _occupied(competition: Competition, moved: Sequence[MovedTable]) -> dict[int, _Occupied]:
    """Return the times after the move of the moved tables and of those around them, by table id.

    Tables of other competitions are among them only if the public may know of them.
    """
    new = {one.table.pk: one.after for one in moved}
    starts = [after.starts_at for after in new.values() if after.starts_at]
    if not starts:
        return {}
    reach = dt.timedelta(days=1)
    public = Q(competition__audience=Audience.PUBLIC, is_released=True, sitting=None)
    public &= ~Q(competition__status=Competition.Status.DRAFT)
    around = Q(is_cancelled=False, starts_at__gte=min(starts) - reach, starts_at__lte=max(starts) + reach)
    rows = TableSession.objects.filter(Q(pk__in=list(new)) | (around & (Q(competition=competition) | public)))
    found = {}
    rows = rows.annotate(games=Count("hanchan")).select_related("session", "block__stage", "competition")
    for table in rows.order_by("pk"):
        after = new.get(table.pk, _plan_of(table))
        if after.starts_at is None:
            continue
        found[table.pk] = _Occupied(
            table,
            after.starts_at,
            after.starts_at + PER_HANCHAN * max(table.games, 1),
            after.venue,
            table.pk in new,
            after.starts_at - table.starts_at if table.starts_at else None,
        )
    return found
