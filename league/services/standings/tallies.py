"""Tallies of open tables, updated incrementally: add new results, subtract those that no longer count.

Between two published versions some sheets began to count and some ceased to. Their difference, summed by entrant
and period, is all that has to be written, so that the cost does not depend on the number of games played before.
Each version is published once, under the competition's lock, so that nothing is counted twice.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Max, QuerySet

from league.models import Adjustment, Audience, Block, Change, Entrant, ResultSheet, SeatResult, SittingAmount, Tally
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.tally_sums import (
    ALL_TIME,
    DAY,
    GAME,
    Amount,
    Key,
    SeatGame,
    Total,
    games_in_days,
    games_without_day,
    kept_entrants,
    last_of_month,
    months_played,
    periods,
    total_of,
)

VISIBILITY = ("table_session.released", "table_session.held_back")
"""Kinds of changes that alter the set of older results known to the public."""

Sums = Mapping[Key, Total]


def update_tallies(block: Block, audience: Audience, before: int, version: int) -> None:
    """Update an open block's tallies from one published version to the next.

    Where a release or a new embargo changes which older results the public knows, its tallies are rebuilt.
    """
    reader = Reader(block.competition, audience, version)
    if before == 0 or (audience == Audience.PUBLIC and _visibility_changed(block, before, version)):
        Tally.objects.filter(block=block, audience=audience).delete()
        for period, since, totals in totals_by_period(reader, block):
            _add_to(block, audience, version, (period, since), totals)
    else:
        games, amounts = _difference(reader, block, before), _amounts(reader, block, before)
        _apply(block, audience, version, sum_by_entrant(games, amounts, kept_entrants(block.competition_id)))
    _fold_duplicates(block, audience, version)


def rebuilt_tallies(reader: Reader, block: Block) -> Sums:
    """Return an open block's tallies computed from all results, without using stored tallies."""
    return {
        Key(entrant, period, since): total
        for period, since, totals in totals_by_period(reader, block)
        for entrant, total in totals.items()
    }


Totals = Mapping[int, Total]
"""Totals by entrant id."""


def totals_by_period(reader: Reader, block: Block) -> Iterator[tuple[Tally.Period, dt.date, Totals]]:
    """Yield the totals of each period, computed from all results: month by month, and all time last."""
    kept = kept_entrants(block.competition_id)
    amounts: defaultdict[dt.date | None, list[Amount]] = defaultdict(list)
    for amount in _amounts(reader, block, 0):
        amounts[amount.day and amount.day.replace(day=1)].append(amount)
    whole: defaultdict[int, Total] = defaultdict(Total)
    for month in (*months_played(block), None):
        totals: defaultdict[int, Total] = defaultdict(Total)
        for entrant, total in _games_of(reader, block, month):
            totals[kept.get(entrant, entrant)].merge(total)
        for amount in amounts[month]:
            totals[kept.get(amount.entrant, amount.entrant)].add_amount(amount)
        for entrant, total in totals.items():
            whole[entrant].merge(total)
        if month is not None:
            yield Tally.Period.MONTH, month, totals
    yield Tally.Period.ALL, ALL_TIME, whole


def _games_of(reader: Reader, block: Block, month: dt.date | None) -> Iterator[tuple[int, Total]]:
    return (
        games_without_day(reader, block) if month is None else games_in_days(reader, block, month, last_of_month(month))
    )


def _visibility_changed(block: Block, before: int, version: int) -> bool:
    return Change.objects.filter(
        competition=block.competition_id, n__gt=before, n__lte=version, kind__in=VISIBILITY
    ).exists()


def _difference(reader: Reader, block: Block, before: int) -> Iterator[tuple[SeatGame, int]]:
    """Yield every result that began to count after `before` with 1, and every one that ceased to with -1."""
    rows = SeatResult.objects.order_by()
    if not reader.is_staff:
        rows = rows.filter(sheet__hanchan__table_session__is_released=True)
    window = {"confirmed_n__gt": before, "confirmed_n__lte": reader.version}
    began = ResultSheet.objects.filter(**window).exclude(ended_n__lte=reader.version)
    yield from ((row, 1) for row in _of_sheets(block, rows, began))
    ceased = ResultSheet.objects.filter(confirmed_n__lte=before, ended_n__gt=before, ended_n__lte=reader.version)
    yield from ((row, -1) for row in _of_sheets(block, rows, ceased))


def _of_sheets(block: Block, rows: QuerySet[SeatResult], sheets: QuerySet[ResultSheet]) -> Iterator[SeatGame]:
    """Yield the rows of these few sheets, looked up by their ids, so that the cost does not grow with the table.

    Change numbers are per competition, so some sheets may be another's and are dropped here; not in the query,
    because SQLite would then read a whole block instead of looking up several sheets.
    """
    ids = list(sheets.order_by().values_list("pk", flat=True))
    for start in range(0, len(ids), MANY):
        found = rows.filter(sheet__in=ids[start : start + MANY]).values_list("block", *GAME)
        yield from (SeatGame(*row) for of, *row in found if of == block.pk)


def _amounts(reader: Reader, block: Block, before: int) -> Iterator[Amount]:
    """Yield the adjustments, and chips counted once per sitting, that were added or removed after `before`."""
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


def _came_and_went(rows: QuerySet[Any, Any], version: int, before: int) -> Iterator[tuple[Any, ...]]:
    """Yield rows made after `before` with a leading 1, and rows ended after it with a leading -1.

    Few rows change: they are looked up by change number first and then by id, so that the cost does not grow with
    the table.
    """
    if not before:
        came = rows.order_by().filter(made_n__lte=version).exclude(ended_n__lte=version)
        yield from ((1, *row) for row in came)
        return
    every = rows.model.objects.order_by()
    made = every.filter(made_n__gt=before, made_n__lte=version).exclude(ended_n__lte=version)
    ended = every.filter(made_n__lte=before, ended_n__gt=before, ended_n__lte=version)
    for sign, changed in ((1, made), (-1, ended)):
        found = rows.order_by().filter(pk__in=list(changed.values_list("pk", flat=True)))
        yield from ((sign, *row) for row in found)


def sum_by_entrant(results: Iterable[tuple[SeatGame, int]], amounts: Iterable[Amount], kept: Mapping[int, int]) -> Sums:
    """Return results and amounts added up by entrant and period; one with an unknown day counts for all time only."""
    sums: defaultdict[Key, Total] = defaultdict(Total)
    _add_amounts(sums, amounts, kept)
    for result, sign in results:
        entrant = kept.get(result.entrant, result.entrant)
        for period, since in periods(result.day):
            sums[Key(entrant, period, since)].add(result, sign)
    return sums


def _add_amounts(sums: defaultdict[Key, Total], amounts: Iterable[Amount], kept: Mapping[int, int]) -> None:
    for amount in amounts:
        entrant = kept.get(amount.entrant, amount.entrant)
        for period, since in periods(amount.day):
            sums[Key(entrant, period, since)].add_amount(amount)


def _apply(block: Block, audience: Audience, version: int, sums: Sums) -> None:
    """Add the sums to the stored rows, one period after the other; rows left without a game are deleted."""
    by_period: defaultdict[tuple[Tally.Period, dt.date], dict[int, Total]] = defaultdict(dict)
    for key, change in sums.items():
        by_period[key.period, key.since][key.entrant] = change
    for when, changes in by_period.items():
        _add_to(block, audience, version, when, changes)


def _add_to(
    block: Block, audience: Audience, version: int, when: tuple[Tally.Period, dt.date], changes: Totals
) -> None:
    """Add the changes of one period to its rows."""
    whose = {"block": block, "audience": audience, "period": when[0], "since": when[1]}
    own = Tally.objects.filter(**whose).order_by()
    there = {row.entrant_id: row for row in (own.filter(entrant__in=changes) if len(changes) <= MANY else own)}
    new: list[Tally] = []
    changed: list[Tally] = []
    empty: list[Tally] = []
    for entrant, change in changes.items():
        row = there.get(entrant)
        kept = new if row is None else changed
        row = row or Tally(**whose, entrant_id=entrant, games=0, points=0, totals={}, best_score=change.best_score or 0)
        _add(row, change, version)
        (empty if says_nothing(row) else kept).append(row)
    Tally.objects.bulk_create(new, batch_size=500)
    Tally.objects.bulk_update(changed, CHANGING, batch_size=500)
    Tally.objects.filter(pk__in=[row.pk for row in empty if row.pk]).delete()


def says_nothing(row: Tally) -> bool:
    """Return True if the row has no game and no amount."""
    return row.games == 0 and not any(row.totals.values())


CHANGING = (
    "games", "firsts", "seconds", "thirds", "fourths", "points", "totals", "busts", "best_score", "computed_version",
)  # fmt: skip


MANY = 500
"""The most entrants listed in one query; with more, all rows of the period are read."""


def _add(row: Tally, change: Total, version: int) -> None:
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
    # A maximum cannot be subtracted: only when the best score itself was removed are the results read again.
    if row.best_score in change.lost_scores:
        row.best_score = _best_score(row, version)
    if change.best_score is not None and change.best_score > row.best_score:
        row.best_score = change.best_score


def _best_score(row: Tally, version: int) -> int:
    """Query the highest score among an entrant's results of the period, after it may have been removed."""
    reader = Reader(row.block.competition, Audience(row.audience), version)
    entrants = [row.entrant_id, *Entrant.objects.filter(merged_into=row.entrant_id).values_list("pk", flat=True)]
    rows = reader.seat_results(block=row.block, entrant__in=entrants)
    best = _within(rows, row).aggregate(best=Max("final_score"))["best"]
    return int(best) if best is not None else 0


def _within(rows: QuerySet[SeatResult], row: Tally) -> QuerySet[SeatResult]:
    """Return the results of the tally's period."""
    if row.period == Tally.Period.MONTH:
        return rows.filter(**{f"{DAY}__year": row.since.year, f"{DAY}__month": row.since.month})
    return rows


def _fold_duplicates(block: Block, audience: Audience, version: int) -> None:
    """Merge tallies of duplicate entrants into those of the entrant they count for."""
    duplicates = list(kept_entrants(block.competition_id))
    for row in Tally.objects.filter(block=block, audience=audience, entrant__in=duplicates).order_by():
        keeper = row.entrant.merged_into_id
        if keeper is not None:
            _apply(block, audience, version, {Key(keeper, Tally.Period(row.period), row.since): total_of(row)})
        row.delete()
