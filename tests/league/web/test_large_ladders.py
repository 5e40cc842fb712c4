"""Test that the ladders of large fields stay small, and that nothing in them overlaps at any size."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from league.models import Outcome
from league.selectors.competitions.format_ladder import format_tables
from league.selectors.standings.ladder import Ladder, ladder_of, shortened
from league.templatetags.ladders import LYING, UPRIGHT, RowShape
from league.web.standings.ladder_svg import FULL, Drawing, draw
from league.web.standings.ladder_upright import UprightLine, draw_upright
from rulesets.formats import parse_format
from tests.league.large_fields import many_blocks, open_field

TALLEST = 5_000
FIELDS = [(people, best) for people in range(8, 301, 12) for best in {4, people // 8 * 4} if 4 <= best < people]
BLOCKS = [(blocks, size) for blocks in (4, 8, 16, 28) for size in (4, 8)]
DIGIT = 8
"""Width of a bold digit of a rank, rounded up."""


def drawn(text: str) -> Ladder:
    return shortened(ladder_of(tuple(format_tables(parse_format(text, "field"))), Outcome(pools={})))


def assert_sound(ladder: Ladder) -> None:
    rows = {block.block.key: len(block.rows) for stage in ladder.stages for block in stage.blocks}
    assert all(link.from_row < rows[link.from_block] for link in ladder.links)
    assert all(link.to_row is None or link.to_row < rows[link.to_block] for link in ladder.links)
    _lying(ladder, draw(ladder))
    drawing = draw_upright(ladder)
    assert (drawing.width, drawing.height <= TALLEST) == (358, True)
    assert all(upper.y + upper.height < lower.y for upper, lower in pairwise(drawing.boxes))
    for line in drawing.lines:
        assert 0 < line.lane_x < line.lane_x + 5 < line.x == drawing.x
        assert 0 < line.to_y < line.from_y < drawing.height
    into = {(link.to_block, line) for link, line in zip(ladder.links, drawing.lines, strict=True)}
    for (one_target, one), (other_target, other) in combinations(into, 2):
        assert one_target == other_target or not _touch(one, other), "a lane leads into one block"


def _lying(ladder: Ladder, drawing: Drawing) -> None:
    assert drawing.height <= TALLEST
    for column in drawing.columns:
        assert column.boxes[0].y >= 0
        assert all(upper.y + upper.height + FULL.between <= lower.y for upper, lower in pairwise(column.boxes))
        assert column.boxes[-1].y + column.boxes[-1].height <= drawing.height
    assert len(drawing.lines) == len(ladder.links)
    for line in drawing.lines:
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in line.points)


def _touch(one: UprightLine, other: UprightLine) -> bool:
    return one.lane_x == other.lane_x and one.to_y <= other.from_y and other.to_y <= one.from_y


def test_ladders_of_fields_of_any_size_stay_small_and_without_overlaps() -> None:
    for people, best in FIELDS:
        assert_sound(drawn(open_field(people, 2, 1, best)))


def test_ladders_of_many_blocks_stay_small_and_without_overlaps() -> None:
    for blocks, size in BLOCKS:
        assert_sound(drawn(many_blocks(blocks, size, 2)))


def test_a_large_field_shows_the_places_that_lead_on_and_counts_the_others() -> None:
    field, semifinal, final = (stage.blocks[0] for stage in drawn(open_field(224, 9, 3, 16)).stages)
    assert [(len(block.rows), block.hidden) for block in (field, semifinal, final)] == [(16, 208), (16, 0), (4, 0)]


@pytest.mark.parametrize("shape", [LYING, UPRIGHT])
def test_ranks_of_any_length_stay_in_their_box(shape: RowShape) -> None:
    for rank in ("1", "24", "100", "1000"):
        fitting = shape.with_room_for(rank)
        assert fitting.rank_x - DIGIT * len(rank) > 0
        assert (fitting == shape) == (len(rank) <= 2)
