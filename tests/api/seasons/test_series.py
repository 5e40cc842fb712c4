"""Test the REST documents of series, their moves as JSON and CSV, decisions and rosters."""

from __future__ import annotations

import io
import json

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.models import NextRoster, Series
from league.services.standings.publishing import publish_standings
from tests.api.client import Api
from tests.factories import play_all, table
from tests.league.seasons.pyramid import play, series_of_two, tiers

pytestmark = pytest.mark.django_db
MOVES = "/api/v1/series/spring/terms/1/moves/"
TERM = "series/spring/terms/1/"


@pytest.fixture(scope="module")
def shared_series(shared_rows: None) -> Series:
    """Return a series whose first term is played."""
    made = series_of_two()
    for competition in tiers(made.terms.get()).values():
        play(competition)
    return made


@pytest.fixture
def series(shared_series: Series) -> Series:
    return Series.objects.get(pk=shared_series.pk)


@pytest.mark.both_databases
def test_a_series_has_its_rules_terms_and_champions(client: Client, series: Series) -> None:
    assert [each["slug"] for each in client.get("/api/v1/series/").json()["results"]] == ["spring"]
    found = client.get("/api/v1/series/spring/").json()
    assert found["rules"] == series.rules.text
    assert [tier["key"] for tier in found["tiers"]] == ["A", "B"]
    champions = [tier["champion"]["key"] for tier in found["terms"][0]["tiers"]]
    assert champions == ["spring-a1", "spring-b1"]


def test_the_moves_have_reason_rule_and_numbers_and_come_as_csv(client: Client, series: Series) -> None:
    found = client.get(MOVES).json()
    moved = {each["player"]["key"]: each for each in found["moves"]}
    first = moved["spring-b1"]
    assert (first["from"], first["to"], first["direction"], first["reason"]) == ("B", "A", "up", "promoted")
    assert (first["rule"], first["rule_text"], first["places"]) == ("moves.1", "B#1 → A", 1)
    assert first["text"]["en"] == "1st of League B; 1 goes up"
    assert [tier["size"] for tier in found["roster"]] == [4, 4]
    lines = client.get(f"{MOVES}?format=csv").content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("player,name,from,rank")
    assert len(lines) == 9


def test_moves_and_tables_of_a_term_are_files_with_the_same_content_at_the_page(client: Client, series: Series) -> None:
    for kind in ("moves", "tables"):
        answer = client.get(f"/api/v1/series/spring/terms/1/exports/{kind}/?format=csv&lang=en")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="spring-1-{kind}.csv"'
        assert answer.getvalue() == client.get(f"/series/spring/terms/1/{kind}.csv?lang=en").getvalue()
    moved = {row["player"]: row for row in json.loads(client.get("/series/spring/terms/1/moves.json").getvalue())}
    assert (moved["spring-b1"]["seat"], moved["spring-b1"]["rule"], moved["spring-b1"]["rank"]) == ("A", "B#1 → A", 1)
    book = openpyxl.load_workbook(io.BytesIO(client.get("/series/spring/terms/1/tables.xlsx?lang=ja").content)).active
    assert book is not None
    header, first, *_rest = book.iter_rows(values_only=True)
    assert header[:4] == ("級", "級名", "大会", "順位")
    assert first[:5] == ("A", "A級", "spring-1-a", 1, "spring-a1")
    assert first[7:] == (58.1, 1, 1)
    assert client.get("/api/v1/series/spring/terms/1/exports/roster/").status_code == 404
    assert client.get("/series/spring/terms/1/moves.zip").status_code == 404


def test_totals_of_moves_are_decimals(client: Client, series: Series) -> None:
    found = client.get(MOVES).json()
    assert [each["total"] for each in found["moves"][:2]] == ["58.1", "10.3"]


def test_a_fault_names_players_by_the_ids_of_the_moves(client: Client) -> None:
    competitions = tiers(series_of_two("autumn").terms.get())
    play(competitions["A"])
    block = competitions["B"].blocks.get()
    play_all(table(block, numbers=(1,)), (25000, 25000, 25000, 25000))
    publish_standings(competitions["B"].pk)
    found = client.get("/api/v1/series/autumn/terms/1/moves/").json()
    level = [each["player"]["id"] for each in found["moves"] if each["from"] == "B"]
    [fault] = found["faults"]
    assert (fault["code"], fault["params"]["players"]) == ("awaiting", level)


def test_decisions_and_rosters_are_written_and_taken_back(series: Series) -> None:
    api = Api(User.objects.create_superuser("chief"))
    typed = {"player": "spring-b1", "kind": "declined", "reason": "moves away"}
    decided = api.post(f"{TERM}decisions/", typed, status=201)
    own = next(each for each in decided["moves"] if each["player"]["key"] == "spring-b1")
    assert (own["seat"], own["decision"]["kind"]) == ("B", "declined")
    assert api.send("post", f"{TERM}decisions/", typed | {"player": "unknown"}).status_code == 400
    api.post(f"{TERM}decisions/{own['decision']['id']}/back/", {"reason": "stays"})
    preview = api.post(f"{TERM}roster/preview/", {})
    assert not preview["is_written"]
    assert api.send("post", f"{TERM}roster/", {"digest": "0" * 64}).status_code == 409
    assert api.post(f"{TERM}roster/", {"digest": preview["digest"]}, status=201)["is_written"]
    api.post(f"{TERM}roster/back/", {"reason": "too early"})
    assert NextRoster.objects.get().ended_at is not None


def test_the_api_of_a_series_needs_the_right_to_decide(series: Series) -> None:
    assert Api(User.objects.create_user("player")).send("post", f"{TERM}roster/preview/", {}).status_code == 403
    assert Api().send("post", f"{TERM}roster/preview/", {}).status_code == 401
