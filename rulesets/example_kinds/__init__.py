"""The kinds of worked examples: how each is read and run.

A kind is a model of its table and a function that yields the differences found by the engine. A new kind is one new
entry in `KINDS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.example_kinds import act, furiten, hand, legality, settlement, standings, tulip
from rulesets.example_kinds import round as round_
from rulesets.example_kinds.shape import Context, Example, Mismatch


@dataclass(frozen=True, slots=True)
class ExampleKind:
    """One kind of example: the model of its table, and the function that runs it."""

    model: type[Example]
    run: Callable[[Any, Context], Iterator[Mismatch]]


KINDS: Mapping[str, ExampleKind] = {
    "hand": ExampleKind(hand.HandExample, hand.differences),
    "settlement": ExampleKind(settlement.SettlementExample, settlement.differences),
    "round": ExampleKind(round_.RoundExample, round_.differences),
    "legality": ExampleKind(legality.LegalityExample, legality.differences),
    "act": ExampleKind(act.ActExample, act.differences),
    "furiten": ExampleKind(furiten.FuritenExample, furiten.differences),
    "standings": ExampleKind(standings.StandingsExample, standings.differences),
    "tulip": ExampleKind(tulip.TulipExample, tulip.differences),
}

__all__ = ["KINDS", "Context", "Example", "ExampleKind", "Mismatch"]
