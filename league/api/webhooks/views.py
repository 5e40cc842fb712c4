"""Views of webhooks, for those who manage their owners: subscriptions, test messages, and the list of deliveries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.base import DocumentView
from league.api.fields import BoundedListField, CompetitionField, NothingInput, PagedQuery, StrictSerializer
from league.api.schema import describe_get
from league.api.webhooks.documents import Delivery, Message, Webhook, delivery_document, webhook_document
from league.api.writing import Checked, WritingView, describe_write
from league.models import Audience, WebhookDelivery, WebhookSubscription
from league.selectors.access.actors import Actor
from league.selectors.access.etags import database_life, etag
from league.selectors.webhooks.subscriptions import OWNERS, owner_named, webhooks_of
from league.services.webhooks.events import CHOSEN
from league.services.webhooks.owners import Owner
from league.services.webhooks.subscriptions import (
    LONGEST_URL,
    change_webhook,
    enable_webhook,
    end_webhook,
    ping,
    redeliver,
    rotate_key,
    subscribe,
)
from league.web.documents import Document, Page
from league.web.problem_documents import Location
from league.web.problems import ProblemError, error

MESSAGE = OpenApiWebhook(
    name="message",
    decorator=extend_schema(
        operation_id="receive_message",
        summary="A change of a competition, a series or a ranking",
        description=(
            "Sent to the addresses of webhooks with the headers `webhook-id` (the same however often it is sent), "
            "`webhook-timestamp` and `webhook-signature`; how to check them stands in docs/webhooks.md."
        ),
        request=Message,
        responses={"2XX": OpenApiResponse(description="The message has arrived; anything else sends it again later.")},
    ),
)


class EventsField(BoundedListField):
    """Names of the events to receive; an empty list means all."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.ChoiceField(CHOSEN), max_length=len(CHOSEN), **options)


def token_field() -> serializers.CharField:
    """Return the field of LINE's access token."""
    return serializers.CharField(
        max_length=LONGEST_URL, required=False, help_text="The channel access token, with a new address of `line`."
    )


def language_field() -> serializers.ChoiceField:
    """Return the field of the language of texts."""
    return serializers.ChoiceField(settings.LANGUAGES, required=False, help_text="Of the texts for people.")


class OwnerFields(serializers.Serializer[object]):
    """The owner of webhooks: one of the three."""

    competition = CompetitionField(required=False)
    series = serializers.SlugField(max_length=64, required=False, help_text="Or a series' slug.")
    ranking = serializers.SlugField(max_length=64, required=False, help_text="Or a ranking's slug.")


class WebhookInput(StrictSerializer, OwnerFields):
    """A webhook to be created, for a competition, a series or a ranking: one of the three."""

    service = serializers.ChoiceField(
        WebhookSubscription.Service.choices,
        required=False,
        default=WebhookSubscription.Service.PROGRAM,
        help_text="`program` gets signed JSON, the others texts for people; cannot be changed later.",
    )
    url = serializers.CharField(
        max_length=LONGEST_URL,
        help_text="An HTTPS address; with `line` the id of a group, room or user, with `mail` a mail address.",
    )
    token = token_field()
    language = language_field()
    events = EventsField(required=False, default=list, help_text="None stands for all.")
    audience = serializers.ChoiceField(
        Audience.choices,
        required=False,
        default=Audience.PUBLIC,
        help_text="`staff` also receives results under embargo.",
    )


class WebhookChangeInput(StrictSerializer):
    """Changes of a webhook; omitted fields keep their value."""

    url = serializers.CharField(max_length=LONGEST_URL, required=False, help_text="As when it was made.")
    token = token_field()
    language = language_field()
    events = EventsField(required=False, help_text="None stands for all.")


DELIVERY_STATE = ("pk", "state", "attempts", "status", "next_attempt_at", "error")
"""The columns of a delivery that change with every attempt."""


class DeliveriesQuery(PagedQuery):
    """Filter of the deliveries."""

    state = serializers.ChoiceField(WebhookDelivery.State.choices, required=False)


class DirectedView(DocumentView, WritingView):
    """Base of the views for those who manage the webhooks of a competition, a series or a ranking; others get a 404."""

    permission_classes = [IsAuthenticated]
    owner: Owner

    def find(self, named: Mapping[str, str], where: Location = "query") -> None:
        """Find the owner by its kind and slug. Raise Http404 unless the user may manage its webhooks."""
        kinds = [kind for kind in OWNERS if named.get(kind)]
        if len(kinds) != 1:
            detail = _("Name one of: competition, series, ranking.")
            raise ProblemError(
                "invalid_request", errors=[error("one_owner", detail, pointer="/competition", where=where)]
            )
        owner = owner_named(kinds[0], named[kinds[0]], self.request.user)
        # 404, not 403: outsiders must not learn that there are webhooks here.
        if owner is None:
            raise Http404
        self.owner = owner

    def state(self) -> Sequence[object]:
        """Return the rows' state for the ETag, since no published version covers webhooks."""
        columns = ("pk", "url", "language", "events", "key_number", "failures", "disabled_at", "failing_since")
        return list(webhooks_of(self.owner).values_list(*columns))

    def etag(self) -> str:
        """Return an ETag made of the webhooks themselves."""
        named = [self.owner.slug, self.owner.name, self.owner.name_en, database_life()]
        return etag(named, self.state(), *self.representation())


class WebhooksQuery(PagedQuery, OwnerFields):
    """The owner of the webhooks: one of the three."""


@describe_get("list_webhooks", Page[Webhook], query=WebhooksQuery)
@describe_write("make_webhook", WebhookInput, Webhook)
class WebhooksView(DirectedView):
    """List the webhooks of a competition, a series or a ranking. A POST creates one; only its response has the key."""

    query_class = WebhooksQuery
    creates = True
    returns_secret = True

    def open(self, **path: object) -> None:
        """Find the owner named in the query."""
        self.find(self.query)

    def document(self) -> object:
        """Return one page, each webhook without its key."""
        return self.page_of(webhooks_of(self.owner), lambda rows: [webhook_document(row) for row in rows])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Create a webhook."""
        values: Checked = WebhookInput.check(request.data)
        self.find({kind: str(values.get(kind, "")) for kind in OWNERS}, "body")
        return self.run_once(lambda by: self.subscribe(values, by), HTTPStatus.CREATED)

    def subscribe(self, values: Checked, by: Actor) -> Webhook:
        """Create the webhook and return it with its key; a service for people has none."""
        told = subscribe(
            owner=self.owner,
            service=values["service"],
            url=values["url"],
            token=values.get("token", ""),
            language=values.get("language", ""),
            events=values["events"],
            audience=Audience(values["audience"]),
            by=by,
        )
        key = None if told.subscription.is_for_people else told.key
        return webhook_document(told.subscription, key)


class WebhookRowView(DirectedView):
    """Base of the views of one webhook."""

    row: WebhookSubscription

    def open(self, **path: object) -> None:
        """Find the webhook. Raise Http404 unless the user may manage its owner's webhooks."""
        row = get_object_or_404(WebhookSubscription.objects.select_related(*OWNERS), pk=self.kwargs["pk"])
        kind = row.owner._meta.model_name or ""
        self.find({kind: row.owner.slug})
        self.row = row

    def document(self) -> object:
        """Return the webhook without its key."""
        return webhook_document(self.row)

    def webhook_now(self, key: str | None = None) -> Webhook:
        """Return the webhook after a change; `key` is a new one."""
        return webhook_document(webhooks_of(self.owner).get(pk=self.row.pk), key)


@describe_get("get_webhook", Webhook)
@describe_write("change_webhook", WebhookChangeInput, Webhook, method="patch")
@describe_write("end_webhook", None, None, method="delete")
class WebhookView(WebhookRowView):
    """Return, change or delete a webhook."""

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change the URL or the events."""
        self.open(**path)
        values: Checked = WebhookChangeInput.check(request.data)
        return self.run_once(lambda by: self.replace(values, by))

    def replace(self, values: Checked, by: Actor) -> Webhook:
        """Change the fields sent, and return the webhook."""
        change_webhook(subscription=self.row, by=by, **values)
        return self.webhook_now()

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Delete the webhook with its deliveries."""
        return self.run_once(self.end)

    def end(self, by: Actor) -> None:
        """Delete the webhook. It is found here, so that a request sent again does not miss it."""
        self.open()
        end_webhook(subscription=self.row, by=by)


class WebhookPostView(WebhookRowView):
    """Base of the actions on a webhook."""

    http_method_names = ["post", "options"]
    status: ClassVar[int] = HTTPStatus.OK

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Act on the webhook."""
        self.open(**path)
        NothingInput.check(request.data)
        return self.run_once(self.act, self.status)

    @abstractmethod
    def act(self, by: Actor) -> Document:
        """Act on the webhook through its service, and return the document to respond with."""


@describe_write("rotate_webhook_key", NothingInput, Webhook)
class RotateView(WebhookPostView):
    """Replace the signing key. The new key is in this response and never shown again.

    Messages are signed with it and with the previous one, until the next rotation.
    """

    returns_secret = True

    def act(self, by: Actor) -> Webhook:
        """Make a new key."""
        return self.webhook_now(rotate_key(subscription=self.row, by=by).key)


@describe_write("enable_webhook", NothingInput, Webhook)
class EnableView(WebhookPostView):
    """Enable a disabled webhook; it receives the changes from now on."""

    def act(self, by: Actor) -> Webhook:
        """Enable the webhook."""
        enable_webhook(subscription=self.row, by=by)
        return self.webhook_now()


@describe_write("ping_webhook", NothingInput, Delivery, status=HTTPStatus.ACCEPTED)
class PingView(WebhookPostView):
    """Send a test message."""

    status = HTTPStatus.ACCEPTED

    def act(self, by: Actor) -> Delivery:
        """Queue a test message."""
        return delivery_document(ping(subscription=self.row, by=by))


class DeliveryRowsView(WebhookRowView):
    """Base of the views of one webhook's deliveries."""

    def deliveries(self) -> QuerySet[WebhookDelivery]:
        """Return the deliveries, newest first."""
        rows = WebhookDelivery.objects.filter(subscription=self.row).select_related(
            *(f"subscription__{kind}" for kind in OWNERS)
        )
        return rows.order_by("-pk")

    def delivery(self) -> WebhookDelivery:
        """Return the delivery named in the URL."""
        return get_object_or_404(self.deliveries(), pk=self.kwargs["delivery"])


@describe_get("list_webhook_deliveries", Page[Delivery], query=DeliveriesQuery)
class DeliveriesView(DeliveryRowsView):
    """List the deliveries of a webhook, newest first; they are stored for thirty days."""

    query_class = DeliveriesQuery

    def filtered_deliveries(self) -> QuerySet[WebhookDelivery]:
        """Return the deliveries that match the query."""
        rows = self.deliveries()
        return rows.filter(state=self.query["state"]) if "state" in self.query else rows

    def state(self) -> Sequence[object]:
        """Return the delivery state of the requested page, so that every attempt changes the ETag."""
        rows = self.filtered_deliveries()
        size = self.query["page_size"]
        start = (self.query["page"] - 1) * size
        return [rows.count(), *rows.values_list(*DELIVERY_STATE)[start : start + size]]

    def document(self) -> object:
        """Return one page."""
        return self.page_of(self.filtered_deliveries(), lambda rows: [delivery_document(row) for row in rows])


@describe_get("get_webhook_delivery", Delivery)
class DeliveryView(DeliveryRowsView):
    """Return a message, with the state of its delivery."""

    def state(self) -> Sequence[object]:
        """Return the current state of the delivery."""
        return list(get_object_or_404(self.deliveries().values_list(*DELIVERY_STATE), pk=self.kwargs["delivery"]))

    def document(self) -> object:
        """Return the delivery."""
        return delivery_document(self.delivery())


@describe_write("redeliver_webhook_message", NothingInput, Delivery, status=HTTPStatus.ACCEPTED)
class RedeliverView(DeliveryRowsView, WebhookPostView):
    """Send a message again under the same id."""

    status = HTTPStatus.ACCEPTED

    def act(self, by: Actor) -> Delivery:
        """Queue the message again."""
        return delivery_document(redeliver(delivery=self.delivery(), by=by))
