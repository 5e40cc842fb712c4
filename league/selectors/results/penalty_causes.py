"""Causes of penalties outside a hanchan, by the names that the rules give them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Adjustment
from league.selectors.rulebooks.rules_in_force import every_rules, ruleset_of
from league.wording.names import title_in
from scoring.ruleset.base import Title


def cause_title(row: Adjustment) -> Title | None:
    """Return the title of a penalty in the newest rules that list it; None without a cause, or if none list it."""
    if not row.cause:
        return None
    books = (ruleset_of(each) for each in reversed(every_rules(row.block.competition)))
    return next((one.title for book in books for one in book.settlement.penalties if one.key == row.cause), None)


def cause_text(row: Adjustment) -> str:
    """Return the name of a penalty in the active language; its key if no rules list it, empty without a cause."""
    title = cause_title(row)
    return row.cause if title is None else title_in(title)


def reason_text(row: Adjustment) -> str:
    """Return the reason of an adjustment, after the name of the penalty if it is one."""
    cause = cause_text(row)
    return _("%(cause)s: %(reason)s") % {"cause": cause, "reason": row.reason} if cause else row.reason
