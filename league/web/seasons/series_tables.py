"""The moves after a term, and its tables, as tables for files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from league.files.writing_tables import Cell, Head, Sheet
from league.selectors.seasons.series_moves import TermMoves
from league.web.seasons.ranking_tables import number
from league.web.seasons.series_lines import MoveLine, move_lines
from league.wording.names import person_name
from league.wording.seasons.series_moves import tier_title

MOVES = (
    Head("player", "キー"),
    Head("name", "氏名"),
    Head("from", "今期"),
    Head("rank", "順位"),
    Head("direction", "昇降"),
    Head("to", "行き先"),
    Head("seat", "来期の席"),
    Head("reason", "理由コード"),
    Head("text", "理由"),
    Head("rule", "規定"),
    Head("points", "昇級点"),
)
TABLES = (
    Head("tier", "級"),
    Head("title", "級名"),
    Head("competition", "大会"),
    Head("place", "順位"),
    Head("player", "キー"),
    Head("name", "氏名"),
    Head("affiliation", "所属"),
    Head("total", "トータル"),
    Head("played", "消化"),
    Head("is_final", "確定"),
)


def move_sheet(found: TermMoves) -> Sheet:
    """Return the moves as a table, a line for each player."""
    rows = [
        (
            line.move.player.key,
            person_name(line.move.player),
            line.move.movement.source,
            *_move_cells(line),
        )
        for line in move_lines(found, found.moves)
    ]
    return Sheet(_title(found), _named(MOVES, found), rows)


def _move_cells(line: MoveLine) -> Sequence[Cell]:
    movement = line.move.movement
    cells = (
        movement.rank,
        line.move.direction,
        movement.to,
        movement.seat,
        movement.reason.value,
        line.reason,
        line.rule,
        movement.points,
    )
    return cells if line.is_shown else (None,) * len(cells)


def table_sheet(found: TermMoves) -> Sheet:
    """Return the tables of all tiers that the reader may know, and of the competitions beside them, from the top."""
    rows = [
        (
            table.tier.key,
            tier_title(table.tier),
            table.competition.slug,
            row.place,
            row.player.key,
            person_name(row.player),
            row.entrant.affiliation,
            number(row.total) if row.standing else None,
            row.standing.played if row.standing else 0,
            int(table.is_finished),
        )
        for table in (*found.tables.tiers, *found.tables.outside)
        if table.competition is not None
        for row in table.rows
    ]
    return Sheet(_title(found), _named(TABLES, found), rows)


TERM_TABLES: Mapping[str, Callable[[TermMoves], Sheet]] = {"moves": move_sheet, "tables": table_sheet}


def no_such_term_table() -> str:
    """Return the message about a table that a term does not have."""
    return _("There is no such file. Take moves or tables, as csv, xlsx or json.")


def _named(heads: Sequence[Head], found: TermMoves) -> Sequence[Head]:
    """Return the columns with the word for names of teams where only teams play."""
    readable = [table for table in (*found.tables.tiers, *found.tables.outside) if table.reader is not None]
    is_of_teams = bool(readable) and all(table.is_of_teams for table in readable)
    return [Head("name", "チーム名") if is_of_teams and head.key == "name" else head for head in heads]


def _title(found: TermMoves) -> str:
    return f"{found.term.series} {found.term}"
