"""The lines of a ranking as a table for files, and the titles of a ladder's ranks."""

from __future__ import annotations

from collections.abc import Sequence

from league.files.writing_tables import Head, Sheet
from league.selectors.seasons.rankings import Board, RankingLine
from league.wording.names import title_in
from scoring.format import Ranking as RankingRules


def rank_title(rules: RankingRules, rank: int | None) -> str:
    """Return the title of a ladder's rank by its number; empty for other rankings."""
    return "" if rules.ladder is None or rank is None else title_in(rules.ladder.ranks[rank].title)


HEADS = (
    Head("place", "順位"),
    Head("key", "キー"),
    Head("player", "氏名"),
    Head("rank", "段級位"),
    Head("total", "トータル"),
    Head("exact", "正確な値"),
    Head("counting", "対象数"),
)


def line_sheet(board: Board, lines: Sequence[RankingLine]) -> Sheet:
    """Return the lines as a table; numbers are written for machines."""
    rows = [
        (
            line.place,
            line.player.key,
            str(line.player),
            rank_title(board.rules, line.rank),
            line.total,
            str(line.exact),
            line.counting,
        )
        for line in lines
        if line.player
    ]
    return Sheet(str(board.ranking), HEADS, rows)
