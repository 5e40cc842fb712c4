"""Pages on which a user sets up, renews and turns off the second step of signing in."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_otp import login as otp_login
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.forms.access.account import CodeForm, TurnOffForm
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.services.access import two_factor
from league.services.access.sign_in_sessions import end_sessions
from league.views.access.account import app_of, refuse_too_often
from league.views.parlour.board import actor_of
from league.web.access.visitors import user_of


@sensitive_post_parameters()
@never_cache
@login_required
def set_up(request: HttpRequest) -> HttpResponse:
    """Show the app's key as a QR code; a correct code enables the second step and ends all other sessions."""
    user = user_of(request)
    if two_factor.has_second_step(user):
        return HttpResponseRedirect(reverse("pages:account"))
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            refuse_too_often(request)
            codes = two_factor.confirm(user=user, code=form.cleaned_data["code"], by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            otp_login(request, TOTPDevice.objects.get(user=user))
            end_sessions(user=user, but=request.session.session_key)
            return show_codes(request, codes)
    context = {"form": form, **app_of(two_factor.begin(user=user))}
    return render(request, "access/set_up_code.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters()
@never_cache
@login_required
def renew(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes after a correct code of the app."""
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            refuse_too_often(request)
            codes = two_factor.renew_codes(user=user_of(request), code=form.cleaned_data["code"], by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            return show_codes(request, codes)
    words = {"title": _("New recovery codes"), "submit": _("Make new recovery codes")}
    return render(request, "access/code_form.html", {"form": form, **words}, status=422 if form.errors else 200)


@sensitive_post_parameters()
@never_cache
@login_required
def turn_off(request: HttpRequest) -> HttpResponse:
    """Disable the second step, so that the password alone is enough again."""
    form = TurnOffForm(request.POST or None)
    if form.is_valid():
        try:
            refuse_too_often(request)
            two_factor.turn_off(user=user_of(request), **form.cleaned_data, by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            messages.success(request, _("Signing in asks for your password alone now."))
            return HttpResponseRedirect(reverse("pages:account"))
    words = {"title": _("Sign in without a code"), "submit": _("Turn the code off")}
    return render(request, "access/code_form.html", {"form": form, **words}, status=422 if form.errors else 200)


def show_codes(request: HttpRequest, codes: Sequence[str]) -> HttpResponse:
    """Show the recovery codes, which cannot be displayed again."""
    return render(request, "access/recovery.html", {"codes": codes, "going_on": reverse("pages:account")})
