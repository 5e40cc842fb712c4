"""Base classes of all API views: validation, problem responses, ETags before rendering, caching and CORS headers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import IO, Any, ClassVar, Generic, TypeVar, cast

from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from league.api.fields import LARGEST_PAGE, PagedQuery, Query
from league.api.throttles import MinuteThrottle
from league.models import Block, Stage
from league.platform.replica import read_from_replica
from league.platform.site_url import site_url
from league.selectors.access.actors import Capability, competitions_where
from league.selectors.access.changed_rows import changed_rows, newest_change
from league.selectors.access.etags import etag, etag_of
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.access.snapshots import read_one_version
from league.selectors.competitions.addresses import moved_competition
from league.web.access.visitors import is_signed_in
from league.web.document_parts import moment
from league.web.problems import Problem, ProblemError, ProblemResponse, error, unstorable_errors
from league.web.response_cache import PRIVATE, SHARED, Render, cached_response, unless_known
from rulesets.toml_text import has_too_many_digits

VARY = "Accept, Accept-Language, Authorization, Cookie"
READING = ("GET", "HEAD")
ANYTHING = "*/*"
"""The Accept header of a client that leaves the choice to the service."""
Row = TypeVar("Row", Stage, Block)
M = TypeVar("M", bound=Model)
R = TypeVar("R")
PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
EXPOSED = "ETag, Content-Language, Retry-After"


class JsonParser(JSONParser):
    """Parser of one JSON document whose text can be stored; too deep nesting is a client error."""

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> dict[str, object]:
        """Return the document. Raise ParseError if it is too deep, ProblemError if its text cannot be stored."""
        try:
            document = super().parse(stream, media_type, parser_context)
        # Without this, a small body of nothing but brackets would be a 500.
        except RecursionError as deep:
            raise ParseError(_("The document is nested too deeply.")) from deep
        except ParseError as error:
            if has_too_many_digits(error):
                raise ParseError(_("A number has too many digits.")) from error
            raise
        if errors := unstorable_errors(document):
            raise ProblemError("invalid_request", errors=errors)
        return document


class Negotiation(DefaultContentNegotiation):
    """Content negotiation that responds to an unknown `format` with 406 instead of 404."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and the media type: the first without comparison if the client names neither.

        Most programs do not, and the comparison is a twentieth of the cost of an unchanged response.
        """
        if request.META.get("HTTP_ACCEPT", ANYTHING) == ANYTHING and not (format_suffix or "format" in request.GET):
            first = next(iter(renderers))
            return first, first.media_type
        chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        return chosen

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002
        """Return the renderers of that format. Raise NotAcceptable if there is none."""
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            raise NotAcceptable
        return found


class Pages(PageNumberPagination):
    """Pagination by page number; `page_size` is at most 200."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE


class ApiView(APIView):
    """Base class of the API's views."""

    parser_classes = [JsonParser]
    content_negotiation_class = Negotiation
    query_class: ClassVar[type[Query]] = Query
    query: dict[str, Any]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """The headers of every response."""
        return {**super().default_response_headers, "Vary": VARY}

    @cached_property
    def is_public(self) -> bool:
        """True if the request has no session and no Authorization header, not even an invalid one."""
        return "HTTP_AUTHORIZATION" not in self.request.META and not is_signed_in(self.request)

    @cached_property
    def throttles(self) -> list[MinuteThrottle]:
        """Return the throttles of this request."""
        made = [throttle() for throttle in self.throttle_classes]
        return [throttle for throttle in made if isinstance(throttle, MinuteThrottle)]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the same instances at every call, because they remember what they counted."""
        return [*self.throttles]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Check authentication, throttles and query parameters before anything is looked up.

        A CORS preflight carries the query of the GET it precedes, so OPTIONS does not check it.
        """
        super().initial(request, *args, **kwargs)
        if request.method == "OPTIONS":
            return
        if request.method not in READING:
            request.body  # noqa: B018 - read before parsing, to refuse a too large body
        query_class = self.query_class if request.method in READING else Query
        self.query = query_class.read(dict(request.query_params.lists()))

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: object, **kwargs: object
    ) -> Response:
        """Set the headers of caching and CORS, and do not count a 304 against the rate limit."""
        # Django's condition() responds with an empty 412; clients expect a problem document.
        if response.status_code == 412 and not isinstance(response, ProblemResponse):  # noqa: PLR2004
            response = ProblemResponse(Problem("stale_revision"), instance=request.path)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            for throttle in self.throttles:
                throttle.forgive()
        answered = cast("Response", response)  # the stubs are too narrow: DRF takes any response
        response = super().finalize_response(request, answered, *args, **kwargs)
        # Only anonymous responses may be shared by caches and read by pages of other origins.
        is_public = self.is_public
        if "Cache-Control" not in response.headers:
            kept = SHARED if is_public else PRIVATE
            response.headers["Cache-Control"] = kept if request.method in READING else "no-store"
        if is_public and request.method in READING:
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
        return response

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Respond to a CORS preflight: pages of other origins may read, and nothing else."""
        asked = request.headers.get("Access-Control-Request-Method", "")
        return HttpResponse(status=204, headers=PREFLIGHT if asked in READING else {})


class DocumentView(ApiView, ABC):
    """A view of one document, with a strong ETag that is known before the document is built.

    A GET has three steps: `open` finds the rows or raises Http404; `etag` decides from them alone if the client's
    copy is still valid; `document` builds the response.
    """

    def get(self, request: Request, **path: object) -> HttpResponseBase:
        """Return the document, or 304 if the client has it."""
        self.form = request.accepted_renderer.format

        def read() -> tuple[str, Render]:
            self.open(**path)
            return self.etag(), self.render_document

        if self.is_cached and self.is_public:

            def respond() -> HttpResponseBase:
                return cached_response(request, read, is_shared=True, shared_as=self.shared_as)

            return read_from_replica(respond) if self.reads_replica else respond()
        tag, _render = read()
        response: HttpResponseBase = unless_known(request, tag, lambda: self.answer(request, tag))
        return response

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the response with the document."""
        return Response(self.document())

    def render_document(self) -> HttpResponse:
        """Return the rendered document.

        It is a function of the ETag, so it is the same for all anonymous clients and can be cached.
        """
        renderer = self.request.accepted_renderer
        written = renderer.render(self.document(), self.request.accepted_media_type, self.get_renderer_context())
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        return HttpResponse(written, content_type=f"{renderer.media_type}{charset}")

    form: str = ""
    """The requested format, once content negotiation has chosen it."""
    is_cached: ClassVar[bool] = False
    """True for documents with many readers, whose responses to anonymous clients are cached."""
    shared_as: ClassVar[str] = SHARED
    """The Cache-Control of these responses."""
    reads_replica: ClassVar[bool] = True
    """False for documents that change without a publication, which a replica may show seconds late."""

    @abstractmethod
    def open(self, **path: object) -> None:
        """Find the rows that the document is made of. Raise Http404 if there are none."""

    @abstractmethod
    def etag(self) -> str:
        """Return the ETag of the rows that were found."""

    @abstractmethod
    def document(self) -> object:
        """Return the document made of the rows that were found."""

    def representation(self) -> list[object]:
        """Return the parts of the ETag that identify the document and its format among those of this host."""
        return [type(self).__name__, self.kwargs, self.query, self.form or self.request.accepted_renderer.format]

    def page_of(
        self, rows: QuerySet[M, R] | Sequence[R], write: Callable[[list[R]], Sequence[object]]
    ) -> dict[str, object]:
        """Return one page of the rows; `write` converts all rows of the page at once."""
        pages = Pages()
        found = pages.paginate_queryset(rows, self.request, view=self)
        return {
            "count": pages.page.paginator.count if pages.page else 0,
            "next": self.on_site(pages.get_next_link()),
            "previous": self.on_site(pages.get_previous_link()),
            "results": write(found or []),
        }

    def on_site(self, link: str | None) -> str | None:
        """Return a link under the service's own address: caches share documents, and any client may name its port."""
        return link and link.replace(self.request.build_absolute_uri("/"), f"{site_url(self.request)}/", 1)


class CompetitionView(DocumentView):
    """A document of one competition, read at its published version."""

    reader: Reader

    def open(self, **path: object) -> None:
        """Find the competition named in the path or in the query."""
        self.find(slug=path.get("slug") or self.query["competition"])

    def find(self, **lookup: object) -> None:
        """Find the competition and its reader. Raise Http404 if the user may not know of it."""
        # The short way of the public: one query finds the competition, and no membership is read.
        slug = lookup.get("slug")
        if isinstance(slug, str) and self.is_public:
            reader = public_reader(slug)
            if reader is not None:
                self.reader = reader
                return
        competition = visible_competitions(self.request.user).filter(**lookup).first()
        # A former slug finds its competition without a redirect, which many clients do not follow with POST.
        if competition is None and isinstance(slug, str):
            competition = moved_competition(slug, self.request.user)
        if competition is None:
            raise Http404
        self.reader = reader_of(competition, self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the published version."""
        return etag_of(self.reader, *self.parts())

    def parts(self) -> list[object]:
        """Return the other values that the document depends on."""
        return self.representation()

    def document(self) -> object:
        """Return the document as of the reader's version."""
        return self.write(self.reader)

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the document, read from one consistent version."""
        return Response(read_one_version(self.reader, self.write))

    @abstractmethod
    def write(self, reader: Reader) -> object:
        """Build the document as of the reader's version."""

    def stage(self) -> Stage | None:
        """Return the stage named in the query. Raise ProblemError if the competition has no such stage."""
        return self.named(Stage, "stage")

    def block(self) -> Block | None:
        """Return the block named in the query. Raise ProblemError if the competition has no such block."""
        return self.named(Block, "block")

    def where(self) -> dict[str, object]:
        """Return the stage and the block of the query as filter arguments for rows that belong to a block."""
        named = {"block__stage": self.stage(), "block": self.block()}
        return {column: row for column, row in named.items() if row is not None}

    def named(self, model: type[Row], parameter: str) -> Row | None:
        """Return the row whose key is in the query, or None. Raise ProblemError for an unknown key."""
        key = self.query.get(parameter)
        if key is None:
            return None
        rows = model.objects.filter(competition=self.reader.competition)
        found = rows.filter(key=key).first()
        if found is None:
            known = ", ".join(rows.values_list("key", flat=True))
            detail = _("“%(key)s” is not part of this competition. Known: %(known)s.") % {"key": key, "known": known}
            raise ProblemError(
                "invalid_request", errors=[error("no_such_key", detail, pointer=f"/{parameter}", where="query")]
            )
        return found


class CollectionView(CompetitionView, Generic[M]):
    """A paginated collection of rows of one competition."""

    query_class = PagedQuery

    def write(self, reader: Reader) -> object:
        """Return one page."""
        return self.page_of(self.rows(reader), lambda rows: self.write_rows(reader, rows))

    @abstractmethod
    def rows(self, reader: Reader) -> QuerySet[M]:
        """Return all rows that the reader may know of, in order."""

    @abstractmethod
    def write_rows(self, reader: Reader, rows: Sequence[M]) -> Sequence[object]:
        """Return the documents of the rows of a page."""


class UpdatedCollectionView(CollectionView[M]):
    """A paginated collection of one competition that `updated_since` limits to rows changed since a moment."""

    def write(self, reader: Reader) -> object:
        """Return one page, with the moment of the newest change in it."""
        rows = self.rows(reader)
        if "updated_since" in self.query:
            rows = changed_rows(reader, rows, self.query["updated_since"])
        page = self.page_of(rows, lambda found: self.write_rows(reader, found))
        return page | {"updated_at": moment(newest_change(reader), reader.competition)}


class RowView(CompetitionView):
    """A view of one row of a competition, found by its id alone."""

    def open(self, **path: object) -> None:
        """Find the row's competition, with the reader that decides if the row may be shown."""
        self.find(pk=self.competition_id(self.kwargs["pk"]))

    def competition_id(self, pk: int) -> int:
        """Return the id of the competition that the row belongs to. Raise Http404 for an unknown id.

        A row that the user may not know of is not found here: it takes the time of one that is missing.
        """
        rows = self.all_rows.filter(self.known_rows(), pk=pk).order_by()
        found = rows.values_list(self.path_to_competition, flat=True).first()
        if found is None:
            raise Http404
        return int(found)

    def known_rows(self) -> Q:
        """Return the condition of the rows that the user may know of."""
        user = self.request.user
        known = Q(**{f"{self.path_to_competition}__in": visible_competitions(user).order_by().values("pk")})
        if not self.path_to_release:
            return known
        shown = Q(**{self.path_to_release: True})
        if user.is_authenticated:
            own = competitions_where(user, Capability.READ)
            shown |= Q(**{f"{self.path_to_competition}__in": own.order_by().values("pk")})
        return known & shown

    path_to_competition: ClassVar[str] = "competition"
    path_to_release: ClassVar[str] = ""
    """Lookup of the flag that releases a row's table to the public; empty for rows without a table."""
    all_rows: ClassVar[QuerySet[Model]]
    """The rows of all competitions; only the competition's id is read from them."""


class StaticView(DocumentView):
    """A document that depends on the installed software only."""

    def open(self, **path: object) -> None:
        """Do nothing, since there is no row to find."""

    def etag(self) -> str:
        """Return an ETag made of the software version and the language."""
        return etag(*self.representation())


class CalculationView(ApiView):
    """Base of calculations with rules; nothing is stored, and no login is needed."""

    permission_classes = [AllowAny]
    http_method_names = ["post", "options"]


class MissingView(ApiView):
    """The response to unknown paths under the API: a problem document with 404."""

    permission_classes = []

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raise Http404 after the usual checks."""
        super().initial(request, *args, **kwargs)
        raise Http404
