"""The shapes of webhooks: who is told, what was sent, and a message as a receiver gets it."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import CompetitionRef, Ref, Shape
from league.models import Audience, WebhookDelivery
from league.services.webhooks_events import CHOSEN, NAMES


class WebhookShape(Shape):
    """An address that is told of a competition's changes."""

    id = Ref()
    competition = CompetitionRef()
    url = s.CharField()
    events = s.ListField(child=s.ChoiceField(CHOSEN), help_text="None stands for all.")
    audience = s.ChoiceField(Audience.choices, help_text="`staff` hears what is held back, too.")
    is_enabled = s.BooleanField()
    disabled_at = s.DateTimeField(allow_null=True)
    disabled_because = s.CharField(allow_blank=True, help_text="`gone`, `failing` or `rights`.")
    failures = s.IntegerField(help_text="In a row.")
    failing_since = s.DateTimeField(allow_null=True)
    made_at = s.DateTimeField()
    key = s.CharField(allow_null=True, help_text="What messages are signed with; told once, when it is made.")


class MessageSubjectShape(Shape):
    """What has changed."""

    type = s.CharField(help_text="Such as `hanchan` or `tablesession`.")
    id = Ref()


class MessageDataShape(Shape):
    """Ids and numbers, never names; which members there are beside the first three depends on the event."""

    competition = s.SlugField()
    version = s.IntegerField(help_text="Read at this version of the competition or a later one.")
    url = s.CharField(help_text="Where to read what has changed.")
    subject = MessageSubjectShape(required=False)
    revision = s.IntegerField(required=False, help_text="Of a result.")
    kind = s.CharField(required=False, help_text="The kind of change, where an event stands for several.")
    blocks = s.ListField(child=s.CharField(), required=False, help_text="Keys, with `standings.published`.")
    block = s.CharField(required=False, help_text="With `slot.filled`.")
    number = s.IntegerField(required=False, help_text="Of the slot, with `slot.filled`.")
    entrant = Ref(required=False)


class MessageShape(Shape):
    """What a receiver is sent."""

    type = s.ChoiceField(NAMES)
    timestamp = s.DateTimeField(help_text="When it happened.")
    data_ = MessageDataShape()


class DeliveryShape(Shape):
    """A message to one address, and how its delivery goes."""

    id = Ref()
    message_id = s.CharField(help_text="The `webhook-id`: the same however often it is sent.")
    event = s.ChoiceField(NAMES)
    body = MessageShape()
    state = s.ChoiceField(WebhookDelivery.State.choices)
    attempts = s.IntegerField()
    next_attempt_at = s.DateTimeField(allow_null=True)
    status = s.IntegerField(allow_null=True, help_text="Of the last answer.")
    error = s.CharField(allow_blank=True, help_text="A code, and what the receiver said.")
    created_at = s.DateTimeField()
    delivered_at = s.DateTimeField(allow_null=True)
