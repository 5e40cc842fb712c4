"""Test cached responses: one query each, immediate invalidation, and one body per ETag."""

from __future__ import annotations

import datetime as dt
import gzip
import time
from collections.abc import Callable
from copy import copy
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, Hanchan, Player, Role
from league.selectors.access.public_lookup import public_reader
from league.selectors.access.readers import reader_of, visible_competitions
from league.selectors.standings.prepared import players_by_id
from league.services.competitions.schedule import hold_back
from league.services.standings.odds import publish_odds
from league.services.standings.publishing import publish_standings
from league.web.response_cache import ATTEMPTS, cached_response
from tests import factories
from tests.league.played_season import BY, Season, almost_finished
from tests.league.results.test_concurrency import together

pytestmark = pytest.mark.django_db
PAGES = ("/c/spring/", "/c/spring/blocks/A/", "/c/spring/odds/", "/c/spring/records/")
DOCUMENTS = (
    "/api/v1/competitions/spring/bracket/",
    "/api/v1/standings/?competition=spring",
    "/api/v1/standings/?competition=spring&format=csv",
    "/api/v1/competitions/spring/odds/",
)
OWN_TO_EACH = {"X-Request-ID", "Content-Length"}


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Season:
    made = almost_finished()
    publish_odds(made.competition.pk)
    return made


@pytest.fixture
def season(played: Season) -> Season:
    own = copy(played)
    own.competition = Competition.objects.get(pk=played.competition.pk)
    return own


def organizer(season: Season) -> Client:
    client = Client()
    client.force_login(factories.user("organizer", Role.DIRECTOR, season.competition))
    return client


@pytest.mark.parametrize("path", [*PAGES, *DOCUMENTS])
def test_an_unchanged_response_costs_one_query(season: Season, path: str) -> None:
    visitor = Client()
    tag = visitor.get(path)["ETag"]
    # Records name the rankings that count the competition, which change without a new version.
    expected = 2 if path.endswith("/records/") else 1
    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(path, headers={"if-none-match": tag}).status_code == 304
    assert len(queries) == expected
    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(path).status_code == 200
    assert len(queries) == expected


@pytest.mark.parametrize("path", [*PAGES, *DOCUMENTS])
def test_a_response_is_the_same_compressed_or_not(season: Season, path: str) -> None:
    packed = Client(headers={"accept-encoding": "br, gzip"}).get(path)
    plain = Client().get(path)
    assert (packed["Content-Encoding"], plain.get("Content-Encoding")) == ("gzip", None)
    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert packed["Vary"] == plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]
    for tag in (packed["ETag"], plain["ETag"]):
        assert Client(headers={"accept-encoding": "gzip"}).get(path, headers={"if-none-match": tag}).status_code == 304


@pytest.mark.both_databases
def test_raw_statements_return_the_same_as_the_orm(season: Season) -> None:
    found = public_reader("spring")
    row = visible_competitions(None).get(slug="spring")
    assert found is not None
    assert found == reader_of(row, None)
    Player.objects.filter(pk=Player.objects.earliest("pk").pk).update(erased_at=timezone.now())
    stored = {player.pk: player for player in Player.objects.all()}
    players = players_by_id(stored)
    assert players.keys() == stored.keys()
    for read, expected in ((found.competition, row), *((players[key], stored[key]) for key in stored)):
        for field in expected._meta.concrete_fields:
            value = getattr(expected, field.attname)
            assert (getattr(read, field.attname), type(getattr(read, field.attname))) == (value, type(value)), field


@pytest.mark.parametrize("status", ["draft", None])
def test_a_competition_that_is_no_longer_public_is_gone_at_once(season: Season, status: str | None) -> None:
    visitor = Client()
    tags = {path: visitor.get(path)["ETag"] for path in (*PAGES, *DOCUMENTS)}
    changed = {"status": status} if status else {"audience": "staff"}
    Competition.objects.filter(pk=season.competition.pk).update(**changed)
    for path, tag in tags.items():
        assert visitor.get(path).status_code == 404, path
        assert visitor.get(path, headers={"if-none-match": tag}).status_code == 404, path


def test_the_public_cache_never_contains_an_organizers_response(season: Season) -> None:
    def responses(client: Client) -> dict[str, Any]:
        return {path: client.get(path) for path in (*PAGES, *DOCUMENTS)}

    before = responses(Client())
    last = Hanchan.objects.get(block=season.block("final"), number=4)
    hold_back(table_session=last.table_session, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.publish()
    held_back = responses(Client())
    season.play(last)
    season.publish()
    cache.clear()
    staff = organizer(season)
    own, after, own_again = responses(staff), responses(Client()), responses(staff)
    for path, public in after.items():
        assert own[path]["Cache-Control"] == "private, no-cache", path
        assert public["Cache-Control"].startswith("public"), path
        assert (public["ETag"], public.content) == (held_back[path]["ETag"], held_back[path].content), path
        assert own[path]["ETag"] not in {before[path]["ETag"], public["ETag"]}, path
        assert own_again[path].content == own[path].content, path


def test_a_client_with_an_expired_session_gets_the_public_response(season: Season) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = "worn-out"
    assert client.get(PAGES[0])["Cache-Control"].startswith("public")
    assert client.get(DOCUMENTS[0])["Cache-Control"].startswith("public")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_cached_document_has_the_headers_of_a_fresh_one(season: Season, path: str) -> None:
    def headers(response: object) -> dict[str, str]:
        return {name: value for name, value in response.headers.items() if name not in OWN_TO_EACH}  # type: ignore[attr-defined]

    visitor = Client()
    fresh, cached = visitor.get(path), visitor.get(path)
    assert headers(cached) == headers(fresh)
    assert cached.content == fresh.content
    assert visitor.head(path)["ETag"] == fresh["ETag"]
    assert visitor.get(path, headers={"if-match": '"other"'}).status_code == 412
    assert visitor.get(path, headers={"accept": "image/png"}).status_code == 406
    assert visitor.get(path, headers={"authorization": "Token none"}).status_code == 401


def test_full_responses_count_against_the_rate_limit_and_304_does_not(season: Season, settings: LazySettings) -> None:
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "read": 3}
    visitor, path = Client(), DOCUMENTS[0]
    tag = visitor.get(path)["ETag"]
    unchanged = [visitor.get(path, headers={"if-none-match": tag}).status_code for _ in range(4)]
    answers = [visitor.get(path).status_code for _ in range(3)]
    assert unchanged == [304] * 4
    assert answers == [200, 200, 429]
    assert visitor.get(path, headers={"if-none-match": tag}).status_code == 429


def test_a_published_result_and_a_new_name_change_the_etag_at_once(season: Season) -> None:
    def tags() -> list[str]:
        return [Client().get(path)["ETag"] for path in (*PAGES, *DOCUMENTS)]

    before = tags()
    season.play_rest("final")
    season.publish()
    played = tags()
    Competition.objects.filter(pk=season.competition.pk).update(name="Another name")
    for path, *three in zip((*PAGES, *DOCUMENTS), before, played, tags(), strict=True):
        assert len(set(three)) == 3, path


class Source:
    """A response that depends on one number and counts its renderings."""

    def __init__(self) -> None:
        self.version, self.render_document = 1, 0

    def read(self, changes: int = 0) -> tuple[str, Callable[[], HttpResponse]]:
        """Return the ETag and a renderer; the number changes during the first `changes` renderings."""
        read = self.version

        def render() -> HttpResponse:
            self.render_document += 1
            time.sleep(0.02)
            self.version += self.render_document <= changes
            return HttpResponse(f"version {read}")

        return f'"{read}"', render


def first_response(source: Source, changes: int = 0) -> HttpResponseBase:
    """Return the response to a first request."""
    request = RequestFactory().get("/somewhere/")
    return cached_response(request, lambda: source.read(changes), is_shared=True)


def test_one_of_several_concurrent_requests_renders_and_the_others_wait() -> None:
    source = Source()
    bodies = together(*[lambda: first_response(source).content] * 4)  # type: ignore[attr-defined]
    assert bodies == [b"version 1"] * 4
    assert source.render_document == 1


def test_a_response_that_changes_while_rendered_is_rendered_again_under_its_own_etag() -> None:
    source = Source()
    response = first_response(source, changes=1)
    assert (response["ETag"], response.content) == ('"2"', b"version 2")  # type: ignore[attr-defined]
    source.version = 1
    assert first_response(source).content == b"version 1"  # type: ignore[attr-defined]
    assert source.render_document == 3, "nothing was cached under the first tag"


def test_a_response_that_keeps_changing_is_sent_without_an_etag() -> None:
    response = first_response(Source(), changes=ATTEMPTS + 1)
    assert "ETag" not in response
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("accepts", "is_packed"),
    [("gzip", True), ("br;q=1.0, gzip;q=0.8", True), ("gzip;q=0", False), ("gzip; q=0.0, br", False), ("br", False)],
)
def test_a_response_is_compressed_for_clients_that_accept_it(accepts: str, *, is_packed: bool) -> None:
    request = RequestFactory().get("/somewhere/", headers={"accept-encoding": accepts})
    response = cached_response(request, Source().read, is_shared=True)
    assert response.has_header("Content-Encoding") == is_packed


def test_a_page_names_the_account_of_who_is_signed_in_and_stays_shareable_for_all_others(client: Client) -> None:
    season = factories.final_table()
    table = factories.table(season.blocks.get())
    first = table.hanchan.earliest("round").pk
    publish_standings(season.pk)
    english = {"accept-language": "en"}
    pages = ("/", "/c/final/", f"/c/final/tables/{table.pk}/", f"/c/final/hanchan/{first}/live/")
    anonymous = {page: Client().get(page, headers=english) for page in pages}
    client.force_login(factories.user("visitor"))
    for page, shared in anonymous.items():
        assert "public" in shared["Cache-Control"], page
        assert "/login/" in shared.content.decode(), page
        own = client.get(page, headers={**english, "if-none-match": shared["ETag"]})
        assert own.status_code == 200, page
        assert "private" in own["Cache-Control"], page
        assert 'href="/account/"' in own.content.decode(), page
        assert "/login/" not in own.content.decode(), page
        assert client.get(page, headers={**english, "if-none-match": own["ETag"]}).status_code == 304, page


def test_only_the_staff_of_a_competition_finds_the_way_from_a_table_to_the_admin(client: Client) -> None:
    season = factories.final_table()
    table = factories.table(season.blocks.get())
    first = table.hanchan.earliest("round").pk
    publish_standings(season.pk)
    ways = {
        f"/c/final/tables/{table.pk}/": f"/admin/league/tablesession/{table.pk}/change/",
        f"/c/final/hanchan/{first}/": f"/admin/league/hanchan/{first}/change/",
    }
    client.force_login(factories.user("reader", Role.READER, season, is_staff=True))
    stranger = Client()
    stranger.force_login(factories.user("visitor"))
    for page, way in ways.items():
        assert f'href="{way}"' in client.get(page).content.decode()
        assert client.get(way).status_code == 200
        assert "/admin/" not in stranger.get(page).content.decode()
        assert "/admin/" not in Client().get(page).content.decode()
