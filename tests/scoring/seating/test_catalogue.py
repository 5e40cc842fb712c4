"""Shipped seating plans: every size is there, is what its line says, and damage is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.seating.catalogue import FIGURES, PlanError, Shipped, lines_for, shipped, stated
from scoring.seating.figures import bounds_of, figures_of

SIZES = range(8, 241, 4)
ROUNDS = range(2, 16)
VERIFIED = (8, 20, 48, 128)
"""Numbers of players whose plans are loaded here; the others are loaded by `make bench`."""


def said(line: Shipped, name: str) -> int | None:
    """Return a figure that a line states."""
    text = line.figures.split(",")[FIGURES.index(name)]
    return None if text == "-" else int(text)


def test_there_is_a_plan_for_two_to_fifteen_rounds() -> None:
    for players in SIZES:
        assert set(ROUNDS) <= set(lines_for(players)), players


@pytest.mark.slow
def test_from_28_players_on_no_pair_meets_twice_while_there_are_others_to_meet() -> None:
    for players in SIZES[5:]:
        for rounds, line in lines_for(players).items():
            if 3 * rounds <= players - 1:
                assert said(line, "excess") == 0, f"{players} x {rounds}"
                assert said(line, "squares") == bounds_of(players, rounds).squares, f"{players} x {rounds}"


def test_the_size_of_a_world_championship_links_all_but_a_few_pairs() -> None:
    assert (said(lines_for(224)[9], "unlinked") or 0) <= 20


@pytest.mark.parametrize("players", VERIFIED)
def test_a_plan_seats_all_players_in_every_round_and_has_the_figures_it_states(players: int) -> None:
    for rounds, line in lines_for(players).items():
        schedule = shipped(players, rounds)
        assert schedule is not None
        assert len(schedule) == rounds
        assert all(sorted(one for table in each for one in table) == list(range(players)) for each in schedule)
        assert stated(figures_of(schedule, players)) == line.figures


def test_there_is_no_plan_for_players_who_do_not_fill_tables() -> None:
    assert shipped(10, 3) is None
    assert shipped(8, 99) is None


def test_a_line_is_written_as_it_is_read() -> None:
    for players in VERIFIED:
        for line in lines_for(players).values():
            assert Shipped.parse(players, str(line)) == line


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda line: replace(line, rounds=line.rounds + 20), "another number of rounds"),
        (lambda line: replace(line, tables=(line.tables[0], *line.tables[:-1])[: line.rounds]), "figures"),
        (lambda line: replace(line, tables=(bytes(len(line.tables[0])), *line.tables[1:])), "one table"),
        (lambda line: replace(line, figures="1,2,3,4,5,6,7"), "figures"),
        (
            lambda line: replace(line, modulus=1, fixed=0, bases=(bytes(line.players),) * line.rounds, singles=()),
            "every player once",
        ),
    ],
)  # fmt: skip
def test_a_damaged_plan_is_refused_with_the_size_and_what_is_wrong(damage: object, words: str) -> None:
    line = lines_for(24)[4]
    with pytest.raises(PlanError, match=f"24 players and .* rounds .*{words}"):
        damage(line).schedule()  # type: ignore[operator]


@pytest.mark.parametrize("line", ["", "4 1 0", "4 1 0 !!! AAAA 1,2", "x 1 0 AAAA AAAA 1"])
def test_a_line_that_is_no_plan_is_refused(line: str) -> None:
    with pytest.raises(PlanError, match="24 players"):
        Shipped.parse(24, line)
