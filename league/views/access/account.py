"""Sign-in, sign-out, password and sessions of the users: the admin's staff, clerks and scorers.

Name and password come first. An account that has a second step, or must have one, is signed in only after it; until
then the session only remembers, for ten minutes, which account has given its password.
"""

from __future__ import annotations

import datetime as dt
import time
from base64 import b32encode
from dataclasses import dataclass
from typing import TypedDict

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django_otp import login as otp_login
from django_otp.plugins.otp_totp.models import TOTPDevice
from knox.models import AuthToken

from league.forms.access.account import CodeForm
from league.models import Door, Membership, Role
from league.platform.abuse_alerts import note_refused
from league.platform.errors import ServiceError, refuse
from league.platform.rendering import render
from league.platform.throttling import count_attempt
from league.selectors.access.actors import Actor
from league.selectors.parlour.houses import parlours_of
from league.services.access import two_factor
from league.services.access.code_reuse import note_if_reused
from league.services.access.sign_in_sessions import SEEN, SIGNED_IN, note_new_password, sessions_of, sign_out_elsewhere
from league.views.parlour.board import actor_of
from league.web.access.known_browsers import remember, sign_in
from league.web.access.shared_links import qr_code
from league.web.access.two_step_login import ON_THE_WAY, TOO_OFTEN, TwoStepLoginView
from league.web.access.visitors import user_of
from league.web.middleware.security_headers import hide_path_from_referrer

ON_THE_WAY_SECONDS = 10 * 60
"""Seconds within which the second step must follow the password."""
TRIES = 10
"""Wrong codes after which the password must be entered again."""


class PasswordGiven(TypedDict):
    """The session's note of an account that has given its password and not yet taken the second step."""

    user: int
    password: str
    """The hash of the session's authentication, which a new password changes."""
    at: float
    next: str
    tries: int


@dataclass(frozen=True, slots=True)
class SignedInDevice:
    """A session of an account: signed in since, last seen, and True for the session of this browser."""

    since: dt.datetime | None
    seen: dt.datetime | None
    is_here: bool


def own_place(user: User) -> str:
    """Return the URL of a user's work: the admin, the parlour's boards, their team's line-ups, or the start page."""
    if user.is_staff:
        return reverse("admin:index")
    if parlours_of(user):
        return reverse("pages:boards")
    held = Membership.objects.filter(user=user).order_by("-pk").values_list("competition__slug", "role").first()
    if held is None:
        return reverse("pages:start")
    # No public page leads to a team's line-ups, which are for its captain alone.
    return reverse("pages:line-ups" if held[1] == Role.CAPTAIN else "pages:home", args=[held[0]])


@method_decorator(hide_path_from_referrer, "dispatch")
@method_decorator(never_cache, "dispatch")
class SignInView(TwoStepLoginView):
    """The public sign-in page; it redirects signed-in users to their work."""

    template_name = "access/sign_in.html"
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        """Return the URL of the user's work."""
        user = self.request.user
        return own_place(user) if isinstance(user, User) else reverse("pages:start")


def on_the_way(request: HttpRequest) -> tuple[User, PasswordGiven] | None:
    """Return the account that gave its password a moment ago, and the data kept of it in the session.

    Return None if that is too long ago, if the password has changed since, or after too many wrong codes.
    """
    kept = request.session.get(ON_THE_WAY)
    if kept is None or time.time() - kept["at"] > ON_THE_WAY_SECONDS or kept["tries"] >= TRIES:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    return (user, kept) if user is not None and user.get_session_auth_hash() == kept["password"] else None


@sensitive_post_parameters()
@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the second step, or have the user set one up if the account must have one and has none."""
    found = on_the_way(request)
    if found is None:
        request.session.pop(ON_THE_WAY, None)
        return HttpResponseRedirect(reverse("pages:sign_in"))
    user, kept = found
    if not two_factor.has_second_step(user):
        return set_up_on_the_way(request, user, kept)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        # Counted before the code is checked: an attempt that ends in an error counts too.
        request.session[ON_THE_WAY] = kept | {"tries": kept["tries"] + 1}
        by = Actor(user=user, door=Door.PAGE)
        try:
            refuse_too_often(request)
            answer = two_factor.check(user=user, code=form.cleaned_data["code"])
            if answer.device is None and note_if_reused(user=user, code=form.cleaned_data["code"], by=by):
                note_refused("code_reused")
            two_factor.refuse_unless(answer)
        except ServiceError as error:
            note_refused("code")
            form.take(error)
        else:
            return let_in(request, user, kept, answer.device)
    return render(request, "access/second_step.html", {"form": form}, status=422 if form.errors else 200)


def refuse_too_often(request: HttpRequest) -> None:
    """Raise a refusal if this address has used up its attempts of the minute."""
    if not count_attempt(request):
        raise refuse("wait", str(TOO_OFTEN), "/code")


def set_up_on_the_way(request: HttpRequest, user: User, kept: PasswordGiven) -> HttpResponse:
    """Set up the second step during sign-in.

    The user is signed in only after a correct code of the new app; the recovery codes are shown once, then the user
    continues.
    """
    form = CodeForm(request.POST or None)
    if form.is_valid():
        by = Actor(user=user, door=Door.PAGE)
        try:
            codes = two_factor.confirm(user=user, code=form.cleaned_data["code"], by=by)
        except ServiceError as error:
            form.take(error)
        else:
            going_on = let_in(request, user, kept, TOTPDevice.objects.get(user=user))["Location"]
            page = render(request, "access/recovery.html", {"codes": codes, "going_on": going_on})
            return remember(request, user, page)
    context = {"form": form, "is_asked": True, **app_of(two_factor.begin(user=user))}
    return render(request, "access/set_up_code.html", context, status=422 if form.errors else 200)


def let_in(request: HttpRequest, user: User, kept: PasswordGiven, device: object) -> HttpResponse:
    """Complete the sign-in after the second step and redirect to the page first requested."""
    del request.session[ON_THE_WAY]
    sign_in(request, user)
    user.otp_device = None  # type: ignore[attr-defined]  # django-otp, untyped, adds it
    otp_login(request, device)
    wanted = kept["next"]
    # `next` comes from the URL: without this check it would be an open redirect.
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return remember(request, user, HttpResponseRedirect(wanted if wanted and is_ours else own_place(user)))


def app_of(device: TOTPDevice) -> dict[str, str]:
    """Return the key for the authenticator app: as a QR code and in groups of letters to type."""
    key = b32encode(device.bin_key).decode()
    return {
        "picture": qr_code(device.config_url),
        "key": " ".join(key[start : start + 4] for start in range(0, len(key), 4)),
    }


class SignOutView(auth_views.LogoutView):
    """Sign out (POST only)."""

    def get_default_redirect_url(self) -> str:
        """Return the URL of the public start page."""
        return reverse("pages:start")


@method_decorator(never_cache, "dispatch")
class PasswordView(auth_views.PasswordChangeView):
    """Change one's own password; all other sessions end, and tokens too if the user wishes."""

    template_name = "access/password.html"
    success_url = reverse_lazy("pages:account")

    def post(self, request: HttpRequest, *args: str, **kwargs: object) -> HttpResponse:
        """Change the password, unless this address has used up its attempts to guess the old one."""
        if count_attempt(request):
            return super().post(request, *args, **kwargs)
        form = self.get_form()
        form.add_error(None, TOO_OFTEN)
        return self.render_to_response(self.get_context_data(form=form), status=429)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Save the new password and log the change; Django ends every session that was opened with the old one."""
        answer = super().form_valid(form)
        ends_tokens = bool(self.request.POST.get("tokens"))
        note_new_password(user=form.user, by=actor_of(self.request), ends_tokens=ends_tokens)
        messages.success(self.request, _("Your password has been changed. Other devices must sign in again."))
        return answer


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show the user's account: roles, second step, tokens, devices, and the sign-out button."""
    user = user_of(request)
    context = {
        "memberships": user.memberships.select_related("competition", "team__player").order_by(
            "competition__name", "pk"
        ),
        "has_code": two_factor.has_second_step(user),
        "must_have_code": two_factor.must_have_second_step(user),
        "codes_left": two_factor.codes_left(user),
        "tokens": AuthToken.objects.filter(user=user).count(),
        "devices": devices_of(user, request.session.session_key),
    }
    return render(request, "access/account.html", context)


def devices_of(user: User, here: str | None) -> list[SignedInDevice]:
    """Return the user's sessions: this browser's first, then the longest signed in."""
    found = []
    for row in sessions_of(user):
        data = row.get_decoded()
        since, seen = moment_of(data.get(SIGNED_IN)), moment_of(data.get(SEEN))
        found.append(SignedInDevice(since, seen, is_here=row.session_key == here))
    latest = dt.datetime.max.replace(tzinfo=dt.UTC)
    return sorted(found, key=lambda each: (not each.is_here, each.since or latest))


def moment_of(stamp: float | None) -> dt.datetime | None:
    """Return the moment of a timestamp stored in a session, or None."""
    return dt.datetime.fromtimestamp(stamp, dt.UTC) if stamp else None


@never_cache
@login_required
@require_POST
def sign_out_elsewhere_view(request: HttpRequest) -> HttpResponse:
    """End all other sessions of the user."""
    user = user_of(request)
    sign_out_elsewhere(user=user, here=request.session.session_key, by=actor_of(request))
    messages.success(request, _("You are signed in here alone now."))
    return HttpResponseRedirect(reverse("pages:account"))
