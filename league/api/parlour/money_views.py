"""Views of the money of a parlour: guests' bills, statements, payments, and the close of a business day."""

from __future__ import annotations

import datetime as dt

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from league.api.fields import NothingInput, Query
from league.api.parlour.base import ParlourView, ParlourWriteView
from league.api.parlour.guest_inputs import (
    CancelInput,
    CloseDayInput,
    ExtraInput,
    PaymentInput,
    ReopenDayInput,
    SettleInput,
    TermsInput,
)
from league.api.parlour.money_documents import (
    BillDocument,
    DayDocument,
    SettledDocument,
    StatementDocument,
    StatementsDocument,
    bill_document,
    day_document,
    statement_document,
    statements_document,
)
from league.api.schema import describe_get
from league.api.writing import Checked, content_tag, describe_write
from league.models import Extra, Player, Statement
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.dues import due_of
from league.selectors.parlour.houses import house_day
from league.services.parlour.days import close_day, reopen_day
from league.services.parlour.statements import add_extra, cancel_extra, cancel_statement, pay_account, settle
from league.services.parlour.terms import set_terms
from league.web.documents import Document
from league.web.problems import not_found
from scoring.charges import Rate


class BillWriteView(ParlourWriteView):
    """Base of the changes of a guest's bill; each returns the bill after it."""

    reads = Capability.SUBMIT

    def guest(self) -> Player:
        """Return the guest, the entry kept after merging. Raise Http404 if the house has none of this id."""
        people = Player.objects.filter(entrants__competition__parlour=self.parlour).distinct()
        return get_object_or_404(people, pk=self.kwargs["player"]).kept

    def build(self) -> BillDocument:
        """Return the bill."""
        player = self.guest()
        return bill_document(self.parlour, player, due_of(self.parlour, player))


@describe_get("get_bill", BillDocument, refusals=(403,))
class BillView(BillWriteView):
    """Return a guest's bill: what no statement holds yet, and the amount on account."""

    http_method_names = ["get", "head", "options"]

    def change(self, values: Checked, by: Actor) -> BillDocument:
        """Return the bill, which is only read here."""
        return self.build()


@describe_write("settle_bill", SettleInput, SettledDocument, match=True)
class SettleView(BillWriteView):
    """Settle up with a guest: a statement holds every open line, and the till takes the total."""

    creates = True
    input_class = SettleInput

    def tag_after(self, document: Document) -> str:
        """Return the ETag of the bill."""
        return content_tag(document.bill if isinstance(document, SettledDocument) else document)

    def change(self, values: Checked, by: Actor) -> SettledDocument:
        """Settle up."""
        statement = settle(parlour=self.parlour, player=self.guest(), by=by, **values)
        return SettledDocument(statement=statement_document(statement) if statement else None, bill=self.build())


@describe_write("preview_settle_bill", SettleInput, SettledDocument, match=True)
class SettlePreviewView(SettleView):
    """Return the statement as it would be made. Nothing is written."""

    is_preview = True


@describe_write("set_guest_terms", TermsInput, BillDocument, match=True)
class TermsView(BillWriteView):
    """Set a guest's rate and stamps from today on."""

    input_class = TermsInput

    def change(self, values: Checked, by: Actor) -> BillDocument:
        """Set the terms."""
        set_terms(parlour=self.parlour, player=self.guest(), rate=Rate(values["rate"]), stamps=values["stamps"], by=by)
        return self.build()


@describe_write("add_extra", ExtraInput, BillDocument, match=True)
class ExtrasView(BillWriteView):
    """Put another item on a guest's bill; a negative amount is a discount."""

    creates = True
    input_class = ExtraInput

    def change(self, values: Checked, by: Actor) -> BillDocument:
        """Add the item."""
        add_extra(parlour=self.parlour, player=self.guest(), by=by, **values)
        return self.build()


@describe_write("cancel_extra", None, BillDocument, method="delete", match=True)
class ExtraView(BillWriteView):
    """Take an item off a guest's bill again; return the bill after it."""

    http_method_names = ["delete", "options"]

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the item off."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> BillDocument:
        """Take the item off."""
        rows = Extra.objects.filter(parlour=self.parlour, player=self.guest())
        cancel_extra(extra=get_object_or_404(rows.select_related("parlour"), pk=self.kwargs["extra"]), by=by)
        return self.build()


@describe_write("pay_account", PaymentInput, BillDocument, match=True)
class PaymentsView(BillWriteView):
    """Take money for what a guest has on account, or give back what the house owes."""

    creates = True
    input_class = PaymentInput

    def change(self, values: Checked, by: Actor) -> BillDocument:
        """Take the money."""
        pay_account(parlour=self.parlour, player=self.guest(), by=by, **values)
        return self.build()


class StatementsQuery(Query):
    """The business day of the statements."""

    day = serializers.DateField(required=False, help_text="A business day; left out: the present one.")


@describe_get("list_statements", StatementsDocument, query=StatementsQuery)
class StatementsView(ParlourView):
    """List the statements of a business day."""

    query_class = StatementsQuery

    def build(self) -> StatementsDocument:
        """Return the statements."""
        return statements_document(self.parlour, self.query.get("day") or house_day(self.parlour))


@describe_get("get_statement", StatementDocument)
class StatementView(ParlourView):
    """Return a statement with its lines."""

    def statement(self) -> Statement:
        """Return the statement. Raise Http404 for an unknown number."""
        rows = Statement.objects.select_related("parlour", "player__merged_into").filter(parlour=self.parlour)
        return get_object_or_404(rows, number=self.kwargs["number"])

    def build(self) -> StatementDocument:
        """Return the statement."""
        return statement_document(self.statement())


@describe_write("cancel_statement", CancelInput, StatementDocument, match=True)
class CancelStatementView(StatementView, ParlourWriteView):
    """Cancel a statement made by mistake: its lines are open again, and its payment is given back."""

    input_class = CancelInput

    def change(self, values: Checked, by: Actor) -> StatementDocument:
        """Cancel the statement."""
        cancel_statement(statement=self.statement(), by=by, reason=values["reason"])
        return self.build()


class DayView(ParlourView):
    """Return a business day: the till, and the games and fees of each rule book."""

    def day(self) -> dt.date:
        """Return the day of the path. Raise ProblemError if it is none."""
        try:
            return dt.date.fromisoformat(self.kwargs["date"])
        except ValueError as error:
            raise not_found(_("There is no such day.")) from error

    def build(self) -> DayDocument:
        """Return the day."""
        return day_document(self.parlour, self.day())


describe_get("get_day", DayDocument)(DayView)


@describe_write("close_day", CloseDayInput, DayDocument, match=True)
class CloseDayView(DayView, ParlourWriteView):
    """Close a business day of all rule books; what guests owe goes on account if that is accepted."""

    capability = Capability.CONFIRM
    input_class = CloseDayInput

    def change(self, values: Checked, by: Actor) -> DayDocument:
        """Close the day."""
        close_day(parlour=self.parlour, day=self.day(), by=by, **values)
        return self.build()


@describe_write("preview_close_day", CloseDayInput, DayDocument, match=True)
class CloseDayPreviewView(CloseDayView):
    """Return a business day as it would be closed. Nothing is written."""

    is_preview = True


@describe_write("reopen_day", ReopenDayInput, DayDocument, match=True)
class ReopenDayView(DayView, ParlourWriteView):
    """Reopen a closed day's books, with a reason; the figures of the close stay on record."""

    capability = Capability.CORRECT
    input_class = ReopenDayInput

    def change(self, values: Checked, by: Actor) -> DayDocument:
        """Reopen the day."""
        reopen_day(parlour=self.parlour, day=self.day(), by=by, reason=values["reason"])
        return self.build()
