"""The day sheet of a parlour (日計表): games, fees and ledgers of a business day, by player and by table.

A sheet holds ids and numbers computed from the results that count. Closing the day stores it unchanged, so that
later corrections appear as differences instead of altering the amounts counted that night.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils import timezone

from league.models import (
    Competition,
    Extra,
    Parlour,
    Payment,
    ResultSheet,
    SeatResult,
    Session,
    Sitting,
    SittingAmount,
    TillClose,
)
from league.selectors.parlour.house_games import house_games
from league.selectors.rulebooks.rules_in_force import every_rules, latest, ledgers_of, ruleset_of
from league.selectors.standings.tally_sums import kept_entrants
from scoring.ruleset import Ledger, Unit

SECONDS_IN_A_MINUTE = 60
MINUTES_IN_AN_HOUR = 60


@dataclass(frozen=True, slots=True)
class PlayerDay:
    """A guest's totals of the day; games for the house (本走) are counted apart, and their fees are the house's own."""

    entrant: int
    games: int
    house_games: int
    places: tuple[int, ...]
    totals: Mapping[str, int]
    fee: int
    house_fee: int


@dataclass(frozen=True, slots=True)
class TableDay:
    """A sitting of the day in whole minutes; `fee` is for its games, `set_fee` for its hours, both in yen."""

    sitting: int
    games: int
    minutes: int
    fee: int
    set_fee: int


@dataclass(frozen=True, slots=True)
class DaySheet:
    """A business day: fees in yen, ledgers at their scales (of players only, fees apart)."""

    day: dt.date
    games: int
    players: tuple[PlayerDay, ...]
    tables: tuple[TableDay, ...]
    ledgers: Mapping[str, int]
    """The scale of each ledger."""
    totals: Mapping[str, int]
    guest_fees: int
    house_fees: int
    set_fees: int

    @property
    def fees(self) -> int:
        """Return the fees in yen that the house takes from its guests."""
        return self.guest_fees + self.set_fees

    def as_json(self) -> dict[str, object]:
        """Return the sheet as JSON for storage."""
        return {**asdict(self), "day": self.day.isoformat()}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> DaySheet:
        """Return a sheet from its stored JSON."""
        return cls(
            **{
                **kept,
                "day": dt.date.fromisoformat(kept["day"]),
                "players": tuple(PlayerDay(**{**row, "places": tuple(row["places"])}) for row in kept["players"]),
                "tables": tuple(TableDay(**row) for row in kept["tables"]),
            }
        )


@dataclass(slots=True)
class _Own:
    """A player's totals while they are being summed."""

    games: int = 0
    house_games: int = 0
    places: Counter[int] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    fee: int = 0
    house_fee: int = 0


def minutes_of(sitting: Sitting, until: dt.datetime | None = None) -> int:
    """Return the whole minutes of a sitting, up to `until` or now if it is open."""
    end = sitting.closed_at or until or timezone.now()
    return max(0, int((end - sitting.opened_at).total_seconds()) // SECONDS_IN_A_MINUTE)


def set_table_fee(sitting: Sitting, until: dt.datetime | None = None) -> int:
    """Return the fee of a set table in yen: whole minutes at the hourly price, fractions of a yen dropped."""
    return minutes_of(sitting, until) * sitting.yen_per_hour // MINUTES_IN_AN_HOUR


def fee_ledgers(ledgers: Iterable[Ledger]) -> frozenset[str]:
    """Return the keys of the ledgers with the house's fees, which are in yen."""
    return frozenset(ledger.key for ledger in ledgers if ledger.unit is Unit.YEN)


def day_sheet(competition: Competition, day: dt.date, until: dt.datetime | None = None) -> DaySheet:
    """Compute the sheet of a business day from the present results."""
    in_force = every_rules(competition)
    rules = ruleset_of(latest(in_force))
    sittings = list(
        Sitting.objects.filter(table_session__competition=competition, table_session__session__day=day).order_by("pk")
    )
    by_table = {sitting.table_session_id: sitting for sitting in sittings}
    results = list(_results(competition, day))
    known = ledgers_of(in_force)
    fees = fee_ledgers(known)
    kept = kept_entrants(competition.pk)
    own = _players(results, by_table, fees, kept)
    _add_amounts(own, sittings, kept)
    sheets = {(row.sheet_id, row.sheet.hanchan.table_session_id) for row in results}
    tables, totals = _tables(sittings, results, sheets, fees, until), _summed(own.values())
    # Games of the day may have been played under rules with other ledgers than the present ones.
    shown = totals.keys() or {ledger.key for ledger in rules.ledgers}
    return DaySheet(
        day=day,
        games=len(sheets),
        players=tuple(_player_day(entrant, row, rules.players) for entrant, row in sorted(own.items())),
        tables=tables,
        ledgers={ledger.key: ledger.scale for ledger in known if ledger.key in shown - fees},
        totals=totals,
        guest_fees=sum(row.fee for row in own.values()),
        house_fees=sum(row.house_fee for row in own.values()),
        set_fees=sum(table.set_fee for table in tables),
    )


def _summed(rows: Iterable[_Own]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for row in rows:
        totals.update(row.totals)
    return dict(totals)


def _results(competition: Competition, day: dt.date) -> Iterable[SeatResult]:
    return (
        SeatResult.objects.filter(
            block__competition=competition,
            sheet__state=ResultSheet.State.CONFIRMED,
            sheet__hanchan__table_session__session__day=day,
        )
        .select_related("sheet__hanchan", "entrant__player")
        .order_by("sheet__hanchan__table_session", "sheet__hanchan__round", "seat")
    )


def _players(
    results: Iterable[SeatResult], tables: Mapping[int, Sitting], fees: frozenset[str], kept: Mapping[int, int]
) -> dict[int, _Own]:
    house = house_games(tables)
    own: defaultdict[int, _Own] = defaultdict(_Own)
    for row in results:
        sitting = tables.get(row.sheet.hanchan.table_session_id)
        mine = own[kept.get(row.entrant_id, row.entrant_id)]
        mine.places[row.place] += 1
        for ledger, amount in row.totals.items():
            if ledger not in fees:
                mine.totals[ledger] += amount
        fee = _fee(row, sitting, fees)
        person = row.entrant.player.kept_id
        if (row.sheet.hanchan_id, person) in house:
            mine.house_games += 1
            mine.house_fee += fee
        else:
            mine.games += 1
            mine.fee += fee
    return dict(own)


def _fee(row: SeatResult, sitting: Sitting | None, fees: frozenset[str]) -> int:
    """Return the fee in yen of a seat for one game; 0 at a set table, which pays by the hour."""
    if sitting is not None and sitting.kind == Sitting.Kind.SET:
        return 0
    # Fees are negative in the player's ledger.
    return -sum(int(amount) for ledger, amount in row.totals.items() if ledger in fees)


def _add_amounts(own: dict[int, _Own], sittings: Iterable[Sitting], kept: Mapping[int, int]) -> None:
    """Add chips counted once per sitting to the players' totals."""
    rows = SittingAmount.objects.filter(sitting__in=list(sittings), ended_n=None)
    for entrant, ledger, amount in rows.values_list("entrant", "ledger", "amount"):
        mine = own.setdefault(kept.get(entrant, entrant), _Own())
        mine.totals[ledger] += amount


def _tables(
    sittings: Iterable[Sitting],
    results: Iterable[SeatResult],
    sheets: Iterable[tuple[int, int]],
    fees: frozenset[str],
    until: dt.datetime | None,
) -> tuple[TableDay, ...]:
    games = Counter(table for _sheet, table in sheets)
    taken: Counter[int] = Counter()
    there = {sitting.table_session_id: sitting for sitting in sittings}
    for row in results:
        table = row.sheet.hanchan.table_session_id
        taken[table] += _fee(row, there.get(table), fees)
    return tuple(
        TableDay(
            sitting=sitting.pk,
            games=games[table],
            minutes=minutes_of(sitting, until),
            fee=taken[table],
            set_fee=set_table_fee(sitting, until) if sitting.kind == Sitting.Kind.SET else 0,
        )
        for table, sitting in there.items()
    )


def _player_day(entrant: int, own: _Own, players: int) -> PlayerDay:
    return PlayerDay(
        entrant=entrant,
        games=own.games,
        house_games=own.house_games,
        places=tuple(own.places[place] for place in range(1, players + 1)),
        totals=dict(own.totals),
        fee=own.fee,
        house_fee=own.house_fee,
    )


@dataclass(frozen=True, slots=True)
class DayLine:
    """A business day in the list of days."""

    day: dt.date
    tables: int
    open_tables: int
    is_closed: bool


def days_of(books: Sequence[Competition], most: int = 60) -> list[DayLine]:
    """Return the newest business days of a house with a table or money, newest first, at most `most`."""
    parlour = books[0].parlour_id
    sessions = Session.objects.filter(competition__in=books).exclude(day=None)
    money = (Extra.objects.filter(parlour=parlour), Payment.objects.filter(parlour=parlour))
    newest = (rows.order_by("-day").values_list("day", flat=True).distinct()[:most] for rows in (sessions, *money))
    days = sorted({day for found in newest for day in found if day is not None}, reverse=True)[:most]
    counts: defaultdict[dt.date | None, list[bool]] = defaultdict(list)
    rows = Sitting.objects.filter(table_session__session__in=sessions.filter(day__in=days))
    for day, closed_at in rows.values_list("table_session__session__day", "closed_at"):
        counts[day].append(closed_at is None)
    tills = TillClose.objects.filter(parlour=parlour, ended_at=None, day__in=days)
    closed_days = set(tills.values_list("day", flat=True))
    return [DayLine(day, len(counts[day]), sum(counts[day]), day in closed_days) for day in days]


def has_money(parlour: Parlour, day: dt.date) -> bool:
    """Return True if an item or a payment belongs to the business day, also without a table."""
    return any(rows.objects.filter(parlour=parlour, day=day).exists() for rows in (Extra, Payment))
