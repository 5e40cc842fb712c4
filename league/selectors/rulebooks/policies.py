"""Policies of a competition's format, with their amounts at the scale in which the standings count."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from league.models import Competition
from league.platform.errors import refuse
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from scoring.format.policies import Policies


def policies_of(competition: Competition) -> Policies:
    """Return the policies of the format in force."""
    return format_of(rules_at(competition)).policies


def in_ledger(competition: Competition, amount: Fraction | None) -> int | None:
    """Return an amount of the format at the ranking ledger's scale; None for None.

    Raise RuleViolationError if the scale cannot hold it, such as a third of a point.
    """
    if amount is None:
        return None
    ledger = ruleset_of(rules_at(competition)).ranking_ledger
    try:
        return ledger.stored(amount)
    except ValueError as error:
        message = _("The format counts %(amount)s points, which the rules cannot hold exactly. Change the format.")
        raise refuse("amount_not_exact", message % {"amount": amount}) from error
