"""Write what the public pages of a league show into prepared rows, in the transaction that publishes a version.

A result rewrites three rows: the season, its block and its table session. A change of another kind rewrites all rows.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

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
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import (
    GameMoments,
    game_moments,
    numbered_tables,
    scheduled_tables,
    session_dates,
)
from league.selectors.competitions.overview import Stamp, known_stamp, known_tables_around, latest_corrections
from league.selectors.competitions.schedule import PlayedTable, places_held_back, played_tables
from league.selectors.rulebooks.rules_in_force import format_of, latest, rules_in, ruleset_of
from league.selectors.standings.bracket import ladder_sessions
from league.selectors.standings.credits import counted_credits, credit_rows
from league.selectors.standings.derivation import Derivation, stored_facts
from league.selectors.standings.facts import Facts
from league.selectors.standings.prepared import BLOCK, LAYOUT, SEASON, TABLE, SeatCell, dump_rows
from league.selectors.standings.progress import movements_of
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import CELL, BlockTable, block_tables, substituted_in

OF_TABLES = {"hanchan", "tablesession"}
"""Subjects of changes that touch one table session alone."""
NOTHING: Mapping[str, Any] = {}


def prepare(
    competition: Competition, derivation: Derivation, since: int = -1, known: Mapping[str, Any] = NOTHING
) -> None:
    """Prepare the league as of its published version; `since` is the computed version before, -1 to prepare everything.

    `competition` has its published versions set, `derivation` is the one that the public's standings follow from, and
    `known` the rows of it, if they were just written. Open tables are not prepared.
    """
    if competition.kind != Competition.Kind.LEAGUE:
        return
    parts, version = Prepared.objects.filter(competition=competition), competition.computed_version
    stored = list(parts.order_by().values_list("part", "key", "version", "layout"))
    is_current = (SEASON, 0, since, LAYOUT) in stored
    changed = changed_tables(competition, since) if is_current else None
    there = {key for part, key, _version, _layout in stored if part == TABLE} if is_current else set()
    written = prepared_parts(competition, derivation, changed, there, known)
    keys = {part: [key for of, key, _data in written if of == part] for part in Prepared.Part}
    if changed is None:
        for part in Prepared.Part:
            parts.filter(part=part).exclude(key__in=keys[part]).delete()
    elif gone := changed - set(keys[TABLE]):  # held back since, or taken off the schedule
        parts.filter(part=TABLE, key__in=gone).delete()
    Prepared.objects.bulk_create(
        [
            Prepared(competition=competition, part=part, key=key, layout=LAYOUT, version=version, data=data)
            for part, key, data in written
        ],
        update_conflicts=True,
        unique_fields=["competition", "part", "key"],
        update_fields=["layout", "version", "data"],
    )
    # The rest is about tables of blocks without slots: rows of those that the home page no longer shows are deleted.
    if all(derivation.resolution.slots.get(key) for key in derivation.standings):
        return
    around = written[0][2]["around"]
    near = [key for found in around if found for key in found[1]] if isinstance(around, list) else []
    loose = TableSession.objects.filter(competition=competition, block__slots=None).exclude(pk__in=near)
    parts.filter(part=TABLE, key__in=loose.order_by().values("pk")).delete()


def unprepared() -> QuerySet[Competition, int]:
    """Return the ids of leagues whose published version is not prepared, as after an upgrade to another layout."""
    current = {"part": SEASON, "layout": LAYOUT, "version": OuterRef("computed_version")}
    there = Prepared.objects.filter(competition=OuterRef("pk"), **current)
    leagues = Competition.objects.filter(kind=Competition.Kind.LEAGUE, computed_version__gt=0)
    return leagues.exclude(Exists(there)).values_list("pk", flat=True)


def prepared_parts(
    competition: Competition,
    derivation: Derivation,
    changed: Collection[int] | None = None,
    there: Collection[int] = (),
    known: Mapping[str, Any] = NOTHING,
) -> list[tuple[str, int, Mapping[str, object]]]:
    """Return part, key and data of each row to write: the season, then changed table sessions and their blocks, or all.

    Of blocks without slots, which have no ladder, only the tables of the home page are prepared. `there` are the ids of
    the table sessions whose stored rows are kept unless they changed.
    """
    reader = Reader(competition, Audience.PUBLIC, competition.public_version)
    reader.known.update(known, **known_facts(reader, derivation.facts), schedule=scheduled_tables(reader))
    tables = block_tables(reader)
    blocks = {table.block.pk for table in tables}
    reader.known["cells"], furthest = block_cells(reader, blocks)
    stamp = known_stamp(reader, furthest)
    around = known_tables_around(reader, stamp.session)
    near = {key for found in around if found for key in found[1]}
    sessions = {row.pk: row for row in ladder_sessions(reader, tables)} if changed is None else {}
    missing = {*(changed or ()), *(near - set(there))} - sessions.keys()
    sessions |= TableSession.objects.order_by().in_bulk(missing)
    if changed is not None:
        blocks &= {sessions[key].block_id for key in changed if key in sessions}
    shown = [row for row in sessions.values() if reader.may_know(row)]
    played = played_tables(reader, shown, with_people=False)
    moments = game_moments(reader, [each for row in played for each in row.hanchan])
    seated = {row.table_session.pk: table_data(row, moments) for row in played}
    season = season_data(reader, tables, derivation, stamp, around)
    season["players"] = sorted(players_at(competition, near, seated))
    return [
        (SEASON, 0, season),
        *((BLOCK, block, {"cells": reader.known["cells"].get(block, [])}) for block in sorted(blocks)),
        *((TABLE, key, data) for key, data in seated.items()),
    ]


def players_at(competition: Competition, keys: set[int], seated: Mapping[int, Mapping[str, object]]) -> set[int]:
    """Return the ids of all players at these tables; tables not in `seated` are read from their prepared rows."""
    before = Prepared.objects.filter(competition=competition, part=TABLE, key__in=[*(keys - seated.keys())]).order_by()
    found = [*before.values_list("data__players", flat=True), *(seated[key]["players"] for key in keys & seated.keys())]
    return {player for players in found for player in players}


def known_facts(reader: Reader, facts: Facts) -> Mapping[str, Any]:
    """Return what selectors cache in `Reader.known`, as far as it follows from the facts, and all sessions by id."""
    days = Session.objects.filter(competition=reader.competition).order_by("number")
    return {
        "closed": facts.closed,
        "rounds": facts.rounds,
        "credits": counted_credits(reader, facts),
        "sessions": {day.pk: day for day in days},
    }


def block_cells(reader: Reader, blocks: Collection[int]) -> tuple[Mapping[int, list[SeatCell]], int | None]:
    """Return the results by block id, ordered by hanchan number, and the id of the furthest hanchan with a result."""
    found, numbers = defaultdict[int, list[SeatCell]](list), {}
    days = {pk: day.number for pk, day in reader.known["sessions"].items()}
    rows = reader.ranked_results(block__in=blocks).order_by("sheet__hanchan__number", "sheet__hanchan", "seat")
    for block, sheet, *values in rows.values_list("block", "sheet", *CELL):
        found[block].append(cell := SeatCell(*values))
        # Of several tables that are as far, the one whose result was entered last.
        numbers[days[cell.session], cell.number, sheet] = cell.hanchan
    return found, numbers[max(numbers)] if numbers else None


def changed_tables(competition: Competition, since: int) -> set[int] | None:
    """Return the ids of the table sessions that changed after version `since`; None if any of them may have changed."""
    changes = competition.changes.filter(n__gt=since, n__lte=competition.computed_version).order_by()
    subjects = set(changes.values_list("subject_type", "subject_id"))
    if any(kind not in OF_TABLES for kind, _key in subjects):
        return None
    games = [int(key) for kind, key in subjects if kind == "hanchan"]
    found = set(Hanchan.objects.filter(pk__in=games).order_by().values_list("table_session", flat=True))
    return found | {int(key) for kind, key in subjects if kind == "tablesession"}


def season_data(
    reader: Reader,
    tables: Sequence[BlockTable],
    derivation: Derivation,
    stamp: Stamp,
    around: Iterable[tuple[Session, Sequence[int]] | None],
) -> dict[str, object]:
    """Return the season's data: everything except the results of blocks and table sessions."""
    competition, outcome, facts = reader.competition, outcome_of(reader), derivation.facts
    days = list(reader.known["sessions"].values())
    entrants = list(Entrant.objects.filter(competition=competition).order_by("number"))
    in_force = rules_in(reader)
    blocks = [table.block for table in tables]
    stages = {block.stage_id: block.stage for block in blocks}
    standings = [line.standing for table in tables for line in table.lines]
    states = sorted(
        (state for table in tables for state in table.slots), key=lambda state: (state.slot.block_id, state.slot.number)
    )
    return {
        "stages": dump_rows(Stage, stages.values()),
        "blocks": dump_rows(Block, blocks),
        "slots": dump_rows(Slot, [state.slot for state in states]),
        "entrants": dump_rows(Entrant, entrants),
        "sessions": dump_rows(Session, days),
        "standings": dump_rows(Standing, standings),
        "goes": [row.goes for row in standings],
        "states": dump_rows(SlotState, states),
        "outcome": dump_rows(Outcome, [outcome] if outcome else []),
        "adjustments": dump_rows(
            Adjustment, reader.decisions(Adjustment, block__in=blocks) if facts.adjustments else ()
        ),
        "rulings": dump_rows(Ruling, reader.decisions(Ruling, competition=competition) if facts.rulings else ()),
        "departures": dump_rows(
            Departure, reader.decisions(Departure, entrant__competition=competition) if facts.leaving else ()
        ),
        "session_dates": [[pk, day and day.isoformat()] for pk, day in sorted(session_dates(reader, days).items())],
        "table_numbers": sorted(numbered_tables(reader, {row.pk for row in days}).items()),
        **rules_data(in_force),
        "furthest": only_hanchan(stamp.hanchan) if stamp.hanchan else None,
        "changed_at": stamp.updated_at.isoformat() if stamp.updated_at else None,
        "corrections": [(key, at.isoformat(), reason) for key, at, reason in latest_corrections(reader)],
        "around": [found and [found[0].pk, found[1]] for found in around],
        "movements": movements_data(reader, tables, stamp, latest(in_force)),
        "substituted": sorted(substituted_in(reader, blocks)) if has_substitutes(reader, entrants) else [],
        "held_back": sorted(places_held_back(reader)),
        "credits": credit_rows(reader),
        "facts": stored_facts(derivation),
    }


def has_substitutes(reader: Reader, entrants: Iterable[Entrant]) -> bool:
    """Return True if another person sat for an entrant in a result that counts, as members of teams always do."""
    own = {row.pk: row.player_id for row in entrants}
    sat = {(cell.entrant, cell.player) for cells in reader.known["cells"].values() for cell in cells}
    return any(player != own[entrant] for entrant, player in sat)


def rules_data(in_force: Sequence[RulesInForce]) -> dict[str, object]:
    """Return all rules in force with their revisions, without the texts of those."""
    return {
        "rules": dump_rows(RulesInForce, in_force),
        "rulesets": dump_rows(RulesetRevision, {row.ruleset_id: row.ruleset for row in in_force}.values()),
        "formats": dump_rows(FormatRevision, {row.format_id: row.format for row in in_force}.values()),
    }


def movements_data(
    reader: Reader, tables: Sequence[BlockTable], stamp: Stamp, rules: RulesInForce
) -> dict[int, list[object]]:
    """Return by block: the ranks before the newest session, by entrant; that session; the newest hanchan's number."""
    if stamp.session is None:
        return {}
    found = movements_of(reader, tables, stamp.session, format_of(rules), ruleset_of(rules).players)
    return {
        block: [dict(each.ranks), each.session.pk if each.session else None, each.number]
        for block, each in found.items()
    }


def only_hanchan(hanchan: Hanchan) -> dict[str, object]:
    """Return the data of a hanchan and its table session, without seats."""
    return table_rows(hanchan.table_session, [hanchan], [], [], [], {})


def table_data(played: PlayedTable, moments: Mapping[int, GameMoments]) -> dict[str, object]:
    """Return the data of a table session.

    A hanchan without a result comes with all planned seats, those hidden from the public included.
    """
    return table_rows(
        played.table_session,
        [each.hanchan for each in played.hanchan],
        [seat for each in played.hanchan if not each.sheet for seat in each.hanchan.seats.all()],
        [each.sheet for each in played.hanchan if each.sheet],
        [seat for each in played.hanchan for seat in each.results],
        {each.hanchan.pk: moments[each.hanchan.pk] for each in played.hanchan if each.sheet},
    )


def table_rows(
    table: TableSession,
    hanchan: Iterable[Hanchan],
    seats: Collection[HanchanSeat],
    sheets: Iterable[ResultSheet],
    results: Collection[SeatResult],
    moments: Mapping[int, GameMoments],
) -> dict[str, object]:
    """Return a table session as it is stored; `players` are the ids of all players in its seats."""
    return {
        "table_session": dump_rows(TableSession, [table]),
        "hanchan": dump_rows(Hanchan, hanchan),
        "seats": dump_rows(HanchanSeat, seats),
        "sheets": dump_rows(ResultSheet, sheets),
        "results": dump_rows(SeatResult, results),
        "moments": [[pk, _text(each.finished_at), _text(each.published_at)] for pk, each in moments.items()],
        "players": sorted({seat.player_id for seat in seats} | {seat.player_id for seat in results}),
    }


def _text(at: dt.datetime | None) -> str | None:
    return at.isoformat() if at else None


def as_stored(data: Mapping[str, object]) -> dict[str, object]:
    """Return the data as they are after a round trip through JSON."""
    stored: dict[str, object] = json.loads(json.dumps(data))
    return stored
