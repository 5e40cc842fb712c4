"""Test a player's page across competitions: figures, places, chart of totals, stages and titles."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Block, Competition, Player, Standing
from league.selectors.access.readers import reader_of
from league.selectors.people.careers import combined_records, entries_of_career
from league.selectors.people.player_records import CompetitionRecord, PlayerTotal, Record, season_of
from league.selectors.standings.progress import running_totals
from league.selectors.standings.tables import block_tables
from league.services.competitions.setup import enter_players, seed_block, set_status
from league.services.standings.publishing import publish_standings
from league.views.people.trend import BlockLines, trends_of
from tests.factories import SYSTEM, entrants, final_table, in_block, league, play, play_all, table

pytestmark = pytest.mark.django_db


def page(key: str, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(f"/players/{key}/")
    assert answer.status_code == 200
    return answer.content.decode()


def of(player: Player) -> list[Record]:
    return [season.record for season in seasons_of(player)]


def seasons_of(player: Player) -> list[CompetitionRecord]:
    return [season_of(entry.reader, entry.entrant) for entry in entries_of_career(player, None)]


@pytest.fixture(scope="module")
def final(shared_rows: None) -> Competition:
    """Play four hanchan: the first player wins three times and is last once."""
    competition = final_table("final")
    won = [(41200 + more, 30100, 18700, 10000 - more) for more in (0, 100, 200)]
    play_all(table(competition.blocks.get()), *won, (9000, 30100, 18700, 42200))
    publish_standings(competition.pk)
    return competition


def test_rates_are_shares_of_the_hanchan_played(final: Competition) -> None:
    (record,) = of(in_block(final.blocks.get())[0].player)
    assert record.places == (3, 0, 0, 1)
    assert record.first_or_second == Fraction(75)
    assert record.not_last == Fraction(75)
    assert record.average_place == Fraction(7, 4)


def test_without_a_hanchan_there_are_no_rates() -> None:
    record = Record(played=0, places=(0, 0, 0), best=None, worst=None)
    assert record.first_or_second is record.not_last is record.average_place is None


def test_the_page_shows_rates_places_title_and_the_chart_in_words(final: Competition) -> None:
    text = page("final-final1")
    assert "First or second" in text
    assert "75.0%" in text
    assert "3 <small>(75%)</small>" in text
    assert "Champion" in text
    assert "Final, running total over 4 hanchan" in text


def test_only_the_winner_is_called_champion(final: Competition) -> None:
    assert "Champion" not in page("final-final2")


def test_figures_of_several_competitions_are_added_up(final: Competition) -> None:
    player = in_block(final.blocks.get())[0].player
    other = league("second", league_format="single-table-final", status=None)
    block = other.blocks.get()
    people = enter_players(competition=other, players=[player], by=SYSTEM)
    company = [*people, *in_block(block)[:3]]
    seed_block(block=block, entrants=company, by=SYSTEM)
    set_status(competition=other, status=Competition.Status.PUBLISHED, by=SYSTEM)
    play_all(table(block, company, numbers=(1, 2)), (10000, 41200, 30100, 18700), (10000, 41300, 30000, 18700))
    publish_standings(other.pk)
    (overall,) = combined_records(of(player))
    assert overall.places == (3, 0, 0, 3)
    assert (overall.played, overall.best, overall.worst) == (6, 41400, 9000)
    text = page(player.key)
    assert "All competitions under" in text
    assert "Spring League" in text


def test_tables_of_three_and_of_four_are_not_mixed(final: Competition) -> None:
    (four,) = of(in_block(final.blocks.get())[0].player)
    three = Record(played=1, places=(1, 0, 0), best=50000, worst=50000)
    assert [record.places for record in combined_records([three, four, three])] == [(3, 0, 0, 1), (2, 0, 0)]


def test_a_result_under_embargo_is_in_no_figure_and_no_chart(final: Competition) -> None:
    competition = final_table("late")
    recorded = table(competition.blocks.get(), public_at=timezone.now() + dt.timedelta(days=1))
    play(recorded.hanchan.get(round=1))
    publish_standings(competition.pk)
    player = in_block(competition.blocks.get())[0].player
    (season,) = seasons_of(player)
    assert (season.record.played, season.is_champion) == (0, False)
    assert [(each.gains, each.standing.total) for each in season.totals] == [((), 0)]
    assert "running total" not in page(player.key)


def test_a_guest_of_an_open_table_has_no_public_page() -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    guest = entrants(parlour, 1)[0].player
    assert Client().get(f"/players/{guest.key}/").status_code == 404


BLOCK = 7
"""Primary key of a block that is in no database."""


def total(*gains: int, outside: int = 0) -> PlayerTotal:
    """Build a total in the final from these hanchan and from points outside them."""
    block = Block(pk=BLOCK, name="決勝", name_en="Final")
    return PlayerTotal(Standing(block=block, total=sum(gains) + outside), gains, ())


def test_the_chart_needs_two_hanchan_and_its_text_gives_the_extremes() -> None:
    assert trends_of([total(512)], 10) == []
    (trend,) = trends_of([total(512), total(500, -700, 300)], 10)
    assert trend.text == (
        "Final, running total over 3 hanchan: 10.0 at the end, at most 50.0 after hanchan 1, at least -20.0 after "
        "hanchan 2."
    )
    assert len(trend.points.split()) == 4
    assert {level.value for level in trend.levels} == {-200, 0, 200, 400, 600}


def test_the_chart_begins_with_the_points_from_outside_the_hanchan() -> None:
    (trend,) = trends_of([total(500, -700, 300, outside=-200)], 10)
    assert "-10.0 at the end, at most 30.0 after hanchan 1, at least -40.0 after hanchan 2" in trend.text
    assert {level.value for level in trend.levels} == {-400, -200, 0, 200, 400}


def company(lines: int, own: int) -> dict[int, BlockLines]:
    """Return the lines of a block in which all others alternate between two totals."""
    return {
        BLOCK: BlockLines(
            own, [f"P{place}" for place in range(lines)], [(0, 10 * place, -100) for place in range(lines)]
        )
    }


def test_the_chart_draws_all_of_the_block_on_one_scale_and_names_them_without_overlap() -> None:
    (trend,) = trends_of([total(500, -700)], 10, company(4, own=2))
    assert (trend.name, [other.name for other in trend.others]) == ("P2", ["P0", "P1", "P3"])
    assert [other.dash for other in trend.others] == [0, 1, 3]
    assert {level.value for level in trend.levels} >= {-200, 500 - 500 % 200}
    places = sorted([trend.label_y, *(other.label_y for other in trend.others)])
    assert all(lower - upper >= 14 for upper, lower in pairwise(places))
    assert places[0] > 0
    assert places[-1] <= trend.height
    ends = {other.points.split()[-1] for other in trend.others}
    assert len(ends) == 1, "equal totals end at one point"
    assert ends != {trend.points.split()[-1]}
    assert trend.right < trend.width


def test_with_more_lines_than_names_have_room_only_the_player_and_the_leader_are_named() -> None:
    (trend,) = trends_of([total(500, -700)], 10, company(16, own=9))
    assert len(trend.others) == 15
    assert (trend.name, [other.name for other in trend.others if other.name]) == ("P9", ["P0"])


def test_running_totals_end_at_the_standings_and_large_blocks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(season.pk)
    season.refresh_from_db()
    reader = reader_of(season, None)
    (block,) = (each for each in block_tables(reader) if each.block.key == "A")
    totals = running_totals(reader, [block])[block.block.pk]
    assert [line[-1] for line in totals] == [line.standing.total for line in block.lines]
    assert {len(line) for line in totals} == {1, 2}
    assert {line[0] for line in totals} == {0}
    monkeypatch.setattr("league.selectors.standings.progress.MOST_RESULTS", 3)
    assert running_totals(reader, [block]) == {}


def test_a_running_season_shows_the_stage_reached_and_the_rank() -> None:
    season = league()
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(season.pk)
    text = page("spring-a1")
    assert "Stages reached" in text
    assert '<a href="/c/spring/blocks/A/">' in text
