"""Penalties outside a hanchan for a cause that the rule book lists, within its bounds."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from league.platform.errors import refuse
from league.wording.formatting import points_text
from league.wording.names import title_in
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import PointPenalty


def penalty_of(rules: Ruleset, cause: str, points: int) -> PointPenalty | None:
    """Return the listed penalty for a cause; None without a cause.

    `points` are the adjustment, at the ranking ledger's scale. Raise unless the book lists the cause, and allows a
    deduction of this size for it.
    """
    if not cause:
        return None
    listed = {each.key: each for each in rules.settlement.penalties}
    if cause not in listed:
        known = _(", ").join(title_in(each.title) for each in listed.values()) or _("none")
        message = _("The rules list no penalty “%(cause)s”; they have: %(known)s.") % {"cause": cause, "known": known}
        raise refuse("penalty_unknown", message, "/cause")
    penalty = listed[cause]
    if not penalty.allows(Fraction(-points, rules.ranking_ledger.scale)):
        raise refuse("penalty_out_of_bounds", out_of_bounds_text(penalty, points, rules), "/points")
    return penalty


def out_of_bounds_text(penalty: PointPenalty, points: int, rules: Ruleset) -> str:
    """Return the message for a deduction that the book does not allow for this cause."""
    ledger = rules.ranking_ledger
    amounts = {
        name: points_text(ledger.stored(amount), ledger.scale)
        for name, amount in (("least", penalty.least), ("most", penalty.most), ("step", penalty.step))
    }
    given = points_text(-points, ledger.scale)
    if penalty.least == penalty.most:
        return _("“%(cause)s” costs %(least)s; %(given)s is given. Correct the points.") % {
            "cause": title_in(penalty.title),
            "given": given,
            **amounts,
        }
    return _(
        "“%(cause)s” costs %(least)s to %(most)s in steps of %(step)s; %(given)s is given. Correct the points."
    ) % {
        "cause": title_in(penalty.title),
        "given": given,
        **amounts,
    }
