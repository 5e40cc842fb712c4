"""Damaged logs: whatever a file holds, it is read or refused by name, and the cost grows with its size alone."""

import json
import random
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import pytest

from league.files.paifu import read_paifu
from league.wording.live.paifu import paifu_refusal_text
from scoring.paifu import PaifuError, from_json, to_json
from tests.fuzz.examples import times
from tests.paifu.mahjongsoul import write_mahjongsoul
from tests.paifu.mjlog import write_mjlog
from tests.paifu.simulated import simulated
from tests.paifu.tenhou_json import write_tenhou_json

ROUNDS = times(50)
SIZES = (1, 4)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**9,
    10**30,
    "1.5",
    "",
    "0z",
    "\ud800",
    [],
    {},
    [[]],
    "𝟛",
    "和了",
    60,
    "r60",
    "m5",
)


def accepts(content: bytes | str) -> bool:
    """Return whether a log is read; any exception but a refusal fails the test."""
    return told(partial(read_paifu, content)) == ""


def told(read: Callable[[], object]) -> str:
    """Return the refusal in words, or an empty text if there is none."""
    try:
        read()
    except PaifuError as error:
        return str(error) and paifu_refusal_text(error)
    return ""


def test_bytes_changed_cut_out_or_repeated_are_refused_or_read() -> None:
    rng = random.Random(5)
    logs = [write(simulated(seed, players)).encode() for seed, players in ((7, 4), (32, 3)) for write in WRITERS]
    for _ in range(ROUNDS):
        content = bytearray(rng.choice(logs))
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(content))
            change = rng.randrange(4)
            if change == 0:
                content[place] = rng.randrange(256)
            elif change == 1:
                del content[place : place + rng.randrange(200)]
            elif change == 2:
                content[place:place] = content[place : place + rng.randrange(200)]
            else:
                content[place:place] = rng.choice((b'"', b"<", b"{", b"9", b",", b"0" * 50, "和".encode()))
        accepts(bytes(content))


@pytest.mark.parametrize("name", ["tenhou", "mahjongsoul", "stored"])
def test_values_of_other_types_anywhere_in_a_tree_are_refused_or_read(name: str) -> None:
    rng = random.Random(6)
    played = simulated(32, 3)
    tree = {"tenhou": write_tenhou_json, "mahjongsoul": write_mahjongsoul, "stored": to_json}[name](played)
    text = json.dumps(tree)
    for _ in range(ROUNDS):
        data = json.loads(text)
        for _ in range(rng.randint(1, 3)):
            change_somewhere(data, rng)
        if name != "stored":
            accepts(json.dumps(data))
        elif not told(partial(from_json, data)):
            assert from_json(to_json(from_json(data))) == from_json(data)


def change_somewhere(node: Any, rng: random.Random) -> None:
    """Change one value of a tree, at any depth."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = rng.choice(keys)
        inner = node[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
            node = inner
            continue
        change = rng.randrange(3)
        if change == 0 and isinstance(node, dict):
            del node[key]
        elif change == 0:
            node.insert(key, rng.choice(ODD))
        elif change == 1:
            node[key] = rng.choice(ODD)
        elif isinstance(inner, int) and not isinstance(inner, bool):
            node[key] = inner + rng.choice((-1, 1, 100, -100))
        return


def _tags(count: int) -> str:
    return "<mjloggm>" + '<UN n0="A"/><X a="1"/>' * 3000 * count + "</mjloggm>"


def _blanks(count: int) -> str:
    return write_mjlog(simulated(7)).replace("<", " " * 20 * count + "<")


def _actions(count: int) -> str:
    return json.dumps({"head": {}, "data": [{"name": ".lq.RecordLater", "data": {"a": [1]}}] * 4000 * count})


def _digits(count: int) -> str:
    return '{"log": [], "name": ["' + "9" * 100_000 * count + '"]}'


def _calls(count: int) -> str:
    """Return a hand of calls that fit many discards, none of which leads to an end."""
    calls: list[Any] = ["41p4141"] * 20 * count
    seats: list[Any] = [part for _ in range(4) for part in ([11] * 13, calls, [41] * 20 * count)]
    hand = [[0, 0, 0], [25000] * 4, [11], [], *seats, ["流局"]]
    return json.dumps({"name": ["A", "B", "C", "D"], "log": [hand]})


@pytest.mark.parametrize("make", [_tags, _blanks, _actions, _digits, _calls])
def test_the_cost_of_a_refusal_grows_no_faster_than_the_file(make: Callable[[int], str]) -> None:
    small, large = (min(cost(make(size)) for _ in range(3)) for size in SIZES)
    assert large < 8 * small + 0.02


def cost(content: str) -> float:
    """Return the seconds of CPU that a log takes."""
    begun = process_time()
    accepts(content)
    return process_time() - begun


WRITERS: tuple[Callable[..., str], ...] = (
    write_mjlog,
    lambda played: json.dumps(write_tenhou_json(played), ensure_ascii=False),
    lambda played: json.dumps(write_mahjongsoul(played), ensure_ascii=False),
)
