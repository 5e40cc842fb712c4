"""Tests of session ends: by timeout, by "log out elsewhere" and by a new password; and of the settings for them."""

from __future__ import annotations

import html
import re

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from league.models import OrganizationChange
from league.services.access.sign_in_sessions import SEEN, SIGNED_IN, sessions_of
from tests import factories
from tests.environments import read

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
NEW = "another long one 0815"


@pytest.fixture
def chief() -> User:
    return factories.user("chief")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    assert client.get("/account/").status_code == 200
    return client


def backdate(client: Client, key: str, seconds: float) -> None:
    """Move a timestamp of the session into the past by a number of seconds."""
    session = client.session
    session[key] = timezone.now().timestamp() - seconds
    session.save()


@pytest.mark.parametrize(("key", "limit"), [(SIGNED_IN, "SIGNED_IN_SECONDS"), (SEEN, "IDLE_SECONDS")])
def test_a_session_expires_after_its_time_limit(chief: User, settings: LazySettings, key: str, limit: str) -> None:
    client = signed_in(chief)
    backdate(client, key, getattr(settings, limit) - 60)
    assert client.get("/account/").status_code == 200
    backdate(client, key, getattr(settings, limit) + 60)
    assert client.get("/account/").status_code == 302


def test_a_refused_page_logs_out_and_leads_back_to_itself_after_login_with_another_account(chief: User) -> None:
    user = factories.user("scorer", is_staff=True)
    client = signed_in(user)
    refused = client.get("/admin/league/series/new/?a=1&b=2")
    assert refused.status_code == 403
    forms = re.findall(r'<form method="post" action="/logout/">.*?</form>', refused.content.decode())
    [address] = re.findall(r'name="next" value="([^"]*)"', "".join(forms))
    login = client.post("/logout/", {"next": html.unescape(address)}, follow=True)
    assert not login.context["user"].is_authenticated
    assert 'name="next" value="/admin/league/series/new/?a=1&amp;b=2"' in login.content.decode()


def test_login_changes_the_session_key(chief: User) -> None:
    client = Client()
    session = client.session
    session["anything"] = 1
    session.save()
    before = client.cookies["sessionid"].value
    client.post("/login/", {"username": "chief", "password": PASSWORD})
    assert client.cookies["sessionid"].value != before


@pytest.mark.both_databases
def test_a_button_ends_all_other_sessions_of_the_user(chief: User) -> None:
    here, there = signed_in(chief), signed_in(chief)
    stranger = signed_in(factories.user("stranger"))
    assert len(list(sessions_of(chief))) == 2
    assert here.post("/account/elsewhere/").status_code == 302
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert stranger.get("/account/").status_code == 200
    assert OrganizationChange.objects.get().after == {"sessions": 1}


@pytest.mark.both_databases
@pytest.mark.parametrize(("asked", "left"), [({}, 1), ({"tokens": "1"}, 0)])
def test_a_new_password_ends_other_sessions_and_on_request_all_tokens(
    chief: User, asked: dict[str, str], left: int
) -> None:
    here, there = signed_in(chief), signed_in(chief)
    AuthToken.objects.create(chief)
    typed = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW, **asked}
    assert here.post("/account/password/", typed).status_code == 302
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert AuthToken.objects.count() == left


def test_login_attempts_are_rate_limited_across_user_names(client: Client, settings: LazySettings) -> None:
    cache.clear()
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "sign_in": 3}
    answers = [client.post("/login/", {"username": f"name{n}", "password": "x"}).status_code for n in range(8)]
    cache.clear()
    assert 429 in answers


def test_guesses_of_the_old_password_are_rate_limited(chief: User, settings: LazySettings) -> None:
    cache.clear()
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "secret": 3}
    client = signed_in(chief)

    def tried(old: str) -> int:
        typed = {"old_password": old, "new_password1": NEW, "new_password2": NEW}
        return client.post("/account/password/", typed).status_code

    with time_machine.travel("2026-05-01 12:00:10", tick=False):
        client.force_login(chief)
        assert [tried(f"guess {number}") for number in range(5)] == [200, 200, 200, 429, 429]
        assert tried(PASSWORD) == 429
    cache.clear()
    chief.refresh_from_db()
    assert chief.check_password(PASSWORD)


def test_session_limits_are_read_from_the_environment_within_bounds() -> None:
    strict = read({"SIGNED_IN_MINUTES": "720", "IDLE_MINUTES": "30", "NEW_BROWSER_LETTERS": "0"})
    assert (strict.signed_in_minutes, strict.idle_minutes, strict.tells_new_browsers) == (720, 30, False)
    usual = read({})
    assert (usual.signed_in_minutes, usual.idle_minutes, usual.tells_new_browsers) == (20160, 4320, True)
    with pytest.raises(ImproperlyConfigured) as said:
        read({"SIGNED_IN_MINUTES": "0", "IDLE_MINUTES": "999999"})
    assert "SIGNED_IN_MINUTES" in str(said.value)
    assert "IDLE_MINUTES" in str(said.value)


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({}, "nobody"),
        ({"REQUIRE_TWO_FACTOR": "organizers"}, "organizers"),
    ],
)
def test_the_environment_sets_the_group_that_needs_two_factor(variables: dict[str, str], found: str) -> None:
    assert read(variables).require_two_factor == found


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"REQUIRE_TWO_FACTOR": "some"}, "REQUIRE_TWO_FACTOR"),
        ({"EMAIL_URL": "http://secret@mail"}, "EMAIL_URL is (hidden)"),
        ({"EMAIL_URL": "smtp://mail.example.org:25"}, "EMAIL_FROM"),
    ],
)
def test_wrong_variables_for_mail_and_two_factor_are_named_without_secrets(
    variables: dict[str, str], said: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(variables)
    assert said in str(refused.value)
    assert "secret" not in str(refused.value)


def test_the_mail_server_settings_are_read_from_the_email_url() -> None:
    variables = {"EMAIL_URL": "smtp+tls://user:word@mail.example.org:587", "EMAIL_FROM": "League <l@example.org>"}
    found = read(variables)
    assert (found.email["EMAIL_HOST"], found.email["EMAIL_PORT"]) == ("mail.example.org", 587)
    assert found.email_from == "League <l@example.org>"
