"""Chairs that become free: at once, or after the game that a guest announced as the last one (ラス半)."""

from __future__ import annotations

import datetime as dt

from league.models import Hanchan, SittingSeat
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import is_newest_of_sitting
from league.services.access.changes import open_change


def stand_up(seat: SittingSeat, at: dt.datetime) -> None:
    """Free a chair."""
    seat.left_at = at
    seat.save(update_fields=["left_at"])


def free_chairs_after(hanchan: Hanchan, at: dt.datetime, by: Actor) -> None:
    """Free the chairs of the guests who leave after this game, once its first result counts.

    A game counts when it is typed, confirmed at the counter, or submitted by staff; an older game frees no chair.
    """
    seats = SittingSeat.objects.select_related("sitting").filter(
        sitting__table_session=hanchan.table_session_id, is_last_game=True, left_at=None
    )
    leaving = list(seats)
    if not leaving or not is_newest_of_sitting(hanchan):
        return
    change = open_change(hanchan.block.competition, by)
    for seat in leaving:
        stand_up(seat, at)
    before = {"entrants": [seat.entrant_id for seat in leaving]}
    change.record("sitting.left", leaving[0].sitting, is_public=False, before=before)
