"""A log stored as JSON comes back as the same record, and data that no log can have written is refused."""

import json
from typing import Any

import pytest

from scoring.paifu import PaifuError, from_json, to_json
from tests.paifu.simulated import simulated


@pytest.mark.parametrize(("seed", "players"), [(83, 4), (39, 4), (238, 4), (65, 3), (32, 3), (92, 3)])
def test_a_stored_log_is_read_back_as_it_was(seed: int, players: int) -> None:
    played = simulated(seed, players)
    stored = json.dumps(to_json(played))
    read = from_json(json.loads(stored))
    assert read == played
    assert json.dumps(to_json(read)) == stored


def test_a_stored_log_reads_like_a_log() -> None:
    stored = to_json(simulated(7))
    kyoku: Any = stored["hands"][0]  # type: ignore[index]
    assert (stored["version"], kyoku["round"], kyoku["steps"][0].split()[:2]) == (1, "E", ["0", "draw"])
    assert all(len(tiles) < 30 for tiles in kyoku["dealt"])


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("version", 2, "wrong_version"),
        ("version", None, "wrong_version"),
        ("source", "club", "not_stored"),
        ("later", 1, "not_stored"),
        ("played_at", "2026-04-05T20:00:00", "not_stored"),
        ("players", [], "players"),
        ("hands", [], "no_hands"),
        ("start", 25000.0, "not_stored"),
        ("start", 30000, "unequal_start"),
        ("final_scores", [1, 2], "seats"),
        ("final_points", [1, 2], "seats"),
    ],
)
def test_a_stored_log_with_one_wrong_value_is_refused(key: str, value: object, code: str) -> None:
    with pytest.raises(PaifuError) as raised:
        from_json({**to_json(simulated(7)), key: value})
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        (("steps", 0), "0 draw 5q", "not_step"),
        (("steps", 0), "4 draw 5m", "not_step"),
        (("steps", 0), "0 hop 5m", "not_step"),
        (("steps", 0), "0 draw 5m6m", "no_such_call"),
        (("steps", 0), "1 draw 5m", "not_the_turn"),
        (("steps", 1), "0 riichi 1m", "no_such_call"),
        (("steps",), [], "stick_without_riichi"),
        (("dealt", 0), "123m", "hand_size"),
        (("dealt", 0), "1111222233334m", "too_many_alike"),
        (("scores",), [25000, 25000, 25000], "seats"),
        (("scores", 0), 24000, "unequal_start"),
        (("deltas", 0), 99000, "points_lost"),
        (("riichi",), [3], "stick_without_riichi"),
        (("number",), 4, "not_from_start"),
        (("draw",), {"kind": "exhaustive"}, "unfinished"),
        (("wins",), [], "unfinished"),
        (("wins", 0, "hand"), "1q", "not_stored"),
        (("wins", 0, "seat"), 9, "not_stored"),
        (("wins", 0, "loser"), None, "winner"),
    ],
)
def test_a_stored_hand_with_one_wrong_value_is_refused(key: tuple[str | int, ...], value: object, code: str) -> None:
    data = json.loads(json.dumps(to_json(simulated(WON_BY_RON))))
    node = data["hands"][0]
    for part in key[:-1]:
        node = node[part]
    node[key[-1]] = value
    with pytest.raises(PaifuError) as raised:
        from_json(data)
    assert raised.value.code == code


WON_BY_RON = 7
"""A game whose first hand is won by ron."""
