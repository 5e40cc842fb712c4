"""REST resource of the webhooks: for directors; each response matches the OpenAPI document."""

from __future__ import annotations

import json

import pytest
from django.conf import LazySettings

from league.models import Competition, Role, WebhookDelivery, WebhookSubscription
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import deliver_webhooks, send_due
from league.services.webhooks.events import EVENTS
from league.services.webhooks.http import Sender
from tests.api.client import Api, document
from tests.factories import league, play, table, user
from tests.league.webhook_receiver import receiver, saying

pytestmark = pytest.mark.django_db

SENDER = Sender(allow_private=True)


@pytest.fixture(autouse=True)
def _own_network(settings: LazySettings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True


@pytest.fixture
def season() -> Competition:
    return league()


@pytest.fixture
def director(season: Competition) -> Api:
    return Api(user(role=Role.DIRECTOR, competition=season))


@pytest.mark.both_databases
def test_a_webhook_is_created_pinged_delivered_rotated_and_redelivered(season: Competition, director: Api) -> None:
    with receiver() as hooked:
        made = director.post(
            "webhooks/", {"competition": "spring", "url": hooked.url, "events": ["result.confirmed"]}, status=201
        )
        assert made["key"].startswith("whsec_")
        assert (made["audience"], made["is_enabled"], made["events"]) == ("public", True, ["result.confirmed"])
        (listed,) = director.get("webhooks/", competition="spring")["results"]
        assert listed == {**made, "key": None}
        assert director.get(f"webhooks/{made['id']}/") == listed
        sent = director.post(f"webhooks/{made['id']}/ping/", status=202)
        assert (sent["event"], sent["state"]) == ("ping", "waiting")
        play(table(season.blocks.get(key="A")).hanchan.get(round=1))
        publish_standings(season.pk)
        deliver_webhooks(SENDER)
        page = director.get(f"webhooks/{made['id']}/deliveries/", state="delivered")
        assert [row["event"] for row in page["results"]] == ["result.confirmed", "ping"]
        assert page["results"][0]["body"] == hooked.requests[1].told
        assert hooked.requests[0].is_signed_by(made["key"])
        rotated = director.post(f"webhooks/{made['id']}/rotate/")["key"]
        again = f"webhooks/{made['id']}/deliveries/{sent['id']}/"
        assert director.get(again)["status"] == 204
        assert director.post(f"{again}redeliver/", status=202)["message_id"] == sent["message_id"]
        send_due(SENDER)
        assert hooked.requests[2].is_signed_by(rotated)
        assert hooked.requests[2].id == hooked.requests[0].id


def test_a_webhook_is_changed_and_deleted(season: Competition, director: Api) -> None:
    made = director.post("webhooks/", {"competition": "spring", "url": "https://hooks.example.org/a"}, status=201)
    path = f"webhooks/{made['id']}/"
    changed = director.send("patch", path, {"events": ["slot.filled", "result.voided"]})
    assert changed.status_code == 200
    assert json.loads(changed.content)["events"] == ["result.voided", "slot.filled"]
    assert director.get(path)["url"] == "https://hooks.example.org/a"
    assert director.send("delete", path).status_code == 204
    assert director.get(path, expect=404)["code"] == "not_found"
    assert not WebhookSubscription.objects.exists()


@pytest.mark.both_databases
def test_a_disabled_webhook_gives_its_reason_and_can_be_enabled_again(season: Competition, director: Api) -> None:
    with receiver(saying(410)) as gone:
        made = director.post("webhooks/", {"competition": "spring", "url": gone.url}, status=201)
        director.post(f"webhooks/{made['id']}/ping/", status=202)
        send_due(SENDER)
    shown = director.get(f"webhooks/{made['id']}/")
    assert (shown["is_enabled"], shown["disabled_because"], shown["failures"]) == (False, "gone", 1)
    assert director.post(f"webhooks/{made['id']}/ping/", status=409)["errors"][0]["code"] == "webhook_disabled"
    assert director.post(f"webhooks/{made['id']}/enable/")["is_enabled"] is True


@pytest.mark.both_databases
def test_the_etag_of_the_deliveries_is_stable_until_one_changes(season: Competition, director: Api) -> None:
    with receiver(saying(500)) as hooked:
        made = director.post("webhooks/", {"competition": "spring", "url": hooked.url}, status=201)
        director.post(f"webhooks/{made['id']}/ping/", status=202)
        path = f"webhooks/{made['id']}/deliveries/"
        tag = director.send("get", path).headers["ETag"]
        assert director.send("get", path, headers={"If-None-Match": tag}).status_code == 304
        send_due(SENDER)
        moved = director.send("get", path, headers={"If-None-Match": tag})
        assert moved.status_code == 200
        assert json.loads(moved.content)["results"][0]["error"] == "not_accepted"


@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER, None])
def test_webhooks_give_404_to_users_who_are_not_directors(
    role: Role | None, season: Competition, director: Api
) -> None:
    made = director.post("webhooks/", {"competition": "spring", "url": "https://hooks.example.org/a"}, status=201)
    sent = director.post(f"webhooks/{made['id']}/ping/", status=202)
    other = Api(user(role=role, competition=season) if role else user())
    path = f"webhooks/{made['id']}/"
    delivery = f"{path}deliveries/{sent['id']}/"
    for reading in (path, f"{path}deliveries/", delivery):
        other.get(reading, expect=404)
    other.get("webhooks/", expect=404, competition="spring")
    body = {"competition": "spring", "url": "https://hooks.example.org/b"}
    other.post("webhooks/", body, status=404)
    for doing in ("rotate/", "enable/", "ping/", f"deliveries/{sent['id']}/redeliver/"):
        other.post(f"{path}{doing}", status=404)
    assert other.send("patch", path, {"events": []}).status_code == 404
    assert other.send("delete", path).status_code == 404
    assert WebhookDelivery.objects.count() == 1


def test_a_list_of_webhooks_without_an_owner_is_refused_at_the_query(director: Api, season: Competition) -> None:
    asked, sent = director.send("get", "webhooks/"), director.change("webhooks/", {"url": "https://club.example/"})
    places = [json.loads(each.content)["errors"][0]["in"] for each in (asked, sent)]
    assert places == ["query", "body"]


def test_webhooks_give_401_to_anonymous_clients(season: Competition) -> None:
    assert Api().get("webhooks/", expect=401, competition="spring")["code"] == "not_authenticated"


def test_an_invalid_url_or_event_is_refused_at_its_pointer(
    season: Competition, director: Api, settings: LazySettings
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    body = {"competition": "spring", "url": "https://10.0.0.1/", "events": ["result.confirmed"]}
    refused = director.post("webhooks/", body, status=422)
    assert (refused["errors"][0]["code"], refused["errors"][0]["pointer"]) == ("bad_url", "/url")
    unknown = director.post("webhooks/", {**body, "events": ["result.conformed"]}, status=400)
    assert unknown["errors"][0]["pointer"].startswith("/events")


def test_the_openapi_document_describes_the_webhook_messages(season: Competition) -> None:
    described = document()
    assert set(described["components"]["schemas"]["Message"]["discriminator"]["mapping"]) == set(EVENTS)
    assert set(described["components"]["schemas"]["WebhookEvent"]["enum"]) == set(EVENTS)
