"""Tests of what a competition's page says first: games being played, the next ones, the current stage, and news."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Hanchan, Standing
from league.services.competitions.schedule import hold_back
from league.services.live.log import NewEvent, append_events
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league.played_season import Season, almost_finished, preliminary
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db
EVENING = dt.datetime(2027, 1, 9, 10, tzinfo=dt.UTC)
RON: dict[str, object] = {"type": "ron", "loser": 0, "wins": [{"seat": 2, "value": {"limit": "mangan"}}]}


def visit(path: str, language: str = "en") -> str:
    """Return a page's text for an anonymous visitor; require status 200."""
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def begin(hanchan: Hanchan, *entries: dict[str, object]) -> None:
    """Start the hanchan on a score sheet and write these entries."""
    events = [NewEvent(f"entry{place}", "entry", {"entry": entry}) for place, entry in enumerate(entries)]
    append_events(hanchan=hanchan, events=[NewEvent("begin", "start", {}), *events], after=0, by=SYSTEM)


def publish(competition: Competition) -> None:
    """Publish the competition's present version."""
    competition.refresh_from_db()
    publish_standings(competition.pk)


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Competition:
    """Play the first of four dated hanchan of a league of four."""
    competition = factories.final_table()
    table = factories.table(competition.blocks.get(), starts_at=EVENING, venue="Lantern Parlour")
    factories.play(table.hanchan.get(round=1), (41_200, 30_100, 18_700, 10_000))
    publish(competition)
    return competition


@pytest.fixture
def league(played: Competition) -> Competition:
    """Return the league."""
    return fresh(played)


def test_the_next_game_comes_first_with_date_place_and_players(league: Competition) -> None:
    for language, words in (
        ("en", ("Sat 9 Jan 2027 19:00", "Player final1")),
        ("ja", ("2027年1月9日(土) 19:00", "final1")),
    ):
        page = visit("/c/final/", language)
        box = page[page.index('id="now"') : page.index('class="front"')]
        for text in (*words, "Lantern Parlour"):
            assert text in box, text
        assert "data-now" not in box


def test_the_page_is_read_in_the_order_now_me_standing_results_news_ladder() -> None:
    season = almost_finished()
    season.publish()
    page = visit("/c/spring/")
    parts = ('id="now"', 'class="f-me"', 'id="stage-final"', 'class="fold"', "Latest results", 'id="news-title"',
             'id="share-title"', 'id="ladder"')  # fmt: skip
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert "47 of all 48 hanchan played" in page
    assert page.count('class="sheet result"') == 2, "the two latest games"
    assert page.count('id="stage-final"') == page.count('id="ladder"') == 1


def test_a_game_is_shown_as_played_when_its_score_sheet_is_begun_and_its_box_has_the_scores(
    league: Competition,
) -> None:
    hanchan = Hanchan.objects.get(number=2)
    begin(hanchan, RON)
    publish(league)
    for language, words in (("en", "playing"), ("ja", "対局中")):
        page = visit("/c/final/", language)
        assert f'data-now="/c/final/hanchan/{hanchan.pk}/live/box/"' in page
        assert words in page[page.index('class="nowbox"') :]
    box = visit(f"/c/final/hanchan/{hanchan.pk}/live/box/", "ja")
    assert re.findall(r'class="pt">([\d,]+)<', box) == ["17,000", "25,000", "33,000", "25,000"]
    assert box.count("終われば") == 4
    assert "東2局" in box or "東1局" in box


def test_a_game_that_begins_after_publishing_is_on_the_page_and_told_to_open_ones(league: Competition) -> None:
    hanchan = Hanchan.objects.get(number=2)
    assert "data-now" not in visit("/c/final/")
    before = json.loads(visit("/c/final/version/"))
    assert f'data-games="{before["games"]}"' in visit("/c/final/")
    begin(hanchan, RON)
    after = json.loads(visit("/c/final/version/"))
    assert (before["version"], before["games"] == after["games"]) == (after["version"], False)
    assert f'data-now="/c/final/hanchan/{hanchan.pk}/live/box/"' in visit("/c/final/")
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    assert json.loads(visit("/c/final/version/"))["games"] == before["games"], "of a game held back nothing is told"


def test_if_it_ended_adds_the_running_game_to_the_totals_and_ranks_them(league: Competition) -> None:
    hanchan = Hanchan.objects.get(number=2)
    begin(hanchan, RON)
    publish(league)
    box = visit(f"/c/final/hanchan/{hanchan.pk}/live/box/")
    told = [(float(total), rank) for total, rank in re.findall(r"<b>([-\d.]+)</b> \((\w+)\)", box)]
    assert [rank for _total, rank in sorted(told, reverse=True)] == ["1st", "2nd", "3rd", "4th"]
    before = [float(total) for total in re.findall(r'tot padn(?: m)?">([-\d.]+)<', visit("/c/final/"))]
    # 17,000, 25,000, 33,000 and 25,000 of 30,000, with uma (the second and third share theirs) and oka.
    gains = sorted(round(now - was, 1) for now, was in zip([total for total, _rank in told], before, strict=True))
    assert gains == [-33.0, -5.0, -5.0, 43.0]


def test_the_box_of_a_game_that_is_over_marks_no_dealer(league: Competition) -> None:
    hanchan = Hanchan.objects.get(number=2)
    begin(hanchan, RON)
    publish(league)
    address = f"/c/final/hanchan/{hanchan.pk}/live/box/"
    assert "Dealer" in visit(address)
    # Each dealer in turn loses to a non-dealer, up to the last hand.
    for place in range(1, 8):
        won = {"type": "ron", "loser": place % 4, "wins": [{"seat": (place + 1) % 4, "value": {"limit": "mangan"}}]}
        events = [NewEvent(f"more{place}", "entry", {"entry": won})]
        append_events(hanchan=hanchan, events=events, after=place + 1, by=SYSTEM)
    box = visit(address)
    assert "The game is over" in box
    assert ("Dealer" in box, "oya" in box) == (False, False)


def test_the_box_is_empty_once_the_result_counts_or_before_the_game_begins(league: Competition) -> None:
    first, second = (Hanchan.objects.get(number=number) for number in (1, 2))
    for row in (first, second):
        assert visit(f"/c/final/hanchan/{row.pk}/live/box/").strip() == ""


def test_the_box_changes_with_the_log_and_is_not_sent_again_before(league: Competition) -> None:
    hanchan = Hanchan.objects.get(number=2)
    begin(hanchan)
    publish(league)
    visitor = Client(headers={"accept-language": "en"})
    address = f"/c/final/hanchan/{hanchan.pk}/live/box/"
    known = visitor.get(address)["ETag"]
    assert visitor.get(address, headers={"if-none-match": known}).status_code == 304
    append_events(hanchan=hanchan, events=[NewEvent("more", "entry", {"entry": RON})], after=1, by=SYSTEM)
    assert visitor.get(address, headers={"if-none-match": known}).status_code == 200


def test_several_running_tables_are_listed_with_their_players_and_without_polling() -> None:
    season = Season()
    people = {key: factories.in_block(season.block(key)) for key in ("A", "B")}
    tables = [season.schedule(key, people[key][at : at + 4], (1,), day=1) for key in ("A", "B") for at in (0, 4)]
    for table in tables:
        begin(table.hanchan.get())
    season.publish()
    page = visit("/c/spring/")
    box = page[page.index('id="now"') : page.index('class="front"')]
    assert box.count("<li>") == 4
    assert "data-now" not in page
    assert "Sakuragi Hiyori" in box


def test_the_current_stage_has_marks_places_rounds_and_a_border_with_its_gap(league: Competition) -> None:
    factories.play(Hanchan.objects.get(number=2), (10_000, 20_000, 30_000, 40_000))
    publish(league)
    for language, texts in (
        ("en", ("places 1-4", "Border: champion", "apart", "2 of 4 hanchan played")),
        ("ja", ("着順 1-4", "ボーダー", "差", "全4回戦中2回戦終了")),
    ):
        page = visit("/c/final/", language)
        table = page[page.index('id="stage-final"') : page.index("</section>", page.index('id="stage-final"'))]
        for text in texts:
            assert text in table, text
        assert table.count('class="t c') == 4
        assert table.count('class="pl p') == 8, "two rounds of four"


def test_a_correction_is_news_with_its_reason_but_not_of_a_table_under_embargo(league: Competition) -> None:
    hanchan = Hanchan.objects.get(number=1)
    factories.play(hanchan, (42_200, 29_100, 18_700, 10_000), corrects=1, reason="misread slip")
    publish(league)
    page = visit("/c/final/")
    assert "misread slip" in page[page.index('id="news-title"') :]
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    publish(league)
    assert "misread slip" not in visit("/c/final/")


def test_finished_stages_come_last_folded_under_the_names_of_who_advanced_with_a_link_to_all() -> None:
    season = preliminary(8)
    page = visit("/c/spring/")
    order = re.findall(r'<(?:div class="stage"|details class="fold") id="stage-([\w-]+)"', page)
    assert order[-1] == "preliminary"
    assert order[:-1] == [stage.key for stage in season.competition.stages.order_by("order")][1:]
    assert page.count('<div class="stage"') == 1, "the next stage is open, all others are folded"
    season.play_stage("po1", day=3)
    season.publish()
    page = visit("/c/spring/")
    fold = page[page.index('<details class="fold" id="stage-preliminary"') :]
    summary = fold[: fold.index("</summary>")]
    assert "finished" in summary
    first = Standing.objects.get(block=season.block("A"), audience="public", position=1).entrant.player
    assert re.search(rf"Going on: {first.name_romaji.split()[0]}, .* and 5 more", summary), summary
    assert "/c/spring/stages/preliminary/advanced/" in fold
    two = page[page.index('id="stage-po1"') :].split("</summary>")[0]
    assert len(two.split("Going on: ")[1].split(", ")) == 2
    assert "Going on" not in page[page.index('id="stage-final"') :].split("</summary>")[0]


def test_the_start_page_begins_with_live_games_then_next_tables_and_hides_embargoed_ones(league: Competition) -> None:
    page = visit("/")
    assert page.index("Sat 9 Jan 2027 19:00") < page.index('class="cards')
    begin(Hanchan.objects.get(number=2))
    publish(league)
    page = visit("/")
    assert page.index('class="nowbox"') < page.index("Lantern Parlour") < page.index('class="cards')
    hold_back(table_session=league.table_sessions.get(), until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    publish(league)
    assert "Lantern Parlour" not in visit("/")
