"""Test concurrent webhook workers on both databases: each message is created once and sent by one worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
import time_machine
from django.utils import timezone

from league.models import Audience, WebhookDelivery
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import LEASE, deliver_webhooks, send_due
from league.services.webhooks.http import Sender
from league.services.webhooks.outbox import queue_all_messages
from league.services.webhooks.subscriptions import ping, subscribe
from tests.conftest import database_url
from tests.factories import SYSTEM, league, play, table
from tests.league.results.test_concurrency import together
from tests.league.webhook_receiver import receiver, saying

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_network")]

WORKERS = 4


def test_each_message_is_sent_by_one_of_several_workers() -> None:
    season = league()
    with receiver() as first, receiver() as second:
        for hooked, audience in ((first, Audience.PUBLIC), (second, Audience.STAFF)):
            subscribe(owner=season, url=hooked.url, by=SYSTEM, audience=audience)
        for row in (table(season.blocks.get(key=key)) for key in ("A", "B")):
            play(row.hanchan.get(round=1))
        publish_standings(season.pk)
        sender = Sender(allow_private=True)
        for _round in range(3):
            together(*[lambda: deliver_webhooks(sender)] * WORKERS)
        for hooked in (first, second):
            ids = [request.id for request in hooked.requests]
            assert len(ids) == len(set(ids))
            assert hooked.events.count("result.confirmed") == 2
        assert len(first.requests) + len(second.requests) == WebhookDelivery.objects.count()
    assert not WebhookDelivery.objects.exclude(state="delivered", attempts=1).exists()


def test_concurrent_workers_create_each_message_once() -> None:
    season = league()
    with receiver() as hooked:
        told = subscribe(owner=season, url=hooked.url, by=SYSTEM, events=["result.confirmed"])
        play(table(season.blocks.get(key="A")).hanchan.get(round=1))
        publish_standings(season.pk)
        together(*[queue_all_messages] * WORKERS)
        assert told.subscription.deliveries.count() == 1
        together(*[lambda: send_due(Sender(allow_private=True))] * WORKERS)
        assert len(hooked.requests) == 1


SENDING = """
import django
django.setup()
from league.services.webhooks.delivery import deliver_webhooks
deliver_webhooks()
"""


def test_a_message_of_a_killed_worker_is_sent_again_under_the_same_id() -> None:
    season = league()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": database_url(),
        "WEBHOOK_ALLOW_PRIVATE": "1",
    }
    with receiver() as hooked:
        told = subscribe(owner=season, url=hooked.url, by=SYSTEM)
        ping(subscription=told.subscription, by=SYSTEM)
        hooked.answering = lambda _handler: worker.kill()
        worker = subprocess.Popen([sys.executable, "-c", SENDING], env=environment)
        assert worker.wait(timeout=60) == -signal.SIGKILL
        row = WebhookDelivery.objects.get()
        assert (row.state, row.attempts) == ("waiting", 1)
        hooked.answering = saying(204)
        assert send_due(Sender(allow_private=True)) == 0
        with time_machine.travel(timezone.now() + LEASE):
            assert send_due(Sender(allow_private=True)) == 1
        assert [request.id for request in hooked.requests] == [row.message_id] * 2
        assert all(request.is_signed_by(told.key) for request in hooked.requests)
