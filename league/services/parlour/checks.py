"""Checks and locks that every service of a parlour starts with."""

from __future__ import annotations

import datetime as dt

from django.db.models import Model
from django.utils.translation import gettext as _

from league.models import Competition, Parlour, Sitting, TillClose
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.parlour.board import closed_day
from league.selectors.parlour.following import followed_games
from league.services.access.changes import OpenChange, lock_house, lock_parlour_row
from league.services.results.sheets import refuse_closed
from league.wording.formatting import day_text


def lock_open_table(competition: Competition, by: Actor, capability: Capability = Capability.SUBMIT) -> Competition:
    """Lock the open table's competition and return it; raise unless the actor has the capability there.

    Raise ConflictError for a closed competition and for one that is no open table.
    """
    # The lock comes first: permission, status and the table's state are checked on what no other request can change.
    # The whole house is locked: its books share the numbers and chairs of their guests, and the till.
    locked, *_others = lock_house(competition)
    require(by, locked, capability)
    refuse_closed(locked)
    if locked.kind != Competition.Kind.OPEN:
        raise conflict(
            "not_open_play",
            _("“%(name)s” is no open table. Sittings belong to open tables.") % {"name": locked.name},
        )
    return locked


def lock_parlour(parlour: Parlour, by: Actor, capability: Capability = Capability.SUBMIT) -> list[Competition]:
    """Lock the books of a parlour that are not closed and return them.

    Raise unless the actor has the capability in each of them, and ConflictError if every book is closed.
    """
    books = [book for book in lock_parlour_row(parlour.pk) if book.status != Competition.Status.CLOSED]
    if not books:
        raise conflict("parlour_closed", _("“%(name)s” has no open rule book.") % {"name": parlour})
    for book in books:
        require(by, book, capability)
    return books


def reload_open_sitting(sitting: Sitting) -> Sitting:
    """Return the sitting as stored now, after its competition has been locked; raise ConflictError if it has ended."""
    found = Sitting.objects.select_related("table_session__competition", "table_session__session").get(pk=sitting.pk)
    if found.closed_at is not None:
        raise conflict(
            "sitting_closed",
            _("Table %(table)s has been closed. Open it again to go on.") % {"table": found.table_session.table},
        )
    return found


def refuse_closed_day(competition: Competition, day: dt.date | None) -> None:
    """Raise ConflictError if the books of the business day are closed; only reopening the day allows changes again.

    The till is closed for all books, also for one that was offered after the close.
    """
    if day is None:
        return
    tills = TillClose.objects.filter(parlour=competition.parlour_id, day=day, ended_at=None)
    if closed_day(competition, day) is not None or tills.exists():
        raise conflict(
            "day_closed",
            _("The books of %(day)s are closed. A director can reopen the day.") % {"day": day_text(day)},
        )


def refuse_during_followed_game(sitting: Sitting) -> None:
    """Raise ConflictError while a game of the sitting is followed hand by hand: its seats are those of the start."""
    followed = followed_games([sitting.table_session_id]).get(sitting.table_session_id)
    if followed is not None:
        message = _("Game %(round)s at table %(table)s is followed hand by hand. Enter its result or abandon it first.")
        shown = {"round": followed.round, "table": sitting.table_session.table}
        raise conflict("game_followed", message % shown, hanchan=followed.pk)


def note(
    change: OpenChange, kind: str, subject: Model, *, before: object = None, after: object = None, reason: str = ""
) -> None:
    """Write a change of the parlour's internal business, which is never public."""
    change.record(kind, subject, is_public=False, before=before, after=after, reason=reason)
