"""Progress of a block: totals and ranks after each hanchan, and rank changes since the last session.

An earlier table is ranked again from today's facts without the later results. Nothing is stored, so a
correction appears in past tables too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from django.db.models import Count, Q

from league.models import Block, Hanchan, Session, Standing
from league.selectors.access.readers import Reader
from league.selectors.standings.derivation import derive, facts_at, ranked_block
from league.selectors.standings.facts import Facts, id_of
from league.selectors.standings.leaving import behind, withdrawal_policy
from league.selectors.standings.prepared import cells_of, season_of
from league.selectors.standings.tables import BlockTable, ResultCell, block_table, result_grid, result_grids
from scoring.format import Format
from scoring.stages import Resolution
from scoring.standings import Played, Ranked, Row, Withdrawal, rank
from scoring.tiebreak import Credit

MOST_RESULTS = 800
"""A block with more results than this is shown without rank changes."""


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """An entrant's total at the ranking ledger's scale, and rank."""

    total: int
    rank: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The steps of a block by entrant, one mapping after each hanchan; the first is the state before any of them."""

    steps: tuple[Mapping[int, ProgressStep], ...]

    @property
    def has_outside(self) -> bool:
        """Return True if points from outside the hanchan are part of every step."""
        return any(step.total for step in self.steps[0].values())


@dataclass(frozen=True, slots=True)
class Movement:
    """The ranks before a block's newest session, or before its newest hanchan if all were played in one session."""

    ranks: Mapping[int, int]
    session: Session | None
    number: int

    def of(self, entrant: int, rank: int) -> int:
        """Return the number of ranks that the entrant has risen since; negative for a fall."""
        return self.ranks.get(entrant, rank) - rank


def progress_of_block(reader: Reader, block: Block) -> Progress:
    """Return every entrant's total and rank after each hanchan of the block.

    A hanchan not played leaves the total as it is.
    """
    facts = facts_at(reader)
    resolution = derive(facts).resolution
    own = facts.played.get(block.key, {})
    last = max((game.number for games in own.values() for game in games), default=0)
    # Those who finished before they left were in at every step; the others are behind at every step.
    gone = behind(facts, block.key)
    facts = replace(facts, leaving={entrant: kind for entrant, kind in facts.leaving.items() if entrant in gone})
    return Progress(tuple(_steps(facts, block.key, resolution, number) for number in range(last + 1)))


def movement_of(
    table: BlockTable, results: Mapping[int, Mapping[int, ResultCell]], league_format: Format, players: int
) -> Movement | None:
    """Return the latest rank changes in a table with these results; None if there is no earlier state."""
    played = [cell for cells in results.values() for cell in cells.values()]
    sessions = {cell.session.number: cell.session for cell in played}
    last = max((cell.number for cell in played), default=0)
    newest = sessions[max(sessions)] if len(sessions) > 1 else None
    if newest is None and last <= 1:
        return None

    def was_there(cell: ResultCell) -> bool:
        return cell.number < last if newest is None else cell.session.number < newest.number

    ranked = ranked_with(table, results, league_format, players, was_there)
    return Movement({id_of(line.entrant): line.rank for line in ranked}, newest, last)


def newest_movement(
    reader: Reader,
    table: BlockTable,
    results: Mapping[int, Mapping[int, ResultCell]],
    league_format: Format,
    players: int,
) -> Movement | None:
    """Return the latest rank changes in a table with these results, as prepared if the block played lately."""
    season = season_of(reader) if results else None
    prepared = season.movements.get(table.block.pk) if season is not None else None
    return Movement(*prepared) if prepared else movement_of(table, results, league_format, players)


def ranked_with(
    table: BlockTable,
    results: Mapping[int, Mapping[int, ResultCell]],
    league_format: Format,
    players: int,
    was_there: Callable[[ResultCell], bool],
) -> Sequence[Ranked]:
    """Return the table's ranking with these results alone, and what counts without having been played up to them.

    Without rulings, which were made on the present ties and not on earlier ones.
    """
    last = max((cell.number for own in results.values() for cell in own.values() if was_there(cell)), default=0)
    rows = [
        Row(
            line.standing.entrant_id,
            tuple(_played(results.get(line.standing.entrant_id, {}), was_there)),
            line.standing.carried,
            line.standing.adjustment,
            tuple(_not_played(table, line.standing, last)),
        )
        for line in table.lines
    ]
    return rank(
        rows, league_format.tiebreak, (), players, leaving=dict(_ways_out(table, withdrawal_policy(league_format)))
    ).ranked


def _not_played(table: BlockTable, row: Standing, last: int) -> Iterator[Credit]:
    """Yield the hanchan up to a number that count for an entrant without having been played."""
    for each in table.credits.get(row.entrant_id, ()):
        if each.number <= last:
            yield each.counted


def _ways_out(table: BlockTable, policy: Withdrawal) -> Iterator[tuple[int, Withdrawal]]:
    """Yield how the entrants of a table who left rank, those left out who finished the block before."""
    for row in (line.standing for line in table.lines):
        if not row.is_ranked:
            yield row.entrant_id, Withdrawal.UNRANKED
        elif row.status and (table.planned is None or table.counted(row) < table.planned):
            yield row.entrant_id, policy


def running_totals(reader: Reader, tables: Sequence[BlockTable]) -> Mapping[int, Sequence[Sequence[int]]]:
    """Return by block id, for each line of its table, the total before the entrant's first hanchan and after each.

    Points from outside the hanchan are counted from the start. Blocks with more than `MOST_RESULTS` results are left
    out.
    """
    drawn = [table for table in tables if sum(line.standing.played for line in table.lines) <= MOST_RESULTS]
    grids = result_grids(reader, [table.block for table in drawn]) if drawn else {}
    return {table.block.pk: [_running(line.standing, grids[table.block.pk]) for line in table.lines] for table in drawn}


def _running(standing: Standing, results: Mapping[int, Mapping[int, ResultCell]]) -> Sequence[int]:
    points = [cell.points for _number, cell in sorted(results.get(standing.entrant_id, {}).items())]
    return tuple(accumulate(points, initial=standing.total - sum(points)))


def steps_around(
    reader: Reader, hanchan: Hanchan, league_format: Format, players: int
) -> Sequence[Mapping[int, ProgressStep]]:
    """Return total and rank by entrant before and after a hanchan's round of its block.

    Empty for a block with more than `MOST_RESULTS` results.
    """
    block, number = hanchan.block, hanchan.number
    results = result_grid(reader, block)
    if sum(map(len, results.values())) > MOST_RESULTS:
        return ()
    table = block_table(reader, block, with_slots=False)
    return [
        {
            id_of(line.entrant): ProgressStep(line.total, line.rank)
            for line in ranked_with(table, results, league_format, players, was_there)
        }
        for was_there in (lambda cell: cell.number < number, lambda cell: cell.number <= number)
    ]


def movements_of(
    reader: Reader, tables: Sequence[BlockTable], session: Session, league_format: Format, players: int
) -> Mapping[int, Movement]:
    """Return the latest rank changes by block, for blocks that played in the session.

    Blocks with more than `MOST_RESULTS` results are left out.
    """
    if (season := season_of(reader)) is not None:
        return {block: Movement(*movement) for block, movement in season.movements.items()}
    lately = _played_lately(reader, [table.block.pk for table in tables], session)
    chosen = [table for table in tables if table.block.pk in lately]
    grids = result_grids(reader, [table.block for table in chosen]) if chosen else {}
    found = {table.block.pk: movement_of(table, grids[table.block.pk], league_format, players) for table in chosen}
    return {block: movement for block, movement in found.items() if movement is not None}


def _played_lately(reader: Reader, blocks: Sequence[int], session: Session) -> set[int]:
    """Return the blocks with a result in the session and at most `MOST_RESULTS` results."""
    if (cells := cells_of(reader)) is not None:
        few = {block: own for block, own in cells.items() if len(own) <= MOST_RESULTS}
        lately = session.pk
        return {block for block, own in few.items() if any(cell.session == lately for cell in own)}
    played = Count("pk", filter=Q(sheet__hanchan__table_session__session=session))
    counts = reader.ranked_results(block__in=blocks).values("block").annotate(results=Count("pk"), lately=played)
    chosen = counts.order_by().filter(lately__gt=0, results__lte=MOST_RESULTS)
    return set(chosen.values_list("block", flat=True))


def _played(cells: Mapping[int, ResultCell], was_there: Callable[[ResultCell], bool]) -> Iterator[Played]:
    for number, cell in cells.items():
        if was_there(cell):
            yield Played(number, cell.points, cell.place, cell.final_score, cell.hanchan)


def _steps(facts: Facts, key: str, resolution: Resolution, last: int) -> Mapping[int, ProgressStep]:
    """Return the block's table up to a hanchan and without rulings, which are later than any hanchan."""
    played = {who: tuple(game for game in own if game.number <= last) for who, own in facts.played.get(key, {}).items()}
    given = {who: tuple(each for each in own if each.number <= last) for who, own in facts.credits.get(key, {}).items()}
    earlier = replace(facts, played={**facts.played, key: played}, credits={**facts.credits, key: given}, rulings={})
    ranked = ranked_block(earlier, key, resolution).standings.ranked
    return {id_of(line.entrant): ProgressStep(line.total, line.rank) for line in ranked}
