"""The organizers' desk on Django's admin: lists to read, and pages that call services. Facts are never edited here."""

from league.admin import competitions, decisions, derived, own_rulesets, parlour, people, results, rules, schedule

__all__ = ["competitions", "decisions", "derived", "own_rulesets", "parlour", "people", "results", "rules", "schedule"]
