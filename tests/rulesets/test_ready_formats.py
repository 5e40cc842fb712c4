"""Every ready format played to its end by the engine alone, with invented results."""

import hashlib
from collections.abc import Iterator, Sequence

import pytest

from rulesets.formats import format_names, load_format
from scoring.format import Assignment, Format
from scoring.stages import BlockStandings, Certainty, Resolution, is_complete, resolve
from scoring.standings import Entrant, Played, Row, rank

FIXED = [name for name in format_names() if load_format(name).entrants]
"""The formats with a fixed number of players, which play to an end."""


def invented(format_: Format, block: str, entrants: Sequence[Entrant], carried: Sequence[int]) -> BlockStandings:
    """Return the standings of a block in which every hanchan gave each entrant other points, in a varied order."""
    rows = []
    for entrant, start in zip(entrants, carried, strict=True):
        played = []
        for number in range(1, (format_.stage_of[block].hanchan or 0) + 1):
            order = sorted(entrants, key=lambda each: hashlib.sha256(f"{block}:{number}:{each}".encode()).digest())
            place = order.index(entrant)
            # The points of a hanchan sum to zero over the block.
            points = 10 * (len(order) - 1 - 2 * place)
            played.append(Played(number, points, place % 4 + 1, 25_000 + 100 * points))
        rows.append(Row(entrant, tuple(played), start))
    standings = rank(rows, format_.tiebreak)
    return BlockStandings(standings, is_complete(format_, block, standings))


def played_stages(format_: Format) -> Iterator[Resolution]:
    """Yield the resolution before each stage, in which the stage's slots have their entrants, and at the end."""
    seeds: dict[int, Entrant] = {number: f"p{number}" for number in range(1, format_.seeds + 1)}
    blocks: dict[str, BlockStandings] = {}
    draws: dict[str, dict[str, list[int]]] = {}
    for stage in format_.stages:
        if stage.assignment is Assignment.DRAWN:
            numbers = iter(range(1, len(format_.pool(stage.key)) + 1))
            draws[stage.key] = {block.key: [next(numbers) for _ in range(block.size or 0)] for block in stage.blocks}
        before = resolve(format_, blocks, seeds, draws)
        yield before
        for block in stage.blocks:
            slots = before.slots[block.key]
            blocks[block.key] = invented(
                format_, block.key, [slot.entrant for slot in slots], [slot.carried or 0 for slot in slots]
            )
    yield resolve(format_, blocks, seeds, draws)


@pytest.mark.parametrize("name", FIXED)
def test_a_ready_format_played_to_its_end_has_a_champion(name: str) -> None:
    format_ = load_format(name)
    *before, end = played_stages(format_)
    for stage, state in zip(format_.stages, before, strict=True):
        slots = [slot for block in stage.blocks for slot in state.slots[block.key]]
        assert {slot.state for slot in slots} == {Certainty.CERTAIN}
        assert len({slot.entrant for slot in slots}) == len(slots)
    assert end.awaiting == ()
    assert end.champion is not None
    assert format_.champion is not None
    assert end.champion.state is Certainty.CERTAIN
    assert end.champion.entrant in {slot.entrant for slot in end.slots[format_.champion.block]}


def test_the_ready_formats_are_for_four_to_sixty_four_players() -> None:
    sizes = {load_format(name).entrants for name in FIXED}
    assert sizes == {4, 8, 9, 12, 16, 20, 24, 32, 64}


@pytest.mark.parametrize("name", FIXED)
def test_a_ready_format_says_in_both_languages_what_it_is_for(name: str) -> None:
    format_ = load_format(name)
    assert format_.title.ja != format_.title.en
    assert format_.note or format_.clauses


def test_the_cut_of_32_halves_the_points_once_and_then_starts_from_zero() -> None:
    format_ = load_format("cut-32")
    _main, sixteen, semifinal, final, end = played_stages(format_)
    carried = {slot.carried for slot in sixteen.slots["sixteen"]}
    assert len(carried) > 1
    assert [slot.source for slot in semifinal.slots["sf1"]] == ["sixteen#1", "sixteen#4", "sixteen#5", "sixteen#8"]
    assert {slot.carried for slot in (*semifinal.slots["sf1"], *final.slots["final"])} == {0}
    assert end.champion is not None


def test_the_company_league_gives_the_lower_half_one_seat_in_the_final() -> None:
    format_ = load_format("company-16")
    assert [str(source) for source in format_.sources("final")] == ["upper#1", "upper#2", "upper#3", "lower#1"]
    assert [str(stage.carry_over.rounding) for stage in format_.stages[1:]] == ["towards_zero"] * 2
