"""Data shared by the public pages: progress of a competition, next sessions, corrections, cards of the start page."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from league.models import (
    Adjustment,
    Audience,
    Block,
    Change,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Outcome,
    ResultSheet,
    Ruling,
    Session,
    SlotState,
    Stage,
    Standing,
    TableSession,
)
from league.selectors.access.readers import Reader, Visitor, reader_of, visible_competitions
from league.selectors.competitions.match_days import games_planned
from league.selectors.competitions.schedule import SessionTables, played_prepared, played_tables
from league.selectors.people.visibility import hide_behind_handle
from league.selectors.seasons.rankings import visible_rankings
from league.selectors.seasons.series import series_for
from league.selectors.standings.prepared import PreparedSeason, SeatCell, cells_of, season_of
from league.selectors.standings.published import outcome_of, standings_of
from league.selectors.standings.tables import BlockTable, block_table, block_tables
from scoring.format import Format

TABLES_SHOWN = 8
"""Tables of a session on the pages that show what is next and what was played last."""
Around = tuple[Session, list[TableSession]]
CORRECTED = ("result.corrected", "result.voided")
CORRECTIONS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Stamp:
    """The state of a page: the furthest hanchan that counts, the time of the last change, the version."""

    hanchan: Hanchan | None
    updated_at: dt.datetime | None
    version: int

    @property
    def session(self) -> Session | None:
        """Return the session of the furthest hanchan."""
        return self.hanchan.table_session.session if self.hanchan else None


def stamp_of(reader: Reader, block: Block | None = None) -> Stamp:
    """Return the stamp of the competition, or of one of its blocks."""
    season = season_of(reader)
    if season is not None and block is None:
        return Stamp(season.furthest, season.changed_at, reader.shown_version)
    if season is not None and block is not None and (cells := cells_of(reader)) is not None:
        return Stamp(furthest_cell(season, block, cells.get(block.pk, ())), season.changed_at, reader.shown_version)
    sheets = reader.sheets() if block is None else reader.sheets().filter(hanchan__block=block)
    return Stamp(furthest_of(reader, sheets), _changed_at(reader), reader.shown_version)


def known_stamp(reader: Reader, furthest: int | None) -> Stamp:
    """Return the stamp of the competition while pages are prepared, given the id of the furthest hanchan."""
    found = None
    if furthest is not None:
        found = Hanchan.objects.select_related("table_session").get(pk=furthest)
        found.table_session.session = reader.known["sessions"][found.table_session.session_id]
    return Stamp(found, _changed_at(reader), reader.shown_version)


def _changed_at(reader: Reader) -> dt.datetime | None:
    """Return the time of the last change; behind the spoiler guard it would tell of later games."""
    if reader.until is not None:
        return None
    return reader.changes().order_by("-n").values_list("at", flat=True).first()


def furthest_cell(season: PreparedSeason, block: Block, cells: Sequence[SeatCell]) -> Hanchan | None:
    """Return the furthest hanchan among a block's prepared results, as an unsaved instance with its session."""
    if not cells:
        return None
    last = max(cells, key=lambda cell: (season.sessions[cell.session].number, cell.number))
    table = TableSession(session=season.sessions[last.session], block=block)
    round_ = len({cell.number for cell in cells if cell.session == last.session})
    return Hanchan(pk=last.hanchan, round=round_, number=last.number, block=block, table_session=table)


def furthest_of(reader: Reader, sheets: QuerySet[ResultSheet]) -> Hanchan | None:
    """Return the furthest hanchan of these sheets.

    The last session with a sheet is found first, so that only its hanchan are sorted, however large the season is.
    """
    last = _last_session(reader, sheets)
    if last is None:
        return None
    rows = sheets.filter(hanchan__table_session__session=last)
    rows = rows.select_related("hanchan__table_session__session", "hanchan__block")
    sheet = rows.order_by("-hanchan__number", "-pk").first()
    return sheet.hanchan if sheet else None


def _last_session(reader: Reader, sheets: QuerySet[ResultSheet]) -> Session | None:
    """Return the last session with one of these sheets."""
    of_it = sheets.filter(hanchan__table_session__session=OuterRef("pk"))
    return Session.objects.filter(Exists(of_it), competition=reader.competition).order_by("-number").first()


def shown_tables(reader: Reader) -> tuple[BlockTable, ...]:
    """Return the blocks' tables; for the public an open table lists only guests that opted in, under their handles."""
    return tuple(_as_shown(reader, table) for table in block_tables(reader))


def shown_table(reader: Reader, block: Block) -> BlockTable:
    """Return the table of one block, as `shown_tables` does."""
    return _as_shown(reader, block_table(reader, block))


def _as_shown(reader: Reader, table: BlockTable) -> BlockTable:
    if not reader.guards_guests:
        return table
    lines = (line for line in table.lines if hide_behind_handle(line.standing.entrant.player))
    return replace(table, lines=tuple(lines))


def sessions_around(reader: Reader, stamp: Stamp) -> tuple[SessionTables | None, SessionTables | None]:
    """Return the session of the furthest result and the next one with a hanchan to play, each with its first tables."""
    if reader.guards_guests:
        return None, None
    if (season := season_of(reader)) is not None:
        latest_one, next_one = (found and played_prepared(season, *found) for found in season.read_around())
        return latest_one, next_one
    latest, upcoming = tables_around(reader, stamp)
    rows = {row.pk: row for found in (latest, upcoming) if found for row in found[1]}
    played = {each.table_session.pk: each for each in played_tables(reader, list(rows.values()))}

    def shown(found: Around | None) -> SessionTables | None:
        return SessionTables(found[0], tuple(played[row.pk] for row in found[1])) if found else None

    return shown(latest), shown(upcoming)


def tables_around(reader: Reader, stamp: Stamp) -> tuple[Around | None, Around | None]:
    """Return the same two sessions with plain rows of tables: the last ones with a result, the first ones awaited."""

    def tables(session: Session | None, games: QuerySet[Hanchan], order: str) -> Around | None:
        if session is None:
            return None
        own = reader.table_sessions().filter(Exists(games.filter(table_session=OuterRef("pk"))), session=session)
        rows = list(own.select_related("session", "block__stage").order_by(order)[:TABLES_SHOWN])
        return session, sorted(rows, key=lambda row: row.order)

    played = reader.hanchan().filter(pk__in=reader.sheets().values("hanchan"))
    return tables(stamp.session, played, "-order"), tables(_next_session(reader), open_games(reader), "order")


def known_tables_around(reader: Reader, latest: Session | None) -> Sequence[tuple[Session, list[int]] | None]:
    """Return the same two sessions with the ids of tables, from what the reader knows while pages are prepared."""
    counted = {cell.hanchan for cells in reader.known["cells"].values() for cell in cells}
    played, awaited = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for table in reader.known["schedule"]:
        if any(pk in counted for pk, _state, _round in table.hanchan):
            played[table.session].append(table.pk)
        to_come = [pk for pk, state, _round in table.hanchan if pk not in counted and state != Hanchan.State.ABANDONED]
        if to_come and not table.is_cancelled:
            awaited[table.session].append(table.pk)
    upcoming = next(iter(awaited), None)
    return (
        (latest, played[latest.pk][-TABLES_SHOWN:]) if latest else None,
        (reader.known["sessions"][upcoming], awaited[upcoming][:TABLES_SHOWN]) if upcoming else None,
    )


def open_games(reader: Reader) -> QuerySet[Hanchan]:
    """Return the games without a result that counts for the reader, those that will not be played left out."""
    rows = reader.hanchan().exclude(state=Hanchan.State.ABANDONED).exclude(table_session__is_cancelled=True)
    return rows.exclude(pk__in=reader.sheets().values("hanchan"))


def _next_session(reader: Reader) -> Session | None:
    """Return the first session with a hanchan still to be played; None if there is none."""
    order = ("table_session__session__number", "table_session__order", "round")
    awaited = open_games(reader).select_related("table_session__session").order_by(*order).first()
    return awaited.table_session.session if awaited else None


def corrections_of(reader: Reader, hanchan: Sequence[Hanchan]) -> Mapping[int, tuple[Change, ...]]:
    """Return the corrections and voidings of results with their reasons by hanchan id, newest first."""
    keys = [str(row.pk) for row in hanchan]
    rows = reader.changes().filter(subject_type="hanchan", subject_id__in=keys, kind__in=CORRECTED)
    found: dict[int, list[Change]] = {}
    for row in rows:
        found.setdefault(int(row.subject_id), []).append(row)
    return {key: tuple(changes) for key, changes in found.items()}


def adjustments_of(reader: Reader, block: Block) -> tuple[Adjustment, ...]:
    """Return the point adjustments of a block; those of an open table's guests only as `shown_tables` shows them."""
    if (season := season_of(reader)) is not None:
        return tuple(row for row in season.adjustments if row.block_id == block.pk)
    rows = reader.decisions(Adjustment, block=block).select_related("entrant__player")
    return tuple(row for row in rows if not reader.guards_guests or hide_behind_handle(row.entrant.player))


def rulings_of(reader: Reader, block: Block) -> tuple[Ruling, ...]:
    """Return the organizers' rulings on ties in this block."""
    if (season := season_of(reader)) is not None:
        return tuple(row for row in season.rulings if row.scope == block.key)
    return tuple(reader.decisions(Ruling, competition=reader.competition, scope=block.key))


def entrants_by_id(competition: Competition, ids: Iterable[int]) -> Mapping[int, Entrant]:
    """Return these entrants by id, with their players."""
    rows = Entrant.objects.filter(competition=competition, pk__in=set(ids)).select_related("player")
    return {row.pk: row for row in rows}


@dataclass(frozen=True, slots=True)
class CompetitionCard:
    """A competition on the start page: its furthest stage, and its leader or champion."""

    reader: Reader
    stage: Stage | None
    """The furthest stage with a result."""
    leader: Standing | None
    """The first of the furthest block with a result; None while the first place is shared."""
    outcome: Outcome | None

    @property
    def champion(self) -> Entrant | None:
        """Return the champion if the title is certain."""
        outcome = self.outcome
        if outcome is None or outcome.champion_state != SlotState.State.CERTAIN:
            return None
        return outcome.champion


def competitions_for(visitor: Visitor | None) -> tuple[Reader, ...]:
    """Return readers for the competitions visible to a visitor.

    Published ones come before drafts and closed ones, leagues before open tables, the newest first within each. The
    same query tells in `shows_series` and `shows_rankings` of each row if there are any that the visitor may read.
    """
    order = (Competition.Status.PUBLISHED, Competition.Status.DRAFT, Competition.Status.CLOSED)

    def place(reader: Reader) -> tuple[int, bool]:
        competition = reader.competition
        return order.index(Competition.Status(competition.status)), competition.kind == Competition.Kind.OPEN

    rows = visible_competitions(visitor).annotate(
        shows_series=Exists(series_for(visitor)), shows_rankings=Exists(visible_rankings(visitor))
    )
    return tuple(sorted((reader_of(row, visitor) for row in rows), key=place))


def competition_cards(readers: Sequence[Reader]) -> tuple[CompetitionCard, ...]:
    """Return the cards of the start page in a fixed number of queries for each audience."""
    open_ones = [reader for reader in readers if reader.until is None]
    cards = {card.reader.competition.pk: card for audience in Audience for card in _cards(open_ones, audience)}
    # Behind the spoiler guard stored rows cannot be used: each of these costs a derivation of its own.
    cards |= {reader.competition.pk: _guarded_card(reader) for reader in readers if reader.until is not None}
    return tuple(cards[reader.competition.pk] for reader in readers)


def _cards(readers: Sequence[Reader], audience: Audience) -> list[CompetitionCard]:
    own = [reader for reader in readers if reader.audience == audience]
    keys = [reader.competition.pk for reader in own]
    if not keys:
        return []
    leaders = _leaders(keys, audience)
    outcomes = {
        row.competition_id: row
        for row in Outcome.objects.filter(competition__in=keys, audience=audience).select_related("champion__player")
    }
    return [
        CompetitionCard(
            reader=reader,
            stage=leaders[reader.competition.pk].block.stage if reader.competition.pk in leaders else None,
            leader=_shown_leader(reader, leaders.get(reader.competition.pk)),
            outcome=outcomes.get(reader.competition.pk),
        )
        for reader in own
    ]


def _guarded_card(reader: Reader) -> CompetitionCard:
    """Return the card of a competition behind the spoiler guard."""
    lines = [line for line in standings_of(reader) if line.played]
    furthest = max((line.block.stage.order for line in lines), default=0)
    leader = next((line for line in lines if line.block.stage.order == furthest and line.position == 1), None)
    return CompetitionCard(
        reader=reader,
        stage=leader.block.stage if leader else None,
        leader=_shown_leader(reader, leader),
        outcome=outcome_of(reader),
    )


def _leaders(competitions: Sequence[int], audience: Audience) -> dict[int, Standing]:
    """Return the first of the furthest block with results by competition id."""
    furthest = (
        Standing.objects.filter(block__competition=OuterRef("block__competition"), audience=audience, played__gt=0)
        .order_by("-block__stage__order", "block__order", "position")
        .values("pk")[:1]
    )
    rows = Standing.objects.filter(block__competition__in=competitions, audience=audience, pk=Subquery(furthest))
    return {row.block.competition_id: row for row in rows.select_related("block__stage", "entrant__player")}


def _shown_leader(reader: Reader, leader: Standing | None) -> Standing | None:
    """Return the leader, or None if the first place is shared or the guest did not opt in."""
    if leader is None or leader.is_tied or (reader.guards_guests and not hide_behind_handle(leader.entrant.player)):
        return None
    return leader


@dataclass(frozen=True, slots=True)
class HanchanCount:
    """Number of hanchan that the format plans and of those played; `planned` is 0 if the format has no end."""

    played: int
    planned: int


def hanchan_count(tables: Sequence[BlockTable], league_format: Format, players: int) -> HanchanCount:
    """Return the hanchan of all blocks, at tables of this many players; of a closed block those played."""
    seats = [sum(line.standing.played for line in table.lines) for table in tables]
    planned = sum(
        counted // players
        if table.is_closed
        else games_planned(league_format, table.block.key, len(table.slots), table.planned or 0, players)
        for table, counted in zip(tables, seats, strict=True)
    )
    played = sum(seats) // players
    return HanchanCount(min(played, planned) if planned else played, planned)


class Correction(NamedTuple):
    """A correction or voiding of a result: the id of the hanchan, when and why."""

    hanchan: int
    at: dt.datetime
    reason: str


def latest_corrections(reader: Reader) -> Sequence[Correction]:
    """Return the newest corrections of results, at most two, newest first; none of a table under embargo again."""
    if (season := season_of(reader)) is not None:
        return [Correction(*row) for row in season.corrections]
    rows = reader.changes().filter(subject_type="hanchan", kind__in=CORRECTED)
    if not reader.is_staff:
        held = Hanchan.objects.filter(table_session__competition=reader.competition, table_session__is_released=False)
        # The ids are read first: usually there are none.
        rows = rows.exclude(subject_id__in=[str(pk) for pk in held.order_by().values_list("pk", flat=True)])
    newest = rows.order_by("-n")[:CORRECTIONS_SHOWN]
    return [Correction(int(row.subject_id), row.at, row.reason) for row in newest]


def table_session_of(reader: Reader, key: int) -> TableSession | None:
    """Return a table session by id if this audience may know of it, else None."""
    rows = reader.table_sessions().select_related("session", "block__stage", "competition")
    return rows.filter(pk=key).first()


def entrants_at(table: TableSession) -> frozenset[int]:
    """Return the ids of the entrants who sit at a table, in any of its hanchan."""
    return frozenset(HanchanSeat.objects.filter(hanchan__table_session=table).values_list("entrant", flat=True))


def hanchan_of(reader: Reader, key: int) -> Hanchan | None:
    """Return a hanchan by id if this audience may know of it, else None."""
    rows = reader.hanchan().select_related(
        "table_session__session", "block__stage", "rules__ruleset", "rules__format", "table_session__competition"
    )
    return rows.prefetch_related("seats__entrant__player", "seats__player").filter(pk=key).first()


def result_count(reader: Reader, block: Block) -> int:
    """Return the number of seats with a result in the block."""
    if (cells := cells_of(reader)) is not None:
        return len(cells.get(block.pk, ()))
    return reader.ranked_results(block=block).count()


def entrants_listed(reader: Reader) -> tuple[Entrant, ...]:
    """Return all entrants of the competition in the order of their names' readings."""
    rows = Entrant.objects.filter(competition=reader.competition).select_related("player")
    return tuple(rows.order_by("player__name_kana", "player__name", "number"))


def running_mark(reader: Reader) -> str:
    """Return a text that changes whenever a game begins or ends, for pages that show running games of a league."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        return ""
    running = running_games(reader)
    return f"{len(running)}.{sum(running)}"


def running_games(reader: Reader) -> frozenset[int]:
    """Return the ids of a league's games that are being played at this moment.

    For a competition found by `public_lookup` the public's are already annotated, so no query is needed.
    """
    competition = reader.competition
    if competition.kind != Competition.Kind.LEAGUE:
        return frozenset()
    if reader.audience == Audience.PUBLIC and hasattr(competition, "running_games"):
        return frozenset(map(int, filter(None, (competition.running_games or "").split(","))))
    if "running" not in reader.known:
        rows = reader.hanchan().filter(state=Hanchan.State.RUNNING).order_by()
        reader.known["running"] = frozenset(rows.values_list("pk", flat=True))
    found: frozenset[int] = reader.known["running"]
    return found
