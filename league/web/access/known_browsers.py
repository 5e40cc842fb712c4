"""Sign-in with a check of whether this browser has been used for the account before."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from league.models import Door
from league.selectors.access.actors import Actor
from league.services.access.browsers import KEPT_FOR, accounts_in, cookie_with, note_sign_in

BACKEND = "league.web.sign_in.AccountBackend"


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign in a user after every step has been passed; the caller must call `remember` on the response."""
    # Read before `login`, which sets it: the first sign-in of an account is no surprise to its owner.
    is_first = user.last_login is None
    login(request, user, backend=BACKEND)
    by = Actor(user=user, door=Door.PAGE)
    note_sign_in(user=user, known=accounts_in(cookie_of(request)), is_first=is_first, by=by)


def remember(request: HttpRequest, user: User, answer: HttpResponse) -> HttpResponse:
    """Set the cookie by which this browser is recognized as one used for the account."""
    answer.set_cookie(
        settings.KNOWN_COOKIE_NAME,
        cookie_with(user, accounts_in(cookie_of(request))),
        max_age=KEPT_FOR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return answer


def cookie_of(request: HttpRequest) -> str:
    """Return the cookie of known accounts as the browser sent it, or an empty text."""
    return request.COOKIES.get(settings.KNOWN_COOKIE_NAME, "")
