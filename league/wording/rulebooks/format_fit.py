"""What a format asks for, and why it fits a number of players, evenings and tables, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.format.fit import FitReason, FormatSize, Why

HOUR = 60
"""Minutes."""


@dataclass(frozen=True, slots=True)
class FormatFact:
    """A number of a format with its label."""

    label: str
    text: str


def format_facts(size: FormatSize, minutes: int, largest: FormatSize | None = None) -> list[FormatFact]:
    """Return the numbers of a format; `minutes` is the usual length of a hanchan.

    With the size for the most players, a format of open size has ranges of players and tables.
    """
    players, tables = (size.players, size.players), (size.tables, size.tables)
    if largest is not None:
        players, tables = (size.players, largest.players), (size.tables, largest.tables)
    facts = [FormatFact(_("Number of players"), _numbers(*players) or _("any number"))]
    if size.hanchan is not None:
        facts.append(FormatFact(_("Hanchan for each player"), span_text(*size.hanchan)))
    if size.rounds is not None:
        hours = [_hours(rounds, minutes) for rounds in size.rounds]
        facts.append(FormatFact(_("Number of sessions"), str(len(size.rounds))))
        facts.append(
            FormatFact(_("Hours each session"), _("about %(hours)s") % {"hours": span_text(min(hours), max(hours))})
        )
    if text := _numbers(*tables):
        facts.append(FormatFact(_("Tables at a time"), text))
    return facts


def _numbers(least: int | None, most: int | None) -> str:
    """Return a range of numbers; empty if it is not known."""
    return "" if least is None or most is None else span_text(least, most)


def span_text(least: int, most: int) -> str:
    """Return a range of numbers, or the number if both are equal."""
    return str(least) if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def _hours(rounds: int, minutes: int) -> int:
    """Return the hours that rounds take, rounded up."""
    return ceil(rounds * minutes / HOUR)


SENTENCES: Mapping[Why, Callable[[int], str]] = {
    Why.PLAYERS_EXACT: lambda _count: _("Made for %(players)s players."),
    Why.PLAYERS_BETWEEN: lambda _count: _("For %(least)s to %(most)s players."),
    Why.PLAYERS_ANY: lambda _count: _("Takes any number of players."),
    Why.PLAYERS_MISSING: lambda count: ngettext(
        "Made for %(players)s players: %(count)s more is needed.",
        "Made for %(players)s players: %(count)s more are needed.",
        count,
    ),
    Why.PLAYERS_OVER: lambda count: ngettext(
        "Made for %(players)s players: %(count)s stands by as a substitute.",
        "Made for %(players)s players: %(count)s stand by as substitutes.",
        count,
    ),
    Why.EVENINGS_EXACT: lambda _count: _("One session on each evening."),
    Why.EVENINGS_SPARE: lambda count: ngettext(
        "%(count)s evening is left as a spare day.", "%(count)s evenings are left as spare days.", count
    ),
    Why.EVENINGS_ANY: lambda _count: _("As many evenings as you like."),
    Why.EVENINGS_SHORT: lambda count: ngettext(
        "Its %(sessions)s sessions on %(count)s evening: %(rounds)s rounds in a row, about %(hours)s hours.",
        "Its %(sessions)s sessions on %(count)s evenings: up to %(rounds)s rounds in a row, about %(hours)s hours.",
        count,
    ),
    Why.TABLES_ENOUGH: lambda count: ngettext(
        "%(count)s table at a time is enough.", "%(count)s tables at a time are enough.", count
    ),
    Why.TABLES_SHORT: lambda count: ngettext(
        "Made for %(tables)s tables at a time. With %(count)s table players take turns: up to %(rounds)s rounds, "
        "about %(hours)s hours a session.",
        "Made for %(tables)s tables at a time. With %(count)s tables players take turns: up to %(rounds)s rounds, "
        "about %(hours)s hours a session.",
        count,
    ),
}
"""The sentence for each reason, by the number in it that may be one."""


def fit_text(reason: FitReason, minutes: int) -> str:
    """Return a reason as a sentence; `minutes` is the usual length of a hanchan."""
    params = {**reason.params, "hours": _hours(reason.params.get("rounds", 0), minutes)}
    return SENTENCES[reason.why](params.get("count", 0)) % params
