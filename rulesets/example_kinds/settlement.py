"""Worked examples of kind `settlement`: a finished game and its settlement.

Files spell the same thing differently (`chips`, `chips_p`, `g`, `tobi`, `busts`); each spelling is one small
function here that reads it from a settlement.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, Protocol

from pydantic import Field

from rulesets.example_kinds.shape import Absent, Context, Example, Mismatch, refusal
from scoring.hanchan_result import BustPayment, HanchanResult
from scoring.problems import Severity, problems
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.base import Amount, Strict
from scoring.settled import LineCause, Settlement
from scoring.settlement import InvalidResultError, settle

Pairs = tuple[tuple[int, int], ...]
Amounts = tuple[Amount, ...]


class HasLedger(Protocol):
    """A rule whose amounts go into one ledger."""

    @property
    def ledger(self) -> str:
        """The ledger's key."""
        ...


class BustPaymentTable(Strict):
    """The payments by which a player went out."""

    payer: int = Field(alias="from")
    had: int
    due: Pairs


class ExpectedSettlement(Strict):
    """The results to compare; every file's spelling is a key of its own."""

    placement: tuple[int, ...] | None = None
    final_scores: tuple[int, ...] | None = None
    points: Amounts | None = None
    uma: Amounts | None = None
    tobi_points: Amounts | None = None
    tobi: Pairs | None = None
    chips: Amounts | None = None
    chips_p: Amounts | None = None
    g: Amounts | None = None
    total_g: Amounts | None = None
    fee_yen: Amounts | None = None
    end: Amounts | None = None
    bust: Amounts | None = None
    units: Amounts | None = None
    house_fee: Amount | None = None
    net: Amounts | None = None
    top: int | None = None
    top_type: str | None = None
    gentsuu: bool | None = None
    floating: tuple[bool, ...] | None = None
    next_starting_dealer: int | Literal["drawn"] | None = None


class SettlementExample(Example):
    """A finished game -> places, scores, amounts in each ledger."""

    scores: tuple[int, ...]
    deposits: int = 0
    chonbo: tuple[int, ...] = ()
    chips: tuple[int, ...] | None = None
    chips_p: tuple[int, ...] | None = None
    tobi: Pairs = ()
    busts: Pairs = ()
    bust_payments: BustPaymentTable | None = None
    substitutes: tuple[int, ...] = ()
    """Seats of substitutes, in books that give them a flat account."""
    forced_top: int | None = None
    warnings: tuple[str, ...] | None = None
    """The codes of warnings that the scorer has to confirm."""
    expect: ExpectedSettlement = ExpectedSettlement()
    """Left out if the result is refused."""


def differences(example: SettlementExample, context: Context) -> Iterator[Mismatch]:
    """Settle the game and yield the differences from all that the example expects."""
    try:
        rules = context.ruleset.with_options(example.options)
        settlement = settle(result_of(example, rules), rules)
    except (OptionError, InvalidResultError) as error:
        yield from refusal(example, "settlement", "a result that can be settled", error)
        return
    if example.refused:
        yield from refusal(example, "settlement", "", None)
        return
    yield from _warnings(example, rules)
    for key, expected in _expected(example, rules, context.absent).items():
        found = _normal(READERS[key](settlement, rules))
        if found != _normal(expected):
            yield Mismatch(key, expected, found)


def result_of(example: SettlementExample, rules: Ruleset) -> HanchanResult:
    """Return the result as the engine's record; prizes go into the ledger that is entered with results."""
    chips = example.chips if example.chips is not None else example.chips_p
    carried = {_entered(rules) or "chips": chips} if chips is not None and any(chips) else {}
    payments = example.bust_payments
    return HanchanResult(
        scores=example.scores,
        kyoutaku=example.deposits,
        chonbo=example.chonbo,
        carried=carried,
        tobi=example.tobi or example.busts,
        bust_payments=() if payments is None else (BustPayment(payments.payer, payments.had, payments.due),),
        substitutes=example.substitutes,
        forced_top=example.forced_top,
    )


def _warnings(example: SettlementExample, rules: Ruleset) -> Iterator[Mismatch]:
    """Yield a difference if the warnings about the result, by code, are not the expected ones."""
    found = tuple(each.code for each in problems(result_of(example, rules), rules) if each.level is Severity.WARNING)
    if example.warnings is not None and example.warnings != found:
        yield Mismatch("warnings", example.warnings, found)


def _expected(example: SettlementExample, rules: Ruleset, absent: Absent) -> Mapping[str, object]:
    """Return the results to compare; under `zero`, prizes and gentsuu left out are expected to be none."""
    expected = {key: value for key, value in example.expect if value is not None}
    if absent is Absent.IGNORE:
        return expected
    if _entered(rules) and not {"chips", "chips_p", "total_g"} & set(expected):
        expected["chips"] = (Fraction(0),) * rules.players
    if rules.settlement.top_payment is not None:
        expected.setdefault("gentsuu", False)
    return expected


def _normal(value: object) -> object:
    """Return pairs sorted, so that their order does not matter, and other sequences as lists."""
    if isinstance(value, Sequence) and value and isinstance(value[0], Sequence):
        return sorted(value)
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _entered(rules: Ruleset) -> str:
    """Return the key of the ledger that is entered with results; empty if there is none."""
    return next((ledger.key for ledger in rules.ledgers if ledger.entered), "")


def _sums(settlement: Settlement, rules: Ruleset, ledger: str, *causes: LineCause) -> Amounts:
    """Return the amount of each seat in a ledger from these causes."""
    sums = [Fraction(0)] * rules.players
    for line in settlement.lines:
        if line.ledger == ledger and line.cause in causes:
            sums[line.seat] += line.amount
    return tuple(sums)


def _total(settlement: Settlement, rules: Ruleset, ledger: str) -> Amounts:
    """Return the total of each seat in a ledger."""
    if not ledger:
        return (Fraction(0),) * rules.players
    scale = rules.ledger(ledger).scale
    return tuple(Fraction(stored, scale) for stored in settlement.totals[ledger])


def _account(settlement: Settlement, rules: Ruleset, *causes: LineCause) -> Amounts:
    """Return the amount of each seat in the ledger of scores, from these causes or in total."""
    ledger = _ledger(rules.settlement.conversion)
    return _sums(settlement, rules, ledger, *causes) if causes else _total(settlement, rules, ledger)


def _in_table_points(amounts: Amounts, rules: Ruleset) -> Amounts:
    """Return amounts of that ledger as points on the table."""
    conversion = rules.settlement.conversion
    return amounts if conversion is None else tuple(each * conversion.per / conversion.worth for each in amounts)


def _ledger(rule: HasLedger | None) -> str:
    """Return the ledger of a rule; empty if the book does not have the rule."""
    return "" if rule is None else rule.ledger


def _g(settlement: Settlement, rules: Ruleset) -> Amounts:
    """Return the account without the prizes."""
    return _added(_account(settlement, rules), _negative(_account(settlement, rules, LineCause.CHIPS)))


def _added(one: Amounts, other: Amounts) -> Amounts:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _negative(amounts: Amounts) -> Amounts:
    return tuple(-amount for amount in amounts)


def _house_fee(settlement: Settlement, rules: Ruleset) -> Fraction:
    """Return the fee that the top paid to the house."""
    ledger = _ledger(rules.settlement.top_payment)
    return -sum(_sums(settlement, rules, ledger, LineCause.TOP_FEE), Fraction(0))


READERS: Mapping[str, Callable[[Settlement, Ruleset], object]] = {
    "placement": lambda settlement, _: settlement.places,
    "final_scores": lambda settlement, _: settlement.final_scores,
    "points": _account,
    "uma": lambda s, rules: _in_table_points(_account(s, rules, LineCause.UMA, LineCause.SINKING_UMA), rules),
    "tobi_points": lambda s, rules: _in_table_points(_account(s, rules, LineCause.TOBI), rules),
    "tobi": lambda settlement, _: settlement.tobi,
    "chips": lambda settlement, rules: _total(settlement, rules, _entered(rules)),
    "chips_p": lambda settlement, rules: _total(settlement, rules, _entered(rules)),
    "g": _g,
    "total_g": _account,
    "fee_yen": lambda s, rules: _negative(_total(s, rules, _ledger(rules.settlement.fees))),
    "end": lambda s, rules: _sums(s, rules, _ledger(rules.settlement.place_payments), LineCause.PLACE_PAYMENT),
    "bust": lambda s, rules: _sums(s, rules, _ledger(rules.settlement.tobi), LineCause.TOBI),
    "units": lambda s, rules: _sums(s, rules, _ledger(rules.settlement.top_payment), LineCause.TOP_PAYMENT),
    "house_fee": _house_fee,
    "net": lambda s, rules: _total(s, rules, _ledger(rules.settlement.top_payment)),
    "top": lambda settlement, _: settlement.top,
    "top_type": lambda settlement, _: settlement.floating and settlement.floating.top_type,
    "gentsuu": lambda settlement, _: settlement.floating and settlement.floating.gentsuu,
    "floating": lambda settlement, _: settlement.floating and settlement.floating.seats,
    "next_starting_dealer": lambda s, _: "drawn" if s.next_first_dealer is None else s.next_first_dealer,
}
"""The reader of each key of `expect`."""
