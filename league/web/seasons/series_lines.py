"""The lines of a term's moves: each player with goal, reason, points and decision, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.selectors.seasons.series_faults import names_in
from league.selectors.seasons.series_moves import PlayerMove, TermMoves, rank_in_tier
from league.selectors.seasons.series_tables import TierTable
from league.wording.seasons.series_moves import gains_text, goal_text, reason_text, tier_title
from league.wording.seasons.series_sentences import tier_titles
from scoring.format import Series as SeriesRules


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A player's line."""

    move: PlayerMove
    rank: int | None
    """The rank in the tier that the player comes from."""
    direction: str
    """The direction in words: up, down, stays, joins, leaves, open."""
    goal: str
    reason: str
    rule: str
    """The rule as the file has it, such as “B1#1-2 → A2”; empty for decisions and for those who stay."""
    source: str
    """The title of the tier that the player comes from."""
    is_shown: bool
    """False while the tier has no result."""


def move_lines(found: TermMoves, moves: Iterable[PlayerMove]) -> list[MoveLine]:
    """Return the lines of these moves."""
    titles, names = tier_titles(found.rules), names_in(found)
    return [
        MoveLine(
            move,
            rank_in_tier(found.rules, move.movement, move.row),
            direction_text(move.direction),
            goal_text(move.movement, titles),
            reason_text(move.movement, found.rules, names, found.scale_of(move.movement)),
            rule_text(found.rules, move.movement.rule),
            titles.get(move.movement.source, move.movement.source),
            found.is_shown(move.movement),
        )
        for move in moves
    ]


@dataclass(frozen=True, slots=True)
class TierMoves:
    """A tier of the term with the lines of its players."""

    table: TierTable
    title: str
    lines: tuple[MoveLine, ...]


def tier_moves(tables: Iterable[TierTable], lines: Sequence[MoveLine]) -> list[TierMoves]:
    """Return the tiers of a term, and the competitions beside them, with those of the lines that begin there."""
    return [
        TierMoves(
            table, tier_title(table.tier), tuple(line for line in lines if line.move.movement.source == table.tier.key)
        )
        for table in tables
    ]


def direction_text(direction: str) -> str:
    """Return the word for a direction."""
    words = {
        "up": _("promotion"),
        "down": _("relegation"),
        "stays": pgettext("a series", "stays"),
        "in": pgettext("a series", "joins"),
        "out": pgettext("a series", "leaves"),
        "open": _("to be decided"),
    }
    return words[direction]


def rule_text(rules: SeriesRules, path: str) -> str:
    """Return the rule at a path of the series file as the file has it; a name for the ledger and for filling."""
    move = rules.move_at(path)
    if move is not None:
        return f"{move.source} → {move.to}"
    name = path.partition(".")[0]
    return {"ledger": _("promotion points"), "fill": _("filling of a tier")}.get(name, "")


@dataclass(frozen=True, slots=True)
class PointsLine:
    """The promotion points that a player takes into the next term."""

    move: PlayerMove
    points: int
    text: str
    """The terms that they come from."""


def points_lines(found: TermMoves) -> list[PointsLine]:
    """Return the players with promotion or relegation points left, most points first; none of a tier not begun."""
    lines = [
        PointsLine(move, sum(gain.points for gain in gains), gains_text(gains))
        for move in found.moves
        if move.movement.source and found.is_shown(move.movement) and (gains := found.points.get(move.movement.player))
    ]
    return sorted(lines, key=lambda line: -line.points)
