"""Tests of a parlour's pages for guests: the house with rules and fees, and the page behind a personal link."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Entrant, Player, Role, Sitting
from league.services.parlour.people import merge_players
from league.services.parlour.statements import settle
from league.services.standings.publishing import publish_standings
from league.web.access.guest_links import SIGNER, guest_of_token, guest_token
from tests import factories
from tests.league import parlours
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def seated(shared_rows: None) -> Sitting:
    """Play one game under Banchi's ruleset in a house whose ranking is public."""
    book = parlours.parlour("banchi3", audience="public")
    sitting = parlours.sitting(book, parlours.guests(book))
    parlours.play(sitting, carried={"g": (500, -200, -300)})
    publish_standings(book.pk)
    return sitting


@pytest.fixture
def book(seated: Sitting) -> Competition:
    """Return the house's book."""
    return fresh(seated.table_session.competition)


@pytest.fixture
def people(book: Competition) -> list[Entrant]:
    """Return its guests."""
    return list(book.entrants.order_by("number"))


def read(path: str, client: Client | None = None, language: str = "en", status: int = 200) -> str:
    """Return a page's text as this client reads it, as a stranger by default."""
    answer = (client or Client()).get(path, headers={"accept-language": language})
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def link(entrant: Entrant) -> str:
    """Return the path of a guest's personal link."""
    parlour = entrant.competition.parlour
    assert parlour is not None
    return f"/g/{guest_token(parlour, entrant.player)}/"


@pytest.mark.parametrize(("language", "expected"), [("en", ["Start 35,000", "¥400"]), ("ja", ["配給原点", "400円"])])
def test_a_house_shows_its_rules_and_fees_to_strangers(
    book: Competition, table: Sitting, language: str, expected: list[str]
) -> None:
    page = read("/p/banchi3/", language=language)
    plain = page.replace("<b>", "").replace("</b>", "")
    assert [text for text in expected if text not in plain] == []
    assert "/rules/banchi3/" in page
    assert "/c/banchi3/ranking/" in page
    assert not [name for name in parlours.THREE if name in page]


def test_a_house_without_a_public_book_is_there_for_its_staff_alone() -> None:
    book = parlours.parlour("kansai3", audience="staff")
    read("/p/kansai3/", status=404)
    clerk = Client()
    clerk.force_login(factories.user("clerk", Role.SCORER, book))
    page = read("/p/kansai3/", clerk)
    assert "/p/kansai3/board/" in page
    assert "Only the staff sees this page" in page


def test_the_public_page_of_a_book_leads_to_the_house(book: Competition) -> None:
    assert 'href="/p/banchi3/"' in read("/c/banchi3/")


def test_a_guest_reads_the_own_games_behind_the_personal_link(table: Sitting, people: list[Entrant]) -> None:
    page = read(link(people[0]))
    assert parlours.THREE[0] in page
    assert not [name for name in parlours.THREE[1:] if name in page]
    assert "62,000" in page
    assert "+3,300" in page
    assert "not in the public ranking".casefold() in page.casefold()
    assert "-600" not in page


def test_the_personal_page_is_neither_cached_nor_indexed(table: Sitting, people: list[Entrant]) -> None:
    answer = Client().get(link(people[0]))
    assert answer["Cache-Control"] == "private, no-store"
    assert "noindex" in answer["X-Robots-Tag"]


def test_the_rank_is_shown_only_to_a_guest_who_agreed_to_be_listed(table: Sitting, people: list[Entrant]) -> None:
    Player.objects.filter(pk=people[1].player_id).update(is_public=True, handle="みお")
    publish_standings(table.table_session.competition_id)
    assert "Rank 1 in the public ranking" in read(link(people[1]))
    assert "Rank" not in read(link(people[0])).replace("Ranking", "")


def test_a_changed_or_foreign_token_shows_nothing(table: Sitting, people: list[Entrant]) -> None:
    other = guest_token(parlours.house(parlours.parlour("kansai3")), people[0].player).split(":")
    own = link(people[0]).strip("/").split("/")[1].split(":")
    for token in (f"{own[0]}:{other[1]}", f"{own[0]}x:{own[1]}", "x", own[0], ":", "1.:"):
        read(f"/g/{token}/", status=404)
    assert guest_of_token(SIGNER.sign("0.none")) is None


def test_the_page_of_an_erased_guest_is_gone(table: Sitting, people: list[Entrant]) -> None:
    Player.objects.filter(pk=people[0].player_id).update(erased_at=timezone.now())
    read(link(people[0]), status=404)


def test_a_guest_finds_the_statements_from_the_own_page_and_back(table: Sitting, people: list[Entrant]) -> None:
    house, player = parlours.house(people[0].competition), people[0].player
    settle(parlour=house, player=player, by=factories.SYSTEM)
    page = read(link(people[0]))
    bill = page.split('href="/s/')[1].split('"')[0]
    assert f'href="{link(people[0])}"' in read(f"/s/{bill}")
    assert "/s/" not in read(link(people[1]))


def test_after_a_merge_the_old_link_shows_all_games_of_the_person(book: Competition, table: Sitting) -> None:
    first = Entrant.objects.get(competition=book, player__name=parlours.THREE[0])
    again = parlours.guests(book, 4)[3]
    before = link(again)
    merge_players(duplicate=again.player, keep=first.player, by=factories.SYSTEM)
    assert "62,000" in read(before)


def test_a_clerk_finds_the_code_of_a_guests_link(book: Competition, table: Sitting, people: list[Entrant]) -> None:
    clerk = Client()
    clerk.force_login(factories.user("clerk", Role.SCORER, book))
    path = f"/p/banchi3/guests/{people[0].player.key}/link/"
    page = read(path, clerk)
    assert link(people[0]) in page
    assert "<svg" in page
    assert path in read(f"/p/banchi3/sittings/{table.pk}/", clerk)
    stranger: Any = Client().get(path)
    assert stranger.status_code == 302
