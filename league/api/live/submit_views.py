"""Submit the result of a table's log, and make scorer's links for all tables of a session."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import held_link
from league.api.competitions.writes import CompetitionWriteView
from league.api.fields import AcceptField, OptionalTextField, StrictSerializer
from league.api.idempotency import OPTIONAL_KEY
from league.api.live.link_views import LinkedHanchanView
from league.api.results.documents import Submitted
from league.api.results.views import ChangingView, Done, sheets_with_seats
from league.api.schema import describe_post
from league.api.writing import Checked, describe_write
from league.models import ResultSheet, Session, TableSession
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan
from league.services.access.idempotency import Claim
from league.services.live.links import make_scorer_links
from league.services.live.results import submit_log
from league.web.documents import Document, Ref


class SubmitLogInput(StrictSerializer):
    """The log of a hanchan as it was read."""

    sequence = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="The `sequence` that was read.")
    ended_by_time = serializers.BooleanField(default=False, help_text="True if time was up before the game was over.")
    reason = OptionalTextField(max_length=1000, help_text="Needed if a result counts already.")
    accept = AcceptField()


class ScorerLinksInput(StrictSerializer):
    """Links for the scorers of all tables of a session."""

    ends_earlier = serializers.BooleanField(default=False, help_text="True ends the links made before.")


class ScorerLink(Document):
    """A new link of a table. It is shown once; the server keeps only its digest."""

    table_session: Ref = Field(description="The table session's id.")
    table: str = Field(description="The table's name.")
    url: str = Field(description="The address of the score sheet.")


class ScorerLinks(Document):
    """New links, one for each table of the session that still plays."""

    results: list[ScorerLink] = Field(description="The links.")


@describe_post("submit_log", SubmitLogInput, Submitted, headers=(OPTIONAL_KEY,))
class SubmitLogView(LinkedHanchanView, ChangingView):
    """Submit the result of the log; sent again, it returns the sheet made the first time.

    A scorer's link to the table may submit.
    """

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Submit the result."""
        hanchan = self.changeable_hanchan(Capability.SUBMIT)
        values = SubmitLogInput.check(request.data)

        def change(by: Actor) -> Done:
            sheet = submit_log(hanchan=hanchan, by=by, **values)
            return Done(hanchan, sheet, sheet.confirmed_n or sheet.entered_n)

        return self.run_once(change)

    def claim(self) -> Claim | None:
        """Claim the idempotency key of a user; keys belong to users, and a link's holder needs none."""
        return None if held_link(self.request) else super().claim()

    def sheet_left(self, played: PlayedHanchan, reader: Reader, pk: int) -> ResultSheet:
        """Return the sheet that the submission left; blind entry hides it from other readers, not from its table."""
        if held_link(self.request):
            return sheets_with_seats(played.hanchan).get(pk=pk)
        return super().sheet_left(played, reader, pk)


@describe_write("make_scorer_links", ScorerLinksInput, ScorerLinks)
class ScorerLinksView(CompetitionWriteView):
    """Make a scorer's link for each table of a session that still plays."""

    capability = Capability.SUBMIT
    creates = True
    returns_secret = True
    input_class = ScorerLinksInput

    def write(self, reader: Reader) -> Document:
        """Return an empty list, since links are shown once."""
        return ScorerLinks(results=[])

    def change(self, values: Checked, by: Actor) -> Document:
        """Make the links."""
        session = get_object_or_404(Session, competition=self.competition, pk=self.kwargs["pk"])
        tables = TableSession.objects.filter(session=session).select_related("competition").order_by("order", "pk")
        made = make_scorer_links(tables=list(tables), by=by, ends_earlier=values["ends_earlier"])
        rows = [
            ScorerLink(
                table_session=str(new.link.table_session_id),
                table=new.link.table_session.table,
                url=absolute_url("pages:table-link", new.token, request=self.request),
            )
            for new in made
        ]
        return ScorerLinks(results=rows)
