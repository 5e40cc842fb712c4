"""Pages for a user's own API tokens: list, create, revoke; a new token is shown once."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from knox.models import AuthToken

from league.forms.access.account import TokenForm
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import Capability, capability_name
from league.services.access.tokens import TokenPlan, make_token, revoke_token
from league.views.parlour.board import actor_of
from league.web.access.visitors import user_of


@never_cache
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """List the tokens and create another from the form; the new token appears in this response only."""
    user = user_of(request)
    form, made = TokenForm(request.POST or None, user=user), None
    if form.is_valid():
        typed = form.cleaned_data
        plan = TokenPlan(
            label=typed["label"],
            scopes=[Capability(scope) for scope in typed["scopes"]],
            competition=typed["competition"],
            expires_in=form.expires_in,
        )
        try:
            made = make_token(plan=plan, by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            form = TokenForm(user=user)
    context = {"form": form, "made": made, "rows": [shown(row) for row in own(request)]}
    return render(request, "access/tokens.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke a token of the user, which is invalid from then on."""
    row = own(request).filter(digest=request.POST.get("token", "")).first()
    if row is None:
        raise Http404
    revoke_token(row=row, by=actor_of(request))
    messages.success(request, _("The token has been revoked."))
    return HttpResponseRedirect(reverse("pages:tokens"))


def own(request: HttpRequest) -> QuerySet[AuthToken]:
    """Return the user's tokens, newest first."""
    rows: QuerySet[AuthToken] = AuthToken.objects.filter(user=request.user.pk)
    return rows.select_related("grant__competition").order_by("-created")


def shown(row: AuthToken) -> dict[str, object]:
    """Return a token as a row of the list."""
    grant = getattr(row, "grant", None)
    return {
        "digest": row.digest,
        "grant": grant,
        "label": grant.label if grant else _("signed in by a program"),
        "scopes": [capability_name(Capability(scope)) for scope in grant.scopes] if grant else [],
        "created": row.created,
        "expiry": row.expiry,
        "is_over": row.expiry is not None and row.expiry < timezone.now(),
    }
