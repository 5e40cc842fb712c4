"""Tests of login, logout and password change; after login each role lands on its own start page."""

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


def test_a_clerk_without_admin_access_lands_on_the_board_page_after_login(client: Client) -> None:
    parlour = parlours.parlour()
    parlour.memberships.create(user=person("clerk"), role=Role.SCORER)
    assert sign_in(client, "clerk") == "/board/"
    assert client.get("/board/", follow=True).status_code == 200


def test_an_organizer_lands_on_the_admin_after_login(client: Client) -> None:
    person("chief", is_staff=True)
    assert sign_in(client, "chief") == "/admin/"


def test_a_scorer_lands_on_their_competition_after_login(client: Client) -> None:
    factories.league("spring", status=Competition.Status.PUBLISHED).memberships.create(
        user=person("scorer"), role=Role.SCORER
    )
    assert sign_in(client, "scorer") == "/c/spring/"


def test_a_user_without_a_role_lands_on_the_start_page_after_login(client: Client) -> None:
    person("guest")
    assert sign_in(client, "guest") == "/"
    assert "director" in client.get("/account/", headers={"accept-language": "en"}).content.decode()


def test_login_redirects_to_the_next_url(client: Client) -> None:
    person("clerk")
    assert sign_in(client, "clerk", "?next=/account/") == "/account/"


def test_login_ignores_a_next_url_of_another_site(client: Client) -> None:
    person("clerk")
    assert sign_in(client, "clerk", "?next=https://elsewhere.example/") == "/"


def test_a_wrong_password_shows_an_error_and_keeps_the_user_name(client: Client) -> None:
    person("clerk")
    page = sign_in(client, "clerk", password="wrong")
    assert 'role="alert"' in page
    assert 'value="clerk"' in page


def test_the_login_page_redirects_a_logged_in_user(client: Client) -> None:
    client.force_login(person("chief", is_staff=True))
    assert client.get("/login/")["Location"] == "/admin/"


def test_logout_accepts_post_and_refuses_get(client: Client) -> None:
    client.force_login(person("clerk"))
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/")["Location"] == "/"
    assert client.get("/account/")["Location"].startswith("/login/")


def test_a_password_change_requires_the_old_password(client: Client) -> None:
    user = person("clerk")
    client.force_login(user)
    new = {"new_password1": "another long one 0815", "new_password2": "another long one 0815"}
    assert client.post("/account/password/", {"old_password": "wrong", **new}).status_code == 200
    assert client.post("/account/password/", {"old_password": PASSWORD, **new})["Location"] == "/account/"
    user.refresh_from_db()
    assert user.check_password("another long one 0815")
