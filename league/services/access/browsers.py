"""Notify an account's owner by letter of a sign-in with a browser that has not been used with the account before.

The browser itself remembers its accounts in a signed cookie that lives for 400 days. The server keeps no list of
browsers and looks at no location.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing

from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner

SALT = "league.browsers"
KEPT_FOR = dt.timedelta(days=400)
"""The lifetime of the cookie; browsers keep no cookie longer."""
MOST_ACCOUNTS = 20


def accounts_in(cookie: str) -> Sequence[int]:
    """Return the ids of the accounts this browser was used for, read from its cookie.

    Empty if the cookie was not signed here or is too old.
    """
    try:
        found = signing.loads(cookie, salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        return ()
    return tuple(found)


def cookie_with(user: User, known: Collection[int]) -> str:
    """Return the new cookie value: this user first, then the accounts known before, 20 at most."""
    others = [pk for pk in known if pk != user.pk]
    return signing.dumps([user.pk, *others][:MOST_ACCOUNTS], salt=SALT)


@all_or_nothing
def note_sign_in(*, user: User, known: Collection[int], is_first: bool, by: Actor) -> None:
    """Notify the account's owner of a sign-in, unless the browser is known.

    The account's very first sign-in causes no letter: its owner has just created it.
    """
    if user.pk in known or is_first or not settings.ENVIRONMENT.tells_new_browsers:
        return
    record_organization_change("account.new_browser", user, by=by)
    notify_owner(user, News("account.new_browser"), by=by)
