"""Tables of the hall screen: a block's lines with the latest rounds, and the game being played as if it ended now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Hanchan, Standing
from league.selectors.competitions.projector import LINES
from league.selectors.live.outlook import outlooks_of
from league.selectors.live.public import Live
from league.selectors.standings.tables import BlockTable, ResultCell, StandingLine
from league.wording.formatting import points_text, rank_text
from league.wording.live.live import table_text
from league.wording.messages import destination_label
from league.wording.names import Names

ROUNDS = 4
"""The latest rounds that get a column."""
FEW = 4
"""Lines up to which type is largest and borders have words."""

Grid = Mapping[int, Mapping[int, ResultCell]]


@dataclass(frozen=True, slots=True)
class HallRow:
    """One entrant's line; amounts at the ranking ledger's scale, with the running game where there is one."""

    rank: str
    standing: Standing
    cells: tuple[ResultCell | None, ...]
    total: int
    place_now: int | None
    score_now: int | None
    is_leading: bool
    """First in a game being played."""
    border: str
    """Words of the border below this line; empty without one."""
    apart: str


@dataclass(frozen=True, slots=True)
class HallTable:
    """One screen of a block's table."""

    table: BlockTable
    columns: tuple[int, ...]
    rows: tuple[HallRow, ...]
    game: Hanchan | None = None
    """The game being played in the block."""
    kyoku: str = ""
    """Its kyoku; empty unless it is followed hand by hand."""

    @property
    def size(self) -> str:
        """Return the size of type that the number of lines allows."""
        return "few" if len(self.rows) <= FEW else "many"

    @property
    def is_list(self) -> bool:
        """Return True if the lines have no room for their rounds."""
        return len(self.rows) > LINES

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return 3 + len(self.columns) + bool(self.kyoku)


def hall_table(
    table: BlockTable, lines: Sequence[StandingLine], grid: Grid, names: Names, scale: int, live: Live | None = None
) -> HallTable:
    """Return these lines of a block's table; with a running game in the order that they would have if it ended now."""
    columns = tuple(sorted({number for cells in grid.values() for number in cells})[-ROUNDS:])
    return HallTable(
        table,
        columns,
        tuple(_rows(lines, columns, grid, names, scale, live)),
        live.log.hanchan if live else None,
        table_text(live.log.state) if live else "",
    )


def _rows(
    lines: Sequence[StandingLine],
    columns: Sequence[int],
    grid: Grid,
    names: Names,
    scale: int,
    live: Live | None,
) -> Iterator[HallRow]:
    rows, now = [line.standing for line in lines], dict[int, tuple[int, int]]()
    totals = {row.entrant_id: row.total for row in rows}
    if live:
        totals |= {entrant: each.total for entrant, each in outlooks_of(live).items() if entrant in totals}
        rows.sort(key=lambda row: -totals[row.entrant_id])
        scores = live.log.state.current_scores(live.log.rules)
        now = {seat.entrant_id: (live.settlement.places[seat.seat], scores[seat.seat]) for seat in live.seats}
    # A border stays between its places, also while the running game changes the players beside it.
    for position, (line, row) in enumerate(zip(lines, rows, strict=True)):
        total, cells = totals[row.entrant_id], grid.get(row.entrant_id, {})
        place_now, score_now = now.get(row.entrant_id, (None, None))
        has_border = line.is_last_before_border and row is not rows[-1]
        yield HallRow(
            rank=str(1 + sum(other > total for other in totals.values())) if live else row.shown_rank,
            standing=row,
            cells=tuple(cells.get(number) for number in columns),
            total=total,
            place_now=place_now,
            score_now=score_now,
            is_leading=live is not None and position == 0,
            border=_border(line, names) if has_border else "",
            apart=_apart(position + 1, total - totals[rows[position + 1].entrant_id], scale) if has_border else "",
        )


def _border(line: StandingLine, names: Names) -> str:
    return _("Border: %(above)s") % {"above": destination_label(line.standing.destination, names)}


def _apart(rank: int, gap: int, scale: int) -> str:
    values = {"above": rank_text(rank), "below": rank_text(rank + 1), "gap": points_text(gap, scale)}
    return _("%(above)s and %(below)s: %(gap)s apart") % values if gap >= 0 else ""
