"""Rows of line-ups, written by the services that name members, start hanchan and record results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from league.models import Hanchan, HanchanSeat, LineUp
from league.selectors.access.actors import Actor
from league.selectors.seasons.line_ups import standing_line_ups

Sitting = Mapping[tuple[int, int], int]
"""The person who sits, by the ids of hanchan and team."""


def put_line_ups(
    sitting: Sitting, numbers: Mapping[int, int], by: Actor, *, reason: str = "", is_secret: bool = False
) -> list[LineUp]:
    """Let these line-ups hold in place of others, and return the new ones; equal ones stay and are announced.

    `numbers` are the numbers of the change by hanchan id. Seats show the members unless the line-ups are secret.
    """
    before = standing_line_ups(numbers)
    kept = [row for key, row in before.items() if sitting.get(key) == row.player_id]
    gone = [row for key, row in before.items() if key in sitting and sitting[key] != row.player_id]
    for row in gone:
        row.ended_n = numbers[row.hanchan_id]
    # First end, then insert: a unique constraint allows one line-up for each team of a hanchan.
    LineUp.objects.bulk_update(gone, ["ended_n"])
    made = LineUp.objects.bulk_create(
        LineUp(
            hanchan_id=hanchan,
            entrant_id=entrant,
            player_id=player,
            is_secret=is_secret,
            named_by=by.user,
            link=by.team_link,
            reason=reason,
            made_n=numbers[hanchan],
        )
        for (hanchan, entrant), player in sitting.items()
        if (hanchan, entrant) not in before or before[hanchan, entrant].player_id != player
    )
    if not is_secret:
        LineUp.objects.filter(pk__in=[row.pk for row in kept if row.is_secret]).update(is_secret=False)
        seat_members(sitting)
    return made


def seat_members(sitting: Sitting) -> None:
    """Show the members on the seats of these teams."""
    seats = HanchanSeat.objects.filter(hanchan__in={hanchan for hanchan, _entrant in sitting})
    changed = []
    for seat in seats:
        player = sitting.get((seat.hanchan_id, seat.entrant_id), seat.player_id)
        if player != seat.player_id:
            seat.player_id = player
            changed.append(seat)
    HanchanSeat.objects.bulk_update(changed, ["player"])


def announce(rows: Iterable[LineUp]) -> None:
    """Show the members of secret line-ups on the seats."""
    rows = list(rows)
    LineUp.objects.filter(pk__in=[row.pk for row in rows]).update(is_secret=False)
    seat_members({(row.hanchan_id, row.entrant_id): row.player_id for row in rows})


def end_line_ups_of_others(games: Collection[Hanchan], seated: Collection[tuple[int, int]], n: int) -> None:
    """End the line-ups of teams that no longer sit in these hanchan; `seated` are ids of hanchan and entrant."""
    rows = LineUp.objects.standing().filter(hanchan__in=games).values_list("pk", "hanchan", "entrant")
    gone = [pk for pk, hanchan, entrant in rows if (hanchan, entrant) not in seated]
    LineUp.objects.filter(pk__in=gone).update(ended_n=n)
