"""Writes sent again with the same idempotency key: declared by every operation that writes, and done once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from league.api.examples import FORMAT
from league.models import HanchanSeat, MoveDecision, Pairing, Role, WebhookDelivery
from league.services.people.online_accounts import remember_account
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api, document
from tests.factories import in_block
from tests.league.event import event, main
from tests.league.paired_league import pair, play_round, tournament
from tests.league.seasons.pyramid import play, series_of_two, tiers
from tests.league.tables import final_table
from tests.league.team_league import team_league

pytestmark = pytest.mark.django_db

WRITES_NOTHING = {
    "check_format",
    "compare_hand",
    "flip_tulip",
    "score_hand",
    "try_format",
    "try_results_out",
}
"""Calculations from the body alone, besides those whose address ends with `preview/`."""
SECRET = "its response shows a secret once, so it is never stored; a second one is revoked or rotated away"
WITHOUT_KEY = {
    "append_to_log": "each event carries the client's id, by which an event that was stored is known",
    "end_table_link": "a link that has ended stays as it is",
    "import_log": "the log of a hanchan is imported once; sent again it does nothing",
    "invite_staff": SECRET,
    "login": "no user is known yet to whom a key could belong",
    "logout": "the token of the request, under which a key would be looked up, is revoked by it",
    "make_scorer_links": SECRET,
    "make_table_link": SECRET,
    "make_team_link": SECRET,
    "make_webhook": SECRET,
    "rotate_webhook_key": SECRET,
}
"""Operations that write and take no idempotency key, with the reason."""


def writes() -> Mapping[str, Mapping[str, Any]]:
    """Return the operations that write by their ids."""
    return {
        described["operationId"]: described
        for path, operations in document()["paths"].items()
        for method, described in operations.items()
        if method in {"post", "put", "patch", "delete"} and not path.endswith("/preview/")
        if described["operationId"] not in WRITES_NOTHING
    }


def takes_key(described: Mapping[str, Any]) -> bool:
    return any(each["name"] == "Idempotency-Key" for each in described["parameters"])


def test_every_operation_that_writes_takes_an_idempotency_key_or_is_listed_with_the_reason() -> None:
    assert len(writes()) > 140
    assert {name for name, described in writes().items() if not takes_key(described)} == set(WITHOUT_KEY)


def test_no_preview_and_no_calculation_takes_an_idempotency_key() -> None:
    operations = [each for path in document()["paths"].values() for each in path.values()]
    others = [each for each in operations if each["operationId"] not in writes()]
    assert [each["operationId"] for each in others if takes_key(each)] == []


def test_every_success_of_an_operation_with_a_key_can_say_that_it_is_replayed() -> None:
    for name, described in writes().items():
        for status, response in described["responses"].items():
            if status.startswith("2"):
                assert (name, "Idempotency-Replayed" in response["headers"]) == (name, takes_key(described))


def twice(api: Api, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    """Send a request twice with one key and return its document: the second response is the first one, replayed."""
    headers = {"Idempotency-Key": str(uuid4())}
    first, again = (api.send(method, path, body, headers) for _time in range(2))
    assert first.status_code == status, first.content.decode()
    assert "Idempotency-Replayed" not in first.headers
    assert (again.status_code, again.content) == (status, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers.get("ETag") == first.headers.get("ETag")
    return json.loads(first.content) if first.content else None


@pytest.fixture
def chief() -> Api:
    return Api(User.objects.create_superuser("chief"))


@pytest.mark.both_databases
def test_decisions_and_rosters_of_a_series_are_written_and_taken_back_once(chief: Api) -> None:
    term = "series/spring/terms/1/"
    for competition in tiers(series_of_two().terms.get()).values():
        play(competition)
    body = {"player": "spring-b1", "kind": "declined", "reason": "moves away"}
    decided = twice(chief, "post", f"{term}decisions/", body, 201)
    assert MoveDecision.objects.count() == 1
    (pk,) = (each["decision"]["id"] for each in decided["moves"] if each["decision"])
    twice(chief, "post", f"{term}decisions/{pk}/back/", {"reason": "stays"})
    digest = chief.post(f"{term}roster/preview/")["digest"]
    assert twice(chief, "post", f"{term}roster/", {"digest": digest}, 201)["is_written"]
    assert not twice(chief, "post", f"{term}roster/back/", {"reason": "too early"})["is_written"]


def test_a_key_used_for_another_decision_is_refused(chief: Api) -> None:
    series_of_two()
    path, body = "series/spring/terms/1/decisions/", {"player": "spring-b1", "kind": "declined", "reason": "moves"}
    assert chief.change(path, body, key="one").status_code == 201
    reused = chief.change(path, {**body, "player": "spring-b2"}, key="one")
    assert (reused.status_code, json.loads(reused.content)["code"]) == (422, "idempotency_key_reused")
    assert MoveDecision.objects.count() == 1


def test_a_refused_decision_leaves_the_key_free(chief: Api) -> None:
    series_of_two()
    path, body = "series/spring/terms/1/decisions/", {"player": "none", "kind": "declined", "reason": "moves"}
    assert chief.change(path, body, key="one").status_code == 400
    assert chief.change(path, {**body, "player": "spring-b2"}, key="one").status_code == 201


def test_older_creations_are_possible_without_a_key(chief: Api) -> None:
    body = {"slug": "circuit", "name": "R", "rules": "mers"}
    assert chief.send("post", "rankings/", body).status_code == 201
    again = chief.send("post", "rankings/", body)
    assert (again.status_code, json.loads(again.content)["errors"][0]["pointer"]) == (409, "/slug")


def test_a_ranking_and_its_events_are_changed_once(chief: Api) -> None:
    factories.league()
    twice(chief, "post", "rankings/", {"slug": "circuit", "name": "R", "rules": "mers"}, 201)
    listed = twice(chief, "post", "rankings/circuit/events/", {"competition": "spring", "day": "2026-06-01"}, 201)
    changed = twice(chief, "put", f"rankings/circuit/events/{listed['id']}/", {"day": "2026-06-02"})
    assert changed["id"] != listed["id"]
    twice(chief, "delete", f"rankings/circuit/events/{changed['id']}/", None, 204)
    assert chief.get("rankings/circuit/events/")["events"] == []


def test_an_if_match_where_nothing_can_be_read_is_refused(chief: Api) -> None:
    series_of_two()
    body = {"player": "spring-b1", "kind": "declined", "reason": "moves"}
    refused = chief.change("series/spring/terms/1/decisions/", body, if_match='"x"')
    assert (refused.status_code, json.loads(refused.content)["code"]) == (412, "stale_revision")
    assert not MoveDecision.objects.exists()


def test_messages_of_a_webhook_are_queued_once_and_it_is_deleted_once(chief: Api) -> None:
    factories.league()
    made = chief.post("webhooks/", {"competition": "spring", "url": "https://hooks.example/in"}, status=201)
    path = f"webhooks/{made['id']}/"
    sent = twice(chief, "post", f"{path}ping/", {}, 202)
    assert WebhookDelivery.objects.count() == 1
    WebhookDelivery.objects.update(state=WebhookDelivery.State.FAILED)
    twice(chief, "post", f"{path}deliveries/{sent['id']}/redeliver/", {}, 202)
    twice(chief, "patch", path, {"url": "https://hooks.example/other"})
    twice(chief, "post", f"{path}enable/", {})
    twice(chief, "delete", path, None, 204)
    assert chief.send("get", path).status_code == 404


def test_a_clock_is_extended_once_and_a_referee_called_once(chief: Api) -> None:
    table = final_table()
    clock = f"sessions/{table.session_id}/clock/"
    begins = twice(chief, "post", clock, {"minutes": 50})["ends_at"]
    extended = twice(chief, "post", clock, {"minutes": 5, "extends": True})["ends_at"]
    assert begins < extended == chief.get(clock)["ends_at"]
    call = f"table-sessions/{table.pk}/referee-call/"
    twice(chief, "post", call, {"about": "dora"}, 201)
    twice(chief, "delete", call)
    chief.post(call, {"about": "score"}, status=201)
    assert twice(chief, "post", f"{call}answer/")["answered_at"]


def test_an_entrant_is_checked_in_and_leaves_once(chief: Api) -> None:
    first, second = in_block(main(event()))[:2]
    path = "competitions/event/entrants/"
    assert twice(chief, "post", f"{path}{first.pk}/check-in/")["checked_in_at"]
    assert twice(chief, "delete", f"{path}{first.pk}/check-in/")["checked_in_at"] is None
    assert twice(chief, "post", f"{path}{first.pk}/withdraw/", {"reason": "Phone"})["status"] == "withdrawn"
    assert twice(chief, "post", f"{path}{second.pk}/disqualify/", {"reason": "Late"})["status"] == "disqualified"


def test_a_line_up_is_named_and_taken_back_once() -> None:
    league = team_league(1)
    director = Api(factories.user("director", Role.DIRECTOR, league.competition))
    seat = HanchanSeat.objects.filter(hanchan__state="scheduled").order_by("hanchan", "seat")[0]
    path = f"hanchan/{seat.hanchan_id}/line-ups/{seat.entrant.player.key}/"
    member = league.members[league.teams.index(seat.entrant)][0]
    assert twice(director, "put", path, {"player": str(member.pk)})["line_up"]["player"] == str(member.pk)
    twice(director, "delete", path, None, 204)
    assert director.get(path)["line_up"] is None


def test_a_format_is_stored_and_an_account_forgotten_once(chief: Api) -> None:
    assert twice(chief, "post", "formats/", {"toml": FORMAT})["revisions"] == [1]
    one = in_block(factories.league().blocks.get(key="A"))[0].player
    account = remember_account(player=one, service="tenhou", text="ichi", by=factories.SYSTEM)
    twice(chief, "delete", f"people/{one.pk}/online-accounts/{account.pk}/", None, 204)
    assert chief.get(f"people/{one.pk}/online-accounts/") == {"accounts": []}


def test_a_pairing_is_published_once(chief: Api) -> None:
    block = tournament(8, '{ numbers = "1", by = "draw" }, { numbers = "2-3", by = "standing" }')
    pair(block, 1)
    play_round(block, 1)
    publish_standings(block.competition_id)
    path = "competitions/open/blocks/A/rounds/2/pairing/"
    digest = chief.post(f"{path}preview/")["digest"]
    assert twice(chief, "post", path, {"digest": digest}, 201)["digest"] == digest
    assert Pairing.objects.filter(number=2).count() == 1
