"""Tests of properties common to every page: language, security headers, the lockout after wrong passwords."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from league.models import Audience, Competition
from tests import factories

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"


@pytest.mark.parametrize(("wanted", "given"), [("ja", "ja"), ("en-GB,en;q=0.8", "en"), ("fr", "ja")])
def test_the_language_follows_the_browser_with_japanese_as_the_default(client: Client, wanted: str, given: str) -> None:
    assert client.get(LOGIN, HTTP_ACCEPT_LANGUAGE=wanted).headers["Content-Language"] == given


def test_the_language_switch_overrides_the_browser(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "en"})
    assert client.get(LOGIN, HTTP_ACCEPT_LANGUAGE="ja").headers["Content-Language"] == "en"


def test_security_headers_forbid_inline_code_and_foreign_sources(client: Client) -> None:
    headers = client.get(LOGIN).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


def test_login_is_locked_after_five_wrong_passwords(client: Client) -> None:
    get_user_model().objects.create_superuser(username="director", password="right-and-long-enough")
    answers = [client.post(LOGIN, {"username": "director", "password": f"wrong {n}"}) for n in range(5)]
    answers.append(client.post(LOGIN, {"username": "director", "password": "right-and-long-enough"}))
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429, 429]


def test_a_long_list_of_competitions_folds_all_but_the_first(client: Client) -> None:
    first = factories.final_table("cup")
    columns = {field.attname: getattr(first, field.attname) for field in Competition._meta.concrete_fields}
    del columns["id"]
    Competition.objects.bulk_create(
        Competition(**{**columns, "slug": f"cup-{n}", "name": f"Cup {n}", "audience": Audience.PUBLIC})
        for n in range(1, 60)
    )
    page = client.get("/competitions/", HTTP_ACCEPT_LANGUAGE="en").content.decode()
    shown, _mark, folded = page.partition('<details class="fold">')
    assert (shown.count('<li class="card'), folded.count('<li class="card')) == (30, 30)
    assert "Competitions 31 to 60" in folded
