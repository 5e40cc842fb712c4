"""RFC 9457 problem documents: the body of every error response.

The one idea: a problem has one of the kinds listed here. Its `code` and `type` are stable and documented at the URL
in `type`; each entry of `errors` names one fault, with its own code and a JSON pointer.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from structlog.contextvars import get_contextvars

from league.platform.errors import Finding, Level, PermissionRefusedError, ServiceError
from league.platform.outages import Outage, outage_of
from league.platform.storable import unstorable_places
from league.web.problem_documents import FindingDocument, Location, ProblemDocument

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
NO_PARAMS: Mapping[str, object] = MappingProxyType({})


class ViewContext(TypedDict):
    """The context in which Django REST framework calls the exception handler, as far as it is used."""

    request: HttpRequest


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its stable code, the HTTP status, a title, and advice for the client."""

    code: str
    status: int
    title: StrPromise
    advice: StrPromise

    @property
    def type(self) -> str:
        """Return the URL path at which this kind is documented."""
        return f"/api/problems/{self.code}/"


KINDS: Mapping[str, ProblemKind] = {
    kind.code: kind
    for kind in (
        ProblemKind(
            "malformed_request",
            400,
            gettext_lazy("The request cannot be read"),
            gettext_lazy("The body must be one JSON document in UTF-8."),
        ),
        ProblemKind(
            "invalid_request",
            400,
            gettext_lazy("Something in the request is missing or has the wrong form"),
            gettext_lazy("See `errors`: `in` and `pointer` say where. Unknown parameters and fields are refused."),
        ),
        ProblemKind(
            "idempotency_key_missing",
            400,
            gettext_lazy("An Idempotency-Key is needed"),
            gettext_lazy("Send a new random key with every submission, and the same one when you send it again."),
        ),
        ProblemKind(
            "not_authenticated",
            401,
            gettext_lazy("Please log in"),
            gettext_lazy("Get a token from /api/v1/auth/login/ and send it as “Authorization: Bearer …”."),
        ),
        ProblemKind(
            "permission_refused",
            403,
            gettext_lazy("You may not do this"),
            gettext_lazy("Ask a director of the competition for the right to."),
        ),
        ProblemKind(
            "not_found",
            404,
            gettext_lazy("There is nothing here"),
            gettext_lazy("It does not exist, or it is not public yet."),
        ),
        ProblemKind(
            "method_not_allowed",
            405,
            gettext_lazy("This cannot be done here"),
            gettext_lazy("The `Allow` header lists the methods of this address."),
        ),
        ProblemKind(
            "not_acceptable",
            406,
            gettext_lazy("There is no such representation"),
            gettext_lazy("Ask for application/json; standings also come as text/csv."),
        ),
        ProblemKind(
            "conflict",
            409,
            gettext_lazy("The state of things does not allow this"),
            gettext_lazy("Another user was there first. Read again, then decide."),
        ),
        ProblemKind(
            "sheets_differ",
            409,
            gettext_lazy("Two people entered this hanchan differently"),
            gettext_lazy(
                "Your sheet is kept, and nothing counts yet. Look at the paper where `errors` point, and send the "
                "whole sheet again with a new key."
            ),
        ),
        ProblemKind(
            "stale_revision",
            412,
            gettext_lazy("Another revision counts by now"),
            gettext_lazy("Read the hanchan again, compare, and send the correction with the new ETag in If-Match."),
        ),
        ProblemKind(
            "request_too_large",
            413,
            gettext_lazy("The request is too large"),
            gettext_lazy("Send less at once."),
        ),
        ProblemKind(
            "unsupported_media_type",
            415,
            gettext_lazy("The body's format is not understood"),
            gettext_lazy("Send application/json."),
        ),
        ProblemKind(
            "rule_violation",
            422,
            gettext_lazy("The rules do not allow this"),
            gettext_lazy("See `errors`: each says what is wrong and what to do."),
        ),
        ProblemKind(
            "warnings_not_accepted",
            422,
            gettext_lazy("Something is unusual; please look again"),
            gettext_lazy("If it is right, send it again with the codes of the warnings in `accept` (and a new key)."),
        ),
        ProblemKind(
            "idempotency_key_reused",
            422,
            gettext_lazy("This key was used for another request"),
            gettext_lazy("Every submission needs a key of its own."),
        ),
        ProblemKind(
            "revision_required",
            428,
            gettext_lazy("Say which revision you mean to change"),
            gettext_lazy("Send the ETag of the hanchan or of its counting sheet in If-Match."),
        ),
        ProblemKind(
            "too_many_requests",
            429,
            gettext_lazy("Too many requests"),
            gettext_lazy("Wait as many seconds as `Retry-After` says."),
        ),
        ProblemKind(
            "internal_error",
            500,
            gettext_lazy("Something went wrong on our side"),
            gettext_lazy(
                "Try again, a submission with the same key; if it stays so, tell the operator the `request_id`."
            ),
        ),
        ProblemKind(
            "unavailable",
            503,
            gettext_lazy("The database cannot be reached just now"),
            gettext_lazy(
                "Wait as many seconds as `Retry-After` says and send it again, a submission with the same key."
            ),
        ),
        ProblemKind(
            "storage_full",
            503,
            gettext_lazy("The server's disk is full"),
            gettext_lazy("Nothing was changed and nothing is lost. Tell the operator, and send it again later."),
        ),
        ProblemKind(
            "read_only",
            503,
            gettext_lazy("Nothing can be changed just now"),
            gettext_lazy("The database is read-only, as during maintenance: nothing was changed. Send it again later."),
        ),
    )
}
BY_STATUS: Mapping[int, str] = {
    400: "invalid_request",
    401: "not_authenticated",
    403: "permission_refused",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    412: "stale_revision",
    413: "request_too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    503: "unavailable",
}
BY_EXCEPTION: Mapping[type[Exception], str] = {
    Http404: "not_found",
    PermissionDenied: "permission_refused",
    RequestDataTooBig: "request_too_large",
    # RequestDataTooBig is a SuspiciousOperation, so it stands above it.
    SuspiciousOperation: "malformed_request",
    BadRequest: "malformed_request",
}
"""Problem codes of Django's own exceptions; subclasses stand before their base class."""
BY_FINDING: Mapping[str, str] = {
    "stale_revision": "stale_revision",
    "nothing_to_correct": "stale_revision",
    "hanchan_confirmed": "revision_required",
    "idempotency_key_reused": "idempotency_key_reused",
}
"""Problem codes of service refusals that have an HTTP status of their own."""


class ProblemError(Exception):
    """An error response raised by a view, of one of the kinds."""

    def __init__(self, code: str, detail: str = "", errors: Iterable[FindingDocument] = ()) -> None:
        super().__init__(detail or code)
        self.code, self.detail, self.errors = code, detail, tuple(errors)


def not_found(detail: str) -> ProblemError:
    """Return the error of an address without a resource, with a text for the client; that of `Http404` is dropped."""
    return ProblemError("not_found", detail)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem before it is serialized."""

    code: str
    detail: str = ""
    errors: tuple[FindingDocument, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def error(
    code: str,
    detail: str,
    *,
    pointer: str = "",
    where: Location = "body",
    params: Mapping[str, object] = NO_PARAMS,
) -> FindingDocument:
    """Return one entry of `errors`. It is not validated, because it may quote characters that are invalid in text."""
    return FindingDocument.model_construct(
        in_=where, pointer=pointer, code=code, level=Level.ERROR, detail=detail, params=dict(params), clause=""
    )


class ProblemResponse(HttpResponse):
    """The HTTP response of a problem; caches never store it."""

    def __init__(self, problem: Problem, *, instance: str) -> None:
        kind = KINDS[problem.code]
        # model_construct skips validation: an error response must never fail to be built.
        document = ProblemDocument.model_construct(
            type=kind.type,
            title=str(kind.title),
            status=kind.status,
            detail=problem.detail or str(kind.advice),
            instance=instance,
            code=kind.code,
            errors=list(problem.errors),
            request_id=request_id(),
        )
        super().__init__(
            json.dumps(document.model_dump(), ensure_ascii=False, default=str).encode(errors="backslashreplace"),
            status=kind.status,
            content_type=MEDIA_TYPE,
            headers={"Cache-Control": "no-store", **problem.headers},
        )


def request_id() -> str:
    """Return the id of this request in the logs."""
    return str(get_contextvars().get("request_id", ""))


def exception_handler(exc: Exception, context: ViewContext) -> ProblemResponse:
    """Convert any exception of a view to a problem response.

    Unexpected ones are logged with their traceback, which the client never sees.
    """
    request = context["request"]
    problem = problem_of(exc)
    if problem.code in tuple(Outage):
        logger.error("request failed because of a database outage (%s): %s", problem.code, exc)
    if problem.code == "internal_error":
        logger.error("request failed with an unexpected exception", exc_info=exc)
        # Django sends this signal only for exceptions that leave the view; error monitoring and the test client rely on
        # it.
        got_request_exception.send(sender=exception_handler, request=getattr(request, "_request", request))
    return ProblemResponse(problem, instance=request.path)


def problem_of(exc: Exception) -> Problem:
    """Return the problem that an exception means for the client."""
    if isinstance(exc, ProblemError):
        return Problem(exc.code, exc.detail, exc.errors)
    if isinstance(exc, ServiceError):
        return refusal(exc)
    if isinstance(exc, exceptions.APIException):
        return Problem(code_of(exc), *detail_and_errors(exc), headers=headers_of(exc))
    if outage := outage_of(exc):
        return Problem(outage.value, headers={"Retry-After": str(outage.retry_after)})
    return Problem(next((code for kind, code in BY_EXCEPTION.items() if isinstance(exc, kind)), "internal_error"))


def code_of(exc: exceptions.APIException) -> str:
    """Return the problem code for an exception of Django REST framework."""
    return "malformed_request" if isinstance(exc, exceptions.ParseError) else code_of_status(exc.status_code)


def detail_and_errors(exc: exceptions.APIException) -> tuple[str, tuple[FindingDocument, ...]]:
    """Return the message of an exception of Django REST framework, as a sentence or as a list of errors."""
    if isinstance(exc, exceptions.ValidationError):
        return "", tuple(validation_errors(exc.detail))
    # The kind's advice is more helpful, and in both languages.
    if isinstance(exc, (exceptions.NotAuthenticated, exceptions.Throttled)):
        return "", ()
    return str(exc.detail), ()


def code_of_status(status: int) -> str:
    """Return the general code for a status; an unknown 4xx is `invalid_request`, an unknown 5xx `internal_error`."""
    return BY_STATUS.get(status, "invalid_request" if status < 500 else "internal_error")  # noqa: PLR2004


def headers_of(exc: exceptions.APIException) -> dict[str, str]:
    """Return `WWW-Authenticate` and `Retry-After`, if the exception carries them."""
    headers = {}
    if authenticate := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(authenticate)
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers


def refusal(exc: ServiceError) -> Problem:
    """Convert a service's refusal to a problem; its findings become the errors."""
    first = exc.findings[0].code if exc.findings else ""
    code = BY_FINDING.get(first, exc.code)
    if code not in KINDS:
        code = "rule_violation"
    detail = exc.findings[0].message if len(exc.findings) == 1 else ""
    # No `errors`: a missing right is no fault of any field of the request.
    if isinstance(exc, PermissionRefusedError):
        return Problem("permission_refused", detail)
    return Problem(code, detail, tuple(finding_document(finding) for finding in exc.findings))


def finding_document(finding: Finding) -> FindingDocument:
    """Convert a service's finding to an entry of `errors`."""
    return FindingDocument.model_construct(
        in_="body",
        pointer=finding.pointer,
        code=finding.code,
        level=finding.level,
        detail=finding.message,
        params=dict(finding.params),
        clause=finding.clause,
    )


def validation_errors(detail: object, pointer: str = "", where: Location = "body") -> Iterator[FindingDocument]:
    """Yield a serializer's nested errors as a flat list, each with its JSON pointer."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            step = "" if key == "non_field_errors" else f"/{escaped(str(key))}"
            yield from validation_errors(inner, pointer + step, where)
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            is_leaf = isinstance(inner, str)
            yield from validation_errors(inner, pointer if is_leaf else f"{pointer}/{index}", where)
    else:
        yield error(getattr(detail, "code", "invalid"), str(detail), pointer=pointer, where=where)


def escaped(key: str) -> str:
    """Return a key escaped for a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def unknown_fields(names: Iterable[str], known: Iterable[str]) -> list[FindingDocument]:
    """Return one error for each unknown name in a query."""
    allowed = ", ".join(sorted(known)) or "—"
    return [
        error(
            "unknown",
            _("“%(name)s” is not known here. Known: %(known)s.") % {"name": name, "known": allowed},
            pointer=f"/{escaped(name)}",
            where="query",
        )
        for name in sorted(names)
    ]


MOST_UNSTORABLE = 20


def unstorable_errors(document: object) -> list[FindingDocument]:
    """Return an error for each of the first places of a JSON document whose text cannot be stored."""
    message = _("A text in it has characters that cannot be kept. Take them out.")
    places = islice(unstorable_places(document), MOST_UNSTORABLE)
    return [error("unstorable_text", message, pointer=place) for place in places]
