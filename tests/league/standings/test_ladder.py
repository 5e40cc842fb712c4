"""Test the ladder: the links from ranks to slots, and its drawing."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from django.test import Client

from league.models import Competition, Hanchan, Standing
from league.selectors.access.readers import reader_of
from league.selectors.competitions.overview import shown_tables
from league.selectors.standings.ladder import Ladder, ladder_of
from league.selectors.standings.published import outcome_of, standings_of
from league.services.results.rulings import draw_stage, override_slot, pass_over
from league.services.standings.publishing import publish_standings
from league.web.standings.ladder_svg import draw, fitted
from tests import factories
from tests.league.played_season import BY, Season, preliminary

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


def test_after_results_a_line_joins_a_players_ranks_in_both_blocks() -> None:
    season = preliminary()
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


def test_a_passed_over_players_line_starts_at_the_next_player() -> None:
    season = preliminary()
    first = season.block("A").standings.get(audience="public", position=1)
    pass_over(block=season.block("A"), entrant=first.entrant, by=BY, reason="withdrew")
    made = ladder(season.competition)
    assert ends(made, "final")[0] == ("A", 1, 0, "certain")


def test_a_slot_filled_by_ruling_has_no_line() -> None:
    season = preliminary()
    slot = season.block("final").slots.get(number=1)
    fourth = season.block("B").standings.get(audience="public", position=4)
    override_slot(slot=slot, source="ruling", entrant=fourth.entrant, by=BY, reason="appeal")
    made = ladder(season.competition)
    assert [end for end in ends(made, "final") if end[2] == 0] == []


def test_lines_to_an_undrawn_stage_end_at_its_draw_and_comparisons_start_in_every_block() -> None:
    made = ladder(factories.league("stairs", league_format="cinderella-2018"))
    semifinal = next(stage for stage in made.stages if stage.stage.key == "semifinal")
    assert len(semifinal.pool) == 8
    assert {row for _block, _rank, row, _state in ends(made, semifinal.blocks[0].block.key)} == {None}
    assert [end[:2] for end in ends(made, "po1")][3:] == [("A", 4), ("B", 4), ("C", 4)], "the best fifth"


def test_a_draw_connects_the_lines_to_their_tables() -> None:
    competition = factories.league("stairs", league_format="cinderella-2018")
    stage = competition.stages.get(key="semifinal")
    tables = [block.key for block in stage.blocks.order_by("order")]
    draw_stage(stage=stage, seed="opening night", by=BY, reason="drawn in public")
    made = ladder(competition)
    assert next(row for row in made.stages if row.stage.key == "semifinal").pool == ()
    assert len(ends(made, tables[0])) == 4


LABELLED = re.compile(r'"label": ?\{"ja": ?"(?:圏外|敗退)", ?"en": ?"(below the cut|eliminated)"\}')


def tags(season: Season, last: str) -> dict[str, list[str]]:
    """Return each page's labels for players below the cut; `last` is the key of block A's last player."""
    slug = season.competition.slug
    pages = {
        f"/c/{slug}/": r'<span class="tag off">(below the cut|eliminated)</span>',
        f"/embed/{slug}/ladder/": r'<span class="to">(below the cut|eliminated)</span>',
        f"/c/{slug}/blocks/A/": r"Border: ↑ Playoff 1 · ↓ ([\w ]+)<",
        f"/c/{slug}/players/{last}/": r"<dt>(?:As it stands|Going on)</dt><dd[^>]*>([\w ]+)<",
        f"/api/v1/standings/?competition={slug}&block=A": LABELLED.pattern,
    }
    client = Client(headers={"accept-language": "en"})
    return {path: re.findall(pattern, client.get(path).content.decode()) for path, pattern in pages.items()}


def last_of(season: Season) -> str:
    """Return the key of the last player of block A."""
    row = Standing.objects.get(block=season.block("A"), audience="public", position=8)
    return row.entrant.player.key


def test_players_are_below_the_cut_until_their_block_is_finished_and_then_eliminated() -> None:
    season = preliminary(1)
    assert [*tags(season, last_of(season)).values()] == [["below the cut"] * count for count in (0, 6, 1, 1, 3)]
    season.play_rest("A")
    season.publish()
    first, second, *others = tags(season, last_of(season)).values()
    assert sorted(second) == ["below the cut"] * 3 + ["eliminated"] * 3, "block B plays on"
    assert first == ["eliminated"] * 3, "the competition's page draws the border instead until it is certain"
    assert others == [["eliminated"], ["eliminated"], ["eliminated"] * 3]


def test_a_reader_who_hides_the_last_session_sees_no_elimination_in_it() -> None:
    season = preliminary()
    guarded = replace(reader_of(season.competition, None), until=1)
    block = [season.block("A")]
    assert {row.goes for row in standings_of(guarded, blocks=block)} == {""}
    now = [row.goes for row in standings_of(replace(guarded, until=2), blocks=block)]
    assert now == [row.goes for row in standings_of(reader_of(season.competition, None), blocks=block)]
    assert now == ["final", "po3", "po2", "po1", "po1", "out", "out", "out"]


def test_a_what_if_shows_eliminations() -> None:
    season = preliminary()
    season.play_stage("po1", day=3, hanchan_each=3)
    last = Hanchan.objects.get(block=season.block("po1"), number=4)
    scores = "60000,30000,20000,-10000"
    client = Client(headers={"accept-language": "en"})
    assert client.get("/embed/spring/ladder/").content.decode().count(">below the cut<") == 2
    assert client.get(f"/c/spring/what-if/?s{last.pk}={scores}").content.decode().count("<td>eliminated</td>") == 2
    document = client.get(f"/api/v1/competitions/spring/what-if/?results={last.pk}:{scores}").content.decode()
    assert LABELLED.findall(document) == ["eliminated"] * 2


def test_an_open_table_shows_its_best_players_and_the_number_of_others() -> None:
    competition = factories.league("free", league_format="open-play", audience="public")
    factories.entrants(competition, 15)
    (stage,) = ladder(competition).stages
    assert (len(stage.blocks[0].rows), stage.blocks[0].hidden) == (12, 3)


@pytest.mark.parametrize("league_format", ["cinderella", "cinderella-2018"])
def test_boxes_do_not_overlap_and_each_passing_line_has_its_own_lane_above_them(league_format: str) -> None:
    drawing = draw(ladder(factories.league("drawn", league_format=league_format)))
    for column in drawing.columns:
        assert all(upper.y + upper.height < lower.y for upper, lower in pairwise(column.boxes))
        assert all(box.y >= 0 and box.y + box.height <= drawing.height for box in column.boxes)
        passing = [line for line in drawing.lines if line.points[0][0] < column.x < line.points[-1][0]]
        lanes = [y for line in passing for x, y in line.points if x == column.x]
        assert all(0 < lane < column.boxes[0].y for lane in lanes)
        assert len(set(lanes)) == len(lanes)
    assert drawing.columns[-1].boxes[0].right <= drawing.width


def test_long_names_are_truncated_to_the_row() -> None:
    assert fitted("水無月 つむぎ") == "水無月 つむぎ"
    assert fitted("Konstantinopolitanischer") == "Konstantinopolit…"
    assert fitted("東西南北白發中東西南") == "東西南北白發中東…"
