"""Views of a competition's webhooks, for its directors: subscriptions, test messages, and the list of deliveries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import CollectionView, CompetitionView, RowView
from league.api.fields import CompetitionField, NothingInput, PagedQuery, StrictSerializer
from league.api.queries import OfCompetitionQuery
from league.api.schema import COMMON_STATUSES, LANGUAGE, describe_get, describe_post, problems
from league.api.throttles import ReadThrottle, WriteThrottle
from league.api.webhooks.documents import Delivery, Message, Webhook, delivery_document, webhook_document
from league.models import Audience, WebhookDelivery, WebhookSubscription
from league.selectors.access.actors import Capability, capabilities
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.webhooks.subscriptions import webhooks_of
from league.services.webhooks.events import CHOSEN
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
from league.web.documents import Page

MESSAGE = OpenApiWebhook(
    name="message",
    decorator=extend_schema(
        operation_id="receive_message",
        summary="A change of a competition",
        description=(
            "Sent to the addresses of webhooks with the headers `webhook-id` (the same however often it is sent), "
            "`webhook-timestamp` and `webhook-signature`; how to check them stands in docs/webhooks.md."
        ),
        request=Message,
        responses={"2XX": OpenApiResponse(description="The message has arrived; anything else sends it again later.")},
    ),
)


class EventsField(serializers.ListField):
    """Names of the events to receive; an empty list means all."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.ChoiceField(CHOSEN), max_length=len(CHOSEN), **options)


class WebhookInput(StrictSerializer):
    """A webhook to be created."""

    competition = CompetitionField()
    url = serializers.CharField(max_length=LONGEST_URL, help_text="An HTTPS address.")
    events = EventsField(required=False, default=list, help_text="None stands for all.")
    audience = serializers.ChoiceField(
        Audience.choices,
        required=False,
        default=Audience.PUBLIC,
        help_text="`staff` also receives results under embargo.",
    )


class WebhookChangeInput(StrictSerializer):
    """Changes of a webhook; omitted fields keep their value."""

    url = serializers.CharField(max_length=LONGEST_URL, required=False, help_text="An HTTPS address.")
    events = EventsField(required=False, help_text="None stands for all.")


class NewWebhook(TypedDict):
    """A validated `WebhookInput`."""

    competition: str
    url: str
    events: list[str]
    audience: str


class ChangedWebhook(TypedDict, total=False):
    """A validated `WebhookChangeInput`."""

    url: str
    events: list[str]


class DeliveriesQuery(PagedQuery):
    """Filter of the deliveries."""

    state = serializers.ChoiceField(WebhookDelivery.State.choices, required=False)


class DirectedView(CompetitionView):
    """Base of the views for directors of a competition; other users get a 404."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [ReadThrottle, WriteThrottle]

    def find(self, **lookup: object) -> None:
        """Find the competition. Raise Http404 unless the user directs it."""
        super().find(**lookup)
        # 404, not 403: outsiders must not learn that there are webhooks here.
        if Capability.MANAGE not in capabilities(self.request.user, self.reader.competition):
            raise Http404

    def state(self) -> Sequence[object]:
        """Return the rows' state for the ETag, since no published version covers webhooks."""
        return [
            [row.pk, row.url, row.events, row.key_number, row.failures, row.disabled_at, row.failing_since]
            for row in webhooks_of(self.reader.competition)
        ]

    def etag(self) -> str:
        """Return an ETag made of the webhooks themselves."""
        return etag_of(self.reader, self.state(), *self.representation())


@describe_get("list_webhooks", Page[Webhook], query=OfCompetitionQuery)
@describe_post("make_webhook", WebhookInput, Webhook, status=201)
class WebhooksView(DirectedView, CollectionView[WebhookSubscription]):
    """List the webhooks of a competition. A POST creates one; only its response contains the signing key."""

    query_class = OfCompetitionQuery

    def rows(self, reader: Reader) -> QuerySet[WebhookSubscription]:
        """Return all webhooks of the competition."""
        return webhooks_of(reader.competition)

    def write_rows(self, reader: Reader, rows: Sequence[WebhookSubscription]) -> list[Webhook]:
        """Return each webhook without its key."""
        return [webhook_document(row) for row in rows]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Create a webhook."""
        values: NewWebhook = WebhookInput.check(request.data).validated_data
        self.find(slug=values["competition"])
        told = subscribe(
            competition=self.reader.competition,
            url=values["url"],
            events=values["events"],
            audience=Audience(values["audience"]),
            by=actor_of(request),
        )
        return Response(webhook_document(told.subscription, told.key), status=201)


class WebhookRowView(DirectedView, RowView):
    """Base of the views of one webhook."""

    row: WebhookSubscription

    def all_rows(self) -> QuerySet[WebhookSubscription]:
        """Return the webhooks of all competitions."""
        return WebhookSubscription.objects.all()

    def open(self, **path: object) -> None:
        """Find the webhook. Raise Http404 unless the user directs its competition."""
        super().open(**path)
        self.row = get_object_or_404(webhooks_of(self.reader.competition), pk=self.kwargs["pk"])

    def write(self, reader: Reader) -> object:
        """Return the webhook without its key."""
        return webhook_document(self.row)

    def webhook_response(self, key: str | None = None, status: int = 200) -> Response:
        """Return the webhook after a change."""
        return Response(webhook_document(webhooks_of(self.reader.competition).get(pk=self.row.pk), key), status=status)


def describe_change(method: str, operation: str, body: type[StrictSerializer] | None) -> Callable[[type], type]:
    """Describe a view's PATCH or DELETE in the OpenAPI document."""
    answer: dict[object, object] = {204: None} if body is None else {(200, "application/json"): Webhook}
    responses = {**answer, **problems(*COMMON_STATUSES, 403, 404, 409, 413, 415, 422)}
    return extend_schema_view(
        **{method: extend_schema(operation_id=operation, request=body, parameters=[LANGUAGE], responses=responses)}
    )


@describe_get("get_webhook", Webhook)
@describe_change("patch", "change_webhook", WebhookChangeInput)
@describe_change("delete", "end_webhook", None)
class WebhookView(WebhookRowView):
    """Return, change or delete a webhook."""

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change the URL or the events."""
        self.open(**path)
        values: ChangedWebhook = WebhookChangeInput.check(request.data).validated_data
        change_webhook(subscription=self.row, by=actor_of(request), **values)
        return self.webhook_response()

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Delete the webhook with its deliveries."""
        self.open(**path)
        end_webhook(subscription=self.row, by=actor_of(request))
        return Response(status=204)


class WebhookPostView(WebhookRowView):
    """Base of the actions on a webhook."""

    http_method_names = ["post", "options"]


@describe_post("rotate_webhook_key", NothingInput, Webhook)
class RotateView(WebhookPostView):
    """Replace the signing key. The new key is in this response and never shown again."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make a new key; messages are signed with it and with the previous one, until the next rotation."""
        self.open(**path)
        NothingInput.check(request.data)
        return self.webhook_response(rotate_key(subscription=self.row, by=actor_of(request)).key)


@describe_post("enable_webhook", NothingInput, Webhook)
class EnableView(WebhookPostView):
    """Enable a disabled webhook."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Enable the webhook; it receives the changes from now on."""
        self.open(**path)
        NothingInput.check(request.data)
        enable_webhook(subscription=self.row, by=actor_of(request))
        return self.webhook_response()


@describe_post("ping_webhook", NothingInput, Delivery, status=202)
class PingView(WebhookPostView):
    """Send a test message."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Queue a test message."""
        self.open(**path)
        NothingInput.check(request.data)
        return Response(delivery_document(ping(subscription=self.row, by=actor_of(request))), status=202)


class DeliveryRowsView(WebhookRowView):
    """Base of the views of one webhook's deliveries."""

    def deliveries(self) -> QuerySet[WebhookDelivery]:
        """Return the deliveries, newest first."""
        rows = WebhookDelivery.objects.filter(subscription=self.row).select_related("subscription__competition")
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
        columns = ("pk", "state", "attempts", "status", "next_attempt_at", "error")
        return [rows.count(), *rows.values_list(*columns)[start : start + size]]

    def write(self, reader: Reader) -> object:
        """Return one page."""
        return self.page_of(self.filtered_deliveries(), lambda rows: [delivery_document(row) for row in rows])


@describe_get("get_webhook_delivery", Delivery)
class DeliveryView(DeliveryRowsView):
    """Return a message, with the state of its delivery."""

    def state(self) -> Sequence[object]:
        """Return the current state of the delivery."""
        row = self.delivery()
        return [row.pk, row.state, row.attempts, row.status, row.next_attempt_at, row.error]

    def write(self, reader: Reader) -> object:
        """Return the delivery."""
        return delivery_document(self.delivery())


@describe_post("redeliver_webhook_message", NothingInput, Delivery, status=202)
class RedeliverView(DeliveryRowsView):
    """Send a message again."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Queue the message again under the same id."""
        self.open(**path)
        NothingInput.check(request.data)
        return Response(delivery_document(redeliver(delivery=self.delivery(), by=actor_of(request))), status=202)
