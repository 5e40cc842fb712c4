"""The kinds of worked examples: how each is read and run.

A kind is a model of its table and a function that yields the differences found by the engine. A new kind is one new
entry in `KINDS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.example_kinds import act, formats, furiten, hand, legality, settlement, standings, tulip
from rulesets.example_kinds import round as round_
from rulesets.example_kinds.formats import FormatContext
from rulesets.example_kinds.shape import Context, Example, Mismatch


@dataclass(frozen=True, slots=True)
class ExampleKind:
    """One kind of example: the model of its table, and the function that runs it in a file's context."""

    model: type[Example]
    run: Callable[[Any, Any], Iterator[Mismatch]]


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

FORMAT_KINDS: Mapping[str, ExampleKind] = {
    "format": ExampleKind(formats.FormatExample, formats.format_differences),
    "run": ExampleKind(formats.RunExample, formats.run_differences),
    "arrange": ExampleKind(formats.ArrangeExample, formats.arrange_differences),
    "cut": ExampleKind(formats.CutExample, formats.cut_differences),
    "knockout": ExampleKind(formats.KnockoutExample, formats.knockout_differences),
    "carry": ExampleKind(formats.CarryExample, formats.carry_differences),
}
"""Kinds that need no ruleset; a file has either these or those of `KINDS`."""

NOT_RUN = (
    *("pairing", "bye", "bounds"),
    *("team_season", "team_table", "stage_table", "line_up"),
    *("movement", "final_total", "points_ledger"),
    *("base_rank", "weight", "mers", "tenhou_r", "tenhou_dan", "season_points"),
)
"""Kinds about formats that files may contain and that nothing here carries out; they are counted."""

__all__ = ["FORMAT_KINDS", "KINDS", "NOT_RUN", "Context", "Example", "ExampleKind", "FormatContext", "Mismatch"]
