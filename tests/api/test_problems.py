"""Refusals of the API: problem documents with a stable code, in the reader's language, without a traceback."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client
from django.utils.translation import override
from rest_framework.exceptions import APIException

from league.api.access import root_views
from league.models import Competition, Role
from league.platform import throttling
from league.platform.errors import Finding, Level, PermissionRefusedError, ServiceError, conflict
from league.web import problems
from league.web.problems import KINDS
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

MEMBERS = {"type", "title", "status", "detail", "instance", "code", "errors", "request_id"}


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the problem document after checking its status, headers, members and code."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    document: dict[str, Any] = json.loads(response.content)
    assert set(document) == MEMBERS
    assert (document["status"], document["code"]) == (status, code)
    assert document["type"] == f"/api/problems/{code}/"
    assert document["title"]
    assert document["detail"]
    return document


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing/",
        "/api/v1/nothing",
        "/api/v2/",
        "/api/v1/competitions/nobody/",
        "/api/v1/competitions/a%00b/",
        "/api/v1/competitions/a%0Ab/",
        "/api/v1/hanchan/null,null/",
        "/api/v1/hanchan/-1/",
        "/api/v1/hanchan/0/",
        "/api/v1/hanchan/999999999999999999/",
        f"/api/v1/hanchan/{'9' * 400}/",
        "/api/v1/hanchan/٣/",
        "/api/v1/hanchan/1/results/1/",
        "/api/v1/players/1/",
        "/api/v1/stages/1/",
        "/api/v1/sessions/1/",
        "/api/v1/table-sessions/1/",
        "/api/v1/rulesets/nobody/",
        "/api/v1/rulesets/cinderella/?revision=9",
        "/api/v1/formats/nobody/",
        "/api/problems/nothing/",
    ],
)
def test_an_unknown_address_gives_a_problem_document(path: str) -> None:
    document = problem(Client().get(path), 404, "not_found")
    assert document["errors"] == []


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("competitions/?colour=red", "/colour"),
        ("competitions/?page=0", "/page"),
        ("competitions/?page=x", "/page"),
        (f"competitions/?page={'9' * 500}", "/page"),
        ("competitions/?page_size=201", "/page_size"),
        ("competitions/?status=lost", "/status"),
        ("competitions/?status=draft&status=closed", "/status"),
        ("competitions/?status=", "/status"),
        ("standings/", "/competition"),
        ("standings/?competition=a%00b", "/competition"),
        ("standings/?competition=final&stage=semifinal", "/stage"),
        ("standings/?competition=final&block=%F0%9F%80%84", "/block"),
        ("hanchan/?competition=final&entrant=null,null", "/entrant"),
        ("hanchan/?competition=final&entrant=99999999999999999999", "/entrant"),
        ("players/?search=%00", "/search"),
        ("rulesets/cinderella/?revision=-1", "/revision"),
    ],
)
def test_an_invalid_parameter_is_named(path: str, pointer: str) -> None:
    factories.final_table()
    document = problem(Client().get(f"/api/v1/{path}"), 400, "invalid_request")
    assert {(error["in"], error["pointer"]) for error in document["errors"]} == {("query", pointer)}


def test_a_page_beyond_the_last_gives_404() -> None:
    problem(Client().get("/api/v1/competitions/?page=2"), 404, "not_found")


@pytest.mark.parametrize(
    ("accept", "query"), [("text/html", ""), ("application/xml", ""), ("*/*", "?format=xml"), ("text/csv", "")]
)
def test_an_unavailable_representation_gives_406(accept: str, query: str) -> None:
    problem(Client().get(f"/api/v1/competitions/{query}", headers={"Accept": accept}), 406, "not_acceptable")


def test_an_unsupported_method_gives_405_with_the_allowed_ones() -> None:
    user = factories.user()
    api = Api(user)
    response = api.client.delete("/api/v1/stages/", headers=api.headers)
    problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, '{"username": NaN}', "\xff", '"\\ud800"'])
def test_a_body_that_is_not_a_json_object_is_refused(body: str) -> None:
    response = Client().post("/api/v1/auth/login/", body.encode("latin-1"), content_type="application/json")
    assert response.status_code == 400
    assert json.loads(response.content)["code"] in ("malformed_request", "invalid_request")


def test_a_number_of_thousands_of_digits_is_refused_in_words_for_clients() -> None:
    body = f'{{"username": {"9" * 5000}}}'
    response = Client().post("/api/v1/auth/login/", body, content_type="application/json")
    assert problem(response, 400, "malformed_request")["detail"] == "A number has too many digits."


def test_a_body_of_another_media_type_gives_415() -> None:
    response = Client().post("/api/v1/auth/login/", "<a/>", content_type="application/xml")
    problem(response, 415, "unsupported_media_type")


def test_a_body_that_is_too_large_gives_413(settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = Client().post("/api/v1/auth/login/", "x" * 101, content_type="application/json")
    problem(response, 413, "request_too_large")


@pytest.mark.parametrize("scope", ["read", "login"])
def test_too_many_requests_give_429_with_retry_after(settings: LazySettings, scope: str) -> None:
    settings.REQUESTS_PER_MINUTE = {"read": 1000, "write": 1000, "login": 1000, scope: 2}

    def send() -> Any:
        if scope == "login":
            return Client().post("/api/v1/auth/login/", {}, content_type="application/json")
        return Client().get("/api/v1/")

    with time_machine.travel(dt.datetime(2026, 11, 1, 12, 0, 20, tzinfo=dt.UTC), tick=False):
        assert 429 not in [send().status_code for _ in range(2)]
        response = send()
    problem(response, 429, "too_many_requests")
    assert response.headers["Retry-After"] == "41"


def test_faults_of_form_are_told_in_japanese() -> None:
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.first()
    assert hanchan
    table = f"table-sessions/{hanchan.table_session_id}/hold-back/"
    api = Api(factories.user(is_superuser=True), language="ja")
    bodies: Sequence[tuple[str, Mapping[str, object]]] = (
        ("competitions/", {"name": [], "shows_odds": "perhaps"}),
        (f"hanchan/{hanchan.pk}/results/", {"seats": []}),
        (f"hanchan/{hanchan.pk}/results/", {"seats": [{}] * 9}),
        (table, {"until": "9999-12-31T23:59:59-12:00"}),
    )
    for path, body in bodies:
        faults = json.loads(api.change(path, body).content)["errors"]
        assert faults
        assert not [fault for fault in faults if fault["detail"].isascii()]


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("competitions/spring/members/", "No teams play in this competition."),
        ("competitions/spring/exports/nothing/", "There is no such file."),
        ("ranking/?competition=spring", "There is no such open table."),
        ("parlours/nowhere/", "There is no such parlour."),
    ],
)
def test_an_address_without_a_resource_says_what_is_missing(path: str, detail: str) -> None:
    factories.league()
    found = problem(Api(factories.user(is_superuser=True)).send_raw("get", path), 404, "not_found")
    assert found["detail"].startswith(detail)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_too_many_requests_are_refused_in_the_language_of_the_client(settings: LazySettings, language: str) -> None:
    settings.REQUESTS_PER_MINUTE = {"read": 1}
    with time_machine.travel(dt.datetime(2026, 11, 1, 12, 0, 20, tzinfo=dt.UTC), tick=False):
        Client().get("/api/v1/")
        response = Client().get("/api/v1/", headers={"Accept-Language": language})
    with override(language):
        assert problem(response, 429, "too_many_requests")["detail"] == str(KINDS["too_many_requests"].advice)


def test_a_large_rate_limit_is_counted_in_batches_and_still_enforced(settings: LazySettings) -> None:
    settings.REQUESTS_PER_MINUTE = {"read": 400}
    with time_machine.travel(dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC), tick=False):
        assert [throttling.count_request("read", "address:1") for _ in range(404)].count(False) == 4
        assert cache.get(throttling.key_of("read", "address:1")) == 404
        assert throttling.count_request("read", "address:2")
        assert cache.get(throttling.key_of("read", "address:2")) is None


def test_an_unavailable_counter_does_not_block_requests(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REQUESTS_PER_MINUTE = {"read": 0, "write": 0, "login": 0}
    monkeypatch.setattr("league.platform.throttling.increment_counter", lambda *_asked: None)
    assert Client().get("/api/v1/").status_code == 200


def test_writes_have_a_rate_limit_of_their_own(settings: LazySettings) -> None:
    settings.REQUESTS_PER_MINUTE = {"read": 1000, "write": 1, "login": 1000}
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.first()
    assert hanchan
    api = Api(factories.user("scorer", Role.SCORER, competition))
    assert api.change(f"hanchan/{hanchan.pk}/results/", {}).status_code == 400
    assert api.change(f"hanchan/{hanchan.pk}/results/", {}).status_code == 429
    api.get(f"hanchan/{hanchan.pk}/")


def test_an_internal_error_is_logged_and_reported_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(root_views.RootView, "document", broken)
    response = Client(raise_request_exception=False).get("/api/v1/")
    document = problem(response, 500, "internal_error")
    assert "secret" not in response.content.decode()
    assert "Traceback" not in response.content.decode()
    assert document["request_id"]
    assert "secret detail" in caplog.text


def test_an_internal_error_is_propagated_to_error_reporting(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object) -> None:
        raise RuntimeError("heard")

    monkeypatch.setattr(root_views.RootView, "document", broken)
    with pytest.raises(RuntimeError, match="heard"):
        Client(raise_request_exception=True).get("/api/v1/")


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (PermissionDenied(), "permission_refused"),
        (SuspiciousOperation(), "malformed_request"),
        (PermissionRefusedError(Finding("permission_refused", "No.")), "permission_refused"),
        (conflict("slug_taken", "Taken."), "conflict"),
        (ServiceError(Finding("odd", "Odd.", level=Level.WARNING)), "rule_violation"),
        (APIException(), "internal_error"),
    ],
)
def test_every_exception_maps_to_its_problem_code(raised: Exception, code: str) -> None:
    assert problems.problem_of(raised).code == code


def test_problem_titles_follow_accept_language(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = {
        language: Client().get("/api/v1/nothing/", headers={"Accept-Language": language}).json()["title"]
        for language in ("en", "ja")
    }
    assert titles["en"] == "There is nothing here"
    assert Client().get("/api/v1/nothing/", headers={"Accept-Language": "ja"}).headers["Content-Language"] == "ja"


@pytest.mark.parametrize("accepted", ["", "*", "fr", "fr,*;q=0.5", "en-GB"])
def test_programs_are_answered_in_english_unless_they_accept_japanese(accepted: str) -> None:
    headers = {"Accept-Language": accepted} if accepted else {}
    assert Client().get("/api/v1/nothing/", headers=headers).headers["Content-Language"] == "en"
    assert Client().get("/", headers={"Accept-Language": "fr"}).headers["Content-Language"] == "ja"
    assert (
        Client().get("/api/v1/nothing/", headers={"Accept-Language": "fr,ja;q=0.5"}).headers["Content-Language"] == "ja"
    )


def test_every_problem_type_url_describes_its_kind() -> None:
    listed = Client().get("/api/problems/").json()
    assert [kind["code"] for kind in listed] == list(KINDS)
    for kind in listed:
        assert Client().get(kind["type"]).json() == kind


def test_the_trailing_slash_is_optional() -> None:
    factories.final_table()
    for path in ("", "competitions", "competitions/final", "standings"):
        query = {"competition": "final"} if path == "standings" else {}
        assert Client().get(f"/api/v1/{path}".rstrip("/"), query_params=query).status_code == 200


def test_a_draft_is_hidden_from_the_public() -> None:
    draft = factories.final_table(status=None)
    for path in ("competitions/final/", "competitions/final/bracket/", "standings/?competition=final"):
        problem(Client().get(f"/api/v1/{path}"), 404, "not_found")
        assert Api(factories.user(role=Role.READER, competition=draft)).send_raw("get", path).status_code == 200
    assert Competition.objects.count() == 1
    assert Api().get("competitions/")["results"] == []
    assert Api().get("players/")["results"] == []
