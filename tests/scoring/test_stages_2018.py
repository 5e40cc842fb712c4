"""Slots of the 2018 ladder of twenty-four: best fifth across three blocks, and two drawn semifinal tables."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rulesets.formats import load_format
from scoring.stages import (
    Awaiting,
    BlockStandings,
    Certainty,
    Draws,
    ImpossiblePlanError,
    Override,
    PassOver,
    Reason,
    Replace,
    Resolution,
    Rulings,
    resolve,
)
from scoring.standings import rank
from tests.scoring.tables import BACK_TRACKING, names, points, table

SEASON = load_format("cinderella-2018")
SEEDS = dict(enumerate([*names("A"), *names("B"), *names("C")], start=1))
DRAW: Draws = {"semifinal": {"sf1": (1, 3, 5, 7), "sf2": (2, 4, 6, 8)}}


def block(letter: str, fifth: int, last: int = 0, played: int = 12) -> BlockStandings:
    """Return a block of eight whose fifth has this total; `last` of it comes from the last hanchan."""
    totals = [fifth + 400, fifth + 300, fifth + 200, fifth + 100, fifth, fifth - 100, fifth - 200, fifth - 300]
    rows = [
        points(name, *[0] * (played - 2), total - last, last) for name, total in zip(names(letter), totals, strict=True)
    ]
    return BlockStandings(rank(rows, BACK_TRACKING), complete=played == 12)


def ladder(
    *overrides: Override,
    draws: Draws | None = None,
    rulings: Rulings | None = None,
    played: Mapping[str, BlockStandings] | None = None,
    **blocks: BlockStandings,
) -> Resolution:
    return resolve(SEASON, {**(played or {}), **blocks}, SEEDS, draws, overrides, rulings)


def seated(resolution: Resolution, key: str) -> list[object]:
    return [slot.entrant for slot in resolution.slots[key]]


def test_the_preliminary_has_three_sessions_of_twelve_hanchan() -> None:
    stage = SEASON.stage("preliminary")
    assert (stage.hanchan, stage.sessions, len(SEASON.sources("A"))) == (12, 3, 8)


def test_the_first_playoff_has_the_three_fourths_and_the_best_fifth() -> None:
    resolution = ladder(A=block("A", -50), B=block("B", 20), C=block("C", -10))
    assert seated(resolution, "po1") == ["A4", "B4", "C4", "B5"]
    assert resolution.slots["po1"][3].source == "best:preliminary#5"
    assert resolution.slots["po1"][3].state is Certainty.CERTAIN


def test_fifths_have_a_destination_once_all_blocks_are_complete() -> None:
    waiting = ladder(A=block("A", -50), B=block("B", 20))
    assert waiting.destinations["A"][4] == "best:po1"
    assert "A5" not in {name for going in waiting.advance["A"].values() for name in going}
    complete = ladder(A=block("A", -50), B=block("B", 20), C=block("C", -10))
    assert "A5" in complete.advance["A"]["out"]
    assert complete.advance["B"]["po1"] == ("B4", "B5")


def test_the_best_fifth_is_open_while_a_block_has_not_begun() -> None:
    slot = ladder(A=block("A", -50), B=block("B", 20)).slots["po1"][3]
    assert (slot.state, slot.reason, slot.candidates) == (Certainty.OPEN, Reason.NOT_STARTED, ("A5", "B5"))


def test_the_best_fifth_is_provisional_while_a_block_is_under_way() -> None:
    slot = ladder(A=block("A", -50), B=block("B", 20), C=block("C", 30, played=6)).slots["po1"][3]
    assert (slot.state, slot.entrant) == (Certainty.PROVISIONAL, "C5")
    assert slot.candidates == ("A5", "B5", *names("C"))


def test_the_best_fifth_is_unnamed_while_a_fifth_is_tied_in_a_block_under_way() -> None:
    tied = table("C1", "C2", "C3", "C4", ("C5", "C6"), "C7", "C8", hanchan=12, played=6)
    slot = ladder(A=block("A", -50), B=block("B", 20), C=tied).slots["po1"][3]
    assert (slot.state, slot.entrant, slot.reason) == (Certainty.PROVISIONAL, None, Reason.TIED)


def test_a_tied_fifth_in_a_complete_block_makes_the_comparison_await_a_ruling() -> None:
    tied = table("C1", "C2", "C3", "C4", ("C5", "C6"), "C7", "C8", hanchan=12)
    resolution = ladder(A=block("A", -50), B=block("B", 20), C=tied)
    slot = resolution.slots["po1"][3]
    assert (slot.state, slot.candidates) == (Certainty.RULING, ("A5", "B5", "C5", "C6"))
    assert resolution.awaiting == (Awaiting("C", ("C5", "C6"), (5, 6), ("best:po1", "out"), (("po1", 4),)),)


def test_equal_fifths_are_compared_by_their_last_hanchan() -> None:
    resolution = ladder(A=block("A", 20, last=70), B=block("B", 20, last=90), C=block("C", 20, last=80))
    assert seated(resolution, "po1")[3] == "B5"


def test_fifths_with_the_same_results_await_a_ruling() -> None:
    blocks = {"A": block("A", 20), "B": block("B", 20), "C": block("C", -10)}
    resolution = ladder(played=blocks)
    slot = resolution.slots["po1"][3]
    assert (slot.state, slot.candidates) == (Certainty.RULING, ("A5", "B5"))
    assert resolution.awaiting == (Awaiting("best:preliminary#5", ("A5", "B5"), (1, 2), ("po1", "out"), (("po1", 4),)),)
    assert "A5" not in {name for going in resolution.advance["A"].values() for name in going}
    settled = ladder(played=blocks, rulings={"best:preliminary#5": [("B5", "A5")]})
    assert seated(settled, "po1")[3] == "B5"
    assert settled.awaiting == ()


def test_a_fifth_who_is_in_two_blocks_after_a_correction_is_compared_once_by_the_better_total() -> None:
    twice = block("C", 30)
    ranked = tuple(
        replace(each, entrant="A5", row=replace(each.row, entrant="A5")) if each.entrant == "C5" else each
        for each in twice.standings.ranked
    )
    both = replace(twice, standings=replace(twice.standings, ranked=ranked))
    resolution = ladder(A=block("A", 20), B=block("B", 25), C=both)
    assert seated(resolution, "po1")[3] == "A5"


def test_equal_fifths_with_different_numbers_of_hanchan_await_a_ruling() -> None:
    short = BlockStandings(block("C", 20, last=90, played=11).standings, complete=True)
    resolution = ladder(A=block("A", 20, last=70), B=block("B", -10), C=short)
    assert [each.entrants for each in resolution.awaiting] == [("A5", "C5")]


def test_a_block_without_a_fifth_leaves_the_comparison_to_the_others() -> None:
    gone = [PassOver("C", name, "Withdrew") for name in ("C1", "C2", "C3", "C4")]
    resolution = ladder(*gone, A=block("A", -50), B=block("B", -60), C=block("C", 90))
    assert seated(resolution, "po1")[3] == "A5"


def test_a_comparison_without_candidates_is_vacant() -> None:
    gone = [PassOver(letter, f"{letter}{n}", "Withdrew") for letter in "ABC" for n in range(1, 5)]
    slot = ladder(*gone, A=block("A", 1), B=block("B", 2), C=block("C", 3)).slots["po1"][3]
    assert (slot.state, slot.reason) == (Certainty.OPEN, Reason.VACANT)


BLOCKS = {"A": block("A", 0), "B": block("B", -10), "C": block("C", -20)}
PO2 = table("C3", "A3", "B3", "A4", hanchan=2)


def test_before_the_draw_the_semifinalists_are_known_and_their_slots_open() -> None:
    resolution = ladder(played=BLOCKS, po2=PO2)
    entrants = ["A1", "A2", "B1", "B2", "C1", "C2", "C3", "A3"]
    assert [each.entrant for each in resolution.pools["semifinal"]] == entrants
    slot = resolution.slots["sf1"][0]
    assert (slot.state, slot.source, slot.reason) == (Certainty.OPEN, "draw:semifinal", Reason.UNDRAWN)
    assert slot.candidates == tuple(entrants)
    assert resolution.destinations["A"][:2] == ("semifinal", "semifinal")
    assert resolution.advance["po2"] == {"semifinal": ("C3", "A3"), "out": ("B3", "A4")}


def test_before_the_draw_all_possible_semifinalists_are_candidates() -> None:
    slot = ladder(A=BLOCKS["A"], po2=table(*("C3", "A3", "B3", "A4"), hanchan=2, played=1)).slots["sf1"][0]
    assert slot.candidates == ("A1", "A2", "C3", "A3", "B3", "A4")


def test_a_recorded_draw_spreads_the_entrants_over_the_tables() -> None:
    resolution = ladder(played=BLOCKS, po2=PO2, draws=DRAW)
    assert seated(resolution, "sf1") == ["A1", "B1", "C1", "C3"]
    assert seated(resolution, "sf2") == ["A2", "B2", "C2", "A3"]
    assert [slot.source for slot in resolution.slots["sf2"]] == ["A#2", "B#2", "C#2", "po2#2"]
    assert [(slot.block, slot.number) for slot in resolution.slots["sf2"]] == [("sf2", n) for n in range(1, 5)]


def test_a_draw_may_be_recorded_before_the_entrants_are_known() -> None:
    slot = ladder(draws=DRAW).slots["sf1"][3]
    assert (slot.state, slot.source, slot.entrant) == (Certainty.OPEN, "po2#1", None)


def test_a_tie_for_first_needs_no_ruling_as_both_are_drawn_into_the_semifinals() -> None:
    tied = table(("A1", "A2"), *names("A")[2:], hanchan=12)
    resolution = ladder(played=BLOCKS, A=tied, draws=DRAW)
    assert resolution.awaiting == ()
    assert (seated(resolution, "sf1")[0], seated(resolution, "sf2")[0]) == ("A1", "A2")


def test_a_contested_semifinal_place_names_the_drawn_slot_that_stays_open() -> None:
    tied = table("A1", ("A2", "A3"), *names("A")[3:], hanchan=12)
    (before,) = ladder(played=BLOCKS, A=tied).awaiting
    assert (before.places, before.slots) == (("semifinal", "po2"), (("semifinal", 2), ("po2", 1)))
    (after,) = ladder(played=BLOCKS, A=tied, draws=DRAW).awaiting
    assert after.slots == (("sf2", 1), ("po2", 1))


def test_the_best_two_of_each_semifinal_table_reach_the_final() -> None:
    resolution = ladder(
        sf1=table("C1", "A1", "B1", "C3", hanchan=2), sf2=table("A3", "B2", "A2", "C2", hanchan=2), draws=DRAW
    )
    assert seated(resolution, "final") == ["C1", "A1", "A3", "B2"]
    assert resolution.destinations["sf1"] == ("final", "final", "out", "out")


def test_a_drawn_entrant_may_be_replaced_before_and_after_the_draw() -> None:
    before = ladder(Replace("semifinal", 3, "B#3", "Withdrew"), Replace("po2", 2, "B#6", "Moved up"), played=BLOCKS)
    assert before.pools["semifinal"][2].entrant == "B3"
    after = ladder(
        Replace("sf1", 2, "B#3", "Withdrew"), Replace("po2", 2, "B#6", "Moved up"), played=BLOCKS, po2=PO2, draws=DRAW
    )
    assert seated(after, "sf1") == ["A1", "B3", "C1", "C3"]
    assert after.pools["semifinal"][2].entrant == "B3"
    assert after.slots["sf1"][1].note == "Withdrew"
    second_table = ladder(Replace("sf2", 4, "po2#3", "Withdrew"), played=BLOCKS, po2=PO2, draws=DRAW)
    assert seated(second_table, "sf2") == ["A2", "B2", "C2", "B3"]


@pytest.mark.parametrize(
    ("draws", "overrides", "message"),
    [
        ({"final": {"final": (1, 2, 3, 4)}}, (), "only these stages are drawn: semifinal"),
        ({"semifinal": {"sf1": (1, 1, 3, 4), "sf2": (5, 6, 7, 8)}}, (), "each number from 1 to 8 must be drawn once"),
        ({"semifinal": {"sf1": (1, 2, 3, 4, 5, 6, 7, 8)}}, (), "as many numbers as it has slots: sf1 4, sf2 4"),
        ({}, (Replace("sf1", 1, "A#3", ""),), "not drawn yet"),
        ({}, (Replace("semifinal", 9, "A#6", ""),), "there are slots 1 to 8"),
        (DRAW, (Replace("sf1", 1, "po2#2", ""),), "po2#2: is used 2 times"),
        ({}, (Replace("po1", 1, "A#5", ""),), "also compared across blocks"),
    ],
)
def test_invalid_draws_and_overrides_are_refused(draws: Draws, overrides: tuple[Override, ...], message: str) -> None:
    with pytest.raises(ImpossiblePlanError, match=message):
        ladder(*overrides, draws=draws)


def test_a_draw_for_a_format_without_drawn_stages_is_refused() -> None:
    with pytest.raises(ImpossiblePlanError, match="no stage is drawn"):
        resolve(load_format("single-table-final"), {}, {}, {"final": {"final": (1, 2, 3, 4)}})


def test_a_tie_for_two_best_of_rank_slots_names_both_slots() -> None:
    third_place_open = Replace("po1", 1, "best:preliminary#5/2", "A fourth withdrew")
    resolution = ladder(third_place_open, A=block("A", 20), B=block("B", 20), C=block("C", 20))
    (awaiting,) = resolution.awaiting
    assert (awaiting.ranks, awaiting.slots) == ((1, 2, 3), (("po1", 4), ("po1", 1)))
    settled = ladder(third_place_open, A=block("A", 20), B=block("B", 30), C=block("C", 10))
    assert seated(settled, "po1") == ["A5", "B4", "C4", "B5"]
    assert settled.slots["po1"][0].source == "best:preliminary#5/2"
