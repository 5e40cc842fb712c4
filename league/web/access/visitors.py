"""Checks on the visitor that need no query for anonymous requests."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.translation import gettext as _


def is_signed_in(request: HttpRequest) -> bool:
    """Return True for a signed-in user; without a session cookie neither session nor user is read."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user. Raise PermissionDenied for an anonymous visitor."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect an anonymous visitor to the sign-in page, which says that a form sent meanwhile was not saved."""
    if request.method == "POST":
        tell_unsaved(request)
    return redirect_to_login(request.get_full_path())


def tell_unsaved(request: HttpRequest) -> None:
    """Tell on the next page that the form just sent was not saved, because its sender was no longer signed in."""
    messages.warning(request, _("Nothing was saved: you were no longer signed in. Sign in and enter it again."))
