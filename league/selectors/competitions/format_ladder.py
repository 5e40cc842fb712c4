"""The ladder of a league format before any competition uses it.

Unsaved model instances stand in for a competition's rows, so the code that draws a competition's ladder draws
this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, zip_longest

from django.utils.translation import gettext as _

from league.models import Audience, Block, Entrant, Outcome, Player, Slot, SlotState, Stage, Standing
from league.selectors.standings.ladder import Ladder, ladder_of, shortened
from league.selectors.standings.tables import BlockTable, StandingLine
from league.wording.names import Names, names_of
from scoring.format import Assignment, EntrantKind, Format, smallest_roster
from scoring.format.trial import Trial


def format_ladder(league_format: Format) -> Ladder:
    """Return the ladder of a format with every slot open; before the roster is closed, for the fewest entrants."""
    league_format = smallest_roster(league_format)
    pools = {
        stage.key: [
            {"source": str(source), "entrant": None, "state": "open"} for source in league_format.pool(stage.key)
        ]
        for stage in league_format.stages
        if stage.assignment is Assignment.DRAWN
    }
    return shortened(
        ladder_of(tuple(format_tables(league_format)), Outcome(audience=Audience.STAFF, pools=pools)), most=0
    )


def trial_ladder(league_format: Format, trial: Trial) -> Ladder:
    """Return the ladder of a format that was played to the end with invented results."""
    return ladder_of(tuple(_played_tables(league_format, trial)), Outcome(audience=Audience.STAFF, pools={}))


def format_names_of(league_format: Format) -> Names:
    """Return the names of a format's blocks and stages."""
    return names_of(_blocks(smallest_roster(league_format), count(1)))


def format_tables(league_format: Format) -> Iterator[BlockTable]:
    """Yield each block as an empty table; the primary keys are made up, since other code tells rows apart by them."""
    ids = count(1)
    for block in _blocks(league_format, ids):
        slots = tuple(
            SlotState(
                pk=next(ids),
                slot=Slot(pk=next(ids), block=block, number=number, source=str(source)),
                source=str(source),
                state=SlotState.State.OPEN,
            )
            for number, source in enumerate(league_format.sources(block.key), start=1)
        )
        planned = league_format.stage_of[block.key].hanchan
        yield BlockTable(block=block, lines=(), played=0, planned=planned, slots=slots, is_empty=True, is_closed=False)


def _blocks(league_format: Format, ids: Iterator[int]) -> Iterator[Block]:
    """Yield a model instance for each block, with its stage."""
    for order, stage in enumerate(league_format.stages, start=1):
        row = Stage(pk=order, key=stage.key, order=order, name=stage.title.ja, name_en=stage.title.en)
        for block in stage.blocks:
            yield Block(pk=next(ids), stage=row, key=block.key, name=block.title.ja, name_en=block.title.en)


def _played_tables(league_format: Format, trial: Trial) -> Iterator[BlockTable]:
    """Yield each block as a table with its final standings; entrants are numbered by their seeds."""
    entrants = _Invented(league_format)
    played = {each.block: each for each in trial.blocks}
    for table in format_tables(league_format):
        block = played[table.block.key]
        rows = [
            Standing(
                pk=position,
                entrant=entrants[int(str(ranked.entrant))],
                position=position,
                rank=ranked.rank,
                total=ranked.total,
                played=ranked.played,
                destination=block.destinations[position - 1] if block.destinations else "",
            )
            for position, ranked in enumerate(block.standings.ranked, start=1)
        ]
        lines = tuple(
            StandingLine(row, None, None, below is not None and _leads_to(row) != _leads_to(below))
            for row, below in zip_longest(rows, rows[1:])
        )
        slots = []
        states = trial.resolution.slots[table.block.key]
        for slot, state in zip(table.slots, states, strict=True):
            who = int(str(state.entrant)) if state.entrant is not None else None
            slot.entrant = None if who is None else entrants[who]
            slot.state = state.state.value
            slots.append(slot)
        yield replace(table, lines=lines, slots=tuple(slots), played=table.planned or 0, is_empty=False)


def invented_name(league_format: Format, number: int) -> str:
    """Return the name of the invented entrant with this number."""
    name = _("Team %(number)s") if league_format.kind is EntrantKind.TEAMS else _("Player %(number)s")
    return name % {"number": number}


class _Invented(dict[int, Entrant]):
    """Invented entrants by their numbers, the same ones every time."""

    def __init__(self, league_format: Format) -> None:
        super().__init__()
        self.format = league_format

    def __missing__(self, number: int) -> Entrant:
        """Return a new entrant, and keep it."""
        player = Player(pk=number, name=invented_name(self.format, number))
        self[number] = Entrant(pk=number, number=number, player=player)
        return self[number]


def _leads_to(row: Standing) -> str:
    """Return the destination for drawing borders; final places behind the champion count as none."""
    return "" if row.destination[:1].isdigit() else row.destination
