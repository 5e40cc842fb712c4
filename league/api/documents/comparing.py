"""One game under every ruleset that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from league.api.documents.common import Document, cause_label, exact
from league.api.documents.rules import ruleset_head
from league.selectors.comparing import Column, Game, note_of
from scoring.settled import Line


def comparison_document(game: Game, columns: Sequence[Column]) -> Document:
    """The game, and what it comes to under each ruleset."""
    return {
        "scores": list(game.scores),
        "deposits": game.deposits,
        "chonbo": list(game.chonbo) or [0] * len(game.scores),
        "table_total": game.table_total,
        "results": [column_document(column) for column in columns],
    }


def column_document(column: Column) -> Document:
    """The game under one ruleset: places, totals and lines by seat, and what should be known about them."""
    settlement = column.settlement
    return {
        "ruleset": ruleset_head(column.book),
        "options": dict(column.options),
        "settled": settlement is not None,
        "notes": [
            {
                "code": problem.code,
                "level": problem.level.value,
                "pointer": f"/{problem.pointer}" if problem.pointer else "",
                "detail": note_of(problem, is_settled=settlement is not None),
            }
            for problem in column.problems
        ],
        "places": list(settlement.places) if settlement else [],
        "final_scores": list(settlement.final_scores) if settlement else [],
        "ledgers": list(_ledgers(column)),
        "lines": [_line(column, line) for line in settlement.lines] if settlement else [],
    }


def _ledgers(column: Column) -> Iterator[Document]:
    """Each ledger of the ruleset with its totals by seat."""
    for ledger in column.ruleset.ledgers if column.settlement else ():
        totals = column.settlement.totals[ledger.key] if column.settlement else ()
        yield {
            "key": ledger.key,
            "title": {"ja": ledger.title.ja, "en": ledger.title.en},
            "unit": ledger.unit.value,
            "ranks": ledger.ranks,
            "totals": [exact(str(Fraction(total, ledger.scale)), ledger) for total in totals],
        }


def _line(column: Column, line: Line) -> Document:
    """One amount of one seat, and why."""
    return {
        "seat": line.seat,
        "ledger": line.ledger,
        "amount": exact(str(line.amount), column.ruleset.ledger(line.ledger)),
        "cause": line.cause.value,
        "label": cause_label(line.cause.value),
        "clause": line.clause,
        "params": dict(line.params),
    }
