"""The bracket of a competition: all data needed to draw its ladder, read from one published version.

An open block has no slots and no fixed number of games. Its games and its guests are not part of a ladder;
other selectors read them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import (
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Outcome,
    RulesInForce,
    SeatResult,
    Session,
    SlotState,
    TableSession,
)
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedTable, played_tables
from league.selectors.people.visibility import person_shown
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.prepared import TABLE, PreparedSeason, SeatRow, season_with
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, block_tables
from scoring.final_places import final_places
from scoring.format import Format
from scoring.ruleset import Ruleset
from scoring.sources import BestOf, Drawn, RankOf, Seed, parse_source


@dataclass(frozen=True, slots=True)
class Link:
    """The origin of a slot's entrant: a rank of a block, a comparison across a stage, a draw, a seed or a ruling."""

    slot: SlotState
    kind: str
    """`rank`, `best`, `draw`, `seed` or `ruling`."""
    block: int | None
    """Primary key of the block whose rank fills the slot, for kind `rank`."""
    stage: str | None
    """Key of the stage that the entrant is drawn from or compared across."""
    rank: int | None
    number: int | None
    """Number of the seed, or n for the n-th best of a comparison."""


@dataclass(frozen=True, slots=True)
class LadderHanchan:
    """A hanchan of the ladder; `revision` is that of the sheet that counts, or None before there is one."""

    hanchan: Hanchan
    revision: int | None
    seats: Sequence[SeatRow]


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A table session of the ladder with its hanchan in order."""

    table_session: TableSession
    hanchan: tuple[LadderHanchan, ...]

    @property
    def is_complete(self) -> bool:
        """Return True if there are hanchan and each of them has its result."""
        return bool(self.hanchan) and all(each.revision is not None for each in self.hanchan)


@dataclass(frozen=True, slots=True)
class Bracket:
    """The ladder of a competition with its entrants, standings, tables and games."""

    reader: Reader
    rules: RulesInForce
    ruleset: Ruleset
    league_format: Format
    entrants: tuple[Entrant, ...]
    tables: tuple[BlockTable, ...]
    outcome: Outcome | None
    played: tuple[LadderTable, ...]
    links: tuple[Link, ...]

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions that the ladder's tables belong to, by number."""
        found = {played.table_session.session_id: played.table_session.session for played in self.played}
        return tuple(sorted(found.values(), key=lambda session: session.number))


def placements_in(found: Bracket) -> Mapping[int, int | None]:
    """Return the place of each entrant in the whole competition as it stands, by id; None for one without a rank."""
    ranks = {
        table.block.key: {
            line.standing.entrant_id: line.standing.rank if line.standing.is_ranked else None for line in table.lines
        }
        for table in found.tables
    }
    return final_places(found.league_format, ranks)


def bracket(reader: Reader) -> Bracket:
    """Return the ladder as far as the reader may know it, in a fixed number of queries."""
    season = season_with(reader, TABLE)
    rules = rules_of(reader)
    tables = block_tables(reader)
    blocks = {table.block.key: table.block.pk for table in tables}
    ladder = {table.block.pk for table in tables if table.slots}
    return Bracket(
        reader=reader,
        rules=rules,
        ruleset=ruleset_of(rules),
        league_format=format_of(rules),
        entrants=tuple(season.entrants.values() if season else entrants_of(reader)),
        tables=tables,
        outcome=outcome_of(reader),
        # A prepared season needs no query for the games; without one they are read from the facts.
        played=tuple(sorted(prepared_tables(season, ladder), key=in_order))
        if season
        else tuple(ladder_table(reader, each) for each in played_tables(reader, ladder_sessions(reader, tables))),
        links=tuple(link(state, blocks) for table in tables for state in table.slots),
    )


def prepared_tables(season: PreparedSeason, blocks: Container[int]) -> Iterator[LadderTable]:
    """Yield the prepared table sessions of these blocks; planned seats under embargo are left out."""
    for table in season.tables:
        if table.table_session.block_id in blocks:
            revisions, rows = table.revisions, table.seat_rows
            yield LadderTable(
                table.table_session,
                tuple(
                    LadderHanchan(each, revisions.get(each.pk), shown_seats(season, each, rows.get(each.pk, ())))
                    for each in table.hanchan
                ),
            )


def shown_seats(season: PreparedSeason, hanchan: Hanchan, seats: Sequence[SeatRow]) -> Sequence[SeatRow]:
    """Return the seats without planned entrants that are still under embargo.

    A seat with a place belongs to a published result and is always kept.
    """
    if not season.held_back:
        return seats
    # A planned seat in a later block would tell who advanced, although the result is under embargo.
    return [seat for seat in seats if seat.place or (hanchan.block_id, seat.entrant) not in season.held_back]


def ladder_table(reader: Reader, played: PlayedTable) -> LadderTable:
    """Return a table of the ladder built from the facts, equal to the one built from prepared rows."""
    return LadderTable(
        played.table_session,
        tuple(
            LadderHanchan(
                each.hanchan,
                each.sheet.revision if each.sheet else None,
                [seat_row(reader, seat) for seat in each.results or each.planned],
            )
            for each in played.hanchan
        ),
    )


def seat_row(reader: Reader, seat: SeatResult | HanchanSeat) -> SeatRow:
    """Return one seat of a result or of the plan as a prepared row; the ids of hidden people are None."""
    row = SeatRow(
        seat.seat,
        seat.entrant_id if person_shown(reader, seat.entrant.player) else None,
        seat.player_id if person_shown(reader, seat.player) else None,
        seat.is_substitute,
    )
    return row._replace(score=seat.score, place=seat.place, points=seat.points) if isinstance(seat, SeatResult) else row


def in_order(played: LadderTable) -> tuple[int, int, int]:
    """Sort key: tables in playing order."""
    row = played.table_session
    return row.session.number, row.order, row.pk


def ladder_sessions(reader: Reader, tables: Iterable[BlockTable]) -> list[TableSession]:
    """Return the table sessions of the ladder's blocks in playing order."""
    rows = reader.table_sessions().filter(block__in=[table.block for table in tables if table.slots])
    return list(rows.select_related("session", "block__stage").order_by("session__number", "order", "pk"))


def entrants_of(reader: Reader) -> QuerySet[Entrant]:
    """Return the entrants that can appear in the ladder, by number; none for an open table."""
    rows = Entrant.objects.filter(competition=reader.competition).select_related("player").order_by("number")
    # An open table may have thousands of guests, and none of them can ever fill a slot.
    return rows.none() if reader.competition.kind == Competition.Kind.OPEN else rows


def link(state: SlotState, blocks: Mapping[str, int]) -> Link:
    """Parse the source of a slot's entrant into a `Link`; `blocks` maps block keys to primary keys."""
    # An override gives the state a source of its own, which replaces the one of the format.
    match parse_source(state.source or state.slot.source):
        case Seed(number):
            return Link(state, "seed", None, None, None, number)
        case RankOf(block, rank):
            return Link(state, "rank", blocks.get(block), None, rank, None)
        case BestOf(stage, rank, number):
            return Link(state, "best", None, stage, rank, number)
        case Drawn(stage):
            return Link(state, "draw", None, stage, None, None)
        case _:
            return Link(state, "ruling", None, None, None, None)
