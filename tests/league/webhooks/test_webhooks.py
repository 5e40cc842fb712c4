"""Test webhooks in the admin: creation, a key that is shown once, ping, inspection and redelivery."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from league.models import Competition, Role, WebhookDelivery, WebhookSubscription
from league.services.webhooks.delivery import send_due
from league.services.webhooks.http import Sender
from league.services.webhooks.subscriptions import ping, subscribe
from tests.factories import SYSTEM, user
from tests.fuzz.forms import forms_of
from tests.league.webhook_receiver import receiver, saying

pytestmark = pytest.mark.django_db

URL = "https://hooks.example.org/in?k=secret"
SENDER = Sender(allow_private=True)


@pytest.fixture
def desk(season: Competition) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user(role=Role.DIRECTOR, competition=season, is_staff=True))
    return client


def page(row: WebhookSubscription | WebhookDelivery, name: str) -> str:
    return reverse(f"admin:league_{row._meta.model_name}_{name}", args=[row.pk])


def made(season: Competition, url: str = URL) -> WebhookSubscription:
    return subscribe(owner=season, url=url, by=SYSTEM).subscription


def test_a_director_creates_a_webhook_and_sees_its_key_once(season: Competition, desk: Client) -> None:
    add = f"{reverse('admin:league_webhooksubscription_add')}?competition={season.pk}"
    assert b"result.confirmed" in desk.get(add).content
    told = desk.post(add, {"url": URL, "events": ["result.confirmed"], "audience": "staff"})
    assert told.status_code == 200
    assert "no-store" in told.headers["Cache-Control"]
    row = WebhookSubscription.objects.get()
    assert (row.url, row.events, row.audience) == (URL, ["result.confirmed"], "staff")
    assert b"whsec_" in told.content
    assert b"whsec_" not in desk.get(page(row, "change")).content


def test_an_error_is_shown_at_its_field_and_the_input_is_kept(season: Competition, desk: Client) -> None:
    add = f"{reverse('admin:league_webhooksubscription_add')}?competition={season.pk}"
    refused = desk.post(add, {"url": "https://10.0.0.1/hook", "audience": "public"})
    assert refused.status_code == 422
    assert "The address must lead to a host on the public internet." in refused.content.decode()
    assert b'value="https://10.0.0.1/hook"' in refused.content
    assert not WebhookSubscription.objects.exists()


def test_the_list_shows_only_the_hosts_of_webhooks(season: Competition, desk: Client) -> None:
    made(season)
    listed = desk.get(reverse("admin:league_webhooksubscription_changelist")).content.decode()
    assert "hooks.example.org" in listed
    assert "secret" not in listed


@pytest.mark.both_databases
def test_a_webhook_can_be_edited_pinged_given_a_new_key_and_deleted(season: Competition, desk: Client) -> None:
    row = made(season)
    assert desk.get(page(row, "edit")).status_code == 200
    assert desk.post(page(row, "edit"), {"url": URL, "events": ["slot.filled"]}).status_code == 302
    row.refresh_from_db()
    assert row.events == ["slot.filled"]
    sent = desk.post(page(row, "ping"), follow=True)
    assert b"The message is in line." in sent.content
    assert row.deliveries.get().event == "ping"
    assert b"whsec_" in desk.post(page(row, "key")).content
    assert desk.post(page(row, "end")).status_code == 302
    assert not WebhookSubscription.objects.exists()


def test_events_that_two_tabs_change_are_shown_to_the_second_before_they_are_replaced(
    season: Competition, desk: Client
) -> None:
    row = made(season)
    path = page(row, "edit")
    [form] = [one for one in forms_of(path, desk.get(path).content.decode()) if "url" in one.fields]
    first, second = {"events": ["slot.filled", "result.confirmed"]}, {"events": ["result.corrected"]}
    assert desk.post(path, {**dict(form.untouched), **first}).status_code == 302
    moved = {**dict(form.untouched), "url": "https://hooks.example.org/other"}
    assert desk.post(path, moved).status_code == 302
    row.refresh_from_db()
    assert (row.url, sorted(row.events)) == (moved["url"], sorted(first["events"]))
    refused = desk.post(path, {**dict(form.untouched), **second})
    assert refused.status_code == 422
    assert "slot.filled” here since you opened the page" in refused.content.decode()
    [again] = [one for one in forms_of(path, refused.content.decode()) if "url" in one.fields]
    assert desk.post(path, dict(again.untouched)).status_code == 302
    row.refresh_from_db()
    assert row.events == second["events"]


@pytest.mark.both_databases
def test_a_failed_delivery_can_be_inspected_and_redelivered(
    season: Competition, desk: Client, settings: LazySettings
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiver(saying(503, b"<b>busy</b>")) as hooked:
        row = ping(subscription=made(season, hooked.url), by=SYSTEM)
        send_due(SENDER)
        shown = desk.get(page(row, "change")).content.decode()
        assert "the receiver did not accept it (&lt;b&gt;busy&lt;/b&gt;)" in shown
        assert "&quot;type&quot;: &quot;ping&quot;" in shown
        hooked.answering = saying(204)
        assert desk.post(page(row, "redeliver")).status_code == 302
        send_due(SENDER)
        listed = desk.get(f"{reverse('admin:league_webhookdelivery_changelist')}?state__exact=delivered")
        assert row.message_id == hooked.requests[1].id
        assert "1 delivery" in listed.content.decode()


@pytest.mark.both_databases
def test_an_unknown_failure_reason_is_shown_unchanged(season: Competition, desk: Client) -> None:
    row = ping(subscription=made(season), by=SYSTEM)
    WebhookDelivery.objects.filter(pk=row.pk).update(error="moon_in_the_way: eclipse")
    for address in (reverse("admin:league_webhookdelivery_changelist"), page(row, "change")):
        shown = desk.get(address)
        assert shown.status_code == 200
        assert "moon_in_the_way (eclipse)" in shown.content.decode()


def test_a_disabled_webhook_shows_its_reason_and_can_be_enabled(
    season: Competition, desk: Client, settings: LazySettings
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiver(saying(410)) as gone:
        row = made(season, gone.url)
        ping(subscription=row, by=SYSTEM)
        send_due(SENDER)
    assert "The receiver says that the address is gone." in desk.get(page(row, "change")).content.decode()
    refused = desk.post(page(row, "ping"))
    assert (refused.status_code, b"Enable the webhook first." in refused.content) == (422, True)
    desk.post(page(row, "enable"))
    row.refresh_from_db()
    assert row.disabled_at is None


@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER])
def test_other_staff_cannot_see_webhooks(role: Role, season: Competition) -> None:
    row = made(season)
    sent = ping(subscription=row, by=SYSTEM)
    client = Client()
    client.force_login(user(role=role, competition=season, is_staff=True))
    assert client.get(reverse("admin:league_webhooksubscription_changelist")).status_code == 403
    assert client.get(page(row, "change")).status_code in (302, 403)
    assert client.post(page(row, "key")).status_code == 404
    assert client.post(page(sent, "redeliver")).status_code == 404
    assert client.get(reverse("admin:league_webhookdelivery_changelist")).status_code == 403


def test_the_start_page_lists_failing_webhooks(season: Competition, desk: Client, settings: LazySettings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiver(saying(410)) as gone:
        row = made(season, gone.url)
        assert b"Messages that do not arrive" not in desk.get(reverse("admin:index")).content
        ping(subscription=row, by=SYSTEM)
        send_due(SENDER)
    start = desk.get(reverse("admin:index")).content.decode()
    assert "The receiver says that the address is gone." in start
    assert page(row, "change") in start
