"""Helpers for tests of standings: short notation for points, ties and blocks."""

from collections.abc import Sequence

from rulesets.formats import load_format
from scoring.stages import BlockStandings
from scoring.standings import Played, Row, rank
from scoring.tiebreak import TieBreak

CINDERELLA = load_format("cinderella")
BACK_TRACKING: TieBreak = CINDERELLA.tiebreak

Result = tuple[int, int, int]
"""Points in tenths, place, score."""


def row(entrant: str | int, *results: Result, carried: int = 0, adjustment: int = 0) -> Row:
    """Return an entrant's row with hanchan 1, 2, ... in the given order."""
    played = tuple(
        Played(number, points, place, score, f"{entrant}:{number}")
        for number, (points, place, score) in enumerate(results, start=1)
    )
    return Row(entrant, played, carried, adjustment)


def points(entrant: str | int, *amounts: int) -> Row:
    """Return an entrant's row where only the points matter."""
    return row(entrant, *((amount, 2, 30000) for amount in amounts))


def table(*order: str | tuple[str, ...], hanchan: int = 8, played: int | None = None) -> BlockStandings:
    """Return a block with this order; names in one tuple have the same result in every hanchan."""
    count = hanchan if played is None else played
    rows = [
        points(name, *([100 * (len(order) - index)] * count))
        for index, level in enumerate(order)
        for name in ((level,) if isinstance(level, str) else level)
    ]
    return BlockStandings(rank(rows, BACK_TRACKING), complete=count == hanchan)


def ruled(block: BlockStandings, *rulings: tuple[str, ...]) -> BlockStandings:
    """Return the block with rulings applied."""
    rows = [each.row for each in block.standings.ranked]
    return BlockStandings(rank(rows, BACK_TRACKING, rulings), block.complete)


def names(letter: str, count: int = 8) -> Sequence[str]:
    """Return A1, A2, ..."""
    return [f"{letter}{number}" for number in range(1, count + 1)]
