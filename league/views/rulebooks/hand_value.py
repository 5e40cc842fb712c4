"""The value of a hand as text for templates: every line in words, with its clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.selectors.rulebooks.hands import Scored
from league.wording.formatting import language_of, points_text, score_text
from league.wording.live.hands import (
    CALLS,
    CAUSES,
    DORA,
    FORMS,
    FU,
    NOTICES,
    WAITS,
    han_text,
    head_text,
    line_name,
    no_win_text,
    payer_text,
    problem_text,
    worth_text,
)
from league.wording.live.tiles import tile_name
from league.wording.names import title_in
from scoring.hand import DoraLine, Form, HandValue, Payment, parts_of
from scoring.hand.tiles import NAME
from scoring.ruleset import TABLE_POINTS, Ruleset


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line: its name, the tile it is about if any, its worth, and its clauses."""

    name: str
    worth: str
    clauses: tuple[str, ...]
    tile: str = ""


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A set of the hand, as it lies on the table."""

    tiles: tuple[str, ...]
    how: str
    completed: bool


@dataclass(frozen=True, slots=True)
class ShownLedger:
    """The payments in one ledger."""

    key: str
    title: str
    rows: tuple[ShownLine, ...]
    total: str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """The value of a winning hand."""

    head: str
    total: str
    paid: str
    """The payment as called out at the table: 7,700; 2,000/3,900."""
    yaku: tuple[ShownLine, ...]
    dora: tuple[ShownLine, ...]
    fu: tuple[ShownLine, ...]
    fu_total: int
    form: str
    wait: str
    parts: tuple[ShownPart, ...]
    ledgers: tuple[ShownLedger, ...]
    notices: tuple[str, ...]
    pocchi_as: str
    instant_top: bool
    as_ron: bool


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand under one ruleset: its value, or the reasons why it has none."""

    name: str
    title: str
    value: ShownValue | None
    refusals: tuple[ShownLine, ...]
    """Reasons why the hand is no win or is impossible; `worth` holds the code."""


def shown_hand(scored: Scored) -> ShownHand:
    """Return a hand's result in the reader's language."""
    found = scored.value
    return ShownHand(
        scored.book.name,
        title_in(scored.rules.title),
        None if found is None else _value(found, scored),
        tuple(_refusals(scored)),
    )


def _refusals(scored: Scored) -> Iterator[ShownLine]:
    for problem in scored.problems:
        yield ShownLine(problem_text(problem), problem.code, ())
    if scored.no_win is not None:
        yield ShownLine(no_win_text(scored.no_win), scored.no_win.reason.value, scored.no_win.clauses)


def _value(found: HandValue, scored: Scored) -> ShownValue:
    reading = found.reading
    return ShownValue(
        head=head_text(found),
        total=score_text(found.total),
        paid=paid_text(found),
        yaku=tuple(
            ShownLine(line_name(line.name), worth_text(line.worth, line.counts), line.clauses) for line in found.yaku
        ),
        dora=tuple(ShownLine(_dora_name(line), _dora_worth(line), line.clauses) for line in found.dora),
        fu=tuple(
            ShownLine(str(FU[line.reason]), str(line.fu), line.clauses, "" if line.kind is None else NAME[line.kind])
            for line in found.fu_lines
        ),
        fu_total=found.fu,
        form=str(FORMS[reading.form]),
        wait=str(WAITS[reading.wait]) if reading.form is not Form.PAIRS else "",
        parts=tuple(
            ShownPart(
                tuple(NAME[kind] for kind in part.kinds), str(CALLS[part.how]) if part.how else "", part.completed
            )
            for part in parts_of(reading)
        ),
        ledgers=tuple(_ledgers(found, scored.rules)),
        notices=tuple(str(NOTICES[notice]) for notice in found.notices),
        pocchi_as="" if found.pocchi_as is None else tile_name(found.pocchi_as),
        instant_top=found.instant_top,
        as_ron=found.as_ron,
    )


def _dora_name(line: DoraLine) -> str:
    return _("%(dora)s × %(count)s") % {"dora": DORA[line.kind], "count": line.count}


def _dora_worth(line: DoraLine) -> str:
    """Return the worth of a line of dora: han, or points from each payer."""
    if line.points:
        return _("%(points)s points") % {"points": score_text(line.points)}
    return han_text(line.han)


def paid_text(found: HandValue) -> str:
    """Return the payments as called out at the table, honba included: ron, from each, or others/dealer."""
    sums: dict[tuple[str, str], int] = {}
    for each in found.payments:
        if each.ledger == TABLE_POINTS and each.role != "table":
            key = (each.role.value, each.payer or "")
            sums[key] = sums.get(key, 0) + each.amount
    amounts = sorted(set(sums.values()))
    if len(sums) > 1 and len(amounts) == 1:
        return _("%(points)s all") % {"points": score_text(amounts[0])}
    return "/".join(map(score_text, amounts)) or "0"


def _ledgers(found: HandValue, rules: Ruleset) -> Iterator[ShownLedger]:
    """Yield the payments, ledger by ledger and payer by payer."""
    for key in dict.fromkeys(each.ledger for each in found.payments):
        own = [each for each in found.payments if each.ledger == key]
        total = sum(each.amount for each in own)
        yield ShownLedger(key, _title(key, rules), tuple(_rows(own, rules)), amount_text(total, key, rules))


def _rows(payments: list[Payment], rules: Ruleset) -> Iterator[ShownLine]:
    for each in payments:
        name = _("%(payer)s: %(cause)s") % {"payer": payer_text(each), "cause": CAUSES[each.cause]}
        yield ShownLine(name, amount_text(each.amount, each.ledger, rules), each.clauses)


def _title(key: str, rules: Ruleset) -> str:
    return _("Table points") if key == TABLE_POINTS else title_in(rules.ledger(key).title)


def amount_text(amount: int, key: str, rules: Ruleset) -> str:
    """Format an amount in its ledger's unit."""
    if key == TABLE_POINTS:
        return score_text(amount)
    ledger = rules.ledger(key)
    return points_text(amount, ledger.scale, language_of())
