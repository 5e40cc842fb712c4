"""Browser sessions of an account: find them, end them everywhere, and expire them by age and idleness."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner
from league.services.access.tokens import revoke_tokens_of

SIGNED_IN = "signed_in_at"
SEEN = "seen_at"
NOTED_EVERY = dt.timedelta(minutes=10)


def sessions_of(user: User) -> Iterator[Session]:
    """Yield the unexpired sessions of a user.

    The user's id is inside the encoded session data, so all sessions are read; this is rarely needed.
    """
    for row in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if row.get_decoded().get(SESSION_KEY) == str(user.pk):
            yield row


def end_sessions(*, user: User, but: str | None = None) -> int:
    """End all sessions of a user except the one with the key `but`; return the number of sessions ended."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    keys = [row.session_key for row in sessions_of(user) if row.session_key != but]
    for key in keys:
        # Through the configured engine: a cached one keeps a copy that a plain DELETE would leave alive.
        store(key).delete()
    return len(keys)


@all_or_nothing
def sign_out_elsewhere(*, user: User, here: str | None, by: Actor) -> int:
    """End every session of an account except the present one; return their number."""
    count = end_sessions(user=user, but=here)
    record_organization_change("account.signed_out_elsewhere", user, by=by, after={"sessions": count})
    return count


@all_or_nothing
def note_new_password(*, user: User, by: Actor, ends_tokens: bool) -> None:
    """Record a changed password, end the account's tokens if requested, and notify the owner.

    The sessions that used the old password are invalid by themselves.
    """
    ended = revoke_tokens_of(user=user, by=by) if ends_tokens else 0
    record_organization_change("account.password_changed", user, by=by, after={"tokens_ended": ended})
    notify_owner(user, News("account.password_changed"), by=by)


def is_worn_out(session: Mapping[str, float], now: float) -> bool:
    """Return True if the user must sign in again: too long since the sign-in, or since the last request."""
    signed_in, seen = session.get(SIGNED_IN, now), session.get(SEEN, now)
    return bool(now - signed_in > settings.SIGNED_IN_SECONDS or now - seen > settings.IDLE_SECONDS)
