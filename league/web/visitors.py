"""Who visits, asked without looking anything up where nobody can be signed in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def is_signed_in(request: HttpRequest) -> bool:
    """Whether somebody in particular asks; without a session's cookie nobody does."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
