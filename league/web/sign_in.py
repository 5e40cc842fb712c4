"""The user of a session, decided on every request: anonymous if the second step is missing or the session is too old.

The account is read together with everything that decides this, so that the decision costs no query of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Membership, Role
from league.platform.environment import TwoFactor
from league.services.access.sign_in_sessions import NOTED_EVERY, SEEN, SIGNED_IN, is_worn_out


# Sessions store the path of this class: in another module it would sign everyone out.
class AccountBackend(ModelBackend):
    """Django's ModelBackend, whose session users come annotated with whether they need a second step."""

    def get_user(self, user_id: int | str) -> User | None:
        """Return the account with `needs_code`, or None if it does not exist or is inactive."""
        rows = accounts_with_second_step(settings.ENVIRONMENT.require_two_factor)
        user = next(iter(rows.filter(pk=user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None


@cache
def accounts_with_second_step(rule: TwoFactor) -> QuerySet[User]:
    """Return accounts annotated with `needs_code`: True if a session is anonymous until a code has been typed.

    A confirmed TOTP device always requires it; REQUIRE_TWO_FACTOR adds superusers, or also directors of competitions.
    Every request with a session reads one, so the query is built once: to build it takes longer than to run it.
    """
    needs: Combinable | Q = Exists(TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True))
    if rule != TwoFactor.NOBODY:
        needs |= Q(is_superuser=True)
    if rule == TwoFactor.ORGANIZERS:
        needs |= Exists(Membership.objects.filter(user=OuterRef("pk"), role=Role.DIRECTOR))
    return User.objects.annotate(needs_code=needs)


class SignInMiddleware:
    """Set `request.user` to the user of the session or an anonymous user; must follow django-otp's middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Set a lazy user: session and account are read only if the view accesses `request.user`."""
        request.user = SimpleLazyObject(partial(session_user, request, request.user))  # type: ignore[assignment]  # no type for a lazy user
        return self.get_response(request)


def session_user(request: HttpRequest, user: Any) -> Any:
    """Return the user if every sign-in step was completed and the session is still valid, else an anonymous user."""
    if not user.is_authenticated:
        return user
    if getattr(user, "needs_code", False) and not user.is_verified():
        return anonymous_user()
    return user if is_fresh(request) else anonymous_user()


def is_fresh(request: HttpRequest) -> bool:
    """Return True if the session is still valid; store the time of its last use, at most once in `NOTED_EVERY`."""
    now = timezone.now().timestamp()
    if is_worn_out(request.session, now):
        request.session.flush()
        return False
    if SIGNED_IN not in request.session:
        request.session[SIGNED_IN] = now
    # Not on every request: each note writes the session's row.
    if now - request.session.get(SEEN, 0) > NOTED_EVERY.total_seconds():
        request.session[SEEN] = now
    return True


def anonymous_user() -> Any:
    """Return an anonymous user with the attributes that django-otp gives to every user."""
    user: Any = AnonymousUser()
    user.otp_device, user.is_verified = None, lambda: False
    return user
