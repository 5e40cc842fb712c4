"""The running table as guests and staff see it."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Audience, Competition, Player, Role
from league.services.standings.publishing import publish_standings
from tests.factories import entrants, league, play, table, user
from tests.league import parlours

pytestmark = pytest.mark.django_db

ADDRESS = "/c/parlour/ranking/"


@pytest.fixture
def parlour() -> Competition:
    """An open table whose four guests have played two games; its ranking is public."""
    made = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN, audience=Audience.PUBLIC)
    people = entrants(made, 4)
    for hanchan in table(made.blocks.get(), people, numbers=(1, 2)).hanchan.order_by("round"):
        play(hanchan, accept={"same_result_twice"})
    publish_standings(made.pk)
    return made


@pytest.fixture
def clerk(parlour: Competition, client: Client) -> Client:
    client.force_login(user(role=Role.SCORER, competition=parlour))
    return client


def test_staff_see_everybody_with_rates(clerk: Client) -> None:
    page = clerk.get(ADDRESS, headers={"accept-language": "en"}).content.decode()
    assert page.count("Player P") == 4
    assert "100.00%" in page
    assert "102.4" in page


def test_guests_see_those_who_asked_to_be_shown(parlour: Competition, client: Client) -> None:
    Player.objects.filter(name="P1").update(is_public=True, handle="Night Owl")
    page = client.get(ADDRESS).content.decode()
    assert "Night Owl" in page
    assert "P1" not in page
    assert "P2" not in page


@pytest.mark.both_databases
def test_staff_see_prizes_beside_the_points_and_guests_do_not(client: Client) -> None:
    made = parlours.parlour("kansai3", audience=Audience.PUBLIC)
    people = parlours.guests(made)
    table = parlours.sitting(made, people)
    parlours.play(table, (62000, 33000, 10000), carried={"p": (300, 100, -400)})
    publish_standings(made.pk)
    Player.objects.update(is_public=True, handle="Night Owl")
    seen = client.get("/c/kansai3/ranking/").content.decode()
    client.force_login(user(role=Role.SCORER, competition=made))
    page = client.get("/c/kansai3/ranking/").content.decode()
    assert '<td class="num">▲400</td>' in page
    assert "Night Owl" in seen
    assert "▲400</td>" not in seen


def test_an_empty_table_says_what_comes_next(clerk: Client) -> None:
    page = clerk.get(f"{ADDRESS}?minimum=3", headers={"accept-language": "en"}).content.decode()
    assert "Nobody stands in this table yet." in page


@pytest.mark.parametrize(
    "query",
    [
        "period=month",
        "period=day&day=2026-11-01",
        "period=days&day=2026-10-03&to=2026-11-01",
        "period=days",
        "order=not_last&minimum=2",
        "order=games",
    ],
)
def test_every_choice_answers(clerk: Client, query: str) -> None:
    assert clerk.get(f"{ADDRESS}?{query}").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "period=century",
        "minimum=-3",
        "day=yesterday",
        "period=days&day=2026-11-02&to=2026-11-01",
        "minimum=99999999999",
    ],
)
def test_a_choice_that_cannot_be_is_said_and_the_usual_table_shown(clerk: Client, query: str) -> None:
    answer = clerk.get(f"{ADDRESS}?{query}")
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()


def test_a_page_of_a_version_that_has_passed_leads_to_the_head(clerk: Client) -> None:
    answer = clerk.get(f"{ADDRESS}?order=games&after=nonsense")
    assert (answer.status_code, answer["Location"]) == (302, f"{ADDRESS}?order=games")


def test_an_unchanged_table_is_not_sent_again(clerk: Client) -> None:
    tag = clerk.get(ADDRESS)["ETag"]
    assert clerk.get(ADDRESS, headers={"if-none-match": tag}).status_code == 304
    assert clerk.get(f"{ADDRESS}?order=games", headers={"if-none-match": tag}).status_code == 200


def test_a_league_has_no_running_table(client: Client) -> None:
    league("spring")
    assert client.get("/c/spring/ranking/").status_code == 404


def test_tables_for_staff_are_not_there_for_others(parlour: Competition, client: Client) -> None:
    Competition.objects.update(audience=Audience.STAFF)
    assert client.get(ADDRESS).status_code == 404
