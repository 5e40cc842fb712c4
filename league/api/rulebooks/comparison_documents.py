"""Comparison documents: one game settled under every ruleset that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pydantic import Field

from league.platform.errors import Level
from league.selectors.rulebooks.comparison import ComparedColumn, ComparedGame, note_of
from league.web.document_parts import InBoth, LineDocument, OfSeat, cause_label, exact, line_floating
from league.web.documents import Amount, Document, Values
from league.web.live.hand_documents import RulesetHead, ruleset_head
from scoring.ruleset.ledgers import Unit
from scoring.settled import Line


class ComparedLedger(Document):
    """A ledger of a ruleset with the total of each seat."""

    key: str = Field(description="The ledger's key in the ruleset.")
    title: InBoth
    unit: Unit = Field(description="The unit it counts.")
    ranks: bool = Field(description="Standings are made of this ledger.")
    totals: list[Amount] = Field(description="The totals by seat.")


class ComparedLine(LineDocument, OfSeat):
    """One amount of one seat in the settlement."""


class ComparedNote(Document):
    """A reason why the game cannot be settled, or an input that was left out."""

    code: str = Field(description="The problem's code.")
    level: Level = Field(description="An error keeps the game from being settled, a warning does not.")
    pointer: str = Field(description="A JSON pointer to what it is about; empty for the whole game.")
    detail: str = Field(description="A sentence in the client's language.")


class Compared(Document):
    """The game under one ruleset with its options at their defaults."""

    ruleset: RulesetHead
    options: Values = Field(description="The house options and the values it was settled under.")
    settled: bool = Field(description="The game can be settled under this ruleset.")
    notes: list[ComparedNote] = Field(description="Reasons it cannot be settled, and inputs that were left out.")
    places: list[int] = Field(description="By seat; empty where it cannot be settled.")
    final_scores: list[int] = Field(description="By seat, with the deposits given out.")
    ledgers: list[ComparedLedger] = Field(
        description="The ledgers with their totals; empty where it cannot be settled."
    )
    lines: list[ComparedLine] = Field(description="Every line of the settlement in the order of the rules.")


class Comparison(Document):
    """One game under every ruleset for the same number of players and total of points."""

    scores: list[int] = Field(description="The final scores by seat.")
    deposits: int = Field(description="Points of the deposits left on the table.")
    chonbo: list[int] = Field(description="The number of chonbo by seat.")
    table_total: int = Field(description="The points on the table.")
    results: list[Compared] = Field(description="The game under each ruleset.")


def comparison_document(game: ComparedGame, columns: Sequence[ComparedColumn]) -> Comparison:
    """Return the game and its settlement under each ruleset."""
    return Comparison.build(
        game,
        chonbo=game.chonbo or [0] * len(game.scores),
        results=[column_document(column) for column in columns],
    )


def column_document(column: ComparedColumn) -> Compared:
    """Return the game under one ruleset: places, totals and lines by seat, and notes on them."""
    settlement = column.settlement
    return Compared(
        ruleset=ruleset_head(column.book),
        options=dict(column.options),
        settled=settlement is not None,
        notes=[
            ComparedNote.build(
                problem,
                level=Level(problem.level),
                pointer=f"/{problem.pointer}" if problem.pointer else "",
                detail=note_of(problem, is_settled=settlement is not None),
            )
            for problem in column.problems
        ],
        places=list(settlement.places) if settlement else [],
        final_scores=list(settlement.final_scores) if settlement else [],
        ledgers=list(_ledgers(column)),
        lines=[_line(column, line) for line in settlement.lines] if settlement else [],
    )


def _ledgers(column: ComparedColumn) -> Iterator[ComparedLedger]:
    """Yield each ledger of the ruleset with its totals by seat."""
    for ledger in column.ruleset.ledgers if column.settlement else ():
        totals = column.settlement.totals[ledger.key] if column.settlement else ()
        yield ComparedLedger.build(
            ledger, totals=[exact(str(Fraction(total, ledger.scale)), ledger) for total in totals]
        )


def _line(column: ComparedColumn, line: Line) -> ComparedLine:
    """Return one amount of one seat, with its cause."""
    amount = exact(str(line.amount), column.ruleset.ledger(line.ledger))
    return ComparedLine.build(line, amount=amount, label=cause_label(line.cause.value, line_floating(line.params)))
