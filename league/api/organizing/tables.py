"""Tables and seats for organizers: scheduling a table, its plan and embargo, seating and swapping entrants."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.competitions.hanchan_documents import HanchanDocument
from league.api.competitions.schedule_documents import TableSessionDocument
from league.api.competitions.schedule_views import single, table_documents
from league.api.organizing.base import OrganizerView
from league.api.organizing.rows import OfRowView, seats_now
from league.api.organizing.schedule_documents import HanchanSeats, TablePlan
from league.api.organizing.schedule_inputs import (
    HoldBackInput,
    NewTableInput,
    ReseatInput,
    SwapEntrantsInput,
    TablePlanChangeInput,
)
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import Hanchan, Session, TableSession
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.competitions.schedule import Fixture, create_table_session, hold_back, seat_players
from league.services.competitions.seating import swap_players
from league.web.document_parts import moment


@describe_write("create_table_session", NewTableInput, TableSessionDocument)
class NewTableView(OrganizerView):
    """Schedule a table with its hanchan."""

    creates = True
    input_class = NewTableInput

    def change(self, values: Checked, by: Actor) -> TableSessionDocument:
        """Schedule the table."""
        session = Session.objects.filter(competition=self.competition, pk=values["session"]).first()
        if session is None:
            raise refuse("unknown_session", _("There is no such session."), "/session")
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
        return single(table_documents(self.reader, [row]))


class OfTableView(OfRowView):
    """Base of the changes of a table session."""

    all_rows = TableSession.objects.all()

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

    input_class = HoldBackInput

    def change(self, values: Checked, by: Actor) -> TablePlan:
        """Change the embargo."""
        hold_back(table_session=self.row(), until=values["until"], by=by)
        return self.build()


@describe_write("seat_hanchan", ReseatInput, HanchanDocument, method="put")
class SeatsView(OfRowView):
    """Seat entrants at a hanchan that has no result yet, first dealer first."""

    http_method_names = ["put", "options"]
    capability = Capability.SUBMIT
    path_to_competition = "table_session__competition"
    all_rows = Hanchan.objects.all()

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

    input_class = SwapEntrantsInput

    def change(self, values: Checked, by: Actor) -> HanchanSeats:
        """Swap the entrants."""
        one, other = self.entrants_of([values["one"], values["other"]])
        rows = swap_players(block=self.block_of_path(), numbers=values["numbers"], one=one, other=other, by=by)
        return seats_now(self, rows)
