"""The ladder of a league format before any competition uses it.

Unsaved model instances stand in for a competition's rows, so the code that draws a competition's ladder draws
this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from league.models import Audience, Block, Outcome, Slot, SlotState, Stage
from league.selectors.standings.ladder import Ladder, ladder_of
from league.selectors.standings.tables import BlockTable
from league.wording.names import Names, names_of
from scoring.format import Assignment, Format


def format_ladder(league_format: Format) -> Ladder:
    """Return the ladder of a format with every slot open."""
    pools = {
        stage.key: [
            {"source": str(source), "entrant": None, "state": "open"} for source in league_format.pool(stage.key)
        ]
        for stage in league_format.stages
        if stage.assignment is Assignment.DRAWN
    }
    return ladder_of(tuple(_tables(league_format)), Outcome(audience=Audience.STAFF, pools=pools))


def format_names_of(league_format: Format) -> Names:
    """Return the names of a format's blocks and stages."""
    return names_of(table.block for table in _tables(league_format))


def _tables(league_format: Format) -> Iterator[BlockTable]:
    """Yield each block as an empty table; the primary keys are made up, since other code tells rows apart by them."""
    ids = count(1)
    for order, stage in enumerate(league_format.stages, start=1):
        row = Stage(pk=order, key=stage.key, order=order, name=stage.title.ja, name_en=stage.title.en)
        for block in stage.blocks:
            laid = Block(pk=next(ids), stage=row, key=block.key, name=block.title.ja, name_en=block.title.en)
            slots = tuple(
                SlotState(
                    pk=next(ids),
                    slot=Slot(pk=next(ids), block=laid, number=number, source=str(source)),
                    source=str(source),
                    state=SlotState.State.OPEN,
                )
                for number, source in enumerate(league_format.sources(block.key), start=1)
            )
            yield BlockTable(
                block=laid, lines=(), played=0, planned=stage.hanchan, slots=slots, is_empty=True, is_closed=False
            )
