"""The hall's screen, and what organizers put on it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Announcement, Change, Role, Session
from league.platform.errors import PermissionRefusedError, ServiceError
from league.services.competitions.announcements import announce, set_timer, take_down
from tests import factories
from tests.league.played_season import BY, Season, preliminary

pytestmark = pytest.mark.django_db
ADDRESS = "/c/spring/projector/"


def text(path: str = ADDRESS, language: str = "en") -> str:
    """What the hall sees."""
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200
    return response.content.decode()


def under_way() -> tuple[Season, Session]:
    """A preliminary in its second evening."""
    season = preliminary(5)
    return season, season.competition.sessions.get(number=2)


def test_the_screen_has_every_block_under_way_the_latest_results_and_what_comes_next() -> None:
    under_way()
    page = text()
    assert page.count('<section class="slide">') == 4
    for words in ("Block A", "Block B", "Latest results", "Next", "Hoshino Rin"):
        assert words in page
    assert 'data-live="/c/spring/version/"' in page
    assert " style=" not in page


def test_the_screen_says_so_while_there_is_nothing_to_show() -> None:
    Season()
    assert "Nothing to show yet." in text()


@pytest.mark.both_databases
def test_the_clock_and_announcements_stand_there_until_they_are_taken_away() -> None:
    season, session = under_way()
    ends_at = timezone.now() + dt.timedelta(minutes=20)
    set_timer(session=session, ends_at=ends_at, by=BY)
    made = announce(session=session, text="次戦は5分後", text_en="Next game in five minutes", by=BY)
    season.publish()
    page = text()
    assert 'class="timer"' in page
    assert "Next game in five minutes" in page
    assert "次戦は5分後" in text(language="ja")
    set_timer(session=session, ends_at=None, by=BY)
    take_down(announcement=made, by=BY)
    season.publish()
    page = text()
    assert 'class="timer"' not in page
    assert "Next game in five minutes" not in page
    kinds = set(Change.objects.values_list("kind", flat=True))
    assert {"session.timer_set", "session.announced", "session.announcement_ended"} <= kinds


def test_what_cannot_be_is_refused_with_the_reason() -> None:
    season, session = under_way()
    reader = factories.actor(factories.user("guest", Role.READER, season.competition))
    with pytest.raises(ServiceError, match="passed"):
        set_timer(session=session, ends_at=timezone.now() - dt.timedelta(minutes=1), by=BY)
    with pytest.raises(ServiceError, match="nothing to announce"):
        announce(session=session, text="  ", by=BY)
    with pytest.raises(PermissionRefusedError):
        announce(session=session, text="x", by=reader)
    made = announce(session=session, text="x", by=BY)
    take_down(announcement=made, by=BY)
    with pytest.raises(ServiceError, match="already"):
        take_down(announcement=made, by=BY)


@pytest.mark.both_databases
def test_organizers_do_it_from_the_sessions_page() -> None:
    season, session = under_way()
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(factories.user("boss", Role.DIRECTOR, season.competition, is_staff=True))
    at = f"/admin/league/session/{session.pk}/"
    assert desk.post(f"{at}timer/", {"minutes": "15"}).status_code == 302
    session.refresh_from_db()
    assert session.timer_ends_at is not None
    assert desk.post(f"{at}announce/", {"text": "昼休み"}).status_code == 302
    made = Announcement.objects.get()
    assert "昼休み" in desk.get(f"{at}take-down/").content.decode()
    assert desk.post(f"{at}take-down/", {"announcement": made.pk}).status_code == 302
    assert not Announcement.objects.filter(ended_at=None).exists()
    assert desk.post(f"{at}timer/", {"minutes": ""}).status_code == 302
    session.refresh_from_db()
    assert session.timer_ends_at is None


def test_the_hall_is_told_nothing_of_a_session_the_screen_guards() -> None:
    season, _session = under_way()
    client = Client(headers={"accept-language": "en"})
    client.get("/c/spring/?until=0")
    page = client.get(ADDRESS).content.decode()
    assert "Latest results" not in page
    assert "All results are hidden." in page
    assert season.competition.slug in page
