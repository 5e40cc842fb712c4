"""Tests of the champion's page and of the pages that say who advanced from a stage."""

from __future__ import annotations

import datetime as dt
import re
from urllib.parse import unquote

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Hanchan
from league.services.competitions.schedule import hold_back
from tests.league.played_season import BY, Season, almost_finished, preliminary

pytestmark = pytest.mark.django_db
CHAMPION = "/c/spring/champion/"


def visit(path: str, language: str = "en") -> tuple[int, str]:
    """Return status and text of a page for an anonymous visitor."""
    response = Client(headers={"accept-language": language}).get(path)
    return response.status_code, response.content.decode()


@pytest.fixture
def won() -> Season:
    """Return a season whose last hanchan is played."""
    season = almost_finished()
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    return season


def test_the_champions_page_opens_when_the_title_is_certain_and_is_linked_from_the_home_page() -> None:
    season = almost_finished()
    status, page = visit(CHAMPION)
    assert status == 404
    assert "not decided yet" in page
    assert CHAMPION not in visit("/c/spring/")[1]
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    assert CHAMPION in visit("/c/spring/")[1]
    for language, words in (("en", "The way to the title"), ("ja", "優勝までの道のり")):
        status, page = visit(CHAMPION, language)
        assert status == 200
        assert words in page


def test_the_champions_page_has_texts_to_post_with_links_to_x_and_line(won: Season) -> None:
    page = visit(CHAMPION, "ja")[1]
    assert "、優勝は" in page
    assert ": the champion is " in page
    for start in ("https://x.com/intent/post?text=", "https://line.me/R/share?text="):
        address = re.findall(rf'href="{re.escape(start)}([^"]+)"', page)[0]
        assert unquote(address).endswith(CHAMPION)


def test_the_way_to_the_title_begins_with_the_first_block_and_ends_with_the_final_and_its_rounds(won: Season) -> None:
    page = visit(CHAMPION)[1]
    way = page[page.index('class="route') : page.index("</ol>", page.index('class="route'))]
    assert way.index("Block") < way.index("Final") < way.index("Champion")
    table = page[page.index("<table") : page.index("</table>")]
    assert [f"H{number}" in table for number in (1, 2, 3, 4, 5)] == [True] * 4 + [False]
    assert table.count('class="pl p1"') == 4, "four rounds have a winner each"
    assert "/c/spring/blocks/final/charts/" in page


def test_neither_the_spoiler_guard_nor_an_embargo_lets_the_champion_through(won: Season) -> None:
    guarded = Client(headers={"accept-language": "en"})
    guarded.get("/c/spring/", {"until": 1})
    assert guarded.get(CHAMPION).status_code == 404
    last = Hanchan.objects.get(block=won.block("final"), number=4)
    hold_back(table_session=last.table_session, until=timezone.now() + dt.timedelta(days=1), by=BY)
    won.publish()
    assert visit(CHAMPION)[0] == 404


def test_the_page_of_the_last_game_shows_who_won_the_title(won: Season) -> None:
    games = {row.number: row.pk for row in Hanchan.objects.filter(block=won.block("final"))}
    assert 'class="champ"' in visit(f"/c/spring/hanchan/{games[4]}/")[1]
    assert 'class="champ"' not in visit(f"/c/spring/hanchan/{games[3]}/")[1]


def test_who_advanced_is_listed_by_stage_once_the_stage_is_finished() -> None:
    address = "/c/spring/stages/preliminary/advanced/"
    preliminary(7).publish()
    status, page = visit(address)
    assert status == 404
    assert "not finished yet" in page
    assert visit("/c/spring/stages/none/advanced/")[0] == 404


def test_players_who_advanced_are_counted_by_the_stage_that_they_go_to() -> None:
    preliminary(8).publish()
    status, page = visit("/c/spring/stages/preliminary/advanced/", "ja")
    assert status == 200
    assert [page.count(f"{stage}進出 {count}名") for stage, count in (("決勝", 2), ("プレーオフ3", 2))] == [1, 1]
    assert page.count('class="who"') == 10, "five of each of two blocks go on"
    home = visit("/c/spring/", "ja")[1]
    assert "/c/spring/stages/preliminary/advanced/" in home
