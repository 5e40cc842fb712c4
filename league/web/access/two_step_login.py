"""The sign-in form of the pages and the admin: a name and a password, then a second step where the account has one."""

from __future__ import annotations

import time

from django.conf import settings
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.platform.throttling import count_attempt
from league.services.access import two_factor
from league.web.access.known_browsers import remember, sign_in

TOO_OFTEN = gettext_lazy("Too many attempts from here. Wait a minute and try again.")


ON_THE_WAY = "second_step"
"""Session key of a sign-in between password and second step."""


class TwoStepLoginView(auth_views.LoginView):
    """Sign-in view that asks for name and password, then for the second step if the account has one."""

    def get_form(self, form_class: type[AuthenticationForm] | None = None) -> AuthenticationForm:
        """Return the form with the same name for the account's name as in every other form."""
        form = super().get_form(form_class)
        form.fields["username"].label = gettext_lazy("Name to sign in with")
        return form

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Check name and password, unless this address has used up its attempts of the minute for any account."""
        if count_attempt(request, "sign_in"):
            return super().post(request, *args, **kwargs)
        return self.too_many(self.get_form(), str(TOO_OFTEN))

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form with its errors, or tell that wrong passwords have locked this name for this address."""
        if not getattr(self.request, "axes_locked_out", False):
            return super().form_invalid(form)
        form.errors.pop(NON_FIELD_ERRORS, None)
        message = _("Too many wrong passwords for this name. Wait %(minutes)s minutes and try again.")
        return self.too_many(form, message % {"minutes": int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)})

    def too_many(self, form: AuthenticationForm, message: str) -> HttpResponse:
        """Refuse an attempt with a message above the form."""
        form.add_error(None, message)
        return self.render_to_response(self.get_context_data(form=form), status=429)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign the user in, or remember the account in the session and redirect to the second step."""
        user = form.get_user()
        if not asks_for_code(user):
            sign_in(self.request, user)
            return remember(self.request, user, HttpResponseRedirect(self.get_success_url()))
        # Against session fixation: a key known before the password is not the key of the sign-in.
        self.request.session.cycle_key()
        self.request.session[ON_THE_WAY] = {
            "user": user.pk,
            # A password changed in between ends this sign-in.
            "password": user.get_session_auth_hash(),
            "at": time.time(),
            "next": self.get_redirect_url(),
            "tries": 0,
        }
        return HttpResponseRedirect(reverse("pages:second_step"))


def asks_for_code(user: User) -> bool:
    """Return True if the password alone is not enough for this account."""
    return two_factor.has_second_step(user) or two_factor.must_have_second_step(user)
