"""Views of the guests of a parlour: finding and entering them, the waiting list, and merging two entries."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from league.api.fields import NothingInput, Query
from league.api.parlour.base import ParlourView, ParlourWriteView
from league.api.parlour.documents import (
    GuestLinkDocument,
    GuestRow,
    GuestsDocument,
    WaitingDocument,
    WaitingListDocument,
    guest_row,
    waiting_document,
)
from league.api.parlour.guest_inputs import GuestInput, MergeInput, SeatWaitingInput, WaitingInput
from league.api.parlour.sitting_documents import SittingDocument, sitting_document
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import Entrant, Player, WaitingGuest
from league.platform.errors import refuse
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import open_sittings, waiting_list
from league.selectors.parlour.guests import find_guests
from league.selectors.parlour.houses import played_books
from league.selectors.parlour.waits import WaitingLine, waiting_lines
from league.services.parlour.people import (
    add_guest,
    add_waiting,
    drop_waiting,
    enter_guest,
    merge_players,
    seat_waiting,
)
from league.web.access.guest_links import guest_token


class GuestsQuery(Query):
    """A search for guests."""

    search = serializers.CharField(
        max_length=100, required=False, help_text="A name, reading or number; left out: the guests who sit now."
    )


@describe_get("list_guests", GuestsDocument, query=GuestsQuery)
@describe_write("enter_guest", GuestInput, GuestRow)
class GuestsView(ParlourWriteView):
    """Find guests, or list those who sit now. A POST enters a guest, or adds a new one."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    query_class = GuestsQuery
    input_class = GuestInput

    def tables(self) -> dict[int, str]:
        """Return the names of the tables by the players who sit there."""
        tables = open_sittings(played_books(self.parlour))
        return {seat.entrant.player_id: table.table for table in tables for seat in table.seated}

    def build(self) -> GuestsDocument:
        """Return the guests that were found, or those who sit now."""
        tables, text = self.tables(), self.query.get("search")
        if text is None:
            here = Entrant.objects.filter(competition__parlour=self.parlour, player__in=tables)
            people = {row.player_id: row for row in here.select_related("player").order_by("number")}
            found = [guest_row(row.player, row, tables) for row in people.values()]
        else:
            found = [guest_row(each.player, each.entrant, tables) for each in find_guests(self.parlour.pk, text)]
        return GuestsDocument(results=found)

    def change(self, values: Checked, by: Actor) -> GuestRow:
        """Enter the guest."""
        book = self.book(values.get("book"))
        if values.get("player"):
            entrant = enter_guest(competition=book, player=self.player(values["player"]), by=by)
        elif not values.get("name", "").strip():
            raise refuse("name_needed", _("Name a known player by id, or give the name of a new guest."), "/name")
        else:
            names = {"name": values["name"], "name_kana": values["kana"], "number": values["number"]}
            entrant = add_guest(competition=book, by=by, **names)
        return guest_row(entrant.player, entrant, self.tables())


@describe_get("get_guest_link", GuestLinkDocument)
class GuestLinkView(ParlourView):
    """Return the address of a guest's own page, to be given to the guest."""

    def build(self) -> GuestLinkDocument:
        """Return the address."""
        people = Player.objects.filter(erased_at=None, entrants__competition__parlour=self.parlour).distinct()
        player = get_object_or_404(people.select_related("merged_into"), pk=self.kwargs["player"])
        token = guest_token(self.parlour, player.kept)
        return GuestLinkDocument(url=absolute_url("pages:guest", token, request=self.request))


@describe_write("merge_guests", MergeInput, GuestsDocument)
class MergeView(ParlourWriteView):
    """Merge two entries of one person: everything of the duplicate counts for the kept entry."""

    capability = Capability.MANAGE
    input_class = MergeInput

    def build(self) -> GuestsDocument:
        """Return an empty list, since two entries have no document of their own."""
        return GuestsDocument(results=[])

    def change(self, values: Checked, by: Actor) -> GuestsDocument:
        """Merge the entries."""
        people = Player.objects.filter(entrants__competition__parlour=self.parlour).distinct()
        duplicate = people.filter(pk=values["duplicate"]).first()
        keep = Player.objects.filter(pk=values["keep"]).first()
        if duplicate is None or keep is None:
            pointer = "/keep" if duplicate else "/duplicate"
            raise refuse("unknown_player", _("There is no such player."), pointer)
        merge_players(duplicate=duplicate, keep=keep, by=by, reason=values["reason"])
        entrant = Entrant.objects.filter(competition__parlour=self.parlour, player=keep).first()
        return GuestsDocument(results=[guest_row(keep, entrant, {})])


class WaitingListView(ParlourWriteView):
    """Base of the views of the waiting list."""

    def lines(self) -> list[WaitingLine]:
        """Return the waiting list."""
        books = played_books(self.parlour)
        return waiting_lines(waiting_list(books), open_sittings(books))

    def build(self) -> WaitingListDocument:
        """Return the waiting list."""
        return WaitingListDocument(results=[waiting_document(line) for line in self.lines()])


@describe_get("list_waiting", WaitingListDocument)
@describe_write("add_waiting", WaitingInput, WaitingDocument)
class WaitingView(WaitingListView):
    """List the guests who wait for a seat, with the expected waits. A POST adds one, alone or with company."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = WaitingInput

    def change(self, values: Checked, by: Actor) -> WaitingDocument:
        """Add the guest."""
        row = add_waiting(
            competition=self.book(values.get("book")),
            player=self.player(values["player"]),
            by=by,
            party=values["party"],
            wish=values["wish"],
            at=values.get("at"),
        )
        return next(waiting_document(line) for line in self.lines() if line.row.pk == row.pk)


class WaitingRowView(WaitingListView):
    """Base of the changes of one row of the waiting list."""

    def row(self) -> WaitingGuest:
        """Return the row. Raise Http404 for an unknown id."""
        rows = WaitingGuest.objects.filter(competition__parlour=self.parlour)
        return get_object_or_404(rows.select_related("competition", "player"), pk=self.kwargs["pk"])


@describe_write("drop_waiting", None, WaitingListDocument, method="delete")
class DropWaitingView(WaitingRowView):
    """Remove a guest from the waiting list, because they have left; return the list after it."""

    http_method_names = ["delete", "options"]

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Remove the guest."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> WaitingListDocument:
        """Remove the guest."""
        drop_waiting(waiting=self.row(), by=by)
        return self.build()


@describe_write("seat_waiting", SeatWaitingInput, SittingDocument)
class SeatWaitingView(WaitingRowView):
    """Seat one of a waiting party on an empty chair; the rest of the party waits on."""

    input_class = SeatWaitingInput
    pointers = {"/entrant": "/player", "/seat": "/chair"}

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Seat the guest."""
        sitting, other = self.sitting(values["sitting"]), values.get("player")
        player = self.player(other) if other else None
        seat_waiting(waiting=self.row(), sitting=sitting, seat=values["chair"], by=by, player=player)
        return sitting_document(self.sitting(sitting.pk))
