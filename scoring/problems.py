"""Validation of a result before it is settled: errors, and warnings about unusual entries.

An error blocks; a warning must be accepted. Each problem carries a code, a pointer to the field, parameters
for its sentence, and the clause it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scoring.clause_lookup import clause_of
from scoring.hanchan_result import HanchanResult
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.settling import PrizeReceiver, PrizeTime


class Severity(StrEnum):
    """Severity of a problem."""

    ERROR = "error"
    """The result cannot be settled."""
    WARNING = "warning"
    """The result can be right, but it should be checked again."""
    NOTE = "note"
    """The reason for something unusual in the settlement; nothing has to be checked or accepted."""


SENTENCES: Mapping[str, str] = {
    "score_count": ("There are {actual} scores; this ruleset has {expected} players. Enter {expected}."),
    "score_not_multiple": ("The score {score} is no multiple of {unit}. Perhaps {lower} or {upper} is meant."),
    "table_sum": (
        "The scores add up to {actual} points; with {kyoutaku} in deposits left on the table the players must hold "
        "{expected} ({amount} {direction}). Check the scores and the deposits."
    ),
    "extreme_score": "The score {score} is unusual. Check it, or accept it as it is.",
    "kyoutaku_negative": "The deposits left on the table are {kyoutaku}; they cannot be negative.",
    "kyoutaku_not_multiple": (
        "The deposits left on the table are {kyoutaku}, no multiple of {unit}. Perhaps {lower} or {upper} is meant."
    ),
    "kyoutaku_unused": ("There are {kyoutaku} points of deposits left, but this ruleset knows no deposits. Enter 0."),
    "chonbo_count": ("There are chonbo counts for {actual} seats; there must be {expected}, or none at all."),
    "chonbo_negative": "A player has {count} chonbo; enter how many there were, 0 or more.",
    "chonbo_unused": ("There is {count} chonbo; under this ruleset a chonbo is paid at the table. Enter 0."),
    "ledger_unknown": "There is no ledger {ledger} in this ruleset for a result to bring: {known}.",
    "ledger_count": ("There are {actual} amounts for {ledger}; there must be {expected}, one for each player."),
    "ledger_sum": ("The amounts for {ledger} add up to {actual}; what players pay one another adds up to 0."),
    "ledger_not_multiple": (
        "The amount {amount} for {ledger} is no multiple of {step}. Perhaps {lower} or {upper} is meant."
    ),
    "tobi_unknown_seat": "Seat {seat} does not exist; the seats are 0 to {last}.",
    "tobi_same_seat": "Seat {seat} cannot get the prize for going out from itself.",
    "tobi_twice": "Seat {seat} went out once; name only one player who gets the prize.",
    "tobi_positive_score": ("Seat {seat} is marked as gone out with {score} points. Check the score, or the mark."),
    "tobi_missing": ("Seat {seat} is out with {score} points, but no player is named who gets the prize for it."),
    "tobi_unused": "This ruleset has no prize for taking a player out. Leave it empty.",
    "substitute_unused": "This ruleset has no account for a substitute. Leave it empty.",
    "substitute_unknown_seat": "Seat {seat} does not exist; the seats are 0 to {last}.",
    "substitute_twice": "Seat {seat} is named as a substitute twice. Name it once.",
    "substitute_sum": (
        "Seat {seat} is a substitute with a flat account of {account}, "
        "so the accounts of the table need not add up to 0."
    ),
    "forced_top_unused": "Under these rules no yakuman ends the game at once. Leave it empty.",
    "forced_top_unknown_seat": "Seat {seat} does not exist; the seats are 0 to {last}.",
}
"""The English sentence of each code; translations use the same codes and parameters."""
SUM_WITHOUT_DEPOSITS = (
    "The scores add up to {actual} points; the players must hold {expected} ({amount} {direction}). Check the scores."
)
"""The sentence of `table_sum` under rules without deposits, which has no parameter `kyoutaku`."""


RESTS_ON: Mapping[str, str] = {
    **dict.fromkeys(("score_count", "table_sum"), "setup"),
    **dict.fromkeys(("score_not_multiple", "extreme_score"), "entry"),
    **dict.fromkeys(("kyoutaku_negative", "kyoutaku_not_multiple"), "settlement.kyoutaku"),
    "kyoutaku_unused": "play.riichi",
    **dict.fromkeys(("chonbo_count", "chonbo_negative"), "settlement.chonbo"),
    "chonbo_unused": "play.penalties.chonbo.points",
    **dict.fromkeys(("tobi_same_seat", "tobi_twice", "tobi_missing"), "settlement.tobi"),
    **dict.fromkeys(("tobi_positive_score", "tobi_unused"), "end.bust"),
    "substitute_sum": "settlement.substitute",
    "forced_top_unused": "settlement.top_payment",
}
"""The table of the ruleset that each code rests on."""


@dataclass(frozen=True, slots=True)
class ResultProblem:
    """An error in a result, or something unusual about it."""

    code: str
    level: Severity
    pointer: str
    """The field: "scores/2", "kyoutaku", "carried/chips"; empty for the result as a whole."""
    params: Mapping[str, object] = field(default_factory=dict)
    clause: str = ""
    """The clause of the book that the problem rests on, if there is one."""

    def __str__(self) -> str:
        is_without_deposits = self.code == "table_sum" and "kyoutaku" not in self.params
        sentence = SUM_WITHOUT_DEPOSITS if is_without_deposits else SENTENCES[self.code]
        return sentence.format_map(self.params)


class InvalidResultError(ValueError):
    """A result that cannot be settled; `problems` lists the reasons."""

    def __init__(self, problems: tuple[ResultProblem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def problems(result: HanchanResult, rules: Ruleset) -> tuple[ResultProblem, ...]:
    """Return every error and warning about a result under these rules, each with the clause it rests on."""
    return tuple(
        replace(each, clause=clause_of(each.code, each.params, rules, RESTS_ON)) for each in _problems(result, rules)
    )


def _problems(result: HanchanResult, rules: Ruleset) -> tuple[ResultProblem, ...]:
    # With a wrong number of scores every other check would report nonsense, so this one is reported alone.
    if len(result.scores) != rules.players:
        params = {"expected": rules.players, "actual": len(result.scores)}
        return (_error("score_count", "scores", **params),)
    return (
        *_scores(result, rules),
        *_kyoutaku(result, rules),
        *_table_sum(result, rules),
        *_chonbo(result, rules),
        *_ledgers(result, rules),
        *_tobi(result, rules),
        *_substitutes(result, rules),
        *_forced_top(result, rules),
    )


def _scores(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    entry = rules.entry
    for seat, score in enumerate(result.scores):
        if score % entry.unit:
            params = {"seat": seat, "score": score, **_neighbours(score, entry.unit)}
            yield _error("score_not_multiple", f"scores/{seat}", **params)
        if not entry.warn_below <= score <= entry.warn_above:
            yield _warning("extreme_score", f"scores/{seat}", seat=seat, score=score)


def _kyoutaku(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    left, kyoutaku = rules.settlement.kyoutaku, result.kyoutaku
    if kyoutaku < 0:
        yield _error("kyoutaku_negative", "kyoutaku", kyoutaku=kyoutaku)
    elif left is None and kyoutaku:
        yield _error("kyoutaku_unused", "kyoutaku", kyoutaku=kyoutaku)
    elif left is not None and kyoutaku % left.unit:
        params = {"kyoutaku": kyoutaku, **_neighbours(kyoutaku, left.unit)}
        yield _error("kyoutaku_not_multiple", "kyoutaku", **params)


def _table_sum(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    """Check that no points are missing: points not in deposits must be in front of the players."""
    actual, expected = sum(result.scores), rules.table_total - result.kyoutaku
    has_deposits = rules.settlement.kyoutaku is not None or result.kyoutaku
    if actual != expected:
        yield _error(
            "table_sum",
            "",
            expected=expected,
            actual=actual,
            **({"kyoutaku": result.kyoutaku} if has_deposits else {}),
            difference=actual - expected,
            amount=abs(actual - expected),
            direction="too many" if actual > expected else "missing",
        )


def _chonbo(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    counts = result.chonbo
    if counts and len(counts) != rules.players:
        yield _error("chonbo_count", "chonbo", expected=rules.players, actual=len(counts))
    for seat, count in enumerate(counts):
        if count < 0:
            yield _error("chonbo_negative", f"chonbo/{seat}", seat=seat, count=count)
        elif count and rules.settlement.chonbo is None:
            yield _error("chonbo_unused", f"chonbo/{seat}", seat=seat, count=count)


def _ledgers(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    entered = {ledger.key: ledger for ledger in rules.entered_ledgers}
    for key, amounts in result.carried.items():
        pointer = f"carried/{key}"
        if key not in entered:
            known = ", ".join(entered) or "none"
            yield _error("ledger_unknown", pointer, ledger=key, known=known)
        elif len(amounts) != rules.players:
            params = {"expected": rules.players, "actual": len(amounts)}
            yield _error("ledger_count", pointer, ledger=key, **params)
        else:
            yield from _amounts(entered[key], amounts, pointer)


def _amounts(ledger: Ledger, amounts: tuple[int, ...], pointer: str) -> Iterator[ResultProblem]:
    for seat, amount in enumerate(amounts):
        if amount % ledger.step:
            lower = amount - amount % ledger.step
            yield _error(
                "ledger_not_multiple",
                f"{pointer}/{seat}",
                seat=seat,
                ledger=ledger.key,
                amount=ledger.text(amount),
                step=ledger.text(ledger.step),
                lower=ledger.text(lower),
                upper=ledger.text(lower + ledger.step),
            )
    total = sum(amounts)
    if ledger.zero_sum and total:
        yield _error("ledger_sum", pointer, ledger=ledger.key, actual=ledger.text(total))


def _tobi(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    marked: list[tuple[int, int | None]] = [*result.tobi]
    marked += [(payment.payer, None) for payment in result.bust_payments]
    prize = rules.settlement.tobi
    if prize is None:
        if marked:
            yield _error("tobi_unused", "tobi")
        return
    seen: set[int] = set()
    for number, (busted, receiver) in enumerate(marked):
        pointer = f"tobi/{number}"
        yield from _bust(result, rules, (busted, receiver), pointer)
        # Only in books that pay a prize to each player who was paid can one busted seat appear twice.
        if busted in seen and prize.receiver is not PrizeReceiver.EACH_PAID:
            yield _error("tobi_twice", pointer, seat=busted)
        seen.add(busted)
    if prize.paid is PrizeTime.AT_SETTLEMENT:
        for seat, score in enumerate(result.scores):
            if rules.end.bust.is_bust(score) and seat not in seen:
                yield _warning("tobi_missing", f"scores/{seat}", seat=seat, score=score)


def _bust(result: HanchanResult, rules: Ruleset, pair: tuple[int, int | None], pointer: str) -> Iterator[ResultProblem]:
    busted, receiver = pair
    unknown = [seat for seat in pair if seat is not None and not 0 <= seat < rules.players]
    for seat in unknown:
        yield _error("tobi_unknown_seat", pointer, seat=seat, last=rules.players - 1)
    if busted == receiver:
        yield _error("tobi_same_seat", pointer, seat=busted)
    if not unknown and not rules.end.bust.is_bust(result.scores[busted]):
        score = result.scores[busted]
        yield _error("tobi_positive_score", pointer, seat=busted, score=score)


def _substitutes(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    """Check the seats of substitutes, and name them as the reason for accounts that do not add up to zero."""
    table = rules.settlement.substitute
    if table is None:
        if result.substitutes:
            yield _error("substitute_unused", "substitutes")
        return
    ledger = rules.ledger(table.ledger)
    for number, seat in enumerate(result.substitutes):
        pointer = f"substitutes/{number}"
        if not 0 <= seat < rules.players:
            yield _error("substitute_unknown_seat", pointer, seat=seat, last=rules.players - 1)
        elif seat in result.substitutes[:number]:
            yield _error("substitute_twice", pointer, seat=seat)
        else:
            params = {"seat": seat, "account": ledger.text(ledger.stored(table.amount))}
            yield ResultProblem("substitute_sum", Severity.NOTE, pointer, params)


def _forced_top(result: HanchanResult, rules: Ruleset) -> Iterator[ResultProblem]:
    seat = result.forced_top
    if seat is None:
        return
    payment = rules.settlement.top_payment
    if payment is None or not payment.forced_top:
        yield _error("forced_top_unused", "forced_top")
    elif not 0 <= seat < rules.players:
        yield _error("forced_top_unknown_seat", "forced_top", seat=seat, last=rules.players - 1)


def _neighbours(value: int, unit: int) -> dict[str, object]:
    """Return the multiples of the unit on both sides of a value, as parameters of a message."""
    lower = value - value % unit
    return {"unit": unit, "lower": lower, "upper": lower + unit}


def _error(code: str, pointer: str, **params: object) -> ResultProblem:
    return ResultProblem(code, Severity.ERROR, pointer, params)


def _warning(code: str, pointer: str, **params: object) -> ResultProblem:
    return ResultProblem(code, Severity.WARNING, pointer, params)
