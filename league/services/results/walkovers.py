"""Walkovers: a table whose hanchan is not played, with points for the entrants who were there."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.models import Credit, Hanchan
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.rulebooks.policies import in_ledger, policies_of
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.results.preview import refuse_unseating
from league.services.results.results import abandon_hanchan
from league.services.results.rulings import nothing_held_back
from league.services.results.sheets import lock_hanchan


@all_or_nothing
def declare_walkover(
    *, hanchan: Hanchan, by: Actor, reason: str, points: int | None = None, accept: Collection[str] = ()
) -> list[Credit]:
    """Abandon a hanchan and give points to the entrants who sit there, at the ranking ledger's scale.

    1. The points are those of the format's policy; only where it leaves them to a ruling they are given as `points`.
    2. House players, and entrants whose absence from the round is recorded, get none.
    3. Resuming the hanchan takes the points back.
    """
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.MANAGE)
    policy = policies_of(competition).walkover
    worth = points if policy.by == "ruling" else in_ledger(competition, policy.worth)
    if worth is None:
        raise refuse("points_needed", _("Enter the points that each player gets who was there."), "/points")
    if policy.by != "ruling" and points not in (None, worth):
        raise refuse(
            "points_of_format", _("The format says what a walkover is worth. Leave the points empty."), "/points"
        )
    abandon_hanchan(hanchan=hanchan, by=by, reason=reason)
    covered = Credit.objects.standing().filter(block=hanchan.block, number=hanchan.number).values("entrant")
    seats = hanchan.seats.filter(entrant__is_house=False, entrant__withdrawn_at=None).exclude(entrant__in=covered)
    change = open_change(competition, by)
    credits_ = [
        Credit.objects.create(
            block=hanchan.block,
            entrant_id=entrant,
            number=hanchan.number,
            kind=Credit.Kind.WALKOVER,
            points=worth,
            reason=reason,
            made_n=change.n,
        )
        for entrant in seats.order_by("seat").values_list("entrant", flat=True)
    ]
    if not credits_:
        raise refuse(
            "no_player_there", _("No player of this table was there, so none gets points. Abandon the hanchan instead.")
        )
    refuse_unseating(change, accept)
    change.record(
        "hanchan.walkover",
        hanchan,
        after={"points": worth, "entrants": [each.entrant_id for each in credits_]},
        reason=reason,
        is_public=nothing_held_back(competition, credits_[0]),
    )
    return credits_
