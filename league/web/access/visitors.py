"""Checks on the visitor that need no query for anonymous requests."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def is_signed_in(request: HttpRequest) -> bool:
    """Return True for a signed-in user; without a session cookie neither session nor user is read."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user. Raise PermissionDenied for an anonymous visitor."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
