"""Test what a program of a parlour is told: chairs, and no end of a day that still goes on."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import Audience
from league.services.parlour.chairs import swap_guests
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import deliver_webhooks
from league.services.webhooks.http import Sender
from league.services.webhooks.subscriptions import subscribe
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.webhook_receiver import receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_network")]


def test_a_changed_chair_is_told_and_a_game_does_not_finish_the_business_day() -> None:
    book = parlours.parlour()
    sitting = parlours.sitting(book, parlours.guests(book), at=parlours.at(20))
    publish_standings(book.pk)
    with receiver() as display:
        events = ["sitting.changed", "result.confirmed", "session.finished"]
        subscribe(owner=book, url=display.url, audience=Audience.STAFF, events=events, by=SYSTEM)
        parlours.play(sitting, at=parlours.at(21))
        later = parlours.at(21) + dt.timedelta(minutes=5)
        swap_guests(one=parlours.chair(sitting, 0), other=parlours.chair(sitting, 1), by=SYSTEM, at=later)
        publish_standings(book.pk)
        deliver_webhooks(Sender(allow_private=True))
        told = [(each.told["type"], each.told["data"].get("kind")) for each in display.requests]
    assert told == [("result.confirmed", None), *[("sitting.changed", "sitting.moved")] * 2]
