"""Form of hypothetical final scores as query parameters, so that the address can be shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from league.selectors.standings.what_if import HypotheticalResult, RefusedTrialError, TableInPlay
from league.wording.formatting import ScoreTextError, parse_score
from league.wording.messages import problem_message


@dataclass
class TypedTable:
    """Texts typed for one table, with their errors or the trial they describe."""

    table: TableInPlay
    scores: list[str]
    deposits: str
    errors: list[str] = field(default_factory=list)
    trial: HypotheticalResult | None = None

    @property
    def name(self) -> str:
        """The parameter with the scores."""
        return f"s{self.table.hanchan.pk}"

    @property
    def deposits_name(self) -> str:
        """The parameter with the deposits left on the table."""
        return f"d{self.table.hanchan.pk}"

    @property
    def unit(self) -> int:
        """The points of one step of a typed score."""
        return self.table.ruleset.entry.unit

    @property
    def has_deposits(self) -> bool:
        """Return True if the rules settle deposits left on the table."""
        return self.table.ruleset.settlement.kyoutaku is not None

    @property
    def seats(self) -> list[tuple[object, str]]:
        """Each seat's entrant with the text typed."""
        return [(seat.entrant, text) for seat, text in zip(self.table.seats, self.scores, strict=True)]

    @property
    def is_empty(self) -> bool:
        """Return True if no score was typed."""
        return not any(self.scores)


class WhatIfForm:
    """All tables in play with hypothetical scores. One score left empty is computed from the table's total."""

    def __init__(self, asked: QueryDict, tables: Sequence[TableInPlay]) -> None:
        self.tables = [_typed(asked, table) for table in tables]
        for typed in self.tables:
            _read(typed)

    @property
    def trials(self) -> list[HypotheticalResult]:
        """The trials that can be computed."""
        return [typed.trial for typed in self.tables if typed.trial]

    @property
    def has_errors(self) -> bool:
        """Return True if some table has an error."""
        return any(typed.errors for typed in self.tables)

    def take(self, refused: RefusedTrialError) -> None:
        """Show at its table why a trial cannot be settled, and drop it so that the others are computed."""
        for typed in self.tables:
            if typed.trial is refused.trial:
                typed.errors += [problem_message(each) for each in refused.problems]
                typed.trial = None


def _typed(asked: QueryDict, table: TableInPlay) -> TypedTable:
    """Return the texts of one table, one for each seat; the scores may be repeated parameters or one with commas."""
    texts = asked.getlist(f"s{table.hanchan.pk}")
    if len(texts) == 1:
        texts = texts[0].split(",")
    texts = [text.strip() for text in texts][: len(table.seats)]
    texts += [""] * (len(table.seats) - len(texts))
    return TypedTable(table, texts, asked.get(f"d{table.hanchan.pk}", "").strip())


def _read(typed: TypedTable) -> None:
    """Parse the texts of a table into its trial, or add the error."""
    if typed.is_empty:
        return
    if typed.scores.count("") > 1:
        typed.errors.append(_("Enter the scores; one may be left empty and takes what the others leave."))
        return
    try:
        scores = [parse_score(text, unit=typed.unit) if text else None for text in typed.scores]
        kyoutaku = parse_score(typed.deposits, unit=1) if typed.deposits else 0
    except ScoreTextError as error:
        typed.errors.append(str(error))
        return
    rest = typed.table.ruleset.table_total - kyoutaku - sum(score or 0 for score in scores)
    filled = tuple(rest if score is None else score for score in scores)
    typed.trial = HypotheticalResult(typed.table, filled, kyoutaku)
