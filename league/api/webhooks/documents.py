"""Webhook documents: subscriptions, deliveries, and the messages that receivers get."""

from __future__ import annotations

import datetime as dt
import json
from typing import Annotated, NotRequired

from django.utils import timezone
from pydantic import Field
from typing_extensions import TypedDict

from league.models import Audience, WebhookDelivery, WebhookSubscription
from league.services.webhooks.events import CHOSEN, NAMES
from league.web.document_parts import CompetitionRef, Slug, moment
from league.web.documents import Document, Moment, Ref


class SeasonRef(Document):
    """A reference to a series or to a ranking."""

    slug: Slug
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")


class Webhook(Document):
    """A URL that receives messages about the changes of a competition, a series or a ranking: one of the three."""

    id: Ref = Field(description="The webhook's id.")
    competition: CompetitionRef | None = Field(description="The competition; null for webhooks of others.")
    series: SeasonRef | None = Field(description="The series; null for webhooks of others.")
    ranking: SeasonRef | None = Field(description="The ranking; null for webhooks of others.")
    service: WebhookSubscription.Service = Field(description="A program, or what shows texts to people.")
    language: str = Field(description="Of texts for people; empty for a program.")
    url: str = Field(description="The address messages are sent to; LINE's token is left out.")
    events: list[str] = Field(
        description="None stands for all.", json_schema_extra={"items": {"type": "string", "enum": list(CHOSEN)}}
    )
    audience: Audience = Field(description="`staff` also receives held-back results.")
    is_enabled: bool = Field(description="Messages are sent.")
    disabled_at: Moment | None = Field(description="The moment it was disabled.")
    disabled_because: str = Field(description="`gone`, `failing` or `rights`; empty while enabled.")
    failures: int = Field(description="In a row.")
    failing_since: Moment | None = Field(description="The moment of the first failure in the row.")
    made_at: Moment = Field(description="The moment it was made.")
    key: str | None = Field(description="What messages are signed with; told once, when it is made.")


class MessageSubject(Document):
    """The row that was changed."""

    type: str = Field(description="Such as `hanchan` or `tablesession`.")
    id: Ref = Field(description="The row's id.")


class MessageData(TypedDict):
    """Ids and numbers, never names; `version` and `url` are always there, the other members depend on the event."""

    competition: NotRequired[Slug]
    series: NotRequired[Annotated[str, Field(description="The series' slug, with `series.*`.")]]
    ranking: NotRequired[Annotated[str, Field(description="The ranking's slug, with `ranking.changed`.")]]
    version: Annotated[int, Field(description="Of the competition, series or ranking; read at this or a later one.")]
    url: Annotated[str, Field(description="The address of the changed resource.")]
    subject: NotRequired[MessageSubject]
    kind: NotRequired[Annotated[str, Field(description="The kind of change, where an event stands for several.")]]
    revision: NotRequired[Annotated[int, Field(description="Of a result.")]]
    term: NotRequired[Annotated[int, Field(description="The number of the term, with `series.*`.")]]
    blocks: NotRequired[Annotated[list[str], Field(description="Keys, with `standings.published`.")]]
    block: NotRequired[Annotated[str, Field(description="The block's key, with `slot.filled`.")]]
    number: NotRequired[Annotated[int, Field(description="Of the slot, with `slot.filled`.")]]
    entrant: NotRequired[Annotated[Ref, Field(description="The entrant's id, with `slot.filled`.")]]


class Message(Document):
    """The message sent to a receiver."""

    type: str = Field(description="The event.", json_schema_extra={"enum": list(NAMES)})
    timestamp: Moment = Field(description="When it happened.")
    data: MessageData


class Delivery(Document):
    """A message to one URL, and the state of its delivery."""

    id: Ref = Field(description="The delivery's id.")
    message_id: str = Field(description="The `webhook-id`: the same however often it is sent.")
    event: str = Field(description="The event.", json_schema_extra={"enum": list(NAMES)})
    body: Message | None = Field(description="What a program gets; null where people get a text.")
    text: str | None = Field(description="What people get, in the webhook's language; null for a program.")
    state: WebhookDelivery.State = Field(description="Waiting, delivered, or given up.")
    attempts: int = Field(description="The number of attempts so far.")
    next_attempt_at: Moment | None = Field(description="The moment of the next attempt.")
    status: int | None = Field(description="Of the last answer.")
    error: str = Field(description="A code, and what the receiver said.")
    created_at: Moment = Field(description="The moment of the change it tells of.")
    delivered_at: Moment | None = Field(description="The moment it was delivered.")


def webhook_document(row: WebhookSubscription, key: str | None = None) -> Webhook:
    """Return a webhook; its key is included only when it was made just now."""
    return Webhook.build(
        row,
        url=row.typed_address,
        is_enabled=row.disabled_at is None,
        disabled_at=moment_of(row, row.disabled_at),
        failing_since=moment_of(row, row.failing_since),
        made_at=moment_of(row, row.made_at),
        key=key,
    )


def moment_of(row: WebhookSubscription, at: dt.datetime | None) -> str | None:
    """Return a moment in the time zone of the competition, or of the service for a series or a ranking."""
    if row.competition is not None:
        return moment(at, row.competition)
    return None if at is None else timezone.localtime(at).isoformat(timespec="seconds")


def delivery_document(row: WebhookDelivery) -> Delivery:
    """Return a message with the state of its delivery."""
    hook, told = row.subscription, json.loads(row.body)
    return Delivery.build(
        row,
        body=None if hook.is_for_people else told,
        text=told["text"] if hook.is_for_people else None,
        next_attempt_at=moment_of(hook, row.next_attempt_at),
        created_at=moment_of(hook, row.created_at),
        delivered_at=moment_of(hook, row.delivered_at),
    )
