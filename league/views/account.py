"""Signing in and out, for everybody who works here: the desk's staff, clerks, scorers."""

from __future__ import annotations

from django.contrib.auth import views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.models import Membership
from league.selectors.parlour import parlours_of


def own_place(user: User) -> str:
    """Where somebody's work is: the desk, the parlour's boards, the competition they work for, or the start page."""
    if user.is_staff:
        return reverse("admin:index")
    if parlours_of(user):
        return reverse("pages:boards")
    slug = Membership.objects.filter(user=user).values_list("competition__slug", flat=True).first()
    return reverse("pages:home", args=[slug]) if slug else reverse("pages:start")


@method_decorator(never_cache, "dispatch")
class SignInView(views.LoginView):
    """A name and a password; whoever is known already goes on to their work."""

    template_name = "account/sign_in.html"
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        """Where their work is."""
        user = self.request.user
        return own_place(user) if isinstance(user, User) else reverse("pages:start")


class SignOutView(views.LogoutView):
    """Out again, by a button."""

    def get_default_redirect_url(self) -> str:
        """The page everybody reads."""
        return reverse("pages:start")


@method_decorator(never_cache, "dispatch")
class PasswordView(views.PasswordChangeView):
    """One's own password."""

    template_name = "account/password.html"
    success_url = reverse_lazy("pages:account")


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Who is signed in, where they work, and the way out."""
    memberships = Membership.objects.filter(user__username=request.user.get_username()).select_related("competition")
    return render(request, "account/account.html", {"memberships": memberships.order_by("competition__name", "pk")})
