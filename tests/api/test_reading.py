"""Read-only REST documents: standings, brackets, schedules, players, rulesets and formats."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.test import Client

from league.models import Audience, Competition, Hanchan, Player, Role
from league.selectors.rulebooks.catalogue import rulesets_for
from league.services.competitions.setup import CompetitionPlan, create_competition, enter_players, new_player
from league.services.results.rulings import adjust_points, rule_on_tie
from league.services.standings.publishing import publish_standings
from rulesets import loader
from tests import factories
from tests.api.client import Api
from tests.api.client import document as described
from tests.league.played_season import Season, almost_finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return almost_finished()


@pytest.fixture
def final() -> Competition:
    return factories.final_table()


def test_the_ids_in_a_bracket_refer_to_each_other_consistently(season: Season) -> None:
    bracket = Api().get("competitions/spring/bracket/")
    entrants = {row["id"]: row for row in bracket["entrants"]}
    blocks = {row["id"] for row in bracket["blocks"]}
    tables = {row["id"]: row for row in bracket["table_sessions"]}
    hanchan = {row["id"]: row for row in bracket["hanchan"]}
    slots = {row["id"]: row for row in bracket["slots"]}
    assert len(entrants) == 16
    assert {block for stage in bracket["stages"] for block in stage["blocks"]} == blocks
    assert {slot["block"] for slot in slots.values()} == blocks
    assert {link["slot"] for link in bracket["links"]} == set(slots)
    assert {pk for table in tables.values() for pk in table["hanchan"]} == set(hanchan)
    assert {table["session"] for table in tables.values()} == {row["id"] for row in bracket["sessions"]}
    for row in hanchan.values():
        assert row["table_session"] in tables
        assert len(row["seats"]) == 4
        assert {seat["entrant"] for seat in row["seats"]} <= set(entrants)


def test_a_bracket_gives_the_state_and_the_source_of_each_slot(season: Season) -> None:
    bracket = Api().get("competitions/spring/bracket/")
    final = next(block["id"] for block in bracket["blocks"] if block["key"] == "final")
    slots = [slot for slot in bracket["slots"] if slot["block"] == final]
    assert [slot["source"] for slot in slots] == ["A#1", "B#1", "po3#1", "po3#2"]
    assert {slot["state"] for slot in slots} == {"certain"}
    links = {link["source"]: link for link in bracket["links"] if link["to_block"] == final}
    assert (links["A#1"]["kind"], links["A#1"]["rank"]) == ("rank", 1)
    assert bracket["champion"]["state"] == "provisional"
    assert not bracket["final"]


def test_a_finished_season_has_its_champion(season: Season) -> None:
    table = season.competition.table_sessions.latest("pk")
    season.play(table.hanchan.get(round=4))
    season.publish()
    bracket = Api().get("competitions/spring/bracket/")
    standings = Api().get("standings/", competition="spring", block="final")
    assert bracket["final"]
    assert bracket["champion"] == {"state": "certain", "entrant": standings["blocks"][0]["rows"][0]["entrant"]}
    assert standings["final"]


def test_a_bracket_before_the_first_hanchan_has_open_slots_with_reasons() -> None:
    publish_standings(factories.league().pk)
    bracket = Api().get("competitions/spring/bracket/")
    states = {slot["source"]: (slot["state"], slot["reason"]) for slot in bracket["slots"]}
    assert states["seed:1"] == ("certain", "")
    assert states["A#1"] == ("open", "not_started")
    assert bracket["hanchan"] == []


def test_times_are_in_the_competitions_time_zone(season: Season) -> None:
    table = Api().get("table-sessions/", competition="spring")["results"][0]
    assert table["starts_at"] == "2026-10-03T19:00:00+09:00"
    Competition.objects.update(time_zone="Europe/Berlin")
    moved = Api().get("table-sessions/", competition="spring")["results"][0]["starts_at"]
    assert moved == "2026-10-03T12:00:00+02:00"
    assert dt.datetime.fromisoformat(moved) == dt.datetime.fromisoformat(table["starts_at"])


@pytest.mark.parametrize("language", ["ja", "en"])
def test_negative_points_have_an_ascii_minus_in_every_language(final: Competition, language: str) -> None:
    factories.play_all(factories.table(final.blocks.get(), numbers=(1,)))
    publish_standings(final.pk)
    rows = Api(language=language).get("standings/", competition="final")["blocks"][0]["rows"]
    assert [row["total"] for row in rows] == ["51.2", "10.1", "-21.3", "-40.0"]
    assert [row["gap_to_above"] for row in rows] == [None, "41.1", "31.4", "18.7"]
    assert [row["places"] for row in rows] == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert {(row["played"], row["planned"]) for row in rows} == {(1, 4)}


def test_standings_describe_their_columns(final: Competition) -> None:
    publish_standings(final.pk)
    document = Api().get("standings/", competition="final")
    described = {column["key"] for column in document["columns"]}
    assert described <= set(document["blocks"][0]["rows"][0])
    assert document["ledger"]["unit"] == "league_points"
    assert document["blocks"][0]["is_empty"]


def test_standings_are_filtered_by_stage_and_block(season: Season) -> None:
    def blocks(**query: Any) -> list[str]:
        return [block["key"] for block in Api().get("standings/", competition="spring", **query)["blocks"]]

    assert blocks() == ["A", "B", "po1", "po2", "po3", "final"]
    assert blocks(stage="preliminary") == ["A", "B"]
    assert blocks(block="B") == ["B"]
    assert blocks(stage="final", block="B") == []


@pytest.mark.clause("cinderella", "CL-022")
def test_a_tied_total_is_explained_by_the_criterion_that_decided(final: Competition) -> None:
    table = factories.table(final.blocks.get(), numbers=(1, 2))
    factories.play_all(table, (41200, 30100, 18700, 10000), (30100, 41200, 18700, 10000))
    publish_standings(final.pk)
    rows = Api().get("standings/", competition="final")["blocks"][0]["rows"]
    decision = rows[1]["decision"]
    assert rows[0]["total"] == rows[1]["total"]
    assert (decision["above"], decision["below"]) == (rows[0]["entrant"], rows[1]["entrant"])
    assert (decision["criterion"], decision["number"]) == ("points", 2)
    assert (decision["above_value"], decision["below_value"]) == ("51.2", "10.1")
    assert decision["clause"] == "CL-022"
    assert decision["above_hanchan"] == str(table.hanchan.get(round=2).pk)
    assert "51.2" in decision["label"]["en"]


def test_a_tie_that_nothing_breaks_awaits_a_ruling_until_it_is_given(final: Competition) -> None:
    table = factories.table(final.blocks.get())
    for hanchan in table.hanchan.all():
        factories.play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    publish_standings(final.pk)
    standings = Api().get("standings/", competition="final")
    [tie] = standings["awaiting"]
    leaders = [row["entrant"] for row in standings["blocks"][0]["rows"] if row["tied"]]
    assert tie["scope"] == "final"
    assert sorted(tie["entrants"]) == sorted(leaders)
    assert standings["champion"]["state"] == "ruling"
    assert not standings["final"]
    order = factories.in_block(final.blocks.get())[:2][::-1]
    rule_on_tie(competition=final, scope="final", order=order, by=factories.SYSTEM, reason="Drawn by lot.")
    publish_standings(final.pk)
    settled = Api().get("standings/", competition="final")
    assert settled["awaiting"] == []
    assert settled["champion"] == {"state": "certain", "entrant": str(order[0].pk)}
    decision = settled["blocks"][0]["rows"][1]["decision"]
    assert (decision["criterion"], decision["number"]) == ("ruling", None)


def test_adjustments_are_listed_beside_the_total(final: Competition) -> None:
    block = final.blocks.get()
    who = factories.in_block(block)[0]
    factories.play_all(factories.table(block, numbers=(1,)))
    adjust_points(block=block, entrant=who, points=-400, by=factories.SYSTEM, reason="Late.")
    publish_standings(final.pk)
    rows = {row["entrant"]: row for row in Api().get("standings/", competition="final")["blocks"][0]["rows"]}
    assert (rows[str(who.pk)]["adjustment"], rows[str(who.pk)]["total"]) == ("-40.0", "11.2")


def test_standings_are_available_as_csv_with_formulas_escaped(final: Competition) -> None:
    formula = "=1+1"
    Player.objects.filter(pk=factories.in_block(final.blocks.get())[0].player_id).update(name=formula)
    factories.play_all(factories.table(final.blocks.get(), numbers=(1,)))
    publish_standings(final.pk)
    for response in (
        Api().send("get", "standings/", competition="final", format="csv"),
        Api().send("get", "standings/", headers={"Accept": "text/csv"}, competition="final"),
    ):
        text = response.content.decode()
        assert text.startswith("\ufeff")
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
        assert [row["total"] for row in rows] == ["51.2", "10.1", "-21.3", "-40.0"]
        assert rows[0]["name"] == f"'{formula}"
        assert [row["fourth"] for row in rows] == ["0", "0", "0", "1"]


def test_a_single_hanchan_itemizes_points_with_causes_and_clauses(final: Competition) -> None:
    hanchan = factories.table(final.blocks.get(), numbers=(1,)).hanchan.get()
    factories.play(hanchan, (25100, 24900, 25000, 25000), chonbo=(1, 0, 0, 0))
    publish_standings(final.pk)
    seats = Api().get(f"hanchan/{hanchan.pk}/")["seats"]
    assert seats[0]["chonbo"] == 1
    lines = {line["cause"]: line for line in seats[0]["lines"]}
    assert lines["chonbo"]["amount"] == "-40.0"
    assert lines["chonbo"]["clause"] == "CL-082"
    assert Api().get("hanchan/", competition="final")["results"][0]["seats"][0]["lines"] is None


def test_a_scheduled_hanchan_shows_its_players(final: Competition) -> None:
    hanchan = factories.table(final.blocks.get(), numbers=(1,)).hanchan.get()
    publish_standings(final.pk)
    document = Api().get(f"hanchan/{hanchan.pk}/")
    assert (document["state"], document["sheet"]) == ("scheduled", None)
    assert [seat["score"] for seat in document["seats"]] == [None] * 4
    assert all(seat["name"] for seat in document["seats"])


def test_a_hanchan_with_an_unpublished_result_is_shown_as_running(final: Competition) -> None:
    hanchan = factories.table(final.blocks.get(), numbers=(1,)).hanchan.get()
    publish_standings(final.pk)
    factories.play(hanchan)
    assert Api().get(f"hanchan/{hanchan.pk}/")["state"] == "running"
    publish_standings(final.pk)
    assert Api().get(f"hanchan/{hanchan.pk}/")["state"] == "finished"


@pytest.mark.both_databases
def test_the_filter_by_state_agrees_with_the_states_shown_before_a_result_is_published(final: Competition) -> None:
    hanchan = factories.table(final.blocks.get(), numbers=(1,)).hanchan.get()
    publish_standings(final.pk)

    def states() -> dict[str, list[str]]:
        lists = {state: Api().get("hanchan/", competition="final", state=state) for state in Hanchan.State}
        return {state: [row["state"] for row in found["results"]] for state, found in lists.items() if found["count"]}

    factories.play(hanchan, state=Hanchan.State.ENDED_BY_TIME)
    assert states() == {"running": ["running"]}
    publish_standings(final.pk)
    assert states() == {"ended_by_time": ["ended_by_time"]}


def test_every_revision_of_a_result_stays_readable(final: Competition) -> None:
    hanchan = factories.table(final.blocks.get(), numbers=(1,)).hanchan.get()
    factories.play(hanchan)
    factories.play(hanchan, factories.SCORES[::-1], corrects=1, reason="Read upside down.")
    publish_standings(final.pk)
    sheets = Api().get(f"hanchan/{hanchan.pk}/results/")["results"]
    assert [(sheet["revision"], sheet["state"]) for sheet in sheets] == [(1, "superseded"), (2, "confirmed")]
    assert sheets[1]["reason"] == "Read upside down."
    assert Api().get(f"hanchan/{hanchan.pk}/results/1/") == sheets[0]
    Api().get(f"hanchan/{hanchan.pk}/results/3/", expect=404)


@pytest.mark.both_databases
def test_hanchan_are_filtered(season: Season) -> None:
    def count(**query: Any) -> int:
        return int(Api().get("hanchan/", competition="spring", **query)["count"])

    assert count() == 48
    assert count(stage="preliminary") == 32
    assert count(block="A") == 16
    assert count(block="A", number="1") == 2
    assert count(stage="final", state="scheduled") == 1


@pytest.mark.both_databases
def test_hanchan_are_filtered_by_entrant_table_and_session(season: Season) -> None:
    table = Api().get("table-sessions/", competition="spring", block="B")["results"][0]
    assert Api().get("hanchan/", competition="spring", table_session=table["id"])["count"] == 4
    assert Api().get("hanchan/", competition="spring", session=table["session"]["id"], block="B")["count"] == 8
    assert Api().get("table-sessions/", competition="spring", session=table["session"]["id"])["count"] == 4
    assert Api().get("sessions/", competition="spring", number="1")["count"] == 1
    entrant = table["entrants"][0]["entrant"]
    found = Api().get("hanchan/", competition="spring", entrant=entrant, stage="preliminary")
    assert found["count"] == 8
    assert all(entrant in {seat["entrant"] for seat in row["seats"]} for row in found["results"])


@pytest.mark.both_databases
def test_a_collection_is_paginated(season: Season) -> None:
    page: dict[str, Any] = Api().get("hanchan/", competition="spring", page_size=20)
    seen = [row["id"] for row in page["results"]]
    while page["next"]:
        page = Api().client.get(page["next"]).json()
        seen += [row["id"] for row in page["results"]]
    assert len(seen) == len(set(seen)) == page["count"] == 48
    assert page["previous"].endswith("page=2&page_size=20")


def test_links_in_shared_documents_keep_the_public_address(season: Season, settings: LazySettings) -> None:
    settings.BASE_URL = "https://league.example.org"
    api = Client(headers={"host": "testserver:6666"})
    page = api.get("/api/v1/hanchan/?competition=spring&page=2&page_size=20").json()
    collections = api.get("/api/v1/").json()["collections"]
    calendar = api.get("/c/spring/calendar.ics?subscribe&lang=en")["Location"]
    found = [page["next"], page["previous"], collections["hanchan"], calendar]
    assert [urlsplit(link).netloc for link in found] == ["league.example.org"] * 4
    assert page["next"].endswith("/api/v1/hanchan/?competition=spring&page=3&page_size=20")


@pytest.mark.both_databases
def test_players_are_found_by_parts_of_their_names(season: Season) -> None:
    [found] = Api().get("players/", search="sakuragi")["results"]
    assert (found["name"], found["kana"]) == ("桜木 ひより", "さくらぎ ひより")
    assert Api().get("players/", search="さくらぎ")["results"] == [found]
    assert Api().get(f"players/{found['id']}/") == found
    assert [entry["competition"]["slug"] for entry in found["entrants"]] == ["spring"]
    assert Api().get("players/", competition="spring")["count"] == 16


class TestOpenTable:
    """An open table of a parlour, read by the public and by its staff."""

    @pytest.fixture
    def table(self) -> Competition:
        plan = CompetitionPlan(
            slug="free",
            name="フリー",
            ruleset="cinderella",
            league_format="open-play",
            kind=Competition.Kind.OPEN,
            audience=Audience.PUBLIC,
        )
        made = create_competition(plan=plan, by=factories.SYSTEM)
        people = [new_player(name=f"Guest {number}", key=f"guest-{number}", by=factories.SYSTEM) for number in range(4)]
        Player.objects.filter(pk=people[0].pk).update(handle="Ace", is_public=True)
        Player.objects.filter(pk=people[1].pk).update(handle="Shy")
        enter_players(competition=made, players=people, by=factories.SYSTEM)
        Competition.objects.update(status=Competition.Status.PUBLISHED)
        block = made.blocks.get()
        factories.play(factories.table(block, list(made.entrants.order_by("number")), numbers=(1,)).hanchan.get())
        publish_standings(made.pk)
        return made

    @pytest.mark.both_databases
    def test_the_public_sees_only_guests_who_opted_in_under_their_handle(self, table: Competition) -> None:
        visitor = Api()
        for path in (
            "competitions/free/bracket/",
            "standings/?competition=free",
            "hanchan/?competition=free",
            "players/",
        ):
            text = json.dumps(visitor.send_raw("get", path).json())
            assert "Guest" not in text, path
            assert "Shy" not in text, path
        assert [row["name"] for row in visitor.get("standings/", competition="free")["blocks"][0]["rows"]] == ["Ace"]
        assert [row["name"] for row in visitor.get("players/")["results"]] == ["Ace"]

    @pytest.mark.both_databases
    def test_a_search_does_not_match_the_name_behind_a_handle(self, table: Competition) -> None:
        assert Api().get("players/", search="Guest")["count"] == 0
        assert Api().get("players/", search="ace")["count"] == 1

    def test_a_seat_of_an_anonymous_guest_keeps_its_score(self, table: Competition) -> None:
        [hanchan] = Api().get("hanchan/", competition="free")["results"]
        assert [seat["name"] for seat in hanchan["seats"]] == ["Ace", None, None, None]
        assert [seat["entrant"] is None for seat in hanchan["seats"]] == [False, True, True, True]
        assert hanchan["seats"][1]["score"] == 30100

    def test_staff_see_all_guests(self, table: Competition) -> None:
        house = Api(factories.user("house", Role.DIRECTOR, table))
        rows = house.get("standings/", competition="free")["blocks"][0]["rows"]
        assert {row["name"] for row in rows} == {f"Guest {number}" for number in range(4)}

    def test_an_open_table_for_staff_only_gives_404(self, table: Competition) -> None:
        Competition.objects.update(audience="staff")
        Api().get("competitions/free/", expect=404)


def test_a_ruleset_document_has_values_options_and_revisions() -> None:
    listed = {row["name"]: row for row in Api().get("rulesets/")["results"]}
    assert set(listed) == set(loader.names())
    assert listed["cinderella"]["revision"] is None
    factories.final_table()
    document = Api().get("rulesets/cinderella/")
    assert document["values"]["settlement"]["uma"]["amounts"] == [20, 10, -10, -20]
    assert document["options"]["rounding"]["default"] == "nearest_alike"
    assert (document["revision"], document["revisions"]) == (1, [1])
    assert Api().get("rulesets/cinderella/", revision="1") == document


@pytest.mark.both_databases
def test_a_revision_used_only_in_a_draft_is_hidden_from_the_public() -> None:
    factories.final_table(status=None)
    assert Api().get("rulesets/cinderella/")["revisions"] == []
    assert rulesets_for(None).book("cinderella", 1) is None
    director = Api(factories.user(is_superuser=True))
    assert director.get("rulesets/cinderella/")["revisions"] == [1]


def test_a_format_document_has_its_values() -> None:
    document = Api().get("formats/cinderella/")
    assert [stage["key"] for stage in document["values"]["stages"]] == ["preliminary", "po1", "po2", "po3", "final"]
    assert document["name"] in {row["name"] for row in Api().get("formats/")["results"]}


@pytest.mark.both_databases
def test_competitions_are_filtered_and_list_their_rules(final: Competition) -> None:
    factories.league(status=Competition.Status.CLOSED)
    assert [row["slug"] for row in Api().get("competitions/", status="closed")["results"]] == ["spring"]
    assert Api().get("competitions/", kind="open")["count"] == 0
    document = Api().get("competitions/final/")
    assert [(rules["ruleset"], rules["format"]) for rules in document["rules"]] == [
        ("cinderella", "single-table-final")
    ]
    assert [stage["key"] for stage in document["stages"]] == ["final"]
    stage = Api().get("stages/", competition="final")["results"][0]
    assert Api().get(f"stages/{stage['id']}/") == stage


def test_the_root_links_to_every_collection(final: Competition) -> None:
    versions = Client().get("/api/").json()
    assert Client().get(versions["problems"]).status_code == 200
    root = Client().get(versions["versions"]["1"]).json()
    assert root == Api().get("")
    plural = {path.removeprefix("/api/v1/").strip("/") for path in described()["paths"] if path.count("/") == 4}
    assert set(root["collections"]) == plural
    for name, address in root["collections"].items():
        of_all = name in (
            "competitions", "players", "records", "rulesets", "clauses", "formats", "series", "rankings", "people",
            "parlours",
        )  # fmt: skip
        query = {"scores": "41200,30100,18700,10000"} if name == "comparisons" else {"competition": "final"}
        answer = Api().client.get(address, query_params={} if of_all else query)
        assert (name, answer.status_code) == (name, {"webhooks": 401, "people": 401, "ranking": 404}.get(name, 200))
