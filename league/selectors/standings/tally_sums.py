"""Sums of an open table's games by entrant, computed by the database for a month or any span of days."""

from __future__ import annotations

import calendar
import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from django.db.models import BigIntegerField, Count, Max, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from league.models import Block, Entrant, ResultSheet, RulesInForce, SeatResult, Session, SittingAmount, Tally
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of

ALL_TIME = dt.date(1970, 1, 1)
DAY = "sheet__hanchan__table_session__session__day"
SITTING_DAY = "sitting__table_session__session__day"
PLACES = (1, 2, 3, 4)


class Key(NamedTuple):
    """The key of a tally: entrant and period."""

    entrant: int
    period: Tally.Period
    since: dt.date


class SeatGame(NamedTuple):
    """The values of one seat of a game that enter a tally."""

    entrant: int
    place: int
    points: int
    totals: dict[str, int]
    is_bust: bool
    final_score: int
    day: dt.date | None


GAME = ("entrant", "place", "points", "totals", "is_bust", "final_score", DAY)


class Amount(NamedTuple):
    """Points or chips recorded outside a game, at the ledger's scale; negative if taken back."""

    entrant: int
    day: dt.date | None
    ledger: str
    amount: int
    ranks: bool


class TallyColumns(TypedDict):
    """The sums of a tally, by column; `places` are the columns of the four places."""

    games: int
    places: tuple[int, ...]
    points: int
    totals: dict[str, int]
    busts: int
    best_score: int


@dataclass(slots=True)
class Total:
    """Summed games; counts may be negative in a difference that takes games back."""

    games: int = 0
    places: Counter[int] = field(default_factory=Counter)
    points: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    busts: int = 0
    best_score: int | None = None
    lost_scores: set[int] = field(default_factory=set)

    def add(self, result: SeatGame, sign: int) -> None:
        """Add a result, or subtract it with sign -1."""
        self.games += sign
        self.places[result.place] += sign
        self.points += sign * result.points
        self.busts += sign * result.is_bust
        for ledger, amount in result.totals.items():
            self.totals[ledger] += sign * amount
        if sign < 0:
            # A maximum cannot be subtracted: the caller must look the best score up again if it was among these.
            self.lost_scores.add(result.final_score)
        else:
            self._see(result.final_score)

    def merge(self, other: Total) -> None:
        """Add another total, which must not contain subtracted games."""
        self.games += other.games
        self.places.update(other.places)
        self.points += other.points
        self.totals.update(other.totals)
        self.busts += other.busts
        if other.best_score is not None:
            self._see(other.best_score)

    def add_amount(self, amount: Amount) -> None:
        """Add an amount recorded outside a game."""
        self.totals[amount.ledger] += amount.amount
        self.points += amount.amount if amount.ranks else 0

    def _see(self, score: int) -> None:
        if self.best_score is None or score > self.best_score:
            self.best_score = score

    @property
    def says_something(self) -> bool:
        """Return True if any game or amount is left."""
        return bool(self.games) or any(self.totals.values())

    def as_columns(self) -> TallyColumns:
        """Return the total as columns of a tally."""
        return {
            "games": self.games,
            "places": tuple(self.places[place] for place in PLACES),
            "points": self.points,
            "totals": dict(self.totals),
            "busts": self.busts,
            "best_score": self.best_score or 0,
        }


def total_of(row: Tally) -> Total:
    """Return a stored tally as a total."""
    places = Counter(dict(zip(PLACES, row.places, strict=True)))
    # Without a game the column holds 0, which would be a score.
    best = row.best_score if row.games else None
    return Total(row.games, places, row.points, Counter(row.totals), row.busts, best)


def kept_entrants(competition: int) -> Mapping[int, int]:
    """Return the entrant of a competition whose line counts for each duplicate merged into it."""
    merged = Entrant.objects.filter(competition=competition, merged_into__isnull=False)
    return {pk: kept for pk, kept in merged.order_by().values_list("pk", "merged_into") if kept is not None}


def periods(day: dt.date | None) -> Iterator[tuple[Tally.Period, dt.date]]:
    """Yield the periods whose tallies include a business day."""
    yield Tally.Period.ALL, ALL_TIME
    if day is not None:
        yield Tally.Period.MONTH, day.replace(day=1)


def months_played(block: Block) -> list[dt.date]:
    """Return the first days of all months with business days, oldest first."""
    played = Session.objects.filter(competition=block.competition_id).exclude(day=None).order_by()
    days = played.values_list("day", flat=True)
    return sorted({day.replace(day=1) for day in days if day is not None})


def last_of_month(day: dt.date) -> dt.date:
    """Return the last day of a day's month."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def games_without_day(reader: Reader, block: Block) -> Iterator[tuple[int, Total]]:
    """Yield the totals by entrant of games without a known business day."""
    yield from _games(reader, block, Session.objects.filter(competition=block.competition_id, day=None))


def games_in_days(reader: Reader, block: Block, first: dt.date, last: dt.date) -> Iterator[tuple[int, Total]]:
    """Yield the totals by entrant of the games of a span of days."""
    days = {"day__gte": first, "day__lte": last}
    yield from _games(reader, block, Session.objects.filter(competition=block.competition_id, **days))


def _games(reader: Reader, block: Block, sessions: QuerySet[Session]) -> Iterator[tuple[int, Total]]:
    """Yield the totals by entrant of the games of these sessions.

    The sessions' ids are read first, so that the database reads only these games, however many others there are.
    """
    ids = list(sessions.values_list("pk", flat=True))
    sheets = ResultSheet.objects.filter(hanchan__table_session__session__in=ids)
    rows = counting(reader, SeatResult.objects.filter(sheet__in=sheets))
    ledgers = _ledgers(block)
    for entrant, *sums in _added_up(rows, ledgers):
        yield entrant, _total(sums, ledgers)


def amounts_in_days(reader: Reader, block: Block, first: dt.date, last: dt.date) -> Iterator[Amount]:
    """Yield the amounts counted once for a sitting on these days."""
    rows = SittingAmount.objects.filter(made_n__lte=reader.version).exclude(ended_n__lte=reader.version)
    days = {f"{SITTING_DAY}__gte": first, f"{SITTING_DAY}__lte": last}
    rows = rows.filter(sitting__table_session__block=block, **days)
    if not reader.is_staff:
        rows = rows.filter(sitting__table_session__is_released=True)
    ranking = ruleset_of(rules_at(block.competition)).ranking_ledger.key
    for entrant, day, ledger, amount in rows.values_list("entrant", SITTING_DAY, "ledger", "amount"):
        yield Amount(entrant, day, ledger, amount, ranks=ledger == ranking)


def counting(reader: Reader, rows: QuerySet[SeatResult]) -> QuerySet[SeatResult]:
    """Filter the rows to those that count at the reader's version and are visible to its audience."""
    rows = rows.filter(sheet__confirmed_n__lte=reader.version).exclude(sheet__ended_n__lte=reader.version).order_by()
    return rows if reader.is_staff else rows.filter(sheet__hanchan__table_session__is_released=True)


def _ledgers(block: Block) -> list[str]:
    """Return the ledger keys of all rules that the table was ever played under."""
    rules = RulesInForce.objects.filter(competition=block.competition_id).select_related("ruleset")
    return list(dict.fromkeys(ledger.key for each in rules for ledger in ruleset_of(each).ledgers))


def _added_up(rows: QuerySet[SeatResult], ledgers: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    columns = {
        "games": Count("pk"),
        **{f"place_{place}": Count("pk", filter=Q(place=place)) for place in PLACES},
        "sum_of_points": Sum("points"),
        "busts": Count("pk", filter=Q(is_bust=True)),
        "best": Max("final_score"),
        **{
            # Numbered aliases, since a ledger's key need not be a valid one. A missing key is NULL, which SUM ignores.
            f"ledger_{number}": Sum(Cast(KeyTextTransform(key, "totals"), BigIntegerField()))
            for number, key in enumerate(ledgers)
        },
    }
    yield from rows.values("entrant").annotate(**columns).values_list("entrant", *columns).iterator(2000)


def _total(sums: Sequence[Any], ledgers: Sequence[str]) -> Total:
    games, first, second, third, fourth, points, busts, best, *amounts = sums
    return Total(
        games=games,
        places=Counter(dict(zip(PLACES, (first, second, third, fourth), strict=True))),
        points=points,
        totals=Counter({key: amount for key, amount in zip(ledgers, amounts, strict=True) if amount is not None}),
        busts=busts,
        best_score=best,
    )
