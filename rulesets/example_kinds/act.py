"""Worked examples of kind `act`: a player's right to declare riichi, and the cost of an offence."""

from collections.abc import Iterator
from enum import StrEnum

from rulesets.example_kinds.round import Amounts, Before, state_of
from rulesets.example_kinds.shape import Context, Example, Mismatch, refusal
from scoring import kyoku
from scoring.kyoku.outcomes import Act, ChonboCalled, DeadHand, Draw, Offended, Riichi
from scoring.kyoku.state import InHand, State
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Strict


class What(StrEnum):
    """The act of the player."""

    RIICHI = "riichi"
    """Declare riichi."""
    OPEN_RIICHI = "open_riichi"
    """Declare it with the hand shown."""
    GIVE_UP = "give_up"
    """Give up the right to win in this hand."""
    OFFENCE = "offence"
    """An offence that the book lists."""


class Costs(StrEnum):
    """The cost of an offence."""

    CHONBO = "chonbo"
    """The hand is void at once."""
    CHONBO_AT_DRAW = "chonbo_at_draw"
    """The hand is void if it ends without a winner."""
    FINE = "fine"
    """A fine."""
    DEAD_HAND = "dead_hand"
    """The loss of the right to win in this hand."""
    REDECLARE = "redeclare"
    """The riichi has to be declared again."""


class ExpectedAct(Strict):
    """The results to compare; those left out are not compared."""

    allowed: bool | None = None
    costs: tuple[Costs, ...] | None = None
    may_riichi: bool | None = None
    """Afterwards the player may still declare riichi ..."""
    may_be_tenpai: bool | None = None
    """... or be tenpai at a draw."""


class ActExample(Example):
    """An act of a player in the course of a hand."""

    before: Before
    riichi: Amounts = ()
    """The seats already in riichi."""
    seat: int
    act: What
    offence: str = ""
    expect: ExpectedAct = ExpectedAct()
    """Left out if the act is refused."""


def differences(example: ActExample, context: Context) -> Iterator[Mismatch]:
    """Let the player act, and yield the differences from the expected results."""
    try:
        rules = context.ruleset.with_options(example.options)
        before = _with_riichi(state_of(example.before), example.riichi, rules)
        if example.refused:
            kyoku.act_on(before, _act(example), rules)
        found = _found(example, before, rules)
    except ValueError as error:
        yield from refusal(example, "act", "something that can be done", error)
        return
    if example.refused:
        yield from refusal(example, "act", "", None)
        return
    for key, expected in example.expect:
        if expected is not None and found[key] != expected:
            yield Mismatch(key, expected, found[key])


def _with_riichi(state: State, seats: Amounts, rules: Ruleset) -> State:
    for seat in seats:
        state = kyoku.act_on(state, Riichi(seat), rules)
    return state


def _found(example: ActExample, before: State, rules: Ruleset) -> dict[str, object]:
    act = _act(example)
    if kyoku.verify_act(before, act, rules):
        return {"allowed": False, "costs": _void(example, before, rules), "may_riichi": False, "may_be_tenpai": False}
    after = kyoku.act_on(before, act, rules)
    return {
        "allowed": True,
        "costs": tuple(_costs(example.seat, after.hand)),
        "may_riichi": not kyoku.verify_act(after, Riichi(example.seat), rules),
        "may_be_tenpai": not kyoku.verify(after, Draw(tenpai=(example.seat,)), rules),
    }


def _act(example: ActExample) -> Act:
    if example.act is What.OFFENCE:
        return Offended(example.seat, example.offence)
    if example.act is What.GIVE_UP:
        return DeadHand(example.seat)
    return Riichi(example.seat, open=example.act is What.OPEN_RIICHI)


def _void(example: ActExample, before: State, rules: Ruleset) -> tuple[Costs, ...]:
    """Return a chonbo for an offence that voids the hand at once, so is no act; empty if the book does not list it."""
    outcome = ChonboCalled(offenders=(example.seat,), offence=example.offence)
    return () if not example.offence or kyoku.verify(before, outcome, rules) else (Costs.CHONBO,)


def _costs(seat: int, hand: InHand) -> Iterator[Costs]:
    if any(each.seat == seat for each in hand.pending):
        yield Costs.CHONBO_AT_DRAW
    if seat in hand.fines:
        yield Costs.FINE
    if seat in hand.dead:
        yield Costs.DEAD_HAND
    if seat in hand.redeclare:
        yield Costs.REDECLARE
