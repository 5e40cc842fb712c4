"""Who a session stands for, on every request: nobody whose second step is missing, or who was away too long.

The account is read together with all that decides this, so that it costs no query of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Membership, Role
from league.platform.environment import TwoFactor
from league.services.access.sign_in_sessions import NOTED_EVERY, SEEN, SIGNED_IN, is_worn_out


class AccountBackend(ModelBackend):
    """Names and passwords as ever; whoever is read for a session comes with what their second step must be."""

    def get_user(self, user_id: Any) -> User | None:
        """The account, unless it was shut."""
        user = with_second_step(User.objects.all()).filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


def with_second_step(rows: QuerySet[User]) -> QuerySet[Any]:
    """Accounts with `needs_code`: whether a session is nobody's before a code was typed."""
    needs: Any = Exists(TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True))
    rule = settings.ENVIRONMENT.require_two_factor
    if rule != TwoFactor.NOBODY:
        needs |= Q(is_superuser=True)
    if rule == TwoFactor.ORGANIZERS:
        needs |= Exists(Membership.objects.filter(user=OuterRef("pk"), role=Role.DIRECTOR))
    return rows.annotate(needs_code=needs)


class SignInMiddleware:
    """Let `request.user` be the user of the session, or nobody. Stands right after django-otp's middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Look at the session only if somebody asks for its user."""
        request.user = SimpleLazyObject(partial(signed_in, request, request.user))  # type: ignore[assignment]
        return self.get_response(request)


def signed_in(request: HttpRequest, user: Any) -> Any:
    """The user, if every step was taken and the session is still good; else nobody."""
    if not user.is_authenticated:
        return user
    if getattr(user, "needs_code", False) and not user.is_verified():
        return nobody()
    return user if is_fresh(request) else nobody()


def is_fresh(request: HttpRequest) -> bool:
    """Whether the session is still good; it is noted now and then that it was used."""
    now = timezone.now().timestamp()
    if is_worn_out(request.session, now):
        request.session.flush()
        return False
    if SIGNED_IN not in request.session:
        request.session[SIGNED_IN] = now
    if now - request.session.get(SEEN, 0) > NOTED_EVERY.total_seconds():
        request.session[SEEN] = now
    return True


def nobody() -> Any:
    """An anonymous user with the attributes that django-otp gives to all."""
    user: Any = AnonymousUser()
    user.otp_device, user.is_verified = None, lambda: False
    return user
