"""Comparison of rulesets: the final scores of one game, settled side by side under every ruleset that fits them.

A game fits a ruleset if the number of players and the total of points at the table agree. Input that a book has
no use for is left out of its column with a note; a book that cannot settle the game says why, and the others
are still shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from league.selectors.access.readers import Visitor
from league.selectors.rulebooks.catalogue import CatalogueEntry, rulesets_for
from league.wording.formatting import score_text
from league.wording.messages import line_name, problem_message
from league.wording.names import title_in
from scoring.problems import InvalidResultError, ResultProblem, Severity, problems
from scoring.ruleset import Ledger, Ruleset
from scoring.settlement import HanchanResult, LineCause, Settlement, settle

LARGEST_SCORE = 10_000_000
FEWEST, MOST = 3, 4
MOST_CHONBO = 99


class NotComparableError(ValueError):
    """Raised for a game that fits no ruleset; `field` names the input to check, the message says what to do."""

    def __init__(self, field: str, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.field, self.code, self.message, self.params = field, code, message, params


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """Final scores as entered in the form."""

    scores: tuple[int, ...]
    """By seat from the first dealer, in points; deposits left on the table are not included."""
    deposits: int = 0
    chonbo: tuple[int, ...] = ()

    @property
    def table_total(self) -> int:
        """Return the sum of all points at the table, deposits included."""
        return sum(self.scores) + self.deposits

    @property
    def result(self) -> HanchanResult:
        """Return the game as input of the engine."""
        return HanchanResult(scores=self.scores, kyoutaku=self.deposits, chonbo=self.chonbo)


@dataclass(frozen=True, slots=True)
class LinesOfCause:
    """The amounts of one cause and clause in one ledger by seat; None for a seat without an amount."""

    ledger: str
    cause: str
    clause: str
    amounts: tuple[Fraction | None, ...]
    floating: int | None = None
    """The number of floating players that decided over the amounts, if any did."""

    @property
    def title(self) -> str:
        """Return the cause in words, with what decided."""
        return line_name(self.cause, {"floating": self.floating})


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """The game settled under one ruleset with its options at their defaults."""

    book: CatalogueEntry[Ruleset]
    settlement: Settlement | None
    problems: tuple[ResultProblem, ...] = ()
    """The reasons why it cannot be settled; if it is settled, notes on input that was ignored or should be checked."""

    @property
    def ruleset(self) -> Ruleset:
        """Return the ruleset of this column."""
        return self.book.value

    @property
    def options(self) -> Mapping[str, object]:
        """Return the house options with the default values that were used."""
        return {key: option.default for key, option in self.ruleset.options.items()}

    @property
    def ranking_totals(self) -> tuple[int, ...]:
        """Return the totals of the ranking ledger by seat; empty if the game was not settled."""
        return self.settlement.totals[self.ruleset.ranking_ledger.key] if self.settlement else ()

    def lines_by_cause(self) -> list[LinesOfCause]:
        """Return the settlement's lines grouped by ledger, cause and clause, in the order of the settlement."""
        rows: dict[tuple[str, str, str], list[Fraction | None]] = {}
        floating = self.settlement.floating_count if self.settlement else None
        for line in self.settlement.lines if self.settlement else ():
            row = rows.setdefault((line.ledger, line.cause.value, line.clause), [None] * self.ruleset.players)
            row[line.seat] = (row[line.seat] or Fraction(0)) + line.amount
        return [
            LinesOfCause(*key, tuple(row), floating if key[1] == LineCause.UMA else None) for key, row in rows.items()
        ]

    def ledgers(self) -> Iterator[tuple[Ledger, tuple[int, ...], list[LinesOfCause]]]:
        """Yield each ledger that ranks or has lines, with its totals by seat and its lines."""
        lines = self.lines_by_cause()
        for ledger in self.ruleset.ledgers:
            own = [row for row in lines if row.ledger == ledger.key]
            if self.settlement and (own or ledger.ranks):
                yield ledger, self.settlement.totals[ledger.key], own


def first_comparable(
    games: Sequence[ComparedGame], visitor: Visitor | None
) -> tuple[ComparedGame, list[ComparedColumn]]:
    """Return the first of several readings of the input that fits some ruleset, with its columns.

    Raise NotComparableError about the last reading if none fits.
    """
    for game in games[:-1]:
        try:
            return game, comparison(game, visitor)
        except NotComparableError:
            continue
    return games[-1], comparison(games[-1], visitor)


def comparison(game: ComparedGame, visitor: Visitor | None) -> list[ComparedColumn]:
    """Return a column for every ruleset with this number of players and this total of points.

    Raise NotComparableError if there is no such ruleset or the scores are impossible.
    """
    refuse_impossible(game)
    books = list(rulesets_for(visitor).books())
    fitting = [book for book in books if fits(game, book.value)]
    if not fitting:
        raise no_ruleset(game, [book.value for book in books])
    return [column(game, book) for book in fitting]


def fits(game: ComparedGame, ruleset: Ruleset) -> bool:
    """Return True if the number of players and the total of points agree with the ruleset."""
    return (len(game.scores), game.table_total) == (ruleset.players, ruleset.table_total)


def refuse_impossible(game: ComparedGame) -> None:
    """Raise NotComparableError for input that can be no game under any ruleset.

    There are three or four scores of at most 10,000,000, and deposits and chonbo are not negative.
    """
    players = len(game.scores)
    if not FEWEST <= players <= MOST:
        message = _("Enter three or four scores; there are %(count)s.") % {"count": players}
        raise NotComparableError("scores", "score_count", message, count=players)
    for field, score in (*(("scores", score) for score in game.scores), ("deposits", game.deposits)):
        if abs(score) > LARGEST_SCORE:
            message = _("%(score)s is more than a table can hold.") % {"score": score_text(score)}
            raise NotComparableError(field, "score_range", message, score=score)
    if game.deposits < 0:
        message = _("The deposits left on the table cannot be negative.")
        raise NotComparableError("deposits", "kyoutaku_negative", message, deposits=game.deposits)
    if game.chonbo and (len(game.chonbo) != players or not all(0 <= count <= MOST_CHONBO for count in game.chonbo)):
        message = _("Enter how many chonbo there were for each of the %(players)s players, 0 or more.")
        raise NotComparableError("chonbo", "chonbo_count", message % {"players": players}, players=players)


def no_ruleset(game: ComparedGame, rulesets: Iterable[Ruleset]) -> NotComparableError:
    """Return the error for a total that fits no ruleset; it lists the totals that there are."""
    totals: dict[int, list[str]] = {}
    for ruleset in rulesets:
        if ruleset.players == len(game.scores):
            totals.setdefault(ruleset.table_total, []).append(title_in(ruleset.title))
    known = "; ".join(f"{score_text(total)} ({', '.join(names)})" for total, names in sorted(totals.items()))
    message = _(
        "Scores and deposits add up to %(total)s. No ruleset for %(players)s players has so many points on the table; "
        "there are: %(known)s. Check the scores and the deposits."
    ) % {"total": score_text(game.table_total), "players": len(game.scores), "known": known}
    return NotComparableError("scores", "table_sum", message, total=game.table_total, known=sorted(totals))


def column(game: ComparedGame, book: CatalogueEntry[Ruleset]) -> ComparedColumn:
    """Settle the game under one ruleset.

    Chonbo are left out with a note where the book has them paid at the table.
    """
    result, notes = game.result, []
    if book.value.settlement.chonbo is None and any(game.chonbo):
        notes = [problem for problem in problems(result, book.value) if problem.code == "chonbo_unused"][:1]
        result = replace(result, chonbo=())
    notes += [problem for problem in problems(result, book.value) if problem.level is Severity.WARNING]
    try:
        return ComparedColumn(book, settle(result, book.value), tuple(notes))
    except InvalidResultError as error:
        return ComparedColumn(book, None, error.problems)


def notes_of(found: ComparedColumn) -> Sequence[str]:
    """Return the column's problems as sentences."""
    return [note_of(problem, is_settled=found.settlement is not None) for problem in found.problems]


def note_of(problem: ResultProblem, *, is_settled: bool) -> str:
    """Return a problem as a sentence worded for the comparison, where nothing can be entered in a result."""
    if problem.code == "chonbo_unused":
        return _("Here a chonbo is paid at the table; none was reckoned.")
    if problem.code == "tobi_missing" and is_settled:
        return _("Out with %(score)s points: the prize for it is not reckoned, since it is not known who gets it.") % {
            "score": score_text(int(str(problem.params["score"])))
        }
    if problem.code == "score_not_multiple":
        shown = {key: score_text(int(str(problem.params[key]))) for key in ("score", "unit")}
        return _("Scores are multiples of %(unit)s here; %(score)s is none.") % shown
    return problem_message(problem)
