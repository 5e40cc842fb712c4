"""Submit the result of a table's log, and make scorer's links for all tables of a session."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.competitions.writes import Checked, CompetitionWriteView
from league.api.fields import AcceptField, StrictSerializer
from league.api.idempotency import OPTIONAL_KEY
from league.api.results.absences import AbsenceView
from league.api.results.documents import Submitted
from league.api.results.views import Done
from league.api.schema import describe_post
from league.api.writing import describe_write
from league.models import Session, TableSession
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.readers import Reader
from league.services.live.links import make_scorer_links
from league.services.live.results import submit_log
from league.web.documents import Document, Ref


class SubmitLogInput(StrictSerializer):
    """The log of a hanchan as it was read."""

    sequence = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="The `sequence` that was read.")
    ended_by_time = serializers.BooleanField(default=False, help_text="True if time was up before the game was over.")
    reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=1000, help_text="Needed if a result counts already."
    )
    accept = AcceptField()


class SubmitLogValues(TypedDict):
    """A validated `SubmitLogInput`."""

    sequence: int
    ended_by_time: bool
    reason: str
    accept: NotRequired[list[str]]


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
class SubmitLogView(AbsenceView):
    """Submit the result of the log; sent again, it returns the sheet made the first time."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Submit the result."""
        hanchan = self.hanchan()
        self.require_capability(Capability.SUBMIT)
        values: SubmitLogValues = SubmitLogInput.check(request.data).validated_data

        def change(by: Actor) -> Done:
            sheet = submit_log(
                hanchan=hanchan,
                sequence=values["sequence"],
                by=by,
                accept=values.get("accept", ()),
                reason=values["reason"],
                ended_by_time=values["ended_by_time"],
            )
            return Done(hanchan, sheet, sheet.confirmed_n or sheet.entered_n)

        return self.run_once(change, 200)


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
