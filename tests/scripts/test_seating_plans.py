"""The command that computes shipped seating plans: its symmetries, and the known designs it begins with."""

from __future__ import annotations

import pytest

from scoring.seating.catalogue import lines_for
from scoring.seating.figures import bounds_of, figures_of
from scripts.seating.__main__ import designs_for, forms, keep_better, repeated, shorter

WITH_DESIGNS = [players for players in range(8, 241, 4) if designs_for(players)]


@pytest.mark.parametrize("players", WITH_DESIGNS)
def test_a_known_design_seats_all_players_in_each_round_and_meets_the_bound_of_repeats(players: int) -> None:
    for design in designs_for(players):
        companies = design.companies()
        assert len(companies) == design.rounds
        assert all(sorted(one for table in each for one in table) == list(range(players)) for each in companies)
        assert figures_of(companies, players).excess == bounds_of(players, design.rounds).excess


@pytest.mark.parametrize(("players", "rounds"), [(64, 8), (172, 9), (20, 7), (100, 15)])
def test_a_symmetry_divides_the_rounds_and_leaves_at_most_one_fixed_player_to_a_company(
    players: int, rounds: int
) -> None:
    tried = list(forms(players, rounds))
    assert tried
    for _players, _rounds, modulus, fixed in tried:
        assert rounds % modulus == 0
        assert (players - fixed) % modulus == 0
        assert fixed <= players // 4


def test_rounds_chosen_from_a_longer_design_repeat_no_meeting() -> None:
    found = list(shorter(28, 8, seed=1))
    assert found
    assert all(each.figures.excess == 0 and each.figures.rounds == 8 for each in found)


def test_a_design_in_which_all_have_met_is_played_again_with_other_players() -> None:
    found = next(repeated(16, 10, seed=1))
    assert found.figures.squares == bounds_of(16, 10).squares


def test_a_plan_that_is_no_better_is_not_written() -> None:
    line = lines_for(20)[5]
    assert not keep_better(20, line, figures_of(line.schedule(), 20))
