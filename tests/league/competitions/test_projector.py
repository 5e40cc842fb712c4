"""Tests of the projector page in the hall and of the timer and announcements that organizers put on it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Announcement, Change, Role, Session
from league.platform.errors import PermissionRefusedError, ServiceError
from league.services.competitions.announcements import announce, set_timer, take_down
from league.services.live.log import NewEvent, append_events
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.played_season import BY, Season, preliminary

pytestmark = pytest.mark.django_db
ADDRESS = "/c/spring/projector/"


def text(path: str = ADDRESS, language: str = "en") -> str:
    """Return the page that the projector shows."""
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200
    return response.content.decode()


def running_preliminary() -> tuple[Season, Session]:
    """Return a preliminary in its second session, and that session."""
    season = preliminary(5)
    return season, season.competition.sessions.get(number=2)


def test_the_projector_shows_running_blocks_latest_results_and_next_tables() -> None:
    running_preliminary()
    page = text()
    assert page.count('<section class="slide">') == 4
    for words in ("Block A", "Block B", "Latest results", "Next", "Hoshino Rin"):
        assert words in page
    assert 'data-live="/c/spring/version/"' in page
    assert " style=" not in page


@pytest.mark.both_databases
def test_a_running_game_puts_its_block_in_the_order_that_it_would_have_if_it_ended_now() -> None:
    competition = factories.final_table()
    games = list(factories.table(competition.blocks.get()).hanchan.order_by("round"))
    factories.play(games[0], (41_200, 30_100, 18_700, 10_000))
    publish_standings(competition.pk)
    won = {"type": "ron", "loser": 0, "wins": [{"seat": 3, "value": {"limit": "yakuman"}}]}
    events = [NewEvent("begin", "start", {}), NewEvent("won", "entry", {"entry": won})]
    append_events(hanchan=games[1], events=events, after=0, by=factories.SYSTEM)
    screen = f"/c/final/hanchan/{games[1].pk}/live/screen/"
    page = text("/c/final/projector/")
    assert f'data-now="{screen}"' in page
    assert 'class="qr"' in page
    assert re.findall(r"p-tot[^>]*>([^<]+)<", page)[0] == "51.2"
    now = text(screen, "ja")
    assert "いま終われば" in now
    assert "敗退" not in now, "nothing is certain while it is played"
    players, totals = re.findall(r"</span><span>(final\d)", now), re.findall(r"p-tot[^>]*>([^<]+)<", now)
    assert players[0] == "final4", "the yakuman leads past the published first"
    assert totals == sorted(totals, key=lambda total: -float(total.replace("▲", "-")))


def test_the_projector_shows_a_message_while_there_is_nothing_to_show() -> None:
    Season()
    assert "Nothing to show yet." in text()


@pytest.mark.both_databases
def test_the_timer_and_announcements_are_shown_until_they_are_removed() -> None:
    season, session = running_preliminary()
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


def test_invalid_timers_and_announcements_are_rejected_with_a_reason() -> None:
    season, session = running_preliminary()
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
def test_organizers_set_timer_and_announcements_in_the_admin() -> None:
    season, session = running_preliminary()
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


def test_the_projector_hides_the_results_that_the_spoiler_guard_hides() -> None:
    season, _session = running_preliminary()
    client = Client(headers={"accept-language": "en"})
    client.get("/c/spring/?until=0")
    page = client.get(ADDRESS).content.decode()
    assert "Latest results" not in page
    assert "All results are hidden." in page
    assert season.competition.slug in page
