"""Worked examples of kind `furiten`: may a player win on a tile, or declare riichi with it?"""

from collections.abc import Iterator
from itertools import pairwise

from rulesets.example_kinds.round import round_of
from rulesets.example_kinds.shape import Context, Difference, Example
from scoring.furiten import Ask, Situation, may
from scoring.kyoku.state import play_of
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.base import Strict


class Asked(Strict):
    """What the player wants to do, with which tile."""

    by: Ask
    tile: str


class Expected(Strict):
    """Whether it is allowed."""

    allowed: bool


class FuritenExample(Example):
    """A waiting hand and the discards around it."""

    waits: str
    river: str = ""
    riichi: bool = False
    open: bool = False
    """The riichi is, or would be, declared with the hand shown."""
    seen_this_turn: str = ""
    passed: str = ""
    draws_since_furiten: int = 0
    tsumo_declared: bool = False
    round: str | None = None
    ask: Asked
    expect: Expected


def differences(example: FuritenExample, context: Context) -> Iterator[Difference]:
    """Ask, and compare the answer."""
    try:
        rules = context.ruleset.with_options(example.options)
    except OptionError as error:
        yield Difference("options", "options the book knows", str(error), is_error=True)
        return
    answer = may(example.ask.by, example.ask.tile, situation_of(example, rules), play_of(rules))
    if answer.allowed != example.expect.allowed:
        found = f"{str(answer.allowed).lower()} ({answer.bar or 'nothing bars it'})"
        yield Difference("allowed", str(example.expect.allowed).lower(), found)


def situation_of(example: FuritenExample, rules: Ruleset) -> Situation:
    """The hand as the engine takes it."""
    round_, number = round_of(example.round) if example.round else (None, 0)
    return Situation(
        waits=kinds(example.waits),
        river=kinds(example.river),
        riichi=example.riichi,
        open=example.open,
        tsumo_declared=example.tsumo_declared,
        seen_this_turn=kinds(example.seen_this_turn),
        passed=kinds(example.passed),
        draws_since_furiten=example.draws_since_furiten,
        round=round_,
        last_hand=round_ is rules.setup.rounds[-1] and number == rules.players,
    )


def kinds(tiles: str) -> tuple[str, ...]:
    """Tiles written together as their kinds: "14m" is one and four of characters, a red five is a five."""
    suits = iter(mark for mark in tiles if mark.isalpha())
    found: list[str] = []
    suit = ""
    for before, mark in pairwise(f"z{tiles}"):
        if mark.isdigit():
            suit = suit if before.isdigit() else next(suits)
            found.append(f"{mark.replace('0', '5')}{suit}")
    return tuple(found)
