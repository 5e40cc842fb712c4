"""Test which entrants are certainly eliminated, read from ladder places, against the engine's own answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.selectors.standings.certainty import BlockLine, RankedBlock, certain_destinations, homes_of
from rulesets.formats import load_format
from scoring.format import Format
from scoring.lines import OUT
from scoring.stages import BlockStandings, Draws, Override, PassOver, Replace, Resolution, resolve
from scoring.standings import rank
from tests.scoring.tables import CINDERELLA, names, points, ruled, table

SIXTEEN = dict(enumerate([*names("A"), *names("B")], start=1))
LADDER_OF_24 = load_format("cinderella-2018")
TWENTY_FOUR = dict(enumerate([*names("A"), *names("B"), *names("C")], start=1))
DRAW: Draws = {"semifinal": {"sf1": (1, 3, 5, 7), "sf2": (2, 4, 6, 8)}}
A, B = table(*names("A")), table(*names("B"))
A_TIED_AT_5 = table("A1", "A2", "A3", "A4", ("A5", "A6"), "A7", "A8")


def read(format_: Format, resolution: Resolution, key: str, blocks: Mapping[str, BlockStandings]) -> dict[object, str]:
    """Return the certain destination of each entrant of a block, as pages compute it."""
    stages = {
        name: (stage.key, order)
        for order, stage in enumerate(format_.stages, start=1)
        for name in (stage.key, *(block.key for block in stage.blocks))
    }
    ranked = blocks[key].standings.ranked
    places = resolution.destinations[key]
    lines = tuple(BlockLine(each.entrant, each.rank, place) for each, place in zip(ranked, places, strict=True))
    return dict(certain_destinations(RankedBlock(key, *stages[key], lines), list(homes_of(resolution, stages))))


def eliminated(format_: Format, resolution: Resolution, key: str, blocks: Mapping[str, BlockStandings]) -> set[object]:
    """Return the entrants of a block who are certainly eliminated, as pages compute it."""
    return {who for who, place in read(format_, resolution, key, blocks).items() if place == OUT}


def sixteen(*overrides: Override, **blocks: BlockStandings) -> set[object]:
    """Return the eliminated entrants of block A in the ladder of sixteen."""
    return eliminated(CINDERELLA, resolve(CINDERELLA, blocks, SIXTEEN, overrides=overrides), "A", blocks)


def test_no_entrant_is_eliminated_before_the_last_hanchan_of_the_block() -> None:
    for played in range(1, 8):
        assert sixteen(A=table(*names("A"), played=played), B=B) == set(), played


def test_entrants_below_the_cut_of_a_finished_block_are_eliminated() -> None:
    assert sixteen(A=A, B=table(*names("B"), played=1)) == {"A6", "A7", "A8"}


def test_entrants_tied_across_the_cut_are_not_eliminated_before_the_ruling() -> None:
    assert sixteen(A=A_TIED_AT_5) == {"A7", "A8"}
    assert sixteen(A=ruled(A_TIED_AT_5, ("A6", "A5"))) == {"A5", "A7", "A8"}


def test_a_passed_over_entrant_makes_room_for_the_next() -> None:
    assert sixteen(PassOver("A", "A2", "Ill"), A=A) == {"A7", "A8"}


def test_an_entrant_named_for_a_later_place_is_not_eliminated() -> None:
    wild_card = Replace("po1", 1, "ruling", "Wild card", entrant="A8")
    assert sixteen(wild_card, A=A, B=B) == {"A4", "A6", "A7"}, "the fourth's place was given away"


def of_24(letter: str, fifth: int) -> BlockStandings:
    """Return a finished block of the ladder of 24 with this total in fifth place."""
    totals = [fifth + 100 * (4 - place) for place in range(8)]
    rows = [points(name, *[0] * 11, total) for name, total in zip(names(letter), totals, strict=True)]
    return BlockStandings(rank(rows, LADDER_OF_24.tiebreak), complete=True)


def twenty_four(draws: Draws | None = None, **blocks: BlockStandings) -> dict[str, set[object]]:
    """Return the eliminated entrants of each block in the ladder of twenty-four."""
    resolution = resolve(LADDER_OF_24, blocks, TWENTY_FOUR, draws)
    return {key: eliminated(LADDER_OF_24, resolution, key, blocks) for key in blocks}


def test_the_best_fifth_advances_and_the_others_are_out_once_all_blocks_are_finished() -> None:
    waiting = twenty_four(A=of_24("A", -50), B=of_24("B", 20))
    assert waiting == {"A": {"A6", "A7", "A8"}, "B": {"B6", "B7", "B8"}}
    assert twenty_four(A=of_24("A", -50), B=of_24("B", 20), C=of_24("C", -10)) == {
        "A": {"A5", "A6", "A7", "A8"},
        "B": {"B6", "B7", "B8"},
        "C": {"C5", "C6", "C7", "C8"},
    }


def test_the_best_fifth_certainly_goes_to_the_playoff() -> None:
    blocks = {letter: of_24(letter, fifth) for letter, fifth in (("A", -50), ("B", 20), ("C", -10))}
    resolution = resolve(LADDER_OF_24, blocks, TWENTY_FOUR)
    assert resolution.destinations["B"][4] == "best:po1"
    assert read(LADDER_OF_24, resolution, "B", blocks)["B5"] == "po1"


def test_tied_fifths_are_not_eliminated_before_the_ruling() -> None:
    found = twenty_four(A=of_24("A", 20), B=of_24("B", 20), C=of_24("C", -10))
    assert (found["A"], found["B"]) == ({"A6", "A7", "A8"}, {"B6", "B7", "B8"})


@pytest.mark.parametrize("draws", [None, DRAW], ids=["before the draw", "after it"])
def test_a_block_that_feeds_a_drawn_stage_counts_as_finished(draws: Draws | None) -> None:
    blocks = {letter: of_24(letter, fifth) for letter, fifth in (("A", -50), ("B", 20), ("C", -10))}
    po2 = table("C3", "A3", "B3", "A4", hanchan=2)
    assert twenty_four(draws, **blocks, po2=po2)["po2"] == {"B3", "A4"}
    assert twenty_four(draws, **blocks, po2=table("C3", "A3", "B3", "A4", hanchan=2, played=1))["po2"] == set()


@given(
    st.lists(st.sampled_from([-300, 0, 0, 300, 600]), min_size=16, max_size=16),
    st.sampled_from([1, 7, 8]),
    st.sampled_from([1, 8]),
    st.sets(st.sampled_from(names("A")), max_size=4),
)
@settings(max_examples=200)
def test_eliminations_read_from_places_match_the_engine(
    totals: Sequence[int], in_a: int, in_b: int, passed: set[str]
) -> None:
    blocks = {}
    for letter, played, own in (("A", in_a, totals[:8]), ("B", in_b, totals[8:])):
        rows = [points(name, *[0] * (played - 1), total) for name, total in zip(names(letter), own, strict=True)]
        blocks[letter] = BlockStandings(rank(rows, CINDERELLA.tiebreak), complete=played == 8)
    overrides = [PassOver("A", name, "Ill") for name in sorted(passed)]
    resolution = resolve(CINDERELLA, blocks, SIXTEEN, overrides=overrides)
    for key in blocks:
        assert eliminated(CINDERELLA, resolution, key, blocks) == set(resolution.advance[key].get(OUT, ()))
