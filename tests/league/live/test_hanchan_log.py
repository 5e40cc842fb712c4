"""A game that is over, hand by hand: on its page, in its players' rates, and from one installation to another."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, Entrant, Hanchan, Role, TableSession
from league.selectors.access.readers import reader_of
from league.selectors.people.rates import rates_of_entrant, rates_of_entrants
from league.services.competitions.schedule import hold_back
from league.services.live.results import submit_log
from league.services.standings.publishing import publish_standings
from scoring.rates import Rates, Ratio
from tests import factories
from tests.league.tables import (
    DEALER_TSUMO,
    DRAW,
    RIICHI,
    RON,
    entered,
    event,
    final_table,
    first,
    followed,
    write,
)

pytestmark = pytest.mark.django_db
GAME = (RIICHI, RON, DRAW, DEALER_TSUMO)
"""East 1: seat 1 in riichi wins 5,200 of seat 3. East 2: a draw, 0 and 2 tenpai. East 3: 2,000/4,000, one counter."""


@pytest.fixture
def table() -> TableSession:
    """Four players, four hanchan."""
    cache.clear()
    return final_table()


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    """Their first hanchan."""
    return first(table)


@pytest.fixture
def visitor() -> Client:
    """Somebody who reads English and is nobody in particular."""
    return Client(headers={"accept-language": "en"})


def page_of(client: Client, hanchan: Hanchan) -> str:
    """The hanchan's page as text."""
    answer = client.get(f"/c/final/hanchan/{hanchan.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def plain(html: str) -> str:
    """What is read, without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def staff_of(competition: Competition) -> Client:
    """The director, in English."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("director", Role.DIRECTOR, competition, is_staff=True))
    return client


def test_the_page_tells_every_hand_what_it_brought_and_by_which_clause(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    html = page_of(visitor, hanchan)
    text = plain(html)
    assert html.count("<polyline") == 4
    assert "East 1, 0 honba Riichi: Player final2 Ron: Player final2 3 han 40 fu, from Player final4" in text
    assert "Player final4 → Player final2 5,200" in text
    assert "Player final2 → the table 1,000" in text
    assert 'href="/rules/cinderella/#CL-0' in html
    assert text.index("East 1, 0 honba") < text.index("East 2, 0 honba") < text.index("East 3, 1 honba")


def test_the_numbers_of_the_graph_stand_in_a_table_beside_it(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    numbers = re.search(r'<details class="numbers">(.*?)</details>', page_of(visitor, hanchan), re.DOTALL)
    assert numbers
    assert plain(numbers[1]).endswith("Start 25,000 25,000 25,000 25,000 East 1 25,000 30,200 25,000 19,800")


def test_the_table_leads_to_the_hands_of_a_game_that_is_over(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    table = visitor.get(f"/c/final/tables/{hanchan.table_session_id}/").content.decode()
    assert f'href="/c/final/hanchan/{hanchan.pk}/#game"' in table
    assert "Follow hand by hand" not in table


def test_a_result_that_was_typed_in_has_no_hands_to_show(visitor: Client, hanchan: Hanchan) -> None:
    factories.play(hanchan)
    publish_standings(hanchan.table_session.competition_id)
    html = page_of(visitor, hanchan)
    assert 'id="game"' not in html
    assert "Download the log" not in html


@pytest.mark.both_databases
def test_a_table_held_back_shows_its_hands_to_organizers_alone(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    competition = hanchan.table_session.competition
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(competition.pk)
    assert visitor.get(f"/c/final/hanchan/{hanchan.pk}/").status_code == 404
    assert 'id="game"' in page_of(staff_of(competition), hanchan)
    player = hanchan.seats.get(seat=1).entrant
    assert rates_of_entrants(reader_of(fresh(competition), None)) == {}
    assert "were followed" not in visitor.get(f"/c/final/players/{player.player.key}/").content.decode()


def fresh(competition: Competition) -> Competition:
    """The competition as it stands now."""
    return Competition.objects.get(pk=competition.pk)


def test_a_correction_being_written_is_not_shown_before_it_counts(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    write(hanchan, event("undo"), *entered(DEALER_TSUMO))
    assert "3 han 40 fu" in page_of(visitor, hanchan)
    assert "mangan" not in page_of(visitor, hanchan).lower()
    live = visitor.get(f"/c/final/hanchan/{hanchan.pk}/live/").content.decode()
    assert "3 han 40 fu" in live
    log = visitor.get(f"/api/v1/hanchan/{hanchan.pk}/log/").json()
    assert [entry["type"] for entry in log["entries"]] == ["ron"]


def test_the_log_is_offered_for_download_as_it_was_counted(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    link = re.search(r'<a href="([^"]+)" download="([^"]+)"', page_of(visitor, hanchan))
    assert link
    assert link[2] == f"hanchan-{hanchan.pk}.json"
    assert visitor.get(link[1]).json()["kyoku"][0]["changes"] == [0, 5200, 0, -5200]


def test_organizers_download_the_log_of_a_game_under_way(visitor: Client, hanchan: Hanchan) -> None:
    write(hanchan, event("start"), *entered(RON))
    assert "Download the log" not in page_of(visitor, hanchan)
    assert "Download the log" in page_of(staff_of(hanchan.table_session.competition), hanchan)


def seated(hanchan: Hanchan, seat: int) -> Entrant:
    """Who sat there."""
    return hanchan.seats.get(seat=seat).entrant


def reader(hanchan: Hanchan) -> Any:
    """The public."""
    return reader_of(fresh(hanchan.table_session.competition), None)


def test_rates_add_up_over_logged_hanchan_and_say_over_how_many_hands(
    visitor: Client, table: TableSession, hanchan: Hanchan
) -> None:
    followed(hanchan, *GAME)
    second = table.hanchan.get(round=2)
    factories.play(second)
    third = table.hanchan.get(round=3)
    followed(third, RON, {**RON, "wins": [{"seat": 1, "value": {"limit": "mangan"}}]})
    found = rates_of_entrant(reader(hanchan), seated(hanchan, 1))
    assert (found.hanchan, found.largest_in) == (2, third.pk)
    assert found.rates == Rates(
        kyoku=5,
        riichi=Ratio(1, 5),
        wins=Ratio(3, 5),
        deal_ins=Ratio(0, 5),
        tsumo=Ratio(0, 3),
        tenpai=Ratio(0, 1),
        won=Ratio(5200 + 5200 + 12000, 3),
        largest=12000,
    )
    page = visitor.get(f"/c/final/players/{seated(hanchan, 1).player.key}/").content.decode()
    text = plain(page)
    assert "Over 5 hands of 2 hanchan" in text
    assert "Win rate 60.0% 3 of 5 hands" in text
    assert "Average win 7,467 wins: 3" in text
    assert f'12,000</td><td class="over"><a href="/c/final/hanchan/{third.pk}/"' in page
    assert "Average deal-in" not in text
    assert "Call" not in text
    assert "60.0%" in plain(visitor.get(f"/players/{seated(hanchan, 1).player.key}/").content.decode())


@pytest.mark.both_databases
def test_a_game_played_by_a_substitute_is_in_nobodys_rates(visitor: Client, hanchan: Hanchan) -> None:
    entrant = seated(hanchan, 1)
    other = factories.entrants(hanchan.table_session.competition, 1, prefix="S")[0].player
    hanchan.seats.filter(seat=1).update(player=other)
    followed(hanchan, *GAME)
    found = rates_of_entrant(reader(hanchan), entrant)
    assert (found.hanchan, found.by_substitutes, found.rates) == (0, 1, Rates())


@pytest.mark.both_databases
def test_guests_of_an_open_table_have_no_rates_outside() -> None:
    parlour = factories.league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    people = factories.entrants(parlour, 4)
    followed(factories.table(parlour.blocks.get(), people, numbers=(1,)).hanchan.get(), RON)
    assert rates_of_entrants(reader_of(fresh(parlour), None)) == {}
    house = factories.user("boss", Role.DIRECTOR, parlour)
    assert len(rates_of_entrants(reader_of(fresh(parlour), house))) == 4


def test_every_log_is_folded_once_however_often_it_is_asked_for(table: TableSession, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    assert asked_for_events(hanchan) == 1
    assert asked_for_events(hanchan) == 0
    followed(table.hanchan.get(round=2), RON)
    assert asked_for_events(hanchan) == 1


def asked_for_events(hanchan: Hanchan) -> int:
    """How often a page's rates ask for events of a log."""
    with CaptureQueriesContext(connection) as asked:
        rates_of_entrants(reader(hanchan))
    return sum("tableevent" in query["sql"] for query in asked.captured_queries)


def test_a_corrected_log_changes_the_rates_once_it_counts(hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    assert rates_of_entrant(reader(hanchan), seated(hanchan, 1)).rates.wins == Ratio(1, 1)
    write(hanchan, event("undo"), *entered(DRAW))
    assert rates_of_entrant(reader(hanchan), seated(hanchan, 1)).rates.wins == Ratio(1, 1)
    sequence = hanchan.events.count()
    submit_log(hanchan=hanchan, sequence=sequence, by=factories.SYSTEM, reason="misheard", ended_by_time=True)
    publish_standings(hanchan.table_session.competition_id)
    assert rates_of_entrant(reader(hanchan), seated(hanchan, 1)).rates.wins == Ratio(0, 1)
