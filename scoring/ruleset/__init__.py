"""The schema of a ruleset: every way in which rules may differ, typed, without any values.

It was designed for six rule books at once. A policy's name in a file is the name of the enum member that runs it, so
that one search leads from clause to value to code.
"""

from scoring.ruleset.base import TABLE_POINTS, Fault, FaultsError, Title, Wind
from scoring.ruleset.book import ClauseIndex, OwnClause, Ruleset
from scoring.ruleset.ledgers import Ledger, Unit
from scoring.ruleset.options import Option, OptionError, Scope

__all__ = [
    "TABLE_POINTS",
    "ClauseIndex",
    "Fault",
    "FaultsError",
    "Ledger",
    "Option",
    "OptionError",
    "OwnClause",
    "Ruleset",
    "Scope",
    "Title",
    "Unit",
    "Wind",
]
