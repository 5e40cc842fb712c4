"""Players are found however their name is typed, by whoever may know of them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Competition, Role
from league.selectors.people import search
from league.selectors.people.search import find_players, folded, known_readers
from league.services.competitions.setup import enter_players, new_player
from tests.factories import SYSTEM, entrants, final_table, league, user
from tests.league.played_season import Season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Competition:
    """A competition with one player whose name can be typed in many ways."""
    competition = final_table(status=None)
    player = new_player(
        key="otowa", name="音羽　ジュン", name_kana="オトワ ジュン", name_romaji="Ōtowa Jun'ichi", by=SYSTEM
    )
    enter_players(competition=competition, players=[player], by=SYSTEM)
    Competition.objects.filter(pk=competition.pk).update(status=Competition.Status.PUBLISHED)
    return competition


def found(text: str) -> list[str]:
    return [player.key for player in find_players(known_readers(None), text).players]


@pytest.mark.parametrize(
    "text",
    [
        "音羽", "音羽ジュン", "ジュン 音羽", "おとわ", "オトワ", "ｵﾄﾜ", "おとわじゅん", "otowa", "OTOWA", "Ōtowa",
        "ōtowa", "ｏｔｏｗａ", "Outowa", "ootowa", "Junichi", "jun'ichi otowa", " 音羽　ジュン ", "じゅん",
    ],
)  # fmt: skip
def test_a_name_is_found_however_it_is_typed(season: Competition, text: str) -> None:
    assert found(text) == ["otowa"]


@pytest.mark.parametrize("text", ["おとは", "音羽 あおい", "kotowa", "%", "_", "か"])
def test_nobody_is_found_by_what_does_not_stand_there(season: Competition, text: str) -> None:
    assert found(text) == []


def test_marks_that_make_another_letter_of_kana_are_kept() -> None:
    assert folded("がき") != folded("かき")
    assert folded("パン") == folded("ぱん") == folded("ﾊﾟﾝ")


def test_without_a_word_everybody_is_listed_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PAGE", 7)
    Season()
    readers = known_readers(None)
    first = find_players(readers, "")
    second = find_players(readers, "", first.after)
    third = find_players(readers, "", second.after)
    keys = [player.key for page in (first, second, third) for player in page.players]
    assert [len(page.players) for page in (first, second, third)] == [7, 7, 2]
    assert len(set(keys)) == 16
    assert third.after == ""


def test_players_of_drafts_and_guests_of_open_tables_are_found_by_their_staff_alone() -> None:
    draft = final_table("draft", status=None)
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    guest = entrants(parlour, 1, prefix="guest")[0].player
    assert found("final1") == found("guest") == []
    staff = user(role=Role.SCORER, competition=parlour)
    readers = known_readers(staff)
    assert [player.key for player in find_players(readers, "guest").players] == [guest.key]
    assert find_players(known_readers(user(role=Role.READER, competition=draft)), "final1").players


def test_an_entry_merged_into_another_is_not_found(season: Competition) -> None:
    twice = new_player(key="twice", name="音羽 じゅん", by=SYSTEM)
    enter_players(competition=season, players=[twice], by=SYSTEM)
    assert set(found("音羽")) == {"otowa", "twice"}
    twice.merged_into = season.entrants.get(player__key="otowa").player
    twice.save()
    assert found("音羽") == ["otowa"]


def test_the_page_finds_says_when_there_is_nobody_and_is_not_sent_twice(season: Competition) -> None:
    visitor = Client(headers={"accept-language": "en"})
    answer = visitor.get("/players/", {"q": "オトワ"})
    text = answer.content.decode()
    assert 'href="/players/otowa/"' in text
    assert 'value="オトワ"' in text
    assert visitor.get("/players/", {"q": "オトワ"}, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert visitor.get("/players/", {"q": "<b>"}).content.decode().count("&lt;b&gt;") == 2
    assert "Nobody is called “zzz”." in visitor.get("/players/", {"q": "zzz"}).content.decode()


def test_without_any_competition_the_page_says_so() -> None:
    text = Client(headers={"accept-language": "en"}).get("/players/").content.decode()
    assert "Nobody has been entered yet." in text


def test_a_strange_question_breaks_nothing(season: Competition) -> None:
    for query in ({"q": "x" * 5000}, {"q": "音羽", "after": "nobody"}):
        assert Client().get("/players/", query).status_code == 200


def test_every_page_leads_to_the_search(season: Competition) -> None:
    text = Client().get("/c/final/").content.decode()
    assert 'action="/players/"' in text


def test_searching_costs_the_same_however_many_competitions_there_are(season: Competition) -> None:
    counts = []
    for slug in ("two", "three"):
        final_table(slug)
        with CaptureQueriesContext(connection) as queries:
            Client().get("/players/", {"q": "音羽"})
        counts.append(len(queries))
    assert counts[0] == counts[1]
