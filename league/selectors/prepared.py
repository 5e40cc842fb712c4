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
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeVar

from django.db.models import DEFERRED, DateField, DateTimeField, Model

from league.models import (
    Adjustment,
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
    Ruling,
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
    """A table session, its hanchan in order, and by hanchan the counting sheet with its seats, or the planned seats."""

    table_session: TableSession
    hanchan: tuple[Hanchan, ...]
    seats: Mapping[int, tuple[HanchanSeat, ...]]
    sheets: Mapping[int, ResultSheet]
    results: Mapping[int, tuple[SeatResult, ...]]


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
    """Return whether prepared rows serve this reader: the public, without a spoiler guard, at the published version."""
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
        return PreparedSeason(reader.competition, season[2], seated)
    except KeyError:  # an entrant or a player was deleted since: the facts say what stands now
        return None


class PreparedSeason:
    """A league as of its published version, for the public: instances of what is stored, made when they are needed."""

    def __init__(self, competition: Competition, data: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> None:
        """`tables` are the stored table sessions, where they were asked for. KeyError if a person is gone."""
        self.competition, self._data, self._tables = competition, data, tables
        self.entrants: Mapping[int, Entrant] = {row.pk: row for row in self._owned(Entrant, "entrants")}
        """By id, in the order of their numbers."""
        self._players = Player.objects.in_bulk(self._people())
        for entrant in self.entrants.values():
            entrant.player = self._players[entrant.player_id]
            if entrant.player.erased_at:
                entrant.affiliation = ""

    def _people(self) -> set[int]:
        """The players of all entrants, and those who sat for them at tables of the home page or asked for."""
        sat = {player for table in self._tables for player in table["players"]}
        return sat | {row.player_id for row in self.entrants.values()} | set(self._data["players"])

    def _owned(self, model: type[M], name: str) -> list[M]:
        """Instances of a model that belongs to a competition."""
        rows = made(model, self._data[name])
        for row in rows:
            row.competition = self.competition  # type: ignore[attr-defined]
        return rows

    @cached_property
    def _blocks(self) -> Mapping[int, Block]:
        stages = {row.pk: row for row in self._owned(Stage, "stages")}
        blocks = {row.pk: row for row in self._owned(Block, "blocks")}
        for block in blocks.values():
            block.stage = stages[block.stage_id]
        return blocks

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """In the order of the format, with their stages."""
        return tuple(self._blocks.values())

    @cached_property
    def sessions(self) -> Mapping[int, Session]:
        """By id."""
        return {row.pk: row for row in self._owned(Session, "sessions")}

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """In the order of the format, best first; `goes` is set."""
        rows = made(Standing, self._data["standings"])
        for row, goes in zip(rows, self._data["goes"], strict=True):
            row.block, row.entrant, row.goes = self._blocks[row.block_id], self.entrants[row.entrant_id], goes
        return tuple(rows)

    @cached_property
    def states(self) -> tuple[SlotState, ...]:
        """By block and number."""
        slots = {row.pk: row for row in made(Slot, self._data["slots"])}
        for slot in slots.values():
            slot.block = self._blocks[slot.block_id]
        rows = made(SlotState, self._data["states"])
        for row in rows:
            row.slot = slots[row.slot_id]
            row.entrant = self.entrants[row.entrant_id] if row.entrant_id else None
        return tuple(rows)

    @cached_property
    def outcome(self) -> Outcome | None:
        """None before anything was computed."""
        rows = made(Outcome, self._data["outcome"])
        for row in rows:
            row.competition = self.competition
            row.champion = self.entrants[row.champion_id] if row.champion_id else None
        return rows[0] if rows else None

    @cached_property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """Points given or taken outside a hanchan, as they hold, oldest first."""
        rows = made(Adjustment, self._data["adjustments"])
        for row in rows:
            row.block, row.entrant = self._blocks[row.block_id], self.entrants[row.entrant_id]
        return tuple(rows)

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Rulings on ties, as they hold, oldest first."""
        return tuple(self._owned(Ruling, "rulings"))

    @cached_property
    def furthest(self) -> Hanchan | None:
        """The furthest hanchan that counts."""
        found = self._data["furthest"]
        return self._table(found).hanchan[0] if found else None

    @property
    def changed_at(self) -> dt.datetime | None:
        """When the newest change the public may know of was made."""
        text = self._data["changed_at"]
        return dt.datetime.fromisoformat(text) if text else None

    @cached_property
    def around(self) -> tuple[tuple[Session, tuple[PreparedTable, ...]] | None, ...]:
        """The session of the furthest hanchan and the next one, each with its first tables."""
        keys = {key for found in self._data["around"] if found for key in found[1]}
        rows = Prepared.objects.filter(competition=self.competition, part=TABLE, key__in=keys).order_by()
        stored = dict(rows.values_list("key", "data"))
        self._meet(stored.values())
        tables = {key: self._table(data) for key, data in stored.items()}
        return tuple(
            (self.sessions[found[0]], tuple(tables[key] for key in found[1] if key in tables)) if found else None
            for found in self._data["around"]
        )

    def _meet(self, tables: Iterable[Mapping[str, Any]]) -> None:
        """Read the players of these stored table sessions who are not known: a newer version may have been prepared."""
        missing = {player for table in tables for player in table["players"]} - self._players.keys()
        if missing:
            self._players |= Player.objects.in_bulk(missing)

    @property
    def movements(self) -> Mapping[int, tuple[Mapping[int, int], Session | None, int]]:
        """By block: by entrant the rank before the newest session, that session, the newest hanchan's number."""
        return {
            int(block): ({int(one): rank for one, rank in ranks.items()}, self.sessions.get(session), number)
            for block, (ranks, session, number) in self._data["movements"].items()
        }

    @property
    def substituted(self) -> frozenset[Pair]:
        """Block and entrant of every result that a substitute played."""
        return frozenset(map(tuple, self._data["substituted"]))

    @cached_property
    def held_back(self) -> frozenset[Pair]:
        """Block and entrant of every place filled for certain that the public must not know yet."""
        return frozenset(map(tuple, self._data["held_back"]))

    @property
    def facts(self) -> Mapping[str, Any]:
        """Inputs of the standings besides results (`selectors.derivation.stored_facts`)."""
        facts: Mapping[str, Any] = self._data["facts"]
        return facts

    @cached_property
    def tables(self) -> tuple[PreparedTable, ...]:
        """Every table session, where they were asked for (`season_with_tables`)."""
        return tuple(map(self._table, self._tables))

    def _table(self, data: Mapping[str, Any]) -> PreparedTable:
        """One table session."""
        (table,) = made(TableSession, data["table_session"])
        table.competition = self.competition
        table.session, table.block = self.sessions[table.session_id], self._blocks[table.block_id]
        hanchan = made(Hanchan, data["hanchan"])
        for row in hanchan:
            row.table_session, row.block = table, self._blocks[row.block_id]
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
            row.entrant, row.player = self.entrants[row.entrant_id], self._players[row.player_id]  # type: ignore[attr-defined]
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
    every = [field.attname for field in model._meta.concrete_fields]
    special = [(place, read[name]) for place, name in enumerate(names) if name in read]
    # An instance is made three times faster of a value for each column, deferred ones among them, than of fewer.
    places = None if names == every else [names.index(name) if name in names else None for name in every]
    found = []
    for row in table["rows"]:
        for place, convert in special:
            row[place] = convert(row[place]) if row[place] else None
        values = row if places is None else [DEFERRED if place is None else row[place] for place in places]
        found.append(model.from_db("default", every, values))
    return found
