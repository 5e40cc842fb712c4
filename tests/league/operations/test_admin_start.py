"""Tests of the admin's start page: pending tasks by permission, a constant number of queries, the search."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import (
    Audience,
    Competition,
    Heartbeat,
    Invitation,
    Outcome,
    Player,
    Role,
    WebhookSubscription,
)
from league.selectors.operations.health import expected_kinds
from league.selectors.operations.pending_tasks import draws_due
from league.services.competitions.schedule import hold_back
from league.services.live.referee_calls import call_referee
from league.services.results.rulings import draw_stage
from league.services.standings.publishing import publish_standings
from tests.factories import DESK_ROLES, SCORES, SYSTEM, final_table, in_block, league, play, play_all, table, user

pytestmark = pytest.mark.django_db
YESTERDAY = dt.timedelta(days=1)
SOME = (SCORES, (30100, 41200, 18700, 10000), (18700, 30100, 41200, 10000), (10000, 30100, 18700, 41200))


@pytest.fixture
def chief(chief: Client) -> Client:
    """Return the superuser's client with fresh heartbeats of every part."""
    for kind in expected_kinds():
        Heartbeat.objects.create(part=kind)
    return chief


def staff(role: Role, competition: Competition) -> Client:
    """Return an admin client of a user with this role."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(user(role=role, competition=competition, is_staff=True))
    return client


def body(client: Client, path: str = "/admin/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_installation_offers_a_league_a_parlour_and_the_demo(chief: Client) -> None:
    shown = body(chief)
    for offered in ("New competition", "Set up a parlour", "Load the demonstration"):
        assert offered in shown
    assert "Nothing to do" not in shown


def test_without_pending_tasks_the_page_shows_nothing_to_do(chief: Client) -> None:
    season = final_table()
    publish_standings(season.pk)
    assert "Nothing to do" in body(chief)
    table(season.blocks.get(), starts_at=timezone.now() + YESTERDAY)
    assert "Nothing to do" in body(chief)


def test_a_started_table_is_listed_until_its_results_are_entered(chief: Client) -> None:
    season = final_table()
    late = table(season.blocks.get(), starts_at=timezone.now() - YESTERDAY)
    shown = body(chief)
    assert "Results missing" in shown
    assert f"/admin/league/tablesession/{late.pk}/entry/" in shown
    play_all(late, *SOME)
    publish_standings(season.pk)
    assert "Results missing" not in body(chief)


def test_an_overdue_heartbeat_is_shown_to_a_superuser_and_not_to_a_scorer(chief: Client) -> None:
    season = final_table()
    publish_standings(season.pk)
    Heartbeat.objects.update(seen_at=timezone.now() - dt.timedelta(minutes=2))
    assert "Not heard of for a minute" in body(chief)
    assert "Not heard of for a minute" not in body(staff(Role.SCORER, season))


@pytest.mark.both_databases
def test_each_role_sees_only_the_tasks_it_may_do() -> None:
    season = final_table(hanchan=5)
    block = season.blocks.get()
    for hanchan in table(block, starts_at=timezone.now() - YESTERDAY).hanchan.order_by("round"):
        play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    late = table(block, numbers=(5,), starts_at=timezone.now() - YESTERDAY)
    publish_standings(season.pk)
    failed = {"failures": 1, "failing_since": timezone.now()}
    WebhookSubscription.objects.create(competition=season, url="https://bot.example/", **failed)
    seen = {role: body(staff(role, season)) for role in DESK_ROLES}
    entry = f"/admin/league/tablesession/{late.pk}/entry/"
    assert {role for role in DESK_ROLES if entry in seen[role]} == {Role.SCORER, Role.DIRECTOR}
    assert {role for role in DESK_ROLES if "bot.example" in seen[role]} == {Role.DIRECTOR}
    assert {role for role in DESK_ROLES if "New competition" in seen[role]} == set()


def test_a_call_for_a_referee_is_listed_for_those_who_answer_it_until_one_goes() -> None:
    season = final_table()
    call = call_referee(table_session=table(season.blocks.get()), about="Exposed tile", by=SYSTEM)
    publish_standings(season.pk)
    clients = {role: staff(role, season) for role in DESK_ROLES}
    for path in ("/admin/", f"/admin/league/competition/{season.pk}/change/"):
        seen = {role for role in DESK_ROLES if "Exposed tile" in body(clients[role], path)}
        assert seen == {Role.REFEREE, Role.SCORER, Role.DIRECTOR}
    floor = f"/admin/league/session/{call.table_session.session_id}/floor/"
    answer = clients[Role.REFEREE].post(floor, {"answer": call.pk, "next": "/admin/"}, follow=True)
    assert answer.redirect_chain == [("/admin/", 302)]
    assert "Nothing to do" in answer.content.decode()


@pytest.mark.both_databases
def test_a_draw_is_due_once_all_players_of_its_stage_are_certain() -> None:
    season = league("stairs", league_format="cinderella-2018")
    publish_standings(season.pk)
    assert draws_due(Competition.objects.all()) == []
    outcome = Outcome.objects.get(competition=season, audience=Audience.STAFF)
    stage = season.stages.get(key="semifinal")
    outcome.pools = {stage.key: [{**slot, "state": "certain"} for slot in outcome.pools[stage.key]]}
    outcome.save()
    assert draws_due(Competition.objects.all()) == [stage]
    draw_stage(stage=stage, by=SYSTEM, seed="dice", reason="in public")
    assert draws_due(Competition.objects.all()) == []


def test_pending_invitations_and_embargoed_tables_are_listed(chief: Client) -> None:
    season = final_table()
    held = table(season.blocks.get(), starts_at=timezone.now() + YESTERDAY)
    hold_back(table_session=held, until=timezone.now() + 2 * YESTERDAY, by=SYSTEM)
    until = timezone.now() + YESTERDAY
    Invitation.objects.create(
        competition=season, email="new@example.org", role="scorer", language="en", digest="x", expires_at=until
    )
    shown = body(chief)
    assert "new@example.org" in shown
    assert f"/admin/league/tablesession/{held.pk}/change/" in shown


def test_the_start_page_needs_as_many_queries_for_three_seasons_as_for_one(chief: Client) -> None:
    def season(slug: str) -> None:
        made = final_table(slug, hanchan=5)
        for hanchan in table(made.blocks.get(), starts_at=timezone.now()).hanchan.order_by("round"):
            play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
        table(made.blocks.get(), numbers=(5,), starts_at=timezone.now() - YESTERDAY)
        publish_standings(made.pk)

    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            chief.get("/admin/")
        return len(asked)

    season("one")
    chief.get("/admin/")
    first = cost()
    season("two")
    season("three")
    assert cost() == first


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("player FINAL1", "Player final1"),
        ("ｓｐｒｉｎｇ", "Spring League"),
        ("第1節", "Session"),
        ("chonbo", "CL-"),
        ("zzz", "Nothing was found"),
    ],
)
def test_the_search_finds_players_competitions_sessions_and_clauses(chief: Client, asked: str, found: str) -> None:
    season = final_table()
    table(season.blocks.get())
    league("spring")
    assert found in body(chief, f"/admin/search/?q={asked}")


@pytest.mark.both_databases
def test_the_search_finds_nothing_of_competitions_without_a_role_for_the_user() -> None:
    own, other = final_table(), league("spring")
    shown = body(staff(Role.SCORER, own), "/admin/search/?q=player")
    assert "Player final1" in shown
    assert "Player A1" not in shown
    assert other.slug not in shown


def test_one_button_removes_the_demo_and_its_players(chief: Client) -> None:
    own = final_table()
    chief.post("/admin/demo/")
    assert Competition.objects.filter(is_demo=True).count() >= 2
    people = Player.objects.count()
    assert "Remove the demonstration" in body(chief, "/admin/demo/")
    chief.post("/admin/demo/")
    assert list(Competition.objects.all()) == [own]
    assert Player.objects.count() == len(in_block(own.blocks.get())) < people


def test_a_director_cannot_load_or_remove_the_demo() -> None:
    director = staff(Role.DIRECTOR, final_table())
    assert director.get("/admin/demo/").status_code == 403
    assert director.post("/admin/demo/").status_code == 403


def test_the_page_shows_the_address_for_phones_unless_the_operator_has_set_one(
    chief: Client, settings: LazySettings
) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.20", "localhost"]
    there = chief.get("/admin/", headers={"host": "192.168.1.20:8000"}).content.decode()
    assert 'href="http://192.168.1.20:8000/"' in there
    assert "QR code of the address above" in there
    only_here = chief.get("/admin/", headers={"host": "localhost:8000"}).content.decode()
    assert "Start the service with HOST=0.0.0.0" in only_here
    assert "QR code of the address above" not in only_here
    settings.BASE_URL = "https://league.example.org"
    assert "On phones and tablets" not in chief.get("/admin/", headers={"host": "localhost"}).content.decode()
