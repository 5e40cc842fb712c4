"""The texts that a receiver would get at this moment: each event's text, from the newest rows that it can be about."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from league.models import Block, WebhookSubscription
from league.selectors.access.readers import Reader
from league.selectors.webhooks.texts import text_for_people
from league.services.webhooks.events import LAST_HANCHAN, RESULTS, SESSION_FINISHED, SESSION_SOON, events_for_people
from league.services.webhooks.occasions import is_before_last, is_finished
from league.services.webhooks.outbox import reader_of_subscription


def previews_of(subscription: WebhookSubscription) -> Mapping[str, str]:
    """Return the text of each chosen event, by the event's name; empty where nothing can be told of it yet."""
    reader = reader_of_subscription(subscription)
    wanted = subscription.events or events_for_people("competition")
    chosen = [name for name in events_for_people("competition") if name in wanted]
    if reader is None:
        return dict.fromkeys(chosen, "")
    return {name: text_for_people(reader, name, subject_of(reader, name), subscription.language) for name in chosen}


def subject_of(reader: Reader, event: str) -> int:
    """Return the key of the newest row that an event can be about; 0 if there is none."""
    if event in RESULTS:
        newest = reader.sheets().order_by("-confirmed_n").values_list("hanchan", flat=True).first()
        return newest or 0
    if event == SESSION_FINISHED:
        sheets = reader.sheets().select_related("hanchan__table_session__session").order_by("-confirmed_n")
        newest_sheet = sheets.first()
        session = newest_sheet.hanchan.table_session.session if newest_sheet else None
        return session.pk if session and is_finished(reader, session) else 0
    if event == LAST_HANCHAN:
        blocks = Block.objects.filter(competition=reader.competition).select_related("stage")
        blocks = blocks.order_by("-stage__order", "order")
        return next((block.pk for block in blocks if is_before_last(reader, block)), 0)
    if event == SESSION_SOON:
        rows = reader.table_sessions().filter(is_cancelled=False, starts_at__gt=timezone.now())
        return rows.order_by("starts_at").values_list("session", flat=True).first() or 0
    raise LookupError(event)
