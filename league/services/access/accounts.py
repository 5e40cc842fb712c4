"""What superusers change of accounts, written down and told to their owners; and whose data they hand out."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from league.models import Player
from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, tell
from league.services.access.sign_in_sessions import end_sessions

NO_NEWS = frozenset({"first_name", "last_name", "last_login", "date_joined"})
"""Fields that let nobody in and keep nobody out."""


@all_or_nothing
def note_account_made(*, user: User, fields: Sequence[str], by: Actor) -> None:
    """A superuser has made an account."""
    record_organization_change("account.made", user, by=by, after={"fields": list(fields)})


@all_or_nothing
def note_account_edited(*, user: User, fields: Sequence[str], address_before: str, by: Actor) -> None:
    """A superuser has changed an account.

    1. Whoever is shut out is signed out at once.
    2. Of what protects the account its owner is told; of another address at the address before as well.
    """
    record_organization_change("account.edited", user, by=by, after={"fields": list(fields)})
    if not user.is_active:
        end_sessions(user=user)
    news = [name for name in fields if name not in NO_NEWS]
    if news:
        tell(user, News("account.edited", fields=news), by=by, addresses=[address_before, user.email])


@all_or_nothing
def note_password_given(*, user: User, by: Actor) -> None:
    """A superuser has given an account another password."""
    record_organization_change("account.password_given", user, by=by)
    tell(user, News("account.password_given"), by=by)


@all_or_nothing
def note_account_handed_out(*, user: User, by: Actor) -> None:
    """All that is kept of an account was taken out as a file."""
    record_organization_change("account.handed_out", user, by=by)


@all_or_nothing
def note_player_handed_out(*, player: Player, by: Actor) -> None:
    """All that is kept of a person was taken out as a file."""
    record_organization_change("player.handed_out", player, by=by)
