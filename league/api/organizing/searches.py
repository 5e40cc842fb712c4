"""The first page of the service, and searches for more even seatings, over REST."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpResponse
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.fields import StrictSerializer
from league.api.organizing.base import OrganizerView
from league.api.organizing.schedule import wishes_of
from league.api.organizing.schedule_inputs import ScheduleWishesInput
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import SeatingSearch
from league.selectors.access.actors import Actor
from league.services.competitions.first_page import set_first_page
from league.services.competitions.seating_searches import improve_seating, stop_searches
from league.web.documents import Document, Ref


class FirstPageInput(StrictSerializer):
    """The choice of the competition that the service's root address leads to."""

    is_first_page = serializers.BooleanField(help_text="True takes the place of any other competition.")


class FirstPageDocument(Document):
    """The choice of the competition that the service's root address leads to."""

    is_first_page: bool = Field(description="True if it does.")


class SeatingSearchDocument(Document):
    """A search for a more even seating of one block."""

    id: Ref = Field(description="The search's id.")
    players: int = Field(description="The number of players of the block.")
    done: int = Field(description="The steps that are done.")
    total: int = Field(description="The steps after which it ends.")
    state: SeatingSearch.State = Field(description="The progress.")
    is_improved: bool = Field(description="A seating other than the first has been found, which is more even.")


class SeatingSearchesDocument(Document):
    """Searches for more even seatings."""

    searches: list[SeatingSearchDocument] = Field(description="In the order in which they were begun.")


@describe_get("get_first_page", FirstPageDocument, refusals=(403,))
@describe_write("set_first_page", FirstPageInput, FirstPageDocument, method="put", match=True)
class FirstPageView(OrganizerView):
    """Return whether the service's root address leads to the competition. A PUT changes it.

    Changing it also needs the right to add competitions, since the address belongs to all of them.
    """

    http_method_names = ["get", "head", "put", "options"]

    def build(self) -> FirstPageDocument:
        """Return the present state."""
        return FirstPageDocument(is_first_page=self.competition.is_first_page)

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Make the competition the first page of the service, or no longer."""
        return self.make_change(FirstPageInput)

    def change(self, values: Checked, by: Actor) -> FirstPageDocument:
        """Choose the first page."""
        set_first_page(competition=self.competition, is_first=values["is_first_page"], by=by)
        return self.build()


@describe_get("list_seating_searches", SeatingSearchesDocument, refusals=(403,))
@describe_write("improve_seating", ScheduleWishesInput, SeatingSearchesDocument)
@describe_write("stop_seating_searches", None, None, method="delete")
class SeatingSearchesView(OrganizerView):
    """List the searches for more even seatings. A POST begins them for a schedule that is planned; a DELETE stops them.

    A search goes on in the background for some minutes. The schedule planned with the same wishes takes what was
    found, once the search has ended or was stopped: preview it again for its digest.
    """

    http_method_names = ["get", "head", "post", "delete", "options"]
    creates = True
    input_class = ScheduleWishesInput

    def build(self) -> SeatingSearchesDocument:
        """Return all searches of the competition."""
        return searches_document(SeatingSearch.objects.filter(competition=self.competition).order_by("pk"))

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Begin a search for each block whose planned seating may be more even; return these searches."""
        return self.make_change(ScheduleWishesInput)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Stop the searches and keep what they have found."""
        return self.make_change(StrictSerializer)

    def change(self, values: Checked, by: Actor) -> SeatingSearchesDocument | None:
        """Begin the searches, or stop them."""
        if self.request.method == "DELETE":
            stop_searches(competition=self.competition, by=by)
            return None
        return searches_document(improve_seating(competition=self.competition, wishes=wishes_of(values), by=by))


def searches_document(rows: Iterable[SeatingSearch]) -> SeatingSearchesDocument:
    """Return searches with their progress."""
    return SeatingSearchesDocument(
        searches=[SeatingSearchDocument.build(row, is_improved=row.best != row.start) for row in rows]
    )
