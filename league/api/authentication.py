"""Authentication of API requests: a token or a table's link in the Authorization header, or the browser's session."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import replace
from typing import cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from knox.models import AuthToken
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from league.models import Door, TableLink
from league.selectors.access.actors import Actor
from league.selectors.live.access import is_revoked, link_of, visitor_by_link
from league.services.access.tokens import bearer_of, credential_of
from league.services.live.links import note_use
from league.web.problems import request_id

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,256}")
SCHEMES = ("bearer", "token")
"""The schemes under which a token is accepted: the standard `Bearer`, and its predecessor `Token`."""
LINK_SCHEME = "link"
CHALLENGE = 'Bearer realm="jantaku"'


class TokenAuthentication(BaseAuthentication):
    """Authenticate a request by the token in its Authorization header."""

    def authenticate(self, request: Request) -> tuple[User, AuthToken] | None:
        """Return the user, limited to the token's grant, and the token; None without a header.

        Basic credentials are ignored: a proxy may have asked the browser for them. Raise AuthenticationFailed if the
        token is not valid or the scheme unknown; text that cannot be a token never reaches the database.
        """
        scheme, token = scheme_and_credentials(request)
        if scheme in ("", "basic"):
            return None
        if scheme == LINK_SCHEME:
            raise AuthenticationFailed(
                _("A table's link opens the log of its own table and calls a referee to it; it is not accepted here.")
            )
        if scheme not in SCHEMES:
            raise AuthenticationFailed(_("This way to authenticate is unknown. Send “Authorization: Bearer …”."))
        row = bearer_of(token) if TOKEN.fullmatch(token) else None
        if row is None:
            raise AuthenticationFailed(_("This token is not valid. Please log in again."))
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401 as in RFC 6750: `error` is named only for a refused token."""
        scheme, _token = scheme_and_credentials(request)
        return f'{CHALLENGE}, error="invalid_token"' if scheme in SCHEMES else CHALLENGE


class LinkAuthentication(BaseAuthentication):
    """Authenticate the holder of a link to a table by `Authorization: Link …`, with the token of the link's URL."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, TableLink] | None:
        """Return the anonymous user and the link; None for another scheme.

        Raise AuthenticationFailed if there is no such link or it was revoked.
        """
        scheme, token = scheme_and_credentials(request)
        if scheme != LINK_SCHEME:
            return None
        link = link_of(token) if TOKEN.fullmatch(token) else None
        if link is None:
            raise AuthenticationFailed(_("There is no such link."))
        if is_revoked(link):
            raise AuthenticationFailed(_("This link has ended. Ask the organizers for a new one."))
        note_use(link)
        return AnonymousUser(), link

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401, the same as for tokens."""
        return TokenAuthentication().authenticate_header(request)


class SignedInAuthentication(SessionAuthentication):
    """Authenticate a request by the browser's session; without its cookie neither session nor user is read."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return the user of the session, or None."""
        return super().authenticate(request) if settings.SESSION_COOKIE_NAME in request.COOKIES else None


def held_link(request: Request) -> TableLink | None:
    """Return the link that authenticated a request, or None."""
    return request.auth if isinstance(request.auth, TableLink) else None


def scheme_and_credentials(request: Request | HttpRequest) -> tuple[str, str]:
    """Return the lower-case scheme and the credentials of the Authorization header; both empty without it."""
    scheme, _space, credentials = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return scheme.lower(), credentials.strip()


def actor_of(request: Request) -> Actor:
    """Return the actor of an API request: its user or link, the API as channel, and the start of the token's digest."""
    link = held_link(request)
    if link is not None:
        return replace(visitor_by_link(link).actor(request_id()[:64]), door=Door.API)
    return Actor(
        user=cast("User", request.user),  # the stubs know no user model; changes need a login
        door=Door.API,
        credential=credential_of(request.auth) if request.auth else "",
        request_id=request_id()[:64],
    )


def basic_credentials(request: HttpRequest) -> tuple[str, str] | None:
    """Return name and password of an `Authorization: Basic` header, or None without one.

    Raise AuthenticationFailed if it cannot be read.
    """
    scheme, encoded = scheme_and_credentials(request)
    if scheme != "basic":
        return None
    try:
        name, password = base64.b64decode(encoded, validate=True).decode().split(":", 1)
    except (binascii.Error, ValueError) as unreadable:
        raise AuthenticationFailed(_("The Authorization header cannot be read.")) from unreadable
    return name, password
