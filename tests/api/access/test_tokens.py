"""API tokens: login with a password, storage as digests, logout and authentication headers."""

from __future__ import annotations

import base64
import json

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from league.models import Role
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

LOGIN = "auth/login/"


@pytest.fixture
def user() -> User:
    return factories.user("mika", email="mika@example.org")


def basic(text: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(text.encode()).decode()}"}


def test_logging_in_with_name_and_password_returns_a_working_token(user: User) -> None:
    answer = Api().post(LOGIN, {"username": "mika", "password": "correct horse"})
    assert (answer["user"], answer["token"].startswith("jtk_")) == ("mika", True)
    competition = factories.final_table(status=None)
    competition.memberships.create(user=user, role=Role.READER)
    api = Api()
    api.get("competitions/final/", expect=404)
    api.headers["Authorization"] = f"Token {answer['token']}"
    api.get("competitions/final/")


def test_logging_in_with_basic_authentication_works(user: User) -> None:
    response = Api().send("post", LOGIN, headers=basic("mika:correct horse"))
    assert response.status_code == 200


def test_a_token_is_stored_only_as_a_digest(user: User) -> None:
    token = Api().post(LOGIN, {"username": "mika", "password": "correct horse"})["token"]
    row = AuthToken.objects.get()
    assert token not in json.dumps([row.digest, row.token_key])


def test_logging_out_deletes_the_token(user: User) -> None:
    api = Api(user)
    assert api.post("auth/logout/", status=204) is None
    assert not AuthToken.objects.exists()
    assert api.send("get", "competitions/").status_code == 401
    assert Api().send("post", "auth/logout/", {}).status_code == 401


@pytest.mark.parametrize("password", ["wrong", "correct horse "])
def test_a_failed_login_does_not_reveal_if_name_or_password_was_wrong(user: User, password: str) -> None:
    known = Api().post(LOGIN, {"username": "mika", "password": password}, status=401)
    unknown = Api().post(LOGIN, {"username": "nobody", "password": password}, status=401)
    assert known["code"] == "not_authenticated"
    assert known["detail"] == unknown["detail"]


@pytest.mark.both_databases
def test_an_inactive_user_gets_no_token_and_their_old_one_is_refused(user: User) -> None:
    api = Api(user)
    User.objects.update(is_active=False)
    Api().post(LOGIN, {"username": "mika", "password": "correct horse"}, status=401)
    assert api.send("get", "competitions/").status_code == 401


@pytest.mark.parametrize("header", ["Basic ???", "Basic", "Basic bm9jb2xvbg==", "Basic /////w=="])
def test_an_unreadable_basic_header_is_refused(user: User, header: str) -> None:
    response = Api().send("post", LOGIN, headers={"Authorization": header})
    assert response.status_code == 401


def test_too_many_wrong_passwords_lock_the_user_out(user: User, settings: LazySettings) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        Api().send("post", LOGIN, {"username": "mika", "password": "wrong"})
    response = Api().send("post", LOGIN, {"username": "mika", "password": "correct horse"})
    assert response.status_code == 429
    assert response.headers["Content-Type"] == "application/problem+json"
    assert int(response.headers["Retry-After"]) > 60


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Token", "token"])
def test_a_token_is_accepted_under_both_schemes_in_any_case(user: User, scheme: str) -> None:
    competition = factories.final_table(status=None)
    competition.memberships.create(user=user, role=Role.DIRECTOR)
    api = Api()
    api.headers["Authorization"] = f"{scheme} {AuthToken.objects.create(user)[1]}"
    api.get("competitions/final/")
    assert api.send("get", "competitions/final/archive/").status_code == 200
    api.post("auth/logout/", status=204)
    assert not AuthToken.objects.exists()


@pytest.mark.parametrize("header", ["Digest username=mika", "ApiKey 0123456789abcdef", "jtk_0123456789abcdef"])
@pytest.mark.parametrize("path", ["competitions/", "webhooks/"])
def test_an_unknown_scheme_is_refused_with_a_hint_to_the_right_one(header: str, path: str) -> None:
    response = Api().send("get", path, headers={"Authorization": header})
    assert response.status_code == 401
    assert "Send “Authorization: Bearer …”." in json.loads(response.content)["detail"]
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="jantaku"'


def test_basic_credentials_of_a_proxy_do_not_block_public_reads(user: User) -> None:
    assert Api().send("get", "competitions/", headers=basic("club:house")).status_code == 200


def test_a_401_explains_how_to_authenticate() -> None:
    for headers in ({}, basic("club:house")):
        response = Api().send("get", "webhooks/", headers=headers)
        assert response.status_code == 401
        assert "send it as “Authorization: Bearer …”." in json.loads(response.content)["detail"]
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="jantaku"'


@pytest.mark.parametrize(
    "token", ["", "nonsense", "a b", "jtk_" + "x" * 60, "\u00ff" * 20, "x" * 5000, "' OR 1=1 --", "\u9ed2" * 20]
)
def test_an_invalid_token_is_refused(user: User, token: str) -> None:
    response = Client().get(
        "/api/v1/competitions/", headers={"Authorization": f"Token {token}".encode().decode("latin-1")}
    )
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="jantaku", error="invalid_token"'
    assert response.headers["Content-Type"] == "application/problem+json"


def test_a_write_with_session_login_needs_a_csrf_token() -> None:
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.first()
    assert hanchan
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.user("scorer", Role.SCORER, competition))
    response = client.post(f"/api/v1/hanchan/{hanchan.pk}/results/", {}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "permission_refused")
