"""Worked examples of series: tiers with promotion and relegation, rewards under a condition, promotion points."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from rulesets.example_kinds.formats import FormatContext, Points, compare
from rulesets.example_kinds.shape import Example, Mismatch
from scoring.format.parts import Bounds
from scoring.format.series import Move, Outside, PointsLedger, Series, ShareRounding, ShareRule, Tier, parse_movers
from scoring.pyramid.ledger import NO_POINTS
from scoring.pyramid.movement import DecisionKind, FinalLine, MoveDecision, MoveReason
from scoring.pyramid.moves import moves
from scoring.ruleset.base import Positive, Strict, Title
from scoring.tiebreak import Entrant, TieBreak

LARGEST = 400
"""The most players of an example's tier; the examples are about moves, not about sizes."""


class ExampleTier(Strict):
    """A tier and the final totals of its players."""

    key: str
    totals: Points


class ExpectedGoing(Strict):
    """The players of every tier and competition beside them after the moves; `out` for those who leave."""

    going: dict[str, tuple[str, ...]]


class MovementExample(Example):
    """Tiers with final totals, and moves -> who goes where."""

    tiers: tuple[ExampleTier, ...]
    moves: tuple[Move, ...]
    share: ShareRounding = ShareRounding.DOWN
    overrides: dict[DecisionKind, tuple[str, ...]] = {}
    expect: ExpectedGoing


class ExpectedFinal(Strict):
    """Totals, order, and the tiers that the first of the order go to."""

    totals: Points
    order: tuple[tuple[str, ...], ...]
    going: dict[str, str]
    refused: tuple[str, ...]


class FinalTotalExample(Example):
    """Points carried and won -> order and rewards by rank, each under a condition on the total in the own tier."""

    carried: Points
    won: Points
    rewards: tuple[str, ...]
    own: Points
    condition: Annotated[str, Field(pattern=r"^own_total_at_least -?\d{1,7}(\.\d)?$")]
    expect: ExpectedFinal


class ExpectedPoints(Strict):
    """The points gained in each term, and the term after which the player goes up; 0 for none."""

    points: tuple[int, ...]
    promoted_after: int


class PointsLedgerExample(Example):
    """One player's ranks term by term in a tier -> points gained, and promotion."""

    size: Positive
    promoted: str
    gains: tuple[Positive, ...]
    promote_at: Positive
    within_terms: Positive
    spent: Literal["all", "needed"] = "all"
    terms: tuple[Positive, ...]
    expect: ExpectedPoints


def _series(
    tiers: tuple[str, ...],
    made: tuple[Move, ...],
    share: ShareRounding = ShareRounding.DOWN,
    ledger: tuple[PointsLedger, ...] = (),
) -> Series:
    """Return a series of these tiers; goals that are none of them are competitions beside them."""
    named = dict.fromkeys((*(move.to for move in made), *(move.source.tier for move in made)))
    gains = {each.tier: len(each.gains) for each in ledger}
    ends = [(move.source.tier, move.source.ranks.stop - 1) for move in made if move.source.share is None]
    least = {key: gains.get(key, 0) + sum(end for tier, end in ends if tier == key) for key in tiers}
    return Series(
        name="example",
        kind="series",
        title=Title(ja="example", en="example"),
        tiebreak=TieBreak(),
        tiers=tuple(Tier(key=key, size=Bounds(least=least[key], most=LARGEST), format="tier") for key in tiers),
        outside=tuple(Outside(key=key) for key in named if key not in tiers),
        moves=made,
        share=ShareRule(rounding=share),
        ledger=ledger,
    )


def _final(totals: Mapping[str, Fraction]) -> tuple[FinalLine, ...]:
    """Return the final table that these totals give; equal totals share a rank."""
    return tuple(
        FinalLine(player, 1 + sum(other > total for other in totals.values()), total)
        for player, total in totals.items()
    )


def movement_differences(example: MovementExample, context: FormatContext) -> Iterator[Mismatch]:
    """Make the moves, and compare where the players go."""
    del context
    series = _series(tuple(tier.key for tier in example.tiers), example.moves, example.share)
    decisions = [MoveDecision(name, kind) for kind, names in example.overrides.items() for name in names]
    found = moves(series, {tier.key: _final(tier.totals) for tier in example.tiers}, decisions)
    going = {key: sorted(map(str, players)) for key, players in sorted(found.going().items())}
    yield from compare("going", {key: sorted(names) for key, names in sorted(example.expect.going.items())}, going)


def final_total_differences(example: FinalTotalExample, context: FormatContext) -> Iterator[Mismatch]:
    """Add up the totals, and give the rewards in order of rank."""
    del context
    totals = {name: example.carried[name] + won for name, won in example.won.items()}
    final = _final(totals)
    least = Fraction(example.condition.partition(" ")[2])
    made = tuple(
        Move.model_validate({"from": parse_movers(f"special#{rank}"), "to": to, "if": {"total_at_least": least}})
        for rank, to in enumerate(example.rewards, start=1)
    )
    found = moves(_series((*example.rewards, "own"), made), {"own": _final(example.own), "special": final})
    yield from compare("totals", dict(sorted(example.expect.totals.items())), dict(sorted(totals.items())))
    ranks = sorted({line.rank for line in final})
    order = [sorted(str(line.player) for line in final if line.rank == rank) for rank in ranks]
    yield from compare("order", [list(level) for level in example.expect.order], order)
    going = {each.to: str(each.player) for each in found.movements if each.reason is MoveReason.PROMOTED}
    yield from compare("going", example.expect.going, going)
    refused = [str(each.player) for each in found.movements if each.reason is MoveReason.REFUSED]
    yield from compare("refused", list(example.expect.refused), refused)


def points_ledger_differences(example: PointsLedgerExample, context: FormatContext) -> Iterator[Mismatch]:
    """Play the terms with the player at these ranks, and compare the points and the promotion."""
    del context
    ledger = PointsLedger(
        tier="own",
        gains=example.gains,
        promote_at=example.promote_at,
        within_terms=example.within_terms,
        spent=example.spent,
    )
    made = (Move.model_validate({"from": parse_movers(f"own#top:{example.promoted}"), "to": "above"}),)
    series = _series(("above", "own"), made, ledger=(ledger,))
    points = NO_POINTS
    gained: list[int] = []
    promoted_after = 0
    for term, rank in enumerate(example.terms, start=1):
        found = moves(series, {"own": _table(example.size, rank, term)}, points=points, term=term)
        own = next(each for each in found.movements if each.player == "P")
        gained.append(own.gained)
        points = found.points
        if own.to == "above":
            promoted_after = term
            break
    yield from compare("points", list(example.expect.points), gained)
    yield from compare("promoted_after", example.expect.promoted_after, promoted_after)


def _table(size: int, rank: int, term: int) -> tuple[FinalLine, ...]:
    """Return a table with the player P at a rank, among others who are new in every term."""
    names: list[Entrant] = [f"other {term} {number}" for number in range(1, size)]
    names.insert(rank - 1, "P")
    return tuple(FinalLine(name, number, Fraction(-number)) for number, name in enumerate(names, start=1))
