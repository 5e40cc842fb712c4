"""Rankings in words: exact numbers, the reason why a result counts or not, and what is missing for a place."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.wording.formatting import decimal_text, minus
from league.wording.names import title_in
from scoring.format import Ranking as RankingRules
from scoring.format.parts import Cited
from scoring.format.ranking import RankingVersion
from scoring.rankings.events import PartSum, Shortfall, Status, Unranked
from scoring.rankings.ladder import Moved

MOST_DIGITS = 6
"""Of an exact number that is written as a decimal."""
DIGITS_OF_MEAN = 4


class EventFacts(Protocol):
    """An event as its weight depends on it."""

    days: int
    countries: int
    needs_qualification: bool


def exact_text(amount: Fraction, *, plus: bool = False) -> str:
    """Return an exact number: as a decimal if six digits are enough, else as a fraction."""
    sign = minus() if amount < 0 else "+" if plus and amount > 0 else ""
    size = abs(amount)
    for digits in range(MOST_DIGITS + 1):
        if (size * 10**digits).denominator == 1:
            return sign + decimal_text(size, digits)
    return f"{sign}{size.numerator}/{size.denominator}"


def kind_text(rules: RankingRules) -> str:
    """Return the kind of a ranking."""
    if rules.rating is not None:
        return _("Rating, game by game")
    return _("Ranks by points") if rules.ladder is not None else _("Results of events")


def status_text(status: Status) -> str:
    """Return whether a result counts, and if not, the reason."""
    return {
        Status.COUNTS: _("counts"),
        Status.LEFT_OUT: _("better results count"),
        Status.TOO_OLD: _("too old"),
    }[status]


def missing_text(missing: Shortfall) -> str:
    """Return what a person lacks for a place."""
    numbers = {"there": missing.there, "needed": missing.needed}
    sentence = {
        Unranked.TOO_FEW_RESULTS: _("%(there)s of %(needed)s results that count"),
        Unranked.TOO_FEW_EVENTS: _("%(there)s of %(needed)s events"),
        Unranked.TOO_FEW_DAYS: _("%(there)s of %(needed)s days of play"),
    }[missing.code]
    return sentence % numbers


def games_missing_text(count: int) -> str:
    """Return the number of games that a person lacks for a place."""
    return ngettext("%(count)s more game for a place", "%(count)s more games for a place", count) % {"count": count}


def moved_text(moved: Moved | None) -> str:
    """Return what a game did beyond its points; empty for nothing."""
    if moved is None:
        return ""
    return {
        Moved.PROMOTED: _("promoted"),
        Moved.DEMOTED: _("demoted"),
        Moved.HELD: _("this rank cannot be lost"),
    }[moved]


def event_facts_text(event: EventFacts) -> str:
    """Return the facts that an event's weight depends on."""
    facts = [
        ngettext("%(count)s day", "%(count)s days", event.days) % {"count": event.days},
        ngettext("%(count)s country", "%(count)s countries", event.countries) % {"count": event.countries},
    ]
    if event.needs_qualification:
        facts.append(_("players had to qualify"))
    return _(", ").join(facts)


def part_text(part: PartSum, by: str) -> str:
    """Return a part as the sum that it is, with numbers."""
    if by == "sum":
        return exact_text(part.value)
    total, weight = exact_text(part.sum), exact_text(part.weight)
    return f"{total} ÷ {weight} = {decimal_text(part.value, DIGITS_OF_MEAN)}"


def rule_notes(rules: RankingRules, version: RankingVersion | None) -> list[str]:
    """Return the notes of a ranking's rules, in the order of the file."""
    tables: list[Cited] = [rules]
    if version is not None:
        event = version.event
        tables += [version, event, event.base, *event.weight, *event.age, *version.parts]
        tables += [version.eligible] if version.eligible else []
    if rules.rating is not None:
        tables += [rules.rating, *rules.rating.places, rules.rating.coefficient]
    if rules.ladder is not None:
        tables += [rules.ladder, *rules.ladder.places]
    return [title_in(table.note) for table in tables if table.note]
