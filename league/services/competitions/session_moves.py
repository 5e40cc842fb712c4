"""Move a whole session to another day, time or venue, and back."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Session, TableSession
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.session_moves import (
    MOVED,
    MoveBack,
    MovedTable,
    MovePlan,
    SessionMove,
    TableBeforeMove,
    planned_move,
)
from league.services.access.changes import lock, open_changes, record_together
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.editing import as_json

MOVING = ("starts_at", "venue", "public_at", "line_ups_due_at")
"""The columns of a table that a move changes."""


@all_or_nothing
def move_session(*, session: Session, wish: SessionMove | MoveBack, digest: str, by: Actor) -> MovePlan:
    """Move a session as the user has previewed it, or undo a move; return what moved.

    1. Compute the plan again under the lock; refuse if its digest differs from the previewed one.
    2. Write the tables that can move; played and running ones stay.
    3. Record the move with all former values, and an edit of each table: calendars and webhooks follow those, and an
       edit of a table under embargo is not public.
    """
    competition = session.competition
    require(by, competition, Capability.MANAGE)
    if isinstance(wish, SessionMove):
        refuse_too_long(TableSession, {"venue": wish.venue})
    lock(competition)
    plan = planned_move(session, wish)
    if plan.digest != digest:
        message = _("The tables are not as you looked at them: one was played, edited or seated since. Look again.")
        raise conflict("other_move", message)
    change, *edits = open_changes(competition, by, 1 + len(plan.moved))
    for one in plan.moved:
        for name in MOVING:
            setattr(one.table, name, getattr(one.after, name))
        one.table.save(update_fields=MOVING)
    moved = change.row(
        MOVED,
        session,
        # The table's own changes are public where the table is.
        is_public=False,
        before={"moved": [[one.table.pk, *one.before.as_json()] for one in plan.moved]},
        after={
            "moved": [[one.table.pk, *one.after.as_json()] for one in plan.moved],
            "sessions": sorted({one.table.session_id for one in plan.moved}),
            "tables": len(plan.moved),
        },
    )
    tables = [
        edit.row(
            "table_session.edited",
            one.table,
            is_public=one.table.is_released,
            before=_differing(one, one.before),
            after=_differing(one, one.after),
        )
        for edit, one in zip(edits, plan.moved, strict=True)
    ]
    record_together(competition, [moved, *tables])
    return plan


def _differing(one: MovedTable, side: TableBeforeMove) -> dict[str, object]:
    """Return the values of one side that the move changes, as the log keeps them."""
    return {
        name: as_json(getattr(side, name)) for name in MOVING if getattr(one.before, name) != getattr(one.after, name)
    }
