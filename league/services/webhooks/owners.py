"""The owners of webhooks: competitions, series and rankings, each with its right, its lock and its log.

Changes of webhooks are recorded where the owner's other changes are: those of a competition under its version, those of
a series or a ranking outside competitions.
"""

from __future__ import annotations

from collections.abc import Mapping

from league.models import Audience, Competition, Ranking, Series, WebhookSubscription
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, open_change, record_organization_change
from league.services.seasons.rankings import lock_ranking, require_rankings
from league.services.seasons.series import lock_series, require_series

Owner = Competition | Series | Ranking


def require_owner(by: Actor, owner: Owner, audience: Audience = Audience.PUBLIC) -> None:
    """Raise PermissionRefusedError unless the actor may manage the owner's webhooks of this audience."""
    if isinstance(owner, Series):
        require_series(by)
    elif isinstance(owner, Ranking):
        require_rankings(by)
    else:
        require(by, owner, Capability.MANAGE)
        if audience == Audience.STAFF:
            require(by, owner, Capability.READ)


def lock_owner(owner: Owner) -> Owner:
    """Lock the owner's row until the transaction ends, and return the owner as stored now."""
    if isinstance(owner, Series):
        return lock_series(owner)
    if isinstance(owner, Ranking):
        return lock_ranking(owner)
    lock(owner)
    return owner


def record_change(
    kind: str,
    subscription: WebhookSubscription,
    *,
    by: Actor,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> int:
    """Record a change of a webhook, which is never public; return the owner's version afterwards."""
    owner = subscription.owner
    if isinstance(owner, Competition):
        change = open_change(owner, by)
        change.record(kind, subscription, before=before, after=after, is_public=False)
        return change.n
    record_organization_change(kind, subscription, by=by, before=before, after=after)
    return owner.version
