"""Tests of the pages of an event's hall: seats by name and by table, round clock, state of tables, slips of a round."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Competition, Hanchan, HanchanSeat, Player, Role, RulesetRevision, Session, TableLink
from league.platform.errors import ConflictError, RuleViolationError
from league.services.competitions.announcements import extend_timer, set_timer
from league.services.competitions.seating import swap_players
from league.services.live.links import make_link, make_scorer_links
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.large_fields import large_league, open_field
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Competition:
    """An open field of 24 with four rounds in one session, the first of them played."""
    return large_league(open_field(24, 4, 1, 8), rounds=1)


@pytest.fixture
def event(played: Competition) -> Competition:
    return fresh(played)


def session_of(event: Competition) -> Session:
    return event.sessions.order_by("number")[0]


def page(path: str, language: str = "en", status: int = 200) -> str:
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == status
    return response.content.decode()


def director(event: Competition) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("chief", Role.DIRECTOR, event, is_staff=True))
    return client


def unseat(event: Competition, number: int) -> None:
    """Take the seats of a round away, as before it is paired."""
    HanchanSeat.objects.filter(hanchan__block__competition=event, hanchan__number=number).delete()
    publish_standings(event.pk)


def test_the_seats_of_the_round_to_be_played_are_listed_by_name_and_by_table(event: Competition) -> None:
    event.entrants.filter(number=1).update(affiliation="Riga Club")
    event.entrants.filter(number=2).update(country="Latvia")
    shown = page("/c/large/sessions/1/seats/")
    assert "Hanchan 2" in shown
    assert shown.count("<li><span><a") == 24
    assert "Riga Club" in shown
    assert "Latvia" in shown
    seat = HanchanSeat.objects.select_related("hanchan__table_session", "entrant__player").get(
        hanchan__block__competition=event, hanchan__number=2, entrant__number=1
    )
    row = re.search(rf"players/{seat.entrant.player.key}/.*?</li>", shown)
    assert row
    assert ">East<" in row[0] or ">South<" in row[0] or ">West<" in row[0] or ">North<" in row[0]
    found = page("/c/large/sessions/1/seats/3/?q=24")
    assert found.count("<li><span><a") == 1
    assert "Hanchan 3" in found
    page("/c/large/sessions/1/seats/99/", status=404)
    assert page("/c/large/sessions/1/seats/screen/").count('class="slide"') == 2


def test_names_stand_in_the_order_of_their_readings_under_the_rows_of_the_kana_table(event: Competition) -> None:
    people = list(Player.objects.filter(entrants__competition=event).order_by("pk"))
    for player, kana in zip(people, ("ワタナベ", "がとう", "あおき"), strict=False):
        player.name_kana = kana
        player.save()
    publish_standings(event.pk)
    shown = page("/c/large/sessions/1/seats/", "ja")
    places = [shown.index(f"players/{people[place].key}/") for place in (2, 1, 0)]
    assert places == sorted(places)


def test_a_round_that_is_not_paired_yet_says_when_it_will_be(event: Competition) -> None:
    unseat(event, 2)
    assert "Round 2 is paired after the results of round 1." in page("/c/large/sessions/1/seats/")
    assert "Round 2 is paired after the results of round 1." in page("/c/large/sessions/1/seats/screen/")


@pytest.mark.both_databases
def test_the_clock_is_extended_from_its_end_or_from_now_if_time_is_up(event: Competition) -> None:
    session = session_of(event)
    with pytest.raises(ConflictError):
        extend_timer(session=session, minutes=5, by=factories.SYSTEM)
    ends_at = timezone.now() + dt.timedelta(minutes=20)
    set_timer(session=session, ends_at=ends_at, by=factories.SYSTEM)
    assert extend_timer(session=session, minutes=5, by=factories.SYSTEM).timer_ends_at == ends_at + dt.timedelta(
        minutes=5
    )
    Session.objects.filter(pk=session.pk).update(timer_ends_at=timezone.now() - dt.timedelta(minutes=10))
    session = extend_timer(session=session, minutes=5, by=factories.SYSTEM)
    assert session.timer_ends_at
    assert session.timer_ends_at > timezone.now() + dt.timedelta(minutes=4)
    for minutes in (0, 601):
        with pytest.raises(RuleViolationError):
            extend_timer(session=session, minutes=minutes, by=factories.SYSTEM)


def limit_time(event: Competition) -> None:
    """Give the rules in force a time limit, as an own ruleset may have."""
    rules = event.rules_in_force.get()
    text = rules.ruleset.text + '\n[end.time]\nminutes = 60\ncall_minutes = 10\nlast = "one_more_hand"\n'
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, text + 'clauses = ["CL-001"]\n')
    rules.save()
    event.save()


def test_the_length_of_a_round_and_its_calls_follow_from_the_rules_in_force(event: Competition) -> None:
    session, client = session_of(event), director(event)
    address = reverse("admin:league_session_timer", args=[session.pk])
    assert "no time limit" in client.get(address).content.decode()
    limit_time(event)
    form = client.get(address).content.decode()
    assert 'value="60"' in form
    assert "play one more" in form
    assert client.post(address, {"minutes": 60}).status_code == 302
    assert client.post(address, {"minutes": 5, "extends": "on"}).status_code == 302
    session.refresh_from_db()
    assert session.timer_ends_at
    assert session.timer_ends_at > timezone.now() + dt.timedelta(minutes=64)
    publish_standings(event.pk)
    for path in ("sessions/1/clock/", "sessions/1/seats/", "projector/"):
        shown = page(f"/c/large/{path}")
        assert 'data-early="10 minutes left."' in shown, path
        assert "Last hand: finish this one and play one more." in shown, path
        assert "until" in shown, "without a script the end is shown"
    assert "ラスト1局" in page("/c/large/sessions/1/clock/", "ja")
    client.post(address, {"minutes": ""})
    publish_standings(event.pk)
    assert "The clock is off." in page("/c/large/sessions/1/clock/")


def test_tables_without_a_result_are_overdue_when_time_is_up(event: Competition) -> None:
    session, client = session_of(event), director(event)
    Session.objects.filter(pk=session.pk).update(timer_ends_at=timezone.now() - dt.timedelta(minutes=1))
    floor = client.get(reverse("admin:league_session_floor", args=[session.pk])).content.decode()
    assert floor.count('class="overdue"') == 6


def test_the_hall_shows_the_state_of_all_tables_once_a_round_has_begun(event: Competition) -> None:
    assert "State of the tables" not in page("/c/large/projector/")
    game = Hanchan.objects.filter(block__competition=event, number=2).order_by("pk")[0]
    factories.play(game, (40_000, 30_000, 20_000, 10_000))
    publish_standings(event.pk)
    shown = page("/c/large/projector/")
    assert shown.count("result in") == 1
    assert shown.count("not begun") == 5


def test_the_state_of_all_tables_takes_few_queries(event: Competition) -> None:
    client, address = director(event), reverse("admin:league_session_floor", args=[session_of(event).pk])
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as found:
        client.get(address)
    assert len(found) < 25


def test_slips_of_one_round_come_four_to_a_page_with_names_clubs_and_links_of_that_round(event: Competition) -> None:
    event.entrants.filter(number=1).update(affiliation="Riga Club")
    session, client = session_of(event), director(event)
    address = reverse("admin:league_session_slips", args=[session.pk])
    shown = client.get(address).content.decode()
    assert shown.count('<section class="paper') == 6, "the round to be played"
    assert "Riga Club" in shown
    made = client.post(address, {"with_links": "on", "round": 3}).content.decode()
    assert made.count('class="code"') == 6
    links = TableLink.objects.filter(ended_at=None)
    assert {link.table_session.hanchan.get().round for link in links} == {3}
    again = client.post(address, {"with_links": "on", "ends_earlier": "on", "round": 3}).content.decode()
    assert again.count('class="code"') == 6
    assert TableLink.objects.filter(ended_at=None).count() == 6
    assert client.get(f"{address}?round=0").content.decode().count('<section class="paper') == 24, "all rounds"


@pytest.mark.both_databases
def test_a_players_link_follows_the_player_to_another_table(event: Competition) -> None:
    block = event.blocks.get(key="main")
    games = list(Hanchan.objects.filter(block=block, number=3).order_by("table_session__order")[:2])
    one, other = (factories.seated(game)[0] for game in games)
    link, theirs = (
        make_link(table_session=game.table_session, kind=TableLink.Kind.PLAYER, entrant=who, by=factories.SYSTEM).link
        for game, who in zip(games, (one, other), strict=True)
    )
    scorer = make_scorer_links(tables=[games[0].table_session], by=factories.SYSTEM)[0].link
    swap_players(block=block, numbers=[3], one=one, other=other, by=factories.SYSTEM)
    for row in (link, theirs, scorer):
        row.refresh_from_db()
    assert (link.table_session_id, theirs.table_session_id) == (games[1].table_session_id, games[0].table_session_id)
    assert scorer.table_session_id == games[0].table_session_id, "a scorer stays at the table"
    assert not {link.ended_at, theirs.ended_at} - {None}
    swap_players(block=block, numbers=[2], one=one, other=next(iter(factories.seated(games[0]))), by=factories.SYSTEM)
    link.refresh_from_db()
    assert link.table_session_id == games[1].table_session_id, "another round leaves the link where it is"


def test_a_club_stands_beside_a_name_in_standings_tables_and_the_hall(event: Competition) -> None:
    one = event.entrants.get(number=1)
    one.affiliation = "Riga Club"
    one.save()
    factories.play(Hanchan.objects.filter(block__competition=event, number=2)[0])
    publish_standings(event.pk)
    game = Hanchan.objects.get(block__competition=event, number=1, seats__entrant=one)
    for path in ("blocks/main/", f"tables/{game.table_session_id}/", f"hanchan/{game.pk}/", "projector/"):
        assert "Riga Club" in page(f"/c/large/{path}"), path
