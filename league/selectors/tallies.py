"""The running table of an open table: who has played how much and how well, in a day, a month, or altogether.

It is read page by page along its own order. A page begins behind the last line of the page before (a cursor), never
at a counted offset, so that it takes the same time whatever stands before it; all pages of a reading are of one
published version, and a cursor of another version is refused.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When

from league.models import Block, Competition, Standing, Tally
from league.selectors.readers import Reader

PAGE = 50
MOST = 200
PARTS = 1_000_000
"""Rates and averages are ordered as whole numbers of millionths."""


class Order(StrEnum):
    """By what the running table is ordered, the best first."""

    POINTS = "points"
    """Most points in the ledger that ranks."""
    GAMES = "games"
    """Most games."""
    AVERAGE_PLACE = "average_place"
    """The lowest average place."""
    FIRSTS = "firsts"
    """The highest share of firsts (トップ率)."""
    FIRST_OR_SECOND = "first_or_second"
    """The highest share of firsts and seconds (連対率)."""
    NOT_LAST = "not_last"
    """The lowest share of lasts (ラス回避率)."""
    BEST_SCORE = "best_score"
    """The highest final score."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which table is asked for; `minimum` is the number of games needed to stand in it (規定打数)."""

    period: Tally.Period = Tally.Period.ALL
    since: dt.date | None = None
    order: Order = Order.POINTS
    minimum: int = 1
    size: int = PAGE
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `rank` is shared by those level in what is ordered by."""

    rank: int
    tally: Tally

    @property
    def average_place(self) -> tuple[int, int]:
        """Sum of places and number of games."""
        return sum(place * count for place, count in enumerate(self.tally.places, start=1)), self.tally.games


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A page of the table; `after` leads to the next, empty on the last."""

    version: int
    lines: tuple[Line, ...]
    after: str
    entrants: int
    """How many stand in the whole table."""


class StaleCursorError(Exception):
    """The cursor belongs to another published version, or to no table at all."""


def running_table(reader: Reader, block: Block, wanted: Wanted, last_place: int) -> RunningTable:
    """A page of an open block's table. Raise StaleCursorError if the cursor is of another version.

    The public sees guests who opted in and nobody else, whatever is asked for.
    """
    rows = _rows(reader, block, wanted).annotate(key=_key(wanted.order, last_place))
    ahead, behind = _place_of(reader, wanted.cursor), rows
    if ahead:
        behind = rows.filter(Q(key__lt=ahead[0]) | Q(key=ahead[0], entrant__gt=ahead[1]))
    size = min(max(wanted.size, 1), MOST)
    page = list(behind.select_related("entrant__player").order_by("-key", "entrant")[: size + 1])
    shown, more = page[:size], len(page) > size
    return RunningTable(
        version=reader.version,
        lines=tuple(_lines(rows, shown)),
        after=_cursor(reader, shown[-1]) if more else "",
        entrants=rows.count(),
    )


def top_of(reader: Reader, block: Block) -> tuple[Standing, ...]:
    """The head of the table of all time, as lines of a block's standing; these rows are not stored."""
    page = running_table(reader, block, Wanted(size=MOST), last_place=LAST_OF_THREE)
    levels = Counter(line.rank for line in page.lines)
    return tuple(
        Standing(
            block=block,
            audience=reader.audience,
            computed_version=line.tally.computed_version,
            entrant=line.tally.entrant,
            position=position,
            rank=line.rank,
            is_tied=levels[line.rank] > 1,
            total=line.tally.points,
            played=line.tally.games,
            places=list(line.tally.places),
        )
        for position, line in enumerate(page.lines, start=1)
    )


def _rows(reader: Reader, block: Block, wanted: Wanted) -> QuerySet[Any]:
    since = {} if wanted.since is None else {"since": wanted.since}
    rows = Tally.objects.filter(block=block, audience=reader.audience, period=wanted.period, **since)
    rows = rows.filter(games__gte=max(wanted.minimum, 1))
    if reader.competition.kind == Competition.Kind.OPEN and not reader.is_staff:
        rows = rows.filter(entrant__player__is_public=True, entrant__player__erased_at=None).exclude(
            entrant__player__handle=""
        )
    return rows


def _key(order: Order, last_place: int) -> Any:
    """What is ordered by, as a whole number, more being better."""
    last = F("thirds") if last_place == LAST_OF_THREE else F("fourths")
    places = F("firsts") + 2 * F("seconds") + 3 * F("thirds") + 4 * F("fourths")
    return {
        Order.POINTS: F("points"),
        Order.GAMES: F("games"),
        Order.AVERAGE_PLACE: -_share(places),
        Order.FIRSTS: _share(F("firsts")),
        Order.FIRST_OR_SECOND: _share(F("firsts") + F("seconds")),
        Order.NOT_LAST: -_share(last),
        Order.BEST_SCORE: F("best_score"),
    }[order]


LAST_OF_THREE = 3


def _share(of: Any) -> Any:
    """A number by games, in millionths, rounded down; both databases divide whole numbers alike."""
    return Case(
        When(games=0, then=Value(0)), default=of * Value(PARTS, BigIntegerField()) / F("games"),
        output_field=BigIntegerField(),
    )  # fmt: skip


def _lines(rows: QuerySet[Any], shown: Sequence[Any]) -> list[Line]:
    """Lines with their ranks: one more than there are better ones."""
    if not shown:
        return []
    first = shown[0].key
    rank = rows.filter(key__gt=first).count() + 1
    position = rank + rows.filter(key=first, entrant__lt=shown[0].entrant_id).count()
    lines: list[Line] = []
    for offset, row in enumerate(shown):
        if offset and row.key != shown[offset - 1].key:
            rank = position + offset
        lines.append(Line(rank, row))
    return lines


def _cursor(reader: Reader, last: Any) -> str:
    """Where the next page begins, as clients hand it back."""
    text = json.dumps([reader.version, last.key, last.entrant_id])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place_of(reader: Reader, cursor: str) -> tuple[int, int] | None:
    """The key and entrant a cursor stands for."""
    if not cursor:
        return None
    try:
        version, key, entrant = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place = int(key), int(entrant)
    except (ValueError, TypeError, binascii.Error, UnicodeDecodeError) as error:
        raise StaleCursorError from error
    if version != reader.version:
        raise StaleCursorError
    return place
