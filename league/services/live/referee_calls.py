"""Calls for a referee from a table: made and taken back by the table, answered by the staff.

A call is a change of its competition that the public does not see, so that the desk's open pages show it at once.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import RefereeCall, TableLink, TableSession
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long


@all_or_nothing
def call_referee(*, table_session: TableSession, by: Actor, about: str = "") -> RefereeCall:
    """Call a referee to a table; a table that waits for one already keeps its call.

    Players and scorers call through their table's link, the staff with the right to submit results.
    """
    _require_at_table(by, table_session)
    about = about.strip()
    refuse_too_long(RefereeCall, {"about": about})
    competition = table_session.competition
    lock(competition)
    if table_session.is_cancelled:
        raise conflict("table_cancelled", _("This table is cancelled: no referee can be called to it."))
    there = RefereeCall.objects.filter(table_session=table_session, answered_at=None).first()
    if there is not None:
        return there
    change = open_change(competition, by)
    made = RefereeCall.objects.create(table_session=table_session, about=about, link=by.link, made_by=by.user)
    change.record("referee.called", table_session, after={"call": made.pk, "about": about}, is_public=False)
    return made


@all_or_nothing
def take_call_back(*, call: RefereeCall, by: Actor) -> RefereeCall:
    """Take a call back from the table that made it."""
    _require_at_table(by, call.table_session)
    return _end(call, by, "referee.call_taken_back", is_answer=False)


@all_or_nothing
def answer_call(*, call: RefereeCall, by: Actor) -> RefereeCall:
    """Record that a referee goes to the table. Referees may do so, and staff with the right to submit results."""
    competition = call.table_session.competition
    if Capability.RULE not in capabilities(by.user, competition):
        require(by, competition, Capability.SUBMIT)
    return _end(call, by, "referee.answered", is_answer=True)


def _require_at_table(by: Actor, table_session: TableSession) -> None:
    """Raise unless the actor holds a link to the table or may submit results."""
    own = TableLink.objects.filter(pk=by.link.pk, table_session=table_session, ended_at=None) if by.link else None
    if own is None or not own.exists():
        require(by, table_session.competition, Capability.SUBMIT)


def _end(call: RefereeCall, by: Actor, kind: str, *, is_answer: bool) -> RefereeCall:
    competition = call.table_session.competition
    lock(competition)
    values = {"answered_at": timezone.now(), "answered_by": by.user if is_answer else None}
    if not RefereeCall.objects.filter(pk=call.pk, answered_at=None).update(**values):
        raise conflict("call_answered", _("This call has been answered or taken back already."))
    call.refresh_from_db(fields=list(values))
    open_change(competition, by).record(kind, call.table_session, before={"call": call.pk}, is_public=False)
    return call
