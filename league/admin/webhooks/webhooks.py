"""Admin of webhooks, for directors: create, test, change and end subscriptions; inspect and repeat deliveries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import ClassVar
from urllib.parse import urlencode, urlsplit

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View
from typing_extensions import override

from league.admin.base import F, LeagueModelAdmin, M, ObjectLink, ServiceView, may, own_competitions, page_of, show
from league.admin.competitions.schedule import choose
from league.admin.lists import RelatedFilter
from league.admin.results.entry import number_in
from league.forms.service import ServiceForm
from league.forms.webhooks.subscriptions import WebhookForm, WebhookWordsForm
from league.models import Audience, Competition, Ranking, Series, WebhookDelivery, WebhookSubscription
from league.platform.errors import ServiceError
from league.platform.site_url import is_loopback, site_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series
from league.selectors.webhooks.subscriptions import OWNERS, of_seasons, why_disabled, why_not_delivered
from league.services.webhooks.events import EVENTS
from league.services.webhooks.owners import Owner
from league.services.webhooks.subscriptions import (
    ToldKey,
    change_webhook,
    enable_webhook,
    end_webhook,
    ping,
    redeliver,
    rotate_key,
    subscribe,
)
from league.web.visitors import user_of
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
    """Base of lists of webhooks, for directors and for those who may change series or rankings."""

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


def host_of(row: WebhookSubscription) -> str:
    """Return the host of the webhook's address. Path and query may contain a secret."""
    return urlsplit(row.url).netloc


def trail_of(row: WebhookSubscription) -> list[tuple[str, str]]:
    """Return the breadcrumbs to a webhook."""
    return [(str(row.owner), page_of(row.owner)), (host_of(row), page_of(row))]


class OfOwnerView(ServiceView[M, F]):
    """Base of the pages about webhooks, for those who may manage their owner's."""

    def owner(self) -> Owner:
        """Return the competition, series or ranking."""
        assert isinstance(self.model_admin, DirectorsAdmin)  # noqa: S101 - the address gives it
        return self.model_admin.hook_of(self.row).owner

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        self.row = self.find(request)
        if not may_manage(request, self.owner()):
            raise PermissionDenied
        # Skips ServiceView.dispatch, which asks for a role in a competition.
        return super(ServiceView, self).dispatch(request, *args, **kwargs)


class KeyView(OfOwnerView[M, F]):
    """Base of the pages whose response shows a signing key once."""

    def make_key(self, form: F, by: Actor) -> ToldKey:
        """Call the service that makes the key and return the key."""
        raise NotImplementedError

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Call the service and show the key, or show the errors in the form."""
        form = self.form(request.POST)
        if form.is_valid():
            try:
                return self.render_key(self.make_key(form, self.actor()))
            except ServiceError as error:
                form.take(error)
        return self.show(form)

    def render_key(self, told: ToldKey) -> HttpResponse:
        """Render the key. Like every admin page, the response is not to be cached by browsers or proxies."""
        assert self.model_admin is not None  # noqa: S101 - the address gives it
        webhook = told.subscription
        context = {
            **self.model_admin.admin_site.each_context(self.request),
            "title": _("Signing key"),
            "trail": trail_of(webhook),
            "opts": self.model_admin.opts,
            "key": told.key,
            "is_second": webhook.key_number > 1,
            "url": page_of(webhook),
        }
        return render(self.request, "admin/league/webhooks/key.html", context)


class MakeView(KeyView[Owner, WebhookForm]):
    """Create a webhook for a competition, a series or a ranking."""

    form_class = WebhookForm
    title = gettext_lazy("New webhook")
    explanation = gettext_lazy(
        "A program of yours is told when something happens: Jantaku sends a small signed message to its address. "
        "How to check and use it stands in docs/webhooks.md."
    )
    submit = gettext_lazy("Make it and show its key")

    @override
    def notes(self) -> Iterable[object]:
        if is_loopback(site_url()):
            text = _(
                "Messages contain links that begin with %(site)s, which other machines cannot open. Start the service "
                "with HOST=0.0.0.0, or set BASE_URL to the address that people open."
            )
            yield text % {"site": site_url()}

    @override
    def find(self, request: HttpRequest) -> Owner:
        row: Owner | None
        if (series := number_in(request.GET, "series")) is not None:
            row = Series.objects.filter(pk=series).first()
        elif (ranking := number_in(request.GET, "ranking")) is not None:
            row = Ranking.objects.filter(pk=ranking).first()
        else:
            own = own_competitions(request, Capability.MANAGE)
            row = own.filter(pk=number_in(request.GET, "competition") or 0).first()
        if row is None:
            raise Http404
        return row

    @override
    def owner(self) -> Owner:
        return self.row

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(self.row), page_of(self.row))]

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"owner": self.row._meta.model_name}

    @override
    def make_key(self, form: WebhookForm, by: Actor) -> ToldKey:
        typed = form.cleaned_data
        audience = Audience(typed["audience"])
        return subscribe(owner=self.row, url=typed["url"], events=typed["events"], audience=audience, by=by)


class WebhookView(OfOwnerView[WebhookSubscription, F]):
    """Base of the pages that change a webhook."""

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return trail_of(self.row)


class ChangeView(WebhookView[WebhookWordsForm]):
    """Change the address or the events of a webhook."""

    form_class = WebhookWordsForm
    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, object]:
        initial = {"url": self.row.url, "events": self.row.events}
        return {"initial": initial, "owner": self.owner()._meta.model_name}

    @override
    def perform(self, form: WebhookWordsForm, by: Actor) -> str:
        change_webhook(subscription=self.row, by=by, **form.cleaned_data)
        return _("Saved.")


class RotateView(WebhookView[ServiceForm], KeyView[WebhookSubscription, ServiceForm]):
    """Make a new signing key; the previous one stays valid beside it."""

    form_class = ServiceForm
    title = gettext_lazy("New signing key")
    explanation = gettext_lazy(
        "From now on messages are signed with the new key and with the one before, so that the receiver can change "
        "over when it likes. If a key has leaked, make a new one twice."
    )
    submit = gettext_lazy("Make a new key and show it")

    @override
    def make_key(self, form: object, by: Actor) -> ToldKey:
        return rotate_key(subscription=self.row, by=by)


class PingView(WebhookView[ServiceForm]):
    """Send a test message (ping)."""

    form_class = ServiceForm
    title = gettext_lazy("Try it out")
    explanation = gettext_lazy(
        "A message that tells of nothing (ping) is sent within seconds. Whether it arrived stands among the deliveries."
    )
    submit = gettext_lazy("Send it")

    @override
    def perform(self, form: object, by: Actor) -> str:
        ping(subscription=self.row, by=by)
        return _("The message is in line.")

    @override
    def after(self, form: object) -> str:
        return deliveries_of(self.row)


class EnableView(WebhookView[ServiceForm]):
    """Enable a webhook that was disabled after failures."""

    form_class = ServiceForm
    title = gettext_lazy("Enable it")
    explanation = gettext_lazy(
        "It is told of what happens from now on. What waits is sent; what happened meanwhile is not told afterwards."
    )
    submit = gettext_lazy("Enable it")

    @override
    def perform(self, form: object, by: Actor) -> str:
        enable_webhook(subscription=self.row, by=by)
        return _("It is told again.")


class EndView(WebhookView[ServiceForm]):
    """End a webhook and delete its deliveries."""

    form_class = ServiceForm
    title = gettext_lazy("End it")
    explanation = gettext_lazy("Nothing is sent to this address any more, and what was sent is forgotten.")
    submit = gettext_lazy("End it")
    is_grave = True

    @override
    def perform(self, form: object, by: Actor) -> str:
        end_webhook(subscription=self.row, by=by)
        return _("The webhook has ended.")

    @override
    def after(self, form: object) -> str:
        return reverse("admin:league_webhooksubscription_changelist")


class RedeliverView(OfOwnerView[WebhookDelivery, ServiceForm]):
    """Send a delivery again under the same id."""

    form_class = ServiceForm
    title = gettext_lazy("Send again")
    explanation = gettext_lazy(
        "The same message is sent within seconds, under the same id: a receiver that has it already can tell."
    )
    submit = gettext_lazy("Send again")

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [*trail_of(self.row.subscription), (self.row.message_id, page_of(self.row))]

    @override
    def perform(self, form: object, by: Actor) -> str:
        redeliver(delivery=self.row, by=by)
        return _("The message is in line.")


def deliveries_of(row: WebhookSubscription) -> str:
    """Return the address of the list of deliveries to a webhook."""
    return f"{reverse('admin:league_webhookdelivery_changelist')}?{urlencode({'subscription__id__exact': row.pk})}"


@admin.register(WebhookSubscription)
class WebhookAdmin(DirectorsAdmin[WebhookSubscription]):
    """List webhook subscriptions."""

    adding = Capability.MANAGE
    list_display = ["host", "owner", "audience", "is_told", "failures"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = [*OWNERS]
    readonly_fields = ["owner", "events_told", "is_told", "why"]
    fields = [
        "owner",
        "url",
        "events_told",
        "audience",
        "is_told",
        "why",
        "failures",
        "failing_since",
        "made_by",
        "made_at",
    ]

    @override
    def hook_of(self, row: WebhookSubscription) -> WebhookSubscription:
        return row

    @admin.display(description=gettext_lazy("host"), ordering="url")
    def host(self, row: WebhookSubscription) -> str:
        """Return the host that messages are sent to."""
        return host_of(row)

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
    def views(self) -> Sequence[tuple[str, type[View]]]:
        return [
            ("edit", ChangeView),
            ("key", RotateView),
            ("ping", PingView),
            ("enable", EnableView),
            ("end", EndView),
        ]

    @override
    def links(self, request: HttpRequest, row: WebhookSubscription) -> Iterable[ObjectLink]:
        yield ObjectLink(_("Deliveries"), deliveries_of(row))
        if row.disabled_at is None:
            yield ObjectLink(_("Try it out"), page_of(row, "ping"), is_main=True)
        else:
            yield ObjectLink(_("Enable it"), page_of(row, "enable"), is_main=True)
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
            return choose(self, request, _("New webhook"), rows, "competition")
        return show(MakeView, self, request)


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
        return host_of(row.subscription)

    @admin.display(description=gettext_lazy("body"))
    def written(self, row: WebhookDelivery) -> SafeString:
        """Return the JSON body, indented."""
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
    def views(self) -> Sequence[tuple[str, type[View]]]:
        return [("redeliver", RedeliverView)]

    @override
    def links(self, request: HttpRequest, row: WebhookDelivery) -> Iterable[ObjectLink]:
        yield ObjectLink(_("Webhook"), page_of(row.subscription))
        yield ObjectLink(_("Send again"), page_of(row, "redeliver"), is_main=True)
