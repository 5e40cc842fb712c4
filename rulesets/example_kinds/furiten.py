"""Worked examples of kind `furiten`: a player's right to win on a tile, or to declare riichi with it."""

from collections.abc import Iterator
from itertools import pairwise

from rulesets.example_kinds.round import round_of
from rulesets.example_kinds.shape import Context, Example, Mismatch
from scoring.hand.furiten import Ask, FuritenSituation, check_action
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.base import Strict


class FuritenQuestion(Strict):
    """The act that the player wants, and the tile."""

    by: Ask
    tile: str


class ExpectedFuriten(Strict):
    """The expected answer."""

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
    ask: FuritenQuestion
    expect: ExpectedFuriten


def differences(example: FuritenExample, context: Context) -> Iterator[Mismatch]:
    """Ask the engine, and yield a difference if its answer is not the expected one."""
    try:
        rules = context.ruleset.with_options(example.options)
    except OptionError as error:
        yield Mismatch("options", "options the book knows", str(error), is_error=True)
        return
    answer = check_action(example.ask.by, example.ask.tile, situation_of(example, rules), rules.hand_rules)
    if answer.allowed != example.expect.allowed:
        found = f"{str(answer.allowed).lower()} ({answer.bar or 'nothing bars it'})"
        yield Mismatch("allowed", str(example.expect.allowed).lower(), found)


def situation_of(example: FuritenExample, rules: Ruleset) -> FuritenSituation:
    """Return the example's hand as the engine's record."""
    round_, number = round_of(example.round) if example.round else (None, 0)
    return FuritenSituation(
        waits=kinds(example.waits),
        river=kinds(example.river),
        riichi=example.riichi,
        open=example.open,
        tsumo_declared=example.tsumo_declared,
        seen_this_turn=kinds(example.seen_this_turn),
        passed=kinds(example.passed),
        draws_since_furiten=example.draws_since_furiten,
        round=round_,
        last_hand=rules.is_last_hand(round_, number),
    )


def kinds(tiles: str) -> tuple[str, ...]:
    """Return tiles written together as kinds: "14m" is one and four of characters, and a red five is a five."""
    suits = iter(mark for mark in tiles if mark.isalpha())
    found: list[str] = []
    suit = ""
    # A digit after a letter starts a new group; the letter in front of the first one is a stand-in.
    for before, mark in pairwise(f"z{tiles}"):
        if mark.isdigit():
            suit = suit if before.isdigit() else next(suits)
            found.append(f"{mark.replace('0', '5')}{suit}")
    return tuple(found)
