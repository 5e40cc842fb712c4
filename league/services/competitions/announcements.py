"""The hall's screen: the session's timer and announcements. No result depends on them.

Each is a change of its competition, so that open pages, the projector's among them, reload as they do for a result.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Announcement, Session
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long

LONGEST_TIMER = 600
"""Minutes."""


@all_or_nothing
def set_timer(*, session: Session, ends_at: dt.datetime | None, by: Actor) -> Session:
    """Set the time until which the session's games may begin another hand; None stops the clock."""
    require(by, session.competition, Capability.MANAGE)
    if ends_at is not None and ends_at <= timezone.now():
        raise refuse("time_is_past", _("That moment has passed."), "/ends_at")
    return _write_timer(session, ends_at, by)


@all_or_nothing
def extend_timer(*, session: Session, minutes: int, by: Actor) -> Session:
    """Add minutes to the clock of a session; one whose time is up goes on from now."""
    require(by, session.competition, Capability.MANAGE)
    if not 0 < minutes <= LONGEST_TIMER:
        message = _("Between 1 and %(most)s minutes.") % {"most": LONGEST_TIMER}
        raise refuse("bad_minutes", message, "/minutes")
    lock(session.competition)
    session.refresh_from_db(fields=["timer_ends_at"])
    if session.timer_ends_at is None:
        raise conflict("timer_off", _("The clock is off: start it first."), "/minutes")
    begins = max(session.timer_ends_at, timezone.now())
    return _write_timer(session, begins + dt.timedelta(minutes=minutes), by)


def _write_timer(session: Session, ends_at: dt.datetime | None, by: Actor) -> Session:
    change = open_change(session.competition, by)
    before, session.timer_ends_at = session.timer_ends_at, ends_at
    session.save(update_fields=["timer_ends_at"])
    change.record("session.timer_set", session, before=_moment(before), after=_moment(ends_at))
    return session


@all_or_nothing
def announce(*, session: Session, text: str, by: Actor, text_en: str = "") -> Announcement:
    """Show a sentence on the projector until it is taken down."""
    require(by, session.competition, Capability.MANAGE)
    if not text.strip():
        raise refuse("nothing_to_announce", _("There is nothing to announce."), "/text")
    refuse_too_long(Announcement, {"text": text, "text_en": text_en})
    change = open_change(session.competition, by)
    made = Announcement.objects.create(session=session, text=text.strip(), text_en=text_en.strip(), made_by=by.user)
    change.record("session.announced", session, after={"announcement": made.pk})
    return made


@all_or_nothing
def take_down(*, announcement: Announcement, by: Actor) -> Announcement:
    """Stop showing an announcement; it stays on record."""
    session = announcement.session
    require(by, session.competition, Capability.MANAGE)
    change = open_change(session.competition, by)
    now = timezone.now()
    # A conditional UPDATE: of two requests at once only one ends it, and the log has one line.
    if not Announcement.objects.filter(pk=announcement.pk, ended_at=None).update(ended_at=now):
        raise conflict("announcement_ended", _("It has been taken down already."), "/announcement")
    announcement.ended_at = now
    change.record("session.announcement_ended", session, before={"announcement": announcement.pk})
    return announcement


def _moment(at: dt.datetime | None) -> dict[str, str] | None:
    return {"ends_at": at.isoformat()} if at else None
