"""Two people enter a result without seeing each other's sheet; what both say the same counts.

The one idea: nothing is kept for it beside the sheets themselves. Everybody's newest sheet waits; as soon as two
people's say the same, that is the result. Where they differ each is asked again for the cells in which they do, and
never told what the other wrote.
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
    """How the game ended, as the author of the sheet said."""
    return Hanchan.State.ENDED_BY_TIME if sheet.facts.get(ENDED_BY_TIME) else Hanchan.State.FINISHED


def goes_blind(hanchan: Hanchan, by: Actor) -> bool:
    """Whether this sheet waits for another person's; what the service itself writes is a record, not an entry."""
    return is_blind(hanchan.block.competition) and not by.is_system


def own_waiting(hanchan: Hanchan, by: Actor) -> ResultSheet | None:
    """What this person has entered and nobody has decided; whoever holds one of the table's links is the table."""
    if by.is_system:
        return None
    return waiting(hanchan).filter(entered_by=by.user).order_by("revision").first()


def others_waiting(sheet: ResultSheet) -> list[ResultSheet]:
    """What other people have entered for the same hanchan, the oldest first."""
    rows = waiting(sheet.hanchan).order_by("revision")
    return [row for row in rows.prefetch_related("seats") if row.entered_by_id != sheet.entered_by_id]


def waiting(hanchan: Hanchan) -> QuerySet[ResultSheet]:
    """The sheets that nobody has decided on."""
    return ResultSheet.objects.filter(hanchan=hanchan, state=ResultSheet.State.SUBMITTED)


def agreeing_sheet(sheet: ResultSheet, entry: SheetEntry, waiting: Sequence[ResultSheet]) -> ResultSheet | None:
    """Return the first of the sheets that wait which is another person's and says the same as a new one, of `entry`."""
    others = [other for other in waiting if other.entered_by_id != sheet.entered_by_id]
    return next((other for other in others if not differing_cells(sheet, other, entry)), None)


def cells_to_ask(sheet: ResultSheet) -> tuple[str, ...]:
    """The cells in which anybody else's sheet differs from this one, as the form names them."""
    return tuple(dict.fromkeys(cell for other in others_waiting(sheet) for cell in differing_cells(sheet, other)))


def differing_cells(mine: ResultSheet, other: ResultSheet, entry: SheetEntry | None = None) -> tuple[str, ...]:
    """The cells of `mine` that say something else than `other`; `entry` is what `mine` says if it is not written."""
    ours, theirs = entry or SheetEntry.of_sheet(mine), SheetEntry.of_sheet(other)
    cells = [*_seat_cells(ours, theirs), *_whole_cells(ours, theirs)]
    if bool(mine.facts.get(ENDED_BY_TIME)) != bool(other.facts.get(ENDED_BY_TIME)):
        cells.append(ENDED_BY_TIME)
    return tuple(cells)


def _seat_cells(mine: SheetEntry, other: SheetEntry) -> Iterator[str]:
    """What differs of the seats. Seats go by their player, and by their order where both sheets know it."""
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
    """The entrant who gets the prize for taking this seat out."""
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
    """A director who entered neither may settle what differs, once two people's sheets are there to compare."""
    require(by, sheet.hanchan.block.competition, Capability.CORRECT)
    if by.is_system:
        return
    if not others_waiting(sheet):
        raise conflict(
            "second_sheet_awaited",
            _("Somebody else must enter this hanchan without seeing the first sheet. There is nothing to compare yet."),
        )
    if own_waiting(sheet.hanchan, by) is not None:
        raise conflict(
            "entered_yourself",
            _(
                "You entered this hanchan yourself. Look at the paper and enter again what differs, or let a director "
                "settle it who did not."
            ),
        )
