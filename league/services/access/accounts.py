"""Record what superusers change about accounts in the audit log, and notify the accounts' owners by e-mail.

The same log records every export of the personal data of an account or a player.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from league.models import Player
from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner
from league.services.access.sign_in_sessions import end_sessions

NO_NEWS = frozenset({"first_name", "last_name", "last_login", "date_joined"})
"""Fields that neither grant nor deny access: their owner gets no letter about them."""


@all_or_nothing
def note_account_made(*, user: User, fields: Sequence[str], by: Actor) -> None:
    """Record that a superuser created an account; `fields` are the names of the fields given."""
    record_organization_change("account.made", user, by=by, after={"fields": list(fields)})


@all_or_nothing
def note_account_edited(*, user: User, fields: Sequence[str], address_before: str, by: Actor) -> None:
    """Record that a superuser edited an account; `fields` are the names of the fields changed.

    1. A deactivated account loses all its sessions at once.
    2. The owner gets a letter about each field that protects the account; a changed e-mail address is also reported
       to the old address.
    """
    record_organization_change("account.edited", user, by=by, after={"fields": list(fields)})
    if not user.is_active:
        end_sessions(user=user)
    news = [name for name in fields if name not in NO_NEWS]
    # The old address gets the letter too: an attacker who changes the address must not silence the owner.
    if news:
        notify_owner(user, News("account.edited", fields=news), by=by, addresses=[address_before, user.email])


@all_or_nothing
def note_password_given(*, user: User, by: Actor) -> None:
    """Record that a superuser set another password for an account, and notify its owner."""
    record_organization_change("account.password_given", user, by=by)
    notify_owner(user, News("account.password_given"), by=by)


@all_or_nothing
def note_handed_out(*, subject: User | Player, by: Actor) -> None:
    """Record that all data kept about an account or a player was exported as a file."""
    kind = "account.handed_out" if isinstance(subject, User) else "player.handed_out"
    record_organization_change(kind, subject, by=by)
