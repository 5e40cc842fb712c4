"""Tests of the iCalendar feeds: their content, data that must not appear, and how clients detect changes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from league.models import Competition, Hanchan, TableSession
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.competitions.schedule import hold_back
from league.services.seasons.line_ups import name_line_up
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, in_block, league, play, table
from tests.league.shared import fresh
from tests.league.team_league import team_league

pytestmark = pytest.mark.django_db
EVENING = dt.datetime(2026, 12, 5, 10, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def made(shared_rows: None) -> Competition:
    return league()


@pytest.fixture
def season(made: Competition) -> Competition:
    return fresh(made)


@pytest.fixture
def evening(season: Competition) -> TableSession:
    """Return a table of block A with two hanchan at 19:00 in Tokyo."""
    made = table(
        season.blocks.get(key="A"),
        numbers=(1, 2),
        table="1卓",
        starts_at=EVENING,
        venue="灯火荘",
        stream_url="https://watch.example/1",
    )
    publish_standings(season.pk)
    return made


def read(path: str = "/c/spring/calendar.ics", **headers: str) -> Calendar:
    answer = Client(headers=headers).get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content)


def events(path: str = "/c/spring/calendar.ics", **headers: str) -> list[Any]:
    return read(path, **headers).walk("VEVENT")


def test_a_calendar_links_to_the_host_of_the_request(evening: TableSession) -> None:
    here, there = (
        Client().get("/c/spring/calendar.ics", headers={"host": host}) for host in ("localhost:8000", "testserver")
    )
    assert f"http://localhost:8000/c/spring/tables/{evening.pk}/" in here.content.decode().replace("\r\n ", "")
    assert f"http://testserver/c/spring/tables/{evening.pk}/" in there.content.decode().replace("\r\n ", "")
    assert here["ETag"] != there["ETag"]


def test_the_second_of_two_equal_times_on_the_day_the_clocks_go_back_is_told_in_utc(season: Competition) -> None:
    Competition.objects.filter(pk=season.pk).update(time_zone="America/New_York")
    twice = dt.datetime(2026, 11, 1, 5, 30, tzinfo=dt.UTC)  # 01:30, and again an hour later
    for number, starts_at in enumerate((twice, twice + dt.timedelta(hours=1)), start=1):
        table(season.blocks.get(key="A"), numbers=(number,), starts_at=starts_at)
    publish_standings(season.pk)
    # As numbers: Python takes a time that occurs twice for equal to none in another zone.
    told = [(event["dtstart"].dt.timestamp(), event["dtend"].dt.timestamp()) for event in events()]
    begin, hour = twice.timestamp(), 3600
    assert told == [(begin, begin + hour), (begin + hour, begin + 2 * hour)]


def edit(row: TableSession, **words: Any) -> None:
    edit_table_session(
        table_session=row, words=TableWords(**{"table": row.table, "starts_at": row.starts_at} | words), by=SYSTEM
    )
    publish_standings(row.competition_id)


def test_a_table_is_an_event_with_time_zone_venue_stream_and_players(evening: TableSession) -> None:
    file = read("/c/spring/calendar.ics?lang=en")
    event: Any = file.walk("VEVENT")[0]
    assert event.start == EVENING
    assert str(event.start.tzinfo) == "Asia/Tokyo"
    assert [str(zone["TZID"]) for zone in file.walk("VTIMEZONE")] == ["Asia/Tokyo"]
    assert event.end - event.start == dt.timedelta(hours=2)
    assert event["SUMMARY"] == "Spring League Block A Table 1"
    assert event["LOCATION"] == "灯火荘"
    assert event["URL"] == "https://watch.example/1"
    assert "Player A1, Player A2, Player A3, Player A4" in event["DESCRIPTION"]
    assert f"/c/spring/tables/{evening.pk}/" in event["DESCRIPTION"]


@pytest.mark.both_databases
def test_a_team_is_named_with_the_member_who_sits_for_it() -> None:
    made = team_league(1)
    game = Hanchan.objects.filter(state="scheduled", seats__entrant=made.teams[0]).earliest("number")
    name_line_up(hanchan=game, entrant=made.teams[0], player=made.members[0][0], by=SYSTEM)
    made.publish()
    told = [event["DESCRIPTION"].split("\n")[1] for event in events("/c/teams/calendar.ics?lang=ja")]
    assert told[0] == "石橋 あきら (浅間)、上原 あきら (琵琶湖)、江口 あきら (八雲)、青山 あきら (港)"
    assert told[2] == "紀州クレインズ、白河フォックス、青山 あきら (港)、琵琶湖スワンズ"


@pytest.mark.parametrize("stored", ["ftp://watch.example/1", "javascript:alert(1)", "data:text/html,x"])
def test_a_stream_url_that_is_not_http_is_never_rendered_as_a_link(evening: TableSession, stored: str) -> None:
    TableSession.objects.update(stream_url=stored)
    publish_standings(evening.competition_id)
    (event,) = events("/c/spring/calendar.ics?lang=en")
    assert event["URL"].endswith(f"/c/spring/tables/{evening.pk}/")
    assert "Stream" not in event["DESCRIPTION"]
    for path in (f"/c/spring/tables/{evening.pk}/", "/c/spring/sessions/", f"/api/v1/table-sessions/{evening.pk}/"):
        answer = Client().get(path)
        assert answer.status_code == 200, path
        assert stored not in answer.content.decode()


def test_the_language_comes_from_the_url_or_else_from_the_request_header(evening: TableSession) -> None:
    (japanese,) = events("/c/spring/calendar.ics?lang=ja", **{"accept-language": "en"})
    (english,) = events(**{"accept-language": "en"})
    assert "春リーグ" in japanese["SUMMARY"]
    assert "Spring League" in english["SUMMARY"]


@pytest.mark.both_databases
def test_a_change_keeps_the_uid_and_raises_the_sequence(evening: TableSession) -> None:
    (before,) = events()
    edit(evening, starts_at=EVENING + dt.timedelta(hours=1))
    edit(evening, starts_at=EVENING + dt.timedelta(hours=1), venue="卓球荘")
    (after,) = events()
    assert after["UID"] == before["UID"]
    assert (before["SEQUENCE"], after["SEQUENCE"]) == (0, 2)
    assert after["LAST-MODIFIED"].dt >= before["LAST-MODIFIED"].dt
    assert after.start == EVENING + dt.timedelta(hours=1)


@pytest.mark.both_databases
def test_a_cancelled_table_stays_in_the_calendar_as_cancelled(evening: TableSession) -> None:
    edit(evening, is_cancelled=True)
    (event,) = events()
    assert event["STATUS"] == "CANCELLED"
    assert event["TRANSP"] == "TRANSPARENT"
    assert event["SEQUENCE"] == 1


def test_the_name_of_a_calendar_is_escaped_as_texts_are(season: Competition) -> None:
    Competition.objects.filter(pk=season.pk).update(name="春, 夏; \\n杯")
    lines = Client().get("/c/spring/calendar.ics").content.decode().split("\r\n")
    assert [line for line in lines if "NAME" in line] == [
        "NAME:春\\, 夏\\; \\\\n杯",
        "X-WR-CALNAME:春\\, 夏\\; \\\\n杯",
    ]


def test_a_table_without_a_start_time_is_in_no_calendar(season: Competition) -> None:
    table(season.blocks.get(key="A"))
    assert events() == []


def test_an_embargoed_table_changes_neither_the_public_calendar_nor_its_etag(
    season: Competition, evening: TableSession
) -> None:
    before = Client().get("/c/spring/calendar.ics")
    held_back = table(
        season.blocks.get(key="B"), starts_at=EVENING, public_at=timezone.now() + dt.timedelta(days=1), numbers=(1,)
    )
    publish_standings(season.pk)
    after = Client().get("/c/spring/calendar.ics")
    assert (after.content, after["ETag"]) == (before.content, before["ETag"])
    assert events("/c/spring/blocks/B/calendar.ics") == []
    hold_back(table_session=held_back, until=None, by=SYSTEM)
    publish_standings(season.pk)
    assert len(events()) == 2


@pytest.mark.both_databases
def test_each_block_and_each_player_has_its_own_calendar(season: Competition, evening: TableSession) -> None:
    other = table(season.blocks.get(key="B"), starts_at=EVENING, numbers=(1,))
    publish_standings(season.pk)
    by_table = {event["UID"].split(".")[0]: event["UID"] for event in events()}
    assert set(by_table) == {f"table-{evening.pk}", f"table-{other.pk}"}
    for path in (
        "/c/spring/blocks/A/calendar.ics",
        f"/c/spring/players/{in_block(evening.block)[0].player.key}/calendar.ics",
    ):
        assert [event["UID"] for event in events(path)] == [by_table[f"table-{evening.pk}"]]
    assert events(f"/c/spring/players/{in_block(evening.block)[4].player.key}/calendar.ics") == []


def test_an_unchanged_calendar_answers_304(evening: TableSession) -> None:
    first = Client().get("/c/spring/calendar.ics")
    again = Client(headers={"if-none-match": first["ETag"]}).get("/c/spring/calendar.ics")
    assert again.status_code == 304
    play(evening.hanchan.get(round=1))
    publish_standings(evening.competition_id)
    assert Client(headers={"if-none-match": first["ETag"]}).get("/c/spring/calendar.ics").status_code == 200


def test_a_subscription_redirects_to_a_webcal_url(evening: TableSession) -> None:
    answer = Client().get("/c/spring/calendar.ics?subscribe&lang=en")
    assert answer.status_code == 302
    assert answer["Location"] == "webcal://testserver/c/spring/calendar.ics?lang=en"


@pytest.mark.parametrize(
    "path", ["/c/none/calendar.ics", "/c/spring/blocks/Z/calendar.ics", "/c/spring/players/nobody/calendar.ics"]
)
def test_a_calendar_of_an_unknown_row_answers_404(season: Competition, path: str) -> None:
    assert Client().get(path).status_code == 404


def test_an_open_table_has_no_calendar() -> None:
    league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    assert Client().get("/c/parlour/calendar.ics").status_code == 404


@pytest.mark.parametrize(
    ("page", "calendar"),
    [
        ("/c/spring/sessions/", "/c/spring/calendar.ics"),
        ("/c/spring/blocks/A/", "/c/spring/blocks/A/calendar.ics"),
        ("/c/spring/players/spring-a1/", "/c/spring/players/spring-a1/calendar.ics"),
    ],
)
def test_pages_link_to_their_calendar(season: Competition, page: str, calendar: str) -> None:
    assert f'href="{calendar}?subscribe' in Client().get(page).content.decode()
