"""The schedule for organizers: the whole plan, sessions, tables and seats, the seat draw, announcements and embargo."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.competitions.schedule_documents import (
    HanchanDocument,
    SessionDocument,
    TableSessionDocument,
    table_document,
)
from league.api.competitions.schedule_views import (
    hanchan_documents,
    hanchan_shown,
    session_documents,
    sessions_shown,
    single,
)
from league.api.fields import IdField, StrictSerializer, TimeOfDayField
from league.api.organizing.base import Checked, OrganizerView
from league.api.schema import describe_get
from league.api.writing import describe_write
from league.models import Announcement, Competition, Hanchan, Session, TableSession
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.courses import PlannedSession
from league.selectors.competitions.schedule import played_tables
from league.selectors.competitions.seating import (
    USUAL_MINUTES,
    Calendar,
    Days,
    SchedulePlan,
    Wishes,
    planned_schedule,
)
from league.selectors.competitions.session_moves import MovePlan, SessionMove, planned_move
from league.services.competitions.announcements import announce, take_down
from league.services.competitions.editing import TableWords, edit_session, edit_table_session
from league.services.competitions.schedule import (
    Fixture,
    create_session,
    create_table_session,
    hold_back,
    seat_players,
)
from league.services.competitions.seating import (
    SeatDraw,
    draw_seats,
    swap_players,
    take_back_schedule,
    write_schedule,
)
from league.services.competitions.session_moves import move_session
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref

MOST_HANCHAN = 100
MOST_SEATS = 4


def id_list(told: str, most: int = MOST_SEATS) -> serializers.ListField:
    """Return the field of a list of ids."""
    return serializers.ListField(child=IdField(), max_length=most, help_text=told)


def number_list(told: str) -> serializers.ListField:
    """Return the field of a list of hanchan numbers."""
    child = serializers.IntegerField(min_value=1, max_value=10_000)
    return serializers.ListField(child=child, max_length=MOST_HANCHAN, help_text=told)


class ScheduleWishesInput(StrictSerializer):
    """When and where a competition is played, and what the seating observes."""

    first_day = serializers.DateField(help_text="The day of the first session.")
    every = serializers.IntegerField(min_value=0, max_value=366, help_text="Days from one session to the next.")
    starts_at = TimeOfDayField(help_text="The time at which a session begins.")
    venue = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="Where it is played.")
    tables = serializers.IntegerField(
        min_value=1, max_value=500, required=False, help_text="Tables that can play at a time; left out: enough."
    )
    seed = serializers.CharField(max_length=100, help_text="From which the seats are drawn; published with them.")
    days = serializers.ChoiceField(
        [(each.value, each.value) for each in Days], default=Days.SESSION, help_text="What plays on the same day."
    )
    minutes = serializers.IntegerField(
        min_value=1, max_value=600, default=USUAL_MINUTES, help_text="Minutes that a hanchan takes."
    )
    hanchan = serializers.IntegerField(
        min_value=1, max_value=MOST_HANCHAN, required=False, help_text="For formats that do not set their number."
    )
    sessions = serializers.IntegerField(
        min_value=1, max_value=MOST_HANCHAN, required=False, help_text="For formats that do not set their number."
    )
    keeps_clubs_apart = serializers.BooleanField(default=False, help_text="Clubs meet later, where possible.")
    keeps_countries_apart = serializers.BooleanField(default=False, help_text="The same for countries.")
    digest = serializers.CharField(
        max_length=64, required=False, help_text="That of a preview: refused if the plan is another one by now."
    )


class NewSessionInput(StrictSerializer):
    """A session to be added."""

    number = serializers.IntegerField(min_value=1, max_value=10_000, required=False, help_text="Left out: the next.")
    name = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="Left out: by the number.")
    name_en = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="The English name.")


class SessionNamesInput(StrictSerializer):
    """The names of a session."""

    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="The English name.")


class MoveSessionInput(StrictSerializer):
    """Another day for a session."""

    day = serializers.DateField(help_text="The day of its first table.")
    time = TimeOfDayField(required=False, help_text="The time of its first table, if it changes.")
    venue = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="If it changes.")
    moves_later = serializers.BooleanField(default=False, help_text="All later sessions move by as many days.")
    digest = serializers.CharField(max_length=64, required=False, help_text="That of a preview.")


class NewTableInput(StrictSerializer):
    """A table to be scheduled."""

    session = IdField(help_text="The session's id.")
    block = serializers.CharField(max_length=32, help_text="The block's key.")
    numbers = number_list("The block's numbers of its hanchan, in the order of play.")
    entrants = serializers.ListField(
        child=IdField(), max_length=MOST_SEATS, default=list, help_text="Their ids, first dealer first; may be empty."
    )
    table = serializers.CharField(max_length=50, default="", allow_blank=True, help_text="Its name in the hall.")
    starts_at = serializers.DateTimeField(required=False, help_text="The planned beginning.")
    venue = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="Where it is played.")
    stream_url = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Of the broadcast.")
    public_at = serializers.DateTimeField(required=False, help_text="Results are held back until then.")


class TablePlanChangeInput(StrictSerializer):
    """What is planned for a table; what is left out stays as it is."""

    table = serializers.CharField(max_length=50, required=False, allow_blank=True, help_text="Its name in the hall.")
    starts_at = serializers.DateTimeField(required=False, allow_null=True, help_text="The planned beginning.")
    venue = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="Where it is played.")
    stream_url = serializers.CharField(max_length=200, required=False, allow_blank=True, help_text="Of the broadcast.")
    is_cancelled = serializers.BooleanField(required=False, help_text="It will not be played.")


class HoldBackInput(StrictSerializer):
    """Until when a table is held back from the public."""

    until = serializers.DateTimeField(allow_null=True, help_text="Null shows it at once.")


class ReseatInput(StrictSerializer):
    """The seats of a hanchan."""

    entrants = id_list("The entrants' ids, first dealer first.")


class DrawInput(StrictSerializer):
    """A draw of seats."""

    seed = serializers.CharField(max_length=100, help_text="Anything that all players can check.")
    is_for_all = serializers.BooleanField(default=False, help_text="All hanchan of the session, not only the next.")
    rotates = serializers.BooleanField(default=False, help_text="Seats rotate from hanchan to hanchan.")
    redraws = serializers.BooleanField(default=False, help_text="Seats that are set are drawn again.")


class SwapEntrantsInput(StrictSerializer):
    """Two entrants of a block who change places."""

    numbers = number_list("The numbers of the hanchan in which they change places.")
    one = IdField(help_text="The id of one entrant.")
    other = IdField(help_text="The id of the other.")


class NewAnnouncementInput(StrictSerializer):
    """Words for all who are in the hall."""

    text = serializers.CharField(max_length=500, help_text="In the language of the competition.")
    text_en = serializers.CharField(max_length=500, default="", allow_blank=True, help_text="In English.")


class PlannedTableDocument(Document):
    """A table of a plan."""

    block: str = Field(description="The block's key.")
    table: int = Field(description="The table's number.")
    starts_at: Moment = Field(description="The planned beginning.")
    numbers: list[int] = Field(description="The block's numbers of its hanchan.")
    seats: list[list[Ref]] = Field(
        description="For each hanchan the entrants' ids, first dealer first; empty while open."
    )


class PlannedSessionDocument(Document):
    """A session of a plan."""

    number: int = Field(description="The session's number.")
    name: str = Field(description="The name.")
    tables: list[PlannedTableDocument] = Field(description="Its tables.")


class ScheduleDocument(Document):
    """A schedule: as it would be written, or as it was."""

    digest: str = Field(description="Of all players, tables and times.")
    sessions: list[PlannedSessionDocument] = Field(description="In the order of play.")
    faults: list[str] = Field(description="Why it cannot be written; empty if it can.")
    waiting: list[str] = Field(description="Why some stages are not in it yet.")
    later: list[str] = Field(description="Which rounds are paired or drawn later.")


class TablePlan(Document):
    """What is planned for a table, for its organizers."""

    id: Ref = Field(description="The table session's id.")
    table: str = Field(description="Its name in the hall.")
    starts_at: Moment | None = Field(description="The planned beginning.")
    venue: str = Field(description="Where it is played.")
    stream_url: str = Field(description="Of the broadcast.")
    is_cancelled: bool = Field(description="It will not be played.")
    public_at: Moment | None = Field(description="Results are held back until then.")


class MovedTableDocument(Document):
    """A table that moves."""

    id: Ref = Field(description="The table session's id.")
    before: Moment | None = Field(description="When it was planned.")
    after: Moment | None = Field(description="When it is planned now.")


class SessionMoveDocument(Document):
    """The tables that move with a session, and those that stay."""

    digest: str = Field(description="Of everything that moves and stays.")
    moved: list[MovedTableDocument] = Field(description="With their times.")
    staying: list[Ref] = Field(description="The ids of those that stay: played, running, or cancelled ones.")
    collisions: int = Field(description="The number of collisions that follow.")


class AnnouncementDocument(Document):
    """An announcement."""

    id: Ref = Field(description="The announcement's id.")
    text: str = Field(description="The words.")
    text_en: str = Field(description="In English; may be empty.")
    made_at: Moment = Field(description="The moment it was made.")


class HanchanSeats(Document):
    """The hanchan that changed."""

    hanchan: list[HanchanDocument] = Field(description="With their seats now.")


def planned_session(row: PlannedSession, competition: Competition) -> PlannedSessionDocument:
    """Return a session of a plan."""
    return PlannedSessionDocument(
        number=row.number,
        name=row.name,
        tables=[
            PlannedTableDocument(
                block=table.block.key,
                table=table.table,
                starts_at=moment(table.starts_at, competition),
                numbers=list(table.numbers),
                seats=[[str(entrant.pk) for entrant in seats] for seats in table.seats],
            )
            for table in row.tables
        ],
    )


def schedule_document(plan: SchedulePlan, competition: Competition) -> ScheduleDocument:
    """Return a schedule."""
    return ScheduleDocument(
        digest=plan.digest,
        sessions=[planned_session(row, competition) for row in plan.sessions],
        faults=list(plan.faults),
        waiting=list(plan.waiting),
        later=list(plan.later),
    )


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
    input_class: ClassVar[type[StrictSerializer]] = ScheduleWishesInput

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

    input_class: ClassVar[type[StrictSerializer]] = ScheduleWishesInput
    is_preview = True

    def change(self, values: Checked, by: Actor) -> ScheduleDocument:
        """Plan the schedule."""
        return schedule_document(planned_schedule(self.competition, wishes_of(values)), self.competition)


@describe_write("create_session", NewSessionInput, SessionDocument)
class NewSessionView(OrganizerView):
    """Add a session (節)."""

    creates = True
    input_class: ClassVar[type[StrictSerializer]] = NewSessionInput

    def change(self, values: Checked, by: Actor) -> SessionDocument:
        """Add the session."""
        return single(session_documents(self.reader, [create_session(competition=self.competition, by=by, **values)]))


@describe_write("create_table_session", NewTableInput, TableSessionDocument)
class NewTableView(OrganizerView):
    """Schedule a table with its hanchan."""

    creates = True
    input_class: ClassVar[type[StrictSerializer]] = NewTableInput

    def change(self, values: Checked, by: Actor) -> TableSessionDocument:
        """Schedule the table."""
        session = get_object_or_404(Session, competition=self.competition, pk=values["session"])
        fixture = Fixture(
            block=self.block_of(values["block"]),
            numbers=values["numbers"],
            entrants=self.entrants_of(values["entrants"]),
            table=values["table"],
            starts_at=values.get("starts_at"),
            venue=values["venue"],
            stream_url=values["stream_url"],
            public_at=values.get("public_at"),
        )
        row = create_table_session(session=session, fixture=fixture, by=by)
        return single([table_document(self.reader, played) for played in played_tables(self.reader, [row])])


class OfRowView(OrganizerView):
    """Base of the changes of one row, whose competition follows from it."""

    path_to_competition: ClassVar[str] = "competition"

    @abstractmethod
    def all_rows(self) -> QuerySet[Model]:
        """Return the rows of all competitions; only the competition's id is read from them."""

    def locate(self) -> None:
        """Find the competition of the row. Raise Http404 if there is no such row, or the user may not know of it."""
        rows = self.all_rows().filter(pk=self.kwargs["pk"]).order_by()
        self.find(pk=rows.values_list(self.path_to_competition, flat=True).first())
        # 404, not 403: an outsider must not learn that a row under embargo exists.
        if not self.shown_rows().filter(pk=self.kwargs["pk"]).exists():
            raise Http404

    @abstractmethod
    def shown_rows(self) -> QuerySet[Model]:
        """Return the rows of the competition that the reader may know of."""


class OfSessionView(OfRowView):
    """Base of the changes of a session."""

    def all_rows(self) -> QuerySet[Session]:
        """Return the rows of all competitions."""
        return Session.objects.all()

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

    input_class: ClassVar[type[StrictSerializer]] = MoveSessionInput

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


def move_document(plan: MovePlan, competition: Competition) -> SessionMoveDocument:
    """Return a move."""
    return SessionMoveDocument(
        digest=plan.digest,
        moved=[
            MovedTableDocument(
                id=str(each.table.pk),
                before=moment(each.before.starts_at, competition),
                after=moment(each.after.starts_at, competition),
            )
            for each in plan.moved
        ],
        staying=[str(table.pk) for table, _reason in plan.staying],
        collisions=len(plan.collisions),
    )


@describe_write("draw_seats", DrawInput, HanchanSeats)
class DrawView(OfSessionView):
    """Draw the seats (場決め) at a session's tables, so that all players can repeat the draw."""

    capability: ClassVar[Capability] = Capability.SUBMIT
    input_class: ClassVar[type[StrictSerializer]] = DrawInput

    def change(self, values: Checked, by: Actor) -> HanchanSeats:
        """Draw the seats."""
        return seats_now(self, draw_seats(session=self.session(), draw=SeatDraw(**values), by=by))


def seats_now(view: OrganizerView, rows: Sequence[Hanchan]) -> HanchanSeats:
    """Return hanchan with their seats as they are now."""
    shown = hanchan_shown(view.reader).filter(pk__in=[row.pk for row in rows])
    return HanchanSeats(hanchan=hanchan_documents(view.reader, list(shown), lines=False))


@describe_write("announce", NewAnnouncementInput, AnnouncementDocument)
class AnnouncementsView(OfSessionView):
    """Announce something on the pages and screens of a session."""

    creates = True
    input_class: ClassVar[type[StrictSerializer]] = NewAnnouncementInput

    def change(self, values: Checked, by: Actor) -> AnnouncementDocument:
        """Make the announcement."""
        row = announce(session=self.session(), by=by, **values)
        return AnnouncementDocument.build(row, made_at=moment(row.made_at, self.competition))


@describe_write("take_announcement_down", None, None, method="delete")
class AnnouncementView(OfRowView):
    """Take an announcement down."""

    http_method_names = ["delete", "options"]
    path_to_competition = "session__competition"

    def all_rows(self) -> QuerySet[Announcement]:
        """Return the announcements of all competitions."""
        return Announcement.objects.all()

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


class OfTableView(OfRowView):
    """Base of the changes of a table session."""

    def all_rows(self) -> QuerySet[TableSession]:
        """Return the rows of all competitions."""
        return TableSession.objects.all()

    def shown_rows(self) -> QuerySet[TableSession]:
        """Return the table sessions that the reader may know of."""
        return self.reader.table_sessions()

    def row(self) -> TableSession:
        """Return the table session."""
        rows = TableSession.objects.select_related("competition", "session", "block__stage")
        return get_object_or_404(rows, pk=self.kwargs["pk"])

    def build(self) -> TablePlan:
        """Return what is planned."""
        row = self.row()
        times = {
            "starts_at": moment(row.starts_at, self.competition),
            "public_at": moment(row.public_at, self.competition),
        }
        return TablePlan.build(row, id=str(row.pk), **times)


@describe_get("get_table_plan", TablePlan, refusals=(403,))
@describe_write("edit_table_session", TablePlanChangeInput, TablePlan, method="patch", match=True)
class TablePlanView(OfTableView):
    """Return what is planned for a table. A PATCH changes name, time, place or broadcast, or cancels it."""

    http_method_names = ["get", "head", "patch", "options"]

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change the plan."""
        return self.make_change(TablePlanChangeInput)

    def change(self, values: Checked, by: Actor) -> TablePlan:
        """Change the plan."""
        row = self.row()
        kept = {name: getattr(row, name) for name in TableWords.__dataclass_fields__}
        edit_table_session(table_session=row, words=TableWords(**{**kept, **values}), by=by)
        return self.build()


@describe_write("hold_table_back", HoldBackInput, TablePlan)
class HoldBackView(OfTableView):
    """Hold a table back from the public until a moment, or show it at once."""

    input_class: ClassVar[type[StrictSerializer]] = HoldBackInput

    def change(self, values: Checked, by: Actor) -> TablePlan:
        """Change the embargo."""
        hold_back(table_session=self.row(), until=values["until"], by=by)
        return self.build()


@describe_write("seat_hanchan", ReseatInput, HanchanDocument, method="put")
class SeatsView(OfRowView):
    """Seat entrants at a hanchan that has no result yet, first dealer first."""

    http_method_names = ["put", "options"]
    capability: ClassVar[Capability] = Capability.SUBMIT
    path_to_competition = "table_session__competition"

    def all_rows(self) -> QuerySet[Hanchan]:
        """Return the hanchan of all competitions."""
        return Hanchan.objects.all()

    def shown_rows(self) -> QuerySet[Hanchan]:
        """Return the hanchan that the reader may know of."""
        return self.reader.hanchan()

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Seat the entrants."""
        return self.make_change(ReseatInput)

    def change(self, values: Checked, by: Actor) -> HanchanDocument:
        """Seat the entrants."""
        rows = Hanchan.objects.select_related("block__competition", "table_session", "rules")
        row = get_object_or_404(rows, pk=self.kwargs["pk"])
        seat_players(hanchan=row, entrants=self.entrants_of(values["entrants"]), by=by)
        return single(seats_now(self, [row]).hanchan)


@describe_write("swap_entrants", SwapEntrantsInput, HanchanSeats)
class SwapView(OrganizerView):
    """Swap two entrants of a block in some of its hanchan."""

    input_class: ClassVar[type[StrictSerializer]] = SwapEntrantsInput

    def change(self, values: Checked, by: Actor) -> HanchanSeats:
        """Swap the entrants."""
        one, other = self.entrants_of([values["one"], values["other"]])
        rows = swap_players(block=self.block_of_path(), numbers=values["numbers"], one=one, other=other, by=by)
        return seats_now(self, rows)
