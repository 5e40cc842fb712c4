"""Conditional requests and caching of the API: ETags, Cache-Control, CORS and the response cache."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Competition, Role
from league.selectors.access import etags
from league.selectors.standings.bracket import bracket
from league.services.competitions.setup import set_status
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

COMPETITION_DOCUMENTS = (
    "competitions/final/",
    "competitions/final/bracket/",
    "standings/?competition=final",
    "standings/?competition=final&format=csv",
    "stages/?competition=final",
    "sessions/?competition=final",
    "table-sessions/?competition=final",
    "hanchan/?competition=final",
)


@pytest.fixture(scope="module")
def shared_competition(shared_rows: None) -> Competition:
    made = factories.final_table()
    play(made, 1, 2)
    publish_standings(made.pk)
    return made


@pytest.fixture
def competition(shared_competition: Competition) -> Competition:
    return Competition.objects.get(pk=shared_competition.pk)


def play(competition: Competition, *numbers: int) -> None:
    """Add a table session with these hanchan and play all of them."""
    for hanchan in factories.table(competition.blocks.get(), numbers=numbers).hanchan.all():
        factories.play(hanchan, accept={"same_result_twice"})


def every_document(competition: Competition) -> list[str]:
    table = competition.table_sessions.get()
    hanchan = table.hanchan.first()
    assert hanchan
    own = [
        f"stages/{competition.stages.get().pk}/",
        f"sessions/{table.session_id}/",
        f"table-sessions/{table.pk}/",
        f"hanchan/{hanchan.pk}/",
        f"hanchan/{hanchan.pk}/results/",
        f"hanchan/{hanchan.pk}/results/1/",
        f"players/{factories.seated(hanchan)[0].player_id}/",
        "",
        "competitions/",
        "players/",
        "rulesets/",
        "rulesets/cinderella/",
        "formats/",
        "formats/cinderella/",
    ]
    return [*COMPETITION_DOCUMENTS, *own]


def test_every_document_has_a_strong_etag_and_a_matching_one_gives_304(competition: Competition) -> None:
    api = Api()
    for path in every_document(competition):
        first = api.send_raw("get", path)
        assert first.status_code == 200, path
        tag = first.headers["ETag"]
        assert tag.startswith('"')
        again = api.send_raw("get", path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b""), path
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
        assert again.headers["Vary"] == first.headers["Vary"]


def test_a_304_costs_one_query(competition: Competition) -> None:
    api = Api()
    for path in COMPETITION_DOCUMENTS:
        tag = api.send_raw("get", path).headers["ETag"]
        with CaptureQueriesContext(connection) as queries:
            assert api.send_raw("get", path, headers={"If-None-Match": tag}).status_code == 304, path
        assert len(queries) == 1, path


def test_etags_differ_by_language_audience_representation_and_version(competition: Competition) -> None:
    path = "standings/?competition=final"
    staff = Api(factories.user("reader", Role.READER, competition))

    def tags() -> set[str]:
        return {
            Api(language="ja").send_raw("get", path).headers["ETag"],
            Api(language="en").send_raw("get", path).headers["ETag"],
            Api().send_raw("get", f"{path}&format=csv").headers["ETag"],
            Api().send_raw("get", f"{path}&stage=final").headers["ETag"],
            staff.send_raw("get", path).headers["ETag"],
        }

    before = tags()
    assert len(before) == 5
    play(competition, 3)
    assert tags() == before, "nothing is published yet"
    publish_standings(competition.pk)
    assert tags().isdisjoint(before)


def test_new_software_changes_the_etags(competition: Competition, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Api().send_raw("get", "competitions/final/").headers["ETag"]
    monkeypatch.setattr(etags, "software_digest", lambda: "newer")
    assert Api().send_raw("get", "competitions/final/").headers["ETag"] != before


def test_closing_a_competition_changes_the_etag_before_standings_are_published(competition: Competition) -> None:
    before = Api().send_raw("get", "competitions/final/").headers["ETag"]
    set_status(competition=competition, status=Competition.Status.CLOSED, by=factories.SYSTEM)
    after = Api().send_raw("get", "competitions/final/")
    assert after.headers["ETag"] != before
    assert after.json()["status"] == "closed"


def test_a_public_document_may_be_cached_briefly_and_read_cross_origin(competition: Competition) -> None:
    headers = Api().send_raw("get", "standings/?competition=final").headers
    assert headers["Cache-Control"] == "public, max-age=5, stale-while-revalidate=30"
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in headers["Access-Control-Expose-Headers"]
    assert {"Accept", "Accept-Language", "Authorization", "Cookie"} <= set(headers["Vary"].split(", "))


def test_a_response_to_an_authenticated_user_is_private_and_not_cross_origin(competition: Competition) -> None:
    headers = Api(factories.user("reader", Role.READER, competition)).send_raw("get", "competitions/").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_response_to_a_session_login_is_private_too(competition: Competition) -> None:
    api = Api()
    api.client.force_login(factories.user("reader", Role.READER, competition))
    headers = api.send_raw("get", "competitions/").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(("method", "allowed"), [("GET", True), ("HEAD", True), ("POST", False), ("DELETE", False)])
def test_cors_preflight_allows_reading_methods_only(method: str, allowed: bool) -> None:
    headers = {"Origin": "https://club.example", "Access-Control-Request-Method": method}
    response = Api().send_raw("options", "competitions/", headers=headers)
    assert response.status_code == 204
    assert ("Access-Control-Allow-Origin" in response.headers) is allowed
    if allowed:
        assert "Authorization" not in response.headers["Access-Control-Allow-Headers"]
        assert "If-None-Match" in response.headers["Access-Control-Allow-Headers"]


def test_head_responds_like_get_without_a_body(competition: Competition) -> None:
    full, head = (Api().send_raw(method, "competitions/final/") for method in ("get", "head"))
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["ETag"] == full.headers["ETag"]


def test_a_get_with_another_etag_in_if_match_gives_412(competition: Competition) -> None:
    response = Api().send_raw("get", "competitions/final/", headers={"If-Match": '"other"'})
    assert response.status_code == 412
    assert response.json()["code"] == "stale_revision"


def test_a_document_is_read_again_if_standings_are_published_meanwhile(
    competition: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def slow(reader: Any) -> Any:
        seen.append(reader.version)
        if len(seen) == 1:
            play(competition, 3)
            publish_standings(competition.pk)
        return bracket(reader)

    monkeypatch.setattr("league.api.competitions.competition_views.bracket", slow)
    document = Api().get("competitions/final/bracket/")
    assert len(seen) == 2
    assert document["as_of"] == seen[1] > seen[0]


def test_queries_do_not_grow_with_the_hanchan(competition: Competition) -> None:
    def queries(path: str) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            assert Api().send_raw("get", path).status_code == 200
        return len(captured)

    paths = ("competitions/final/bracket/", "standings/?competition=final", "competitions/final/")
    before = {path: queries(path) for path in paths}
    for number in (3, 4):
        play(competition, number)
    publish_standings(competition.pk)
    assert {path: queries(path) for path in paths} == before
    assert max(before.values()) <= 20


def test_queries_for_a_page_of_hanchan_do_not_grow_with_the_page_size(competition: Competition) -> None:
    def queries(size: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(Api().get("hanchan/", competition="final", page_size=size)["results"]) == size
        return len(captured)

    assert queries(1) == queries(2) <= 13


def test_a_large_document_is_rendered_once_for_all_anonymous_readers(competition: Competition) -> None:
    staff = Api(factories.user("reader", Role.READER, competition))
    for path in ("competitions/final/bracket/", "standings/?competition=final&format=csv"):
        first = Api().send_raw("get", path)
        with CaptureQueriesContext(connection) as queries:
            again = Api().send_raw("get", path)
        assert len(queries) == 1, path
        assert again.content == first.content
        assert again.headers["Content-Type"] == first.headers["Content-Type"]
        with CaptureQueriesContext(connection) as queries:
            assert staff.send_raw("get", path).status_code == 200
        assert len(queries) > 1, path


def test_a_cached_document_is_never_served_under_a_newer_etag(competition: Competition) -> None:
    before = Api().get("competitions/final/bracket/")
    play(competition, 3)
    assert Api().get("competitions/final/bracket/") == before
    publish_standings(competition.pk)
    after = Api().get("competitions/final/bracket/")
    assert after["as_of"] > before["as_of"]
    assert len(after["hanchan"]) == 3


def test_a_read_succeeds_although_standings_are_published_all_the_time(
    competition: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = iter(range(1000, 2000))
    monkeypatch.setattr("league.selectors.access.snapshots.published_version", lambda reader: next(versions))
    # Staff read the number of the change; the public's would count changes, and there are none of these numbers.
    staff = Api(factories.user("reader", Role.READER, competition))
    assert staff.get("competitions/final/")["as_of"] == 1001
