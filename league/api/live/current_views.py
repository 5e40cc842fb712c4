"""Views of the current state of a live table, which overlays poll and the stream sends."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from league.api.live.documents import LiveDocument, live_document
from league.api.live.views import LiveRowView
from league.api.schema import describe_get
from league.models import Hanchan, TableSession
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.live.access import may_read_advice
from league.selectors.live.advice import advice_of
from league.selectors.live.lookup import OF_HANCHAN, OF_TABLE, LiveMark, current_first, public_mark
from league.selectors.live.public import live_of, live_state
from league.web.response_cache import SHARED_BRIEFLY


class LiveDocumentView(LiveRowView):
    """Base of the views of the current state of a table, which overlays poll; the stream reads them too."""

    is_cached = True
    shared_as = SHARED_BRIEFLY
    reads_replica = False
    public_query: ClassVar[str]
    mark: LiveMark | None = None

    def open(self, **path: object) -> None:
        """Find the hanchan, for a client without any session in one query."""
        if not is_without_session(self.request):
            super().open(**path)
            return
        self.mark = public_mark(self.public_query, self.kwargs["pk"])
        if self.mark is None:
            raise Http404
        self.reader = self.mark.reader

    def etag(self) -> str:
        """Return an ETag made of the hanchan, its log's newest event, the advice, and the published version."""
        if self.mark is None:
            pk, state = self.row.pk, live_state(self.reader, self.row)
        else:
            pk, state = self.mark.hanchan_id, self.mark.state
        return etag_of(self.reader, pk, state, self.may_read_advice(), *self.representation())

    def may_read_advice(self) -> bool:
        """Return True if this client may read the advice; without a session it holds no link to the table."""
        if self.mark is None:
            return super().may_read_advice()
        return may_read_advice(self.reader.competition, is_staff=False, has_link=False)

    def write(self, reader: Reader) -> LiveDocument:
        """Return the document for overlays."""
        if self.mark is not None:
            self.row = get_object_or_404(self.rows(), pk=self.mark.hanchan_id)
        live = live_of(reader, self.row)
        may = live.is_running and self.may_read_advice()
        return live_document(live, advice_of(live.log, reader) if may else None)


def is_without_session(request: Request) -> bool:
    """Return True for a client without a token, and without a session, which may hold links to tables."""
    return "Authorization" not in request.headers and settings.SESSION_COOKIE_NAME not in request.COOKIES


@describe_get("get_live_hanchan", LiveDocument)
class LiveView(LiveDocumentView):
    """Return the current state of a hanchan: scores, places if the game ended here, league points, riichi.

    Designed for polling every second.
    """

    public_query = OF_HANCHAN


@describe_get("get_live_table", LiveDocument)
class LiveTableView(LiveDocumentView):
    """Return the current state of a table: of its first hanchan that is not over, else of its last.

    Designed for polling every second; `stream/` below it sends each change at once where the installation has it.
    """

    public_query = OF_TABLE
    path_to_competition, path_to_release = "competition", "is_released"
    all_rows = TableSession.objects.all()

    def find_row(self) -> Hanchan:
        """Return the table's current hanchan. Raise Http404 if the user may know of none."""
        row = current_first(self.rows().filter(table_session=self.kwargs["pk"])).first()
        if row is None:
            raise Http404
        return row
