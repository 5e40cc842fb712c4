"""What makes a ruleset impossible although each of its tables is well formed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoring.ruleset.base import TABLE_POINTS, Wind
from scoring.ruleset.settling import RoundingPolicy, Ties

if TYPE_CHECKING:
    from scoring.ruleset.book import Ruleset

Found = tuple[str, object, str]
"""Key, value, and what is allowed."""


def faults(rules: Ruleset) -> Iterator[Found]:
    """Yield every contradiction between tables."""
    yield from _ledgers(rules)
    yield from _ledgers_named(rules)
    yield from _seats(rules)
    yield from _uma(rules)
    yield from _place_payments(rules)
    yield from _scales(rules)
    yield from _balance(rules)
    yield from _clauses(rules)


def _ledgers(rules: Ruleset) -> Iterator[Found]:
    keys = [ledger.key for ledger in rules.ledgers]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield "ledgers", key, "a ledger may be declared only once"
    if TABLE_POINTS in keys:
        yield "ledgers", TABLE_POINTS, "this name is kept for points on the table"
    ranking = [ledger.key for ledger in rules.ledgers if ledger.ranks]
    if len(ranking) != 1:
        yield "ledgers", ranking, "exactly one ledger must rank (ranks = true)"
    for ledger in rules.ledgers:
        if ledger.entered != (ledger.step > 0):
            message = "must be more than 0 where amounts are entered, and 0 where none are"
            yield f"ledgers.{ledger.key}.step", ledger.step, message


def _ledgers_named(rules: Ruleset) -> Iterator[Found]:
    """Every ledger a table names must be declared."""
    known = {ledger.key for ledger in rules.ledgers}
    for path, value in _walk(rules.data(), ""):
        if path.rpartition(".")[2] == "ledger" and value not in known:
            yield path, value, f"no such ledger; declared are: {', '.join(sorted(known))}"


def _seats(rules: Ruleset) -> Iterator[Found]:
    winds = tuple(Wind)[: rules.players]
    if rules.setup.seat_winds != winds:
        found = [wind.value for wind in rules.setup.seat_winds]
        allowed = ", ".join(wind.value for wind in winds)
        yield "setup.seat_winds", found, f"{rules.players} players have the winds {allowed}"
    if rules.setup.start % rules.entry.unit:
        message = f"must be a multiple of entry.unit ({rules.entry.unit})"
        yield "setup.start", rules.setup.start, message


def _uma(rules: Ruleset) -> Iterator[Found]:
    uma, conversion = rules.settlement.uma, rules.settlement.conversion
    if uma is None or conversion is None:
        return
    key, shown = "settlement.uma.amounts", [str(amount) for amount in uma.amounts]
    if len(uma.amounts) != rules.players:
        yield key, shown, f"{rules.players} players need as many amounts"
    ledger = _ledger(rules, conversion.ledger)
    if ledger is not None and ledger.zero_sum and sum(uma.amounts) != 0:
        yield key, shown, f"must add up to 0: {ledger.key} is zero-sum"


def _place_payments(rules: Ruleset) -> Iterator[Found]:
    payments = rules.settlement.place_payments
    if payments is None:
        return
    key, last = "settlement.place_payments", rules.players
    if payments.place > last:
        yield f"{key}.place", payments.place, f"must be a place from 1 to {last}"
    for name, listed in (("reached", payments.reached), ("missed", payments.missed)):
        for number, each in enumerate(listed):
            pair = [each.payer, each.receiver]
            if max(pair) > last or each.payer == each.receiver:
                message = f"payer and receiver must be two different places from 1 to {last}"
                yield f"{key}.{name}.{number}", pair, message
    if rules.settlement.placing.ties is Ties.SHARED:
        yield "settlement.placing.ties", "shared", "must be by_seat where places pay one another"


def _scales(rules: Ruleset) -> Iterator[Found]:
    """Every amount must be a whole number at its ledger's scale."""
    steps = rules.settlement
    amounts: list[tuple[str, str, Fraction]] = []
    if steps.conversion is not None:
        conversion = steps.conversion
        if steps.uma is not None:
            amounts += [("settlement.uma.amounts", conversion.ledger, x) for x in steps.uma.amounts]
        if steps.rounding is not None:
            amounts.append(("settlement.rounding.step", conversion.ledger, steps.rounding.step))
        else:
            unit = conversion.amount(rules.entry.unit)
            amounts.append(("settlement.conversion.worth", conversion.ledger, unit))
    if steps.chonbo is not None:
        amounts.append(("settlement.chonbo.amount", steps.chonbo.ledger, steps.chonbo.amount))
    if steps.tobi is not None:
        amounts.append(("settlement.tobi.amount", steps.tobi.ledger, steps.tobi.amount))
    for key, name, amount in amounts:
        ledger = _ledger(rules, name)
        if ledger is not None and (amount * ledger.scale).denominator != 1:
            yield key, str(amount), f"the ledger {name} keeps multiples of 1/{ledger.scale}"


def _balance(rules: Ruleset) -> Iterator[Found]:
    steps = rules.settlement
    rest = {RoundingPolicy.SCORES_NEAREST, RoundingPolicy.TOWARDS_ZERO}
    if steps.rounding is not None and steps.rounding.policy in rest and not steps.balance_to_top:
        message = f"must be true: rounding {steps.rounding.policy} leaves the top the rest"
        yield "settlement.balance_to_top", False, message
    if steps.balance_to_top and steps.placing.ties is Ties.SHARED:
        message = "must be by_seat where the balance goes to one top"
        yield "settlement.placing.ties", "shared", message


def _clauses(rules: Ruleset) -> Iterator[Found]:
    """Every clause named must be one of the book's."""
    known = rules.book.known()
    for path, value in _walk(rules.data(), ""):
        name = path.rpartition(".")[2]
        if name in ("clause", "clauses") and path != "book.clause":
            for each in value if isinstance(value, list) else [value]:
                if each not in known:
                    allowed = ", ".join((*rules.book.ids, *(own.id for own in rules.book.clause)))
                    yield path, each, f"no such clause; the book has {allowed}"


def _ledger(rules: Ruleset, key: str) -> Any:
    return next((ledger for ledger in rules.ledgers if ledger.key == key), None)


def _walk(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every entry of the data with its path, tables and lists of tables opened."""
    if isinstance(node, dict):
        for name, value in node.items():
            key = f"{path}.{name}" if path else name
            yield key, value
            yield from _walk(value, key)
    elif isinstance(node, list):
        for number, value in enumerate(node):
            name = value.get("key", number) if isinstance(value, dict) else number
            yield from _walk(value, f"{path}.{name}")
