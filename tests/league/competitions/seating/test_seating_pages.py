"""Public page about the even seating of a block: counts, the best possible, and each player's row."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

from league.models import Competition, Hanchan, TableSession
from league.services.competitions.setup import set_status
from tests.factories import SYSTEM
from tests.league.competitions.test_wizard import season, write

pytestmark = pytest.mark.django_db


def published(people: int = 8, hanchan: int = 8, sessions: int = 2) -> Competition:
    """Return a published league with one block and its schedule."""
    made = season("open-play", people)
    write(made, hanchan=hanchan, sessions=sessions)
    return set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)


def page_of(client: Client, made: Competition, language: str = "en") -> str:
    answer = client.get(f"/c/{made.slug}/blocks/{made.blocks.get().key}/seating/", HTTP_ACCEPT_LANGUAGE=language)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.both_databases
def test_the_page_explains_the_counts_beside_the_best_possible(client: Client) -> None:
    made = published()
    page = page_of(client, made)
    assert "at least 336" in page
    assert "No plan spreads meetings more evenly." in page
    assert page.count('<td class="wind">8</td>') == 8
    assert 'data-me="/c/autumn/me/card/"' in page
    assert "data-me-first" in page
    assert "再同卓" in page_of(client, made, "ja")


def test_the_page_of_tables_of_three_names_no_north(client: Client) -> None:
    made = season("open-play", 9, ruleset="tenhou3")
    write(made, hanchan=3, sessions=1)
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    page = page_of(client, made, "ja")
    assert "席風" in page
    assert "北" not in page


def test_the_pages_of_the_schedule_and_the_block_link_to_it(client: Client) -> None:
    made = published()
    link = f'href="/c/autumn/blocks/{made.blocks.get().key}/seating/"'
    assert link in client.get("/c/autumn/sessions/").content.decode()
    assert link in client.get(f"/c/autumn/blocks/{made.blocks.get().key}/").content.decode()


def test_a_draft_and_an_unknown_block_have_no_such_page(client: Client) -> None:
    made = season("open-play", 8)
    write(made, hanchan=8, sessions=2)
    assert client.get(f"/c/autumn/blocks/{made.blocks.get().key}/seating/").status_code == 404
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    assert client.get("/c/autumn/blocks/other/seating/").status_code == 404


def test_a_session_held_back_is_not_counted_for_the_public(client: Client) -> None:
    made = published()
    TableSession.objects.filter(session__number=2).update(is_released=False)
    assert page_of(client, made).count('<td class="wind">4</td>') == 8


def test_cancelled_tables_and_abandoned_hanchan_are_not_counted(client: Client) -> None:
    made = published()
    TableSession.objects.filter(session__number=2).update(is_cancelled=True)
    Hanchan.objects.filter(number=1).update(state=Hanchan.State.ABANDONED)
    assert page_of(client, made).count('<td class="wind">3</td>') == 8


def test_without_seats_the_page_says_so(client: Client) -> None:
    made = season("open-play", 8)
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    assert "No seats are known yet." in page_of(client, made)


def test_the_page_of_two_hundred_players_stays_light(client: Client) -> None:
    page = page_of(client, published(200, 4, 1))
    assert page.count('<td class="wind">4</td>') == 200
    assert "Meetings of every two players" not in page
    assert len(gzip.compress(page.encode())) < 40_000
