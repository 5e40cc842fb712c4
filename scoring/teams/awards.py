"""Awards to people by one figure of their hanchan: total, average, best score, or the share of last places.

They work on rows of people, whether these play for themselves or for a team. Equal figures share the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from scoring.format.team import Award, AwardBy
from scoring.tiebreak import Entrant, Row, order_by_id


@dataclass(frozen=True, slots=True)
class AwardLine:
    """The place of one person in an award."""

    entrant: Entrant
    rank: int
    is_shared: bool
    value: Fraction
    """Units of the ranking ledger for `total` and `average`, table points for `best_score`, else a share of 1."""
    hanchan: int
    counted: int
    """Numerator of the figure: last places for a share, else the total or the best score."""


@dataclass(frozen=True, slots=True)
class AwardRanking:
    """An award with the persons who compete for it, best first, and those with too few hanchan."""

    award: Award
    lines: tuple[AwardLine, ...]
    too_few: tuple[tuple[Entrant, int], ...]
    """Persons below the minimum, with their number of hanchan, most first."""

    @property
    def holders(self) -> tuple[Entrant, ...]:
        """Return those in first place."""
        return tuple(line.entrant for line in self.lines if line.rank == 1)


def awards(rows: Iterable[Row], award: Award, players: int = 4) -> AwardRanking:
    """Rank people for an award; `players` is the number at a table, whose last place counts for `fourths_share`.

    The rows are those of the award's stage. A total and an average contain penalties that name the person. Without a
    minimum one hanchan is enough.
    """
    ordered = sorted(rows, key=order_by_id)
    least = award.least_hanchan or 1
    lines = [_line(row, award.by, players) for row in ordered if len(row.played) >= least]
    is_less_better = award.by is AwardBy.FOURTHS_SHARE
    lines.sort(key=lambda line: line.value if is_less_better else -line.value)
    few = [(row.entrant, len(row.played)) for row in ordered if 0 < len(row.played) < least]
    return AwardRanking(award, tuple(_with_ranks(lines)), tuple(sorted(few, key=lambda each: -each[1])))


def _line(row: Row, by: AwardBy, players: int) -> AwardLine:
    hanchan = len(row.played)
    counted = {
        AwardBy.TOTAL: row.total,
        AwardBy.AVERAGE: row.total,
        AwardBy.BEST_SCORE: max(game.score for game in row.played),
        AwardBy.FOURTHS_SHARE: sum(game.place == players for game in row.played),
    }[by]
    value = Fraction(counted, hanchan if by in {AwardBy.AVERAGE, AwardBy.FOURTHS_SHARE} else 1)
    return AwardLine(row.entrant, 0, is_shared=False, value=value, hanchan=hanchan, counted=counted)


def _with_ranks(lines: Sequence[AwardLine]) -> Iterator[AwardLine]:
    rank = 1
    for _, same in groupby(lines, key=lambda line: line.value):
        level = list(same)
        yield from (replace(line, rank=rank, is_shared=len(level) > 1) for line in level)
        rank += len(level)
