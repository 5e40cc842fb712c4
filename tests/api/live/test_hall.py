"""Tests of the hall's documents: round clock, seat lists, state of the tables, calls for a referee."""

from __future__ import annotations

import json

import pytest

from league.models import RefereeCall, Role, TableSession
from league.services.live.referee_calls import call_referee
from tests import factories
from tests.api.client import Api
from tests.league.tables import begun

pytestmark = pytest.mark.django_db


def staff(table: TableSession, role: Role) -> Api:
    return Api(factories.user(role=role, competition=table.competition))


def test_a_director_starts_extends_and_stops_the_clock(table: TableSession) -> None:
    path = f"sessions/{table.session_id}/clock/"
    told = Api().get(path)
    assert (told["ends_at"], told["minutes"], told["last"]) == (None, None, None)
    api = staff(table, Role.DIRECTOR)
    begins = api.post(path, {"minutes": 50})["ends_at"]
    assert Api().get(path)["ends_at"] == begins
    assert api.post(path, {"minutes": 5, "extends": True})["ends_at"] > begins
    assert api.post(path, {"minutes": None})["ends_at"] is None
    assert api.post(path, {"minutes": 5, "extends": True}, status=409)["errors"][0]["code"] == "timer_off"
    assert api.post(path, {"minutes": 0}, status=400)["errors"]
    staff(table, Role.SCORER).post(path, {"minutes": 5}, status=403)


def test_the_seats_of_a_round_name_table_and_seat(table: TableSession) -> None:
    told = Api().get(f"sessions/{table.session_id}/seats/", round=2)
    assert (told["round"], told["rounds"]) == (2, [1, 2, 3, 4])
    assert [seat["seat"] for seat in told["seats"]] == [0, 1, 2, 3]
    assert {seat["table_session"] for seat in told["seats"]} == {str(table.pk)}
    Api().get(f"sessions/{table.session_id}/seats/", 404, round=9)


@pytest.mark.both_databases
def test_a_referee_reads_calls_and_hands_that_the_public_does_not(table: TableSession) -> None:
    path, referee = f"sessions/{table.session_id}/table-states/", staff(table, Role.REFEREE)
    assert referee.get(path)["tables"][0]["stage"] == "seated"
    begun(table)
    call_referee(table_session=table, by=factories.SYSTEM, about="score")
    told = referee.get(path)["tables"][0]
    assert told["stage"] == "playing"
    assert told["kyoku"]
    assert told["call"]["about"] == "score"
    public = Api().get(path)["tables"][0]
    assert (public["kyoku"], public["call"]) == ("", None)
    Api().get(path, 404, round=9)


def test_a_scorer_calls_a_referee_who_answers(table: TableSession) -> None:
    path = f"table-sessions/{table.pk}/referee-call/"
    made = staff(table, Role.SCORER).post(path, {"about": "dora"}, status=201)
    assert made["answered_at"] is None
    referee = staff(table, Role.REFEREE)
    referee.post(path, {}, status=403)
    assert referee.post(f"{path}answer/", None)["answered_at"]
    assert RefereeCall.objects.get().answered_by
    referee.post(f"{path}answer/", None, status=404)
    staff(table, Role.SCORER).post(path, {"about": "dora"}, status=201)
    assert json.loads(staff(table, Role.SCORER).send("delete", path).content)["answered_at"]
    assert staff(table, Role.SCORER).send("delete", path).status_code == 404
    Api().post(path, {}, status=401)
