"""Value of a hand under one ruleset, or under all rulesets for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from league.selectors.access.readers import Visitor
from league.selectors.rulebooks.catalogue import CatalogueEntry, rulesets_for
from scoring.hand import Hand, HandProblem, HandValue, InvalidHandError, NoWin, Situation, score
from scoring.ruleset import TABLE_POINTS, Option, Ruleset

_HANDS = (
    "play.tiles.",
    "play.calls.chi",
    "play.calls.closed_kan_robbed_by",
    "play.nuki.",
    "play.pocchi.",
    "play.riichi.stake",
    "play.riichi.open.",
    "play.honba.",
    "play.win.",
    "play.value.",
    "play.payments.",
    "play.pao.",
    "play.dora.",
    "play.fu.",
    "play.yaku.",
    "play.yaku_rules.",
    "play.chips.",
    "setup.round_winds",
)
"""Prefixes of the ruleset paths that can change the value of a hand."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand scored under a ruleset: its value, the reason why it is no win, or faults of the input."""

    book: CatalogueEntry[Ruleset]
    rules: Ruleset
    """The ruleset with the chosen options applied."""
    hand: Hand
    situation: Situation
    answer: HandValue | NoWin | None
    problems: tuple[HandProblem, ...] = ()

    @property
    def value(self) -> HandValue | None:
        """Return the value of the hand, or None if it is not a win."""
        return self.answer if isinstance(self.answer, HandValue) else None

    @property
    def no_win(self) -> NoWin | None:
        """Return the reason why the hand may not win, or None."""
        return self.answer if isinstance(self.answer, NoWin) else None

    @property
    def options(self) -> Mapping[str, object]:
        """Return the house options with the values that were used."""
        return {key: option.default for key, option in self.rules.options.items()}

    def totals(self) -> dict[str, int]:
        """Return the winner's income in each ledger, table points with honba and deposits first."""
        found: dict[str, int] = {TABLE_POINTS: 0}
        for each in self.value.payments if self.value else ():
            found[each.ledger] = found.get(each.ledger, 0) + each.amount
        return found


def score_under(book: CatalogueEntry[Ruleset], rules: Ruleset, hand: Hand, situation: Situation) -> Scored:
    """Score a hand under a ruleset; raise NoHandsError if the ruleset does not define how hands are played."""
    try:
        return Scored(book, rules, hand, situation, score(hand, situation, rules))
    except InvalidHandError as error:
        return Scored(book, rules, hand, situation, None, error.problems)


def books_of_hands(visitor: Visitor | None) -> list[CatalogueEntry[Ruleset]]:
    """Return the rulesets visible to the visitor that define how hands are played."""
    return [book for book in rulesets_for(visitor).books() if book.value.play is not None]


def score_everywhere(hand: Hand, situation: Situation, books: Iterable[CatalogueEntry[Ruleset]]) -> list[Scored]:
    """Score a hand under each of these rulesets with house options at their defaults."""
    return [score_under(book, book.value, hand, situation) for book in books]


def options_of_hands(rules: Ruleset) -> dict[str, Option]:
    """Return the house options that can change the value of a hand."""
    return {key: option for key, option in rules.options.items() if any(map(_is_of_hands, _paths(option)))}


def _paths(option: Option) -> Iterator[str]:
    """Yield the ruleset paths that an option writes to."""
    for value in option.candidates():
        yield from (path for path, _setting in option.settings_of(value))


def _is_of_hands(path: str) -> bool:
    return path.startswith(_HANDS)
