"""Entrants who leave a competition for good, and their return: withdrawal and disqualification."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.models import Departure, Entrant
from league.platform.errors import conflict, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.byes import settle_all_byes
from league.services.results.preview import refuse_unseating
from league.services.results.rulings import nothing_held_back
from league.services.results.sheets import lock_open


@all_or_nothing
def withdraw(*, entrant: Entrant, by: Actor, reason: str, accept: Collection[str] = ()) -> Departure:
    """Let an entrant leave; the results stay, and the rank follows from the format's policy for withdrawals."""
    require(by, entrant.competition, Capability.MANAGE)
    return record_departure(entrant, Departure.Kind.WITHDRAWN, by=by, reason=reason, accept=accept)


@all_or_nothing
def disqualify(*, entrant: Entrant, by: Actor, reason: str, accept: Collection[str] = ()) -> Departure:
    """Exclude an entrant: the results of the others stay, the entrant has no rank and is passed over at every cut."""
    require(by, entrant.competition, Capability.MANAGE)
    return record_departure(entrant, Departure.Kind.DISQUALIFIED, by=by, reason=reason, accept=accept)


def record_departure(
    entrant: Entrant, kind: Departure.Kind, *, by: Actor, reason: str, accept: Collection[str] = ()
) -> Departure:
    """Write a departure; the caller has checked the permission.

    Raise ConflictError if the entrant has left already, and WarningsNotAcceptedError if a player would lose a place
    in a stage that has results.
    """
    refuse_without_reason(reason)
    competition = entrant.competition
    lock_open(competition)
    if (left := Departure.objects.standing().filter(entrant=entrant).first()) is not None:
        raise conflict(
            "left_already",
            _("%(name)s has left already: %(kind)s (%(reason)s). To record it otherwise, take that back first.")
            % {"name": entrant, "kind": left.get_kind_display(), "reason": left.reason},
        )
    change = open_change(competition, by)
    departure = Departure.objects.create(entrant=entrant, kind=kind, reason=reason, made_n=change.n)
    entrant.withdrawn_at = departure.at
    entrant.save(update_fields=["withdrawn_at"])
    settle_all_byes(change)
    refuse_unseating(change, accept)
    change.record(
        f"entrant.{kind}",
        entrant,
        after={"departure": departure.pk},
        reason=reason,
        is_public=nothing_held_back(competition, departure),
    )
    return departure
