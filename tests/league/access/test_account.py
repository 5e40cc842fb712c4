"""Signing in: everybody who works here comes to their work, at the desk or not."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.models import Competition, Role
from tests import factories
from tests.league import parlours

pytestmark = pytest.mark.django_db
PASSWORD = "a rather long one 4711"


def person(name: str, *, is_staff: bool = False) -> User:
    return User.objects.create_user(name, password=PASSWORD, is_staff=is_staff)


def sign_in(client: Client, name: str, query: str = "", password: str = PASSWORD) -> str:
    answer = client.post(f"/login/{query}", {"username": name, "password": password, "next": query[6:]})
    return answer["Location"] if answer.status_code == 302 else answer.content.decode()


def test_a_clerk_who_has_no_desk_comes_to_the_boards(client: Client) -> None:
    parlour = parlours.parlour()
    parlour.memberships.create(user=person("clerk"), role=Role.SCORER)
    assert sign_in(client, "clerk") == "/board/"
    assert client.get("/board/", follow=True).status_code == 200


def test_an_organizer_comes_to_the_desk(client: Client) -> None:
    person("chief", is_staff=True)
    assert sign_in(client, "chief") == "/admin/"


def test_a_scorer_comes_to_the_competition_they_work_for(client: Client) -> None:
    factories.league("spring", status=Competition.Status.PUBLISHED).memberships.create(
        user=person("scorer"), role=Role.SCORER
    )
    assert sign_in(client, "scorer") == "/c/spring/"


def test_somebody_without_work_comes_to_the_start_page(client: Client) -> None:
    person("guest")
    assert sign_in(client, "guest") == "/"
    assert "director" in client.get("/account/", headers={"accept-language": "en"}).content.decode()


def test_whoever_was_on_the_way_somewhere_goes_on_there(client: Client) -> None:
    person("clerk")
    assert sign_in(client, "clerk", "?next=/account/") == "/account/"


def test_another_site_is_no_place_to_go_on_to(client: Client) -> None:
    person("clerk")
    assert sign_in(client, "clerk", "?next=https://elsewhere.example/") == "/"


def test_a_wrong_password_is_said_and_the_name_stays(client: Client) -> None:
    person("clerk")
    page = sign_in(client, "clerk", password="wrong")
    assert 'role="alert"' in page
    assert 'value="clerk"' in page


def test_whoever_is_signed_in_is_not_asked_again(client: Client) -> None:
    client.force_login(person("chief", is_staff=True))
    assert client.get("/login/")["Location"] == "/admin/"


def test_out_again_is_a_button_not_an_address(client: Client) -> None:
    client.force_login(person("clerk"))
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/")["Location"] == "/"
    assert client.get("/account/")["Location"].startswith("/login/")


def test_a_password_is_changed_by_whoever_knows_the_old_one(client: Client) -> None:
    user = person("clerk")
    client.force_login(user)
    new = {"new_password1": "another long one 0815", "new_password2": "another long one 0815"}
    assert client.post("/account/password/", {"old_password": "wrong", **new}).status_code == 200
    assert client.post("/account/password/", {"old_password": PASSWORD, **new})["Location"] == "/account/"
    user.refresh_from_db()
    assert user.check_password("another long one 0815")
