"""The house options under which the possible values of hands are compared with every shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, product

from scoring.hand.possible import Circumstances, possible_values
from scoring.hand.situation import RiichiKind
from scoring.ruleset import Ruleset
from scoring.ruleset.paths import put
from scoring.value import By

HAND_TABLES = ("tiles", "calls", "nuki", "win", "value", "fu", "yaku", "yaku_rules")
"""The tables of a ruleset that decide which hands win and with how many han and fu."""

UNSEEN = (
    *(f"calls.{key}" for key in ("kuikae", "pon_priority", "kan_after_riichi", "kan_after_riichi_must")),
    "calls.closed_kan_robbed_by",
    "yaku.renhou",
    "value.yakuman.several",
)
"""Values in these tables that no compared hand depends on.

A hand does not show the order of its calls, none is won by robbing a kan or on the first turn, and yakuman, which have
neither han nor fu, are compared under the default options alone.
"""

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
    """Return the tables that the values of compared hands depend on, as one text."""
    play = rules.data()["play"]
    tables = {name: play[name] for name in HAND_TABLES}
    for path in UNSEEN:
        put(tables, path, None)
    return json.dumps(tables, sort_keys=True, default=str)


def _all_values(rules: Ruleset) -> tuple[object, ...]:
    ways = product(By, (True, False), (RiichiKind.NONE, RiichiKind.RIICHI), rules.setup.rounds)
    tables = (possible_values(rules, Circumstances(by, closed, kind, round=name)) for by, closed, kind, name in ways)
    return tuple(tuple(sorted((key, least.han) for key, least in table.items())) for table in tables)
