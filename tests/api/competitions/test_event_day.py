"""Tests of check-in, absences, departures and walkovers over REST."""

from __future__ import annotations

import json

import pytest

from league.models import Competition, Credit, Departure, Entrant, Role
from tests import factories
from tests.api.client import Api
from tests.factories import in_block
from tests.league.event import credited, event, main, seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def competition() -> Competition:
    """Return an event whose format leaves an absence and a walkover to the organizers."""
    return event()


def api(competition: Competition, role: Role) -> Api:
    return Api(factories.user(role, role, competition))


@pytest.mark.both_databases
def test_a_scorer_checks_entrants_in_and_takes_it_back(competition: Competition) -> None:
    entrant = in_block(main(competition))[0]
    scorer, path = api(competition, Role.SCORER), f"competitions/event/entrants/{entrant.pk}/check-in/"
    told = scorer.post(path, None, status=200)
    assert (told["entrant"], told["status"], told["is_house"]) == (str(entrant.pk), "playing", False)
    assert told["checked_in_at"] is not None
    assert json.loads(scorer.send("delete", path).content)["checked_in_at"] is None
    assert scorer.send("post", "competitions/event/entrants/0/check-in/").status_code == 404
    assert api(competition, Role.READER).send("post", path).status_code == 403


def test_a_director_withdraws_or_disqualifies_an_entrant_with_a_reason(competition: Competition) -> None:
    first, second = in_block(main(competition))[:2]
    director = api(competition, Role.DIRECTOR)
    for entrant, act, status in ((first, "withdraw", "withdrawn"), (second, "disqualify", "disqualified")):
        path = f"competitions/event/entrants/{entrant.pk}/{act}/"
        assert director.send("post", path, {}).status_code == 400
        assert director.post(path, {"reason": "Phone"}, status=200)["status"] == status
        assert director.post(path, {"reason": "Phone"}, status=409)["errors"][0]["code"] == "left_already"
    assert Departure.objects.count() == 2
    referee = api(competition, Role.REFEREE)
    path = f"competitions/event/entrants/{in_block(main(competition))[2].pk}/withdraw/"
    assert referee.send("post", path, {"reason": "x"}).status_code == 403


@pytest.mark.both_databases
def test_a_referee_records_an_absence(competition: Competition) -> None:
    entrant = in_block(main(competition))[0]
    path, referee = f"hanchan/{seat_of(entrant, 1).pk}/no-show/", api(competition, Role.REFEREE)
    body = {"entrant": str(entrant.pk), "reason": "Not here", "points": "-30.05"}
    assert referee.post(path, body, status=422)["errors"][0]["pointer"] == "/points"
    told = referee.post(path, {**body, "points": "-30", "is_last": True}, status=200)
    assert told["hanchan"]["seats"][0]["entrant"] == str(Entrant.objects.get(is_house=True).pk)
    assert credited(entrant) == [(1, "no_show", -300, 4)]
    other = in_block(main(competition))[1]
    assert api(competition, Role.SCORER).send("post", path, {**body, "entrant": str(other.pk)}).status_code == 403


def test_a_walkover_takes_points_where_the_format_leaves_them_to_a_ruling(competition: Competition) -> None:
    hanchan = seat_of(in_block(main(competition))[0], 1)
    path, director = f"hanchan/{hanchan.pk}/walkover/", api(competition, Role.DIRECTOR)
    assert director.post(path, {"reason": "Power cut"}, status=422)["errors"][0]["code"] == "points_needed"
    told = director.post(path, {"reason": "Power cut", "points": "5.0"}, status=200)
    assert told["hanchan"]["state"] == "abandoned"
    assert list(Credit.objects.values_list("points", flat=True)) == [50] * 4
