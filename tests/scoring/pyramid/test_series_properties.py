"""Seasons of series with random results and decisions: every player is accounted for, and a naive copy agrees."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets.series import read_series
from scoring.format import Series
from scoring.further import GivenOrders
from scoring.pyramid.ledger import NO_POINTS
from scoring.pyramid.movement import (
    OUT,
    DecisionKind,
    FinalLine,
    MoveDecision,
    Movements,
    MoveReason,
    Points,
    RosterFaultCode,
)
from scoring.pyramid.moves import moves
from scoring.pyramid.roster import roster
from scoring.tiebreak import Entrant
from tests.fuzz.examples import times

TEXT = """
name = "four"
kind = "series"
title = "four"
tiebreak = { then = ["prior"] }
share = { rounding = "%s" }
fill = "next"
tiers = [
  { key = "A", size = { least = 14, most = 20 }, format = "tier" },
  { key = "B", size = { least = 14, most = 20 }, format = "tier" },
  { key = "C", size = { least = 14, most = 20 }, format = "tier" },
  { key = "D", size = { least = 8, most = 40 }, format = "tier" },
]
moves = [
  { from = "B#1-2", to = "A", if = { total_at_least = "0.0" } },
  { from = "A#last:1-2", to = "B" },
  { from = "C#top:1/5", to = "B" },
  { from = "B#last:1/5", to = "C" },
  { from = "D#1-3", to = "C", if = { total_at_least = "0.0" }, refused = "next" },
  { from = "C#last:1-3", to = "D" },
]
ledger = { tier = "C", gains = [2, 1], promote_at = 3, within_terms = 2 }
"""
TIERS = "ABCD"
SERIES = {rounding: read_series(TEXT % rounding, "four") for rounding in ("down", "up")}
PLAIN = {
    rounding: read_series((TEXT % rounding).partition("ledger =")[0].replace('fill = "next"', ""), "four")
    for rounding in ("down", "up")
}
"""The same series without points and filling."""
Rosters = Mapping[str, Sequence[Entrant]]
Drawn = tuple[str, list[tuple[list[int], list[tuple[str, int]]]]]


def naive(rules: Series, tables: Mapping[str, list[tuple[int, int]]], exempt: Mapping[str, set[int]]) -> dict[int, str]:
    """Return where the moves and the points of one first term lead, for tables of player and total without ties."""
    went: dict[int, str] = {}
    rows = {key: [row for row in table if row[0] not in exempt["leaves"]] for key, table in tables.items()}
    plan = [("B", "A", 2, 0), ("A", "B", 2, 1), ("C", "B", 5, 0), ("B", "C", 5, 1), ("D", "C", 3, 0), ("C", "D", 3, 1)]
    for tier, goal, count, is_down in plan:
        size = len(rows[tier])
        fifth = size // 5 + (1 if size % 5 and rules.rounding == "up" else 0)
        number = fifth if count == 5 else count
        stay = exempt["seat_kept" if is_down else "declined"]
        line = [row for row in rows[tier] if row[0] not in stay]
        line = line[::-1] if is_down else line
        if (tier, goal) == ("D", "C"):
            line = [row for row in line if row[1] >= 0]
        for player, total in line[:number]:
            if player not in went and not ((tier, goal) == ("B", "A") and total < 0):
                went[player] = goal
    return went


def drawn(seed: int) -> Drawn:
    """Return a rounding, and for each of three terms the strengths of the players and decisions about some."""
    chance = random.Random(seed)
    terms = []
    for _ in range(3):
        # A small range of strengths makes ties, a large one makes few.
        most = chance.choice([3, 30, 3000])
        strengths = [chance.randint(-most, most) for _ in range(64)]
        kinds = chance.choices(["leaves", "declined", "seat_kept"], k=chance.randint(0, 12))
        terms.append((strengths, list(zip(kinds, chance.sample(range(1, 65), len(kinds)), strict=True))))
    return chance.choice(["down", "up"]), terms


SEEDS = st.integers(0, 2**32)


def final(players: Sequence[Entrant], strengths: Sequence[int]) -> list[FinalLine]:
    """Return the final table; equal strengths share a rank."""
    totals = {player: strengths[int(str(player)) - 1] for player in players}
    return [
        FinalLine(player, 1 + sum(other > own for other in totals.values()), Fraction(own))
        for player, own in totals.items()
    ]


def explained(found: Movements) -> None:
    """Check that every movement has a reason with the numbers that belong to it."""
    for each in found.movements:
        if each.reason in {MoveReason.PROMOTED, MoveReason.RELEGATED, MoveReason.REFUSED}:
            assert each.rule.startswith("moves.")
            assert each.rank is not None
            assert each.places
        if each.reason in {MoveReason.REFUSED, MoveReason.POINTS_UP}:
            assert each.needed is not None
        if each.reason in {MoveReason.SEAT_FILLS, MoveReason.NEXT_FILLS, MoveReason.REFUSED_FILLS}:
            assert (each.rule, bool(each.places)) == ("fill", True)
        has_moved = each.reason not in {MoveReason.STAYS, MoveReason.DECLINED, MoveReason.SEAT_KEPT, MoveReason.REFUSED}
        stays = each.seat == each.source
        assert stays != has_moved or each.reason is MoveReason.SEAT_FILLS


@pytest.mark.slow
@settings(max_examples=times(20), deadline=None)
@given(SEEDS)
def test_three_seasons_of_four_tiers_leave_every_player_in_one_place(seed: int) -> None:
    rounding, terms = drawn(seed)
    rules = SERIES[rounding]
    now: Rosters = {key: list(range(16 * n + 1, 16 * n + 17)) for n, key in enumerate(TIERS)}
    points: Points = NO_POINTS
    for term, (strengths, kinds) in enumerate(terms, start=1):
        playing = {player for players in now.values() for player in players}
        decisions = [MoveDecision(player, DecisionKind(kind)) for kind, player in kinds if player in playing]
        prior = GivenOrders(prior=tuple(player for key in TIERS for player in now[key]))
        finals = {key: final(players, strengths) for key, players in now.items()}
        found = moves(rules, finals, decisions, points, term=term, given=prior)
        # The roster of the term orders all level players, so that nothing waits.
        assert found.faults == ()
        explained(found)
        following = roster(rules, found)
        seated = [player for players in following.tiers.values() for player in players]
        gone = {each.player for each in found.movements if each.to == OUT}
        assert len(seated) == len(set(seated))
        assert set(seated) | gone == playing
        assert gone == {each.player for each in decisions if each.kind is DecisionKind.LEAVES}
        assert all(fault.code in {RosterFaultCode.TOO_LARGE, RosterFaultCode.TOO_SMALL} for fault in following.faults)
        # The upper tiers are filled from below as long as anybody is left there.
        short = {fault.tier for fault in following.faults if fault.code is RosterFaultCode.TOO_SMALL}
        assert short <= {"D"}
        assert found == moves(rules, finals, list(reversed(decisions)), points, term=term, given=prior)
        now, points = following.tiers, found.points


@settings(max_examples=times(40), deadline=None)
@given(SEEDS)
def test_a_naive_implementation_makes_the_same_moves(seed: int) -> None:
    rounding, terms = drawn(seed)
    strengths, kinds = terms[0]
    rules = PLAIN[rounding]
    # Without ties: the player's number makes totals distinct.
    tables = {
        key: sorted(
            ((player, strengths[player - 1] * 100 + player) for player in range(16 * n + 1, 16 * n + 17)),
            key=lambda row: -row[1],
        )
        for n, key in enumerate(TIERS)
    }
    finals = {
        key: [FinalLine(player, rank, Fraction(total)) for rank, (player, total) in enumerate(table, start=1)]
        for key, table in tables.items()
    }
    decisions = [MoveDecision(player, DecisionKind(kind)) for kind, player in kinds]
    found = moves(rules, finals, decisions)
    exempt = {kind.value: {player for name, player in kinds if name == kind.value} for kind in DecisionKind}
    went = naive(rules, tables, exempt)
    home = {player: key for key, table in tables.items() for player, _ in table}
    wanted = {player: went.get(player, tier) for player, tier in home.items() if player not in exempt["leaves"]}
    assert {each.player: each.to for each in found.movements if each.to != OUT} == wanted
