"""The end of a game at the chairs: guests who announced their last game (ラス半) leave, stand-ins for one game end."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from league.models import Hanchan, SittingSeat
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import is_newest_of_sitting
from league.services.access.changes import open_change


def refuse_left_before(seat: SittingSeat, at: dt.datetime) -> None:
    """Raise if a guest would leave before sitting down."""
    if at < seat.joined_at:
        raise refuse("left_before_joined", _("Guests leave after they sat down. Check the time."), "/at")


def stand_up(seat: SittingSeat, at: dt.datetime) -> None:
    """Free a chair."""
    seat.left_at = at
    seat.save(update_fields=["left_at"])


def free_chairs_after(hanchan: Hanchan, at: dt.datetime, by: Actor) -> None:
    """Free the chairs of the guests who leave after this game, and end stand-ins for one game.

    A game counts when it is typed, confirmed at the counter, or submitted by staff; an older game changes no chair.
    """
    there = SittingSeat.objects.select_related("sitting").filter(
        sitting__table_session=hanchan.table_session_id, left_at=None
    )
    leaving = list(there.filter(is_last_game=True))
    turns = list(there.filter(stand_in__isnull=False, stand_in_stays=False))
    if not (leaving or turns) or not is_newest_of_sitting(hanchan):
        return
    competition = hanchan.block.competition
    for seat in turns:
        change, before = open_change(competition, by), {"seat": seat.seat, "player": seat.stand_in_id}
        change.record("sitting.stand_in", seat.sitting, is_public=False, before=before, after={"player": None})
        seat.stand_in = None
        seat.save(update_fields=["stand_in"])
    for seat in leaving:
        stand_up(seat, at)
    if leaving:
        change, gone = open_change(competition, by), {"entrants": [seat.entrant_id for seat in leaving]}
        change.record("sitting.left", leaving[0].sitting, is_public=False, before=gone)
