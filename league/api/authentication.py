"""Who is asking: a token in the Authorization header, or the browser's session."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from knox import auth
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from league.api.problems import request_id
from league.models import Door
from league.services.actor import Actor
from league.services.tokens import bearer_of, credential_of

TOKEN = re.compile(rb"[A-Za-z0-9_-]{16,256}")


class TokenAuthentication(auth.TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """Tokens as handed out by the login, stored as digests; bytes that cannot be a token never reach the database."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """The token's user, limited to what the token is for, and the token."""
        row = bearer_of(token.decode("ascii")) if TOKEN.fullmatch(token) else None
        if row is None:
            raise AuthenticationFailed(_("This token is not valid. Please log in again."))
        return row.user, row


def actor_of(request: Request) -> Actor:
    """Whoever sends the request, at the door for programs, with the beginning of the token's digest."""
    return Actor(
        user=cast("User", request.user),
        door=Door.API,
        credential=credential_of(request.auth) if request.auth else "",
        request_id=request_id()[:64],
    )


def basic_credentials(request: HttpRequest) -> tuple[str, str] | None:
    """Name and password of an `Authorization: Basic` header; None without one.

    Raise AuthenticationFailed if it cannot be read.
    """
    scheme, _space, encoded = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, password = base64.b64decode(encoded, validate=True).decode().split(":", 1)
    except (binascii.Error, ValueError) as unreadable:
        raise AuthenticationFailed(_("The Authorization header cannot be read.")) from unreadable
    return name, password


def plain(request: Request | HttpRequest) -> HttpRequest:
    """Django's own request inside the framework's."""
    return request._request if isinstance(request, Request) else request  # noqa: SLF001 - there is no other way to it
