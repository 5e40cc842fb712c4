"""The schedule for organizers: the whole plan, sessions with their seat draw, and announcements."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from league.api.competitions.schedule_documents import SessionDocument
from league.api.competitions.schedule_views import session_documents, sessions_shown, single
from league.api.fields import StrictSerializer
from league.api.organizing.base import OrganizerView
from league.api.organizing.rows import OfRowView, seats_now
from league.api.organizing.schedule_documents import (
    AnnouncementDocument,
    HanchanSeats,
    ScheduleDocument,
    SessionMoveDocument,
    move_document,
    schedule_document,
)
from league.api.organizing.schedule_inputs import (
    DrawInput,
    MoveSessionInput,
    NewAnnouncementInput,
    NewSessionInput,
    ScheduleWishesInput,
    SessionNamesInput,
)
from league.api.writing import Checked, describe_write
from league.models import Announcement, Session
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.seating.plans import Calendar, Days, Wishes, planned_schedule
from league.selectors.competitions.session_moves import SessionMove, planned_move
from league.services.competitions.announcements import announce, take_down
from league.services.competitions.editing import edit_session
from league.services.competitions.schedule import create_session
from league.services.competitions.seating import SeatDraw, draw_seats, take_back_schedule, write_schedule
from league.services.competitions.session_moves import move_session
from league.web.document_parts import moment


def wishes_of(values: Checked) -> Wishes:
    """Return the wishes of a validated body."""
    calendar = Calendar(
        first_day=values["first_day"],
        every=values["every"],
        starts_at=values["starts_at"],
        venue=values["venue"],
        tables=values.get("tables"),
    )
    return Wishes(
        calendar=calendar,
        seed=values["seed"],
        days=Days(values["days"]),
        minutes=values["minutes"],
        keeps_clubs_apart=values["keeps_clubs_apart"],
        keeps_countries_apart=values["keeps_countries_apart"],
        hanchan=values.get("hanchan"),
        sessions=values.get("sessions"),
        tables=values.get("tables"),
    )


@describe_write("write_schedule", ScheduleWishesInput, ScheduleDocument)
@describe_write("take_schedule_back", None, None, method="delete")
class ScheduleView(OrganizerView):
    """Write the schedule of all blocks without tables: sessions, tables and seats, from a seed.

    A DELETE takes it back, as long as nothing was played, followed or linked.
    """

    http_method_names = ["post", "delete", "options"]
    creates = True
    input_class = ScheduleWishesInput

    def change(self, values: Checked, by: Actor) -> ScheduleDocument | None:
        """Write the schedule, or take it back."""
        if self.request.method == "DELETE":
            take_back_schedule(competition=self.competition, by=by)
            return None
        wishes = wishes_of(values)
        plan = planned_schedule(self.competition, wishes)
        write_schedule(competition=self.competition, wishes=wishes, digest=values.get("digest", plan.digest), by=by)
        return schedule_document(plan, self.competition)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the schedule back."""
        return self.make_change(StrictSerializer)


@describe_write("preview_schedule", ScheduleWishesInput, ScheduleDocument)
class SchedulePreviewView(OrganizerView):
    """Show the schedule as it would be written, with its digest and what stands against it. Nothing is written."""

    input_class = ScheduleWishesInput
    is_preview = True

    def change(self, values: Checked, by: Actor) -> ScheduleDocument:
        """Plan the schedule."""
        return schedule_document(planned_schedule(self.competition, wishes_of(values)), self.competition)


@describe_write("create_session", NewSessionInput, SessionDocument)
class NewSessionView(OrganizerView):
    """Add a session (節)."""

    creates = True
    input_class = NewSessionInput

    def change(self, values: Checked, by: Actor) -> SessionDocument:
        """Add the session."""
        return single(session_documents(self.reader, [create_session(competition=self.competition, by=by, **values)]))


class OfSessionView(OfRowView):
    """Base of the changes of a session."""

    all_rows = Session.objects.all()

    def shown_rows(self) -> QuerySet[Session]:
        """Return the sessions that the reader may know of."""
        return sessions_shown(self.reader)

    def session(self) -> Session:
        """Return the session."""
        return get_object_or_404(Session.objects.select_related("competition"), pk=self.kwargs["pk"])


@describe_write("name_session", SessionNamesInput, SessionDocument, method="put")
class SessionNamesView(OfSessionView):
    """Rename a session."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Rename the session."""
        return self.make_change(SessionNamesInput)

    def change(self, values: Checked, by: Actor) -> SessionDocument:
        """Rename the session."""
        return single(session_documents(self.reader, [edit_session(session=self.session(), by=by, **values)]))


@describe_write("move_session", MoveSessionInput, SessionMoveDocument)
class MoveSessionView(OfSessionView):
    """Move a session to another day; what was played or has begun stays."""

    input_class = MoveSessionInput

    def change(self, values: Checked, by: Actor) -> SessionMoveDocument:
        """Move the session."""
        wish = SessionMove(
            day=values["day"], time=values.get("time"), venue=values["venue"], moves_later=values["moves_later"]
        )
        session = self.session()
        plan = planned_move(session, wish)
        document = move_document(plan, self.competition)
        move_session(session=session, wish=wish, digest=values.get("digest", plan.digest), by=by)
        return document


@describe_write("preview_session_move", MoveSessionInput, SessionMoveDocument)
class MoveSessionPreviewView(MoveSessionView):
    """Show which tables would move, and which collisions would follow. Nothing is written."""

    is_preview = True


@describe_write("draw_seats", DrawInput, HanchanSeats)
class DrawView(OfSessionView):
    """Draw the seats (場決め) at a session's tables, so that all players can repeat the draw."""

    capability = Capability.SUBMIT
    input_class = DrawInput

    def change(self, values: Checked, by: Actor) -> HanchanSeats:
        """Draw the seats."""
        return seats_now(self, draw_seats(session=self.session(), draw=SeatDraw(**values), by=by))


@describe_write("announce", NewAnnouncementInput, AnnouncementDocument)
class AnnouncementsView(OfSessionView):
    """Announce something on the pages and screens of a session."""

    creates = True
    input_class = NewAnnouncementInput

    def change(self, values: Checked, by: Actor) -> AnnouncementDocument:
        """Make the announcement."""
        row = announce(session=self.session(), by=by, **values)
        return AnnouncementDocument.build(row, made_at=moment(row.made_at, self.competition))


@describe_write("take_announcement_down", None, None, method="delete")
class AnnouncementView(OfRowView):
    """Take an announcement down."""

    http_method_names = ["delete", "options"]
    path_to_competition = "session__competition"
    all_rows = Announcement.objects.all()

    def shown_rows(self) -> QuerySet[Announcement]:
        """Return the announcements in sessions that the reader may know of."""
        return Announcement.objects.filter(session__in=sessions_shown(self.reader))

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the announcement down."""
        return self.make_change(StrictSerializer)

    def change(self, values: Checked, by: Actor) -> None:
        """Take the announcement down."""
        rows = Announcement.objects.select_related("session__competition")
        take_down(announcement=get_object_or_404(rows, pk=self.kwargs["pk"]), by=by)
