"""The short ways to what everybody may read: as cheap as promised, and the same to the byte as the long ways."""

from __future__ import annotations

import datetime as dt
import gzip

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, Hanchan, Role
from league.selectors.everybody import public_reader
from league.selectors.readers import reader_of, visible_competitions
from league.services.odds import publish_odds
from league.services.scheduling import hold_back
from tests import factories
from tests.league.played_season import BY, Season, almost_finished

pytestmark = pytest.mark.django_db
PAGES = ("/c/spring/", "/c/spring/blocks/A/", "/c/spring/odds/", "/c/spring/records/")
DOCUMENTS = (
    "/api/v1/competitions/spring/bracket/",
    "/api/v1/standings/?competition=spring",
    "/api/v1/standings/?competition=spring&format=csv",
    "/api/v1/competitions/spring/odds/",
)
OWN_TO_EACH = {"X-Request-ID", "Content-Length"}


@pytest.fixture
def season() -> Season:
    made = almost_finished()
    publish_odds(made.competition.pk)
    return made


def organizer(season: Season) -> Client:
    client = Client()
    client.force_login(factories.user("organizer", Role.DIRECTOR, season.competition))
    return client


@pytest.mark.parametrize("path", [*PAGES, *DOCUMENTS])
def test_what_has_not_changed_costs_one_query(season: Season, path: str) -> None:
    visitor = Client()
    tag = visitor.get(path)["ETag"]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert visitor.get(path, headers={"if-none-match": tag}).status_code == 304
    assert len(queries) == 1
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert visitor.get(path).status_code == 200
    assert len(queries) == 1


@pytest.mark.parametrize("path", PAGES)
def test_a_page_packed_once_is_the_page_for_those_who_unpack_and_those_who_do_not(season: Season, path: str) -> None:
    packed = Client(headers={"accept-encoding": "br, gzip"}).get(path)
    plain = Client().get(path)
    assert (packed["Content-Encoding"], plain.get("Content-Encoding")) == ("gzip", None)
    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert packed["Vary"] == plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]
    for tag in (packed["ETag"], plain["ETag"]):
        assert Client(headers={"accept-encoding": "gzip"}).get(path, headers={"if-none-match": tag}).status_code == 304


def test_everybody_s_reader_is_the_one_that_is_found_the_long_way(season: Season) -> None:
    found = public_reader("spring")
    row = visible_competitions(None).get(slug="spring")
    assert found is not None
    assert found == reader_of(row, None)
    for field in Competition._meta.concrete_fields:
        assert getattr(found.competition, field.attname) == getattr(row, field.attname), field.name


@pytest.mark.parametrize("status", ["draft", None])
def test_a_competition_nobody_may_know_of_is_gone_at_once_on_every_way(season: Season, status: str | None) -> None:
    visitor = Client()
    tags = {path: visitor.get(path)["ETag"] for path in (*PAGES, *DOCUMENTS)}
    changed = {"status": status} if status else {"audience": "staff"}
    Competition.objects.filter(pk=season.competition.pk).update(**changed)
    for path, tag in tags.items():
        assert visitor.get(path).status_code == 404, path
        assert visitor.get(path, headers={"if-none-match": tag}).status_code == 404, path


@pytest.mark.both_databases
@pytest.mark.parametrize("path", [*PAGES, *DOCUMENTS])
def test_what_is_kept_for_everybody_never_holds_what_an_organizer_read_first(season: Season, path: str) -> None:
    before = Client().get(path)
    last = Hanchan.objects.get(block=season.block("final"), number=4)
    hold_back(table_session=last.table_session, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.publish()
    held_back = Client().get(path)
    season.play(last)
    season.publish()
    cache.clear()
    own = organizer(season).get(path)
    assert own["Cache-Control"] == "private, no-cache"
    after = Client().get(path)
    assert after["Cache-Control"].startswith("public")
    assert (after["ETag"], after.content) == (held_back["ETag"], held_back.content)
    assert own["ETag"] not in {before["ETag"], after["ETag"]}
    assert organizer_reads_their_own_again(season, path) == own.content


def organizer_reads_their_own_again(season: Season, path: str) -> bytes:
    client = Client()
    client.force_login(season.competition.memberships.get().user)
    return client.get(path).content


def test_a_session_that_is_none_any_more_is_everybody(season: Season) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = "worn-out"
    assert client.get(PAGES[0])["Cache-Control"].startswith("public")
    assert client.get(DOCUMENTS[0])["Cache-Control"].startswith("public")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_is_the_same_on_the_short_way_header_by_header(season: Season, path: str) -> None:
    def headers(response: object) -> dict[str, str]:
        return {name: value for name, value in response.headers.items() if name not in OWN_TO_EACH}  # type: ignore[attr-defined]

    visitor = Client()
    long, short = visitor.get(path), visitor.get(path)
    assert headers(short) == headers(long)
    assert short.content == long.content
    assert visitor.head(path)["ETag"] == long["ETag"]
    assert visitor.get(path, headers={"if-match": '"other"'}).status_code == 412
    assert visitor.get(path, headers={"accept": "image/png"}).status_code == 406
    assert visitor.get(path, headers={"authorization": "Token none"}).status_code == 401


def test_reading_the_short_way_counts_like_any_other(season: Season, settings: object) -> None:
    visitor = Client()
    cache.clear()
    for _ in range(2):
        assert visitor.get(DOCUMENTS[0]).status_code == 200
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "read": 3}  # type: ignore[attr-defined]
    answers = [visitor.get(DOCUMENTS[0]).status_code for _ in range(3)]
    assert answers == [200, 429, 429]
