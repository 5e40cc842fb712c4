"""A live table as an audience may follow it; the public sees it later by the competition's delay.

Staff readers see the present state. A table under embargo is invisible to the public here as everywhere else,
since every view starts from the reader's hanchan.
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
    """A hanchan with its log up to the moment that the reader may follow."""

    reader: Reader
    log: TableLog
    sheet: ResultSheet | None
    """The result that counts at the reader's version."""

    @cached_property
    def seats(self) -> Sequence[HanchanSeat]:
        """The planned seats, by seat number."""
        return seats_of(self.log.hanchan)

    @property
    def has_log(self) -> bool:
        """Return True if a score sheet was begun, as far as the reader knows, and every seat is taken."""
        return self.log.is_followed and len(self.seats) == self.log.rules.players

    @property
    def typed(self) -> ResultSheet | None:
        """Return the result that counts if it was typed; the recorded hands then end before it."""
        return None if self.sheet is None or self.sheet.made_from_sequence is not None else self.sheet

    @property
    def is_followed(self) -> bool:
        """Return True if the log shows the state of the table: it was begun, and no typed result replaced it."""
        return self.has_log and self.typed is None

    @property
    def is_running(self) -> bool:
        """Return True if the log is followed and its result does not count yet."""
        return self.is_followed and self.sheet is None

    @cached_property
    def typed_seats(self) -> Sequence[SeatResult]:
        """The seats of a typed result that counts; empty if the result was made from the log."""
        return list(self.typed.seats.select_related("entrant__player", "player").order_by("seat")) if self.typed else ()

    @cached_property
    def settlement(self) -> Settlement:
        """The settlement of the game if it ended in its present state."""
        return settled_now(self.log.state, self.log.rules, self.seats)

    @cached_property
    def standings(self) -> Mapping[int, Standing]:
        """The published standing of each player at the table, by entrant id; a running game is not included in it."""
        people = {seat.entrant_id for seat in self.typed_seats or self.seats}
        rows = standings_of(self.reader, blocks=[self.log.hanchan.block])
        return {row.entrant_id: row for row in rows if row.entrant_id in people}


def live_of(reader: Reader, hanchan: Hanchan) -> Live:
    """Return the live table of one of the reader's hanchan, which must come with its block and rules."""
    sheet = reader.sheets().filter(hanchan=hanchan).select_related("rules__ruleset").first()
    return Live(reader, known_log(reader, hanchan, sheet), sheet)


def known_log(reader: Reader, hanchan: Hanchan, sheet: ResultSheet | None) -> TableLog:
    """Return the log as far as the reader may know it; `sheet` is the result that counts.

    A correction in progress is visible to staff only until its result counts.
    """
    if sheet is not None and not reader.is_staff:
        return log_behind(sheet, hanchan)
    return log_of(hanchan, known_until(reader, is_over=sheet is not None))


def known_until(reader: Reader, *, is_over: bool = False) -> dt.datetime | None:
    """Return the moment up to which the reader may follow a table; None if there is no delay."""
    delay = reader.competition.live_delay
    if reader.is_staff or is_over or not delay:
        return None
    return timezone.now() - dt.timedelta(minutes=delay)


def live_state(reader: Reader, hanchan: Hanchan) -> list[object]:
    """Return the inputs of a live document other than the published version, for its ETag."""
    is_over = reader.sheets().filter(hanchan=hanchan).exists()
    until = known_until(reader, is_over=is_over)
    events = TableEvent.objects.filter(hanchan=hanchan)
    if until is not None:
        # The delay moves with the clock: the ETag follows the newest event already visible, not the newest written.
        events = events.filter(at__lte=until)
    newest = events.order_by("-sequence").values_list("sequence", flat=True).first()
    return [newest, is_over, hanchan.state, reader.competition.advice, reader.competition.live_delay]
