"""Base of the admin pages of webhooks: who may manage which, and where a page belongs."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, LeagueModelAdmin, M, ServiceView, may, own_competitions, page_of
from league.models import Competition, Ranking, Series, WebhookSubscription
from league.selectors.access.actors import Capability
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series
from league.selectors.webhooks.subscriptions import of_seasons
from league.services.webhooks.owners import Owner
from league.web.access.visitors import user_of
from league.wording.names import title_of


def may_manage(request: HttpRequest, owner: Owner | None = None) -> bool:
    """Return True if the user may manage the webhooks of an owner or, without one, of any."""
    user = request.user
    if not (isinstance(user, User) and user.is_active and user.is_staff):
        return False
    if isinstance(owner, Series):
        return may_change_series(user)
    if isinstance(owner, Ranking):
        return may_write_rankings(user)
    if owner is not None:
        return may(request, Capability.MANAGE, owner.pk)
    return may(request, Capability.MANAGE) or may_change_series(user) or may_write_rankings(user)


class DirectorsAdmin(LeagueModelAdmin[M]):
    """Base of lists of webhooks, for directors and for users allowed to change series or rankings."""

    to_subscription: ClassVar[str] = ""
    """Lookup path from a row to its webhook, with the underscores that end it."""

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return rows of the owners whose webhooks the user may manage."""
        # Not the base class's: it knows rows of competitions alone.
        rows = super(LeagueModelAdmin, self).get_queryset(request)
        hooks = WebhookSubscription.objects.filter(
            Q(competition__in=own_competitions(request, Capability.MANAGE)) | of_seasons(user_of(request))
        )
        return rows.filter(**{f"{self.to_subscription}pk__in": hooks.order_by().values("pk")})

    def hook_of(self, row: M) -> WebhookSubscription:
        """Return the webhook that a row belongs to."""
        raise NotImplementedError

    @override
    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_manage(request)

    @override
    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return may_manage(request, self.hook_of(obj).owner if obj else None)

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.adding is not None and may_manage(request)

    @override
    def trail_to(self, row: M) -> list[tuple[str, str]]:
        owner = self.hook_of(row).owner
        if isinstance(owner, Competition):
            return super().trail_to(row)
        listed = str(self.opts.verbose_name_plural), reverse(f"admin:league_{self.opts.model_name}_changelist")
        return [(str(owner), page_of(owner)), listed]

    @admin.display(description=gettext_lazy("competition, series or ranking"))
    def owner(self, row: M) -> str:
        """Return the name of the competition, series or ranking."""
        return title_of(self.hook_of(row).owner)


def trail_of(row: WebhookSubscription) -> list[tuple[str, str]]:
    """Return the breadcrumbs to a webhook."""
    return [(str(row.owner), page_of(row.owner)), (row.host, page_of(row))]


class OfOwnerView(ServiceView[M, F]):
    """Base of the pages about webhooks, for users allowed to manage their owner's."""

    def owner(self) -> Owner:
        """Return the competition, series or ranking."""
        assert isinstance(self.model_admin, DirectorsAdmin)  # noqa: S101 - the address gives it
        return self.model_admin.hook_of(self.row).owner

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return may_manage(request, self.owner())
