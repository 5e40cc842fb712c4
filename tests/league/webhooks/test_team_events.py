"""Webhooks of a league of teams: announced line-ups and changes of members are sent, secret line-ups never."""

from __future__ import annotations

import datetime as dt
import json

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from league.models import Audience, Hanchan, TeamMember, WebhookDelivery, WebhookSubscription
from league.services.operations.sweep import sweep
from league.services.seasons.line_ups import name_line_up, set_line_up_deadline
from league.services.seasons.teams import transfer
from league.services.webhooks.outbox import queue_all_messages
from league.services.webhooks.subscriptions import subscribe
from tests.factories import SYSTEM
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
EVENTS = ["line_up.announced", "member.changed"]
LATER = dt.timedelta(hours=1)


@pytest.fixture
def league(settings: LazySettings) -> TeamLeague:
    """Return a league with one evening scheduled, and two webhooks: one of the public and one of organizers."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    made = TeamLeague()
    made.schedule()
    made.publish()
    for audience in (Audience.PUBLIC, Audience.STAFF):
        url = f"http://127.0.0.1:9/{audience}"
        subscribe(owner=made.competition, url=url, events=EVENTS, audience=audience, by=SYSTEM)
    return made


def told(league: TeamLeague) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Publish, and return event and subject of each new message by audience."""
    league.publish()
    queue_all_messages()
    found: dict[str, list[tuple[str, dict[str, str]]]] = {row.audience: [] for row in WebhookSubscription.objects.all()}
    for row in WebhookDelivery.objects.order_by("pk").select_related("subscription"):
        found[row.subscription.audience].append((row.event, json.loads(row.body)["data"]["subject"]))
    WebhookDelivery.objects.all().delete()
    return found


def test_an_announced_line_up_is_sent_and_a_secret_one_only_after_its_deadline(league: TeamLeague) -> None:
    first, second = Hanchan.objects.order_by("number").select_related("table_session__competition")
    for hanchan in (first, second):
        if hanchan == second:
            due = timezone.now() + LATER
            set_line_up_deadline(table=second.table_session, due_at=due, are_secret=True, by=SYSTEM)
        entrant = hanchan.seats.select_related("entrant").earliest("seat").entrant
        member = TeamMember.objects.filter(entrant=entrant).earliest("order").player
        name_line_up(hanchan=hanchan, entrant=entrant, player=member, by=SYSTEM)
    announced = ("line_up.announced", {"type": "hanchan", "id": str(first.pk)})
    assert told(league) == {"public": [announced], "staff": [announced]}
    with time_machine.travel(timezone.now() + 2 * LATER):
        sweep()
        later = ("line_up.announced", {"type": "tablesession", "id": str(second.table_session_id)})
        assert told(league) == {"public": [later], "staff": [later]}


def test_a_transfer_is_sent_with_the_new_team(league: TeamLeague) -> None:
    member = TeamMember.objects.filter(entrant=league.teams[1]).earliest("order")
    transfer(member=member, to=league.teams[2], since=dt.date(2026, 11, 1), by=SYSTEM, reason="Agreed")
    changed = ("member.changed", {"type": "entrant", "id": str(league.teams[2].pk)})
    assert told(league) == {"public": [changed], "staff": [changed]}
