"""Test the ranking of an open table for guests and staff."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client

from league.models import Audience, Competition, Player, Role
from league.services.standings.publishing import publish_standings
from tests.factories import entrants, league, play, table, user
from tests.league import parlours

pytestmark = pytest.mark.django_db

ADDRESS = "/c/parlour/ranking/"


@pytest.fixture
def parlour() -> Competition:
    """Create an open table with a public ranking whose four guests have played two games."""
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


def test_staff_see_all_guests_with_rates(clerk: Client) -> None:
    page = clerk.get(ADDRESS, headers={"accept-language": "en"}).content.decode()
    assert page.count("Player P") == 4
    assert "100.00%" in page
    assert "102.4" in page


def test_the_public_sees_only_guests_who_opted_in(parlour: Competition, client: Client) -> None:
    Player.objects.filter(name="P1").update(is_public=True, handle="Night Owl")
    page = client.get(ADDRESS).content.decode()
    assert "Night Owl" in page
    assert "P1" not in page
    assert "P2" not in page


def test_staff_see_prizes_beside_the_points_and_the_public_does_not(client: Client) -> None:
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


@pytest.mark.parametrize("period", ["day", "month"])
def test_after_midnight_the_ranking_of_today_is_that_of_the_business_day(client: Client, period: str) -> None:
    with time_machine.travel(parlours.at(22, day=30), tick=False):
        made = parlours.parlour("kansai3")
        parlours.play(parlours.sitting(made, parlours.guests(made)))
        publish_standings(made.pk)
        client.force_login(user(role=Role.SCORER, competition=made))
    with time_machine.travel(parlours.at(22, day=30) + dt.timedelta(hours=4), tick=False):
        page = client.get(f"/c/kansai3/ranking/?period={period}").content.decode()
    assert all(name in page for name in parlours.THREE[:3])


def test_an_empty_ranking_says_so(clerk: Client) -> None:
    page = clerk.get(f"{ADDRESS}?minimum=3", headers={"accept-language": "en"}).content.decode()
    assert "No players in this table yet." in page


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
def test_every_valid_query_is_answered(clerk: Client, query: str) -> None:
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
def test_an_invalid_query_shows_an_error_and_the_default_ranking(clerk: Client, query: str) -> None:
    answer = clerk.get(f"{ADDRESS}?{query}")
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()


def test_an_outdated_cursor_redirects_to_the_first_page(clerk: Client) -> None:
    answer = clerk.get(f"{ADDRESS}?order=games&after=nonsense")
    assert (answer.status_code, answer["Location"]) == (302, f"{ADDRESS}?order=games")


def test_the_link_to_the_head_of_the_table_keeps_what_was_chosen(clerk: Client) -> None:
    first = clerk.get("/api/v1/ranking/?competition=parlour&page_size=2&order=games&minimum=2").json()
    page = clerk.get(f"{ADDRESS}?order=games&minimum=2&after={first['after']}").content.decode()
    assert f'<a href="{ADDRESS}?order=games&amp;minimum=2">' in page


def test_an_unchanged_ranking_answers_304_to_its_etag(clerk: Client) -> None:
    tag = clerk.get(ADDRESS)["ETag"]
    assert clerk.get(ADDRESS, headers={"if-none-match": tag}).status_code == 304
    assert clerk.get(f"{ADDRESS}?order=games", headers={"if-none-match": tag}).status_code == 200


def test_a_league_has_no_open_table_ranking(client: Client) -> None:
    league("spring")
    assert client.get("/c/spring/ranking/").status_code == 404


def test_a_ranking_for_staff_is_hidden_from_the_public(parlour: Competition, client: Client) -> None:
    Competition.objects.update(audience=Audience.STAFF)
    assert client.get(ADDRESS).status_code == 404
