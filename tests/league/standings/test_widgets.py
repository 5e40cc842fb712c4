"""Test embedded widgets: framing policy, content, theme, language and the embargo."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from league.models import Competition, Role
from league.services.standings.publishing import publish_standings
from tests.factories import final_table, league, play, table, user

pytestmark = pytest.mark.django_db
WIDGETS = ("/embed/spring/standings/", "/embed/spring/ladder/", "/embed/spring/next/")


@pytest.fixture(scope="module")
def published(shared_rows: None) -> Competition:
    competition = league()
    play(table(competition.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def season(published: Competition) -> Competition:
    return Competition.objects.get(pk=published.pk)


def text(path: str, client: Client | None = None) -> str:
    answer = (client or Client(headers={"accept-language": "en"})).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("path", WIDGETS)
def test_only_the_configured_sites_may_frame_widgets(season: Competition, settings: LazySettings, path: str) -> None:
    alone = Client().get(path)
    assert "frame-ancestors 'self';" in f"{alone['Content-Security-Policy']};"
    settings.FRAME_HOSTS = ["https://club.example", "https://blog.example"]
    answer = Client().get(path)
    assert "frame-ancestors 'self' https://club.example https://blog.example" in answer["Content-Security-Policy"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer


@pytest.mark.parametrize("path", ["/", "/c/spring/", "/c/spring/blocks/A/", "/players/", "/c/spring/calendar.ics"])
def test_other_pages_cannot_be_framed(season: Competition, path: str) -> None:
    answer = Client().get(path)
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


def test_the_standings_widget_shows_every_block_or_the_requested_one(season: Competition) -> None:
    whole = text("/embed/spring/standings/")
    assert "Player A1" in whole
    assert "51.2" in whole
    assert "Player B1" in whole
    one = text("/embed/spring/standings/?block=A")
    assert "Player A1" in one
    assert "Player B1" not in one
    assert Client().get("/embed/spring/standings/?block=Z").status_code == 404


def test_the_ladder_widget_has_a_drawing_and_a_list(season: Competition) -> None:
    ladder = text("/embed/spring/ladder/")
    assert "<svg" in ladder
    assert '<ol class="stages narrow">' in ladder


def test_a_ladder_of_one_stage_is_only_a_list() -> None:
    final_table()
    assert '<ol class="stages">' in text("/embed/final/ladder/")


@pytest.mark.parametrize("path", WIDGETS)
def test_theme_and_language_are_set_by_the_url(season: Competition, path: str) -> None:
    assert 'lang="ja" data-theme="dark"' in text(f"{path}?theme=dark&lang=ja")
    assert 'lang="en" data-theme="light"' in text(
        f"{path}?theme=light&lang=en", Client(headers={"accept-language": "ja"})
    )
    assert 'data-theme="auto"' in text(f"{path}?theme=<b>")


@pytest.mark.parametrize("path", WIDGETS)
def test_a_widget_has_an_etag_per_theme_and_language(season: Competition, path: str) -> None:
    first = Client().get(f"{path}?lang=en")
    assert Client(headers={"if-none-match": first["ETag"]}).get(f"{path}?lang=en").status_code == 304
    for other in ("?lang=ja", "?lang=en&theme=dark"):
        assert Client(headers={"if-none-match": first["ETag"]}).get(path + other).status_code == 200


@pytest.mark.both_databases
def test_a_widget_shows_organizers_only_the_public_data(season: Competition) -> None:
    recorded = table(season.blocks.get(key="B"), public_at=timezone.now() + dt.timedelta(days=1))
    play(recorded.hanchan.get(round=1), (70000, 20000, 10000, 0), accept={"extreme_score"})
    publish_standings(season.pk)
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(user(role=Role.DIRECTOR, competition=season))
    assert "80.0" in text("/c/spring/blocks/B/", staff)
    assert "80.0" not in text("/embed/spring/standings/", staff)


def test_drafts_cannot_be_framed() -> None:
    final_table("draft", status=None)
    staff = Client()
    staff.force_login(user(is_superuser=True))
    assert staff.get("/embed/draft/standings/").status_code == 404


@pytest.mark.parametrize("path", WIDGETS)
def test_a_widget_has_no_inline_style_or_script(season: Competition, path: str) -> None:
    page = text(path)
    assert " style=" not in page
    assert "<script" not in page
    assert page.count("<h1") == 1


def test_a_widget_shows_no_session_after_the_one_in_its_url(season: Competition) -> None:
    assert "51.2" in text("/embed/spring/standings/?until=1")
    assert "51.2" not in text("/embed/spring/standings/?until=0")
    assert "51.2" in text("/embed/spring/standings/?until=")
