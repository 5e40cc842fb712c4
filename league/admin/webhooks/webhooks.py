"""Admin of webhooks, for directors: the lists of subscriptions and of deliveries."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from typing_extensions import override

from league.admin.base import ObjectLink, own_competitions, page_of, show
from league.admin.competitions.schedule import choose
from league.admin.lists import RelatedFilter
from league.admin.results.entry import number_in
from league.admin.webhooks.base import DirectorsAdmin
from league.admin.webhooks.texts import ChangeForPeopleView, MakeForPeopleView, TextsView
from league.admin.webhooks.views import (
    ChangeView,
    EnableView,
    EndView,
    MakeForProgramView,
    PingView,
    RedeliverView,
    RotateView,
    deliveries_of,
)
from league.models import WebhookDelivery, WebhookSubscription
from league.selectors.access.actors import Capability
from league.selectors.webhooks.subscriptions import OWNERS, why_disabled, why_not_delivered
from league.services.webhooks.events import EVENTS


@admin.register(WebhookSubscription)
class WebhookAdmin(DirectorsAdmin[WebhookSubscription]):
    """List webhook subscriptions."""

    adding = Capability.MANAGE
    list_display = ["host", "service", "owner", "audience", "is_told", "failures"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = [*OWNERS]
    readonly_fields = ["owner", "address", "events_told", "is_told", "why"]
    fields = [
        "owner",
        "service",
        "address",
        "language",
        "events_told",
        "audience",
        "is_told",
        "why",
        "failures",
        "failing_since",
        "made_by",
        "made_at",
    ]
    views = [
        ("edit", ChangeView),
        ("key", RotateView),
        ("ping", PingView),
        ("enable", EnableView),
        ("end", EndView),
        ("receiver", ChangeForPeopleView),
        ("texts", TextsView),
    ]

    @override
    def hook_of(self, row: WebhookSubscription) -> WebhookSubscription:
        return row

    @admin.display(description=gettext_lazy("host"), ordering="url")
    def host(self, row: WebhookSubscription) -> str:
        """Return the host that messages are sent to."""
        return row.host

    @admin.display(description=pgettext_lazy("webhook", "address"))
    def address(self, row: WebhookSubscription) -> str:
        """Return the address as it was typed, without a token."""
        return row.typed_address

    @admin.display(description=gettext_lazy("events"))
    def events_told(self, row: WebhookSubscription) -> str | SafeString:
        """Return the subscribed events in words."""
        named = [(EVENTS[name].meaning, name) for name in row.events if name in EVENTS]
        return format_html_join(SafeString("<br>"), "{} <code>{}</code>", named) if named else _("all of them")

    @admin.display(description=gettext_lazy("is told"), boolean=True)
    def is_told(self, row: WebhookSubscription) -> bool:
        """Return True if the webhook is enabled."""
        return row.disabled_at is None

    @admin.display(description=gettext_lazy("disabled because"))
    def why(self, row: WebhookSubscription) -> str:
        """Return the reason for which the webhook was disabled, or a dash."""
        return why_disabled(row) or "–"

    @override
    def page_context(self, request: HttpRequest, row: WebhookSubscription) -> dict[str, object]:
        return {**super().page_context(request, row), "desk_name": self.host(row)}

    @override
    def links(self, request: HttpRequest, row: WebhookSubscription) -> Iterable[ObjectLink]:
        yield ObjectLink(_("Deliveries"), deliveries_of(row))
        if row.disabled_at is None:
            yield ObjectLink(_("Try it out"), page_of(row, "ping"), is_main=True)
        else:
            yield ObjectLink(_("Enable it"), page_of(row, "enable"), is_main=True)
        if row.is_for_people:
            yield ObjectLink(_("What is sent"), page_of(row, "texts"))
            yield ObjectLink(_("Edit"), page_of(row, "receiver"))
        else:
            yield ObjectLink(_("Edit"), page_of(row, "edit"))
            yield ObjectLink(_("New signing key"), page_of(row, "key"))
        yield ObjectLink(_("End it"), page_of(row, "end"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the service's form, or first ask for the competition."""
        if not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        if all(number_in(request.GET, kind) is None for kind in OWNERS):
            rows = own_competitions(request, Capability.MANAGE)
            title = _("Tell people") if "people" in request.GET else _("New webhook")
            return choose(self, request, title, rows, "competition")
        return show(MakeForPeopleView if "people" in request.GET else MakeForProgramView, self, request)


@admin.register(WebhookDelivery)
class DeliveryAdmin(DirectorsAdmin[WebhookDelivery]):
    """List deliveries with their state."""

    competition_path = "subscription__competition"
    to_subscription = "subscription__"
    list_display = ["what", "state", "status", "why", "attempts", "host", "created_at"]
    list_filter = ["state", "event", ("subscription", RelatedFilter)]
    list_select_related = [f"subscription__{kind}" for kind in OWNERS]
    search_fields = ["message_id"]
    ordering = ["-pk"]
    readonly_fields = ["what", "why", "written"]

    class Media:
        css = {"all": ["league/admin/webhooks.css"]}

    fields = [
        "subscription",
        "what",
        "message_id",
        "state",
        "attempts",
        "status",
        "why",
        "created_at",
        "next_attempt_at",
        "delivered_at",
        "written",
    ]
    views = [("redeliver", RedeliverView)]

    @override
    def hook_of(self, row: WebhookDelivery) -> WebhookSubscription:
        return row.subscription

    @admin.display(description=gettext_lazy("event"), ordering="event")
    def what(self, row: WebhookDelivery) -> str:
        """Return the event in words."""
        return str(EVENTS[row.event].meaning) if row.event in EVENTS else row.event

    @admin.display(description=gettext_lazy("last error"))
    def why(self, row: WebhookDelivery) -> str:
        """Return the reason for which the delivery failed, or a dash."""
        return why_not_delivered(row) or "–"

    @admin.display(description=gettext_lazy("host"))
    def host(self, row: WebhookDelivery) -> str:
        """Return the host that the message was sent to."""
        return row.subscription.host

    @admin.display(description=gettext_lazy("body"))
    def written(self, row: WebhookDelivery) -> SafeString:
        """Return the text for people, or the JSON body, indented."""
        if row.subscription.is_for_people:
            return format_html('<pre class="message-body">{}</pre>', json.loads(row.body)["text"])
        return format_html(
            '<pre class="message-body">{}</pre>', json.dumps(json.loads(row.body), indent=2, ensure_ascii=False)
        )

    @override
    def subject(self, row: WebhookDelivery) -> Model:
        return row.subscription

    @override
    def page_context(self, request: HttpRequest, row: WebhookDelivery) -> dict[str, object]:
        return {**super().page_context(request, row), "desk_name": self.what(row)}

    @override
    def links(self, request: HttpRequest, row: WebhookDelivery) -> Iterable[ObjectLink]:
        yield ObjectLink(_("Webhook"), page_of(row.subscription))
        yield ObjectLink(_("Send again"), page_of(row, "redeliver"), is_main=True)
