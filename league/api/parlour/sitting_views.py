"""Views of sittings: the tables of a house, opening and closing them, and games followed hand by hand."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from league.api.fields import NothingInput, Query
from league.api.parlour.base import ParlourView, ParlourWriteView
from league.api.parlour.sitting_documents import SittingDocument, SittingsDocument, running_document, sitting_document
from league.api.parlour.sitting_inputs import (
    AcceptInput,
    ChipsInput,
    CloseSittingInput,
    FollowInput,
    OpenSittingInput,
    TakeBackGameInput,
)
from league.api.results.entries import to_ledger_scale
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import Competition, Entrant, Sitting, SittingSeat
from league.platform.errors import RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import open_sittings, running, running_sittings, sittings
from league.selectors.parlour.following import submitted_sheet
from league.selectors.parlour.houses import books_of, played_books
from league.services.parlour.chips import record_sitting_amounts
from league.services.parlour.following import abandon_followed_game, confirm_followed_game, start_followed_game
from league.services.parlour.people import enter_guest
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, open_sitting, reopen_sitting


class SittingsQuery(Query):
    """The sittings of a business day instead of those that are open."""

    day = serializers.DateField(required=False, help_text="A business day; left out: the tables open now.")


class SittingView(ParlourView):
    """Return a sitting with its chairs."""

    def build(self) -> SittingDocument:
        """Return the sitting."""
        return sitting_document(self.sitting(self.kwargs["pk"]))


describe_get("get_sitting", SittingDocument)(SittingView)


class SittingWriteView(ParlourWriteView):
    """Base of the changes of a sitting; each returns the sitting after it."""

    pointers = {"/entrant": "/player", "/seat": "/chair"}

    def build(self) -> SittingDocument:
        """Return the sitting."""
        return sitting_document(self.sitting(self.kwargs["pk"]))

    def guest(self, book: Competition, values: Checked, by: Actor, pointer: str = "/player") -> Guest:
        """Return a person who takes a chair, entered in the book if needed."""
        player = self.player(values["player"], pointer)
        entrant = enter_guest(competition=book, player=player, by=by)
        return Guest(entrant=entrant, is_house=values["is_house"])


@describe_get("list_sittings", SittingsDocument, query=SittingsQuery)
@describe_write("open_sitting", OpenSittingInput, SittingDocument)
class SittingsView(SittingWriteView):
    """List the tables that are open, or all sittings of a business day. A POST opens a table."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    query_class = SittingsQuery
    input_class = OpenSittingInput

    def build(self) -> SittingsDocument:  # type: ignore[override]  # the collection, not one sitting
        """Return the sittings."""
        day = self.query.get("day")
        if day is None:
            tables = open_sittings(played_books(self.parlour))
        else:
            rows = sittings().filter(
                table_session__competition__in=books_of(self.parlour), table_session__session__day=day
            )
            tables = running_sittings(rows.order_by("table_session__competition_id", "table_session__table", "pk"))
        return SittingsDocument(results=[running_document(table) for table in tables])

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Open the table."""
        book = self.book(values.get("book"))
        people = [self.guest(book, each, by, f"/people/{index}") for index, each in enumerate(values["people"])]
        plan = SittingPlan(
            table=values["table"],
            people=people,
            first_dealer=values["first_dealer"],
            kind=Sitting.Kind(values["kind"]),
            chips=Sitting.Chips(values["chips"]),
            options=values["options"],
            yen_per_hour=values.get("per_hour"),
            at=values.get("at"),
        )
        return sitting_document(open_sitting(competition=book, plan=plan, by=by))


@describe_write("close_sitting", CloseSittingInput, SittingDocument, match=True)
class CloseSittingView(SittingWriteView):
    """Close a table; all chairs are freed, and what the guests owe stays due."""

    input_class = CloseSittingInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Close the table."""
        close_sitting(sitting=self.sitting(self.kwargs["pk"]), by=by, **values)
        return self.build()


@describe_write("reopen_sitting", NothingInput, SittingDocument, match=True)
class ReopenSittingView(SittingWriteView):
    """Reopen a table that was closed too early; the guests who sat to the end sit there again."""

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Reopen the table."""
        reopen_sitting(sitting=self.sitting(self.kwargs["pk"]), by=by)
        return self.build()


@describe_write("enter_sitting_chips", ChipsInput, SittingDocument, method="put", match=True)
class SittingChipsView(SittingWriteView):
    """Enter the amounts of a ledger that is counted once for the sitting; they replace those entered before."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Enter the amounts."""
        return self.make_change(ChipsInput)

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Enter the amounts."""
        sitting, ledger = self.sitting(self.kwargs["pk"]), values["ledger"]
        rules = running(sitting).rules
        sat = Entrant.objects.filter(pk__in=SittingSeat.objects.filter(sitting=sitting).values("entrant"))
        entrants = dict(sat.values_list("player", "pk"))
        amounts: dict[int, int] = {}
        pointers: dict[str, str] = {}
        for index, each in enumerate(values["amounts"]):
            player = self.player(each["player"], f"/amounts/{index}/player")
            # 0 is the id of no entrant: the service refuses a person who did not sit here.
            entrant = entrants.get(player.pk, 0)
            if entrant and entrant in amounts:
                message = _("%(name)s is named twice.") % {"name": player}
                raise refuse("named_twice", message, f"/amounts/{index}/player")
            amounts[entrant] = to_ledger_scale(each["amount"], ledger, rules)
            pointers[f"/amounts/{entrant}"] = f"/amounts/{index}/amount"
        try:
            record_sitting_amounts(sitting=sitting, ledger=ledger, amounts=amounts, by=by)
        except RuleViolationError as refused:
            # The service points by entrant; the client sent a list.
            placed = (replace(one, pointer=pointers.get(one.pointer, one.pointer)) for one in refused.findings)
            raise RuleViolationError(*placed) from refused
        return self.build()


@describe_write("start_followed_game", FollowInput, SittingDocument, match=True)
class FollowView(SittingWriteView):
    """Begin the next game, to be followed hand by hand; its log is then kept under its hanchan."""

    input_class = FollowInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Begin the game."""
        hanchan = start_followed_game(
            sitting=self.sitting(self.kwargs["pk"]), first_dealer=values["first_dealer"], by=by
        )
        # After the changeover the sitting goes on in the next day's books, as another row.
        return sitting_document(Sitting.objects.get(table_session=hanchan.table_session_id))


@describe_write("confirm_followed_game", AcceptInput, SittingDocument, match=True)
class ConfirmFollowedView(SittingWriteView):
    """Confirm the result that the table has submitted from its log, so that it counts."""

    capability = Capability.CONFIRM
    input_class = AcceptInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Confirm the result."""
        table = running(self.sitting(self.kwargs["pk"]))
        sheet = submitted_sheet(table.followed) if table.followed is not None else None
        if sheet is None:
            message = _("Table %(table)s has submitted no result.") % {"table": table.table}
            raise conflict("nothing_submitted", message)
        confirm_followed_game(sheet=sheet, by=by, accept=values["accept"])
        return self.build()


@describe_write("abandon_followed_game", TakeBackGameInput, SittingDocument, match=True)
class AbandonFollowedView(SittingWriteView):
    """Abandon the game that is followed, with a reason; the next game can begin."""

    input_class = TakeBackGameInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Abandon the game."""
        abandon_followed_game(sitting=self.sitting(self.kwargs["pk"]), by=by, reason=values["reason"])
        return self.build()
