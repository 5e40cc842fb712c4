"""The kinds of worked examples: how each is read and run.

A kind is a model of its table and a function that yields the differences found by the engine. A new kind is one new
entry in `KINDS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.example_kinds import (
    act,
    formats,
    furiten,
    hand,
    legality,
    pairings,
    pyramid,
    rankings,
    settlement,
    standings,
    teams,
    tulip,
)
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
    "pairing": ExampleKind(pairings.PairingExample, pairings.pairing_differences),
    "bye": ExampleKind(pairings.ByeExample, pairings.bye_differences),
    "bounds": ExampleKind(pairings.BoundsExample, pairings.bounds_differences),
    "carry": ExampleKind(formats.CarryExample, formats.carry_differences),
    "movement": ExampleKind(pyramid.MovementExample, pyramid.movement_differences),
    "final_total": ExampleKind(pyramid.FinalTotalExample, pyramid.final_total_differences),
    "points_ledger": ExampleKind(pyramid.PointsLedgerExample, pyramid.points_ledger_differences),
    "team_season": ExampleKind(teams.TeamSeasonExample, teams.team_season_differences),
    "team_table": ExampleKind(teams.TeamTableExample, teams.team_table_differences),
    "stage_table": ExampleKind(teams.StageTableExample, teams.stage_table_differences),
    "line_up": ExampleKind(teams.LineUpExample, teams.line_up_differences),
    "base_rank": ExampleKind(rankings.BaseRankExample, rankings.base_rank_differences),
    "weight": ExampleKind(rankings.WeightExample, rankings.weight_differences),
    "mers": ExampleKind(rankings.MersExample, rankings.mers_differences),
    "tenhou_r": ExampleKind(rankings.TenhouRExample, rankings.tenhou_r_differences),
    "tenhou_dan": ExampleKind(rankings.TenhouDanExample, rankings.tenhou_dan_differences),
    "season_points": ExampleKind(rankings.SeasonPointsExample, rankings.season_points_differences),
}
"""Kinds that need no ruleset; a file has either these or those of `KINDS`."""

__all__ = ["FORMAT_KINDS", "KINDS", "Context", "Example", "ExampleKind", "FormatContext", "Mismatch"]
