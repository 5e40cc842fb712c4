"""Changes of chairs in mid-sitting: two guests swap, or a guest moves to an empty chair of this or another table.

The row of the chair before is ended and a new one begins, so that games played before keep their seats. A guest keeps
the time of sitting down, the stand-in and the marks.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Sitting, SittingSeat
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import Running, running
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import (
    lock_open_table,
    note,
    refuse_closed_day,
    refuse_during_followed_game,
    reload_open_sitting,
)
from league.services.parlour.leaving import refuse_left_before, stand_up
from league.services.parlour.people import enter_guest
from league.services.parlour.sittings import seat_moved, taken_chair


@all_or_nothing
def swap_guests(*, one: SittingSeat, other: SittingSeat, by: Actor, at: dt.datetime | None = None) -> None:
    """Let two guests change chairs, at one table or between two; raise ConflictError if one of them has left."""
    if one.pk == other.pk:
        raise refuse("swaps_with_self", _("Choose two guests to change chairs."), "/other")
    _lock_tables(one.sitting, other.sitting, by=by)
    one, other = taken_chair(one), taken_chair(other)
    moment = at or timezone.now()
    _leave_chairs(one, other, at=moment)
    _take_chair(one, other.sitting, other.seat, by)
    _take_chair(other, one.sitting, one.seat, by)


@all_or_nothing
def move_guest(
    *, seat: SittingSeat, sitting: Sitting, chair: int, by: Actor, at: dt.datetime | None = None
) -> SittingSeat:
    """Move a guest to an empty chair of this or another table; raise ConflictError if it is taken."""
    tables = _lock_tables(seat.sitting, sitting, by=by)
    target = tables[sitting.pk]
    if not 0 <= chair < len(target.chairs):
        raise refuse(
            "no_such_chair", _("This table has chairs 1 to %(last)s.") % {"last": len(target.chairs)}, "/chair"
        )
    taken = target.chairs[chair]
    if taken is not None:
        raise conflict("chair_taken", _("%(name)s sits there already.") % {"name": taken.entrant}, "/chair")
    seat = taken_chair(seat)
    _leave_chairs(seat, at=at or timezone.now())
    return _take_chair(seat, target.sitting, chair, by)


def _lock_tables(*sittings: Sitting, by: Actor) -> dict[int, Running]:
    """Return the tables by their sittings' ids, locked; raise if one is closed, its day is, or it follows a game."""
    books = {one.table_session.competition_id: one.table_session.competition for one in sittings}
    # In the order of ids, so that two moves between the same books cannot deadlock.
    for _pk, book in sorted(books.items()):
        lock_open_table(book, by)
    tables = {one.pk: running(reload_open_sitting(one)) for one in sittings}
    for table in tables.values():
        refuse_closed_day(table.competition, table.day)
        refuse_during_followed_game(table.sitting)
    return tables


def _leave_chairs(*seats: SittingSeat, at: dt.datetime) -> None:
    for seat in seats:
        refuse_left_before(seat, at)
        stand_up(seat, at)


def _take_chair(seat: SittingSeat, sitting: Sitting, chair: int, by: Actor) -> SittingSeat:
    """Put the guest of a seat on another chair; at a table of another book as its entrant there."""
    competition = sitting.table_session.competition
    entrant = seat.entrant
    if entrant.competition_id != competition.pk:
        entrant = enter_guest(competition=competition, player=entrant.player, by=by)
    change = open_change(competition, by)
    row = seat_moved(seat, sitting, chair, entrant)
    row.save(force_insert=True)
    before = {"sitting": seat.sitting_id, "seat": seat.seat, "entrant": seat.entrant_id}
    note(change, "sitting.moved", sitting, before=before, after={"seat": chair, "entrant": entrant.pk})
    return row
