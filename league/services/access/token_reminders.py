"""Remind the owner of a token by letter a week before it expires, so that no overlay goes dark on a league night."""

from __future__ import annotations

import datetime as dt

from django.db.models import F
from django.utils import timezone
from knox.models import AuthToken

from league.models import OrganizationChange
from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner
from league.services.access.tokens import credential_of

KIND = "token.ends_soon"
BEFORE = dt.timedelta(days=7)
LEAST_LIFE = dt.timedelta(days=14)
"""Tokens with a shorter life get no reminder: their owner knows when they end."""


def remind() -> None:
    """Send a reminder for every token that expires soon and has had none; the log stores which ones have."""
    now = timezone.now()
    ending = AuthToken.objects.filter(expiry__gt=now, expiry__lte=now + BEFORE, user__is_active=True)
    long_lived = list(ending.filter(expiry__gte=F("created") + LEAST_LIFE).select_related("user", "grant__competition"))
    if not long_lived:
        return
    lines = OrganizationChange.objects.filter(kind=KIND, at__gt=now - BEFORE - dt.timedelta(days=1))
    told = {(after or {}).get("token") for after in lines.values_list("after", flat=True)}
    for row in long_lived:
        if credential_of(row) not in told:
            remind_of(row)


@all_or_nothing
def remind_of(row: AuthToken) -> None:
    """Write the log line and the letter for one token, in one transaction."""
    by = Actor.system()
    grant = getattr(row, "grant", None)
    after = {"token": credential_of(row), "expires_at": row.expiry.isoformat(timespec="seconds")}
    record_organization_change(KIND, row.user, by=by, after=after)
    competition, label = (grant.competition, grant.label) if grant is not None else (None, "")
    notify_owner(row.user, News(KIND, competition, label=label), by=by)
