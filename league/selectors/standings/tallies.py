"""The running table of an open table: games and rates of each entrant, for a span of days or all time.

It is paginated by a cursor, never by an offset: a page begins behind the last line of the previous one, so it
takes the same time however far down it is. All pages belong to one published version; a cursor of another
version is refused.

All time and single months are stored as tallies. Any other span is summed from the months within it and from
the games of the remaining days, which are few.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable

from league.models import Block, Competition, Entrant, Standing, Tally
from league.selectors.access.readers import Reader
from league.selectors.standings.tally_sums import (
    ALL_TIME,
    Total,
    amounts_in_days,
    games_in_days,
    kept_entrants,
    last_of_month,
    total_of,
)

END_OF_TIME = dt.date(9998, 12, 31)
ONE_DAY = dt.timedelta(days=1)
PAGE = 50
MOST = 200
LARGEST_KEY = 2**63 - 1
PARTS = 1_000_000
"""Rates and averages are sorted as whole numbers of millionths."""


class Order(StrEnum):
    """The sort order of the running table, best first."""

    POINTS = "points"
    """Most points in the ranking ledger."""
    GAMES = "games"
    """Most games."""
    AVERAGE_PLACE = "average_place"
    """Lowest average place."""
    FIRSTS = "firsts"
    """Highest share of firsts (トップ率)."""
    FIRST_OR_SECOND = "first_or_second"
    """Highest share of firsts and seconds (連対率)."""
    NOT_LAST = "not_last"
    """Lowest share of lasts (ラス回避率)."""
    BEST_SCORE = "best_score"
    """Highest final score."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parameters of a query; `minimum` is the number of games needed to be listed (規定打数)."""

    since: dt.date | None = None
    """The first day; None for the beginning."""
    until: dt.date | None = None
    """The last day; None for the end."""
    order: Order = Order.POINTS
    minimum: int = 1
    size: int = PAGE
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class TallyLine:
    """One line; `rank` is shared by lines with equal sort keys."""

    rank: int
    tally: Tally

    @property
    def average_place(self) -> tuple[int, int]:
        """Return the sum of places and the number of games."""
        return sum(place * count for place, count in enumerate(self.tally.places, start=1)), self.tally.games


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A page of the table; `after` is the cursor of the next page, empty on the last."""

    version: int
    lines: tuple[TallyLine, ...]
    after: str
    entrants: int
    """Number of lines in the whole table."""


class StaleCursorError(Exception):
    """Raised for a cursor that belongs to another published version, or is malformed."""


def running_table(reader: Reader, block: Block, wanted: Wanted, last_place: int) -> RunningTable:
    """Return a page of an open block's table; raise StaleCursorError if the cursor is of another version.

    The public sees only guests that opted in, whatever the parameters.
    """
    ahead = _place_of(reader, wanted.cursor)
    rows = _stored(reader, block, wanted, last_place)
    if rows is None:
        return _page_of_added(reader, _added(reader, block, wanted, last_place), wanted, ahead)
    behind = rows.filter(Q(key__lt=ahead[0]) | Q(key=ahead[0], entrant__gt=ahead[1])) if ahead else rows
    size = _size(wanted)
    # One row more than the page shows whether there is a next page.
    page = list(behind.select_related("entrant__player").order_by("-key", "entrant")[: size + 1])
    shown, more = page[:size], len(page) > size
    return RunningTable(
        version=reader.shown_version,
        lines=tuple(_lines(rows, shown)),
        after=_cursor(reader, shown[-1]) if more else "",
        entrants=rows.count(),
    )


def _size(wanted: Wanted) -> int:
    return min(max(wanted.size, 1), MOST)


def top_of(reader: Reader, block: Block) -> tuple[Standing, ...]:
    """Return the head of the all-time table as unsaved standings of the block."""
    page = running_table(reader, block, Wanted(size=MOST), last_place=LAST_OF_THREE)
    levels = Counter(line.rank for line in page.lines)
    return tuple(
        _standing(reader, block, line, position, is_tied=levels[line.rank] > 1)
        for position, line in enumerate(page.lines, start=1)
    )


def standing_in(reader: Reader, block: Block, entrant: Entrant) -> Standing | None:
    """Return an entrant's line in the all-time table as an unsaved standing; None without a game."""
    rows = _stored(reader, block, Wanted(), LAST_OF_THREE)
    own = rows.filter(entrant=entrant).select_related("entrant__player").first() if rows is not None else None
    if rows is None or own is None:
        return None
    [line] = _lines(rows, [own])
    level = rows.filter(key=own.key)
    position = line.rank + level.filter(entrant__lt=entrant).count()
    return _standing(reader, block, line, position, is_tied=level.count() > 1)


def _standing(reader: Reader, block: Block, line: TallyLine, position: int, *, is_tied: bool) -> Standing:
    return Standing(
        block=block,
        audience=reader.audience,
        computed_version=line.tally.computed_version,
        entrant=line.tally.entrant,
        position=position,
        rank=line.rank,
        is_tied=is_tied,
        total=line.tally.points,
        played=line.tally.games,
        places=list(line.tally.places),
    )


def month_of(since: dt.date | None, until: dt.date | None) -> dt.date | None:
    """Return the first day of the month if the span is one whole month, else None."""
    if since is None or until is None or since.day != 1:
        return None
    return since if until == last_of_month(since) else None


def _stored(reader: Reader, block: Block, wanted: Wanted, last_place: int) -> QuerySet[Any] | None:
    """Return the tallies of the span annotated with their sort key; None if no tallies are stored for the span."""
    month = month_of(wanted.since, wanted.until)
    if month is None and (wanted.since, wanted.until) != (None, None):
        return None
    period = Tally.Period.ALL if month is None else Tally.Period.MONTH
    rows = Tally.objects.filter(block=block, audience=reader.audience, period=period, since=month or ALL_TIME)
    rows = rows.filter(games__gte=max(wanted.minimum, 1))
    if not _sees_all_players(reader):
        rows = rows.filter(entrant__in=_shown(Entrant.objects.all()))
    return rows.annotate(key=_key(wanted.order, last_place))


def _sees_all_players(reader: Reader) -> bool:
    return reader.is_staff or reader.competition.kind != Competition.Kind.OPEN


def _shown(rows: QuerySet[Entrant]) -> QuerySet[Entrant]:
    """Filter entrants to those that opted in to being shown."""
    return rows.filter(player__is_public=True, player__erased_at=None).exclude(player__handle="")


def _added(reader: Reader, block: Block, wanted: Wanted, last_place: int) -> list[Keyed]:
    """Return the lines of any span, summed in Python, best first."""
    since, until = max(wanted.since or ALL_TIME, ALL_TIME), min(wanted.until or END_OF_TIME, END_OF_TIME)
    totals = _totals(reader, block, since, until)
    people = Entrant.objects.filter(competition=block.competition_id).select_related("player")
    people = people if _sees_all_players(reader) else _shown(people)
    keyed = [
        Keyed(key_of(wanted.order, total, last_place), _unsaved(reader, block, entrant, total))
        for entrant in people.filter(merged_into=None).iterator(2000)
        if (total := totals.get(entrant.pk)) is not None and total.games >= max(wanted.minimum, 1)
    ]
    return sorted(keyed, key=lambda each: (-each.key, each.tally.entrant_id))


class Keyed(NamedTuple):
    """An unsaved line with its sort key."""

    key: int
    tally: Tally


def _totals(reader: Reader, block: Block, since: dt.date, until: dt.date) -> Mapping[int, Total]:
    """Return the totals of the span by entrant: whole months from tallies, remaining days from games."""
    sums: defaultdict[int, Total] = defaultdict(Total)
    months, spans = split_span(since, until)
    if months:
        first, last = months
        own = Tally.objects.filter(block=block, audience=reader.audience, period=Tally.Period.MONTH)
        for row in own.filter(since__gte=first, since__lte=last).order_by().iterator(2000):
            sums[row.entrant_id].merge(total_of(row))
    kept = kept_entrants(block.competition_id)
    for first, last in spans:
        for entrant, total in games_in_days(reader, block, first, last):
            sums[kept.get(entrant, entrant)].merge(total)
        for amount in amounts_in_days(reader, block, first, last):
            sums[kept.get(amount.entrant, amount.entrant)].add_amount(amount)
    return sums


def split_span(since: dt.date, until: dt.date) -> tuple[tuple[dt.date, dt.date] | None, list[tuple[dt.date, dt.date]]]:
    """Split a span into whole months and the remaining spans of days.

    The months are given by the first days of the first and the last one; None if the span has no whole month.
    """
    if since > until:
        return None, []
    first = since if since.day == 1 else last_of_month(since) + ONE_DAY
    last = until.replace(day=1) if until == last_of_month(until) else (until.replace(day=1) - ONE_DAY).replace(day=1)
    if first > last:
        return None, [(since, until)]
    ragged = [(since, first - ONE_DAY)] if since < first else []
    ragged += [(last_of_month(last) + ONE_DAY, until)] if until != last_of_month(last) else []
    return (first, last), ragged


def _unsaved(reader: Reader, block: Block, entrant: Entrant, total: Total) -> Tally:
    """Return a line as an unsaved tally."""
    columns = total.as_columns()
    firsts, seconds, thirds, fourths = columns["places"]
    return Tally(
        block=block, entrant=entrant, audience=reader.audience, computed_version=reader.version,
        firsts=firsts, seconds=seconds, thirds=thirds, fourths=fourths, games=columns["games"],
        points=columns["points"], totals=columns["totals"], busts=columns["busts"], best_score=columns["best_score"],
    )  # fmt: skip


def _page_of_added(
    reader: Reader, keyed: Sequence[Keyed], wanted: Wanted, ahead: tuple[int, int] | None
) -> RunningTable:
    """Return a page of lines summed in Python."""
    start = 0
    if ahead:
        # The entrant's id breaks ties of the key, so that no line is skipped or repeated between pages.
        start = bisect_right(keyed, (-ahead[0], ahead[1]), key=lambda each: (-each.key, each.tally.entrant_id))
    shown = keyed[start : start + _size(wanted)]
    lines: list[TallyLine] = []
    for each in shown:
        better = bisect_left(keyed, -each.key, key=lambda other: -other.key)
        lines.append(TallyLine(better + 1, each.tally))
    more = start + len(shown) < len(keyed)
    after = _cursor_at(reader, shown[-1].key, shown[-1].tally.entrant_id) if more else ""
    return RunningTable(reader.shown_version, tuple(lines), after, len(keyed))


def key_of(order: Order, total: Total, last_place: int) -> int:
    """Return the sort key of a total, equal to the one that `_key` computes in the database."""
    counted = {Order.POINTS: total.points, Order.GAMES: total.games, Order.BEST_SCORE: total.best_score or 0}
    if order in counted:
        return counted[order]
    places = total.places
    sign, count = {
        Order.AVERAGE_PLACE: (-1, sum(place * times for place, times in places.items())),
        Order.FIRSTS: (1, places[1]),
        Order.FIRST_OR_SECOND: (1, places[1] + places[2]),
        Order.NOT_LAST: (-1, places[last_place]),
    }[order]
    # Divide before applying the sign: Python rounds a negative quotient down, databases round it toward zero.
    return sign * (count * PARTS // total.games)


def _key(order: Order, last_place: int) -> Combinable:
    """Return the sort key as a database expression, a whole number where more is better."""
    last = F("thirds") if last_place == LAST_OF_THREE else F("fourths")
    places = F("firsts") + 2 * F("seconds") + 3 * F("thirds") + 4 * F("fourths")
    keys: dict[Order, Combinable] = {
        Order.POINTS: F("points"),
        Order.GAMES: F("games"),
        Order.AVERAGE_PLACE: -_share(places),
        Order.FIRSTS: _share(F("firsts")),
        Order.FIRST_OR_SECOND: _share(F("firsts") + F("seconds")),
        Order.NOT_LAST: -_share(last),
        Order.BEST_SCORE: F("best_score"),
    }
    return keys[order]


LAST_OF_THREE = 3


def _share(of: Combinable) -> Combinable:
    """Return a number per game in millionths, rounded down, as an expression.

    Only non-negative numbers are divided, so PostgreSQL and SQLite round alike.
    """
    return Case(
        When(games=0, then=Value(0)), default=of * Value(PARTS, BigIntegerField()) / F("games"),
        output_field=BigIntegerField(),
    )  # fmt: skip


def _lines(rows: QuerySet[Any], shown: Sequence[Any]) -> list[TallyLine]:
    """Return lines with ranks: one more than the number of lines with a better key."""
    if not shown:
        return []
    first = shown[0].key
    rank = rows.filter(key__gt=first).count() + 1
    position = rank + rows.filter(key=first, entrant__lt=shown[0].entrant_id).count()
    lines: list[TallyLine] = []
    for offset, row in enumerate(shown):
        if offset and row.key != shown[offset - 1].key:
            rank = position + offset
        lines.append(TallyLine(rank, row))
    return lines


def _cursor(reader: Reader, last: Any) -> str:
    """Return the cursor of the page behind a row."""
    return _cursor_at(reader, last.key, last.entrant_id)


def _cursor_at(reader: Reader, key: int, entrant: int) -> str:
    text = json.dumps([reader.shown_version, key, entrant])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _place_of(reader: Reader, cursor: str) -> tuple[int, int] | None:
    """Decode a cursor into key and entrant id; raise StaleCursorError if it is malformed or of another version."""
    if not cursor:
        return None
    try:
        version, key, entrant = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        place = int(key), int(entrant)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise StaleCursorError from error
    # A forged number beyond 64 bits would be an error of the database instead of a refusal.
    if version != reader.shown_version or max(map(abs, place)) > LARGEST_KEY:
        raise StaleCursorError
    return place
