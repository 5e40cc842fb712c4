"""The house options under which the possible values of hands are compared with every shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, product

from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.situation import RiichiKind
from scoring.ruleset import Ruleset
from scoring.value import By

HAND_TABLES = ("tiles", "calls", "nuki", "win", "value", "fu", "yaku", "yaku_rules")
"""The tables of a ruleset that decide which hands win and with how many han and fu."""

Options = Mapping[str, object]


def variants(rules: Ruleset) -> Iterator[Options]:
    """Yield the house options to compare: none, each value that changes the rules for hands, and pairs that interact.

    Two options interact if each changes the table of possible values and both together give one that neither gives.
    A ruleset without rules for hands has nothing to compare.
    """
    if rules.play is None:
        return
    yield {}
    hands, tables = {_hand_tables(rules)}, {_all_values(rules)}
    changing: list[tuple[str, object]] = []
    for key, option in rules.options.items():
        for value in option.candidates():
            changed = rules.with_options({key: value})
            if _hand_tables(changed) not in hands:
                hands.add(_hand_tables(changed))
                yield {key: value}
            if _all_values(changed) not in tables:
                tables.add(_all_values(changed))
                changing.append((key, value))
    for (one, first), (other, second) in combinations(changing, 2):
        pair = {one: first, other: second}
        if one != other and (values := _all_values(rules.with_options(pair))) not in tables:
            tables.add(values)
            yield pair


def _hand_tables(rules: Ruleset) -> str:
    play = rules.data()["play"]
    return json.dumps([play[name] for name in HAND_TABLES], sort_keys=True, default=str)


def _all_values(rules: Ruleset) -> tuple[object, ...]:
    ways = product(By, (True, False), (RiichiKind.NONE, RiichiKind.RIICHI), rules.setup.rounds)
    tables = (possible_values(rules, Circumstances(by, closed, kind, round=name)) for by, closed, kind, name in ways)
    return tuple(tuple(sorted((key, least.han) for key, least in table.items())) for table in tables)
