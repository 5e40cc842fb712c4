"""Pairings in words: how good a round is, which bound proves it, and what could not be avoided."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.format.rounds import Avoided, SeatedBy
from scoring.seating.pairing_search import BoundBy

SEATED_BY: Mapping[SeatedBy, Promise] = {
    SeatedBy.PLAN: gettext_lazy("by plan"),
    SeatedBy.STANDING: gettext_lazy("by the standing"),
    SeatedBy.DRAW: gettext_lazy("by lot"),
}
BOUNDS: Mapping[str, Promise] = {
    BoundBy.OPTIMUM: gettext_lazy("every other pairing was tried or excluded"),
    BoundBy.NEIGHBOURS: gettext_lazy("four neighbours in the standing at every table"),
    BoundBy.PAIRS: gettext_lazy("half of what each player's three cheapest opponents cost"),
    BoundBy.SHARES: gettext_lazy("a share for each player, such that no table costs less than the shares of its four"),
}


def proof_of(cost: int, bound: int, *, is_optimal: bool) -> str:
    """Return how far a pairing is from the best possible one, as a sentence."""
    if is_optimal:
        return _("No better pairing exists: this is proved.")
    if cost > bound:
        told = {"gap": cost - bound, "cost": cost, "bound": bound}
        return (
            _("At most %(gap)s above the least possible cost: it costs %(cost)s, and none costs less than %(bound)s.")
            % told
        )
    return _("No pairing with as few of the avoided meetings costs less; whether fewer are possible is not proved.")


def not_avoided(broken: Mapping[str, int]) -> list[str]:
    """Return what was to be avoided and could not be, as sentences; empty if all was."""
    words = {
        Avoided.MET: ngettext(
            "%(count)s pair has met before", "%(count)s pairs have met before", broken.get(Avoided.MET, 0)
        ),
        Avoided.CLUB: ngettext(
            "%(count)s pair is of one club", "%(count)s pairs are of one club", broken.get(Avoided.CLUB, 0)
        ),
        Avoided.COUNTRY: ngettext(
            "%(count)s pair is of one country", "%(count)s pairs are of one country", broken.get(Avoided.COUNTRY, 0)
        ),
        Avoided.TABLE: ngettext(
            "%(count)s player sits at an earlier table again",
            "%(count)s players sit at an earlier table again",
            broken.get(Avoided.TABLE, 0),
        ),
    }
    return [words[kind] % {"count": broken[kind]} for kind in Avoided if broken.get(kind)]
