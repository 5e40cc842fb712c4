"""A ranking as tables for files, its lines and their sums term by term, and the titles of a ladder's ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils.translation import gettext as _

from league.files.writing_tables import Cell, Head, Sheet
from league.models import Player
from league.selectors.seasons.rankings import Board, RankingLine
from league.wording.names import title_in
from league.wording.seasons.rankings import moved_text, status_text
from scoring.format import Ranking as RankingRules
from scoring.rankings.ladder import LadderStep


def rank_title(rules: RankingRules, rank: int | None) -> str:
    """Return the title of a ladder's rank by its number; empty for other rankings."""
    return "" if rules.ladder is None or rank is None else title_in(rules.ladder.ranks[rank].title)


MOST_DECIMALS = 6
HEADS = (
    Head("place", "順位"),
    Head("key", "キー"),
    Head("player", "氏名"),
    Head("rank", "段級位"),
    Head("total", "トータル"),
    Head("exact", "正確な値"),
    Head("counting", "対象数"),
)
PERSON = (Head("key", "キー"), Head("player", "氏名"))
EVENT = (Head("competition", "大会"), Head("event", "大会名"), Head("day", "日付"))
TERMS = (
    *PERSON,
    *EVENT,
    Head("place", "順位"),
    Head("players", "人数"),
    Head("base", "基礎点"),
    Head("weight", "重み"),
    Head("factor", "経過係数"),
    Head("product", "積"),
    Head("status", "扱い"),
)
RATING_STEPS = (
    *PERSON,
    *EVENT,
    Head("place", "着順"),
    Head("coefficient", "係数"),
    Head("worth", "着順の値"),
    Head("mean", "卓の平均"),
    Head("before", "対局前"),
    Head("change", "増減"),
    Head("after", "対局後"),
)
LADDER_STEPS = (
    *PERSON,
    *EVENT,
    Head("place", "着順"),
    Head("rank_before", "対局前の段級位"),
    Head("before", "対局前"),
    Head("change", "増減"),
    Head("rank", "対局後の段級位"),
    Head("after", "対局後"),
    Head("moved", "昇降"),
)


def line_sheet(board: Board, lines: Sequence[RankingLine]) -> Sheet:
    """Return the lines as a table; numbers are written for machines."""
    rows = [
        (
            line.place,
            line.player.key,
            str(line.player),
            rank_title(board.rules, line.rank),
            number(line.total),
            number(line.exact),
            line.counting,
        )
        for line in lines
        if line.player
    ]
    return Sheet(str(board.ranking), _named(HEADS, lines), rows)


def term_sheet(board: Board, lines: Sequence[RankingLine]) -> Sheet:
    """Return every term of every sum as a table: for each player the results, or the games, that make the total."""
    people = [line.player for line in lines if line.player]
    if board.reckoned is not None:
        return Sheet(str(board.ranking), _named(TERMS, lines), _terms(board, people))
    heads = LADDER_STEPS if board.rules.ladder is not None else RATING_STEPS
    return Sheet(str(board.ranking), heads, _steps(board, people))


def has_only_teams(lines: Sequence[RankingLine]) -> bool:
    """Return True if all lines are those of teams, and there are some."""
    players = [line.player for line in lines if line.player]
    return bool(players) and all(player.is_team for player in players)


def _named(heads: Sequence[Head], lines: Sequence[RankingLine]) -> Sequence[Head]:
    """Return the columns with the word for names of teams where only teams are ranked."""
    is_of_teams = has_only_teams(lines)
    return [Head("player", "チーム名") if is_of_teams and head.key == "player" else head for head in heads]


RANKING_TABLES: Mapping[str, Callable[[Board, Sequence[RankingLine]], Sheet]] = {
    "ranking": line_sheet,
    "terms": term_sheet,
}


def no_such_ranking_table() -> str:
    """Return the message about a table that a ranking does not have."""
    return _("There is no such file. Take ranking or terms, as csv, xlsx or json.")


def number(amount: Fraction | str) -> Decimal | str:
    """Return an amount as a decimal number if it is one with few digits, else as a fraction in text."""
    text = str(amount)
    if "/" not in text:
        return Decimal(text)
    exact = Fraction(amount)
    scaled = exact * 10**MOST_DECIMALS
    if scaled.denominator != 1:
        return text
    return Decimal(scaled.numerator).scaleb(-MOST_DECIMALS).normalize()


def _event_cells(board: Board, event: int) -> tuple[Cell, Cell]:
    competition = board.events[event].competition
    return competition.slug, str(competition)


def _terms(board: Board, people: Sequence[Player]) -> Iterator[Sequence[Cell]]:
    """Yield the results of each person, the newest first."""
    for player in people:
        for term in board.reckoned.sum_of(player.pk).terms if board.reckoned else ():
            if term.event in board.events:
                event = board.events[term.event]
                yield (
                    player.key,
                    str(player),
                    *_event_cells(board, term.event),
                    event.day.isoformat(),
                    term.result.place,
                    board.reckoned.events[term.event].players if board.reckoned else None,
                    *map(number, (term.base, term.weight, term.factor, term.product)),
                    status_text(term.status),
                )


def _steps(board: Board, people: Sequence[Player]) -> Iterator[Sequence[Cell]]:
    """Yield the games of each person in the order of play."""
    for player in people:
        for step in board.steps.get(player.pk, ()):
            if step.game.event in board.events:
                yield (
                    player.key,
                    str(player),
                    *_event_cells(board, step.game.event),
                    step.game.day.isoformat(),
                    step.place,
                    *(_climbed(board, step) if isinstance(step, LadderStep) else _rated(step)),
                )


def _climbed(board: Board, step: LadderStep[int]) -> Sequence[Cell]:
    return (
        rank_title(board.rules, step.rank_before),
        number(step.before),
        number(step.change),
        rank_title(board.rules, step.rank),
        number(step.after),
        moved_text(step.moved),
    )


def _rated(step: object) -> Sequence[Cell]:
    return [number(getattr(step, name)) for name in ("coefficient", "worth", "mean", "before", "change", "after")]
