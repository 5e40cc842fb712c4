"""Test a block's charts: movements, totals and ranks by hanchan, and head-to-head records."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.test import Client

from league.models import Block, Hanchan, Standing
from league.selectors.access.readers import Reader, reader_of
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.selectors.standings.meetings import meetings_of
from league.selectors.standings.progress import Movement, movement_of, progress_of_block
from league.selectors.standings.tables import block_tables, result_grid
from league.services.competitions.arrivals import record_no_show
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from league.views.standings.progress_graph import HEIGHT, WIDTH, points_graph, ranks_graph
from tests import factories
from tests.league.event import event, main, seat_of
from tests.league.played_season import BY, Season

pytestmark = pytest.mark.django_db
FIRST = (40_000, 30_000, 20_000, 10_000)
REVERSED = (10_000, 20_000, 30_000, 40_000)


def reader(season: Season) -> Reader:
    """Return the public reader."""
    season.competition.refresh_from_db()
    return reader_of(season.competition, None)


def ranks(season: Season, key: str) -> dict[int, int]:
    """Return each entrant's published rank."""
    rows = Standing.objects.filter(block=season.block(key), audience="public")
    return dict(rows.values_list("entrant", "rank"))


def moved(season: Season, block: Block) -> Movement | None:
    """Return the latest movement as the public sees it."""
    own = reader(season)
    table = next(each for each in block_tables(own) if each.block.pk == block.pk)
    return movement_of(table, result_grid(own, block), format_of(rules_at(season.competition)), 4)


def two_evenings() -> tuple[Season, Block]:
    """Play two tables of block A on a first evening and schedule one of them again on a second."""
    season = Season()
    block = season.block("A")
    people = factories.in_block(block)
    for company, numbers, day in ((people[:4], (1, 2), 1), (people[4:], (1, 2), 1), (people[:4], (3,), 2)):
        season.schedule("A", company, numbers, day=day)
    for hanchan in Hanchan.objects.filter(block=block, table_session__session__number=1).order_by("number", "pk"):
        season.play(hanchan, FIRST)
    season.publish()
    return season, block


def test_arrows_show_rank_changes_since_before_the_newest_session() -> None:
    season, block = two_evenings()
    before = ranks(season, "A")
    season.play(Hanchan.objects.get(block=block, number=3), REVERSED)
    season.publish()
    movement = moved(season, block)
    assert movement is not None
    assert movement.session is not None
    assert movement.session.number == 2
    assert movement.ranks == before
    now = ranks(season, "A")
    moves = {entrant: movement.of(entrant, rank) for entrant, rank in now.items()}
    assert any(by > 0 for by in moves.values())
    assert any(by < 0 for by in moves.values())
    page = Client(headers={"accept-language": "en"}).get("/c/spring/blocks/A/").content.decode()
    assert page.count('class="moved up"') == sum(by > 0 for by in moves.values())
    assert page.count('class="moved down"') == sum(by < 0 for by in moves.values())
    assert "since before Session 2." in page


def test_in_a_blocks_only_session_arrows_show_rank_changes_since_the_previous_hanchan() -> None:
    season = Season()
    block = season.block("A")
    season.schedule("A", factories.in_block(block)[:4], (1, 2), day=1)
    one, two = Hanchan.objects.filter(block=block).order_by("number")
    season.play(one, FIRST)
    season.publish()
    assert moved(season, block) is None, "there is nothing before the first hanchan"
    before = ranks(season, "A")
    season.play(two, REVERSED)
    season.publish()
    movement = moved(season, block)
    assert movement is not None
    assert (movement.session, movement.number) == (None, 2)
    assert movement.ranks == before


def test_the_progress_ends_at_the_published_standings_and_includes_adjustments() -> None:
    season, block = two_evenings()
    people = factories.in_block(block)
    adjust_points(block=block, entrant=people[0], points=-105, reason="遅刻", by=BY)
    publish_standings(season.competition.pk)
    progress = progress_of_block(reader(season), block)
    assert progress.has_outside
    assert len(progress.steps) == 3, "before the first, after the first, after the second"
    published = Standing.objects.filter(block=block, audience="public").values_list("entrant", "total", "rank")
    assert {entrant: (step.total, step.rank) for entrant, step in progress.steps[-1].items()} == {
        entrant: (total, rank) for entrant, total, rank in published
    }
    assert progress.steps[0][people[0].pk].total == -105


def test_head_to_head_counts_common_hanchan_points_and_better_finishes() -> None:
    season, block = two_evenings()
    season.play(Hanchan.objects.get(block=block, number=3), REVERSED)
    season.publish()
    people = factories.in_block(block)
    found = meetings_of(reader(season), block, [entrant.pk for entrant in people])
    one, other, elsewhere = (people[place].pk for place in (0, 3, 7))
    assert found.pairs[one, other].hanchan == 3
    assert found.pairs[one, other].ahead == 2
    assert found.pairs[other, one].ahead == 1
    assert (one, elsewhere) not in found.pairs
    results = reader(season).seat_results().filter(entrant=one)
    assert found.pairs[one, other].points == sum(seat.points for seat in results)
    assert sum(found.starts[0]) == 3
    assert (found.least, found.most, found.hanchan, found.known) == (0, 3, 5, 5)
    assert (found.fewest, found.highest) == (1, 2)


def test_a_graphs_lines_stay_inside_it_and_its_labels_do_not_overlap() -> None:
    names = [f"Player {number}" for number in range(8)]
    rows = [[0] * 8, [100 - 30 * number for number in range(8)], [5] * 8]
    for graph in (points_graph(names, rows, ["0", "1", "2"]), ranks_graph(names, [[1] * 8], ["1"])):
        marks = [mark for curve in graph.curves for mark in curve.marks]
        assert all(0 <= mark.x <= WIDTH and 0 <= mark.y <= HEIGHT for mark in marks)
        labels = sorted(curve.label_y for curve in graph.curves)
        assert all(below - above >= 16 for above, below in pairwise(labels))
        assert 0 < labels[0] < labels[-1] < HEIGHT
        assert len({curve.shape for curve in graph.curves}) == 8
    top = ranks_graph(names, [list(range(1, 9))], ["1"]).curves
    assert top[0].marks[0].y < top[7].marks[0].y, "the first is at the top"


def test_the_charts_page_also_has_numbers_and_an_empty_state() -> None:
    season, _block = two_evenings()
    visitor = Client(headers={"accept-language": "en"})
    page = visitor.get("/c/spring/blocks/A/charts/").content.decode()
    assert page.count('<g class="curve ') == 16
    for title in ("Points by hanchan", "Rank by hanchan", "In numbers", "Head to head", "Starting winds"):
        assert title in page
    assert "2 of 2" in page
    assert "Hoshino Rin" in page
    assert "Nothing to draw yet" in visitor.get("/c/spring/blocks/B/charts/").content.decode()
    assert visitor.get("/c/spring/blocks/nowhere/charts/").status_code == 404
    assert f"/c/{season.competition.slug}/blocks/A/charts/" in visitor.get("/c/spring/blocks/A/").content.decode()
    assert "/charts/" not in visitor.get("/c/spring/blocks/B/").content.decode()


def test_the_charts_show_the_starts_of_those_who_met_a_house_player() -> None:
    competition = event('no_show = { by = "substitutes", points = "-15.0" }')
    block = main(competition)
    absent, *others = factories.in_block(block)
    hanchan = seat_of(absent, 1)
    record_no_show(block=block, number=1, entrant=absent, by=BY, reason="ill")
    factories.play(hanchan)
    publish_standings(competition.pk)
    assert Client().get("/c/event/blocks/main/charts/").status_code == 200
    competition.refresh_from_db()
    own = reader_of(competition, None)
    starts = meetings_of(own, block, [absent.pk, *(one.pk for one in others)]).starts
    assert [sum(each) for each in starts] == [0, 1, 1, 1, 0, 0, 0, 0]
