"""Sentences and clauses of every remark and problem of a tulip."""

from __future__ import annotations

from scoring.hand import By, RiichiKind, parse_tiles
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    Tulip,
    TulipProblem,
    sentence,
)
from scoring.tulip.problems import SENTENCES
from scoring.tulip.remarks import SENTENCES as REMARKS
from tests.scoring.kyoku_tables import SUPERBINGO
from tests.scoring.tulip.wins import BOTH_SEVENS, POCCHI, flipped, won


def test_every_remark_and_every_problem_is_a_sentence_with_its_clauses() -> None:
    known = SUPERBINGO.book.known()
    seen: dict[str, str] = {}
    for tulip in every_kind_of_tulip():
        said = (*tulip.start.remarks, *(remark for step in tulip.steps for remark in step.remarks))
        for remark in said:
            assert remark.clauses
            assert set(remark.clauses) <= known
            seen[remark.code] = sentence(remark)
    assert set(seen) == set(REMARKS)
    assert seen["mode_top"].startswith("3 × 7p and 3 × 7s in the hand: 16R")
    assert not any("{" in text for text in seen.values())


def every_kind_of_tulip() -> list[Tulip]:
    """Return tulips in which every remark occurs."""
    drawn = won("12333789p45677swz", By.TSUMO, ippatsu=True, limit=LimitName.SANBAIMAN, pocchi_as=parse_tiles("7s")[0])
    yakuman = won("777p22s555666777z", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN)
    seven = won("7777777p77777s1b2b", riichi=RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.ALL_SEVEN,))
    held = won("2340p56789s1122z", By.TSUMO, RiichiKind.NONE, limit=LimitName.YAKUMAN, yakuman=(YakuName.NAGASHI,))
    return [
        flipped("5z1z5z", drawn, POCCHI),
        flipped("6z3s5z", yakuman),
        flipped("8p", won("778899p123345s22z", nuki="1b")),
        flipped("1b7p2b", won("345678p111234s44z", dora_indicators="2b")),
        flipped("2b", won("345678p111234s44z", stacks=1)),
        flipped("", won(BOTH_SEVENS, stacks=0)),
        flipped("", won(riichi=RiichiKind.NONE)),
        flipped("5z", won()),
        flipped("", seven),
        flipped("", held),
    ]


def test_every_problem_has_a_sentence_that_its_parameters_fill() -> None:
    params = dict.fromkeys(("tile", "actual", "most", "expected", "limit", "known", "yaku"), 1)
    assert all("{" not in str(TulipProblem(code, "", params)) for code in SENTENCES)
