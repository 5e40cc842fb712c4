"""Idempotency keys of REST writes: a request that is sent again changes nothing and gets the stored response."""

from __future__ import annotations

import hashlib
import re
from typing import cast

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from league.api.renderers import JsonRenderer
from league.services.access.idempotency import Claim, StoredResponse, claim_key
from league.web.problems import ProblemError, error

KEY = re.compile(r"[\x21-\x7e]{1,128}")
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="Random, new for every submission, the same when it is sent again.",
)
OPTIONAL_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Random, new for every change, the same when it is sent again; then nothing is done twice.",
)


def claim_of(request: Request, route: str) -> Claim:
    """Claim the request's key for a route, in the transaction of the work: if that fails, the key is free again.

    Raise ProblemError if the key is missing, malformed, or used by another request.
    """
    return claim_key(
        user=cast("User", request.user),  # the stubs know no user model; changes need a login
        key=valid_key(request.headers.get("Idempotency-Key")),
        route=route,
        fingerprint=request_digest(request),
    )


def valid_key(key: str | None) -> str:
    """Return the idempotency key. Raise ProblemError if it is missing or malformed."""
    if key is None:
        raise ProblemError("idempotency_key_missing")
    if not KEY.fullmatch(key):
        detail = _("A key is 1 to 128 printable ASCII characters.")
        raise ProblemError(
            "invalid_request", errors=[error("bad_key", detail, pointer="/Idempotency-Key", where="header")]
        )
    return key


def request_digest(request: Request) -> str:
    """Return the digest of everything that must be equal for a request to be a retry."""
    given = request.headers.get("If-Match", "")
    return hashlib.sha256(given.encode() + b"\n" + request.body).hexdigest()


def stored_response(status: int, answer: StoredResponse, *, replayed: bool = False) -> HttpResponse:
    """Return a stored response as an HTTP response, 204 without a body; that of a retry is marked by a header."""
    again = {"Idempotency-Replayed": "true"} if replayed else {}
    if not answer["body"]:
        return HttpResponse(status=204, headers=again)
    headers = {"Content-Type": JsonRenderer.media_type, **answer["headers"], **again}
    return HttpResponse(answer["body"], status=status, headers=headers)
