"""Tests of ranks that also need a total: certain only with both, impossible without the total."""

from fractions import Fraction

import pytest

from scoring.conditions import BlockSituation, Word, with_total
from scoring.conditions.bounds import Range
from scoring.tiebreak import TOTAL_ONLY, Entrant, Row


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


def test_a_rank_out_of_reach_stays_so_whatever_the_total() -> None:
    assert with_total(situation(900, 0), 1, Fraction(0), Word.ELIMINATED) is Word.ELIMINATED
    assert with_total(situation(900, 1), 1, Fraction(0), Word.OPEN) is Word.OPEN
