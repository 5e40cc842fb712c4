"""Records of a competition (記録): their holders, and the hanchan in which they were set.

Records are computed in playing order from the results visible to the reader. A substitute's results count for
the entrant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from league.models import Entrant, Hanchan
from league.selectors.access.readers import Reader
from league.selectors.standings.published import standings_of

MOST_HOLDERS = 3
"""At most this many holders of a shared record are named."""


class RecordKind(StrEnum):
    """The kinds of records."""

    HIGHEST_SCORE = "highest_score"
    """Most table points at the end of a hanchan."""
    MOST_POINTS = "most_points"
    """Most points of the ranking ledger from one hanchan."""
    MOST_LOST = "most_lost"
    """Most points lost in one hanchan."""
    MOST_FIRSTS = "most_firsts"
    """Most hanchan won."""
    FIRSTS_IN_A_ROW = "firsts_in_a_row"
    """Longest run of wins."""
    NOT_LAST_IN_A_ROW = "not_last_in_a_row"
    """Longest run without a last place."""
    COMEBACK = "comeback"
    """Largest gap to the block's leader of an entrant that later led the block alone."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat's result."""

    block: int
    number: int
    """The hanchan's number in the block."""
    hanchan: int
    entrant: int
    place: int
    score: int
    points: int


@dataclass(frozen=True, slots=True)
class Feat:
    """A candidate for a record: the value, the hanchan that reached it, and for a run its first hanchan."""

    entrant: int
    value: int
    hanchan: int
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """An entrant that holds a record."""

    entrant: Entrant
    hanchan: Hanchan
    since: Hanchan | None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record with its first holders, and the number of further ones."""

    kind: RecordKind
    value: int
    holders: tuple[Holder, ...]
    more: int


def records_of(reader: Reader, players: int) -> tuple[RecordLine, ...]:
    """Return every record in a fixed number of queries; `players` is the number of players at a table."""
    results = results_in_order(reader)
    outside = {(row.block_id, row.entrant_id): row.carried + row.adjustment for row in standings_of(reader)}
    kinds: dict[RecordKind, Callable[[], list[Feat]]] = {
        RecordKind.HIGHEST_SCORE: lambda: [Feat(row.entrant, row.score, row.hanchan) for row in results],
        RecordKind.MOST_POINTS: lambda: [Feat(row.entrant, row.points, row.hanchan) for row in results],
        RecordKind.MOST_LOST: lambda: [Feat(row.entrant, -row.points, row.hanchan) for row in results],
        RecordKind.MOST_FIRSTS: lambda: count_wins(results),
        RecordKind.FIRSTS_IN_A_ROW: lambda: list(runs(results, lambda row: row.place == 1)),
        RecordKind.NOT_LAST_IN_A_ROW: lambda: list(runs(results, lambda row: row.place < players)),
        RecordKind.COMEBACK: lambda: list(comebacks(results, outside)),
    }
    found = {kind: best_of(make()) for kind, make in kinds.items()}
    return tuple(record_lines(reader, {kind: feats for kind, feats in found.items() if feats}))


def results_in_order(reader: Reader) -> list[SeatRecord]:
    """Return every seat's result in playing order."""
    rows = (
        reader.seat_results()
        .order_by(
            "sheet__hanchan__table_session__session__number",
            "block__stage__order",
            "sheet__hanchan__number",
            "sheet__hanchan",
            "seat",
        )
        .values_list("block", "sheet__hanchan__number", "sheet__hanchan", "entrant", "place", "final_score", "points")
    )
    return [SeatRecord(*row) for row in rows]


def best_of(feats: Sequence[Feat]) -> list[Feat]:
    """Return the best feats, one per entrant, the earliest first; values below 1 are no record."""
    most = max((feat.value for feat in feats), default=0)
    level: dict[int, Feat] = {}
    for feat in feats:
        if feat.value == most > 0:
            level.setdefault(feat.entrant, feat)
    return list(level.values())


def count_wins(results: Sequence[SeatRecord]) -> list[Feat]:
    """Return each entrant's number of wins, with the hanchan of the last one."""
    found: dict[int, Feat] = {}
    for row in results:
        if row.place == 1:
            before = found.get(row.entrant)
            found[row.entrant] = Feat(row.entrant, before.value + 1 if before else 1, row.hanchan)
    return list(found.values())


def runs(results: Sequence[SeatRecord], holds: Callable[[SeatRecord], bool]) -> Iterator[Feat]:
    """Yield every run of two or more hanchan of one entrant in which `holds` was true each time."""
    by_entrant: defaultdict[int, list[SeatRecord]] = defaultdict(list)
    for row in results:
        by_entrant[row.entrant].append(row)
    for entrant, own in by_entrant.items():
        for is_held, stretch in groupby(own, key=holds):
            rows = list(stretch)
            if is_held and len(rows) > 1:
                yield Feat(entrant, len(rows), rows[-1].hanchan, rows[0].hanchan)


def comebacks(results: Sequence[SeatRecord], outside: Mapping[tuple[int, int], int]) -> Iterator[Feat]:
    """Yield for each sole lead of a block how far behind its first place the entrant had been before.

    Totals are compared after each number of the block's hanchan; points carried over and adjustments (`outside`)
    count from the start, as in the charts.
    """
    by_block: defaultdict[int, list[SeatRecord]] = defaultdict(list)
    for row in results:
        by_block[row.block].append(row)
    for block, rows in by_block.items():
        totals = {row.entrant: outside.get((block, row.entrant), 0) for row in rows}
        behind: dict[int, tuple[int, int]] = {}
        for _number, games in groupby(sorted(rows, key=lambda row: row.number), key=lambda row: row.number):
            played = {row.entrant: row for row in games}
            for row in played.values():
                totals[row.entrant] += row.points
            first = max(totals.values())
            leaders = [entrant for entrant, total in totals.items() if total == first]
            if len(leaders) == 1 and leaders[0] in behind and leaders[0] in played:
                most, since = behind[leaders[0]]
                yield Feat(leaders[0], most, played[leaders[0]].hanchan, since)
            for entrant, row in played.items():
                gap = first - totals[entrant]
                if gap > behind.get(entrant, (0, 0))[0]:
                    behind[entrant] = (gap, row.hanchan)


def record_lines(reader: Reader, found: dict[RecordKind, list[Feat]]) -> Iterator[RecordLine]:
    """Yield the records with their entrants and hanchan."""
    named = [feat for feats in found.values() for feat in feats[:MOST_HOLDERS]]
    people = Entrant.objects.select_related("player").in_bulk({feat.entrant for feat in named})
    games = (
        reader.hanchan()
        .select_related("table_session__session", "block")
        .in_bulk({key for feat in named for key in (feat.hanchan, feat.since) if key})
    )
    for kind, feats in found.items():
        holders = tuple(
            Holder(people[feat.entrant], games[feat.hanchan], games[feat.since] if feat.since else None)
            for feat in feats[:MOST_HOLDERS]
        )
        yield RecordLine(kind, feats[0].value, holders, max(0, len(feats) - MOST_HOLDERS))
