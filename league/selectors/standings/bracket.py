"""The bracket of a competition: everything that draws its ladder, from one published version.

An open block has no slots and any number of games: its games are not part of a ladder and are read elsewhere, as are
an open table's guests.
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
from scoring.format import Format
from scoring.ruleset import Ruleset
from scoring.sources import BestOf, Drawn, RankOf, Seed, parse_source


@dataclass(frozen=True, slots=True)
class Link:
    """Where the entrant of a slot comes from: a rank of a block, a comparison across a stage, or neither."""

    slot: SlotState
    kind: str
    """`rank`, `best`, `draw`, `seed` or `ruling`."""
    block: int | None
    """The block it comes from."""
    stage: str | None
    """The key of the stage it is drawn from or compared across."""
    rank: int | None
    number: int | None
    """The n-th best of a comparison, or the number of a seed."""


@dataclass(frozen=True, slots=True)
class LadderHanchan:
    """A hanchan of the ladder; `revision` is that of the sheet that counts, None before there is one."""

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
        """Every hanchan has its result."""
        return bool(self.hanchan) and all(each.revision is not None for each in self.hanchan)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A competition's ladder with its people, tables and games."""

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
        """The sessions the tables belong to, in order."""
        found = {played.table_session.session_id: played.table_session.session for played in self.played}
        return tuple(sorted(found.values(), key=lambda session: session.number))


def bracket(reader: Reader) -> Bracket:
    """The ladder as the reader may know it, in a fixed number of queries."""
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
        played=tuple(sorted(prepared_tables(season, ladder), key=in_order))
        if season
        else tuple(ladder_table(reader, each) for each in played_tables(reader, ladder_sessions(reader, tables))),
        links=tuple(link(state, blocks) for table in tables for state in table.slots),
    )


def prepared_tables(season: PreparedSeason, blocks: Container[int]) -> Iterator[LadderTable]:
    """The prepared table sessions of these blocks; places that the public must not know yet are empty."""
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
    """The seats without planned ones that are held back."""
    if not season.held_back:
        return seats
    return [seat for seat in seats if seat.place or (hanchan.block_id, seat.entrant) not in season.held_back]


def ladder_table(reader: Reader, played: PlayedTable) -> LadderTable:
    """The same from the facts."""
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
    """One seat of a result, or one that is planned."""
    row = SeatRow(
        seat.seat,
        seat.entrant_id if person_shown(reader, seat.entrant.player) else None,
        seat.player_id if person_shown(reader, seat.player) else None,
        seat.player_id != seat.entrant.player_id,
    )
    return row._replace(score=seat.score, place=seat.place, points=seat.points) if isinstance(seat, SeatResult) else row


def in_order(played: LadderTable) -> tuple[int, int, int]:
    """A key that sorts tables as they are played."""
    row = played.table_session
    return row.session.number, row.order, row.pk


def ladder_sessions(reader: Reader, tables: Iterable[BlockTable]) -> list[TableSession]:
    """The table sessions of blocks that are part of the ladder, in the order they are played."""
    rows = reader.table_sessions().filter(block__in=[table.block for table in tables if table.slots])
    return list(rows.select_related("session", "block__stage").order_by("session__number", "order", "pk"))


def entrants_of(reader: Reader) -> QuerySet[Entrant]:
    """Everybody who may come to stand in the ladder: an open table has none, however many guests it has."""
    rows = Entrant.objects.filter(competition=reader.competition).select_related("player").order_by("number")
    return rows.none() if reader.competition.kind == Competition.Kind.OPEN else rows


def link(state: SlotState, blocks: Mapping[str, int]) -> Link:
    """Where a slot's entrant comes from."""
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
