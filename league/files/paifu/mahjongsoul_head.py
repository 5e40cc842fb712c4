"""The tree of a record of Mahjong Soul: its head (players, time, rules, final result) and its row of actions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from league.files.paifu.fields import items, members, text, whole
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import STICK

COMPUTER = "CPU"
"""The name of a player without an account, whom the service itself plays."""
THOUSANDTHS = 100
"""Thousandths in a tenth: points of the result are given in thousandths."""
MOST_ACTIONS = 60_000
LATEST = 4_000_000_000
LENGTHS = {1: "E", 2: "ES"}
"""By the last digit of a mode; the digit before it says how many players."""


def pick(values: Mapping[str, object], key: str, default: object) -> object:
    """Return the value of a key, which may be written in camel case; the default if it is missing or null."""
    found = values.get(key)
    if found is None and "_" in key:
        found = values.get(_camel(key))
    return default if found is None else found


@cache
def _camel(key: str) -> str:
    """Return a key of this module in camel case."""
    first, *others = key.split("_")
    return first + "".join(map(str.capitalize, others))


@dataclass(frozen=True, slots=True)
class Head:
    """The players by seat, and the facts about the game as a whole."""

    game: str
    played_at: dt.datetime | None
    accounts: Mapping[int, tuple[str, str]]
    """Name and account of each seat."""
    scores: Mapping[int, int]
    points: Mapping[int, int]
    """Final points in tenths."""
    rules: Mapping[str, str]

    @property
    def stick(self) -> int:
        """The points of a riichi stick."""
        return int(self.rules.get("stick", STICK))

    def player(self, seat: int) -> tuple[str, str]:
        """Return the name and the account of a seat."""
        return self.accounts.get(seat, (COMPUTER, ""))

    def final(self, players: int) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
        """Return final scores and points by seat; nothing if the record has no result."""
        if not self.scores:
            return (), None
        if len(self.scores) != players:
            raise PaifuError("seats", key="result", players=players, actual=len(self.scores))
        seats = range(players)
        return tuple(self.scores.get(seat, 0) for seat in seats), tuple(self.points.get(seat, 0) for seat in seats)


def head_of(values: Mapping[str, object]) -> Head:
    """Return the head of a record; raise PaifuError for values that cannot be read."""
    accounts: dict[int, tuple[str, str]] = {}
    for each in items(pick(values, "accounts", []), "accounts", 4):
        account = members(each, "accounts")
        number = pick(account, "account_id", "")
        known = str(whole(number, "account_id", 0, 10**12)) if number != "" else ""
        accounts[_seat(account)] = (text(pick(account, "nickname", ""), "nickname"), known)
    scores: dict[int, int] = {}
    points: dict[int, int] = {}
    for each in items(pick(members(pick(values, "result", {}), "result"), "players", []), "players", 4):
        player = members(each, "players")
        scores[_seat(player)] = whole(pick(player, "part_point_1", 0), "part_point_1", -1_000_000)
        points[_seat(player)] = _tenths(pick(player, "total_point", 0))
    begun = whole(pick(values, "start_time", 0), "start_time", 0, LATEST)
    played_at = dt.datetime.fromtimestamp(begun, tz=dt.UTC) if begun else None
    return Head(text(pick(values, "uuid", ""), "uuid"), played_at, accounts, scores, points, _rules(values))


def _seat(values: Mapping[str, object]) -> int:
    return whole(pick(values, "seat", 0), "seat", 0, 3)


def _tenths(value: object) -> int:
    thousandths = whole(value, "total_point", -10_000_000)
    if thousandths % THOUSANDTHS:
        raise PaifuError("not_points", key="total_point", value=thousandths)
    return thousandths // THOUSANDTHS


def _rules(values: Mapping[str, object]) -> dict[str, str]:
    """Return the rules that the head names; a room of the service's own names none."""
    mode = members(pick(members(pick(values, "config", {}), "config"), "mode", {}), "mode")
    detail = members(pick(mode, "detail_rule", {}), "detail_rule")
    found: dict[str, str] = {}
    length = LENGTHS.get(whole(pick(mode, "mode", 0), "mode", 0, 999) % 10)
    if length is not None:
        found["length"] = length
    if pick(detail, "dora_count", None) is not None:
        found["red"] = str(whole(pick(detail, "dora_count", 0), "dora_count", 0, 9))
    if pick(detail, "shiduan", None) is not None:
        found["open_tanyao"] = "yes" if whole(pick(detail, "shiduan", 0), "shiduan", 0, 9) else "no"
    stick = whole(pick(detail, "liqibang_value", STICK), "liqibang_value", 0, 100_000) or STICK
    return found | ({"stick": str(stick)} if stick != STICK else {})


def actions_of(data: Mapping[str, object]) -> list[tuple[str, Mapping[str, object]]]:
    """Return the named actions of a record: they stand in a list of their own, or deeper in the tree."""
    found: object = data.get("data", data.get("record", data.get("records")))
    for _ in range(3):
        if not isinstance(found, dict):
            break
        # `records` is empty in newer records, where every action stands beside the moment it was made.
        found = found.get("records") or found.get("actions") or found.get("data")
    actions: list[tuple[str, Mapping[str, object]]] = []
    for each in items(found, "data", MOST_ACTIONS):
        inner = each.get("result", each) if isinstance(each, dict) else None
        if isinstance(inner, dict) and isinstance(inner.get("name"), str) and isinstance(inner.get("data"), dict):
            name = inner["name"].rpartition(".")[2].removeprefix("Record").removeprefix("Action")
            actions.append((name, inner["data"]))
    return actions
