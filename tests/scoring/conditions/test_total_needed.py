"""Tests of ranks that also need a total: certain only with both, impossible without the total."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from scoring.conditions import BlockSituation, Span, Word, needs_of, proof, with_total
from scoring.conditions.bounds import Range
from scoring.tiebreak import TOTAL_ONLY, Entrant, Row
from tests.scoring.conditions.test_conditions import before


def situation(
    total: int, left: int, per_hanchan: Range | None = (-500, 900), *, deducts: bool = False
) -> BlockSituation:
    rows: dict[Entrant, Row] = {1: Row(1, carried=total)}
    to_play: dict[Entrant, int] = {1: left}
    return BlockSituation(rows, to_play, (), (), TOTAL_ONLY, 4, per_hanchan=per_hanchan, deducts=deducts)


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (situation(0, 0), Word.CERTAIN),
        (situation(-1, 0), Word.ELIMINATED),
        (situation(500, 1), Word.CERTAIN),
        (situation(499, 1), Word.OPEN),
        (situation(500, 1, deducts=True), Word.OPEN),
        (situation(500, 1, None), Word.OPEN),
        (situation(-1800, 2), Word.OPEN),
        (situation(-1801, 2), Word.ELIMINATED),
        (situation(-1801, 2, None), Word.OPEN),
    ],
)
def test_a_certain_rank_is_certain_only_with_the_total(found: BlockSituation, word: Word) -> None:
    assert with_total(found, 1, Fraction(0), Word.CERTAIN) is word


def test_a_bye_of_open_worth_counts_as_one_more_hanchan() -> None:
    found = replace(situation(500, 1), open_byes={1: 1})
    assert with_total(found, 1, Fraction(0), Word.CERTAIN) is Word.OPEN
    assert with_total(replace(found, rows={1: Row(1, carried=1000)}), 1, Fraction(0), Word.CERTAIN) is Word.CERTAIN
    rows: dict[Entrant, Row] = {1: Row(1), 2: Row(2, carried=1000)}
    rivals = replace(situation(0, 1), rows=rows)
    assert proof(rivals, 1, 1) is Word.ELIMINATED
    assert proof(replace(rivals, open_byes={1: 1}), 1, 1) is Word.OPEN


def test_a_rank_out_of_reach_stays_so_whatever_the_total() -> None:
    assert with_total(situation(900, 0), 1, Fraction(0), Word.ELIMINATED) is Word.ELIMINATED
    assert with_total(situation(900, 1), 1, Fraction(0), Word.OPEN) is Word.OPEN


@pytest.mark.parametrize("seed", range(4))
def test_conditions_with_a_total_hold_exactly_where_the_place_and_the_total_are_reached(seed: int) -> None:
    dice = Random(seed)
    found = before({who: dice.randrange(-300, 300) for who in "ABCD"})
    profile, target, needed = found.worth, dice.randrange(1, 4), dice.randrange(-200, 500)
    places = needs_of(found, "A", target, total=needed).places
    outcomes: Counter[bool] = Counter()
    for _ in range(300):
        cuts = sorted(dice.sample(range(1, 1000), 3))
        parts = sorted((cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 1000 - cuts[2]), reverse=True)
        order = dice.sample("ABCD", 4)
        scores = {who: 100 * part for who, part in zip(order, parts, strict=True)}
        totals = {
            who: found.totals[who] + profile.bonus[Span(place)] + scores[who] // profile.unit * profile.per_unit
            for place, who in enumerate(order, start=1)
        }
        if len(set(parts)) < 4 or len(set(totals.values())) < 4:
            continue
        is_in = sum(other > totals["A"] for other in totals.values()) < target and totals["A"] >= needed
        own = places[order.index("A")]
        case = next(each for each in own.cases if all(order[place - 1] == rival for rival, place in each.rivals))
        holds = any(
            all(scores["A"] - (scores[str(each.rival)] if each.rival else 0) >= each.least for each in way)
            for way in case.sure
        )
        assert holds is is_in
        outcomes[is_in] += 1
    assert outcomes[False]
