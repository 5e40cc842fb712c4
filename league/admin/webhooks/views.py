"""Pages that make, change, test and end a webhook, and that repeat a delivery."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, M, own_competitions, page_of
from league.admin.results.entry import number_in
from league.admin.webhooks.base import OfOwnerView, trail_of
from league.forms.service import ServiceForm
from league.forms.webhooks.subscriptions import WebhookForm, WebhookWordsForm
from league.models import Audience, Ranking, Series, WebhookDelivery, WebhookSubscription
from league.platform.errors import ServiceError
from league.platform.site_url import is_loopback, site_url
from league.selectors.access.actors import Actor, Capability
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
        webhook = told.subscription
        return self.render_page(
            "webhooks/key",
            title=_("Signing key"),
            subtitle="",
            trail=trail_of(webhook),
            key=told.key,
            is_second=webhook.key_number > 1,
            url=page_of(webhook),
        )


class MakeView(KeyView[Owner, F]):
    """Base of the pages that create a webhook for a competition, a series or a ranking."""

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


class MakeForProgramView(MakeView[WebhookForm]):
    """Create a webhook for a program."""

    form_class = WebhookForm
    title = gettext_lazy("New webhook")
    explanation = gettext_lazy(
        "A program of yours is told when something happens: Jantaku sends a small signed message to its address. "
        "How to check and use it stands in docs/webhooks.md."
    )
    submit = gettext_lazy("Make it and show its key")

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
