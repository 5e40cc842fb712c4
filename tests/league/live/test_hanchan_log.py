"""Tests of the log of a finished hanchan: on its page, in the players' rates and as a download."""

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
    """Return a table of four players and four hanchan."""
    cache.clear()
    return final_table()


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    """Return the table's first hanchan."""
    return first(table)


@pytest.fixture
def visitor() -> Client:
    """Return an anonymous client that reads English."""
    return Client(headers={"accept-language": "en"})


def page_of(client: Client, hanchan: Hanchan) -> str:
    """Return the hanchan's page as text."""
    answer = client.get(f"/c/final/hanchan/{hanchan.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def plain(html: str) -> str:
    """Return the text without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def staff_of(competition: Competition) -> Client:
    """Return an English client of the director."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("director", Role.DIRECTOR, competition, is_staff=True))
    return client


def test_the_page_shows_every_kyoku_with_its_payments_and_clauses(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    html = page_of(visitor, hanchan)
    text = plain(html)
    assert html.count("<polyline") == 4
    assert "East 1, 0 honba Riichi: Player final2 Ron: Player final2 3 han 40 fu, from Player final4" in text
    assert "Player final4 → Player final2 5,200" in text
    assert "Player final2 → the table 1,000" in text
    assert 'href="/rules/cinderella/#CL-0' in html
    assert text.index("East 1, 0 honba") < text.index("East 2, 0 honba") < text.index("East 3, 1 honba")


def test_the_numbers_of_the_graph_are_also_in_a_table(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    numbers = re.search(r'<details class="numbers">(.*?)</details>', page_of(visitor, hanchan), re.DOTALL)
    assert numbers
    assert plain(numbers[1]).endswith("Start 25,000 25,000 25,000 25,000 East 1 25,000 30,200 25,000 19,800")


def test_the_table_page_links_to_the_kyoku_of_a_finished_hanchan(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    table = visitor.get(f"/c/final/tables/{hanchan.table_session_id}/").content.decode()
    assert f'href="/c/final/hanchan/{hanchan.pk}/#game"' in table
    assert "Follow hand by hand" not in table


def test_a_typed_result_without_a_log_shows_no_kyoku(visitor: Client, hanchan: Hanchan) -> None:
    factories.play(hanchan)
    publish_standings(hanchan.table_session.competition_id)
    html = page_of(visitor, hanchan)
    assert 'id="game"' not in html
    assert "Download the log" not in html


@pytest.mark.both_databases
def test_an_embargoed_table_shows_its_kyoku_to_organizers_only(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    competition = hanchan.table_session.competition
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(competition.pk)
    assert visitor.get(f"/c/final/hanchan/{hanchan.pk}/").status_code == 404
    assert 'id="game"' in page_of(staff_of(competition), hanchan)
    player = hanchan.seats.get(seat=1).entrant
    assert rates_of_entrants(reader_of(reloaded(competition), None)) == {}
    assert "were followed" not in visitor.get(f"/c/final/players/{player.player.key}/").content.decode()


def reloaded(competition: Competition) -> Competition:
    """Return the competition reloaded from the database."""
    return Competition.objects.get(pk=competition.pk)


def test_an_unsubmitted_correction_of_the_log_is_not_shown(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, RON)
    write(hanchan, event("undo"), *entered(DEALER_TSUMO))
    assert "3 han 40 fu" in page_of(visitor, hanchan)
    assert "mangan" not in page_of(visitor, hanchan).lower()
    live = visitor.get(f"/c/final/hanchan/{hanchan.pk}/live/").content.decode()
    assert "3 han 40 fu" in live
    log = visitor.get(f"/api/v1/hanchan/{hanchan.pk}/log/").json()
    assert [entry["type"] for entry in log["entries"]] == ["ron"]


def test_the_page_offers_the_counted_log_for_download(visitor: Client, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    link = re.search(r'<a href="([^"]+)" download="([^"]+)"', page_of(visitor, hanchan))
    assert link
    assert link[2] == f"hanchan-{hanchan.pk}.json"
    assert visitor.get(link[1]).json()["kyoku"][0]["changes"] == [0, 5200, 0, -5200]


def test_only_organizers_can_download_the_log_of_a_running_hanchan(visitor: Client, hanchan: Hanchan) -> None:
    write(hanchan, event("start"), *entered(RON))
    assert "Download the log" not in page_of(visitor, hanchan)
    assert "Download the log" in page_of(staff_of(hanchan.table_session.competition), hanchan)


def seated(hanchan: Hanchan, seat: int) -> Entrant:
    """Return the entrant in this seat."""
    return hanchan.seats.get(seat=seat).entrant


def reader(hanchan: Hanchan) -> Any:
    """Return a public reader."""
    return reader_of(reloaded(hanchan.table_session.competition), None)


def test_rates_add_up_over_logged_hanchan_and_show_the_number_of_kyoku(
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


def test_a_hanchan_played_by_a_substitute_counts_for_no_rates(visitor: Client, hanchan: Hanchan) -> None:
    entrant = seated(hanchan, 1)
    other = factories.entrants(hanchan.table_session.competition, 1, prefix="S")[0].player
    hanchan.seats.filter(seat=1).update(player=other)
    followed(hanchan, *GAME)
    found = rates_of_entrant(reader(hanchan), entrant)
    assert (found.hanchan, found.by_substitutes, found.rates) == (0, 1, Rates())


@pytest.mark.both_databases
def test_rates_of_open_table_guests_are_visible_to_staff_only() -> None:
    parlour = factories.league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    people = factories.entrants(parlour, 4)
    followed(factories.table(parlour.blocks.get(), people, numbers=(1,)).hanchan.get(), RON)
    assert rates_of_entrants(reader_of(reloaded(parlour), None)) == {}
    house = factories.user("boss", Role.DIRECTOR, parlour)
    assert len(rates_of_entrants(reader_of(reloaded(parlour), house))) == 4


def test_every_log_is_folded_once_and_cached(table: TableSession, hanchan: Hanchan) -> None:
    followed(hanchan, *GAME)
    assert count_event_queries(hanchan) == 1
    assert count_event_queries(hanchan) == 0
    followed(table.hanchan.get(round=2), RON)
    assert count_event_queries(hanchan) == 1


def count_event_queries(hanchan: Hanchan) -> int:
    """Return the number of queries for log events that computing the rates takes."""
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
