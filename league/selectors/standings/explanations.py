"""Explanations of the standings: the criterion between each pair of neighbours, and each total as a sum.

Neighbours are separated by their totals; if these are level, by the hanchan at which the tie-break found a
difference, or by a ruling; if nothing separates them, they share the rank. A total is the sum of carried
points, the organizers' adjustments, rounds not played, and the points of each hanchan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from league.models import Entrant, Standing
from league.selectors.standings.tables import BlockTable, ResultCell
from league.wording.messages import TieDecision
from league.wording.standings.conditions import SeparatedBy
from scoring.tiebreak import RULING, Further, TieBreak


@dataclass(frozen=True, slots=True)
class Sum:
    """A total with its summands, as integers at the ranking ledger's scale."""

    entrant: Entrant
    rank: int
    total: int
    carried: int
    adjustment: int
    credited: int
    cells: tuple[tuple[int, ResultCell], ...]
    """The results, each with its number among the entrant's own, in the order of the hanchan."""
    decided_by: int | None
    """The number of the hanchan that separated the neighbours."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason why one neighbour ranks above the other."""

    above: Sum
    below: Sum
    by: SeparatedBy
    gap: int
    """The difference of the totals."""
    decision: TieDecision | None
    """The decision as the standing stores it, if a hanchan, a further criterion or a ruling decided."""
    clause: str | None
    by_total_alone: bool
    """True if the format compares nothing but the totals, so that level neighbours share the rank by rule."""


def ranks_by_total_alone(tiebreak: TieBreak) -> bool:
    """Return True if a format compares nothing but the totals: no hanchan to come separates level entrants."""
    return not tiebreak.back_tracking


def explanations(
    table: BlockTable, results: Mapping[int, Mapping[int, ResultCell]], tiebreak: TieBreak
) -> tuple[Explanation, ...]:
    """Return an explanation for each pair of neighbours in a block's table; empty before anything was played."""
    if table.is_empty:
        return ()
    rows = [line.standing for line in table.lines]
    pairs = (pair for pair in pairwise(rows) if not _is_parted_by_withdrawal(*pair))
    return tuple(_explained(above, below, results, tiebreak) for above, below in pairs)


def _is_parted_by_withdrawal(above: Standing, below: Standing) -> bool:
    """Return True if the lower neighbour stands there for having withdrawn, whatever the results say."""
    is_level = above.total == below.total and not below.decision
    return not below.is_ranked or above.total < below.total or (is_level and above.rank != below.rank)


def _explained(
    above: Standing, below: Standing, results: Mapping[int, Mapping[int, ResultCell]], tiebreak: TieBreak
) -> Explanation:
    decision = below.decision
    by, clause = _by(above, below, tiebreak)
    number = decision["number"] if by is SeparatedBy.HANCHAN and decision else None
    return Explanation(
        above=_sum(above, results, number),
        below=_sum(below, results, number),
        by=by,
        gap=above.total - below.total,
        decision=decision if by in {SeparatedBy.HANCHAN, SeparatedBy.FURTHER, SeparatedBy.RULING} else None,
        clause=clause,
        by_total_alone=ranks_by_total_alone(tiebreak),
    )


def _by(above: Standing, below: Standing, tiebreak: TieBreak) -> tuple[SeparatedBy, str | None]:
    """Return the criterion that separated the neighbours, with its clause."""
    if above.total != below.total:
        return SeparatedBy.TOTAL, tiebreak.clause_total
    if not below.decision:
        by_rule = tiebreak.clause_total if ranks_by_total_alone(tiebreak) else tiebreak.clause_ruling
        return SeparatedBy.NOTHING, by_rule
    criterion = below.decision["criterion"]
    by = SeparatedBy.FURTHER if criterion in set(Further) else SeparatedBy.HANCHAN
    return (SeparatedBy.RULING if criterion == RULING else by), below.decision["clause"]


def _sum(row: Standing, results: Mapping[int, Mapping[int, ResultCell]], number: int | None) -> Sum:
    return Sum(
        entrant=row.entrant,
        rank=row.rank,
        total=row.total,
        carried=row.carried,
        adjustment=row.adjustment,
        credited=row.credited,
        cells=tuple(sorted(results.get(row.entrant_id, {}).items())),
        decided_by=number,
    )
