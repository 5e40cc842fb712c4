"""Tests of imports of online games over REST: preview, apply once, progress, and who may."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Hanchan, Paifu, PaifuImport, ResultSheet, Role
from league.services.competitions.schedule import hold_back
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.online import applied, brought, four, game, named, online_league, table_of

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


def replay_of(client: Client, hanchan: int) -> tuple[int, dict[str, Any]]:
    """Return status and document of a replay."""
    response = client.get(f"/api/v1/hanchan/{hanchan}/replay/")
    return response.status_code, response.json()


def test_a_hanchan_is_read_tile_by_tile_with_the_outcomes_of_our_rules(client: Client) -> None:
    competition, played = imported_game(), game(1)
    hanchan = Paifu.objects.get().hanchan_id
    status, found = replay_of(client, hanchan)
    assert (status, found["hanchan"], found["source"], found["is_typed"]) == (200, str(hanchan), "tenhou", False)
    assert [hand["changes"] for hand in found["hands"]] == [list(kyoku.deltas) for kyoku in played.hands]
    first, told = found["hands"][0], played.hands[0]
    assert [len(tiles) for tiles in first["dealt"]] == [13] * 4
    assert [(step["kind"], step["seat"]) for step in first["steps"]] == [(step.kind, step.seat) for step in told.steps]
    assert all(len(step["tiles"][0]) == 2 for step in first["steps"] if step["kind"] == "draw")
    wins = [(win["han"], win["fu"]) for hand in found["hands"] for win in hand["wins"] if not win["yakuman"]]
    assert wins == [(win.han, win.fu) for kyoku in played.hands for win in kyoku.wins if not win.yakuman]
    assert not any(entrant.player.name_romaji in str(found) for entrant in four(competition))
    other = Hanchan.objects.exclude(pk=hanchan).filter(block__competition=competition).first()
    assert other is not None
    assert replay_of(client, other.pk)[0] == 404


def test_a_replay_under_embargo_is_read_by_organizers_alone(client: Client) -> None:
    competition = imported_game()
    hanchan = Paifu.objects.get().hanchan
    until = timezone.now() + dt.timedelta(days=1)
    hold_back(table_session=hanchan.table_session, until=until, by=factories.SYSTEM)
    publish_standings(competition.pk)
    assert replay_of(client, hanchan.pk)[0] == 404
    client.force_login(factories.user("second", Role.SCORER, competition))
    assert replay_of(client, hanchan.pk)[0] == 200


def imported_game() -> Competition:
    """Import a game into a new league and publish it; return the league."""
    competition = online_league()
    table_of(competition)
    applied(competition, game(1, named(competition)), by=factories.SYSTEM)
    publish_standings(competition.pk)
    return competition
