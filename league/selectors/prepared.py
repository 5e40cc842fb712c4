"""The season as the public may see it, prepared when a version is published.

Publishing writes one row that holds everything the pages of a league need (stages, blocks, slots, standings, the
outcome, movements, the tables of the newest and the next session), and one row for each table session, which the
bracket needs. A page then makes two or three small queries instead of twenty. The data are in no language and hold no
names: people are read fresh, so a person who was erased is gone at once. Readers for whom nothing is prepared
(organizers, the spoiler guard, open tables, an older version) get the same from the facts; `manage.py verify` compares
the two.

Rows are stored as lists of column values; reading makes model instances of them, with their relations set.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

from django.db.models import DateField, DateTimeField, Model

from league.models import (
    Audience,
    Block,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Outcome,
    Player,
    Prepared,
    ResultSheet,
    SeatResult,
    Session,
    Slot,
    SlotState,
    Stage,
    Standing,
    TableSession,
)
from league.selectors.readers import Reader

M = TypeVar("M", bound=Model)
Pair = tuple[int, int]
SEASON, BLOCK, TABLE = Prepared.Part.SEASON, Prepared.Part.BLOCK, Prepared.Part.TABLE
LEFT_OUT: Mapping[type[Model], frozenset[str]] = {
    ResultSheet: frozenset({"options", "facts", "reason", "accepted_warnings", "entered_by_id", "confirmed_by_id"}),
    SeatResult: frozenset({"totals", "lines"}),
}
"""Columns that no prepared page shows; read from an instance they cost a query."""


class SeatCell(NamedTuple):
    """One entrant's hanchan in a block, by ids; points and final score as in `SeatResult`."""

    entrant: int
    hanchan: int
    number: int
    session: int
    player: int
    place: int
    points: int
    final_score: int
    chonbo: int


@dataclass(frozen=True, slots=True)
class PreparedTable:
    """A table session, its hanchan in order, and by hanchan the sheet that counts with its seats, or who is to sit."""

    table_session: TableSession
    hanchan: tuple[Hanchan, ...]
    seats: Mapping[int, tuple[HanchanSeat, ...]]
    sheets: Mapping[int, ResultSheet]
    results: Mapping[int, tuple[SeatResult, ...]]


@dataclass(frozen=True, slots=True)
class PreparedSeason:
    """A league as of its published version, for the public."""

    blocks: tuple[Block, ...]
    """In the order of the format, with their stages."""
    standings: tuple[Standing, ...]
    """In the order of the format, best first; `goes` is set."""
    states: tuple[SlotState, ...]
    """By block and number."""
    outcome: Outcome | None
    entrants: Mapping[int, Entrant]
    """By id, in the order of their numbers."""
    sessions: Mapping[int, Session]
    furthest: Hanchan | None
    """The furthest hanchan that counts."""
    changed_at: dt.datetime | None
    """When the newest change the public may know of was made."""
    around: tuple[tuple[Session, tuple[PreparedTable, ...]] | None, ...]
    """The session of the furthest hanchan and the next one, each with its first tables."""
    movements: Mapping[int, tuple[Mapping[int, int], Session | None, int]]
    """By block: the ranks before the newest session by entrant, that session, and the number of the newest hanchan."""
    substituted: frozenset[Pair]
    """Block and entrant, wherever somebody else sat for the entrant."""
    held_back: frozenset[Pair]
    """Block and entrant of every place filled for certain that the public must not know yet."""
    facts: Mapping[str, Any]
    """What standings are derived from besides results (`selectors.derivation.stored_facts`)."""
    tables: tuple[PreparedTable, ...]
    """Every table session, where they were asked for (`season_with_tables`)."""


def season_of(reader: Reader) -> PreparedSeason | None:
    """The prepared season of this reader; None if the facts have to be read."""
    if "season" not in reader.known:
        reader.known["season"] = _read(reader, tables=False)
    found: PreparedSeason | None = reader.known["season"]
    return found


def season_with_tables(reader: Reader) -> PreparedSeason | None:
    """The same with every table session, in no more queries."""
    reader.known["season"] = found = _read(reader, tables=True)
    return found


def cells_of(reader: Reader) -> Mapping[int, tuple[SeatCell, ...]] | None:
    """Every result that counts, by block, in the order of their numbers; None if the facts have to be read."""
    if season_of(reader) is None:
        return None
    if "cells" not in reader.known:
        rows = Prepared.objects.filter(competition=reader.competition, part=BLOCK).order_by()
        found = list(rows.values_list("key", "version", "data"))
        is_newer = any(version > reader.competition.computed_version for _key, version, _data in found)
        cells = {key: tuple(SeatCell(*row) for row in data["cells"]) for key, _version, data in found}
        reader.known["cells"] = None if is_newer else cells
    known: Mapping[int, tuple[SeatCell, ...]] | None = reader.known["cells"]
    return known


def is_prepared_for(reader: Reader) -> bool:
    """Whether this reader reads what is prepared: the public, all of a league, at the version published."""
    competition = reader.competition
    return (
        reader.reads_prepared
        and reader.audience == Audience.PUBLIC
        and reader.until is None
        and competition.kind == Competition.Kind.LEAGUE
        and reader.version == competition.public_version
    )


def _read(reader: Reader, *, tables: bool) -> PreparedSeason | None:
    if not is_prepared_for(reader):
        return None
    parts = Prepared.objects.filter(competition=reader.competition).order_by()
    parts = parts.filter(part__in=(SEASON, TABLE) if tables else (SEASON,))
    rows = list(parts.values_list("part", "version", "data"))
    season = next((row for row in rows if row[0] == SEASON), None)
    if season is None or season[1] != reader.competition.computed_version:
        return None
    seated = [data for part, _version, data in rows if part == TABLE]
    try:
        return _Loader(reader.competition, season[2], seated).season()
    except KeyError:  # an entrant or a player was deleted since: the facts say what stands now
        return None


class _Loader:
    """Make instances of what is stored, with their relations."""

    def __init__(self, competition: Competition, data: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> None:
        self.competition, self.data, self.tables = competition, data, tables
        self.entrants = {row.pk: row for row in self._competitions(Entrant, "entrants")}
        self.players = Player.objects.in_bulk(self._people())
        for entrant in self.entrants.values():
            entrant.player = self.players[entrant.player_id]
            if entrant.player.erased_at:
                entrant.affiliation = ""
        self.stages = {row.pk: row for row in self._competitions(Stage, "stages")}
        self.blocks = {row.pk: row for row in self._competitions(Block, "blocks")}
        for block in self.blocks.values():
            block.stage = self.stages[block.stage_id]
        self.sessions = {row.pk: row for row in self._competitions(Session, "sessions")}

    def _people(self) -> set[int]:
        """The players of all entrants, and everybody who sat for somebody else."""
        around = [table for session in self.data["around"] if session for table in session["tables"]]
        sat = {player for table in (*around, *self.tables) for player in table["players"]}
        return sat | {row.player_id for row in self.entrants.values()}

    def _competitions(self, model: type[M], name: str) -> list[M]:
        rows = made(model, self.data[name])
        for row in rows:
            row.competition = self.competition  # type: ignore[attr-defined]
        return rows

    def season(self) -> PreparedSeason:
        """Everything."""
        data = self.data
        return PreparedSeason(
            blocks=tuple(self.blocks.values()),
            standings=self._standings(),
            states=self._states(),
            outcome=self._outcome(),
            entrants=self.entrants,
            sessions=self.sessions,
            furthest=self._furthest(),
            changed_at=moment(data["changed_at"]),
            around=tuple(self._around(session) for session in data["around"]),
            movements={
                int(block): ({int(one): rank for one, rank in ranks.items()}, self.sessions.get(session), number)
                for block, (ranks, session, number) in data["movements"].items()
            },
            substituted=frozenset(map(tuple, data["substituted"])),
            held_back=frozenset(map(tuple, data["held_back"])),
            facts=data["facts"],
            tables=tuple(map(self.table, self.tables)),
        )

    def _standings(self) -> tuple[Standing, ...]:
        rows = made(Standing, self.data["standings"])
        for row, goes in zip(rows, self.data["goes"], strict=True):
            row.block, row.entrant, row.goes = self.blocks[row.block_id], self.entrants[row.entrant_id], goes
        return tuple(rows)

    def _states(self) -> tuple[SlotState, ...]:
        slots = {row.pk: row for row in made(Slot, self.data["slots"])}
        for slot in slots.values():
            slot.block = self.blocks[slot.block_id]
        rows = made(SlotState, self.data["states"])
        for row in rows:
            row.slot = slots[row.slot_id]
            row.entrant = self.entrants[row.entrant_id] if row.entrant_id else None
        return tuple(rows)

    def _outcome(self) -> Outcome | None:
        rows = made(Outcome, self.data["outcome"])
        for row in rows:
            row.competition = self.competition
            row.champion = self.entrants[row.champion_id] if row.champion_id else None
        return rows[0] if rows else None

    def _furthest(self) -> Hanchan | None:
        found = self.data["furthest"]
        return self.table(found).hanchan[0] if found else None

    def _around(self, found: Mapping[str, Any] | None) -> tuple[Session, tuple[PreparedTable, ...]] | None:
        if found is None:
            return None
        return self.sessions[found["session"]], tuple(map(self.table, found["tables"]))

    def table(self, data: Mapping[str, Any]) -> PreparedTable:
        """One table session."""
        (table,) = made(TableSession, data["table_session"])
        table.competition = self.competition
        table.session, table.block = self.sessions[table.session_id], self.blocks[table.block_id]
        hanchan = made(Hanchan, data["hanchan"])
        for row in hanchan:
            row.table_session, row.block = table, self.blocks[row.block_id]
        sheets = made(ResultSheet, data["sheets"])
        of_hanchan = {sheet.pk: sheet.hanchan_id for sheet in sheets}
        return PreparedTable(
            table_session=table,
            hanchan=tuple(hanchan),
            seats=self._seated(HanchanSeat, data["seats"], lambda seat: seat.hanchan_id),
            sheets={sheet.hanchan_id: sheet for sheet in sheets},
            results=self._seated(SeatResult, data["results"], lambda seat: of_hanchan[seat.sheet_id]),
        )

    def _seated(
        self, model: type[M], rows: Mapping[str, Any], hanchan_of: Callable[[Any], int]
    ) -> Mapping[int, tuple[M, ...]]:
        found: defaultdict[int, list[M]] = defaultdict(list)
        for row in made(model, rows):
            row.entrant, row.player = self.entrants[row.entrant_id], self.players[row.player_id]  # type: ignore[attr-defined]
            found[hanchan_of(row)].append(row)
        return {hanchan: tuple(own) for hanchan, own in found.items()}


@cache
def columns(model: type[Model]) -> tuple[str, ...]:
    """The columns of a model that are prepared."""
    left_out = LEFT_OUT.get(model, frozenset())
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname not in left_out)


@cache
def _moments(model: type[Model]) -> Mapping[str, Callable[[str], Any]]:
    """The columns that JSON has no type for, and how each is read."""
    return {
        field.attname: dt.datetime.fromisoformat if isinstance(field, DateTimeField) else dt.date.fromisoformat
        for field in model._meta.concrete_fields
        if isinstance(field, DateField)
    }


def stored(model: type[M], rows: Iterable[M]) -> dict[str, Any]:
    """Instances of a model as they are stored: the names of the columns, and a list of values for each row."""
    names = columns(model)
    return {"columns": list(names), "rows": [[_plain(getattr(row, name)) for name in names] for row in rows]}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


def made(model: type[M], table: Mapping[str, Any]) -> list[M]:
    """The instances, without their relations. Columns that a later release has added are read when they are needed."""
    names, read = table["columns"], _moments(model)
    special = [(place, read[name]) for place, name in enumerate(names) if name in read]
    found = []
    for row in table["rows"]:
        for place, convert in special:
            row[place] = convert(row[place]) if row[place] else None
        found.append(model.from_db("default", names, row))
    return found


def moment(text: str | None) -> dt.datetime | None:
    """A stored moment."""
    return dt.datetime.fromisoformat(text) if text else None
