"""The browsers an account is used with: whoever signs in with one not seen before is told of by letter.

The one idea: a browser remembers by itself whose it is, in a signed cookie that lives for a year and more. Nothing is
kept of it here, and where somebody is does not matter.
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
from league.services.access.mails import News, tell

SALT = "league.browsers"
KEPT_FOR = dt.timedelta(days=400)
"""Longer no browser keeps a cookie."""
MOST_ACCOUNTS = 20


def accounts_in(cookie: str) -> Sequence[int]:
    """The accounts a browser has been used for, by its cookie; none if it was not made here or is too old."""
    try:
        found = signing.loads(cookie, salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        return ()
    return tuple(found)


def cookie_with(user: User, known: Collection[int]) -> str:
    """What the browser keeps from now on."""
    others = [pk for pk in known if pk != user.pk]
    return signing.dumps([user.pk, *others][:MOST_ACCOUNTS], salt=SALT)


@all_or_nothing
def note_sign_in(*, user: User, known: Collection[int], is_first: bool, by: Actor) -> None:
    """Somebody has signed in: of a browser not seen before the account's owner is told.

    Of the first time of all nobody is: whoever has just made the account knows.
    """
    if user.pk in known or is_first or not settings.ENVIRONMENT.tells_new_browsers:
        return
    record_organization_change("account.new_browser", user, by=by)
    tell(user, News("account.new_browser"), by=by)
