"""The actor of an import of online games, kept so that a background task has the rights of the person who began it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Door, PaifuImport
from league.platform.errors import Finding, PermissionRefusedError
from league.selectors.access.actors import Actor, grant_of, restrict_to_scopes

OF_PEOPLE = frozenset({Door.ADMIN, Door.PAGE, Door.TABLE, Door.API})
"""Entry points that a person or the holder of a link uses."""


def keep_actor(batch: PaifuImport, by: Actor) -> None:
    """Note on an unsaved import who goes on with it; a token's limits are kept with it."""
    grant = grant_of(by.user)
    batch.made_by, batch.link, batch.door, batch.credential = by.user, by.link, by.door, by.credential
    batch.scopes = None if grant is None else sorted(grant.scopes)


def actor_of_import(batch: PaifuImport) -> Actor:
    """Return the actor who began an import: its role is that of now, limited as its token was then.

    Raise PermissionRefusedError if the account was deleted meanwhile.
    """
    user, door = batch.made_by, Door(batch.door)
    if user is None and batch.link is None and door in OF_PEOPLE:
        message = _("The account that began this import is gone. Begin it again.")
        raise PermissionRefusedError(Finding("account_gone", message))
    if user is not None:
        restrict_to_scopes(user, batch.competition, batch.scopes)
    return Actor(user=user, door=door, credential=batch.credential, link=batch.link)
