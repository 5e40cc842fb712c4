"""Live tables over REST: overlay, export and import of the log, links."""

from __future__ import annotations

import datetime as dt
import json
from io import BytesIO
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from league.models import (
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    IdempotencyKey,
    Player,
    Role,
    TableEvent,
    TableLink,
    TableSession,
)
from league.services.competitions.schedule import hold_back
from league.services.people.pictures import set_picture
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.event import event as tournament_day
from tests.league.played_season import preliminary
from tests.league.tables import DRAW, RIICHI, RON, Device, begun, entered, event, first, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def scorer(table: TableSession) -> Api:
    return Api(factories.user("scorer", Role.SCORER, table.competition))


def live(hanchan: Hanchan) -> str:
    return f"hanchan/{hanchan.pk}/live/"


def live_table(table: TableSession) -> str:
    return f"table-sessions/{table.pk}/live/"


def log(hanchan: Hanchan) -> str:
    return f"hanchan/{hanchan.pk}/log/"


def code_of(response: HttpResponse) -> str:
    return str(json.loads(response.content)["code"])


def made(*entries: Any, prefix: str = "e") -> list[dict[str, Any]]:
    """Return events as a client sends them."""
    return [
        {"client_id": f"{prefix}{number}", "kind": "entry", "payload": {"entry": entry}}
        for number, entry in enumerate(entries)
    ]


def test_a_table_that_is_not_followed_is_reported_as_such(table: TableSession) -> None:
    publish_standings(table.competition_id)
    found = Api().get(live(first(table)))
    assert (found["is_followed"], found["seats"], found["round"]) == (False, [], None)


def test_the_overlay_shows_scores_places_and_points_as_if_the_game_ended_now(hanchan: Hanchan) -> None:
    write(hanchan, *entered(RON, RIICHI))
    found = Api().get(live(hanchan))
    assert [seat["score"] for seat in found["seats"]] == [25000, 29200, 25000, 19800]
    assert [seat["place"] for seat in found["seats"]] == [2, 1, 2, 4]
    assert [seat["riichi"] for seat in found["seats"]] == [None, "closed", None, None]
    assert found["round"]["name"] == {"ja": "東2局", "en": "East 2"}
    assert found["round"]["text"]["en"] == "East 2, 0 honba"
    assert found["deposits"] == 1000
    assert found["last"]["changes"] == [0, 5200, 0, -5200]
    assert found["seats"][1]["league_total"] == "0.0"
    assert found["seats"][1]["league_total_now"] == found["seats"][1]["points"]


def picture_given_to(player: Player) -> str:
    """Give the player a picture; return its path."""
    drawn = BytesIO()
    Image.new("RGB", (64, 64), "red").save(drawn, "PNG")
    drawn.seek(0)
    return f"/pictures/{set_picture(subject=player, file=drawn, by=factories.SYSTEM).sha256}.webp"


def test_the_overlay_names_the_picture_of_a_player(hanchan: Hanchan) -> None:
    path = picture_given_to(hanchan.seats.select_related("player").get(seat=0).player)
    publish_standings(hanchan.block.competition_id)
    shown = Api().get(live(hanchan))["seats"]
    assert [each["picture"] for each in shown] == [path, "", "", ""]


def test_the_last_hand_names_its_players_in_the_letters_of_each_language(hanchan: Hanchan) -> None:
    write(hanchan, *entered(RON))
    text, winner = Api().get(live(hanchan))["last"]["text"], factories.seated(hanchan)[1].player
    assert winner.name in text["ja"].replace(winner.name_romaji, "")
    assert winner.name_romaji in text["en"]


def test_league_totals_count_a_finished_game_once(table: TableSession, hanchan: Hanchan) -> None:
    write(hanchan, *entered(RON))
    factories.play(hanchan, (25000, 30200, 25000, 19800))
    publish_standings(table.competition_id)
    found = Api().get(live(hanchan))
    assert found["is_final"]
    assert [seat["league_total"] for seat in found["seats"]] == ["0.0"] * 4
    write(table.hanchan.get(round=2), event("start"), *entered(RIICHI))
    second = Api().get(live(table.hanchan.get(round=2)))
    assert second["seats"][1]["league_total"] == found["seats"][1]["points"]


def test_polling_an_unchanged_table_gives_304(hanchan: Hanchan) -> None:
    api = Api()
    tag = api.send("get", live(hanchan)).headers["ETag"]
    assert api.send("get", live(hanchan), headers={"If-None-Match": tag}).status_code == 304
    write(hanchan, *entered(RIICHI))
    assert api.send("get", live(hanchan), headers={"If-None-Match": tag}).status_code == 200


def test_an_unchanged_table_is_found_in_one_query(
    table: TableSession, hanchan: Hanchan, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    api = Api()
    for path in (live(hanchan), live_table(table)):
        answer = api.send("get", path)
        assert answer.headers["Cache-Control"] == "public, max-age=1"
        with django_assert_num_queries(1):
            assert api.send("get", path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


@pytest.mark.both_databases
def test_a_tables_document_shows_its_first_hanchan_that_is_not_over_else_its_last(
    table: TableSession, hanchan: Hanchan, scorer: Api
) -> None:
    first_game, *_others, last_game = games = list(table.hanchan.order_by("round"))
    assert first_game == hanchan
    for game in games:
        for api in (Api(), scorer):
            assert api.get(live_table(table)) == api.get(live(game))
        factories.play(game, (25000, 30200, 25000 - 100 * game.round, 19800 + 100 * game.round))
        publish_standings(table.competition_id)
    for api in (Api(), scorer):
        assert api.get(live_table(table))["hanchan"] == str(last_game.pk)


@pytest.mark.both_databases
def test_the_public_sees_events_delayed_and_the_staff_at_once(hanchan: Hanchan, scorer: Api) -> None:
    Competition.objects.update(live_delay=10)
    TableEvent.objects.update(at=timezone.now() - dt.timedelta(minutes=20))
    write(hanchan, *entered(RON))
    found = Api().get(live(hanchan))
    assert (found["sequence"], found["delay"]) == (1, 10)
    assert {seat["score"] for seat in found["seats"]} == {25000}
    assert Api().get(log(hanchan))["entries"] == []
    assert scorer.get(live(hanchan))["sequence"] == 2
    TableEvent.objects.update(at=timezone.now() - dt.timedelta(minutes=11))
    assert Api().get(live(hanchan))["sequence"] == 2


def test_a_game_that_has_just_begun_is_not_visible_to_a_delayed_public(hanchan: Hanchan) -> None:
    Competition.objects.update(live_delay=10)
    found = Api().get(live(hanchan))
    assert (found["is_followed"], found["started_at"], found["sequence"]) == (False, None, 0)


def test_a_confirmed_hanchan_is_no_longer_delayed(table: TableSession, hanchan: Hanchan) -> None:
    Competition.objects.update(live_delay=10)
    write(hanchan, *entered(RON))
    factories.play(hanchan, (25000, 30200, 25000, 19800))
    publish_standings(table.competition_id)
    assert Api().get(live(hanchan))["sequence"] == 2


def test_a_live_table_under_embargo_gives_404_to_the_public(table: TableSession, hanchan: Hanchan, scorer: Api) -> None:
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(table.competition_id)
    for path in (live(hanchan), live_table(table), log(hanchan), f"table-sessions/{table.pk}/links/"):
        assert Api().send("get", path).status_code == 404
    assert scorer.get(live(hanchan))["is_followed"]


def test_an_exported_log_can_be_imported_into_another_hanchan(
    table: TableSession, hanchan: Hanchan, scorer: Api
) -> None:
    write(hanchan, *entered(RIICHI, RON, DRAW), event("undo"))
    found = Api().get(log(hanchan))
    assert [entry["type"] for entry in found["entries"]] == ["riichi", "ron"]
    assert [kyoku["changes"] for kyoku in found["kyoku"]] == [[0, 5200, 0, -5200]]
    second = table.hanchan.get(round=2)
    body = {
        "seats": [seat["entrant"] for seat in found["seats"]],
        "options": found["options"],
        "entries": found["entries"],
        "kyoku": found["kyoku"],
    }
    copied = scorer.post(f"{log(second)}import/", body)
    assert (copied["entries"], copied["kyoku"]) == (found["entries"], found["kyoku"])
    assert scorer.post(f"{log(second)}import/", body)["sequence"] == copied["sequence"] == 3


def test_an_import_does_not_replace_an_existing_log(hanchan: Hanchan, scorer: Api) -> None:
    response = scorer.change(f"{log(hanchan)}import/", {"entries": [RIICHI]})
    assert (response.status_code, code_of(response)) == (409, "conflict")


def test_a_log_with_an_invalid_entry_is_refused_as_a_whole(table: TableSession, scorer: Api) -> None:
    publish_standings(table.competition_id)
    response = scorer.change(f"{log(first(table))}import/", {"entries": [RIICHI, RIICHI]})
    assert code_of(response) == "rule_violation"
    assert json.loads(response.content)["errors"][0]["pointer"] == "/entries/1/seat"
    assert TableEvent.objects.count() == 0


def test_events_sent_again_are_appended_once(hanchan: Hanchan, scorer: Api) -> None:
    body = {"after": 1, "events": made(RIICHI, RON)}
    assert scorer.post(log(hanchan), body)["sequence"] == 3
    assert scorer.post(log(hanchan), body)["sequence"] == 3
    behind = scorer.change(log(hanchan), {"after": 1, "events": made(DRAW, prefix="x")})
    assert json.loads(behind.content)["errors"][0]["code"] == "behind"


def test_an_invalid_batch_of_events_is_refused(hanchan: Hanchan, scorer: Api) -> None:
    bodies: list[Any] = [{}, {"after": 0, "events": []}, {"after": 0, "events": [{"kind": "entry"}]}]
    for body in (*bodies, {"after": "x", "events": {}}):
        assert scorer.change(log(hanchan), body).status_code == 400, body


def test_users_without_a_role_cannot_write_events_or_make_links(table: TableSession, hanchan: Hanchan) -> None:
    stranger = Api(factories.user("stranger"))
    assert stranger.change(log(hanchan), {"after": 1, "events": made(RIICHI)}).status_code == 403
    links = f"table-sessions/{table.pk}/links/"
    for api in (stranger, Api()):
        assert api.send("get", links).status_code == 404
    assert stranger.change(links, {"kind": "scorer"}).status_code == 404
    reader = Api(factories.user("reader", Role.READER, table.competition))
    assert reader.get(links)["results"] == []
    assert reader.change(links, {"kind": "scorer"}).status_code == 403


@pytest.mark.both_databases
def test_a_link_is_shown_once_works_and_can_be_revoked(table: TableSession, hanchan: Hanchan, scorer: Api) -> None:
    links = f"table-sessions/{table.pk}/links/"
    new = scorer.post(links, {"kind": "scorer"}, 201)
    path = new["url"][new["url"].index("/t/") :]
    assert Client().get(path).status_code == 302
    (listed,) = scorer.get(links)["results"]
    assert (listed["id"], listed["url"], listed["ended_at"]) == (new["id"], None, None)
    assert listed["used_at"] is not None
    assert scorer.send("delete", f"{links}{new['id']}/").status_code == 204
    assert Client().get(path).status_code == 410
    assert scorer.send("delete", f"{links}999/").status_code == 404


@pytest.mark.both_databases
def test_all_tables_of_a_session_get_a_scorers_link(table: TableSession, scorer: Api) -> None:
    path = f"competitions/{table.competition.slug}/sessions/{table.session_id}/scorer-links/"
    (first,) = scorer.post(path, {}, status=201)["results"]
    assert (first["table_session"], scorer.client.get(first["url"]).status_code) == (str(table.pk), 302)
    scorer.post(path, {"ends_earlier": True}, status=201)
    assert scorer.client.get(first["url"]).status_code != 302
    assert not IdempotencyKey.objects.exists()


def test_the_result_of_a_log_is_submitted_as_it_was_read(hanchan: Hanchan, scorer: Api) -> None:
    sequence = write(hanchan, *entered(RON))
    path = f"hanchan/{hanchan.pk}/log/submit/"
    assert scorer.post(path, {"sequence": sequence}, status=422)["errors"]
    body = {"sequence": sequence, "ended_by_time": True}
    first = scorer.post(path, body)["sheet"]
    assert first["state"] == "confirmed"
    assert scorer.post(path, body)["sheet"]["revision"] == first["revision"]


def test_a_players_link_names_its_player(table: TableSession, scorer: Api) -> None:
    publish_standings(table.competition_id)
    links, who = f"table-sessions/{table.pk}/links/", factories.seated(first(table))[2]
    assert scorer.post(links, {"kind": "player", "entrant": str(who.pk)}, 201)["entrant"] == str(who.pk)
    assert scorer.change(links, {"kind": "player"}).status_code == 422
    assert scorer.change(links, {"kind": "player", "entrant": "999"}).status_code == 422
    assert TableLink.objects.count() == 1


def test_the_overlay_of_an_open_table_hides_the_names_of_guests_and_its_log() -> None:
    parlour = factories.league(
        "house", ruleset="banchi4", league_format="open-play", kind=Competition.Kind.OPEN, audience="public"
    )
    people = factories.entrants(parlour, 4)
    picture_given_to(people[0].player)
    Player.objects.filter(pk=people[0].player_id).update(is_public=True, handle="つばめ")
    hanchan = begun(factories.table(parlour.blocks.get(), people, numbers=(1,)))
    write(hanchan, *entered(RON))
    publish_standings(parlour.pk)
    found = Api().get(live(hanchan))
    assert [seat["name"] for seat in found["seats"]] == ["つばめ", None, None, None]
    assert {seat["picture"] for seat in found["seats"]} == {""}
    assert "–" in found["last"]["text"]["en"]
    assert Api().send("get", log(hanchan)).status_code == 404
    assert Api(factories.user("boss", Role.DIRECTOR, parlour)).get(log(hanchan))["entries"]


def test_a_device_at_the_table_and_the_overlay_show_the_same(table: TableSession, hanchan: Hanchan) -> None:
    device = Device.of_scorer(table)
    device.enter(RIICHI, RON)
    found = Api().get(live(hanchan))
    shown = device.document()
    assert [seat["score"] for seat in shown["seats"]] == [seat["score"] for seat in found["seats"]]
    assert [seat["place_now"] for seat in shown["seats"]] == [seat["place"] for seat in found["seats"]]


def test_the_side_of_the_border_is_open_while_games_are_played_and_certain_afterwards() -> None:
    season = preliminary(7)
    games = Hanchan.objects.filter(block=season.block("A"), number=8).order_by("table_session__order")
    for game in games:
        write(game, event("start"))
    season.publish()
    seats = [seat for game in games for seat in Api().get(live(game))["seats"]]
    assert {seat["cut"] for seat in seats} == {"in", "out"}
    assert {seat["cut_text"]["ja"] for seat in seats} == {"圏内", "圏外"}
    ranks = sorted(seat["league_rank_now"] for seat in seats)
    assert ranks[0] == 1
    for game in Hanchan.objects.filter(block__stage=season.block("A").stage, number=8):
        season.play(game)
    season.publish()
    seats = [seat for game in games for seat in Api().get(live(game))["seats"]]
    assert {seat["cut"] for seat in seats} == {"through", "eliminated"}
    assert {seat["cut_text"]["ja"] for seat in seats} == {"勝ち上がり確定", "敗退"}


def test_a_house_player_at_the_table_has_no_rank_and_takes_none_from_the_players() -> None:
    made = tournament_day(rounds=1)
    game = Hanchan.objects.filter(block__competition=made, number=1).order_by("pk")[0]
    house = Entrant.objects.get(competition=made, is_house=True)
    write(begun(game.table_session), *entered(RON))
    winner = max(Api().get(live(game))["seats"], key=lambda seat: seat["score"])["seat"]
    HanchanSeat.objects.filter(hanchan=game, seat=winner).update(entrant=house, player=house.player)
    publish_standings(made.pk)
    seats = Api().get(live(game))["seats"]
    totals = sorted((float(seat["league_total_now"]) for seat in seats if seat["seat"] != winner), reverse=True)
    others = [0.0] * 5
    for seat in seats:
        total = float(seat["league_total_now"])
        rank = None if seat["seat"] == winner else 1 + sum(other > total for other in [*totals, *others])
        assert seat["league_rank_now"] == rank
    assert seats[winner]["cut"] is None


def test_the_players_of_a_table_have_marks_of_different_colours(hanchan: Hanchan) -> None:
    Player.objects.update(mark_colour=3)
    seats = Api().get(live(hanchan))["seats"]
    assert len({seat["mark"]["colour"] for seat in seats}) == len(seats)
    assert [seat["mark"]["glyph"] for seat in seats] == [seat["player_name"][0].upper() for seat in seats]
