"""The engine's codes in the reader's language. The engine itself speaks English and knows no Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from scoring.settlement import Problem


def number(value: int) -> str:
    """An amount with thousands separated, as it is read out."""
    return f"{value:,}"


def _table_sum(p: Mapping[str, Any]) -> str:
    missing = p["expected"] - p["actual"]
    difference = (
        _("%(points)s missing") % {"points": number(missing)}
        if missing > 0
        else _("%(points)s too many") % {"points": number(-missing)}
    )
    return _(
        "The scores add up to %(actual)s points; with %(kyoutaku)s in deposits left the players must hold %(expected)s "
        "(%(difference)s). Check the scores and the deposits."
    ) % {
        "actual": number(p["actual"]),
        "expected": number(p["expected"]),
        "kyoutaku": number(p.get("kyoutaku", 0)),
        "difference": difference,
    }


MESSAGES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "table_sum": _table_sum,
}


def problem_message(problem: Problem) -> str:
    """The problem as a sentence that says what, which value, and what to do."""
    make = MESSAGES.get(problem.code)
    return make(problem.params) if make else str(problem)
