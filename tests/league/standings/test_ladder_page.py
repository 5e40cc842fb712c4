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
from league.web.ladder_upright import UprightDrawing, UprightLine, draw_upright
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
    assert not any(touch(one, other) for one, other in combinations(drawing.lines, 2))


@pytest.mark.django_db
@pytest.mark.both_databases
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
