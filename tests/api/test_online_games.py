"""Tests of imports of online games over REST: preview, apply once, progress, and who may."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from league.models import Competition, Paifu, PaifuImport, ResultSheet, Role
from tests import factories
from tests.league.online import brought, four, game, named, online_league, table_of

pytestmark = pytest.mark.django_db


def sent(*seeds: int, names: tuple[str, ...] = ()) -> dict[str, object]:
    """Return simulated games as the body of a request."""
    logs = brought(*(game(seed, names) for seed in seeds))
    return {
        "logs": [{"name": log.label, "text": bytes(log.data).decode()} for log in logs if isinstance(log.data, bytes)]
    }


@pytest.fixture
def scorer_client(client: Client) -> Client:
    """Return the client of a scorer of the league “online”."""
    competition = online_league()
    client.force_login(factories.user("scorer", Role.SCORER, competition))
    return client


def post(client: Client, path: str, body: dict[str, object], key: str = "k1") -> dict[str, Any]:
    """Send a body with an idempotency key, and return the JSON with the status."""
    response = client.post(
        f"/api/v1/competitions/online/online-games/{path}",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": key, "Accept-Language": "en"},
    )
    return {"status": response.status_code, "replayed": "Idempotency-Replayed" in response.headers, **response.json()}


def test_logs_are_previewed_then_applied_once(scorer_client: Client) -> None:
    competition = four_league()
    body = sent(1, names=named(competition))
    made = post(scorer_client, "", body)
    assert (made["status"], made["state"]) == (201, "previewed")
    [one] = made["games"]
    assert one["is_ready"]
    assert [hand["ours"] for hand in one["hands"]] == [hand["log"] for hand in one["hands"]]
    assert [seat["how"] for seat in one["seats"]] == ["name"] * 4
    assert not Paifu.objects.exists()
    assert post(scorer_client, "", body)["replayed"]
    assert PaifuImport.objects.count() == 1
    done = post(scorer_client, f"{made['id']}/apply/", {}, "k2")
    assert (done["status"], done["state"], done["games"][0]["outcome"]) == (200, "done", "imported")
    assert post(scorer_client, f"{made['id']}/apply/", {}, "k2")["replayed"]
    assert ResultSheet.objects.counting().count() == 1
    found = scorer_client.get(f"/api/v1/competitions/online/online-games/{made['id']}/")
    assert (found.status_code, found.json()["done"]) == (200, 1)


def test_people_are_chosen_and_refusals_are_named(scorer_client: Client) -> None:
    competition = four_league()
    made = post(scorer_client, "", sent(1))
    assert [each["code"] for each in made["games"][0]["findings"]] == ["online_player_unknown"]
    seats = [{"seat": seat, "entrant": str(one.pk)} for seat, one in enumerate(four(competition))]
    done = post(scorer_client, f"{made['id']}/apply/", {"games": [{"number": 1, "seats": seats}]}, "k2")
    assert done["games"][0]["outcome"] == "imported"
    assert post(scorer_client, f"{made['id']}/apply/", {}, "k3")["errors"][0]["code"] == "nothing_to_import"


def test_readers_neither_bring_nor_see_imports(scorer_client: Client) -> None:
    competition = four_league()
    made = post(scorer_client, "", sent(1))
    reader = Client()
    reader.force_login(factories.user("reader", Role.READER, competition))
    assert post(reader, "", sent(1))["status"] == 403
    assert reader.get(f"/api/v1/competitions/online/online-games/{made['id']}/").status_code == 404


def four_league() -> Competition:
    """Return the league “online” with its table scheduled."""
    competition = Competition.objects.get(slug="online")
    table_of(competition)
    return competition
