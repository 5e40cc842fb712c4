"""Test the ladder's own page, and the layout of its upright drawing."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.selectors.competitions.format_ladder import format_ladder
from league.services.standings.publishing import publish_standings
from league.web.standings.ladder_upright import UprightDrawing, UprightLine, draw_upright
from rulesets.formats import format_names, load_format
from tests import factories
from tests.league.played_season import preliminary


def touch(one: UprightLine, other: UprightLine) -> bool:
    return one.lane_x == other.lane_x and one.to_y <= other.from_y and other.to_y <= one.from_y


def rows_of(drawing: UprightDrawing) -> list[int]:
    return [box.row_y(row) for box in drawing.boxes for row in range(len(box.block.rows))]


@pytest.mark.parametrize("name", format_names())
def test_no_rows_overlap_and_lines_stay_in_their_lanes_beside_them(name: str) -> None:
    made = format_ladder(load_format(name))
    drawing = draw_upright(made)
    assert [box.block.block.key for box in drawing.boxes] == [
        block.block.key for stage in reversed(made.stages) for block in stage.blocks
    ]
    assert all(upper.y + upper.height < lower.y for upper, lower in pairwise(drawing.boxes))
    assert all(upper + 34 <= lower for upper, lower in pairwise(rows_of(drawing)))
    assert drawing.boxes[-1].y + drawing.boxes[-1].height <= drawing.height
    assert len(drawing.lines) == len(made.links)
    ends = {box.end_y(row) for box in drawing.boxes for row in (None, *range(len(box.block.rows)))}
    for line in drawing.lines:
        assert 0 < line.lane_x < line.lane_x + 5 < line.x == drawing.x < drawing.width
        assert 0 < line.to_y < line.from_y < drawing.height, "each line leads upwards"
        assert {line.from_y, line.to_y} <= ends
        assert max(map(int, re.findall(r"[MHQ](\d+)", line.path))) == drawing.x
    # Many lines into one block share a lane.
    apart = (pair for pair in combinations(drawing.lines, 2) if pair[0].link.to_block != pair[1].link.to_block)
    assert not any(touch(one, other) for one, other in apart)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Ladder", "The ladder as a list", "Preliminary league", "Playoff 1", "eliminated")),
        ("ja", ("勝ち上がり表", "一覧で見る", "プレーオフ", "敗退")),
    ],
)
def test_the_page_draws_the_ladder_twice_and_lists_its_ranks(language: str, words: tuple[str, ...]) -> None:
    preliminary()
    page = Client(headers={"accept-language": language}).get("/c/spring/ladder/").content.decode()
    assert page.count("<svg viewBox") >= 2
    upright, lying = page.split('<div class="onlyw">')
    assert upright.count('class="line certain') == lying.split("</svg>")[0].count('class="line certain') == 10
    assert upright.count('<a class="row ') == lying.split("</svg></div>")[0].count('<a class="row ') == 32
    listed = lying[lying.index('id="ladder-list"') :]
    assert listed.count("<li><span") == 16
    assert all(word in page for word in words)
    home = Client(headers={"accept-language": language}).get("/c/spring/").content.decode()
    assert 'href="/c/spring/ladder/"' in home


@pytest.mark.django_db
def test_the_pages_queries_do_not_grow_with_the_hanchan() -> None:
    counts = []
    season = preliminary(1)
    for _ in range(2):
        season.publish()
        with CaptureQueriesContext(connection) as queries:
            assert Client().get("/c/spring/ladder/").status_code == 200
        counts.append(len(queries))
        season.play_rest("A")
    assert counts[0] == counts[1] <= 5


@pytest.mark.django_db
@pytest.mark.parametrize("league_format", ["open-play", "single-table-final"])
def test_a_competition_of_one_stage_has_no_ladder_and_says_so(league_format: str) -> None:
    competition = factories.league("single", league_format=league_format, audience="public")
    publish_standings(competition.pk)
    response = Client(headers={"accept-language": "en"}).get("/c/single/ladder/")
    assert response.status_code == 404
    assert "There is no ladder here: the competition has only one stage." in response.content.decode()


@pytest.mark.django_db
def test_a_path_asked_for_is_lit_in_both_drawings_and_put_in_words() -> None:
    preliminary()
    plain = Client(headers={"accept-language": "en"}).get("/c/spring/ladder/")
    lines = rows_from(plain.content.decode())
    assert not any("lit" in style for style, _key in lines)
    key = next(key for style, key in lines if key and "line" in style)
    response = Client(headers={"accept-language": "en"}).get(f"/c/spring/ladder/?path={key}")
    page = response.content.decode()
    lit = [(style, own) for style, own in rows_from(page) if " lit" in style and " may" not in style]
    assert {own for _style, own in lit} == {key}
    assert len([style for style, _own in lit if "line" in style]) == 2, "one line in each drawing"
    assert page.count('aria-current="true"') == 4, "two rows in each drawing"
    assert f'<option value="{key}" selected>' in page
    assert re.search(r"<span>[^<]+ \d(?:st|nd|rd|th) → [^<]+</span>", page)
    assert response["Cache-Control"].startswith("public")
    assert response["ETag"] != plain["ETag"]


def rows_from(page: str) -> list[tuple[str, str]]:
    """Return class and player of each row and line of the drawings."""
    parts = re.findall(r'<(?:a|path) class="((?:row|line)[^"]*)"[^>]*?(?: data-p="([^"]*)"[^>]*)?/?>', page)
    return [(style, key) for style, key in parts]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "There is no such player in this competition."), ("ja", "この大会にその選手はいません。")],
)
def test_an_unknown_player_is_ignored_with_a_sentence_and_the_page_is_not_kept(language: str, sentence: str) -> None:
    preliminary(1)
    client = Client(headers={"accept-language": language})
    for asked in ("nobody", "x" * 500, "' OR 1=1", "%00"):
        response = client.get(f"/c/spring/ladder/?path={asked}")
        assert response.status_code in (200, 400), asked
        assert "public" not in response["Cache-Control"]
        assert "ETag" not in response
        assert response.status_code == 400 or sentence in response.content.decode()
    assert sentence not in client.get("/c/spring/ladder/?path=").content.decode()


@pytest.mark.django_db
def test_the_small_drawing_on_phones_is_one_link_of_four_kilobytes() -> None:
    preliminary(1)
    home = Client(headers={"accept-language": "en"}).get("/c/spring/").content.decode()
    mini = home[home.index('<a class="mini"') :].split("</a>")[0]
    assert 'href="/c/spring/ladder/" aria-label="See the ladder"' in mini
    assert "<text" not in mini
    assert len(mini.encode()) <= 4096
    assert mini.count('<path class="line') == 16
