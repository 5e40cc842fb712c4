"""Views of an event's hall: the round clock, seat lists, the state of the tables, calls for a referee."""

from __future__ import annotations

import datetime as dt
from http import HTTPStatus

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import actor_of, held_link
from league.api.base import RowView
from league.api.competitions.hall_documents import (
    CallDocument,
    ClockDocument,
    FloorDocument,
    SeatsDocument,
    call_document,
    clock_document,
    floor_document,
    seats_document,
)
from league.api.competitions.schedule_views import sessions_shown
from league.api.fields import OptionalTextField, StrictSerializer
from league.api.live.link_views import OpenToLinks
from league.api.queries import RoundQuery
from league.api.schema import describe_get
from league.api.writing import WritingView, describe_write
from league.models import Competition, RefereeCall, Session, TableSession
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.competitions.clock import clock_of
from league.selectors.competitions.floor import floor_mark, floor_of
from league.selectors.competitions.seat_lists import seat_list
from league.services.competitions.announcements import LONGEST_TIMER, extend_timer, set_timer
from league.services.live.referee_calls import answer_call, call_referee, take_call_back


class ClockInput(StrictSerializer):
    """A change of the round clock."""

    minutes = serializers.IntegerField(
        min_value=1, max_value=LONGEST_TIMER, allow_null=True, help_text="Minutes from now; null turns the clock off."
    )
    extends = serializers.BooleanField(default=False, help_text="Add the minutes to the clock that runs.")


class CallInput(StrictSerializer):
    """A call for a referee."""

    about = OptionalTextField(max_length=200, help_text="What it is about, in the table's words.")


class SessionRowView(RowView):
    """Base of the views of one session's hall."""

    path_to_release = "table_sessions__is_released"
    all_rows = Session.objects.all()

    def open(self, **path: object) -> None:
        """Find the session. Raise Http404 unless the reader may know of it."""
        super().open(**path)
        rows = sessions_shown(self.reader).select_related("competition")
        self.row = get_object_or_404(rows, pk=self.kwargs["pk"])


@describe_get("get_clock", ClockDocument)
@describe_write("set_clock", ClockInput, ClockDocument)
class ClockView(SessionRowView, WritingView):
    """Return the round clock of a session. A POST by the organizers starts, extends or stops it."""

    def etag(self) -> str:
        """Return an ETag that covers the clock, which changes before it is published."""
        return etag_of(self.reader, str(self.row.timer_ends_at), *self.representation())

    def write(self, reader: Reader) -> ClockDocument:
        """Return the clock."""
        return clock_document(reader, clock_of(self.row))

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Start, extend or stop the clock."""
        self.open(**path)
        require(actor_of(request), self.reader.competition, Capability.MANAGE)
        values = ClockInput.check(request.data)
        return self.run_once(lambda by: self.set_clock(values["minutes"], by, extends=values["extends"]))

    def set_clock(self, minutes: int | None, by: Actor, *, extends: bool) -> ClockDocument:
        """Extend the clock by these minutes, or let it end in as many from now; None stops it."""
        if minutes is not None and extends:
            extend_timer(session=self.row, minutes=minutes, by=by)
        else:
            ends_at = None if minutes is None else timezone.now() + dt.timedelta(minutes=minutes)
            set_timer(session=self.row, ends_at=ends_at, by=by)
        return self.write(self.reader)


@describe_get("list_seats", SeatsDocument, query=RoundQuery)
class SeatsView(SessionRowView):
    """Return the seats of a round of a session, by default of the round to be played."""

    query_class = RoundQuery

    def write(self, reader: Reader) -> SeatsDocument:
        """Return the seats."""
        found = seat_list(reader, self.row, self.query.get("round"))
        if found is None:
            raise Http404
        return seats_document(reader, found)


@describe_get("list_table_states", FloorDocument, query=RoundQuery)
class FloorView(SessionRowView):
    """Return the state of all tables of a round of a session, by default of the round to be played."""

    query_class = RoundQuery

    def etag(self) -> str:
        """Return an ETag; for the staff it covers hands, sheets and calls, which no published version does."""
        unpublished = [self.reader.competition.version, *floor_mark(self.row)] if self.reader.is_staff else []
        return etag_of(self.reader, self.phase(), *unpublished, *self.representation())

    def phase(self) -> str:
        """Return the phase of the session's clock."""
        return clock_of(self.row).phase(timezone.now())

    def write(self, reader: Reader) -> FloorDocument:
        """Return the states."""
        wanted = self.query.get("round")
        floor = floor_of(reader, self.row, wanted, is_over=self.phase() == "over")
        if floor is None or wanted not in {None, floor.round}:
            raise Http404
        return floor_document(reader, floor)


class CallRowView(RowView, WritingView):
    """Base of the views of a table's call for a referee, for the staff."""

    http_method_names = ["post", "options"]
    all_rows = TableSession.objects.all()

    def open(self, **path: object) -> None:
        """Find the table. Raise Http404 unless the user is staff."""
        super().open(**path)
        if not self.reader.is_staff:
            raise Http404
        self.row = get_object_or_404(self.reader.table_sessions().select_related("competition"), pk=path["pk"])

    def write(self, reader: Reader) -> object:
        """Raise Http404: a call is read with the state of its table."""
        raise Http404

    def waiting_call(self) -> RefereeCall:
        """Return the call that waits at the table. Raise Http404 without one."""
        rows = RefereeCall.objects.filter(table_session=self.row, answered_at=None)
        return get_object_or_404(rows.select_related("table_session__competition"))


@describe_write("call_referee", CallInput, CallDocument)
@describe_write("take_call_back", None, CallDocument, method="delete")
class CallView(OpenToLinks, CallRowView):
    """Call a referee to a table; a table that waits for one keeps its call. DELETE takes the call back.

    The holders of the table's links may do both.
    """

    http_method_names = ["post", "delete", "options"]
    creates = True
    key_is_optional = True

    def open(self, **path: object) -> None:
        """Find the table: that of a link, or one to which the user may submit results.

        Raise Http404 for other tables, PermissionRefusedError for staff without that right.
        """
        link = held_link(self.request)
        table = link.table_session if link and link.table_session_id == path["pk"] else None
        if table is not None and table.competition.kind == Competition.Kind.LEAGUE:
            self.row, self.reader = table, public_reader_of(table.competition)
            return
        super().open(**path)
        require(actor_of(self.request), self.reader.competition, Capability.SUBMIT)

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Call a referee to a table; a table that waits for one keeps its call."""
        self.open(**path)
        about = CallInput.check(request.data)["about"]
        return self.run_once(
            lambda by: call_document(self.reader, call_referee(table_session=self.row, by=by, about=about)),
            HTTPStatus.CREATED,
        )

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the call back that waits at a table."""
        self.open(**path)
        return self.run_once(lambda by: call_document(self.reader, take_call_back(call=self.waiting_call(), by=by)))

    def keeps_response(self) -> bool:
        """Return True if the response is stored: keys belong to users, and a link's holder needs none."""
        return held_link(self.request) is None and super().keeps_response()


@describe_write("answer_call", None, CallDocument)
class AnswerView(CallRowView):
    """Record that a referee goes to the table that has called."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Record that a referee goes to the table that has called."""
        self.open(**path)
        return self.run_once(lambda by: call_document(self.reader, answer_call(call=self.waiting_call(), by=by)))
