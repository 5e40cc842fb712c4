"""Prepared seasons: the public's view of a league, stored as JSON rows when a version is published.

Publishing writes one row with everything a league's pages need (stages, blocks, slots, standings, outcome, rank
changes, tables of the newest and the next session), and one row for each table session, for the bracket. A page
then makes two or three small queries instead of twenty. The rows are in no language and hold no names: people
are read fresh, so an erased person disappears at once. Readers without prepared rows (organizers, the spoiler
guard, open tables, an older version) get the same data from the facts; `manage.py verify` compares both.

Rows are stored as lists of column values; reading turns them into model instances with their relations set.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import starmap
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar, cast

from django.db.models import DEFERRED, DateField, DateTimeField, ForeignKey, Model

from league.models import (
    Adjustment,
    Audience,
    Block,
    Competition,
    Departure,
    Entrant,
    FormatRevision,
    Hanchan,
    HanchanSeat,
    Outcome,
    Player,
    Prepared,
    ResultSheet,
    RulesetRevision,
    RulesInForce,
    Ruling,
    SeatResult,
    Session,
    Slot,
    SlotState,
    Stage,
    Standing,
    TableSession,
)
from league.selectors.access.raw_rows import columns_of, fetch_rows, read_instances
from league.selectors.access.readers import Reader

M = TypeVar("M", bound=Model)
S = TypeVar("S", HanchanSeat, SeatResult)
Owned = TypeVar("Owned", Entrant, Stage, Block, Session, Ruling, RulesInForce)
Pair = tuple[int, int]
SEASON, BLOCK, TABLE = Prepared.Part.SEASON, Prepared.Part.BLOCK, Prepared.Part.TABLE
LAYOUT = 7
"""Version of the stored layout; increase it when the content changes, so that a new release ignores older rows."""
LEFT_OUT: Mapping[type[Model], frozenset[str]] = {
    ResultSheet: frozenset({"options", "facts", "reason", "accepted_warnings", "entered_by_id", "confirmed_by_id"}),
    SeatResult: frozenset({"totals", "lines"}),
    RulesetRevision: frozenset({"text", "examples"}),
    FormatRevision: frozenset({"text"}),
    Departure: frozenset({"reason"}),
}
"""Columns that prepared pages do not show; reading one from an instance costs a query."""


PARTS = """
SELECT part, layout, version, key, data FROM league_prepared WHERE competition_id = %s AND part IN (%s, %s)
"""
TABLES = "SELECT key, data FROM league_prepared WHERE competition_id = %s AND part = %s AND key IN ({keys})"
PLAYERS = "SELECT {columns} FROM league_player AS player WHERE player.id IN ({ids})"


class SeatCell(NamedTuple):
    """One entrant's hanchan in a block by ids; points and final score as in `SeatResult`."""

    entrant: int
    hanchan: int
    number: int
    session: int
    player: int
    place: int
    points: int
    final_score: int
    chonbo: int


class HanchanRow(NamedTuple):
    """A hanchan by ids, as in `Hanchan`."""

    pk: int
    table_session_id: int
    block_id: int
    number: int
    round: int
    state: str
    started_at: dt.datetime | None


class SeatRow(NamedTuple):
    """A seat of a hanchan by ids; None for people hidden from the reader.

    Score, place and points are as in `SeatResult`, None before there is a result.
    """

    seat: int
    entrant: int | None
    player: int | None
    is_substitute: bool
    score: int | None = None
    place: int | None = None
    points: int | None = None


def season_of(reader: Reader) -> PreparedSeason | None:
    """Return the prepared season of this reader; None if the facts must be read."""
    if "season" not in reader.known:
        _read(reader)
    found: PreparedSeason | None = reader.known["season"]
    return found


def season_with(reader: Reader, part: Prepared.Part) -> PreparedSeason | None:
    """Return the prepared season with another part loaded in the same query.

    The part is the results of every block (for `cells_of`), or every table session.
    """
    _read(reader, part)
    found: PreparedSeason | None = reader.known["season"]
    return found


def cells_of(reader: Reader) -> Mapping[int, tuple[SeatCell, ...]] | None:
    """Return every counting result by block id, in the order of hanchan numbers; None if the facts must be read."""
    if "cells" not in reader.known:
        if season_of(reader) is None:
            return None
        rows = Prepared.objects.filter(competition=reader.competition, part=BLOCK).order_by()
        _know_cells(reader, list(rows.values_list("key", "version", "data")))
    known: Mapping[int, tuple[SeatCell, ...]] | None = reader.known["cells"]
    return known


def _know_cells(reader: Reader, rows: Sequence[tuple[int, int, Mapping[str, Sequence[Sequence[int]]]]]) -> None:
    """Cache the blocks' results for the reader; None if a newer version was prepared meanwhile."""
    # Blocks are rewritten only where they change, so an older version is normal and only a newer one is wrong.
    is_newer = any(version > reader.competition.computed_version for _key, version, _data in rows)
    cells = {key: tuple(starmap(SeatCell, data["cells"])) for key, _version, data in rows}
    reader.known["cells"] = None if is_newer else cells


def is_prepared_for(reader: Reader) -> bool:
    """Return True if prepared rows serve this reader: the public, without spoiler guard, at the published version."""
    competition = reader.competition
    return (
        reader.reads_prepared
        and reader.audience == Audience.PUBLIC
        and reader.until is None
        and competition.kind == Competition.Kind.LEAGUE
        and reader.version == competition.public_version
    )


def _read(reader: Reader, also: Prepared.Part | None = None) -> None:
    """Load the season, None if not prepared, and the rows of part `also`, into the reader's cache."""
    reader.known["season"] = None
    if not is_prepared_for(reader):
        return
    rows = _stored(PARTS, [reader.competition.pk, SEASON, also or SEASON])
    # The competition's row was read earlier: if a newer version was prepared meanwhile, the reader's version needs the
    # facts.
    expected = (SEASON, LAYOUT, reader.competition.computed_version)
    season = next((row[4] for row in rows if row[:3] == expected), None)
    if season is None:
        return
    seated = [row[4] for row in rows if row[0] == TABLE]
    if also == BLOCK:
        _know_cells(reader, [(key, version, data) for part, _layout, version, key, data in rows if part == BLOCK])
    # KeyError: an entrant or a player was deleted since publishing, so the facts must be read.
    with suppress(KeyError):
        reader.known["season"] = PreparedSeason(reader.competition, season, seated)


def _stored(statement: str, parameters: Sequence[int | str]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement whose last column is `Prepared.data`.

    Without the ORM, which takes 500 to 1,000 function calls to write such a statement, a tenth of a cold REST document.
    """
    return [(*of, json.loads(data)) for *of, data in fetch_rows(statement, parameters)]


class PreparedSeason:
    """A prepared league at its published version; model instances are built from the stored rows when first used."""

    def __init__(self, competition: Competition, data: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> None:
        """Build entrants and players; raise KeyError if a person was deleted since.

        `tables` are the stored table sessions, if they were requested.
        """
        self.competition, self._data, self._tables = competition, data, tables
        self.players = players_by_id(self._people())
        """By id."""
        self.entrants: Mapping[int, Entrant] = self._owned(Entrant, "entrants", player=self.players)
        """By id, in the order of their numbers."""
        for entrant in self.entrants.values():
            if entrant.player.erased_at:
                entrant.affiliation = entrant.country = ""

    def _people(self) -> set[int]:
        """Return the player ids of all entrants, and of substitutes at the tables loaded or shown on the home page."""
        sat = {player for table in self._tables for player in table["players"]}
        entered = {player for _entrant, player in _values(self._data["entrants"], "id", "player_id")}
        return sat | entered | set(self._data["players"])

    def _owned(self, model: type[Owned], name: str, **related: Mapping[int, Model]) -> Mapping[int, Owned]:
        """Return by id the instances of a model that has a foreign key to the competition."""
        own = {self.competition.pk: self.competition}
        return {row.pk: row for row in read_rows(model, self._data[name], competition=own, **related)}

    @cached_property
    def blocks_by_id(self) -> Mapping[int, Block]:
        """Blocks by id with their stages, in the order of the format."""
        return self._owned(Block, "blocks", stage=self._owned(Stage, "stages"))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks with their stages, in the order of the format."""
        return tuple(self.blocks_by_id.values())

    @cached_property
    def sessions(self) -> Mapping[int, Session]:
        """Sessions by id."""
        return self._owned(Session, "sessions")

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Standings in the order of the format, best first, with `goes` set."""
        rows = read_rows(Standing, self._data["standings"], block=self.blocks_by_id, entrant=self.entrants)
        for row, goes in zip(rows, self._data["goes"], strict=True):
            row.goes = goes
        return tuple(rows)

    def slot_states(self, blocks: Collection[int] | None = None) -> list[SlotState]:
        """Return the slot states of the blocks with these ids, or of all, by block and slot number."""
        rows = self._data["slots"] if blocks is None else _rows_in(self._data["slots"], "block_id", blocks)
        slots = {row.pk: row for row in read_rows(Slot, rows, block=self.blocks_by_id)}
        return read_rows(SlotState, _rows_in(self._data["states"], "slot_id", slots), slot=slots, entrant=self.entrants)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome; None before the first publication."""
        own = {self.competition.pk: self.competition}
        rows = read_rows(Outcome, self._data["outcome"], competition=own, champion=self.entrants)
        return rows[0] if rows else None

    @cached_property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """Point adjustments in force, oldest first."""
        return tuple(read_rows(Adjustment, self._data["adjustments"], block=self.blocks_by_id, entrant=self.entrants))

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Rulings on ties in force, oldest first."""
        return tuple(self._owned(Ruling, "rulings").values())

    @cached_property
    def rules(self) -> tuple[RulesInForce, ...]:
        """All rules of the competition, oldest first, including future ones."""
        rulesets = {row.pk: row for row in read_rows(RulesetRevision, self._data["rulesets"])}
        formats = {row.pk: row for row in read_rows(FormatRevision, self._data["formats"])}
        return tuple(self._owned(RulesInForce, "rules", ruleset=rulesets, format=formats).values())

    @cached_property
    def furthest(self) -> Hanchan | None:
        """The furthest hanchan that counts."""
        found = self._data["furthest"]
        return self._table(found).hanchan[0] if found else None

    @property
    def changed_at(self) -> dt.datetime | None:
        """Return the time of the newest change that the public may know of."""
        text = self._data["changed_at"]
        return dt.datetime.fromisoformat(text) if text else None

    @property
    def corrections(self) -> Sequence[tuple[int, dt.datetime, str]]:
        """Return hanchan id, time and reason of the newest corrections (`overview.latest_corrections`)."""
        return [(key, dt.datetime.fromisoformat(at), reason) for key, at, reason in self._data["corrections"]]

    def read_around(self) -> tuple[tuple[Session, tuple[PreparedTable, ...]] | None, ...]:
        """Return the session of the furthest hanchan and the next one, each with its first tables."""
        keys = [key for found in self._data["around"] if found for key in found[1]]
        statement = TABLES.format(keys=", ".join(["%s"] * len(keys)))
        stored = dict(_stored(statement, [self.competition.pk, TABLE, *keys])) if keys else {}
        self._meet(stored.values())
        tables = {key: self._table(data) for key, data in stored.items()}
        return tuple(
            (self.sessions[found[0]], tuple(tables[key] for key in found[1] if key in tables)) if found else None
            for found in self._data["around"]
        )

    def _meet(self, tables: Iterable[Mapping[str, Any]]) -> None:
        """Load the players of these stored tables that are not known yet.

        There are such players if a newer version was prepared meanwhile.
        """
        missing = {player for table in tables for player in table["players"]} - self.players.keys()
        if missing:
            self.players |= players_by_id(missing)

    @property
    def movements(self) -> Mapping[int, tuple[Mapping[int, int], Session | None, int]]:
        """Return by block id the earlier ranks by entrant id, the newest session, and the newest hanchan's number."""
        return {
            int(block): ({int(one): rank for one, rank in ranks.items()}, self.sessions.get(session), number)
            for block, (ranks, session, number) in self._data["movements"].items()
        }

    @property
    def substituted(self) -> frozenset[Pair]:
        """Return block and entrant id of every result that a substitute played."""
        return frozenset(map(tuple, self._data["substituted"]))

    @cached_property
    def held_back(self) -> frozenset[Pair]:
        """Block and entrant id of every certain slot under embargo."""
        return frozenset(map(tuple, self._data["held_back"]))

    @cached_property
    def departures(self) -> Mapping[int, Departure]:
        """The departures in force by entrant id."""
        return {row.entrant_id: row for row in read_rows(Departure, self._data["departures"])}

    @cached_property
    def session_dates(self) -> Mapping[int, dt.date | None]:
        """The first day of each session by id."""
        rows = self._data["session_dates"]
        return {session: dt.date.fromisoformat(day) if day else None for session, day in rows}

    @cached_property
    def table_numbers(self) -> Mapping[int, int]:
        """The number of each table in its session by id."""
        return dict(self._data["table_numbers"])

    @property
    def credits(self) -> Sequence[Sequence[Any]]:
        """Return the hanchan that count without a result (`credits.credit_rows`)."""
        rows: Sequence[Sequence[Any]] = self._data["credits"]
        return rows

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return the inputs of the standings other than results (`derivation.stored_facts`)."""
        facts: Mapping[str, Any] = self._data["facts"]
        return facts

    @property
    def tables(self) -> tuple[PreparedTable, ...]:
        """Return every table session, if requested (`season_with`)."""
        return tuple(map(self._table, self._tables))

    def _table(self, data: Mapping[str, Any]) -> PreparedTable:
        """Return one stored table session."""
        return PreparedTable(self, data)


def players_by_id(ids: Collection[int]) -> dict[int, Player]:
    """Return the players with these ids that exist, by id."""
    if not ids:
        return {}
    statement = PLAYERS.format(columns=columns_of(Player, "player"), ids=", ".join(["%s"] * len(ids)))
    return {row.pk: row for row in read_instances(Player, statement, list(ids))}


class PreparedTable:
    """A table session of a prepared season; model instances are built from the stored rows when first used."""

    def __init__(self, season: PreparedSeason, data: Mapping[str, Any]) -> None:
        self._season, self._data = season, data

    @cached_property
    def table_session(self) -> TableSession:
        """The table session with its competition, session and block."""
        season = self._season
        related = {
            "competition": {season.competition.pk: season.competition},
            "session": season.sessions,
            "block": season.blocks_by_id,
        }
        (table,) = read_rows(TableSession, self._data["table_session"], **related)
        return table

    @cached_property
    def hanchan(self) -> tuple[Hanchan, ...]:
        """The hanchan in playing order."""
        own = {self.table_session.pk: self.table_session}
        return tuple(read_rows(Hanchan, self._data["hanchan"], table_session=own, block=self._season.blocks_by_id))

    @property
    def hanchan_rows(self) -> Iterator[HanchanRow]:
        """Yield the same as rows, for a third of the cost of model instances."""
        names = ("id", "table_session_id", "block_id", "number", "round", "state", "started_at")
        for pk, table, block, number, played_in, state, at in _values(self._data["hanchan"], *names):
            yield HanchanRow(pk, table, block, number, played_in, state, at and dt.datetime.fromisoformat(at))

    @cached_property
    def sheets(self) -> Mapping[int, ResultSheet]:
        """The counting sheets by hanchan id."""
        return {sheet.hanchan_id: sheet for sheet in read_rows(ResultSheet, self._data["sheets"])}

    @cached_property
    def seats(self) -> Mapping[int, tuple[HanchanSeat, ...]]:
        """The planned seats by hanchan id, for hanchan without a result."""
        return self._seated(HanchanSeat, "seats", lambda seat: seat.hanchan_id)

    @cached_property
    def results(self) -> Mapping[int, tuple[SeatResult, ...]]:
        """The results by hanchan id, for hanchan with a counting sheet."""
        return self._seated(SeatResult, "results", lambda seat: self._of_sheet[seat.sheet_id][0])

    def _seated(self, model: type[S], name: str, hanchan_of: Callable[[S], int]) -> Mapping[int, tuple[S, ...]]:
        season, found = self._season, defaultdict[int, list[S]](list)
        for row in read_rows(model, self._data[name], entrant=season.entrants, player=season.players):
            found[hanchan_of(row)].append(row)
        return {hanchan: tuple(own) for hanchan, own in found.items()}

    @cached_property
    def _of_sheet(self) -> Mapping[int, tuple[int, int]]:
        """Hanchan id and revision of each sheet."""
        rows = _values(self._data["sheets"], "id", "hanchan_id", "revision")
        return {sheet: (hanchan, revision) for sheet, hanchan, revision in rows}

    @property
    def moments(self) -> Mapping[int, tuple[dt.datetime | None, ...]]:
        """Return when each hanchan was finished, and when its result became public, by hanchan id."""
        return {
            hanchan: tuple(at and dt.datetime.fromisoformat(at) for at in moments)
            for hanchan, *moments in self._data["moments"]
        }

    @property
    def revisions(self) -> Mapping[int, int]:
        """Return the revision of the counting sheet by hanchan id."""
        return dict(self._of_sheet.values())

    @property
    def seat_rows(self) -> Mapping[int, Sequence[SeatRow]]:
        """Return the seats of each hanchan, with its result if any, at a tenth of the cost of model instances."""
        found, entrants = defaultdict[int, list[SeatRow]](list), self._season.entrants
        planned = _values(self._data["seats"], "hanchan_id", "seat", "entrant_id", "player_id")
        for hanchan, seat, entrant, player in planned:
            found[hanchan].append(SeatRow(seat, entrant, player, entrants[entrant].is_replaced_by(player)))
        names = ("sheet_id", "seat", "entrant_id", "player_id", "score", "place", "points")
        for sheet, seat, entrant, player, *result in _values(self._data["results"], *names):
            is_substitute = entrants[entrant].is_replaced_by(player)
            found[self._of_sheet[sheet][0]].append(SeatRow(seat, entrant, player, is_substitute, *result))
        return found


def _values(table: Mapping[str, Any], *names: str) -> Iterator[tuple[Any, ...]]:
    """Yield the given columns of stored rows."""
    return map(itemgetter(*map(table["columns"].index, names)), table["rows"])


def _rows_in(table: Mapping[str, Any], name: str, kept: Collection[int]) -> Mapping[str, Any]:
    """Return the stored rows with one of these values in a column."""
    place = table["columns"].index(name)
    return {"columns": table["columns"], "rows": [row for row in table["rows"] if row[place] in kept]}


@cache
def columns(model: type[Model]) -> tuple[str, ...]:
    """Return the columns of a model that are stored."""
    left_out = LEFT_OUT.get(model, frozenset())
    return tuple(field.attname for field in model._meta.concrete_fields if field.attname not in left_out)


@cache
def _moments(model: type[Model]) -> Mapping[str, Callable[[str], dt.date]]:
    """Return the parsers of date and time columns, which JSON stores as text."""
    return {
        field.attname: dt.datetime.fromisoformat if isinstance(field, DateTimeField) else dt.date.fromisoformat
        for field in model._meta.concrete_fields
        if isinstance(field, DateField)
    }


def dump_rows(model: type[M], rows: Iterable[M]) -> dict[str, Any]:
    """Return model instances in stored form: column names, and a list of values for each row."""
    names = columns(model)
    moments = [names.index(name) for name in _moments(model).keys() & set(names)]
    dumped = list(map(list, map(attrgetter(*names), rows)))
    for values in dumped:
        for place in moments:
            values[place] = values[place] and values[place].isoformat()
    return {"columns": list(names), "rows": dumped}


def read_rows(model: type[M], table: Mapping[str, Any], **related: Mapping[int, Model]) -> list[M]:
    """Return the model instances of stored rows; `related` has by foreign key the instances that it refers to, by id.

    Columns added by a later release are deferred and read when needed.
    """
    names = table["columns"]
    every, pick, moments = _layout(model, tuple(names))
    # Assigning a relation also checks the instance and sets its column, which takes four times as long.
    keys = [
        (names.index(f"{name}_id"), cast("ForeignKey[Any]", model._meta.get_field(name)).set_cached_value, rows)
        for name, rows in related.items()
    ]
    found = []
    for row in table["rows"]:
        values = [*row, DEFERRED]
        for place, convert in moments:
            values[place] = convert(row[place]) if row[place] else None
        instance = model.from_db("default", every, pick(values))
        for place, relate, rows in keys:
            relate(instance, rows[row[place]] if row[place] else None)
        found.append(instance)
    return found


@cache
def _layout(
    model: type[Model], names: tuple[str, ...]
) -> tuple[Sequence[str], itemgetter[Any], Sequence[tuple[int, Callable[[str], dt.date]]]]:
    """Return the columns of a model, how to pick them from a stored row and DEFERRED, and the parsers of moments.

    `from_db` is three times faster with a value for every column than with fewer columns.
    """
    every = [field.attname for field in model._meta.concrete_fields]
    pick = itemgetter(*(names.index(name) if name in names else -1 for name in every))
    parsers = _moments(model)
    return every, pick, [(place, parsers[name]) for place, name in enumerate(names) if name in parsers]
