"""Blind double entry: two people enter a result without seeing each other's sheet, and it counts once they agree.

Nothing is stored for this beside the result sheets themselves. Each person's newest sheet waits (SUBMITTED); as
soon as the sheets of two people agree, that is the result. Where they differ, each person is asked to enter the
differing cells again and never sees the other's values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Hanchan, ResultSheet
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.results.blind_sheets import is_blind
from league.services.results.entry import SeatEntry, SheetEntry

ENDED_BY_TIME = "ended_by_time"


def ended_as(sheet: ResultSheet) -> Hanchan.State:
    """Return the state of the ended hanchan as the author of the sheet entered it."""
    return Hanchan.State.ENDED_BY_TIME if sheet.facts.get(ENDED_BY_TIME) else Hanchan.State.FINISHED


def goes_blind(hanchan: Hanchan, by: Actor) -> bool:
    """Return True if this sheet must wait for another person's; the service's own sheets are records, not entries."""
    return is_blind(hanchan.block.competition) and not by.is_system


def own_waiting(hanchan: Hanchan, by: Actor) -> ResultSheet | None:
    """Return this user's own undecided sheet for the hanchan, or None.

    All holders of a table's links count as one person, the table (`entered_by` is empty for them).
    """
    if by.is_system:
        return None
    return waiting(hanchan).filter(entered_by=by.user).order_by("revision").first()


def others_waiting(sheet: ResultSheet) -> list[ResultSheet]:
    """Return the undecided sheets of other people for the same hanchan, oldest first."""
    rows = waiting(sheet.hanchan).order_by("revision")
    return [row for row in rows.prefetch_related("seats") if row.entered_by_id != sheet.entered_by_id]


def waiting(hanchan: Hanchan) -> QuerySet[ResultSheet]:
    """Return the hanchan's sheets that are submitted and not yet decided."""
    return ResultSheet.objects.filter(hanchan=hanchan, state=ResultSheet.State.SUBMITTED)


def agreeing_sheet(sheet: ResultSheet, entry: SheetEntry, waiting: Sequence[ResultSheet]) -> ResultSheet | None:
    """Return the first waiting sheet of another person that agrees with the new sheet, whose content is `entry`.

    None if there is no such sheet.
    """
    others = [other for other in waiting if other.entered_by_id != sheet.entered_by_id]
    return next((other for other in others if not differing_cells(sheet, other, entry)), None)


def cells_to_ask(sheet: ResultSheet) -> tuple[str, ...]:
    """Return the form's names of the cells in which another person's sheet differs from this one."""
    return tuple(dict.fromkeys(cell for other in others_waiting(sheet) for cell in differing_cells(sheet, other)))


def differing_cells(mine: ResultSheet, other: ResultSheet, entry: SheetEntry | None = None) -> tuple[str, ...]:
    """Return the cells of `mine` that differ from `other`, as the form names them.

    `entry` is the content of `mine` while that is not written yet.
    """
    ours, theirs = entry or SheetEntry.of_sheet(mine), SheetEntry.of_sheet(other)
    cells = [*_seat_cells(ours, theirs), *_whole_cells(ours, theirs)]
    if bool(mine.facts.get(ENDED_BY_TIME)) != bool(other.facts.get(ENDED_BY_TIME)):
        cells.append(ENDED_BY_TIME)
    return tuple(cells)


def _seat_cells(mine: SheetEntry, other: SheetEntry) -> Iterator[str]:
    """Yield the cells of the seats that differ. Seats are matched by entrant, and by order if both sheets know it."""
    is_ordered = mine.are_seats_known and other.are_seats_known
    by_entrant = {seat.entrant: (index, seat) for index, seat in enumerate(other.seats)}
    for index, seat in enumerate(mine.seats):
        place, theirs = by_entrant.get(seat.entrant, (None, None))
        if theirs is None or (is_ordered and place != index):
            yield f"entrant_{index}"
        yield from _amounts_of_seat(index, seat, theirs)
        for key, amounts in mine.carried.items():
            if place is None or _amount(other, key, place) != amounts[index]:
                yield f"carried_{key}_{index}"
        if _receiver(mine, index) != (None if place is None else _receiver(other, place)):
            yield f"tobi_{index}"


def _amounts_of_seat(index: int, mine: SeatEntry, other: SeatEntry | None) -> Iterator[str]:
    if other is None or other.score != mine.score:
        yield f"score_{index}"
    if other is not None and other.chonbo != mine.chonbo:
        yield f"chonbo_{index}"
    if other is not None and other.player != mine.player:
        yield f"substitute_{index}"


def _amount(entry: SheetEntry, key: str, seat: int) -> int | None:
    amounts: Sequence[int] = entry.carried.get(key, ())
    return amounts[seat] if seat < len(amounts) else None


def _receiver(entry: SheetEntry, seat: int) -> int | None:
    """Return the entrant who gets the tobi prize for busting this seat, or None."""
    return next((entry.seats[receiver].entrant for busted, receiver in entry.tobi if busted == seat), None)


def _whole_cells(mine: SheetEntry, other: SheetEntry) -> Iterator[str]:
    if mine.kyoutaku != other.kyoutaku:
        yield "sticks"
    if mine.are_seats_known != other.are_seats_known:
        yield "are_seats_known"
    if _forced(mine) != _forced(other):
        yield "forced_top"


def _forced(entry: SheetEntry) -> int | None:
    return None if entry.forced_top is None else entry.seats[entry.forced_top].entrant


def require_settler(sheet: ResultSheet, by: Actor) -> None:
    """Raise unless the actor may settle differing blind entries.

    Only a director (CORRECT) who entered neither sheet may, and only once the sheets of two people exist.
    """
    require(by, sheet.hanchan.block.competition, Capability.CORRECT)
    if by.is_system:
        return
    if not others_waiting(sheet):
        raise conflict(
            "second_sheet_awaited",
            _("Another user must enter this hanchan without seeing the first sheet. There is nothing to compare yet."),
        )
    # A director with an own sheet would decide for it after seeing the other one: no longer blind.
    if own_waiting(sheet.hanchan, by) is not None:
        raise conflict(
            "entered_yourself",
            _(
                "You entered this hanchan yourself. Look at the paper and enter again what differs, or let a director "
                "settle it who did not."
            ),
        )
