"""Views of the house itself: the parlours of the caller, a parlour with its books and tables, and its fees."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import NothingInput
from league.api.parlour.base import ParlourWriteView
from league.api.parlour.documents import (
    ParlourDocument,
    ParlourRow,
    ParloursDocument,
    TariffsDocument,
    parlour_document,
    tariffs_document,
)
from league.api.parlour.house_inputs import (
    BookInput,
    HouseTableInput,
    HouseWordsInput,
    NewParlourInput,
    SetTariffInput,
)
from league.api.schema import describe_get
from league.api.writing import Checked, ContentView, WritingView, describe_write
from league.models import ParlourTable
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.houses import parlours_of
from league.services.competitions.setup import refuse_strangers
from league.services.parlour.following import renew_table_code
from league.services.parlour.setup import (
    BookPlan,
    HouseWords,
    ParlourPlan,
    TablePlan,
    add_book,
    add_table,
    edit_parlour,
    edit_table,
    remove_table,
    set_up_parlour,
)
from league.services.parlour.tariffs import TariffPlan, set_tariff
from scoring.charges import Tariff


def book_plan(values: Mapping[str, Any]) -> BookPlan:
    """Return the plan of a rule book to be offered."""
    fees = values.get("tariff")
    return BookPlan(
        ruleset=values["ruleset"], options=values["options"], tariff=None if fees is None else Tariff(**fees)
    )


@describe_get("list_parlours", ParloursDocument, missing=False)
@describe_write("set_up_parlour", NewParlourInput, ParlourDocument)
class ParloursView(ContentView, WritingView):
    """List the parlours that the caller works for. A POST creates one with its rule books, tables and fees.

    Creating needs the right to add competitions, which a restricted token never has.
    """

    creates = True
    pointers = {"/ruleset": "/books"}

    def open(self, **path: object) -> None:
        """Read the parlours."""
        rows = parlours_of(self.request.user)
        self.found = ParloursDocument(results=[ParlourRow.build(row) for row in rows])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Create the parlour."""
        refuse_strangers(actor_of(request))
        values: Checked = NewParlourInput.check(request.data or {})
        plan = ParlourPlan(
            slug=values["slug"],
            name=values["name"],
            name_en=values["name_en"],
            books=[book_plan(each) for each in values["books"]],
            tables=[TablePlan(name=each["name"], usual_book=each["usual_book"]) for each in values["tables"]],
            currency=values["currency"],
            time_zone=values["time_zone"],
            day_starts_at=values["day_starts_at"],
            is_public=values["is_public"],
        )
        return self.run_once(lambda by: parlour_document(set_up_parlour(plan=plan, by=by)), HTTPStatus.CREATED)


class HouseView(ParlourWriteView):
    """Base of the settings of a parlour; each change returns the parlour after it."""

    capability = Capability.MANAGE

    def build(self) -> ParlourDocument:
        """Return the parlour."""
        self.parlour.refresh_from_db()
        return parlour_document(self.parlour)

    def house_table(self) -> ParlourTable:
        """Return the table of the path. Raise Http404 for an unknown id."""
        rows = ParlourTable.objects.filter(parlour=self.parlour)
        return get_object_or_404(rows.select_related("parlour"), pk=self.kwargs["house_table"])


@describe_get("get_parlour", ParlourDocument)
@describe_write("edit_parlour", HouseWordsInput, ParlourDocument, method="put", match=True)
class ParlourDetailView(HouseView):
    """Return a parlour with its rule books and tables. A PUT changes names, business day and public rankings."""

    http_method_names = ["get", "head", "put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Change the settings."""
        return self.make_change(HouseWordsInput)

    def change(self, values: Checked, by: Actor) -> ParlourDocument:
        """Change the settings."""
        edit_parlour(parlour=self.parlour, words=HouseWords(**values), by=by)
        return self.build()


@describe_write("add_book", BookInput, ParlourDocument, match=True)
class BooksView(HouseView):
    """Offer one more rule book, with the parlour's staff, business day and public ranking."""

    creates = True
    input_class = BookInput

    def require_right(self) -> None:
        """Raise PermissionRefusedError also without the right to add competitions."""
        super().require_right()
        refuse_strangers(actor_of(self.request))

    def change(self, values: Checked, by: Actor) -> ParlourDocument:
        """Offer the book."""
        add_book(parlour=self.parlour, plan=book_plan(values), by=by)
        return self.build()


@describe_write("add_house_table", HouseTableInput, ParlourDocument, match=True)
class HouseTablesView(HouseView):
    """Add a table to the house."""

    creates = True
    input_class = HouseTableInput
    pointers = {"/book": "/usual_book"}

    def change(self, values: Checked, by: Actor) -> ParlourDocument:
        """Add the table."""
        usual = self.book(values["usual_book"]) if values["usual_book"] else None
        add_table(parlour=self.parlour, name=values["name"], usual_book=usual, by=by)
        return self.build()


@describe_write("edit_house_table", HouseTableInput, ParlourDocument, method="put", match=True)
@describe_write("remove_house_table", None, ParlourDocument, method="delete", match=True)
class HouseTableView(HouseView):
    """Rename a table or change its usual rule book. A DELETE takes it out of the house; its games stay."""

    http_method_names = ["put", "delete", "options"]
    pointers = {"/book": "/usual_book"}

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Change a table of the house; its fees go with its name."""
        return self.make_change(HouseTableInput)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take a table out of the house; its games stay, and its printed code is worthless from now on."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> ParlourDocument:
        """Change or remove the table."""
        table = self.house_table()
        if self.request.method == "DELETE":
            remove_table(table=table, by=by)
        else:
            usual = self.book(values["usual_book"]) if values["usual_book"] else None
            edit_table(table=table, name=values["name"], usual_book=usual, by=by)
        return self.build()


@describe_write("renew_house_table_code", NothingInput, ParlourDocument)
class RenewCodeView(HouseView):
    """Make all printed codes of a table worthless, also on phones that have scanned one."""

    def change(self, values: Checked, by: Actor) -> ParlourDocument:
        """Renew the code."""
        renew_table_code(table=self.house_table(), by=by)
        return self.build()


@describe_get("list_tariffs", TariffsDocument)
@describe_write("set_tariff", SetTariffInput, TariffsDocument, match=True)
class TariffsView(ParlourWriteView):
    """List the fees that were set, the newest first. A POST sets fees from a business day on."""

    http_method_names = ["get", "head", "post", "options"]
    capability = Capability.MANAGE
    creates = True
    input_class = SetTariffInput

    def build(self) -> TariffsDocument:
        """Return the fees."""
        return tariffs_document(self.parlour)

    def change(self, values: Checked, by: Actor) -> TariffsDocument:
        """Set the fees."""
        given = dict(values)
        book, table, from_day = given.pop("book"), given.pop("table"), given.pop("from_day")
        plan = TariffPlan(
            from_day=from_day, table=table, book=self.book(book) if book else None, tariff=Tariff(**given)
        )
        set_tariff(parlour=self.parlour, plan=plan, by=by)
        return self.build()
