"""Writes over REST: idempotency keys, If-Match, and previews that are rolled back.

A write is one transaction. With an idempotency key its response is stored in it, so that a request sent again changes
nothing and gets the same response. With If-Match it is refused unless the client's copy is the present one.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar

from django.db import transaction
from django.http import HttpResponse
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import ApiView, DocumentView
from league.api.fields import NothingInput, StrictSerializer
from league.api.idempotency import IDEMPOTENCY_KEY, OPTIONAL_KEY, claim_of, stored_response
from league.api.renderers import JsonRenderer
from league.api.schema import LANGUAGE, REFUSALS, problems
from league.api.throttles import ReadThrottle, WriteThrottle
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.access.idempotency import StoredResponse, keep_answer
from league.web.documents import Document
from league.web.problems import ProblemError

IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the document as it was read; 412 if it has changed since. `*` matches any.",
)
OF_A_PROXY = re.compile(r'-(?:br|gzip|zstd)"$')
"""The name of an encoding that a compressing proxy has appended to an ETag."""
Checked = Mapping[str, Any]
"""The validated values of a request body."""


def content_tag(document: Document | None) -> str:
    """Return the strong ETag of a document's content, the same in every language that has the same content."""
    written = JsonRenderer().render(document) if document is not None else b""
    return f'"{hashlib.sha256(written).hexdigest()[:32]}"'


class WritingView(ApiView):
    """Base of views that change rows; `creates` demands an idempotency key, `is_preview` rolls the change back."""

    throttle_classes = [ReadThrottle, WriteThrottle]
    creates: ClassVar[bool] = False
    key_is_optional: ClassVar[bool] = False
    """True for a creation that needs no idempotency key, as version 1 has had it from its beginning."""
    is_preview: ClassVar[bool] = False
    returns_secret: ClassVar[bool] = False
    """True if the response to a POST shows a secret once: it is never stored, so no backup holds a working link."""
    demands_match: ClassVar[bool] = False
    """True if the change is refused without If-Match."""

    pointers: ClassVar[Mapping[str, str]] = {}
    """The members of the body to which findings of the services point by other names."""

    def handle_exception(self, exc: Exception) -> Response:
        """Return the problem, with pointers into the body of this address."""
        if isinstance(exc, ServiceError):
            exc.findings = tuple(
                replace(each, pointer=self.pointers.get(each.pointer, each.pointer)) for each in exc.findings
            )
        return super().handle_exception(exc)

    def run_once(self, work: Callable[[Actor], Document | None], status: int = HTTPStatus.OK) -> HttpResponse:
        """Do the work in one transaction and return its document; a retry with the same key gets the stored response.

        Raise ProblemError without a needed key, or if If-Match names another version of what is changed.
        """
        if self.is_preview:
            return self.preview(work)
        if not self.keeps_response():
            with transaction.atomic():
                self.refuse_stale()
                return stored_response(status, self.answered(work))
        with transaction.atomic():
            claim = claim_of(self.request, f"{self.request.method} {self.request.path.rstrip('/')}")
            if claim.is_answered:
                return stored_response(claim.status or status, claim.answer, replayed=True)
            self.refuse_stale()
            answer = self.answered(work)
            keep_answer(claim, status, answer)
        return stored_response(status, answer)

    def keeps_response(self) -> bool:
        """Return True if the response is stored under the request's idempotency key."""
        if self.returns_secret and self.request.method == "POST":
            return False
        return "Idempotency-Key" in self.request.headers or (self.is_creation and not self.key_is_optional)

    @property
    def is_creation(self) -> bool:
        """Return True if this request creates rows."""
        return self.creates and self.request.method == "POST" and not self.is_preview

    def preview(self, work: Callable[[Actor], Document | None]) -> HttpResponse:
        """Return the document as the work would leave it. Nothing is written."""
        with transaction.atomic():
            self.refuse_stale()
            response = Response(work(actor_of(self.request)))
            # Not an exception: messages queued with `on_commit` are dropped together with the rows.
            transaction.set_rollback(True)
        return response

    def answered(self, work: Callable[[Actor], Document | None]) -> StoredResponse:
        """Do the work and return its response, written as text so that a retry gets the same bytes."""
        document = work(actor_of(self.request))
        if document is None:
            return {"headers": {}, "body": ""}
        return {"headers": {"ETag": self.tag_after(document)}, "body": JsonRenderer().render(document).decode()}

    def tag_after(self, document: Document) -> str:
        """Return the ETag of the document after a change, as GET has it."""
        return content_tag(document)

    def refuse_stale(self) -> None:
        """Raise ProblemError if If-Match names another version than the present one, or is missing where demanded."""
        given = self.request.headers.get("If-Match")
        if given is None:
            if self.demands_match:
                raise ProblemError("revision_required", _("Read it first, and send its ETag in If-Match."))
            return
        current = self.current_tag()
        named = [OF_A_PROXY.sub('"', tag) for tag in parse_etags(given)]
        if named != ["*"] and current not in named:
            raise ProblemError("stale_revision", _("It has changed since you read it. Read it again, then decide."))

    def current_tag(self) -> str:
        """Return the ETag of what is changed as it is now, locked until the transaction ends."""
        raise without_tag()


def without_tag() -> ProblemError:
    """Return the refusal of If-Match where no document can be read that has an ETag."""
    return ProblemError("stale_revision", _("Nothing here has an ETag to compare with If-Match."))


class ContentView(DocumentView):
    """Base of documents of the moment: their ETag is made of their content, so that it can be sent in If-Match."""

    found: Document

    def etag(self) -> str:
        """Return the ETag of the document's content."""
        return content_tag(self.found)

    def document(self) -> Document:
        """Return the document."""
        return self.found

    def build(self) -> Document:
        """Build the document that GET gives, from the rows as they are now. Raise ProblemError if there is none."""
        raise without_tag()


class ChangeView(WritingView, ABC):
    """Base of changes: the permission first, then the body, then one service in one transaction."""

    permission_classes = [IsAuthenticated]
    http_method_names = ["post", "options"]
    input_class: ClassVar[type[StrictSerializer]] = NothingInput
    time_zone: str | None = None
    """The time zone of timestamps without an offset in the body; None is that of the service."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make the change and return the document after it."""
        return self.make_change(self.input_class)

    def make_change(self, input_class: type[StrictSerializer]) -> HttpResponse:
        """Check permission and body, make the change, and return the document after it."""
        self.locate()
        values: Checked = input_class.check(self.request.data or {}, self.time_zone)
        status = HTTPStatus.CREATED if self.is_creation else HTTPStatus.OK
        return self.run_once(lambda by: self.change(values, by), status)

    @abstractmethod
    def locate(self) -> None:
        """Find the rows of the path. Raise Http404 without them, PermissionRefusedError without the permission."""

    @abstractmethod
    def change(self, values: Checked, by: Actor) -> Document | None:
        """Make the change through its service, and return the document to respond with."""


def key_header(view: type[WritingView], method: str) -> list[OpenApiParameter]:
    """Return the header of the idempotency key as a view takes it: needed, optional, or not at all."""
    if view.is_preview or (view.returns_secret and method == "post"):
        return []
    return [IDEMPOTENCY_KEY if view.creates and method == "post" and not view.key_is_optional else OPTIONAL_KEY]


def describe_write(
    operation: str,
    body: type[StrictSerializer] | None,
    shape: type[Document] | None,
    *,
    method: str = "post",
    status: int | None = None,
    match: bool = False,
) -> Callable[[type[Any]], type[Any]]:
    """Describe a write of a view: summary, request body, headers, response, and the possible problems.

    `match` says that the view compares If-Match. Without a `shape` the response is an empty 204.
    """

    def describe(view: type[WritingView]) -> type[WritingView]:
        own = vars(view).get(method)
        # A view with several methods says in each what it does; one of a single method says it itself.
        text = (inspect.getdoc(own) if own else "") or inspect.getdoc(view) or ""
        creates = view.creates and method == "post" and not view.is_preview
        headers = [*key_header(view, method), *([IF_MATCH] if match else []), LANGUAGE]
        done = status or (HTTPStatus.CREATED if creates else HTTPStatus.OK)
        responses: dict[object, object] = (
            {(int(done), "application/json"): shape} if shape else {204: OpenApiResponse(description="Done.")}
        )
        described = extend_schema(
            operation_id=operation,
            summary=text.split("\n")[0].split(". ")[0].rstrip("."),
            description=text,
            request=body,
            parameters=headers,
            responses={**responses, **problems(*REFUSALS)},
        )
        if own is None:
            setattr(view, method, undescribed(getattr(view, method)))
        return extend_schema_view(**{method: described})(view)

    return describe


def undescribed(method: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return an inherited method without its description: parameters would be added to those of the base."""

    @functools.wraps(method, updated=())
    def run(view: WritingView, *args: object, **path: object) -> HttpResponse:
        return method(view, *args, **path)

    return run
