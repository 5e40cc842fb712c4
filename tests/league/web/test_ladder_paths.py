"""Test the paths over a ladder: what is behind a player, and what is still open."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from league.selectors.access.readers import reader_of
from league.selectors.competitions.format_ladder import format_ladder
from league.selectors.competitions.overview import shown_tables
from league.selectors.standings.ladder import Ladder, ladder_of
from league.selectors.standings.ladder_paths import paths_of
from league.selectors.standings.published import outcome_of
from league.web.standings.ladder_svg import FULL, MINI, Measures, draw, rounded
from rulesets.formats import format_names, load_format
from tests.league.played_season import Season, almost_finished, preliminary


def ladder(season: Season) -> Ladder:
    season.publish()
    reader = reader_of(season.competition, None)
    return ladder_of(shown_tables(reader), outcome_of(reader))


def by_rank(made: Ladder, block: str, rank: int) -> str:
    """Return the key of the player at this rank."""
    drawn = next(own for stage in made.stages for own in stage.blocks if own.block.key == block)
    entrant = drawn.rows[rank - 1].entrant
    assert entrant is not None
    return entrant.player.key


def lit(made: Ladder, key: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the blocks that a player's past lines and open lines join."""
    paths = paths_of(made)
    past = {(link.from_block, link.to_block) for link in made.links if paths.is_past(link, key)}
    return past, {(link.from_block, link.to_block) for link in made.links if paths.is_open(link, key)}


@pytest.mark.parametrize("name", format_names())
def test_before_the_entrants_are_known_no_line_has_an_owner_and_each_leads_on_from_its_block(name: str) -> None:
    made = format_ladder(load_format(name))
    paths = paths_of(made)
    assert (paths.entrants, paths.owners, paths.playing) == ({}, {}, {})
    assert set(paths.below) == set(made.links)
    for link, blocks in paths.below.items():
        onwards = [other for other in made.links if other.from_block == link.to_block]
        assert link.from_block in blocks
        assert all(blocks | {link.to_block} <= paths.below[other] for other in onwards)


@pytest.mark.parametrize("name", format_names())
def test_the_small_drawing_has_the_lines_and_rows_of_the_large_one(name: str) -> None:
    made = format_ladder(load_format(name))
    small, large = draw(made, MINI), draw(made)
    assert {line.link for line in small.lines} == {line.link for line in large.lines}
    assert len(small.lines) == len(large.lines)
    assert [len(box.rows) for column in small.columns for box in column.boxes] == [
        len(box.rows) for column in large.columns for box in column.boxes
    ]
    for column in small.columns:
        assert all(0 < x <= small.width for box in column.boxes for x in (box.x, box.right))
        assert all(row.y > 0 and row.bottom <= small.height for box in column.boxes for row in box.rows)
    assert all(0 <= y <= small.height for line in small.lines for _x, y in line.points)


@pytest.mark.parametrize("measures", [FULL, MINI])
@pytest.mark.parametrize("name", format_names())
def test_lines_lead_at_right_angles_and_no_two_turn_on_top_of_each_other(name: str, measures: Measures) -> None:
    drawing = draw(format_ladder(load_format(name)), measures)
    ends = {column.x + dx for column in drawing.columns for dx in (0, measures.box)}
    upright = []
    for line in drawing.lines:
        for (x, y), (to_x, to_y) in pairwise(line.points):
            assert x == to_x or y == to_y
            if y != to_y:
                assert not any(column.x <= x <= column.x + measures.box for column in drawing.columns)
                upright.append((x, min(y, to_y), max(y, to_y)))
        assert {line.points[0][0], line.points[-1][0]} <= ends
    for (x, top, bottom), (other_x, other_top, other_bottom) in combinations(upright, 2):
        assert x != other_x or bottom < other_top or other_bottom < top


def test_a_path_at_right_angles_has_rounded_corners_and_leaves_out_points_on_the_way() -> None:
    points = ((0, 10), (20, 10), (20, 10), (30, 10), (30, 40), (50, 40))
    assert rounded(points, 5) == "M0 10H25Q30 10 30 15V35Q30 40 35 40H50"
    assert rounded(points, 0) == "M0 10H30V40H50"
    assert rounded(((0, 10), (30, 10), (30, 14), (50, 14)), 5) == "M0 10H25Q30 10 30 12V12Q30 14 35 14H50"
    assert rounded(((0, 10), (30, 10), (30, 10), (50, 10)), 5) == "M0 10H50"


@pytest.mark.django_db
def test_while_a_block_is_played_every_line_above_it_is_open_to_its_players_alone() -> None:
    made = ladder(preliminary(1))
    past, still_open = lit(made, by_rank(made, "A", 8))
    assert past == set()
    assert {"A"} == {start for start, _end in still_open if start in ("A", "B")}
    assert {("A", "po1"), ("po1", "po2"), ("po2", "po3"), ("po3", "final"), ("A", "final")} <= still_open


@pytest.mark.django_db
def test_a_player_who_is_out_has_only_a_past_and_one_who_goes_on_has_both() -> None:
    season = preliminary()
    made = ladder(season)
    assert lit(made, by_rank(made, "A", 8)) == (set(), set())
    assert lit(made, by_rank(made, "A", 1)) == ({("A", "final")}, set())
    fourth = by_rank(made, "A", 4)
    assert lit(made, fourth) == ({("A", "po1")}, {("po1", "po2"), ("po2", "po3"), ("po3", "final")})
    season.play_stage("po1", day=3)
    made = ladder(season)
    out = by_rank(made, "po1", 4)
    past, still_open = lit(made, out)
    assert {end for _start, end in past} == {"po1"}
    assert still_open == set()


@pytest.mark.django_db
def test_in_the_final_the_path_is_all_past() -> None:
    made = ladder(almost_finished())
    for rank in range(1, 5):
        past, still_open = lit(made, by_rank(made, "final", rank))
        assert "final" in {end for _start, end in past}
        assert still_open == set()
