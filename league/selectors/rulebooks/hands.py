"""A hand under one ruleset, or under all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from league.selectors.access.readers import Visitor
from league.selectors.rulebooks.catalogue import Book, rulesets_for
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
"""The parts of a ruleset that can change what a hand is worth."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand under a ruleset: its value, why it is no win, or what cannot be."""

    book: Book[Ruleset]
    rules: Ruleset
    """With the options chosen."""
    hand: Hand
    situation: Situation
    answer: HandValue | NoWin | None
    problems: tuple[HandProblem, ...] = ()

    @property
    def value(self) -> HandValue | None:
        """What it is worth, if it is a win."""
        return self.answer if isinstance(self.answer, HandValue) else None

    @property
    def no_win(self) -> NoWin | None:
        """Why it may not be won, if it may not."""
        return self.answer if isinstance(self.answer, NoWin) else None

    @property
    def options(self) -> Mapping[str, Any]:
        """The house options with the values scored under."""
        return {key: option.default for key, option in self.rules.options.items()}

    def totals(self) -> dict[str, int]:
        """What the winner gets in each ledger, table points with honba and deposits first."""
        found: dict[str, int] = {TABLE_POINTS: 0}
        for each in self.value.payments if self.value else ():
            found[each.ledger] = found.get(each.ledger, 0) + each.amount
        return found


def score_under(book: Book[Ruleset], rules: Ruleset, hand: Hand, situation: Situation) -> Scored:
    """A hand under a ruleset that says how hands are played; raise NoHandsError under any other."""
    try:
        return Scored(book, rules, hand, situation, score(hand, situation, rules))
    except InvalidHandError as error:
        return Scored(book, rules, hand, situation, None, error.problems)


def books_of_hands(visitor: Visitor | None) -> list[Book[Ruleset]]:
    """The rulesets that say how hands are played."""
    return [book for book in rulesets_for(visitor).books() if book.value.play is not None]


def score_everywhere(hand: Hand, situation: Situation, books: Iterable[Book[Ruleset]]) -> list[Scored]:
    """A hand under every one of these rulesets, house options at their defaults."""
    return [score_under(book, book.value, hand, situation) for book in books]


def options_of_hands(rules: Ruleset) -> dict[str, Option]:
    """The house options that can change what a hand is worth."""
    return {key: option for key, option in rules.options.items() if any(map(_is_of_hands, _paths(option)))}


def _paths(option: Option) -> Iterator[str]:
    """Where an option writes."""
    for value in option.candidates():
        yield from (path for path, _setting in option.written(value))


def _is_of_hands(path: str) -> bool:
    return path.startswith(_HANDS)
