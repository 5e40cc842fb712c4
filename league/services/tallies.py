"""Tallies of open tables: what is new is added, what no longer counts is taken off.

The one idea: between two published versions some sheets began to count and some ceased to. Their difference, summed
by entrant and period, is all that has to be written; how many games were played before does not matter. Since a
version is published once, under the competition's lock, nothing is counted twice.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Max, QuerySet

from league.models import Adjustment, Audience, Block, Change, Entrant, ResultSheet, SeatResult, SittingAmount, Tally
from league.selectors.readers import Reader
from league.selectors.rules import rules_at, ruleset_of

ALL_TIME = dt.date(1970, 1, 1)
VISIBILITY = ("table_session.released", "table_session.held_back")
"""Changes after which the public knows of other sheets than those of new results."""


class Key(NamedTuple):
    """Whose tally, over what."""

    entrant: int
    period: Tally.Period
    since: dt.date


class Game(NamedTuple):
    """What counts of one seat of a game."""

    entrant: int
    place: int
    points: int
    totals: dict[str, int]
    is_bust: bool
    final_score: int
    day: dt.date | None


GAME = (
    "entrant", "place", "points", "totals", "is_bust", "final_score", "sheet__hanchan__table_session__session__day",
)  # fmt: skip


class Amount(NamedTuple):
    """Points, chips or the like that came in outside a game, at the ledger's scale; negative where taken off."""

    entrant: int
    day: dt.date | None
    ledger: str
    amount: int
    ranks: bool


@dataclass(slots=True)
class Sum:
    """Games added up; negative where games are taken off."""

    games: int = 0
    places: Counter[int] = field(default_factory=Counter)
    points: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    busts: int = 0
    best_score: int | None = None
    lost_scores: set[int] = field(default_factory=set)

    def add(self, result: Game, sign: int) -> None:
        """Add a result, or with sign -1 take it off."""
        self.games += sign
        self.places[result.place] += sign
        self.points += sign * result.points
        self.busts += sign * result.is_bust
        for ledger, amount in result.totals.items():
            self.totals[ledger] += sign * amount
        if sign < 0:
            self.lost_scores.add(result.final_score)
        elif self.best_score is None or result.final_score > self.best_score:
            self.best_score = result.final_score

    @property
    def says_something(self) -> bool:
        """A game or an amount is left."""
        return bool(self.games) or any(self.totals.values())

    def as_columns(self) -> dict[str, Any]:
        """The columns of a row that says this and nothing else."""
        return {
            "games": self.games,
            "places": tuple(self.places[place] for place in (1, 2, 3, 4)),
            "points": self.points,
            "totals": dict(self.totals),
            "busts": self.busts,
            "best_score": self.best_score or 0,
        }

    def add_amount(self, amount: Amount) -> None:
        """Add what came in outside a game."""
        self.totals[amount.ledger] += amount.amount
        self.points += amount.amount if amount.ranks else 0


Sums = Mapping[Key, Sum]


def update_tallies(block: Block, audience: Audience, before: int, version: int) -> None:
    """Bring an open block's tallies from one published version to the next.

    Where a release or a new embargo changes what the public knows of older results, its tallies are made anew.
    """
    reader = Reader(block.competition, audience, version)
    if before == 0 or (audience == Audience.PUBLIC and _visibility_changed(block, before, version)):
        Tally.objects.filter(block=block, audience=audience).delete()
        before = 0
    _apply(block, audience, version, _sums(reader, block, before))
    _fold_duplicates(block, audience, version)


def rebuilt_tallies(reader: Reader, block: Block) -> Sums:
    """An open block's tallies from the results alone."""
    return _sums(reader, block, 0)


def _sums(reader: Reader, block: Block, before: int) -> Sums:
    """All that came in after version `before`, added up."""
    return summed(_difference(reader, block, before), _amounts(reader, block, before), kept_entrants(block))


def kept_entrants(block: Block) -> Mapping[int, int]:
    """For entrants entered twice, the one their results count for."""
    merged = Entrant.objects.filter(competition=block.competition_id, merged_into__isnull=False)
    return {pk: kept for pk, kept in merged.values_list("pk", "merged_into") if kept is not None}


def _visibility_changed(block: Block, before: int, version: int) -> bool:
    return Change.objects.filter(
        competition=block.competition_id, n__gt=before, n__lte=version, kind__in=VISIBILITY
    ).exists()


def _difference(reader: Reader, block: Block, before: int) -> Iterator[tuple[Game, int]]:
    """Every result that began to count after `before`, and with -1 every one that ceased to."""
    rows = SeatResult.objects.filter(block=block).order_by()
    if not reader.is_staff:
        rows = rows.filter(sheet__hanchan__table_session__is_released=True)
    if before == 0:
        counting = rows.filter(sheet__confirmed_n__lte=reader.version).exclude(sheet__ended_n__lte=reader.version)
        yield from ((Game(*row), 1) for row in counting.values_list(*GAME).iterator(2000))
        return
    window = {"confirmed_n__gt": before, "confirmed_n__lte": reader.version}
    began = ResultSheet.objects.filter(**window).exclude(ended_n__lte=reader.version)
    yield from ((row, 1) for row in _of_sheets(rows, began))
    ceased = ResultSheet.objects.filter(confirmed_n__lte=before, ended_n__gt=before, ended_n__lte=reader.version)
    yield from ((row, -1) for row in _of_sheets(rows, ceased))


def _of_sheets(rows: QuerySet[SeatResult], sheets: QuerySet[ResultSheet]) -> Iterator[Game]:
    """The rows of these sheets, which are few; looked up by their ids, however many others there are.

    The numbers of changes are those of one competition, so some sheets may be another's: `rows` leaves them out.
    """
    ids = list(sheets.values_list("pk", flat=True))
    for start in range(0, len(ids), MANY):
        yield from (Game(*row) for row in rows.filter(sheet__in=ids[start : start + MANY]).values_list(*GAME))


def _amounts(reader: Reader, block: Block, before: int) -> Iterator[Amount]:
    """Adjustments, and chips counted once for a sitting, that came or went after `before`."""
    ranking = ruleset_of(rules_at(block.competition)).ranking_ledger.key
    adjusted = Adjustment.objects.filter(block=block).values_list("entrant", "points")
    for sign, entrant, points in _came_and_went(adjusted, reader.version, before):
        yield Amount(entrant, None, ranking, sign * points, ranks=True)
    sittings = SittingAmount.objects.filter(sitting__table_session__block=block)
    if not reader.is_staff:
        sittings = sittings.filter(sitting__table_session__is_released=True)
    rows = sittings.values_list("entrant", "sitting__table_session__session__day", "ledger", "amount")
    for sign, entrant, day, ledger, amount in _came_and_went(rows, reader.version, before):
        yield Amount(entrant, day, ledger, sign * amount, ranks=ledger == ranking)


def _came_and_went(rows: Any, version: int, before: int) -> Iterator[tuple[Any, ...]]:
    """Rows made after `before`, with 1 ahead of them, and rows ended after it, with -1."""
    came = rows.filter(made_n__gt=before, made_n__lte=version).exclude(ended_n__lte=version)
    went = rows.filter(made_n__lte=before, ended_n__gt=before, ended_n__lte=version)
    yield from ((1, *row) for row in came)
    yield from ((-1, *row) for row in went)


def summed(results: Iterable[tuple[Game, int]], amounts: Iterable[Amount], kept: Mapping[int, int]) -> Sums:
    """Results and amounts added up by entrant and period; a day that is not known counts only for all time."""
    sums: defaultdict[Key, Sum] = defaultdict(Sum)
    for amount in amounts:
        entrant = kept.get(amount.entrant, amount.entrant)
        for period, since in periods(amount.day):
            sums[Key(entrant, period, since)].add_amount(amount)
    for result, sign in results:
        entrant = kept.get(result.entrant, result.entrant)
        for period, since in periods(result.day):
            sums[Key(entrant, period, since)].add(result, sign)
    return sums


def periods(day: dt.date | None) -> Iterator[tuple[Tally.Period, dt.date]]:
    """The periods a business day belongs to."""
    yield Tally.Period.ALL, ALL_TIME
    if day is not None:
        yield Tally.Period.MONTH, day.replace(day=1)
        yield Tally.Period.DAY, day


def _apply(block: Block, audience: Audience, version: int, sums: Sums) -> None:
    """Add the sums to the rows there are; rows left without a game go."""
    there = _rows(block, audience, sums)
    new, changed, empty = [], [], []
    for key, change in sums.items():
        row = there.get(key)
        if row is None:
            row = Tally(
                block=block, audience=audience, entrant_id=key.entrant, period=key.period, since=key.since,
                games=0, points=0, totals={}, best_score=change.best_score or 0,
            )  # fmt: skip
            new.append(row)
        else:
            changed.append(row)
        _add(row, change, version)
        if says_nothing(row):
            empty.append(row)
    Tally.objects.bulk_create([row for row in new if not says_nothing(row)])
    Tally.objects.bulk_update([row for row in changed if not says_nothing(row)], CHANGING, batch_size=500)
    Tally.objects.filter(pk__in=[row.pk for row in empty if row.pk]).delete()


def says_nothing(row: Tally) -> bool:
    """No game and no amount."""
    return row.games == 0 and not any(row.totals.values())


CHANGING = (
    "games", "firsts", "seconds", "thirds", "fourths", "points", "totals", "busts", "best_score", "computed_version",
)  # fmt: skip


def _rows(block: Block, audience: Audience, sums: Sums) -> dict[Key, Tally]:
    """The tallies there are for these keys, in a few queries."""
    entrants = {key.entrant for key in sums}
    found: dict[Key, Tally] = {}
    for period, since in {(key.period, key.since) for key in sums}:
        own = Tally.objects.filter(block=block, audience=audience, period=period, since=since)
        rows = own.filter(entrant__in=entrants) if len(entrants) <= MANY else own
        found |= {Key(row.entrant_id, period, since): row for row in rows}
    return found


MANY = 500
"""More entrants than this are not listed in a query; all rows of the period are read."""


def _add(row: Tally, change: Sum, version: int) -> None:
    row.games += change.games
    row.firsts += change.places[1]
    row.seconds += change.places[2]
    row.thirds += change.places[3]
    row.fourths += change.places[4]
    row.points += change.points
    row.busts += change.busts
    row.totals = {
        ledger: row.totals.get(ledger, 0) + change.totals[ledger] for ledger in {**row.totals, **change.totals}
    }
    row.computed_version = version
    if row.best_score in change.lost_scores:
        row.best_score = _best_score(row, version)
    if change.best_score is not None and change.best_score > row.best_score:
        row.best_score = change.best_score


def _best_score(row: Tally, version: int) -> int:
    """The highest score among an entrant's own results, looked up again when it may have been taken off."""
    reader = Reader(row.block.competition, Audience(row.audience), version)
    entrants = [row.entrant_id, *Entrant.objects.filter(merged_into=row.entrant_id).values_list("pk", flat=True)]
    rows = reader.seat_results().filter(block=row.block, entrant__in=entrants)
    best = _within(rows, row).aggregate(best=Max("final_score"))["best"]
    return int(best) if best is not None else 0


def _within(rows: QuerySet[SeatResult], row: Tally) -> QuerySet[SeatResult]:
    """The results of the tally's period."""
    day = "sheet__hanchan__table_session__session__day"
    if row.period == Tally.Period.DAY:
        return rows.filter(**{day: row.since})
    if row.period == Tally.Period.MONTH:
        return rows.filter(**{f"{day}__year": row.since.year, f"{day}__month": row.since.month})
    return rows


def _fold_duplicates(block: Block, audience: Audience, version: int) -> None:
    """Tallies of entrants entered twice go into those of the entrant they count for."""
    duplicates = list(kept_entrants(block))
    for row in Tally.objects.filter(block=block, audience=audience, entrant__in=duplicates).order_by():
        change = Sum(row.games, Counter(), row.points, Counter(row.totals), row.busts, row.best_score)
        change.places.update(dict(zip((1, 2, 3, 4), row.places, strict=True)))
        keeper = row.entrant.merged_into_id
        if keeper is not None:
            _apply(block, audience, version, {Key(keeper, Tally.Period(row.period), row.since): change})
        row.delete()
