"""The rules of a series as a value of the engine, parsed once per text."""

from __future__ import annotations

from functools import lru_cache

from league.models import NextRoster, OrganizationChange, Series, SeriesRevision, Term
from league.selectors.access.actors import AnyUser, has_right
from league.selectors.rulebooks.catalogue import format_revision_named
from league.selectors.rulebooks.rules_in_force import RevisionText, format_of_revision
from rulesets.formats import format_names, load_format
from rulesets.series import read_series
from scoring.format import EntrantKind
from scoring.format import Series as SeriesRules
from scoring.format.series import Outside, Tier

MAY_ADD = "league.add_series"
MAY_CHANGE = "league.change_series"
RULES_CHANGED = "series.rules"
"""The kind of the change that gives a series other rules; `before` names the revision that it ends."""


@lru_cache(maxsize=32)
def _series(text: RevisionText) -> SeriesRules:
    return read_series(text.revision.text, text.source)


def rules_of_revision(revision: SeriesRevision) -> SeriesRules:
    """Return the rules of a stored series file."""
    return _series(RevisionText(revision.sha256, str(revision), revision))


def rules_of_series(series: Series) -> SeriesRules:
    """Return the rules that the series has now."""
    return rules_of_revision(series.rules)


def written_roster(term: Term) -> NextRoster | None:
    """Return the roster after a term that holds, or None."""
    return term.next_rosters.filter(ended_at=None).first()


def rules_of_term(term: Term, written: NextRoster | None = None) -> SeriesRules:
    """Return the rules of a term: those by which its moves were decided, or else those that the series has now."""
    return rules_of_revision(revision_of_term(term, written or written_roster(term)))


def revision_of_term(term: Term, written: NextRoster | None) -> SeriesRevision:
    """Return the revision of the rules of a term; `written` is the roster after it that holds.

    A roster was decided by the rules that the first change of rules after it ended.
    """
    if written is None:
        return term.series.rules
    changes = OrganizationChange.objects.filter(
        kind=RULES_CHANGED, subject_type="series", subject_id=str(term.series_id), at__gt=written.made_at
    )
    later = changes.order_by("pk").first()
    if later is None or later.before is None:
        return term.series.rules
    name, _separator, number = later.before["rules"].rpartition(" r")
    return SeriesRevision.objects.get(name=name, number=int(number))


def tiers_of_teams(rules: SeriesRules) -> frozenset[str]:
    """Return the keys of the tiers in which teams play, by their formats."""
    return frozenset(tier.key for tier in rules.tiers if _is_for_teams(tier.format))


def _is_for_teams(name: str) -> bool:
    if name in format_names():
        return load_format(name).kind is EntrantKind.TEAMS
    revision = format_revision_named(name)
    return revision is not None and format_of_revision(revision).kind is EntrantKind.TEAMS


def places_of(rules: SeriesRules) -> tuple[Tier | Outside, ...]:
    """Return the tiers from the top, then the competitions beside them."""
    return (*rules.tiers, *rules.outside)


def may_change_series(user: AnyUser) -> bool:
    """Return True for users who decide on moves and write rosters; a restricted token has no such right."""
    return has_right(user, MAY_CHANGE)


def may_add_series(user: AnyUser) -> bool:
    """Return True for users allowed to create a series."""
    return has_right(user, MAY_ADD)
