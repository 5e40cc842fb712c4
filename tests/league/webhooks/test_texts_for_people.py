"""Test the texts for people: what Discord, Slack, LINE and a mailbox get, when, in which language, and what never."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, WebhookDelivery, WebhookSubscription
from league.platform.errors import RuleViolationError
from league.services.competitions.schedule import hold_back
from league.services.results.results import void_hanchan
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import deliver_webhooks, is_anything_to_send
from league.services.webhooks.http import Sender
from league.services.webhooks.people import LONGEST_TEXT, fit, service_request
from league.services.webhooks.subscriptions import change_webhook, ping, subscribe
from tests.factories import SYSTEM, final_table, in_block, play, table, user
from tests.league.webhook_receiver import Receiver, receiver, saying

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_network")]

SENDER = Sender(allow_private=True)
GROUP = "C0123456789abcdef0123456789abcdef"
TOMORROW = dt.timedelta(days=1)
SAME = frozenset({"same_result_twice", "same_scores_elsewhere"})


@pytest.fixture
def discord() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


def told_by(season: Competition, to: Receiver, **choice: Any) -> WebhookSubscription:
    made = {"service": "discord", "url": to.url, "language": "en", **choice}
    return subscribe(owner=season, by=SYSTEM, **made).subscription


def texts(to: Receiver) -> list[str]:
    return [request.told["content"] for request in to.requests]


def published(season: Competition) -> int:
    publish_standings(season.pk)
    return deliver_webhooks(SENDER)


def test_a_result_is_told_with_places_scores_points_and_the_page(season: Competition, discord: Receiver) -> None:
    told_by(season, discord)
    row = table(season.blocks.get(key="A"))
    play(row.hanchan.get(round=1), (41200, 30100, 18700, 10000))
    published(season)
    (text,) = texts(discord)
    first, *lines = text.split("\n")
    winner = in_block(row.block)[0].player.name_romaji
    assert first.startswith(f"[{season.name_en or season.name}]")
    assert lines[0].startswith(f"1st {winner} 41,200")
    assert lines[-1] == f"http://127.0.0.1:8000/c/spring/tables/{row.pk}/"


def test_each_receiver_is_told_in_its_language(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, language="ja")
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    (text,) = texts(discord)
    assert "\n1着 " in text
    assert "1st" not in text


def test_corrections_and_annulments_are_told_as_such(season: Competition, discord: Receiver) -> None:
    told_by(season, discord)
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    published(season)
    play(hanchan, (10000, 18700, 30100, 41200), corrects=1, reason="Read again")
    published(season)
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="Wrong table")
    published(season)
    _result, corrected, voided = texts(discord)
    assert "Corrected:" in corrected
    assert "The result was taken back:" in voided


def test_a_result_under_embargo_is_told_once_it_is_public(season: Competition, discord: Receiver) -> None:
    told_by(season, discord)
    row = table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)
    play(row.hanchan.get(round=1))
    published(season)
    assert texts(discord) == []
    hold_back(table_session=row, until=None, by=SYSTEM)
    published(season)
    assert len(texts(discord)) == 1


def test_organizers_are_told_what_is_held_back(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, audience=Audience.STAFF)
    row = table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)
    play(row.hanchan.get(round=1))
    published(season)
    assert len(texts(discord)) == 1


def test_a_finished_session_is_told_once_with_the_standings(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, events=["session.finished"])
    row = table(season.blocks.get(key="A"))
    rounds = list(row.hanchan.order_by("round"))
    for hanchan in rounds[:-1]:
        play(hanchan, accept=SAME)
        published(season)
    assert texts(discord) == []
    play(rounds[-1], accept=SAME)
    published(season)
    (text,) = texts(discord)
    assert "1st " in text
    assert text.endswith("/c/spring/")
    play(rounds[-1], (10000, 18700, 30100, 41200), corrects=1, reason="Read again")
    published(season)
    assert len(texts(discord)) == 1


def test_a_session_with_a_table_held_back_is_not_told_as_finished(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, events=["session.finished"])
    first = table(season.blocks.get(key="A"))
    other = table(season.blocks.get(key="B"), public_at=timezone.now() + TOMORROW)
    for row in (first, other):
        for hanchan in row.hanchan.order_by("round"):
            play(hanchan, accept=SAME)
    published(season)
    assert texts(discord) == []
    hold_back(table_session=other, until=None, by=SYSTEM)
    published(season)
    assert len(texts(discord)) == 1


@pytest.mark.parametrize("service", ["discord", ""])
def test_a_finished_session_is_not_told_at_a_retry_while_a_table_is_held_back(
    service: str, season: Competition, discord: Receiver
) -> None:
    if service:
        told_by(season, discord, events=["session.finished"])
    else:
        subscribe(owner=season, url=discord.url, events=["session.finished"], by=SYSTEM)
    row = table(season.blocks.get(key="A"))
    for hanchan in row.hanchan.order_by("round"):
        play(hanchan, accept=SAME)
    discord.answering = saying(500)
    published(season)
    assert len(discord.requests) == 1
    discord.answering = saying(204)
    hold_back(table_session=row, until=timezone.now() + TOMORROW, by=SYSTEM)
    WebhookDelivery.objects.update(next_attempt_at=timezone.now())
    published(season)
    assert len(discord.requests) == 1
    hold_back(table_session=row, until=None, by=SYSTEM)
    published(season)
    assert len(discord.requests) == 2


def test_a_retry_tells_what_its_readers_may_read_by_then(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, events=["session.soon"])
    begins, block = timezone.now() + TOMORROW / 2, season.blocks.get(key="A")
    table(block, starts_at=begins)
    held = table(block, in_block(block)[4:8], starts_at=begins + dt.timedelta(hours=3))
    name = in_block(block)[4].player.name_romaji
    publish_standings(season.pk)
    discord.answering = saying(500)
    deliver_webhooks(SENDER)
    discord.answering = saying(204)
    hold_back(table_session=held, until=timezone.now() + TOMORROW, by=SYSTEM)
    WebhookDelivery.objects.update(next_attempt_at=timezone.now())
    published(season)
    assert [name in text for text in texts(discord)] == [True, False]


def test_a_text_stored_by_a_release_that_named_no_subject_is_sent_as_it_is(
    season: Competition, discord: Receiver
) -> None:
    told_by(season, discord, events=["session.soon"])
    table(season.blocks.get(key="A"), starts_at=timezone.now() + TOMORROW / 2)
    publish_standings(season.pk)
    discord.answering = saying(500)
    deliver_webhooks(SENDER)
    discord.answering = saying(204)
    WebhookDelivery.objects.update(body='{"text":"Tonight at seven"}', next_attempt_at=timezone.now())
    deliver_webhooks(SENDER)
    assert texts(discord)[1:] == ["Tonight at seven"]


def test_what_each_player_needs_is_told_before_the_last_hanchan(discord: Receiver) -> None:
    season = final_table()
    block = season.blocks.get()
    told_by(season, discord, events=["block.last_hanchan"])
    row = table(block)
    rounds = list(row.hanchan.order_by("round"))
    for hanchan in rounds[:-2]:
        play(hanchan, accept=SAME)
    published(season)
    assert texts(discord) == []
    play(rounds[-2], accept=SAME)
    published(season)
    (text,) = texts(discord)
    assert "before the last hanchan" in text
    for entrant in in_block(block)[:4]:
        assert entrant.player.name_romaji in text
    assert text.endswith("/c/final/conditions/")


def test_the_last_of_the_scheduled_hanchan_is_not_told_as_the_last_while_others_are_to_be_scheduled(
    discord: Receiver,
) -> None:
    block = final_table().blocks.get()
    last = block.stage.hanchan_count
    assert last is not None
    subscribe(owner=block.competition, url=discord.url, events=["block.last_hanchan"], by=SYSTEM)
    first = table(block, in_block(block), numbers=(1, 2))
    play(first.hanchan.get(number=1), accept=SAME)
    published(block.competition)
    assert discord.requests == []
    later = table(block, in_block(block), numbers=tuple(range(3, last + 1)))
    for hanchan in (first.hanchan.get(number=2), *later.hanchan.filter(number__lt=last).order_by("number")):
        play(hanchan, accept=SAME)
    published(block.competition)
    assert len(discord.requests) == 1


def test_a_reminder_is_told_once_within_a_day_and_again_when_the_time_changes(
    season: Competition, discord: Receiver
) -> None:
    told_by(season, discord, events=["session.soon"])
    begins = timezone.now() + 3 * TOMORROW
    row = table(season.blocks.get(key="A"), starts_at=begins)
    publish_standings(season.pk)
    deliver_webhooks(SENDER)
    assert not is_anything_to_send()
    with time_machine.travel(begins - dt.timedelta(hours=23), tick=False):
        assert is_anything_to_send()
        deliver_webhooks(SENDER)
        deliver_webhooks(SENDER)
        (text,) = texts(discord)
        assert in_block(row.block)[0].player.name_romaji in text
        row.starts_at = begins + dt.timedelta(minutes=30)
        row.save()
        deliver_webhooks(SENDER)
    assert len(texts(discord)) == 2


def test_organizers_are_reminded_once_of_a_session_whose_later_table_is_held_back(
    season: Competition, discord: Receiver
) -> None:
    told_by(season, discord, events=["session.soon"], audience=Audience.STAFF)
    begins, block = timezone.now() + TOMORROW / 2, season.blocks.get(key="A")
    table(block, starts_at=begins)
    later = begins + dt.timedelta(hours=3)
    table(block, in_block(block)[4:8], starts_at=later, public_at=later + TOMORROW)
    publish_standings(season.pk)
    deliver_webhooks(SENDER)
    assert len(texts(discord)) == 1
    with time_machine.travel(begins + dt.timedelta(hours=1), tick=False):
        deliver_webhooks(SENDER)
    assert len(texts(discord)) == 1


def test_no_reminder_tells_of_a_table_that_is_held_back(season: Competition, discord: Receiver) -> None:
    told_by(season, discord, events=["session.soon"])
    begins = timezone.now() + dt.timedelta(hours=2)
    table(season.blocks.get(key="A"), starts_at=begins, public_at=timezone.now() + 2 * TOMORROW)
    publish_standings(season.pk)
    deliver_webhooks(SENDER)
    assert texts(discord) == []


def test_of_many_results_at_once_people_are_told_by_session_alone(
    season: Competition, discord: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.services.webhooks.outbox.MOST_RESULTS", 2)
    told_by(season, discord)
    row = table(season.blocks.get(key="A"))
    for hanchan in row.hanchan.order_by("round"):
        play(hanchan, accept=SAME)
    published(season)
    (text,) = texts(discord)
    assert text.endswith("/c/spring/")


# The services


def test_names_mention_and_link_to_nothing(season: Competition, discord: Receiver) -> None:
    row = table(season.blocks.get(key="A"))
    player = in_block(row.block)[0].player
    player.name = player.name_romaji = "<!channel> @everyone & co"
    player.save()
    told_by(season, discord)
    with receiver() as slack:
        told_by(season, slack, service="slack")
        play(row.hanchan.get(round=1))
        published(season)
        assert discord.requests[0].told["allowed_mentions"] == {"parse": []}
        said = slack.requests[0].told["text"]
    assert "&lt;!channel&gt; @everyone &amp; co" in said
    assert "<" not in said


def test_line_gets_the_token_in_a_header_and_the_same_retry_key_each_time(season: Competition) -> None:
    row = subscribe(owner=season, by=SYSTEM, service="line", url=GROUP, token="to+ken/=", language="ja").subscription
    first, again = (service_request(row, "text", "msg_1") for _time in range(2))
    assert first.url == "https://api.line.me/v2/bot/message/push"
    assert first.headers["Authorization"] == "Bearer to+ken/="
    assert first.headers["X-Line-Retry-Key"] == again.headers["X-Line-Retry-Key"]
    assert json.loads(first.body) == {"to": GROUP, "messages": [{"type": "text", "text": "text"}]}
    assert service_request(row, "text", "msg_2").headers["X-Line-Retry-Key"] != first.headers["X-Line-Retry-Key"]
    assert row.typed_address == GROUP


def test_a_text_that_line_has_already_is_delivered(season: Competition, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(saying(409, b'{"message":"The retry key is already accepted"}')) as line:
        monkeypatch.setattr("league.services.webhooks.people.LINE_PUSH", line.url)
        row = told_by(season, line, service="line", url=GROUP, token="token")
        ping(subscription=row, by=SYSTEM)
        assert deliver_webhooks(SENDER) == 1
        row.refresh_from_db()
        assert row.deliveries.get().state == WebhookDelivery.State.DELIVERED
        assert row.failures == 0


def test_a_mailbox_gets_a_letter_with_the_first_line_as_its_subject(
    season: Competition, settings: LazySettings
) -> None:
    settings.SENDS_LETTERS = True
    subscribe(owner=season, by=SYSTEM, service="mail", url="list@club.example", language="en")
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    (letter,) = mail.outbox
    assert letter.to == ["list@club.example"]
    assert letter.subject.startswith("[")
    assert "\n" not in letter.subject
    assert "1st " in letter.body


def test_a_refusing_mail_server_is_noted_and_tried_again(season: Competition, settings: LazySettings) -> None:
    settings.SENDS_LETTERS = True
    row = subscribe(owner=season, by=SYSTEM, service="mail", url="list@club.example").subscription
    ping(subscription=row, by=SYSTEM)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    deliver_webhooks(SENDER)
    delivery = row.deliveries.get()
    assert delivery.state == WebhookDelivery.State.WAITING
    assert delivery.error.startswith("mail_refused")


def test_a_test_message_arrives(season: Competition, discord: Receiver) -> None:
    ping(subscription=told_by(season, discord), by=SYSTEM)
    deliver_webhooks(SENDER)
    assert "This is a test" in texts(discord)[0]


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        ({"service": "discord", "url": "https://example.org/hook"}, "bad_url"),
        ({"service": "slack", "url": "https://discord.com/api/webhooks/1/x"}, "bad_url"),
        ({"service": "line", "url": GROUP}, "token_missing"),
        ({"service": "line", "url": "not an id", "token": "x"}, "bad_url"),
        ({"service": "mail", "url": "list@club.example"}, "no_mail_server"),
        (
            {"service": "discord", "url": "https://discord.com/api/webhooks/1/x", "events": ["slot.filled"]},
            "unknown_event",
        ),
        ({"service": "discord", "url": "https://discord.com/api/webhooks/1/x", "language": "tlh"}, "unknown_language"),
    ],
)
def test_what_a_service_cannot_take_is_refused(
    season: Competition, settings: LazySettings, choice: dict[str, Any], code: str
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    with pytest.raises(RuleViolationError) as refused:
        subscribe(owner=season, by=SYSTEM, **choice)
    assert [finding.code for finding in refused.value.findings] == [code]


def test_a_long_text_keeps_its_first_lines_and_its_address() -> None:
    text = "\n".join([*(f"line {number}" for number in range(1000)), "https://club.example/"])
    short = fit(text, LONGEST_TEXT["discord"])
    assert len(short) <= 2000
    assert short.startswith("line 0\nline 1\n")
    assert short.endswith("\n…\nhttps://club.example/")
    assert fit("short", 10) == "short"


# The admin


def test_an_organizer_sets_it_up_sees_what_is_sent_and_tries_it(
    client: Client, season: Competition, discord: Receiver, settings: LazySettings
) -> None:
    client.force_login(user("boss", is_staff=True, is_superuser=True))
    address = f"/admin/league/webhooksubscription/add/?people&competition={season.pk}"
    page = client.get(address)
    assert "Discord" in page.content.decode()
    typed = {"service": "discord", "url": discord.url, "language": "en", "audience": "public"}
    made = client.post(address, typed)
    row = WebhookSubscription.objects.get()
    assert made["Location"].endswith(f"/{row.pk}/change/")
    assert client.get(made["Location"]).status_code == 200
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(season.pk)
    shown = client.get(f"/admin/league/webhooksubscription/{row.pk}/texts/").content.decode()
    assert "1st " in shown
    assert discord.requests == []
    changed = client.post(f"/admin/league/webhooksubscription/{row.pk}/receiver/", {**typed, "events": "session.soon"})
    assert changed.status_code == 302
    row.refresh_from_db()
    assert row.events == ["session.soon"]


def test_the_token_of_line_is_never_shown_and_stays_when_nothing_is_typed(client: Client, season: Competition) -> None:
    client.force_login(user("boss", is_staff=True, is_superuser=True))
    row = subscribe(owner=season, by=SYSTEM, service="line", url=GROUP, token="sec-ret", language="ja").subscription
    for page in ("change", "receiver", "texts"):
        assert "sec-ret" not in client.get(f"/admin/league/webhooksubscription/{row.pk}/{page}/").content.decode()
    typed = {"url": GROUP, "token": "", "language": "en"}
    client.post(f"/admin/league/webhooksubscription/{row.pk}/receiver/", typed)
    row.refresh_from_db()
    assert row.language == "en"
    assert "sec-ret" in row.url
    change_webhook(subscription=row, by=SYSTEM, url=GROUP, token="other")
    row.refresh_from_db()
    assert "sec-ret" not in row.url


def test_a_program_sets_it_up_over_rest(client: Client, season: Competition, discord: Receiver) -> None:
    client.force_login(user("boss", is_staff=True, is_superuser=True))
    body = {"competition": season.slug, "service": "discord", "url": discord.url, "language": "en"}
    made = client.post("/api/v1/webhooks/", body, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["key"] is None
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    deliveries = client.get(f"/api/v1/webhooks/{made.json()['id']}/deliveries/").json()
    assert "1st " in deliveries["results"][0]["text"]
