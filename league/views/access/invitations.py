"""Accepting an invitation, with the signed-in account or with a new one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.forms.access.account import NewAccountForm
from league.models import Door, Invitation, Membership
from league.platform.errors import ServiceError, refuse
from league.platform.rendering import render
from league.platform.throttling import limit_failed_attempts
from league.selectors.access.actors import Actor
from league.services.access.invitations import accept, accept_with_new_account, is_given, open_invitation
from league.views.access.account import own_place
from league.views.parlour.board import actor_of
from league.web.access.known_browsers import remember, sign_in
from league.web.access.two_step_login import asks_for_code
from league.web.middleware.security_headers import hide_path_from_referrer
from league.web.problems import request_id
from league.wording.names import role_title, title_of


@sensitive_post_parameters()
@never_cache
@hide_path_from_referrer
@limit_failed_attempts
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation and accept it on POST.

    The URL is a key, so wrong ones are rate-limited; a used or expired invitation answers 410.
    """
    found = open_invitation(token)
    if found is None:
        return render(request, "access/invitation_gone.html", status=410)
    form = NewAccountForm(request.POST if request.method == "POST" and "username" in request.POST else None)
    if request.method == "POST":
        try:
            return accept_as_visitor(request, found, token, form)
        except ServiceError as error:
            if form.is_bound:
                form.take(error)
            else:
                messages.error(request, str(error))
    return render(
        request, "access/invitation.html", {"invitation": found, "form": form}, status=422 if form.errors else 200
    )


def accept_as_visitor(request: HttpRequest, found: Invitation, token: str, form: NewAccountForm) -> HttpResponse:
    """Accept for the signed-in user, or create an account and sign it in. Raise ServiceError if that is refused."""
    if request.user.is_authenticated:
        member = accept(token=token, by=actor_of(request))
        user = member.user
        if not is_given(found, member):
            messages.warning(request, role_kept(member))
            return remember(request, user, HttpResponseRedirect(own_place(user)))
    else:
        if not form.is_valid():
            raise refuse("look_again", _("Nothing has been saved yet. Look at what is marked below."))
        typed = form.cleaned_data
        # The account does not exist yet; the service names it as the actor once it does.
        by = Actor(user=None, door=Door.PAGE, request_id=request_id())
        user = accept_with_new_account(token=token, username=typed["username"], password=typed["password"], by=by)
        # An account that must have a second step signs in afterwards and sets it up on the way.
        if not asks_for_code(user):
            sign_in(request, user)
    name = title_of(found.competition)
    messages.success(request, _("You work for “%(competition)s” now.") % {"competition": name})
    return remember(request, user, HttpResponseRedirect(own_place(user)))


def role_kept(member: Membership) -> str:
    """Return the sentence for a member whose role an invitation could not replace."""
    message = _(
        "You work for “%(competition)s” already, and keep your role: %(role)s. A person has one role in a competition; "
        "a director can change it under “Staff”."
    )
    return message % {"competition": title_of(member.competition), "role": role_title(member)}
