"""The organizers' admin, built on Django's: read-only lists, and pages that call services. Facts are never edited."""

from league.admin.access import accounts, change_log, members
from league.admin.competitions import competitions, schedule
from league.admin.parlour import parlour
from league.admin.people import people
from league.admin.results import decisions, results
from league.admin.rulebooks import formats, own_rulesets, rules
from league.admin.seasons import rankings, series_terms
from league.admin.standings import derived
from league.admin.webhooks import webhooks

__all__ = [
    "accounts",
    "change_log",
    "competitions",
    "decisions",
    "derived",
    "formats",
    "members",
    "own_rulesets",
    "parlour",
    "people",
    "rankings",
    "results",
    "rules",
    "schedule",
    "series_terms",
    "webhooks",
]
