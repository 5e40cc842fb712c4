"""Texts of the round clock, which follow from the time limit of the rules in force."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scoring.ruleset.end import TimeLimit, TimeUp

RULES: Mapping[TimeUp, Promise] = MappingProxyType(
    {
        TimeUp.FINISH_HAND: gettext_lazy("When time is up, the hand being played is the last."),
        TimeUp.ONE_MORE_HAND: gettext_lazy("When time is up, finish the hand being played and play one more."),
    }
)
CALLS: Mapping[TimeUp, Promise] = MappingProxyType(
    {
        TimeUp.FINISH_HAND: gettext_lazy("Time is up. The hand being played is the last."),
        TimeUp.ONE_MORE_HAND: gettext_lazy("Time is up. Last hand: finish this one and play one more."),
    }
)
TIME_IS_UP = pgettext_lazy("call in the hall", "Time is up. Please follow the referees.")


def time_rule(limit: TimeLimit | None) -> str:
    """Return the rule for the end of the time; empty if the rules have none."""
    return str(RULES[limit.last]) if limit else ""


def time_call(limit: TimeLimit | None) -> str:
    """Return the announcement when time is up: by the rules, or a reference to the referees if they have none."""
    return str(CALLS[limit.last]) if limit else str(TIME_IS_UP)


def early_call(limit: TimeLimit | None) -> str:
    """Return the announcement before the end; empty if the rules have none."""
    if limit is None or not limit.call_minutes:
        return ""
    return ngettext("%(count)s minute left.", "%(count)s minutes left.", limit.call_minutes) % {
        "count": limit.call_minutes
    }
