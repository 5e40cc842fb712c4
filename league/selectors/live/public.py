"""A table followed hand by hand as an audience may see it: the public late by the competition's delay.

Whoever may see what is held back sees the table as it stands. A table that is held back is invisible to the public
here as everywhere: the reader's hanchan are where every way in begins.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone

from league.models import Hanchan, HanchanSeat, ResultSheet, SeatResult, Standing, TableEvent
from league.selectors.access.readers import Reader
from league.selectors.live.log import TableLog, log_behind, log_of
from league.selectors.live.seats import seats_of, settled_now
from league.selectors.standings.published import standings_of
from scoring.settlement import Settlement


@dataclass(frozen=True)
class Live:
    """A hanchan with its log as far as the reader may follow it."""

    reader: Reader
    log: TableLog
    sheet: ResultSheet | None
    """The result that counts at the version read."""

    @cached_property
    def seats(self) -> Sequence[HanchanSeat]:
        """Who sits where."""
        return seats_of(self.log.hanchan)

    @property
    def has_log(self) -> bool:
        """Return whether a score sheet was begun, as far as the reader knows, and each of its seats is taken."""
        return self.log.is_followed and len(self.seats) == self.log.rules.players

    @property
    def typed(self) -> ResultSheet | None:
        """Return the result that counts if it was typed; the log then has hands that end before it."""
        return None if self.sheet is None or self.sheet.made_from_sequence is not None else self.sheet

    @property
    def is_followed(self) -> bool:
        """Return whether the log tells how the table stands: it was begun, and no typed result took its place."""
        return self.has_log and self.typed is None

    @property
    def is_running(self) -> bool:
        """Followed, and its result does not count yet."""
        return self.is_followed and self.sheet is None

    @cached_property
    def typed_seats(self) -> Sequence[SeatResult]:
        """Return the seats of a typed result that counts; none where the result was made from the log."""
        return list(self.typed.seats.select_related("entrant__player", "player").order_by("seat")) if self.typed else ()

    @cached_property
    def settlement(self) -> Settlement:
        """What the game would settle to if it ended as it stands."""
        return settled_now(self.log.state, self.log.rules)

    @cached_property
    def standings(self) -> Mapping[int, Standing]:
        """The published line of each player at the table, without this game while it is running."""
        people = {seat.entrant_id for seat in self.typed_seats or self.seats}
        rows = standings_of(self.reader, blocks=[self.log.hanchan.block])
        return {row.entrant_id: row for row in rows if row.entrant_id in people}


def live_of(reader: Reader, hanchan: Hanchan) -> Live:
    """The hanchan, which is one of the reader's, with its block and rules fetched along."""
    sheet = reader.sheets().filter(hanchan=hanchan).select_related("rules__ruleset").first()
    return Live(reader, known_log(reader, hanchan, sheet), sheet)


def known_log(reader: Reader, hanchan: Hanchan, sheet: ResultSheet | None) -> TableLog:
    """The log as far as the reader may know it; `sheet` is the result that counts.

    A correction being written is the staff's business until its result counts.
    """
    if sheet is not None and not reader.is_staff:
        return log_behind(sheet, hanchan)
    return log_of(hanchan, known_until(reader, is_over=sheet is not None))


def known_until(reader: Reader, *, is_over: bool = False) -> dt.datetime | None:
    """Up to which moment the reader knows what happened at a table; None for now."""
    delay = reader.competition.live_delay
    if reader.is_staff or is_over or not delay:
        return None
    return timezone.now() - dt.timedelta(minutes=delay)


def live_state(reader: Reader, hanchan: Hanchan) -> list[object]:
    """What a live document is made of beside the published version, in a few columns."""
    is_over = reader.sheets().filter(hanchan=hanchan).exists()
    until = known_until(reader, is_over=is_over)
    events = TableEvent.objects.filter(hanchan=hanchan)
    if until is not None:
        events = events.filter(at__lte=until)
    newest = events.order_by("-sequence").values_list("sequence", flat=True).first()
    return [newest, is_over, hanchan.state, reader.competition.advice, reader.competition.live_delay]
