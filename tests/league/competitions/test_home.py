"""Tests of a competition's home page: order of the stages and arrows for rank changes since the newest session."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from league.models import Audience, Hanchan, Role
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.selectors.standings.progress import movements_of
from league.selectors.standings.tables import block_tables
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.parlours import guests, parlour, play, sitting
from tests.league.played_season import Season
from tests.league.shared import fresh_season

pytestmark = pytest.mark.django_db
FIRST = (45000, 30000, 15000, 10000)
REVERSED = FIRST[::-1]


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Season:
    """Play a first session of blocks A and B, and schedule a table of block A in a second one."""
    season = Season()
    for key in ("A", "B"):
        season.schedule(key, factories.in_block(season.block(key))[:4], (1, 2), day=1)
    season.schedule("A", factories.in_block(season.block("A"))[:4], (3,), day=2)
    for hanchan in Hanchan.objects.filter(number__lte=2).order_by("block", "number"):
        season.play(hanchan, FIRST)
    season.publish()
    return season


@pytest.fixture
def season(played: Season) -> Season:
    """Return the season."""
    return fresh_season(played)


def block_shown(page: str, key: str) -> str:
    """Return a block's part of the home page."""
    heading = page.index(f'href="/c/spring/blocks/{key}/"', page.index('f-main"'))
    return page[heading : page.index("</section>", heading)]


def home(language: str = "en") -> str:
    return Client(headers={"accept-language": language}).get("/c/spring/").content.decode()


def test_arrows_appear_in_blocks_of_the_newest_session_as_on_the_block_pages(season: Season) -> None:
    season.play(Hanchan.objects.get(block=season.block("A"), number=3), REVERSED)
    season.publish()
    own = Client(headers={"accept-language": "en"}).get("/c/spring/blocks/A/").content.decode()
    shown = block_shown(home(), "A")
    for way in ("up", "down"):
        assert shown.count(f'class="moved {way}"') == own.count(f'class="moved {way}"') > 0
    assert "moved" not in block_shown(home(), "B"), "block B has not played since"


def test_arrows_have_a_text_for_screen_readers(season: Season) -> None:
    season.play(Hanchan.objects.get(block=season.block("A"), number=3), REVERSED)
    season.publish()
    shown = block_shown(home(), "A")
    arrows = re.findall(r'<span aria-hidden="true">([↑↓])(\d)</span><span class="visually-hidden">(.*?)</span>', shown)
    assert arrows
    assert all(said == f"{'up' if way == '↑' else 'down'} {count}" for way, count, said in arrows)
    assert "ranks gained or lost since before" in shown


def test_a_cached_page_shows_the_arrows_of_its_own_version(season: Season) -> None:
    visitor = Client(headers={"accept-language": "en"})
    before = visitor.get("/c/spring/")
    assert "since before hanchan 2" in block_shown(before.content.decode(), "A")
    assert visitor.get("/c/spring/", headers={"if-none-match": before["ETag"]}).status_code == 304
    season.play(Hanchan.objects.get(block=season.block("A"), number=3), REVERSED)
    season.publish()
    after = visitor.get("/c/spring/", headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert "since before hanchan 2" not in after.content.decode()


def test_the_spoiler_guard_hides_arrows_of_later_results(season: Season) -> None:
    season.play(Hanchan.objects.get(block=season.block("A"), number=3), REVERSED)
    season.publish()
    guarded = Client(headers={"accept-language": "en"})
    first = Hanchan.objects.filter(number=1).first()
    assert first is not None
    page = guarded.get("/c/spring/", {"until": first.table_session.session.number}, follow=True).content.decode()
    assert "since before hanchan 2" in block_shown(page, "A")


@pytest.mark.both_databases
def test_a_block_with_too_many_results_has_no_arrows(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(season.competition, Audience.PUBLIC, season.competition.public_version)
    session = Hanchan.objects.get(block=season.block("A"), number=1).table_session.session
    given = (reader, block_tables(reader), session, format_of(rules_at(season.competition)), 4)
    assert set(movements_of(*given)) == {season.block("A").pk, season.block("B").pk}
    monkeypatch.setattr("league.selectors.standings.progress.MOST_RESULTS", 7)
    assert movements_of(*given) == {}


def test_an_open_table_of_three_has_matching_columns_and_no_border_column() -> None:
    hall = parlour()
    play(sitting(hall, guests(hall)))
    publish_standings(hall.pk)
    clerk = Client(headers={"accept-language": "en"})
    clerk.force_login(factories.user("clerk", Role.SCORER, hall))
    block = hall.blocks.get()
    page = clerk.get(f"/c/{hall.slug}/blocks/{block.key}/").content.decode()
    table = page[page.index('<table class="standings">') : page.index("</table>")]
    head, first, *_rest = re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    assert len(re.findall(r"<t[hd]\b", first)) == len(re.findall(r"<th\b", head))
    assert "To the border" not in head


@pytest.mark.both_databases
def test_the_stamp_of_an_open_table_shows_a_day_and_no_hanchan_number() -> None:
    hall = parlour()
    play(sitting(hall, guests(hall)))
    publish_standings(hall.pk)
    clerk = Client(headers={"accept-language": "en"})
    clerk.force_login(factories.user("clerk", Role.SCORER, hall))
    page = clerk.get(f"/c/{hall.slug}/").content.decode()
    stamp = page[page.index('class="stamp"') :].partition("</p>")[0]
    assert "As of" in stamp
    assert "hanchan" not in stamp


def test_charts_name_their_lines_within_the_width_of_a_phone(season: Season) -> None:
    page = Client(headers={"accept-language": "en"}).get("/c/spring/blocks/A/charts/").content.decode()
    drawings = page.split("<figure")[1:]
    assert len(drawings) == 2
    for drawing in drawings:
        assert 'viewBox="0 0 358 ' in drawing
        assert len(re.findall(r'<text x="\d+" y="\d+" dx="8" dy="4">\w', drawing)) == 8
