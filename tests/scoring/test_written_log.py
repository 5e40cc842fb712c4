"""A log written as JSON and read back: nothing is lost, and unknown entries are refused."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hanchan import Entry
from scoring.kyoku.outcomes import (
    DeadHand,
    FourKansStand,
    LiableFor,
    LiablePlayer,
    Move,
    Offended,
    Points,
    Position,
    Prizes,
    Riichi,
    RiichiWithdrawn,
    Ron,
    Ruling,
    TimeCalled,
    Tsumo,
    Win,
)
from scoring.kyoku.state import Stake
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.value import Worth
from scoring.written_log import LogError, read, read_entry, write, write_entry
from tests.scoring.kyoku.test_kyoku_properties import RULESETS, outcomes

ENTRIES: list[Entry] = [
    Riichi(1, open=True),
    Offended(2, "empty_call"),
    RiichiWithdrawn(1, "riichi_taken_back"),
    DeadHand(0),
    TimeCalled(),
    Ron(loser=1, wins=(Win(2, Worth(3, 40), LiablePlayer(0, LiableFor.OPEN_KAN)),), stakes=(Stake(2, open=True),)),
    Tsumo(win=Win(0, Points(from_other=2000), prizes=Prizes({AwardEvent.URA: 2}, 500)), fines=(3,), dead=(1,)),
    Tsumo(win=Win(0, Worth(limit=LimitName.MANGAN), prizes=Prizes(fixed=YakuName.ALL_SEVEN)), stop=True),
    FourKansStand(seat=1, liability=LiablePlayer(2)),
    Ruling(reason="seen by all", moves=(Move(None, 1, 1000),), goes_on=Position(RoundName.RETURN_EAST, 2, 1)),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_a_written_entry_is_read_back_equal(entry: Entry) -> None:
    assert read_entry(json.loads(json.dumps(write_entry(entry)))) == entry


@settings(max_examples=60)
@given(data=st.data())
def test_every_outcome_under_every_ruleset_is_read_back_equal(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(RULESETS))
    log = tuple(data.draw(st.lists(outcomes(rules), max_size=4)))
    assert read(json.loads(json.dumps(write(log)))) == log


def test_default_values_are_not_written() -> None:
    assert write_entry(Ron(loser=1, wins=(Win(2, Worth(3, 40)),))) == {
        "type": "ron",
        "loser": 1,
        "wins": [{"seat": 2, "value": {"han": 3, "fu": 40}}],
    }


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"type": "yawn"}, "type: there is no such type of entry; there are riichi, offended"),
        ("riichi", "there is no such type of entry"),
        ({"type": "riichi"}, "seat: "),
        ({"type": "riichi", "seat": "1"}, "seat: Input should be a valid integer (found '1')"),
        ({"type": "riichi", "seat": 1, "loud": True}, "loud: "),
        ({"type": "tsumo", "win": {"seat": 1, "value": {"han": 1.5}}}, "win/value/han: "),
        ({"type": "tsumo", "win": {"seat": 1, "value": {"hun": 1}}}, "win/value/hun: "),
    ],
)
def test_an_invalid_entry_is_refused_with_the_key_of_its_fault(entry: object, says: str) -> None:
    with pytest.raises(LogError) as raised:
        read_entry(entry)
    assert says in str(raised.value)


def test_a_missing_key_is_reported_without_the_rest_of_the_entry() -> None:
    with pytest.raises(LogError) as raised:
        read_entry({"type": "riichi", "open": True})
    assert [(fault.key, fault.value) for fault in raised.value.faults] == [("seat", None)]


def test_all_faults_of_a_log_are_reported_at_once() -> None:
    with pytest.raises(LogError) as raised:
        read([{"type": "yawn"}, write_entry(Riichi(1)), {"type": "draw", "tenpai": 3}])
    assert [fault.source for fault in raised.value.faults] == ["log/0", "log/2"]
