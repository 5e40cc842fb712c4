"""Test a real worker behind a real Redis that sends webhooks once a result is published."""

from __future__ import annotations

import pytest
from django.conf import LazySettings

from league.celery import app
from league.services.webhooks.subscriptions import subscribe
from league.tasks import deliver_webhooks
from tests.factories import SYSTEM, league, play, table
from tests.league.webhook_receiver import receiver
from tests.services.test_worker import eventually


@pytest.mark.usefixtures("celery_worker")
def test_a_worker_sends_a_published_result_to_the_receiver(settings: LazySettings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    season = league()
    row = table(season.blocks.get(key="A"))
    with receiver() as hooked:
        told = subscribe(owner=season, url=hooked.url, by=SYSTEM, events=["result.confirmed"])
        play(row.hanchan.get(round=1))
        assert eventually(lambda: len(hooked.requests) == 1)
        assert hooked.requests[0].told["type"] == "result.confirmed"
        assert hooked.requests[0].is_signed_by(told.key)
        for _time in range(20):
            deliver_webhooks.delay()
        assert eventually(lambda: told.subscription.deliveries.filter(state="delivered").count() == 1)
    assert len(hooked.requests) == 1


def test_webhooks_have_their_own_queue() -> None:
    assert app.amqp.router.route({}, "league.tasks.deliver_webhooks")["queue"].name == "webhooks"
