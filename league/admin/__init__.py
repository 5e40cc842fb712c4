"""The organizers' desk on Django's admin: lists to read, and pages that call services. Facts are never edited here."""

from league.admin import (
    accounts,
    competitions,
    decisions,
    derived,
    log,
    members,
    own_rulesets,
    parlour,
    people,
    results,
    rules,
    schedule,
    webhooks,
)

__all__ = [
    "accounts",
    "competitions",
    "decisions",
    "derived",
    "log",
    "members",
    "own_rulesets",
    "parlour",
    "people",
    "results",
    "rules",
    "schedule",
    "webhooks",
]
