"""Views of tables followed live: the overlay, reading and writing the log, links for scorers and players."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import RowView
from league.api.fields import BoundedListField, IdField, StrictSerializer
from league.api.live.documents import (
    Log,
    TableLinkDocument,
    TableLinks,
    link_document,
    log_document,
)
from league.api.live.link_views import LinkedHanchanView
from league.api.results.entries import MOST_SEATS, OptionsField
from league.api.results.views import HanchanRowView
from league.api.schema import COMMON_STATUSES, LANGUAGE, describe_get, describe_post, problems
from league.api.throttles import ReadThrottle, WriteThrottle
from league.api.writing import Checked
from league.models import Entrant, Hanchan, TableLink, TableSession
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Capability, require
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.live.access import reads_advice
from league.selectors.live.public import known_log, live_state
from league.services.live.links import end_link, make_link
from league.services.live.log import NewEvent, append_events
from league.services.live.log_import import ImportedLog, import_log

MOST_ENTRIES = 2000


class LiveRowView(HanchanRowView):
    """Base of the views of one hanchan followed live; the ETag changes with the log, as far as the user may see it."""

    def open(self, **path: object) -> None:
        """Find the hanchan. Raise Http404 if the user may not know of it."""
        super().open(**path)
        self.row = self.find_row()

    def find_row(self) -> Hanchan:
        """Return the hanchan of the path. Raise Http404 if the user may not know of it."""
        return get_object_or_404(self.rows(), pk=self.kwargs["pk"])

    def rows(self) -> QuerySet[Hanchan]:
        """Return the hanchan that the user may know of, with the related rows that a log needs."""
        return self.reader.hanchan().select_related("block__stage", "table_session", "rules__ruleset")

    def etag(self) -> str:
        """Return an ETag made of the log's newest event, the right to read advice, and the published version."""
        state = live_state(self.reader, self.row)
        return etag_of(self.reader, state, self.may_read_advice(), *self.representation())

    def may_read_advice(self) -> bool:
        """Return True if this user may read which hand each player at the table needs."""
        return reads_advice(self.request, self.reader, self.row.table_session)


class EventInput(StrictSerializer):
    """One event of a log."""

    client_id = serializers.RegexField(r"^[\x21-\x7e]{1,64}$", help_text="Random, the same when it is sent again.")
    kind = serializers.CharField(max_length=32, help_text="`entry`, `undo`, `edit` and so on, as in docs/api.md.")
    payload = serializers.DictField(required=False, default=dict, help_text="The event itself, by its kind.")


class EventsInput(StrictSerializer):
    """Events to append after the last one that the client has seen."""

    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="The `sequence` that was read.")
    events = BoundedListField(child=EventInput(), min_length=1, max_length=100)


class KyokuInput(serializers.Serializer[object]):
    """A kyoku of an exported log; only its score changes are read."""

    changes = BoundedListField(
        child=serializers.IntegerField(),
        allow_null=True,
        max_length=MOST_SEATS,
        help_text="The change of each score by seat.",
    )


class LogInput(StrictSerializer):
    """A complete log for a hanchan without one."""

    seats = BoundedListField(
        child=IdField(), required=False, max_length=8, help_text="Entrants, first dealer first; none: as planned."
    )
    options = OptionsField(required=False, help_text="The table's house options.")
    entries = BoundedListField(
        child=serializers.DictField(), max_length=MOST_ENTRIES, help_text="The entries, as an export has them."
    )
    kyoku = BoundedListField(
        child=KyokuInput(), required=False, max_length=MOST_ENTRIES, help_text="What each hand brought; to be compared."
    )


class LogView(LinkedHanchanView, LiveRowView):
    """Return the log of a hanchan. A POST appends events; events that were stored already are ignored.

    The holder of a link to the table reads it without delay; a scorer's link appends.
    """

    def open(self, **path: object) -> None:
        """Find the hanchan. Raise Http404 for guests' games of an open table, whose prizes are private."""
        found = self.linked_hanchan()
        if found is not None:
            self.row = found
            return
        super().open(**path)
        if self.reader.guards_guests:
            raise Http404

    def write(self, reader: Reader) -> Log:
        """Return the log as far as the user may know it."""
        # The sheet that counts at the version read: a log must not reveal a result under embargo.
        sheet = reader.sheets().filter(hanchan=self.row).first()
        return log_document(reader, known_log(reader, self.row, sheet), sheet)

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Append events, and return the log."""
        self.open(**path)
        self.require_capability(Capability.SUBMIT)
        values: Checked = EventsInput.check(request.data)
        events = [NewEvent(each["client_id"], each["kind"], each["payload"]) for each in values["events"]]
        append_events(hanchan=self.row, events=events, after=values["after"], by=actor_of(request))
        return self.log_response()

    def log_response(self) -> Response:
        """Return the log after a change."""
        self.row = self.rows().get(pk=self.row.pk)
        return Response(self.write(self.reader))


describe_get("get_log", Log)(LogView)
describe_post("append_to_log", EventsInput, Log)(LogView)


@describe_post("import_log", LogInput, Log)
class LogImportView(LogView):
    """Import a complete exported log into a hanchan that has none yet."""

    authentication_classes = LiveRowView.authentication_classes
    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Write the log, and return it."""
        self.open(**path)
        self.require_capability(Capability.SUBMIT)
        values: Checked = LogInput.check(request.data)
        changes = [each["changes"] for each in values["kyoku"]] if "kyoku" in values else None
        log = ImportedLog(values["entries"], values.get("seats"), values.get("options", {}), changes)
        import_log(hanchan=self.row, log=log, by=actor_of(request))
        return self.log_response()


class LinkInput(StrictSerializer):
    """A link to be created."""

    kind = serializers.ChoiceField(TableLink.Kind.choices, help_text="For a scorer, or for a player who confirms.")
    entrant = IdField(required=False, help_text="For a player's link: who confirms.")


class TableRowView(RowView):
    """Base of the views of one table's links, for staff."""

    throttle_classes = [ReadThrottle, WriteThrottle]
    all_rows = TableSession.objects.all()

    def open(self, **path: object) -> None:
        """Find the table. Raise Http404 unless the user is staff."""
        super().open(**path)
        if not self.reader.is_staff:
            raise Http404
        self.row = get_object_or_404(self.reader.table_sessions(), pk=path["pk"])

    def links(self) -> QuerySet[TableLink]:
        """Return the table's links."""
        return TableLink.objects.filter(table_session=self.row).select_related("table_session__competition")

    def etag(self) -> str:
        """Return an ETag made of the links themselves, which no published version covers."""
        state = list(self.links().values_list("pk", "used_at", "ended_at"))
        return etag_of(self.reader, state, *self.representation())

    def write(self, reader: Reader) -> TableLinks:
        """Return all links, newest first."""
        return TableLinks(results=[link_document(link) for link in self.links()])


@describe_get("list_table_links", TableLinks)
@describe_post("make_table_link", LinkInput, TableLinkDocument, status=201)
class LinksView(TableRowView):
    """List the links of a table. A POST creates one; only its response contains the URL."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Create a link."""
        self.open(**path)
        require(actor_of(request), self.reader.competition, Capability.SUBMIT)
        values = LinkInput.check(request.data)
        entrant = Entrant.objects.filter(competition=self.reader.competition, pk=values.get("entrant")).first()
        kind = TableLink.Kind(values["kind"])
        made = make_link(table_session=self.row, kind=kind, entrant=entrant, by=actor_of(request))
        address = absolute_url("pages:table-link", made.token, request=request)
        return Response(link_document(made.link, address), status=201)


@extend_schema_view(
    delete=extend_schema(
        operation_id="end_table_link",
        parameters=[LANGUAGE],
        responses={204: None, **problems(*COMMON_STATUSES, 403, 404, 409)},
    )
)
class LinkView(TableRowView):
    """Revoke one link of a table."""

    http_method_names = ["delete", "options"]

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Revoke the link."""
        self.open(**path)
        link = get_object_or_404(self.links(), pk=path["link"])
        end_link(link=link, by=actor_of(request))
        return Response(status=204)
