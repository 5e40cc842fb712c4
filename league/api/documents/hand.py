"""A hand's value as a document: everything it is made of, with names in both languages and clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from league.api.documents.common import Document, both
from league.api.documents.rules import ruleset_head
from league.hand_words import (
    CALLS,
    CAUSES,
    DORA,
    FORMS,
    FU,
    NOTICES,
    WAITS,
    Words,
    line_name,
    no_win_text,
    problem_text,
)
from league.selectors.hands import Scored
from league.yaku_names import limit_name
from scoring.hand import (
    DoraLine,
    FuLine,
    HandValue,
    NoWin,
    Part,
    Payment,
    Tile,
    YakuLine,
    parts_of,
    tiles_text,
)
from scoring.hand.reading import Reading
from scoring.ruleset import TABLE_POINTS, Ruleset


def scored_document(scored: Scored) -> Document:
    """The hand under one ruleset."""
    return {
        "ruleset": ruleset_head(scored.book),
        "options": dict(scored.options),
        "hand": str(scored.hand),
        "is_win": scored.value is not None,
        "value": None if scored.value is None else value_document(scored.value, scored.rules, scored.totals()),
        "no_win": None if scored.no_win is None else no_win_document(scored.no_win),
        "problems": [
            {"code": each.code, "pointer": f"/{each.pointer}", "detail": problem_text(each)} for each in scored.problems
        ],
    }


def comparison_document(every: Sequence[Scored]) -> Document:
    """The hand under every ruleset."""
    return {"hand": str(every[0].hand) if every else "", "results": [scored_document(each) for each in every]}


def no_win_document(no_win: NoWin) -> Document:
    """Why a hand may not be won."""
    return {"code": no_win.reason.value, "detail": no_win_text(no_win), "clauses": list(no_win.clauses)}


def value_document(value: HandValue, rules: Ruleset, totals: Mapping[str, int]) -> Document:
    """What a win is made of."""
    return {
        "han": value.han,
        "fu": value.fu,
        "yakuman": value.yakuman,
        "limit": value.limit.value if value.limit else None,
        "limit_label": _limit(value),
        "instant_top": value.instant_top,
        "as_ron": value.as_ron,
        "pocchi_as": _tile(value.pocchi_as),
        "yaku": [_yaku(line) for line in value.yaku],
        "dora": [_dora(line) for line in value.dora],
        "fu_lines": [_fu(line) for line in value.fu_lines],
        "reading": _reading(value.reading),
        "payments": [_payment(payment, rules) for payment in value.payments],
        "total": value.total,
        "totals": {key: _amount(amount, key, rules) for key, amount in totals.items()},
        "notices": [{"code": each.value, "detail": str(NOTICES[each])} for each in value.notices],
    }


def _yaku(line: YakuLine) -> Document:
    return {
        "name": line.name.value,
        "label": both(lambda _language: line_name(line.name)),
        "worth": line.worth,
        "counts": line.counts.value,
        "clauses": list(line.clauses),
    }


def _dora(line: DoraLine) -> Document:
    return {
        "kind": line.kind.value,
        "label": _label(DORA, line.kind.value),
        "count": line.count,
        "han": line.han,
        "points": line.points,
        "as_yaku": line.as_yaku,
        "clauses": list(line.clauses),
    }


def _fu(line: FuLine) -> Document:
    return {
        "reason": line.reason.value,
        "label": _label(FU, line.reason.value),
        "fu": line.fu,
        "tile": _tile(line.kind),
        "clauses": list(line.clauses),
    }


def _reading(reading: Reading) -> Document:
    return {
        "form": reading.form.value,
        "form_label": _label(FORMS, reading.form.value),
        "wait": reading.wait.value,
        "wait_label": _label(WAITS, reading.wait.value),
        "parts": [_part(part) for part in parts_of(reading)],
    }


def _tile(tile: Tile | None) -> str | None:
    return None if tile is None else tiles_text((tile,))


def _label(words: Words, key: str) -> dict[str, str]:
    return both(lambda _language: str(words[key]))


def _limit(value: HandValue) -> dict[str, str] | None:
    limit = value.limit
    return None if limit is None else both(lambda _language: limit_name(limit))


def _part(part: Part) -> Document:
    return {
        "tiles": tiles_text(part.kinds),
        "call": part.how.value if part.how else None,
        "call_label": _label(CALLS, part.how.value) if part.how else None,
        "completed": part.completed,
    }


def _payment(payment: Payment, rules: Ruleset) -> Document:
    return {
        "seat": payment.payer.value if payment.payer else None,
        "role": payment.role.value,
        "ledger": payment.ledger,
        "amount": _amount(payment.amount, payment.ledger, rules),
        "cause": payment.cause.value,
        "label": _label(CAUSES, payment.cause.value),
        "clauses": list(payment.clauses),
    }


def _amount(amount: int, ledger: str, rules: Ruleset) -> str:
    """Table points are whole; other ledgers have their own precision."""
    return str(amount) if ledger == TABLE_POINTS else rules.ledger(ledger).text(amount)
