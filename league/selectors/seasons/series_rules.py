"""The rules of a series as a value of the engine, parsed once per text."""

from __future__ import annotations

from functools import lru_cache

from league.models import Series, SeriesRevision
from league.selectors.access.actors import AnyUser, has_right
from league.selectors.rulebooks.rules_in_force import RevisionText
from rulesets.series import read_series
from scoring.format import Series as SeriesRules
from scoring.format.series import Outside, Tier

MAY_ADD = "league.add_series"
MAY_CHANGE = "league.change_series"


@lru_cache(maxsize=32)
def _series(text: RevisionText) -> SeriesRules:
    return read_series(text.revision.text, text.source)


def rules_of_revision(revision: SeriesRevision) -> SeriesRules:
    """Return the rules of a stored series file."""
    return _series(RevisionText(revision.sha256, str(revision), revision))


def rules_of_series(series: Series) -> SeriesRules:
    """Return the rules that the series has now."""
    return rules_of_revision(series.rules)


def tier_of(rules: SeriesRules, key: str) -> Tier | None:
    """Return the tier of this key, or None."""
    return next((tier for tier in rules.tiers if tier.key == key), None)


def places_of(rules: SeriesRules) -> tuple[Tier | Outside, ...]:
    """Return the tiers from the top, then the competitions beside them."""
    return (*rules.tiers, *rules.outside)


def may_change_series(user: AnyUser) -> bool:
    """Return True for users who decide on moves and write rosters; a restricted token has no such right."""
    return has_right(user, MAY_CHANGE)


def may_add_series(user: AnyUser) -> bool:
    """Return True for users who may create a series."""
    return has_right(user, MAY_ADD)
