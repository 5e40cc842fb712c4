"""The ladder: which rank leads where, and how it is drawn."""

from itertools import pairwise

import pytest

from league.models import Competition
from league.selectors.ladder import Ladder, ladder_of
from league.selectors.pages import shown_tables
from league.selectors.published import outcome_of
from league.selectors.readers import reader_of
from league.services.rulings import draw_stage, override_slot, pass_over
from league.services.standings import publish_standings
from league.views.drawing import draw, fitted
from tests import factories
from tests.league.played_season import BY, Season

pytestmark = pytest.mark.django_db


def ladder(competition: Competition) -> Ladder:
    publish_standings(competition.pk)
    competition.refresh_from_db()
    reader = reader_of(competition, None)
    return ladder_of(shown_tables(reader), outcome_of(reader))


def ends(made: Ladder, block: str) -> list[tuple[str, int, int | None, str]]:
    return [(link.from_block, link.from_row, link.to_row, link.state) for link in made.links if link.to_block == block]


def test_before_the_first_result_lines_run_from_ranks_to_open_slots() -> None:
    made = ladder(factories.league())
    assert ends(made, "final") == [
        ("A", 0, 0, "open"),
        ("B", 0, 1, "open"),
        ("po3", 0, 2, "open"),
        ("po3", 1, 3, "open"),
    ]
    assert [len(stage.blocks) for stage in made.stages] == [2, 1, 1, 1, 1]


def test_once_played_lines_run_from_a_players_rank_to_the_players_new_rank() -> None:
    season = Season()
    season.play_preliminary()
    season.play_stage("po1", day=3)
    made = ladder(season.competition)
    blocks = {block.block.key: block for stage in made.stages for block in stage.blocks}
    for link in made.links:
        if link.to_block == "po1":
            assert link.to_row is not None
            below, above = blocks[link.from_block].rows[link.from_row], blocks["po1"].rows[link.to_row]
            assert below.entrant == above.entrant
            assert link.state == "certain"
    assert blocks["po1"].has_ranks
    assert not blocks["po2"].has_ranks


def test_who_is_passed_over_leaves_the_line_to_the_next() -> None:
    season = Season()
    season.play_preliminary()
    first = season.block("A").standings.get(audience="public", position=1)
    pass_over(block=season.block("A"), entrant=first.entrant, by=BY, reason="withdrew")
    made = ladder(season.competition)
    assert ends(made, "final")[0] == ("A", 1, 0, "certain")


def test_a_slot_filled_by_ruling_has_no_line() -> None:
    season = Season()
    season.play_preliminary()
    slot = season.block("final").slots.get(number=1)
    fourth = season.block("B").standings.get(audience="public", position=4)
    override_slot(slot=slot, source="ruling", entrant=fourth.entrant, by=BY, reason="appeal")
    made = ladder(season.competition)
    assert [end for end in ends(made, "final") if end[2] == 0] == []


def test_lines_to_a_stage_still_to_be_drawn_end_at_its_draw_and_comparisons_start_in_every_block() -> None:
    made = ladder(factories.league("stairs", league_format="cinderella-2018"))
    semifinal = next(stage for stage in made.stages if stage.stage.key == "semifinal")
    assert len(semifinal.pool) == 8
    assert {row for _block, _rank, row, _state in ends(made, semifinal.blocks[0].block.key)} == {None}
    assert [end[:2] for end in ends(made, "po1")][3:] == [("A", 4), ("B", 4), ("C", 4)], "the best fifth"


def test_a_draw_leads_the_lines_to_their_tables() -> None:
    competition = factories.league("stairs", league_format="cinderella-2018")
    stage = competition.stages.get(key="semifinal")
    tables = [block.key for block in stage.blocks.order_by("order")]
    draw_stage(stage=stage, seed="opening night", by=BY, reason="drawn in public")
    made = ladder(competition)
    assert next(row for row in made.stages if row.stage.key == "semifinal").pool == ()
    assert len(ends(made, tables[0])) == 4


def test_an_open_table_shows_its_best_and_says_how_many_more() -> None:
    competition = factories.league("free", league_format="open-play", audience="public")
    factories.entrants(competition, 15)
    (stage,) = ladder(competition).stages
    assert (len(stage.blocks[0].rows), stage.blocks[0].hidden) == (12, 3)


@pytest.mark.parametrize("league_format", ["cinderella", "cinderella-2018"])
def test_boxes_stand_apart_and_lines_pass_above_the_boxes_each_in_its_own_lane(league_format: str) -> None:
    drawing = draw(ladder(factories.league("drawn", league_format=league_format)))
    for column in drawing.columns:
        assert all(upper.y + upper.height < lower.y for upper, lower in pairwise(column.boxes))
        assert all(box.y >= 0 and box.y + box.height <= drawing.height for box in column.boxes)
        passing = [line for line in drawing.lines if line.points[0][0] < column.x < line.points[-1][0]]
        lanes = [y for line in passing for x, y in line.points if x == column.x]
        assert all(0 < lane < column.boxes[0].y for lane in lanes)
        assert len(set(lanes)) == len(lanes)
    assert drawing.columns[-1].boxes[0].right <= drawing.width


def test_long_names_are_cut_to_the_row() -> None:
    assert fitted("水無月 つむぎ") == "水無月 つむぎ"
    assert fitted("Konstantinopolitanischer") == "Konstantinopolit…"
    assert fitted("東西南北白發中東西南") == "東西南北白發中東…"
