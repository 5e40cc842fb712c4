"""Tests of the pages "broadcast and share"."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from league.models import Competition, Role
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


def page_of(path: str, language: str = "en", host: str = "league.example", client: Client | None = None) -> str:
    """Return a page's text; require status 200."""
    response = (client or Client()).get(path, headers={"accept-language": language, "host": host})
    assert response.status_code == 200, path
    return response.content.decode()


@pytest.fixture(scope="module")
def made(shared_rows: None) -> Competition:
    """Publish a league with one table."""
    competition = factories.final_table()
    factories.table(competition.blocks.get(), starts_at=dt.datetime(2027, 1, 9, 10, tzinfo=dt.UTC), venue="Lantern")
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def league(made: Competition, settings: LazySettings) -> Competition:
    """Return the league, at any host."""
    settings.ALLOWED_HOSTS, settings.BASE_URL = ["*"], ""
    return fresh(made)


def test_every_visitor_finds_overlay_widgets_hall_screen_code_and_posts(league: Competition) -> None:
    table = league.table_sessions.get()
    for language, words in (("en", "Broadcast and share"), ("ja", "配信・共有")):
        page = page_of("/c/final/share/", language)
        assert words in page
        for address in (
            f"/overlay/{table.pk}/",
            "/embed/final/standings/",
            "/embed/final/ladder/",
            "/c/final/projector/",
        ):
            assert f"http://league.example{address}" in page, address
        assert "&lt;iframe src=" in page
        assert "<svg" in page[page.index('class="qr"') :]
        for post in ("standings, schedule and results are online.", "Lantern"):
            assert post in page
    assert "/c/final/share/" in page_of("/c/final/")


def test_a_table_has_a_page_of_its_own_that_its_page_links(league: Competition) -> None:
    table = league.table_sessions.get()
    address = f"/c/final/tables/{table.pk}/share/"
    assert address in page_of(f"/c/final/tables/{table.pk}/")
    page = page_of(address)
    assert page.count(f"http://league.example/overlay/{table.pk}/") == 1
    assert "/embed/" not in page, "widgets show the whole competition"


def test_the_cached_page_of_one_host_is_not_served_to_another(league: Competition) -> None:
    assert "http://one.example/c/final/" in page_of("/c/final/share/", host="one.example")
    assert "one.example" not in page_of("/c/final/share/", host="two.example")


def test_the_sites_that_may_show_widgets_are_named(league: Competition, settings: LazySettings) -> None:
    assert "FRAME_HOSTS" in page_of("/c/final/share/")
    settings.FRAME_HOSTS = ["https://club.example"]
    assert "https://club.example" in page_of("/c/final/share/")


def test_an_embargoed_table_is_on_no_page_for_the_public(league: Competition) -> None:
    hidden = factories.table(
        league.blocks.get(), numbers=(4,), public_at=timezone.now() + dt.timedelta(days=2), venue="Secret hall"
    )
    publish_standings(league.pk)
    assert f"/overlay/{hidden.pk}/" not in page_of("/c/final/share/")
    assert Client().get(f"/c/final/tables/{hidden.pk}/share/").status_code == 404


def test_an_open_table_shares_its_address_and_standings_alone() -> None:
    hall = factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    factories.table(hall.blocks.get(), factories.entrants(hall, 4), (1,))
    publish_standings(hall.pk)
    page = page_of(f"/c/{hall.slug}/share/", host="testserver")
    assert f"/embed/{hall.slug}/standings/" in page
    for absent in ("/overlay/", f"/embed/{hall.slug}/ladder/", "/projector/", '<textarea class="snippet" id="post'):
        assert absent not in page, absent


def test_a_draft_says_that_its_addresses_open_later() -> None:
    factories.league("draft", status=None)
    assert Client().get("/c/draft/share/").status_code == 404
    staff = Client()
    staff.force_login(factories.user("reader", Role.READER, Competition.objects.get(slug="draft")))
    assert "is a draft" in page_of("/c/draft/share/", host="testserver", client=staff)
