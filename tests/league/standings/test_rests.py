"""Conditions, odds and what-if in a block whose entrants rest: what remains differs from entrant to entrant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from league.models import Audience, Block, FormatRevision, Hanchan, Standing
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.standings.conditions import conditions_of
from league.selectors.standings.derivation import derive, facts_at, with_hanchan
from league.selectors.standings.tables import block_table, result_grid
from league.selectors.standings.what_if import HypotheticalResult, tables_in_play, try_out
from league.services.competitions.departures import withdraw
from league.services.operations.verification import differences_of
from league.services.results.rulings import close_block
from league.services.rulebooks.revisions import keep
from league.services.standings.odds import season_of
from scoring.conditions.status import Word
from scoring.odds.counts import count
from scoring.odds.course import lay_out
from scoring.odds.kernel import simulate
from scoring.odds.season import UnforeseeableError
from scoring.odds.ties import common_numbers
from tests.factories import SYSTEM, in_block, league, play
from tests.league.paired_league import on_withdrawal
from tests.league.resting_league import format_text, play_rounds, publish, resting_league, schedule

pytestmark = pytest.mark.django_db
SPREADS = ((60_000, 25_000, 10_000, 5_000), (30_000, 28_000, 22_000, 20_000), (110_000, 5_000, -5_000, -10_000))


@pytest.fixture
def block() -> Block:
    """Return a block of five with four hanchan each, before its last round."""
    made = resting_league(5, 4)
    rests = schedule(made)
    play_rounds(rests, most=4)
    publish(rests.competition)
    return rests


def outcomes(reader: Reader) -> Iterator[list[object]]:
    """Yield the block's final order after many results of the last table."""
    (table,) = [each for each in tables_in_play(reader) if each.hanchan.block.key == "A"]
    for spread in SPREADS:
        for scores in permutations(spread):
            tried = try_out(reader, [HypotheticalResult(table, scores)])
            yield [line.entrant.pk for line in tried.blocks[0].lines]


def test_before_the_last_round_one_entrant_has_finished_and_no_result_contradicts_a_status(block: Block) -> None:
    reader = public_reader_of(block.competition)
    (found,) = [each for each in conditions_of(reader) if each.block.key == "A"]
    assert sorted(found.situation.left.values()) == [0, 1, 1, 1, 1]
    assert [table.number for table in found.situation.tables] == [4]
    status = {player.entrant.pk: player.status.word for player in found.targets[0].players}
    best = [set(order[:4]) for order in outcomes(reader)]
    for entrant, said in status.items():
        ends = {entrant in four for four in best}
        if said is Word.CERTAIN:
            assert ends == {True}
        if said is Word.ELIMINATED:
            assert ends == {False}


@pytest.mark.parametrize(("missing", "numbers"), [(1, [1]), (2, [])])
def test_the_last_table_is_one_whose_players_all_lack_the_same_own_hanchan(missing: int, numbers: list[int]) -> None:
    """In the second round one player has the first hanchan and the others have their second."""
    made = resting_league(5, 4)
    rests = schedule(made)
    for hanchan in Hanchan.objects.filter(block=rests).exclude(number=missing).order_by("number"):
        play(hanchan, accept={"same_result_twice"})
    publish(made)
    (found,) = [each for each in conditions_of(public_reader_of(made)) if each.block.key == "A"]
    assert [table.number for table in found.situation.tables] == numbers
    assert sorted(found.situation.left.values()) == [0, 1, 1, 1, 1]


def test_the_simulation_lets_all_players_play_exactly_their_own_hanchan(block: Block) -> None:
    made = resting_league(6, 2, slug="six")
    rests = schedule(made)
    play_rounds(rests, most=1)
    publish(made)
    season, _pool = season_of(public_reader_of(made))
    assert [sorted(fixture.own_numbers) for fixture in season.fixtures["A"]] == [[1, 1, 2, 2], [2, 2, 2, 2]]
    course = lay_out(season)
    assert common_numbers(course.blocks["A"], ()) == {1, 2}
    draws = np.stack([np.arange(50) * 7 % bound for bound in course.bounds])
    odds = count([simulate(course, draws)])
    assert sum(odds.advanced["A"].values()) == 4 * 50
    season, _pool = season_of(public_reader_of(block.competition))
    assert common_numbers(lay_out(season).blocks["A"], ()) == {1, 2, 3, 4}


def test_a_closed_block_has_no_conditions_and_its_hanchan_are_not_simulated(block: Block) -> None:
    close_block(block=block, by=SYSTEM, reason="The venue closes")
    publish(block.competition)
    reader = public_reader_of(block.competition)
    assert not [each for each in conditions_of(reader) if each.block.key == "A"]
    season, _pool = season_of(reader)
    assert season.closed == ("A",)
    course = lay_out(season)
    assert not course.blocks["A"].groups
    assert {row.entrant for row in course.blocks["final"].rows} == {
        line.entrant for line in derive(facts_at(reader)).standings["A"].ranked[:4]
    }
    made = resting_league(6, None, slug="endless")
    rests = schedule(made, hanchan=2)
    play_rounds(rests)
    publish(made)
    with pytest.raises(UnforeseeableError, match="endless"):
        lay_out(season_of(public_reader_of(made))[0])
    close_block(block=rests, by=SYSTEM, reason="The season ends")
    publish(made)
    assert lay_out(season_of(public_reader_of(made))[0]).blocks["final"].rows


def test_a_previewed_result_takes_its_place_among_the_own_hanchan_of_all_players_at_the_table(block: Block) -> None:
    facts = facts_at(public_reader_of(block.competition))
    last = Hanchan.objects.select_related("block__stage").get(block=block, number=5)
    games = {seat.entrant_id: facts.played["A"][seat.entrant_id][-1] for seat in last.seats.all()}
    played = with_hanchan(
        facts, last, {entrant: type(game)(5, 0, 1, 25_000, last.pk) for entrant, game in games.items()}
    )
    assert {tuple(game.number for game in own) for own in played.played["A"].values()} == {(1, 2, 3, 4)}


def test_an_annulled_hanchan_counts_for_the_others_and_keeps_its_number_among_their_own() -> None:
    policies = f"[policies]\n{on_withdrawal('annul')}\n[tiebreak]"
    text = format_text(6, 4).replace("[tiebreak]", policies)
    made = league("rests", league_format=keep(FormatRevision, "resting", text))
    rests = schedule(made)
    play_rounds(rests, most=3)
    gone = in_block(rests)[2]
    withdraw(entrant=gone, by=SYSTEM, reason="moves away")
    for hanchan in rests.hanchan.filter(number__gt=3).exclude(seats__entrant=gone):
        play(hanchan, accept={"same_result_twice"})
    publish(made)
    assert list(differences_of(made)) == []
    reader = public_reader_of(made)
    facts, grid, table = facts_at(reader), result_grid(reader, rests), block_table(reader, rests)
    games = Hanchan.objects.filter(block=rests, sheets__state="confirmed")
    for row in Standing.objects.filter(block=rests, audience=Audience.PUBLIC).exclude(entrant=gone):
        assert table.counted(row) == games.filter(seats__entrant=row.entrant_id).count()
        numbers = {game.ref: game.number for game in facts.played["A"][row.entrant_id]}
        assert {cell.hanchan: number for number, cell in grid[row.entrant_id].items()}.items() <= numbers.items()
