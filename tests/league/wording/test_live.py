"""Test that everything the engine reports about a live table has a wording with player names."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from league.selectors.live.legality import hand_text
from league.selectors.live.setup import choices
from league.wording.live.live import (
    CAUSES,
    ENDS,
    OFFENCES,
    PENALTIES,
    ROUNDS,
    TESTS,
    TURNS,
    award_name,
    offence_name,
    refusal_text,
)
from league.wording.log_entries import TEXTS, entry_text, value_text
from rulesets import loader
from scoring import written_log
from scoring.kyoku.outcomes import Points
from scoring.kyoku.refusals import SENTENCES, Refusal, refusal
from scoring.kyoku.state import Cause, EndReason
from scoring.kyoku.turning import TurnCode
from scoring.legality import Test
from scoring.ruleset.base import Title
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import Penalty
from scoring.ruleset.options import Scope, Subset
from scoring.ruleset.value import LimitName
from scoring.value import Worth

NAMES = ["Ann", "Ben", "Cho", "Dan"]
WIN = {"seat": 1, "value": {"han": 3, "fu": 40}}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"type": "riichi", "seat": 1}, "Riichi: Ben"),
        ({"type": "riichi", "seat": 1, "open": True}, "Open riichi: Ben"),
        ({"type": "riichi_withdrawn", "seat": 2}, "Riichi taken back: Cho"),
        ({"type": "offended", "seat": 0, "offence": "tile_shown"}, "Offence: Ann, a tile shown"),
        ({"type": "dead_hand", "seat": 3}, "No win any more: Dan"),
        ({"type": "time_called"}, "Time called"),
        ({"type": "ron", "loser": 3, "wins": [WIN]}, "Ron: Ben 3 han 40 fu, from Dan"),
        ({"type": "ron_calls", "loser": 3, "calls": [WIN]}, "Ron called: Ben 3 han 40 fu, from Dan"),
        ({"type": "tsumo", "win": WIN}, "Tsumo: Ben 3 han 40 fu"),
        ({"type": "draw"}, "Exhaustive draw, all noten"),
        ({"type": "draw", "tenpai": [0, 2]}, "Exhaustive draw, tenpai: Ann, Cho"),
        ({"type": "nagashi", "seats": [2]}, "Terminals and honours only among the discards: Cho"),
        ({"type": "abortive_draw", "kind": "four_winds"}, "Abortive draw: four winds"),
        ({"type": "four_kans_stand", "seat": 1}, "Four kans: Ben"),
        ({"type": "chonbo", "offenders": [0, 1]}, "Chonbo: Ann, Ben"),
        ({"type": "chonbo", "offenders": [0], "offence": "noten_riichi"}, "Chonbo: Ann, riichi without tenpai"),
        ({"type": "scores_only", "scores": [1, 2, 3, 4]}, "Scores as the table shows them"),
        ({"type": "ruling", "reason": "wrong wall"}, "Ruling: wrong wall"),
    ],
)
def test_every_entry_is_described_in_one_line(entry: dict[str, Any], text: str) -> None:
    assert entry_text(written_log.read_entry(entry), NAMES) == text


def test_every_kind_of_entry_has_a_wording() -> None:
    assert set(TEXTS) == set(written_log.NAMES)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Worth(han=3, fu=40), "3 han 40 fu"),
        (Worth(han=6), "6 han"),
        (Worth(limit=LimitName.HANEMAN), "Haneman"),
        (Worth(yakuman=1), "Yakuman"),
        (Worth(yakuman=2), "2 yakuman"),
        (Points(ron=3900), "3,900 points"),
        (Points(from_other=1000, from_dealer=2000), "1,000/2,000 points"),
        (Points(from_other=2600), "2,600 points"),
    ],
)
def test_a_value_is_described_as_it_was_entered(value: Worth | Points, text: str) -> None:
    assert value_text(value) == text


def test_a_hand_is_called_closed_or_open_only_if_it_matters() -> None:
    boo, cinderella = loader.load("boo").play, loader.load("cinderella").play
    assert boo is not None
    assert cinderella is not None
    worth = Worth(han=1, fu=40, closed=True, dora=2)
    assert hand_text(worth, boo) == "1 han 40 fu closed dora 2"
    assert hand_text(Worth(han=1, fu=40), cinderella) == "1 han 40 fu"


def test_every_code_of_the_engine_has_a_wording() -> None:
    assert (set(CAUSES), set(ENDS), set(TURNS)) == (set(Cause), set(EndReason), set(TurnCode))
    assert (set(TESTS), set(PENALTIES), set(ROUNDS)) == (set(Test), set(Penalty), set(RoundName))


def test_every_offence_of_every_book_has_a_name() -> None:
    books = [loader.load(name).play for name in loader.names()]
    keys = {offence.key for play in books if play is not None for offence in play.penalties.offences}
    assert keys <= set(OFFENCES)
    assert offence_name("a_house_rule_of_ours") == "a_house_rule_of_ours"


def test_a_prize_is_named_by_its_event_or_its_yaku() -> None:
    assert award_name(AwardEvent.IPPATSU) == "Ippatsu"
    assert award_name("suuankou") != ""
    assert award_name("given") == ""


def test_a_refusal_names_players_offences_and_limits() -> None:
    assert refusal_text(refusal("riichi_twice", seat=1), NAMES) == "Ben is in riichi already."
    assert "riichi without tenpai" in refusal_text(refusal("offence_voids_hand", offence="noten_riichi"), NAMES)
    assert refusal_text(refusal("limit_unknown", limit="kazoe", known="mangan"), NAMES).startswith("This book has no")
    forbidden = refusal("win_forbidden", seat=0, reasons="c_top, bust_without_rising")
    assert refusal_text(forbidden, NAMES) == (
        "Ann may not take this win: ends the game with three players floating, takes a player out and stays sunk."
    )


def test_a_seat_that_does_not_exist_keeps_its_number() -> None:
    assert "Seat 7" in refusal_text(refusal("seat_unknown", seat=7, last=3), NAMES)


def test_japanese_refusals_name_players_without_seat_numbers() -> None:
    with translation.override("ja"):
        for code, sentence in SENTENCES.items():
            if "seat {seat}" in sentence.lower() and code != "seat_unknown":
                assert "席" not in refusal_text(Refusal(code, "", everything(code)), NAMES)


def everything(code: str) -> dict[str, object]:
    """Return parameters for any sentence."""
    numbers = dict.fromkeys(("last", "needs", "score", "least", "han", "fu", "fixed", "points", "unit"), 1)
    return {"seat": 1, **numbers, "reasons": "c_top", "event": "ura", "offence": "noten_riichi", "code": code}


def test_the_choices_of_an_option_are_listed() -> None:
    option = Subset(
        type="subset",
        title=Title(ja="役", en="Yaku"),
        scope=Scope.TABLE,
        values=("draw", "all"),
        default=(),
        sets=("play.yaku.*.played",),
        clauses=("BOO-001",),
    )
    assert [each["value"] for each in choices(option)] == ["draw", "all"]
