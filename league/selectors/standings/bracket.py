"""The bracket of a competition: all data needed to draw its ladder, read from one published version.

An open block has no slots and no fixed number of games. Its games and its guests are not part of a ladder;
other selectors read them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import (
    Competition,
    Credit,
    Departure,
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
from league.selectors.competitions.moments import GameMoments, game_moments, session_dates, started_at, table_numbers
from league.selectors.competitions.schedule import PlayedTable, played_tables
from league.selectors.people.statuses import departures_of
from league.selectors.people.visibility import person_shown
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.credits import annulled_in
from league.selectors.standings.prepared import TABLE, HanchanRow, PreparedSeason, PreparedTable, SeatRow, season_with
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, block_tables, ranks_in
from scoring.final_places import final_places, stages_to_the_title
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

    hanchan: Hanchan | HanchanRow
    revision: int | None
    seats: Sequence[SeatRow]
    moments: GameMoments


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
class Reached:
    """The reason for an entrant's place in the whole competition; level entrants are compared in earlier stages."""

    stage: int | None
    """Primary key of the furthest stage on the way to the title; None for one who was in none."""
    block: int
    """Primary key of the block of the last stage played."""
    rank: int | None
    """The rank in that block."""


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
    departures: Mapping[int, Departure]
    """The departures in force by entrant id."""
    given: Mapping[tuple[int, int, int], str]
    """The kind of each hanchan that counts or will count without a result, by block id, entrant id and number."""
    annulled: frozenset[tuple[int, int]]
    """Entrant and hanchan by id of each result that counts nothing since an opponent left."""
    house: frozenset[int]
    """The ids of house players as players."""

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions that the ladder's tables belong to, by number."""
        found = {played.table_session.session_id: played.table_session.session for played in self.played}
        return tuple(sorted(found.values(), key=lambda session: session.number))

    @property
    def dates(self) -> Mapping[int, dt.date | None]:
        """Return the first day of each session by id."""
        return session_dates(self.reader, self.sessions)

    @property
    def table_numbers(self) -> Mapping[int, int]:
        """Return the number of each table in its session by id."""
        return table_numbers(self.reader, [played.table_session for played in self.played])


def placements_in(found: Bracket) -> Mapping[int, int | None]:
    """Return the place of each entrant in the whole competition as it stands, by id; None for one without a rank."""
    return final_places(found.league_format, ranks_in(found.tables))


def reached_in(found: Bracket) -> Mapping[int, Reached]:
    """Return by entrant id what decides the place of each entrant in the whole competition first."""
    titled, reached = stages_to_the_title(found.league_format), dict[int, Reached]()
    for table in found.tables:
        for line in table.lines:
            row, before = line.standing, reached.get(line.standing.entrant_id)
            earlier = before.stage if before else None
            furthest = table.block.stage_id if table.block.stage.key in titled else earlier
            reached[row.entrant_id] = Reached(furthest, table.block.pk, row.rank if row.is_ranked else None)
    return reached


def bracket(reader: Reader) -> Bracket:
    """Return the ladder as far as the reader may know it, in a fixed number of queries."""
    season = season_with(reader, TABLE)
    rules = rules_of(reader)
    tables = block_tables(reader)
    blocks = {table.block.key: table.block.pk for table in tables}
    ladder = {table.block.pk for table in tables if table.slots}
    entrants = tuple(season.entrants.values() if season else entrants_of(reader))
    return Bracket(
        reader=reader,
        rules=rules,
        ruleset=ruleset_of(rules),
        league_format=format_of(rules),
        entrants=entrants,
        tables=tables,
        outcome=outcome_of(reader),
        # A prepared season needs no query for the games; without one they are read from the facts.
        played=tuple(sorted(prepared_tables(reader, season, ladder), key=in_order))
        if season
        else tuple(ladder_tables(reader, played_tables(reader, ladder_sessions(reader, tables)))),
        links=tuple(link(state, blocks) for table in tables for state in table.slots),
        departures=departures_of(reader),
        given={
            (blocks[key], entrant, number): kind
            for (key, entrant, number), kind in (season_credits(season) if season else given_credits(reader))
        },
        annulled=annulled_in(reader),
        house=frozenset(entrant.player_id for entrant in entrants if entrant.is_house),
    )


def given_credits(reader: Reader) -> Iterator[tuple[tuple[str, int, int], str]]:
    """Yield block key, entrant id and number of each decided hanchan without a result, with its kind."""
    rows = reader.decisions(Credit, block__competition=reader.competition)
    for key, entrant, number, kind in rows.values_list("block__key", "entrant", "number", "kind"):
        yield (key, entrant, number), kind


def season_credits(season: PreparedSeason) -> Iterator[tuple[tuple[str, int, int], str]]:
    """Yield the same from a prepared season."""
    for key, entrant, number, kind, _points, _place in season.facts["credits"]:
        yield (key, entrant, number), kind


def prepared_tables(reader: Reader, season: PreparedSeason, blocks: Container[int]) -> Iterator[LadderTable]:
    """Yield the prepared table sessions of these blocks; planned seats under embargo are left out."""
    for table in season.tables:
        if table.table_session.block_id in blocks:
            yield LadderTable(table.table_session, tuple(prepared_hanchan(reader, season, table)))


def prepared_hanchan(reader: Reader, season: PreparedSeason, table: PreparedTable) -> Iterator[LadderHanchan]:
    """Yield the hanchan of a prepared table session in order."""
    revisions, rows, moments = table.revisions, table.seat_rows, table.moments
    for each in table.hanchan_rows:
        begun = started_at(reader, each, is_over=each.pk in revisions)
        found = GameMoments(begun, *moments.get(each.pk, ()))
        yield LadderHanchan(each, revisions.get(each.pk), shown_seats(season, each, rows.get(each.pk, ())), found)


def shown_seats(season: PreparedSeason, hanchan: HanchanRow, seats: Sequence[SeatRow]) -> Sequence[SeatRow]:
    """Return the seats without planned entrants that are still under embargo.

    A seat with a place belongs to a published result and is always kept.
    """
    if not season.held_back:
        return seats
    # A planned seat in a later block would tell who advanced, although the result is under embargo.
    return [seat for seat in seats if seat.place or (hanchan.block_id, seat.entrant) not in season.held_back]


def ladder_tables(reader: Reader, tables: Sequence[PlayedTable]) -> Iterator[LadderTable]:
    """Yield tables of the ladder built from the facts, equal to those built from prepared rows."""
    moments = game_moments(reader, [each for played in tables for each in played.hanchan])
    for played in tables:
        yield LadderTable(
            played.table_session,
            tuple(
                LadderHanchan(
                    each.hanchan,
                    each.sheet.revision if each.sheet else None,
                    [seat_row(reader, seat) for seat in each.results or each.planned],
                    moments[each.hanchan.pk],
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
    blocks = [table.block for table in tables if table.slots]
    if not blocks:
        return []
    rows = reader.table_sessions().filter(block__in=blocks)
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
