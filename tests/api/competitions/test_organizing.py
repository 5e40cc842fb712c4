"""Test that programs can do what organizers do: set a league up, keep its people in step, schedule and seat it."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from league.models import (
    Announcement,
    Change,
    Competition,
    Door,
    Entrant,
    Player,
    Role,
    Session,
    TableSession,
)
from league.selectors.access.actors import Actor, Capability
from league.services.access.tokens import TokenPlan, make_token
from league.services.parlour.people import merge_players
from league.services.people.erasure import erase_player
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM, in_block, league, play, table

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)
SCHEDULE = {"first_day": "2027-04-03", "every": 7, "starts_at": "13:00", "venue": "Club", "seed": "0403"}


@pytest.fixture
def chief() -> User:
    return User.objects.create_superuser("chief")


@pytest.fixture
def api(chief: User) -> Api:
    return Api(chief)


def put(api: Api, path: str, body: Any, status: int = 200, method: str = "put", tag: str = "") -> Any:
    """Send a PUT or PATCH, with If-Match if a tag is given, and return its document, after checking the status."""
    response = api.send(method, path, body, {"If-Match": tag} if tag else None)
    assert response.status_code == status, response.content.decode()
    return json.loads(response.content) if response.content else None


def people(number: int) -> list[dict[str, str]]:
    """Return rows of a membership list."""
    return [{"external_id": f"m{n}", "name": f"Player {n}", "romaji": f"Player {n}"} for n in range(1, number + 1)]


def new_league(api: Api) -> None:
    body = {"slug": "spring", "name": "Spring", "ruleset": "cinderella", "format": "cinderella"}
    api.post("competitions/", body, status=201)


def test_a_league_is_created_filled_scheduled_and_published(api: Api) -> None:
    new_league(api)
    entered = put(api, "competitions/spring/entrants/", {"people": people(16)})["entrants"]
    assert {row["outcome"] for row in entered} == {"created"}
    preview = api.post("competitions/spring/blocks/fill/preview/", {"filling": "snake"})
    assert not Competition.objects.get().blocks.filter(slots__seeded__isnull=False).exists()
    filled = api.post("competitions/spring/blocks/fill/", {"filling": "snake"})
    assert [row["key"] for row in filled["blocks"]] == ["A", "B"]
    assert [[each["entrant"] for each in row["entrants"]] for row in preview["blocks"]] == [
        [each["entrant"] for each in row["entrants"]] for row in filled["blocks"]
    ]
    planned = api.post("competitions/spring/schedule/preview/", SCHEDULE)
    assert not Session.objects.exists()
    assert planned["faults"] == []
    written = api.post("competitions/spring/schedule/", {**SCHEDULE, "digest": planned["digest"]}, status=201)
    assert written == planned
    assert Session.objects.count() == len(planned["sessions"])
    seats = planned["sessions"][0]["tables"][0]["seats"][0]
    first = TableSession.objects.order_by("session__number", "order")[0]
    assert [str(seat.entrant_id) for seat in first.hanchan.get(round=1).seats.order_by("seat")] == seats
    told = api.post("competitions/spring/status/", {"status": "published"})
    assert told["status"] == "published"
    assert Api().get("competitions/spring/")["name"] == "Spring"


def test_a_schedule_other_than_the_previewed_one_is_refused_and_one_unused_can_be_taken_back(api: Api) -> None:
    new_league(api)
    put(api, "competitions/spring/entrants/", {"people": people(16)})
    api.post("competitions/spring/blocks/fill/", {"filling": "snake"})
    refused = api.post("competitions/spring/schedule/", {**SCHEDULE, "digest": "0" * 16}, status=409)
    assert refused["errors"][0]["code"] == "other_schedule"
    api.post("competitions/spring/schedule/", SCHEDULE, status=201)
    assert api.send("delete", "competitions/spring/schedule/").status_code == 204
    assert not TableSession.objects.exists()


def test_the_same_creation_sent_again_creates_nothing(api: Api) -> None:
    body = {"slug": "spring", "name": "Spring", "ruleset": "cinderella", "format": "cinderella"}
    key = str(uuid4())
    first, again = (api.change("competitions/", body, key=key) for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Competition.objects.count() == 1
    assert api.send("post", "competitions/", {**body, "slug": "other"}).status_code == 400
    assert api.post("competitions/", {**body, "slug": "other", "ruleset": "none"}, status=422)["errors"]


def test_only_those_who_may_add_competitions_create_one_and_a_restricted_token_never(chief: User) -> None:
    body = {"slug": "spring", "name": "Spring", "ruleset": "cinderella", "format": "cinderella"}
    Api(factories.user("someone")).post("competitions/", body, status=403)
    league("autumn")
    plan = TokenPlan(label="bot", scopes=tuple(Capability), expires_in=DAY)
    token = make_token(plan=plan, by=Actor(user=chief, door=Door.PAGE)).token
    bot = Api()
    bot.headers["Authorization"] = f"Token {token}"
    bot.post("competitions/", body, status=403)


@pytest.mark.both_databases
def test_a_membership_list_sent_again_changes_nothing_and_a_changed_row_changes_its_person(api: Api) -> None:
    first = put(api, "people/", {"people": people(3)})["people"]
    assert [row["outcome"] for row in first] == ["created"] * 3
    assert {row["outcome"] for row in put(api, "people/", {"people": people(3)})["people"]} == {"unchanged"}
    rows = people(3)
    rows[1] |= {"affiliation": "Club", "number": "12"}
    preview = put(api, "people/preview/", {"people": rows})["people"]
    assert [row["outcome"] for row in preview] == ["unchanged", "changed", "unchanged"]
    assert Player.objects.get(external_id="m2").affiliation == ""
    put(api, "people/", {"people": rows})
    assert Player.objects.get(external_id="m2").affiliation == "Club"
    listed = api.get("people/", external_id="m2")["results"]
    assert [(row["id"], row["number"]) for row in listed] == [(first[1]["id"], "12")]


def test_a_faulty_row_names_its_place_and_nothing_is_written(api: Api) -> None:
    rows = [*people(2), {"external_id": "m3"}, {"external_id": "m1", "name": "Again"}]
    twice = put(api, "people/", {"people": rows}, status=422)["errors"]
    assert [each["pointer"] for each in twice] == ["/people/3/external_id"]
    nameless = put(api, "people/", {"people": rows[:3]}, status=422)["errors"]
    assert [each["pointer"] for each in nameless] == ["/people/2/name"]
    assert not Player.objects.exists()


@pytest.mark.both_databases
def test_a_merged_entry_leads_to_the_person_and_an_erased_one_is_forgotten(api: Api) -> None:
    put(api, "people/", {"people": people(2)})
    one, other = Player.objects.order_by("external_id")
    merge_players(duplicate=other, keep=one, by=SYSTEM)
    (told,) = put(api, "people/", {"people": [{"external_id": "m2", "name": "Player 1"}]})["people"]
    assert (told["id"], told["outcome"]) == (str(one.pk), "unchanged")
    erase_player(player=one, by=SYSTEM)
    assert Player.objects.filter(external_id="m1").count() == 0


@pytest.mark.both_databases
def test_personal_data_are_replaced_unless_they_have_changed_since_they_were_read(api: Api) -> None:
    put(api, "people/", {"people": people(1)})
    path = f"people/{Player.objects.get().pk}/"
    tag = api.send("get", path).headers["ETag"]
    changed = put(api, path, {"name": "Other", "affiliation": "Club"}, tag=tag)
    assert (changed["name"], changed["affiliation"], changed["external_id"]) == ("Other", "Club", "m1")
    put(api, path, {"name": "Third"}, status=412, tag=tag)
    assert Player.objects.get().name == "Other"


@pytest.mark.both_databases
def test_entrants_keep_their_numbers_and_take_the_club_of_the_season(api: Api) -> None:
    new_league(api)
    put(api, "people/", {"people": people(2)})
    rows: list[dict[str, Any]] = [{"external_id": "m2"}, {"external_id": "m1", "affiliation": "Club"}]
    first = put(api, "competitions/spring/entrants/", {"people": rows})["entrants"]
    again = put(api, "competitions/spring/entrants/", {"people": [*rows, {"external_id": "m3", "name": "P3"}]})
    assert [row["outcome"] for row in again["entrants"]] == ["unchanged", "unchanged", "created"]
    numbers = dict(Entrant.objects.values_list("player__external_id", "number"))
    assert numbers == {"m2": 1, "m1": 2, "m3": 3}
    assert Entrant.objects.get(player__external_id="m1").affiliation == "Club"
    path = f"competitions/spring/entrants/{first[0]['entrant']}/"
    put(api, path, {"country": "JP"})
    assert Entrant.objects.get(pk=first[0]["entrant"]).country == "JP"
    both = put(api, "competitions/spring/entrants/", {"people": [{"external_id": "m1", "player": "1"}]}, status=422)
    assert both["errors"][0]["code"] == "one_of_both"
    put(api, "competitions/spring/entrants/", {"people": [{"external_id": "m1", "country": "JP"}]})
    assert Entrant.objects.filter(affiliation="Club", country="JP").get().player.external_id == "m1"


def test_a_faulty_row_of_entrants_names_its_place_among_all_rows(api: Api) -> None:
    new_league(api)
    put(api, "people/", {"people": people(2)})
    known = {"player": str(Player.objects.get(external_id="m1").pk)}
    rows = [known, {"external_id": "m2"}, {"external_id": "m3"}]
    path = "competitions/spring/entrants/"
    nameless = put(api, path, {"people": rows}, status=422)["errors"]
    assert [each["pointer"] for each in nameless] == ["/people/2/name"]
    twice = put(api, path, {"people": [*rows[:2], {"external_id": "m2"}]}, status=422)["errors"]
    assert [each["pointer"] for each in twice] == ["/people/2/external_id"]
    assert not Entrant.objects.exists()


def test_settings_are_changed_with_the_tag_that_was_read(api: Api) -> None:
    new_league(api)
    tag = api.send("get", "competitions/spring/settings/").headers["ETag"]
    told = put(api, "competitions/spring/settings/", {"name": "New"}, method="patch", tag=tag)
    assert (told["name"], told["time_zone"]) == ("New", "Asia/Tokyo")
    put(api, "competitions/spring/settings/", {"name": "Old"}, status=412, method="patch", tag=tag)
    wrong = put(api, "competitions/spring/settings/", {"time_zone": "Nowhere"}, status=422, method="patch")
    assert wrong["errors"]
    api.post("competitions/spring/address/", {"slug": "summer"})
    assert Competition.objects.get().slug == "summer"


def test_other_rules_are_previewed_and_put_in_force(api: Api) -> None:
    new_league(api)
    body = {"format": "single-table-final"}
    assert api.post("competitions/spring/rules/", body, status=422)["errors"][0]["code"] == "stages_change"
    accepted = {**body, "accept": ["stages_change"]}
    preview = api.post("competitions/spring/rules/preview/", accepted)
    assert len(preview["stages"]) == 1
    assert Competition.objects.get().stages.count() > 1
    api.post("competitions/spring/rules/", accepted)
    assert Competition.objects.get().stages.count() == 1


@pytest.mark.both_databases
def test_tables_are_scheduled_changed_seated_and_held_back() -> None:
    season = league()
    api = Api(factories.user("director", Role.DIRECTOR, season))
    session = api.post("competitions/spring/sessions/", {"name": "One"}, status=201)
    block = season.blocks.get(key="A")
    four = [str(entrant.pk) for entrant in in_block(block)[:4]]
    body = {"session": session["id"], "block": "A", "numbers": [1, 2], "entrants": four, "table": "1"}
    made = api.post("competitions/spring/table-sessions/", body, status=201)
    path = f"table-sessions/{made['id']}/plan/"
    tag = api.send("get", path).headers["ETag"]
    changed = put(api, path, {"venue": "Hall"}, method="patch", tag=tag)
    assert (changed["venue"], changed["table"]) == ("Hall", "1")
    put(api, path, {"venue": "Other"}, status=412, method="patch", tag=tag)
    first = made["hanchan"][0]["id"]
    seated = put(api, f"hanchan/{first}/seats/", {"entrants": four[::-1]})
    assert [seat["entrant"] for seat in seated["seats"]] == four[::-1]
    held = api.post(f"table-sessions/{made['id']}/hold-back/", {"until": "2099-01-01T00:00:00+09:00"})
    assert held["public_at"].startswith("2099-01-01")
    assert Api().send("get", f"table-sessions/{made['id']}/").status_code == 404
    put(api, f"sessions/{session['id']}/names/", {"name": "Opening"})
    wrong = api.post("competitions/spring/table-sessions/", {**body, "block": "X"}, status=422)
    assert wrong["errors"][0]["pointer"] == "/block"


def test_a_time_sent_without_an_offset_is_in_the_time_zone_of_the_competition() -> None:
    season = league(time_zone="America/New_York")
    api = Api(factories.user("director", Role.DIRECTOR, season))
    session = api.post("competitions/spring/sessions/", {}, status=201)
    body = {"session": session["id"], "block": "A", "numbers": [1], "starts_at": "2026-07-04T19:00:00"}
    made = api.post("competitions/spring/table-sessions/", body, status=201)
    assert made["starts_at"] == "2026-07-04T19:00:00-04:00"
    moved = put(api, f"table-sessions/{made['id']}/plan/", {"starts_at": "2026-12-04T19:00:00"}, method="patch")
    assert moved["starts_at"] == "2026-12-04T19:00:00-05:00"


@pytest.mark.both_databases
def test_seats_are_drawn_and_entrants_swapped() -> None:
    season = league()
    api = Api(factories.user("director", Role.DIRECTOR, season))
    row = table(season.blocks.get(key="A"))
    drawn = api.post(f"sessions/{row.session_id}/draw/", {"seed": "7", "redraws": True})
    assert [each["number"] for each in drawn["hanchan"]] == [1]
    one, other = in_block(row.block)[:2]
    body = {"numbers": [2], "one": str(one.pk), "other": str(other.pk)}
    swapped = api.post("competitions/spring/blocks/A/swap/", body)["hanchan"]
    assert [seat["entrant"] for seat in swapped[0]["seats"]][:2] == [str(other.pk), str(one.pk)]


@pytest.mark.both_databases
def test_a_session_is_moved_as_previewed(api: Api) -> None:
    new_league(api)
    put(api, "competitions/spring/entrants/", {"people": people(16)})
    api.post("competitions/spring/blocks/fill/", {"filling": "snake"})
    api.post("competitions/spring/schedule/", SCHEDULE, status=201)
    first = Session.objects.order_by("number")[0]
    preview = api.post(f"sessions/{first.pk}/move/preview/", {"day": "2027-04-05"})
    assert {row["after"][:10] for row in preview["moved"]} == {"2027-04-05"}
    assert {str(row.starts_at)[:10] for row in first.table_sessions.all()} == {"2027-04-03"}
    moved = api.post(f"sessions/{first.pk}/move/", {"day": "2027-04-05", "digest": preview["digest"]})
    assert moved == preview


@pytest.mark.both_databases
def test_an_announcement_is_made_and_taken_down() -> None:
    season = league()
    api = Api(factories.user("director", Role.DIRECTOR, season))
    row = table(season.blocks.get(key="A"))
    made = api.post(f"sessions/{row.session_id}/announcements/", {"text": "Lunch at one"}, status=201)
    assert api.send("delete", f"announcements/{made['id']}/").status_code == 204
    assert Announcement.objects.get().ended_at is not None


@pytest.mark.both_databases
def test_those_without_the_right_change_nothing_and_the_log_names_the_token() -> None:
    season = league()
    scorer = Api(factories.user("scorer", Role.SCORER, season))
    scorer.post("competitions/spring/status/", {"status": "closed"}, status=403)
    put(scorer, "competitions/spring/settings/", {"name": "x"}, status=403, method="patch")
    put(scorer, "people/", {"people": people(1)}, status=403)
    chief = factories.user("director", Role.DIRECTOR, season)
    token = make_token(
        plan=TokenPlan(label="bot", scopes=(Capability.READ, Capability.MANAGE), competition=season, expires_in=DAY),
        by=Actor(user=chief, door=Door.PAGE),
    )
    bot = Api()
    bot.headers["Authorization"] = f"Token {token.token}"
    put(bot, "competitions/spring/settings/", {"name": "By a bot"}, method="patch")
    line = Change.objects.get(kind="competition.edited")
    assert (line.door, line.credential) == (Door.API, f"token:{token.row.digest[:12]}")


def test_a_block_is_filled_by_hand_and_not_once_there_are_results() -> None:
    season = league()
    api = Api(factories.user("director", Role.DIRECTOR, season))
    block = season.blocks.get(key="A")
    eight = [str(entrant.pk) for entrant in in_block(block)]
    put(api, "competitions/spring/blocks/A/entrants/", {"entrants": eight[::-1]})
    assert [str(entrant.pk) for entrant in in_block(block)] == eight[::-1]
    play(table(block).hanchan.get(round=1))
    put(api, "competitions/spring/blocks/A/entrants/", {"entrants": eight}, status=409)
