"""Test the player search: spelling variants of names, visibility and pagination."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Competition, Role
from league.selectors.people import search
from league.selectors.people.search import find_players, folded, known_readers
from league.services.competitions.setup import enter_players, new_player
from tests.api.client import Api
from tests.factories import SYSTEM, entrants, final_table, league, user
from tests.league.played_season import Season
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Competition:
    """Create a competition with one player whose name has many spellings."""
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
def test_a_name_is_found_in_every_spelling(season: Competition, text: str) -> None:
    assert found(text) == ["otowa"]


@pytest.mark.parametrize("text", ["おとは", "音羽 あおい", "kotowa", "%", "_", "か"])
def test_a_text_that_is_not_in_the_name_finds_no_player(season: Competition, text: str) -> None:
    assert found(text) == []


def test_folding_keeps_voicing_marks_of_kana() -> None:
    assert folded("がき") != folded("かき")
    assert folded("パン") == folded("ぱん") == folded("ﾊﾟﾝ")


def test_an_empty_search_lists_all_players_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_only_their_staff_find_players_of_drafts_and_guests_of_open_tables() -> None:
    draft = final_table("draft", status=None)
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    guest = entrants(parlour, 1, prefix="guest")[0].player
    assert found("final1") == found("guest") == []
    staff = user(role=Role.SCORER, competition=parlour)
    readers = known_readers(staff)
    assert [player.key for player in find_players(readers, "guest").players] == [guest.key]
    assert find_players(known_readers(user(role=Role.READER, competition=draft)), "final1").players


def test_a_player_merged_into_another_is_not_found(season: Competition) -> None:
    twice = new_player(key="twice", name="音羽 じゅん", by=SYSTEM)
    enter_players(competition=season, players=[twice], by=SYSTEM)
    assert set(found("音羽")) == {"otowa", "twice"}
    twice.merged_into = season.entrants.get(player__key="otowa").player
    twice.save()
    assert found("音羽") == ["otowa"]


def test_the_page_shows_matches_reports_an_empty_result_and_answers_304_to_its_etag(season: Competition) -> None:
    visitor = Client(headers={"accept-language": "en"})
    answer = visitor.get("/players/", {"q": "オトワ"})
    text = answer.content.decode()
    assert 'href="/players/otowa/"' in text
    assert 'value="オトワ"' in text
    assert visitor.get("/players/", {"q": "オトワ"}, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert visitor.get("/players/", {"q": "<b>"}).content.decode().count("&lt;b&gt;") == 2
    assert "No player is called “zzz”." in visitor.get("/players/", {"q": "zzz"}).content.decode()


def test_without_any_competition_the_page_says_that_there_are_no_players() -> None:
    text = Client(headers={"accept-language": "en"}).get("/players/").content.decode()
    assert "No players entered yet." in text


def test_an_overlong_query_or_an_unknown_cursor_causes_no_error(season: Competition) -> None:
    for query in ({"q": "x" * 5000}, {"q": "音羽", "after": "nobody"}):
        assert Client().get("/players/", query).status_code == 200


def test_a_competition_page_leads_to_the_search_form(season: Competition) -> None:
    assert 'class="tool" href="/players/"' in Client().get("/c/final/").content.decode()
    assert 'action="/players/"' in Client().get("/players/").content.decode()


def test_the_number_of_search_queries_does_not_grow_with_competitions(season: Competition) -> None:
    counts = []
    for slug in ("two", "three"):
        final_table(slug)
        with CaptureQueriesContext(connection) as queries:
            Client().get("/players/", {"q": "音羽"})
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.both_databases
def test_teams_and_their_members_are_found_and_teams_are_shown_apart() -> None:
    made = TeamLeague()
    made.publish()
    team, person = made.teams[0].player, made.members[0][0]
    assert found("Libertas") == [team.key]
    assert found(person.name_romaji) == [person.key]
    text = Client(headers={"accept-language": "en"}).get("/players/").content.decode()
    assert text.index("<h2>Teams</h2>") < text.index(team.key) < text.index("<h2>Players</h2>") < text.index(person.key)


def test_the_rest_list_of_players_has_teams_and_members() -> None:
    made = TeamLeague()
    made.publish()
    rows = Api().get("players/", search="Aoyama")["results"]
    assert [(row["name"], row["is_team"], row["entrants"]) for row in rows][:1] == [("青山 あきら", False, [])]
    (team,) = Api().get("players/", search="Libertas")["results"]
    assert team["is_team"]
