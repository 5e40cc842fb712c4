"""Pages of pairings: the preview in the admin, the public page with its reasons, and what an embargo hides."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Block, Entrant, Hanchan, Pairing, Role, TableSession
from league.selectors.access.readers import public_reader_of
from league.selectors.competitions.seating.pairing import pairings_of
from league.services.competitions.schedule import create_session, hold_back
from league.services.competitions.seating import swap_players
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, in_block, play, seated, user
from tests.league.admin_pages import at
from tests.league.paired_league import pair, play_round, tournament
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db

SWISS = '{ numbers = "1", by = "draw" }, { numbers = "2-3", by = "standing", avoid = ["met", "club"] }'


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Block:
    """Play the first round of a block of eight players."""
    block = tournament(8, SWISS)
    Entrant.objects.filter(pk__in=[one.pk for one in in_block(block)[:3]]).update(affiliation="灯火")
    pair(block, 1)
    play_round(block, 1)
    publish_standings(block.competition_id)
    return block


@pytest.fixture
def block(played: Block) -> Block:
    """Return the block."""
    return fresh(played)


def director(block: Block) -> Client:
    """Return a director's client that reads English."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(user(role=Role.DIRECTOR, competition=block.competition, is_staff=True))
    return client


def seen_in(page: str) -> str:
    """Return the digest that a preview carries."""
    found = re.search(r'name="seen" value="(\w+)"', page)
    assert found
    return found[1]


def page_of(block: Block, number: int, client: Client | None = None, more: str = "") -> str:
    """Return the public page of a pairing in English."""
    client = client or Client(headers={"accept-language": "en"})
    response = client.get(f"/c/{block.competition.slug}/blocks/A/pairings/{number}/{more}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_start_page_offers_a_round_once_all_results_before_it_are_in(block: Block) -> None:
    client = director(block)
    assert f"/block/{block.pk}/pair/?round=2" in client.get("/admin/").content.decode()
    pair(block, 2)
    assert "Rounds to pair" not in client.get("/admin/").content.decode()
    first, *others = Hanchan.objects.filter(block=block, number=2)
    for hanchan in others:
        play(hanchan)
    assert "Rounds to pair" not in client.get("/admin/").content.decode()
    play(first)
    assert f"/block/{block.pk}/pair/?round=3" in client.get("/admin/").content.decode()


def test_the_round_is_published_as_the_preview_showed_it(block: Block) -> None:
    client, path = director(block), f"/admin/league/block/{block.pk}/pair/"
    page = client.get(path).content.decode()
    assert "Pairing of round 2" in page
    assert "No better pairing exists: this is proved." in page
    assert page.count("<summary><strong>") == 2
    stale = client.post(path, {"number": 2, "seen": "0" * 64})
    assert stale.status_code == 422
    assert "not the one you looked at" in stale.content.decode()
    assert client.post(path, {"number": 2, "seen": seen_in(page)}).status_code == 302
    assert Pairing.objects.standing().filter(number=2).exists()
    assert "Round 2 is paired and published." in client.get(f"{path}?round=2").content.decode()
    back = client.post(at(block, "take-pairing-back"), {"reason": "a player came late"})
    assert back.status_code == 302
    assert not Pairing.objects.standing().filter(number=2).exists()


def test_a_missing_result_is_accepted_by_its_checkbox(block: Block) -> None:
    pair(block, 2)
    client, path = director(block), f"/admin/league/block/{block.pk}/pair/"
    page = client.get(f"{path}?round=3").content.decode()
    assert 'value="results_missing"' in page
    refused = client.post(path, {"number": 3, "seen": seen_in(page)})
    assert refused.status_code == 422
    done = client.post(path, {"number": 3, "seen": seen_in(page), "accept": ["results_missing"]})
    assert done.status_code == 302


def test_a_round_that_is_not_to_be_paired_is_answered_in_words(block: Block) -> None:
    client = director(block)
    for asked in ("1", "99", "x", "-1", "99999999"):
        response = client.get(f"/admin/league/block/{block.pk}/pair/?round={asked}")
        assert response.status_code == 200
        assert 'name="seen"' not in response.content.decode() or asked in {"x", "-1", "99999999"}


def test_house_players_that_are_missing_are_added_where_the_round_is_paired() -> None:
    block = tournament(18, '{ numbers = "1-3", by = "draw" }', odd='by = "substitutes"', tables=5, slug="even")
    client, path = director(block), f"/admin/league/block/{block.pk}/pair/"
    assert "Add 2 house players" in client.get(path).content.decode()
    assert client.post(path, {"number": 1, "add_house": "1"}).status_code == 302
    assert Entrant.objects.filter(is_house=True).count() == 2
    page = client.get(path).content.decode()
    assert "Publish the pairing of round 1" in page
    assert "Add 2 house players" not in page


def test_the_public_page_tells_why_these_four(block: Block) -> None:
    pairing = pair(block, 2)
    publish_standings(block.competition_id)
    page = page_of(block, 2)
    assert page.count("Why these four</summary>") == 2
    assert f"after change {pairing.standing_version}" in page
    assert pairing.seed in page
    assert "No better pairing exists" in page
    assert "places apart" in page
    one = in_block(block)[0]
    found = page_of(block, 2, more="?q=A1")
    assert found.count("Why these four</summary>") == 1
    assert "/c/open/blocks/A/pairings/2/?q=A1" in (Client().get(f"/c/open/players/{one.player.key}/").content.decode())
    assert "/c/open/blocks/A/pairings/2/" in Client().get("/c/open/blocks/A/").content.decode()
    assert "/c/open/blocks/A/pairings/2/" in Client().get("/c/open/sessions/").content.decode()
    japanese = page_of(block, 2, Client(headers={"accept-language": "ja"}))
    assert "なぜこの4人" in japanese


def test_a_correction_is_told_only_to_those_who_ask_for_it(block: Block) -> None:
    pair(block, 2)
    publish_standings(block.competition_id)
    assert "gives the same tables" in page_of(block, 2, more="today/")
    for game in Hanchan.objects.filter(block=block, number=1).order_by("pk")[:2]:
        play(game, (10_000, 20_000, 30_000, 40_000), corrects=1, reason="seats mixed up")
    publish_standings(block.competition_id)
    assert "would seat other players at" in page_of(block, 2, more="today/")


def test_a_pairing_made_from_a_result_under_embargo_is_not_explained(block: Block) -> None:
    first = Pairing.objects.get()
    table = TableSession.objects.filter(block=block, hanchan__number=1)[0]
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    pair(block, 2)
    publish_standings(block.competition_id)
    block.competition.refresh_from_db()
    assert Client().get("/c/open/blocks/A/pairings/2/").status_code == 404
    assert pairings_of(public_reader_of(block.competition), block) == [first]
    assert page_of(block, 2, director(block))
    hold_back(table_session=table, until=None, by=SYSTEM)
    publish_standings(block.competition_id)
    assert page_of(block, 2)


def test_the_comparison_with_todays_standing_tells_the_public_nothing_of_a_table_held_back(block: Block) -> None:
    pair(block, 2)
    publish_standings(block.competition_id)
    before = page_of(block, 2, more="today/")
    game = Hanchan.objects.filter(block=block, number=2).earliest("pk")
    hold_back(table_session=game.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    play(game)
    publish_standings(block.competition_id)
    after = page_of(block, 2, more="today/")
    for page in (before, after):
        assert "gives the same tables" in page
        assert "once you show everything" not in page
    guarded = Client(headers={"accept-language": "en"})
    guarded.get("/c/open/?until=1")
    assert "once you show everything" in page_of(block, 2, guarded, more="today/")


def test_the_public_gets_the_seats_of_a_round_of_which_one_table_is_held_back(block: Block) -> None:
    held_back, shown = Hanchan.objects.filter(block=block, number=2).select_related("table_session").order_by("pk")
    hold_back(table_session=held_back.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    publish_standings(block.competition_id)
    path = f"/api/v1/hanchan/{shown.pk}/"
    for change in (lambda: pair(block, 2), lambda: swapped(block)):
        before, now = Client().get(path), timezone.now().isoformat()
        change()
        publish_standings(block.competition_id)
        after = Client().get(path, headers={"if-none-match": before["ETag"]})
        assert after.status_code == 200
        assert after.json()["seats"] != before.json()["seats"]
        changed = Client().get("/api/v1/hanchan/", {"competition": "open", "updated_since": now}).json()["results"]
        assert [row["id"] for row in changed if row["number"] == 2] == [str(shown.pk)]


def swapped(block: Block) -> None:
    """Exchange the first dealers of the two tables of round 2."""
    one, other = (seated(game)[0] for game in Hanchan.objects.filter(block=block, number=2).order_by("pk"))
    swap_players(block=block, numbers=[2], one=one, other=other, by=SYSTEM)


def test_the_spoiler_guard_hides_a_pairing_made_from_later_results(block: Block) -> None:
    later = create_session(competition=block.competition, by=SYSTEM)
    TableSession.objects.filter(block=block, hanchan__number__gte=2).update(session=later)
    pair(block, 2)
    play_round(block, 2)
    pair(block, 3)
    publish_standings(block.competition_id)
    block.competition.refresh_from_db()
    guarded = replace(public_reader_of(block.competition), until=1)
    assert [row.number for row in pairings_of(public_reader_of(block.competition), block)] == [1, 2, 3]
    assert [row.number for row in pairings_of(guarded, block)] == [1, 2]


def test_players_exchanged_after_the_pairing_are_marked(block: Block) -> None:
    pairing = pair(block, 2)
    publish_standings(block.competition_id)
    assert "exchanged after the pairing" not in page_of(block, 2)
    one, other = (Entrant.objects.get(pk=table["entrants"][0]) for table in pairing.tables)
    swap_players(block=block, numbers=(2,), one=one, other=other, by=SYSTEM)
    publish_standings(block.competition_id)
    assert page_of(block, 2).count("exchanged after the pairing") == 2


def test_the_match_night_offers_the_next_round(block: Block) -> None:
    session = block.competition.sessions.get(number=1)
    page = director(block).get(f"/admin/league/session/{session.pk}/night/").content.decode()
    assert f"/block/{block.pk}/pair/?round=2" in page
