"""The offer to pass on a published league: its address, QR code, posts, and the next session."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone, translation

from league.models import Audience, Competition, TableSession
from league.selectors.competitions.opening_posts import opening_posts
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import set_status
from league.web.access.shared_links import qr_code
from tests.factories import SYSTEM, final_table, play_all, table, user
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
AT = dt.datetime(2027, 1, 9, 3, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def made(shared_rows: None) -> Competition:
    """Publish a league with one table at noon in Tokyo."""
    season = final_table("final", name="灯火杯", name_en="Lamp Cup")
    made = table(season.blocks.get(), numbers=(1,))
    TableSession.objects.filter(pk=made.pk).update(starts_at=AT, venue="灯火")
    return season


@pytest.fixture
def season(made: Competition) -> Competition:
    """Return the league."""
    return fresh(made)


def posts(season: Competition) -> dict[str, str]:
    """Return the posts by language."""
    return {post.language: post.text for post in opening_posts(season, "https://example.org/c/final/")}


@pytest.mark.both_databases
def test_a_post_in_each_language_names_the_next_session_and_the_address(season: Competition) -> None:
    with translation.override("ja"):
        assert list(posts(season)) == ["ja", "en"]
    found = posts(season)
    assert found["ja"].splitlines()[0] == "「灯火杯」の成績・日程・結果を公開しています。"
    assert found["en"].splitlines()[0] == "Lamp Cup: standings, schedule and results are online."
    for text in found.values():
        assert "12:00 灯火" in text.splitlines()[1]
        assert text.splitlines()[-1] == "https://example.org/c/final/"


def test_a_table_held_back_and_a_season_played_to_its_end_are_not_announced(season: Competition) -> None:
    there = TableSession.objects.get()
    hold_back(table_session=there, until=timezone.now() + dt.timedelta(days=400), by=SYSTEM)
    assert len(posts(season)["en"].splitlines()) == 2
    TableSession.objects.update(is_released=True)
    play_all(there, (40000, 30000, 20000, 10000))
    assert len(posts(season)["en"].splitlines()) == 2


def test_the_page_after_publishing_offers_the_address_and_leads_on(client: Client, season: Competition) -> None:
    client.force_login(user("root", is_staff=True, is_superuser=True))
    page = f"/admin/league/competition/{season.pk}/set-up-publish/"
    shown = client.get(page, headers=ENGLISH).content.decode()
    assert 'value="http://testserver/c/final/"' in shown
    assert qr_code("http://testserver/c/final/") in shown
    assert f"/admin/league/session/{TableSession.objects.get().session_id}/night/" in shown
    desk = client.get(f"/admin/league/competition/{season.pk}/change/", headers=ENGLISH).content.decode()
    offer = desk[desk.index('aria-labelledby="share-title"') :].split("</section>")[0]
    assert "/night/" not in offer, "the dashboard names the next session above"
    assert "this machine only" not in shown
    local = client.get(page, headers={**ENGLISH, "host": "localhost:8000"}).content.decode()
    assert "Phones cannot open localhost:8000: it leads to this machine only" in local
    Competition.objects.update(audience=Audience.STAFF)
    assert "share-address" not in client.get(page, headers=ENGLISH).content.decode()
    Competition.objects.update(audience=Audience.PUBLIC)
    set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)
    assert "share-address" not in client.get(page, headers=ENGLISH).content.decode()


def test_a_new_webhook_warns_that_its_messages_lead_to_this_machine_only(
    client: Client, season: Competition, settings: LazySettings
) -> None:
    client.force_login(user("root", is_staff=True, is_superuser=True))
    page = f"/admin/league/webhooksubscription/add/?competition={season.pk}"
    assert "which other machines cannot open" in client.get(page, headers=ENGLISH).content.decode()
    settings.BASE_URL = "https://league.example.org"
    assert "which other machines cannot open" not in client.get(page, headers=ENGLISH).content.decode()
