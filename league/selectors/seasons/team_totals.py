"""The total of a team in each block with all that it is made of: the carry, its hanchan, and its penalties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.models import Adjustment, Block, Standing
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_of
from league.selectors.standings.tables import block_tables
from scoring.format import Format
from scoring.format.stage import CarryOver
from scoring.stages import rounded_share


@dataclass(frozen=True, slots=True)
class CarriedTotal:
    """Points carried into a stage; amounts at the ranking ledger's scale."""

    rounded: int
    rule: CarryOver
    total: int | None = None
    """The total that a part was taken of; None where points follow from no total."""

    @property
    def exact(self) -> Fraction | None:
        """Return the part before it was rounded; None where points follow from no total."""
        share = self.rule.share
        return None if self.total is None or share is None else self.total * share


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """An entrant's total in one block."""

    block: Block
    standing: Standing
    planned: int | None
    carry: CarriedTotal | None
    """None in the first stage, and where nothing is carried over."""
    adjustments: tuple[Adjustment, ...]

    @property
    def won(self) -> int:
        """Return the points of the hanchan played."""
        row = self.standing
        return row.total - row.carried - row.adjustment - row.credited


def team_totals(reader: Reader) -> Mapping[int, Sequence[TeamTotal]]:
    """Return the totals of each entrant by its id, block after block in the order of play."""
    league_format = format_of(rules_of(reader))
    adjusted: dict[tuple[int, int], list[Adjustment]] = {}
    rows = reader.decisions(Adjustment, block__competition=reader.competition).select_related("player")
    for each in sorted(rows, key=lambda row: (row.made_n, row.pk)):
        adjusted.setdefault((each.block_id, each.entrant_id), []).append(each)
    found: dict[int, list[TeamTotal]] = {}
    for table in block_tables(reader, with_slots=False):
        for line in table.lines:
            row = line.standing
            own = found.setdefault(row.entrant_id, [])
            carry = _carry(league_format, table.block, row, own)
            penalties = tuple(adjusted.get((table.block.pk, row.entrant_id), ()))
            own.append(TeamTotal(table.block, row, table.planned, carry, penalties))
    return found


def _carry(league_format: Format, block: Block, row: Standing, before: Iterable[TeamTotal]) -> CarriedTotal | None:
    """Return the carry of a row with the total that it is a part of, if that is the entrant's latest one."""
    rule = league_format.stage_of[block.key].carry_over
    totals = [each.standing.total for each in before if each.block.stage_id != block.stage_id]
    if not totals and not row.carried:
        return None
    share = rule.share
    if share is None or not totals or rounded_share(totals[-1], share, rule.rounding) != row.carried:
        return CarriedTotal(row.carried, rule) if row.carried else None
    return CarriedTotal(row.carried, rule, totals[-1])
