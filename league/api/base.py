"""What every address has in common: validation, problems, tags before rendering, caching and sharing headers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import condition
from rest_framework.exceptions import NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.fields import LARGEST_PAGE, PagedQuery, Query
from league.api.throttles import MinuteThrottle
from league.models import Block, Stage
from league.selectors.access.etags import etag, etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.access.snapshots import read_steadily
from league.web.problems import Problem, ProblemError, ProblemResponse, error, unstorable_errors
from league.web.response_cache import PRIVATE, SHARED, Render, cached_response
from league.web.visitors import is_signed_in

VARY = ("Accept", "Accept-Language", "Authorization", "Cookie")
READING = ("GET", "HEAD")
Row = TypeVar("Row", Stage, Block)
PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
EXPOSED = "ETag, Content-Language, Retry-After"
NOBODY = AnonymousUser()


def is_anonymous(request: HttpRequest) -> bool:
    """Whether nobody in particular asks: no token, good or bad, and no session."""
    return "Authorization" not in request.headers and not is_signed_in(request)


class JsonParser(JSONParser):
    """One JSON document that can be kept; nesting deeper than Python reads is malformed, not our fault."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """The document."""
        try:
            document = super().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError(_("The document is nested too deeply.")) from deep
        if errors := unstorable_errors(document):
            raise ProblemError("invalid_request", errors=errors)
        return document


class Negotiation(DefaultContentNegotiation):
    """As usual, but an unknown `format` is a representation that does not exist, not an address."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002
        """The renderers of that format."""
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            raise NotAcceptable
        return found


class Pages(PageNumberPagination):
    """Page numbers; `page_size` up to 200."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE


class ApiView(APIView):
    """An address of the API."""

    parser_classes = [JsonParser]
    content_negotiation_class = Negotiation
    query_class: ClassVar[type[Query]] = Query
    query: dict[str, Any]

    @cached_property
    def throttles(self) -> list[MinuteThrottle]:
        """The throttles of this request."""
        return [cast("MinuteThrottle", throttle()) for throttle in self.throttle_classes]

    def get_throttles(self) -> Any:
        """The same ones each time they are asked for: they know what they counted."""
        return self.throttles

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check who asks, how often, and the query, before anything is looked up.

        A preflight carries the query of the GET it is for, so OPTIONS refuses none.
        """
        super().initial(request, *args, **kwargs)
        if request.method == "OPTIONS":
            return
        if request.method not in READING:
            request.body  # noqa: B018 - read here, so that one too large is refused before it is parsed
        query_class = self.query_class if request.method in READING else Query
        self.query = query_class.read(dict(request.query_params.lists()))

    def finalize_response(self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any) -> Any:
        """Say who may keep the answer, for how long, and which pages may read it."""
        if response.status_code == 412 and not isinstance(response, ProblemResponse):  # noqa: PLR2004
            response = ProblemResponse(Problem("stale_revision"), instance=request.path)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            for throttle in self.throttles:
                throttle.forgive()
        response = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        is_for_everybody = is_anonymous(request)
        if "Cache-Control" not in response.headers:
            kept = SHARED if is_for_everybody else PRIVATE
            response.headers["Cache-Control"] = kept if request.method in READING else "no-store"
        patch_vary_headers(response, VARY)
        if is_for_everybody and request.method in READING:
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
        return response

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """What may be done here; pages of other hosts may read, and nothing else."""
        asked = request.headers.get("Access-Control-Request-Method", "")
        return HttpResponse(status=204, headers=PREFLIGHT if asked in READING else {})


class DocumentView(ApiView, ABC):
    """A document with a strong tag that is known before the document is made.

    A GET runs three steps: `open` finds what is read, or raises Http404; `etag` tells from that alone whether the
    client has the answer already; `document` makes it.
    """

    def get(self, request: Request, **path: Any) -> HttpResponseBase:
        """The document, or 304 if the client has it."""
        self.form = request.accepted_renderer.format

        def read() -> tuple[str, Render]:
            self.open(**path)
            return self.etag(), self.rendered

        if self.is_cached and is_anonymous(request):
            return cached_response(request, read, is_shared=True)
        tag, _render = read()
        answer = condition(etag_func=lambda _request, **_named: tag)(self.answer)
        response: HttpResponseBase = answer(request, tag=tag)
        return response

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """The document as the client wants it written."""
        return Response(self.document())

    def rendered(self) -> HttpResponse:
        """The document, written: the same for all who read anonymously, since it is a function of the tag."""
        renderer = self.request.accepted_renderer
        written = renderer.render(self.document(), self.request.accepted_media_type, self.get_renderer_context())
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        return HttpResponse(written, content_type=f"{renderer.media_type}{charset}")

    form: str = ""
    """The form in which it is asked for, once that is known."""
    is_cached: ClassVar[bool] = False
    """Whether many read the document."""

    @abstractmethod
    def open(self, **path: Any) -> None:
        """Find what is read."""

    @abstractmethod
    def etag(self) -> str:
        """The tag of what was found."""

    @abstractmethod
    def document(self) -> Any:
        """The document of what was found."""

    def representation(self) -> list[Any]:
        """Which document in which form is asked for."""
        form = self.form or self.request.accepted_renderer.format
        return [type(self).__name__, self.kwargs, self.query, form, self.request.get_host()]

    def page_of(self, rows: QuerySet[Any] | Sequence[Any], write: Any) -> dict[str, Any]:
        """One page of the rows, each written by `write` (given the page's rows at once)."""
        pages = Pages()
        found = pages.paginate_queryset(rows, self.request, view=self)
        return {
            "count": pages.page.paginator.count if pages.page else 0,
            "next": pages.get_next_link(),
            "previous": pages.get_previous_link(),
            "results": write(found),
        }


class CompetitionView(DocumentView):
    """A document of one competition, read as of its published version."""

    reader: Reader

    def open(self, **path: Any) -> None:
        """The competition named in the path or in the query."""
        self.find(slug=path.get("slug") or self.query["competition"])

    def find(self, **lookup: Any) -> None:
        """The competition, if the visitor may know of it."""
        if "slug" in lookup and is_anonymous(self.request):
            reader = public_reader(lookup["slug"])
            if reader is None:
                raise Http404
            self.reader = reader
            return
        competition = get_object_or_404(visible_competitions(self.request.user), **lookup)
        self.reader = reader_of(competition, self.request.user)

    def etag(self) -> str:
        """Made of the published version."""
        return etag_of(self.reader, *self.parts())

    def parts(self) -> list[Any]:
        """What else decides what the document says."""
        return self.representation()

    def document(self) -> Any:
        """The document as of the reader's version."""
        return self.write(self.reader)

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """The document from one version."""
        return Response(read_steadily(self.reader, self.write))

    @abstractmethod
    def write(self, reader: Reader) -> Any:
        """The document as of the reader's version."""

    def stage(self) -> Stage | None:
        """The stage the query names. Raise ProblemError if the competition has none of that key."""
        return self.named(Stage.objects.filter(competition=self.reader.competition), "stage")

    def block(self) -> Block | None:
        """The block the query names. Raise ProblemError if the competition has none of that key."""
        return self.named(Block.objects.filter(competition=self.reader.competition), "block")

    def where(self) -> dict[str, Any]:
        """The stage and the block the query names, as a filter of what is played in blocks."""
        named = {"block__stage": self.stage(), "block": self.block()}
        return {column: row for column, row in named.items() if row is not None}

    def named(self, rows: QuerySet[Row], parameter: str) -> Row | None:
        """The row of the key the query names, None if it names none."""
        key = self.query.get(parameter)
        if key is None:
            return None
        found = rows.filter(key=key).first()
        if found is None:
            known = ", ".join(rows.values_list("key", flat=True))
            detail = _("“%(key)s” is not part of this competition. Known: %(known)s.") % {"key": key, "known": known}
            raise ProblemError(
                "invalid_request", errors=[error("no_such_key", detail, pointer=f"/{parameter}", where="query")]
            )
        return found


class CollectionView(CompetitionView):
    """Rows of one competition, page by page."""

    query_class = PagedQuery

    def write(self, reader: Reader) -> Any:
        """One page."""
        return self.page_of(self.rows(reader), lambda rows: self.write_rows(reader, rows))

    @abstractmethod
    def rows(self, reader: Reader) -> QuerySet[Any]:
        """All rows the reader may know of, in order."""

    @abstractmethod
    def write_rows(self, reader: Reader, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """The rows of a page."""


class RowView(CompetitionView):
    """One row of a competition, found by its id alone."""

    def open(self, **path: Any) -> None:
        """The row's competition, then the row as its reader may know it."""
        self.find(pk=self.competition_id(path["pk"]))

    def competition_id(self, pk: int) -> int:
        """Whose row it is."""
        found = self.all_rows().filter(pk=pk).order_by().values_list(self.path_to_competition, flat=True).first()
        if found is None:
            raise Http404
        return int(found)

    path_to_competition: ClassVar[str] = "competition"

    @abstractmethod
    def all_rows(self) -> QuerySet[Any]:
        """The rows of every competition; nothing but their competition is read of these."""


class StaticView(DocumentView):
    """A document that depends on the software alone."""

    def open(self, **path: Any) -> None:
        """Nothing to find."""

    def etag(self) -> str:
        """Made of the software and the language."""
        return etag(*self.representation())


class MissingView(ApiView):
    """Every address under the API that is none."""

    permission_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse whatever was asked."""
        super().initial(request, *args, **kwargs)
        raise Http404
