"""The debts of a parlour's guests at a moment: fees by the present results, less the lines that statements settled.

A game that no statement holds is due as a whole. One that was corrected after its statement is due with the
difference. So the sum of all statements and dues always equals the fees computed from the results.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Q, Subquery, Sum
from django.utils import timezone

from league.models import (
    Extra,
    Parlour,
    Payment,
    Player,
    Session,
    Sitting,
    SittingAmount,
    SittingSeat,
    Statement,
    StatementLine,
    TillClose,
)
from league.selectors.parlour.charges import Charges, GameCharge, TermsOfGuests, charges_of_days, of_people
from league.selectors.parlour.days import minutes_of, set_table_fee
from scoring.charges import Rate, charge_hours

Kind = StatementLine.Kind
SECONDS_IN_A_MINUTE = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class DueLine:
    """One thing owed: `money` in the smallest unit, `amounts` of the other ledgers at their scales.

    `is_late` marks a difference to what a statement settled before. `detail` holds what the line was computed from.
    """

    kind: Kind
    day: dt.date
    money: int
    amounts: Mapping[str, int] = field(default_factory=dict)
    hanchan: int | None = None
    sheet: int | None = None
    sitting: int | None = None
    extra: int | None = None
    is_late: bool = False
    is_house: bool = False
    detail: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> _Key:
        """Return the thing that the line is about."""
        return (self.kind, self.hanchan or self.sitting or self.extra or 0)

    @property
    def book(self) -> int | None:
        """Return the open table's id, None for lines of no book."""
        book = self.detail.get("book")
        return book if isinstance(book, int) else None


_Key = tuple[str, int]
_Hours = tuple[dt.datetime, dt.datetime]


@dataclass(frozen=True, slots=True)
class Due:
    """The debt of one person: the lines that no statement holds, and the balance on account from statements before."""

    person: int
    lines: tuple[DueLine, ...]
    on_account: int = 0

    @property
    def money(self) -> int:
        """Return the sum of the lines, positive if the guest pays."""
        return sum(line.money for line in self.lines)

    @property
    def total(self) -> int:
        """Return the sum of the lines and of the balance on account."""
        return self.money + self.on_account

    @property
    def guest_lines(self) -> tuple[DueLine, ...]:
        """Return the lines that a statement settles: those of games for the house are left out."""
        return tuple(line for line in self.lines if not line.is_house)

    def of_day(self, day: dt.date) -> Due:
        """Return the guest's part of one business day, with the same balance on account."""
        return replace(self, lines=tuple(line for line in self.guest_lines if line.day == day))

    @property
    def games(self) -> int:
        """Return the number of games not settled yet."""
        return sum(line.kind == Kind.GAME and not line.is_late for line in self.lines)

    def amounts(self) -> Mapping[tuple[int, str], int]:
        """Return the sums of the other ledgers by book and ledger."""
        return amounts_of(self.lines)


def amounts_of(lines: Sequence[DueLine]) -> Mapping[tuple[int, str], int]:
    """Return the sums of the ledgers by book (an open table's id) and ledger."""
    sums: defaultdict[tuple[int, str], int] = defaultdict(int)
    for line in lines:
        for ledger, amount in line.amounts.items():
            if line.book is not None:
                sums[line.book, ledger] += amount
    return dict(sums)


def open_days(parlour: Parlour) -> list[dt.date]:
    """Return the business days with a table or an item whose books are open, oldest first."""
    days = Session.objects.filter(competition__parlour=parlour).exclude(day=None).values_list("day", flat=True)
    # Items taken off count too: a statement may hold them, and the difference is due back.
    extras = Extra.objects.filter(parlour=parlour).values_list("day", flat=True)
    closed = set(TillClose.objects.filter(parlour=parlour, ended_at=None).values_list("day", flat=True))
    first = parlour.settles_from or dt.date.min
    found = {day for day in [*days, *extras] if day is not None and day >= first}
    return sorted(found - closed)


def dues_of(
    parlour: Parlour, at: dt.datetime | None = None, people: Collection[int] | None = None
) -> Mapping[int, Due]:
    """Return what each person owes at a moment, by default now; persons who owe nothing and have no lines are absent.

    Fixed number of queries; the days before the last close cost nothing. `people` limits it to some persons.
    """
    moment, days = at or timezone.now(), open_days(parlour)
    charges = charges_of_days(parlour, days, people)
    settled = _Settled(parlour, days, people, charges.terms)
    right: defaultdict[int, list[DueLine]] = defaultdict(list)
    for person, line in _right_lines(parlour, days, people, charges, settled, moment):
        right[person].append(line)
    balances = balances_of(parlour, people)
    # The party of a set table may hold others than those asked for.
    found = {*right, *settled.people, *(person for person, money in balances.items() if money)}
    found = found if people is None else found.intersection(people)
    dues = (Due(person, tuple(settled.rest(person, right[person])), balances.get(person, 0)) for person in found)
    return {due.person: due for due in dues if due.lines or due.on_account}


def due_of(parlour: Parlour, player: Player, at: dt.datetime | None = None) -> Due:
    """Return what one person owes at a moment, by default now."""
    person = player.kept_id
    return dues_of(parlour, at, [person]).get(person, Due(person, ()))


def balances_of(parlour: Parlour, people: Collection[int] | None = None) -> Mapping[int, int]:
    """Return what each person has on account: statements less payments; negative if the house owes."""
    found: defaultdict[int, int] = defaultdict(int)
    held = Statement.objects.filter(parlour=parlour, cancelled_at=None)
    for rows, sign in ((held, 1), (Payment.objects.filter(parlour=parlour), -1)):
        own = rows.filter(of_people(people, "player")).order_by()
        sums = own.values_list("player", "player__merged_into").annotate(sum=Sum("money"))
        for player, kept, money in sums:
            found[kept or player] += sign * money
    return dict(found)


def _right_lines(
    parlour: Parlour,
    days: Collection[dt.date],
    people: Collection[int] | None,
    charges: Charges,
    settled: _Settled,
    at: dt.datetime,
) -> Iterator[tuple[int, DueLine]]:
    """Yield all that is right by the present facts, each with its person."""
    for person, games in charges.games.items():
        for game in games:
            yield person, game_line(game)
    there = _seats(parlour, days, people)
    yield from _hours(there, charges, settled, at)
    yield from _set_tables(there, at)
    yield from _chips_of_sittings(parlour, days, people)
    extras = Extra.objects.filter(of_people(people, "player"), parlour=parlour, day__in=days, cancelled_at=None)
    for extra in extras.select_related("player"):
        detail = {"label": extra.label}
        line = DueLine(kind=Kind.EXTRA, day=extra.day, money=extra.money, extra=extra.pk, detail=detail)
        yield extra.player.kept_id, line


def game_line(game: GameCharge) -> DueLine:
    """Return a game as a line."""
    row = game.played
    return DueLine(
        kind=Kind.GAME,
        day=row.day,
        money=game.charge.total,
        amounts=game.amounts,
        hanchan=row.hanchan,
        sheet=row.sheet,
        is_house=game.is_house,
        detail={
            "book": row.book,
            "table": row.table,
            "round": row.round,
            "place": row.place,
            "score": row.score,
            "fee": game.charge.fee,
            "top": game.charge.top,
            "is_free": game.charge.is_free,
        },
    )


def _seats(parlour: Parlour, days: Collection[dt.date], people: Collection[int] | None) -> Sequence[SittingSeat]:
    """Return the stretches for which guests sat, in the order of sitting down, and whole parties of set tables."""
    rows = SittingSeat.objects.filter(
        of_people(people, "entrant__player") | Q(sitting__kind=Sitting.Kind.SET) if people is not None else Q(),
        sitting__table_session__competition__parlour=parlour,
        sitting__table_session__session__day__in=list(days),
    )
    rows = rows.select_related("entrant__player", "sitting__table_session__session")
    return list(rows.order_by("joined_at", "pk"))


def _hours(
    seats: Sequence[SittingSeat], charges: Charges, settled: _Settled, at: dt.datetime
) -> Iterator[tuple[int, DueLine]]:
    """Yield the time of guests who pay by the hour, from sitting down to leaving, that no statement holds yet.

    Hours settled before the guest's rate of that day changed to one by the game are due back.
    """
    yield from settled.hours_back
    own: defaultdict[int, list[_Span]] = defaultdict(list)
    for seat in seats:
        person = seat.entrant.player.kept_id
        by_hour = charges.terms.rate_at(person, _day_of(seat)) is Rate.HOUR
        is_guest = not seat.is_house and seat.sitting.kind == Sitting.Kind.FREE
        if by_hour and is_guest:
            until = at if seat.left_at is None else seat.left_at
            own[person] += (_Span(*part, seat, seat) for part in settled.open_parts(person, seat.joined_at, until))
    for person, spans in own.items():
        for span in _joined(spans, settled.hours_of(person)):
            table = span.first.sitting.table_session
            tariff = charges.tariffs.at(table.competition_id, table.table, _day_of(span.first))
            seconds = int((span.until - span.since).total_seconds())
            charge = charge_hours(tariff, seconds // SECONDS_IN_A_MINUTE)
            if not charge.units:
                continue
            detail = {
                "book": table.competition_id,
                "table": table.table,
                "from": span.since.isoformat(),
                "to": span.until.isoformat(),
                "minutes": charge.minutes,
                "units": charge.units,
                "unit_minutes": tariff.hour_unit_minutes,
                "unit": tariff.hour_unit,
            }
            yield person, DueLine(kind=Kind.HOURS, day=_day_of(span.last), money=charge.fee, detail=detail)


class _Span(NamedTuple):
    """A guest's time that no statement holds, with the seats in which it began and ended."""

    since: dt.datetime
    until: dt.datetime
    first: SittingSeat
    last: SittingSeat


def _joined(spans: Sequence[_Span], settled: Collection[_Hours]) -> Sequence[_Span]:
    """Return the spans of a business day as one, with the waits between them; settled hours keep spans apart."""
    joined: list[_Span] = []
    for span in sorted(spans, key=lambda each: (each.since, each.last.pk)):
        before = joined[-1] if joined else None
        if before is None or (
            before.until < span.since
            and (
                _day_of(before.last) != _day_of(span.first)
                or any(before.until <= since < span.since for since, _until in settled)
            )
        ):
            joined.append(span)
        else:
            last = span.last if span.until >= before.until else before.last
            joined[-1] = _Span(before.since, max(before.until, span.until), before.first, last)
    return joined


def _day_of(seat: SittingSeat) -> dt.date:
    return seat.sitting.table_session.session.day or dt.date.min


def _set_tables(seats: Sequence[SittingSeat], at: dt.datetime) -> Iterator[tuple[int, DueLine]]:
    """Yield the hours of each set table so far; the guest in its first chair pays for the party."""
    tables: defaultdict[int, list[SittingSeat]] = defaultdict(list)
    for seat in seats:
        if seat.sitting.kind == Sitting.Kind.SET and not seat.is_house:
            tables[seat.sitting_id].append(seat)
    for party in tables.values():
        sitting = party[0].sitting
        staying = [seat for seat in party if seat.left_at is None] or [
            seat for seat in party if seat.left_at == max(each.left_at or at for each in party)
        ]
        payer = min(staying, key=lambda seat: seat.seat)
        detail = {
            "book": sitting.table_session.competition_id,
            "table": sitting.table_session.table,
            "minutes": minutes_of(sitting, at),
            "per_hour": sitting.yen_per_hour,
        }
        line = DueLine(
            kind=Kind.SET,
            day=_day_of(payer),
            money=set_table_fee(sitting, at),
            sitting=sitting.pk,
            detail=detail,
        )
        yield payer.entrant.player.kept_id, line


def _chips_of_sittings(
    parlour: Parlour, days: Collection[dt.date], people: Collection[int] | None
) -> Iterator[tuple[int, DueLine]]:
    """Yield chips that were counted once for a whole sitting."""
    rows = SittingAmount.objects.filter(
        of_people(people, "entrant__player"),
        sitting__table_session__competition__parlour=parlour,
        sitting__table_session__session__day__in=list(days),
        ended_n=None,
    )
    rows = rows.select_related("entrant__player", "sitting__table_session__session")
    found: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    sittings: dict[int, Sitting] = {}
    for row in rows:
        sittings[row.sitting_id] = row.sitting
        own = found[row.entrant.player.kept_id, row.sitting_id]
        own[row.ledger] = own.get(row.ledger, 0) + row.amount
    for (person, pk), amounts in found.items():
        table = sittings[pk].table_session
        yield (
            person,
            DueLine(
                kind=Kind.CHIPS,
                day=table.session.day or dt.date.min,
                money=0,
                amounts=amounts,
                sitting=pk,
                detail={"book": table.competition_id, "table": table.table},
            ),
        )


class _Settled:
    """The lines that statements hold of some business days, by person and thing."""

    def __init__(
        self, parlour: Parlour, days: Collection[dt.date], people: Collection[int] | None, terms: TermsOfGuests
    ) -> None:
        # Another guest may have settled the first hours of a set table.
        own = of_people(people, "statement__player") | Q(kind=Kind.SET) if people is not None else Q()
        sat = SittingSeat.objects.filter(
            sitting__table_session__competition__parlour=parlour, sitting__table_session__session__day__in=list(days)
        )
        # A guest who sits through the changeover may have settled hours of these days on another one.
        since = Subquery(sat.order_by("joined_at").values("joined_at")[:1])
        rows = StatementLine.objects.filter(
            own,
            Q(day__in=list(days)) | Q(kind=Kind.HOURS, statement__at__gte=since),
            statement__parlour=parlour,
            statement__cancelled_at=None,
        ).select_related("statement__player")
        self._lines: defaultdict[int, dict[_Key, DueLine]] = defaultdict(dict)
        self._hours: defaultdict[int, dict[_Hours, DueLine]] = defaultdict(dict)
        self._set_money: defaultdict[_Key, int] = defaultdict(int)
        for row in rows.order_by("pk"):
            person, line = row.statement.player.kept_id, as_line(row)
            if line.kind == Kind.HOURS:
                _hold_hours(self._hours[person], line)
                continue
            if line.kind == Kind.SET:
                self._set_money[line.key] += line.money
                continue
            before = self._lines[person].get(line.key)
            self._lines[person][line.key] = line if before is None else _sum(before, line)
        self.hours_back = list(self._take_back(terms, days))

    def _take_back(self, terms: TermsOfGuests, days: Collection[dt.date]) -> Iterator[tuple[int, DueLine]]:
        """Yield the settled hours of persons who pay by the game on that day, negated, and hold them no more."""
        for person, held in self._hours.items():
            for hours, line in list(held.items()):
                if line.day in days and terms.rate_at(person, line.day) is not Rate.HOUR:
                    del held[hours]
                    yield person, replace(line, money=-line.money, is_late=True)

    @property
    def people(self) -> Collection[int]:
        """Return the persons with a settled line."""
        return self._lines.keys()

    def hours_of(self, person: int) -> Collection[_Hours]:
        """Return the times of a person that statements hold."""
        return self._hours.get(person, {}).keys()

    def open_parts(self, person: int, since: dt.datetime, until: dt.datetime) -> Iterator[_Hours]:
        """Yield the parts of a person's time that no statement holds."""
        for start, end in sorted(self.hours_of(person)):
            if since < min(start, until):
                yield since, min(start, until)
            since = max(since, end)
        if since < until:
            yield since, until

    def rest(self, person: int, right: Sequence[DueLine]) -> Iterator[DueLine]:
        """Yield what is left of the right lines after what was settled."""
        settled = self._lines.get(person, {})
        for line in right:
            if line.kind == Kind.SET:
                # The hours of a set table grow until it closes, so what is left is no difference of a correction.
                left = line.money - self._set_money[line.key]
                if left:
                    yield replace(line, money=left)
                continue
            before = settled.get(line.key) if line.kind != Kind.HOURS else None
            if before is None:
                yield line
            elif late := _difference(line, before):
                yield late
        there = {line.key for line in right}
        for key, before in settled.items():
            if key not in there and (late := _difference(replace(before, money=0, amounts={}), before)):
                yield late


def _hold_hours(held: dict[_Hours, DueLine], line: DueLine) -> None:
    """Add settled hours to those held; a late line gives back hours settled before."""
    start, end = (dt.datetime.fromisoformat(str(line.detail[name])) for name in ("from", "to"))
    if line.is_late:
        held.pop((start, end), None)
    else:
        held[start, end] = line


def as_line(row: StatementLine) -> DueLine:
    """Return a stored line of a statement."""
    return DueLine(
        kind=Kind(row.kind),
        day=row.day,
        money=row.money,
        amounts=row.amounts,
        hanchan=row.hanchan_id,
        sheet=row.sheet_id,
        sitting=row.sitting_id,
        extra=row.extra_id,
        is_late=row.is_late,
        detail=row.detail,
    )


def _sum(one: DueLine, other: DueLine) -> DueLine:
    return replace(
        other,
        money=one.money + other.money,
        amounts={key: one.amounts.get(key, 0) + other.amounts.get(key, 0) for key in {*one.amounts, *other.amounts}},
    )


def _difference(right: DueLine, settled: DueLine) -> DueLine | None:
    """Return right less settled as a late line; None if they are equal."""
    money = right.money - settled.money
    keys = [*right.amounts, *(key for key in settled.amounts if key not in right.amounts)]
    amounts = {key: right.amounts.get(key, 0) - settled.amounts.get(key, 0) for key in keys}
    if not money and not any(amounts.values()):
        return None
    return replace(right, money=money, amounts=amounts, is_late=True, is_house=False)
