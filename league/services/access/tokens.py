"""API tokens: shown once, stored as digests, limited to scopes and a lifetime that their owner chooses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import OperationalError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.crypto import hash_token
from knox.models import AuthToken

from league.models import Competition, OrganizationChange, TokenGrant
from league.platform.errors import forbid, refuse
from league.selectors.access.actors import (
    Actor,
    Capability,
    capability_name,
    competitions_where,
    grant_of,
    is_master,
    restrict_to_grant,
)
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner

SHOWN_OF_DIGEST = 12
LONGEST = dt.timedelta(days=366)
NOTED_EVERY = dt.timedelta(minutes=1)
TOLD_EVERY = dt.timedelta(days=1)
LABEL_LENGTH = 100


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token's row with the token itself, which is shown once."""

    row: AuthToken
    token: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenPlan:
    """Parameters of a new token."""

    label: str
    scopes: Iterable[Capability]
    expires_in: dt.timedelta
    competition: Competition | None = None


@all_or_nothing
def make_token(*, plan: TokenPlan, by: Actor) -> NewToken:
    """Create a token that acts for its owner with a part of the owner's permissions.

    1. Refuse requests made with a restricted token: delegated permissions must not multiply.
    2. Refuse a competition the owner does not work for, and a scope the owner does not have there.
    3. Permissions that the owner loses later are lost for the token as well.
    """
    user = in_person(by)
    label, scopes = plan.label.strip(), [scope for scope in Capability if scope in set(plan.scopes)]
    refuse_bad_label(label)
    refuse_bad_expiry(plan.expires_in)
    refuse_scopes(user, scopes, plan.competition)
    row, token = AuthToken.objects.create(user, expiry=plan.expires_in)
    grant = TokenGrant.objects.create(
        token=row, label=label, scopes=[str(scope) for scope in scopes], competition=plan.competition
    )
    after = {
        "token": credential_of(row),
        "label": label,
        "scopes": grant.scopes,
        "competition": grant.competition_id,
        "expires_at": row.expiry.isoformat(timespec="seconds"),
    }
    record_organization_change("token.made", user, by=by, after=after)
    notify_owner(user, News("token.made", plan.competition, label=label), by=by)
    return NewToken(row, token)


@all_or_nothing
def sign_in_by_token(*, user: User, by: Actor) -> NewToken:
    """Create an unrestricted token, as after a sign-in, and delete the user's expired tokens.

    Programs may sign in many times a day: the account's owner gets a letter for the first sign-in in a day only.
    """
    AuthToken.objects.filter(user=user, expiry__lt=timezone.now()).delete()
    row, token = AuthToken.objects.create(user)
    if not has_signed_in_lately(user):
        notify_owner(user, News("token.signed_in"), by=by)
    record_organization_change("token.signed_in", user, by=by, after={"token": credential_of(row)})
    return NewToken(row, token)


@all_or_nothing
def revoke_token(*, row: AuthToken, by: Actor) -> None:
    """Revoke a token. Its user may do so, and directors of the only competition it is for."""
    if not may_revoke(row, by):
        raise not_yours()
    if by.credential != credential_of(row):  # no letter when a program signs itself out
        grant = TokenGrant.objects.filter(token=row).select_related("competition").first()
        notify_owner(
            row.user,
            News("token.revoked", grant.competition if grant else None, label=grant.label if grant else ""),
            by=by,
        )
    end_token(row, by)


def end_token(row: AuthToken, by: Actor) -> None:
    """Record the end of the token and delete it."""
    record_organization_change("token.revoked", row.user, by=by, before={"token": credential_of(row)})
    row.delete()


@all_or_nothing
def revoke_tokens_of(*, user: User, by: Actor) -> int:
    """Revoke all tokens of a user and return their number; the caller notifies the owner."""
    rows = list(AuthToken.objects.filter(user=user))
    for row in rows:
        if not may_revoke(row, by):
            raise not_yours()
        end_token(row, by)
    return len(rows)


def has_signed_in_lately(user: User) -> bool:
    """Return True if a program signed in with this account within the last day."""
    lines = OrganizationChange.objects.filter(kind="token.signed_in", subject_type="user", subject_id=str(user.pk))
    return lines.filter(at__gt=timezone.now() - TOLD_EVERY).exists()


def not_yours() -> Exception:
    """Return the error for revoking another user's token."""
    return forbid(_("This token is not yours to revoke."))


def may_revoke(row: AuthToken, by: Actor) -> bool:
    """Return True for the token's user, directors of its only competition, superusers, and the token itself."""
    if by.is_system or is_master(by.user) or by.credential == credential_of(row):
        return True
    if by.user is None or grant_of(by.user) is not None:
        return False
    grant = TokenGrant.objects.filter(token=row).first()
    directs = grant is not None and competitions_where(by.user, Capability.MANAGE).filter(token_grants=grant)
    return row.user_id == by.user.pk or bool(directs)


def tokens_of_competition(competition: Competition) -> QuerySet[TokenGrant]:
    """Return the tokens made for this competition alone."""
    return TokenGrant.objects.filter(competition=competition).select_related("token__user").order_by("label", "pk")


def bearer_of(token: str) -> AuthToken | None:
    """Return the row of a valid token, or None; its user object carries the limits of the token."""
    # Looked up by digest: the database never sees the token, and the lookup's timing reveals nothing about it.
    row = next(iter(AuthToken.objects.select_related("user", "grant").filter(digest=hash_token(token))), None)
    if row is None or not row.user.is_active or (row.expiry is not None and row.expiry <= timezone.now()):
        return None
    grant = getattr(row, "grant", None)
    if grant is not None:
        restrict_to_grant(row.user, grant)
        note_use(grant)
    return row


def note_use(grant: TokenGrant) -> None:
    """Store when a token was last used, to the minute; a database that takes no writes does not refuse the request."""
    now = timezone.now()
    if grant.used_at is None or grant.used_at < now - NOTED_EVERY:
        with suppress(OperationalError):
            TokenGrant.objects.filter(pk=grant.pk).update(used_at=now)


def credential_of(row: AuthToken) -> str:
    """Return the name of a token in the log: the beginning of its digest."""
    return f"token:{row.digest[:SHOWN_OF_DIGEST]}"


def in_person(by: Actor) -> User:
    """Return the acting user; raise PermissionRefusedError for restricted tokens and for actors without a user."""
    if by.user is None or grant_of(by.user) is not None:
        raise forbid(_("A token cannot do this. Sign in with your name and password."))
    return by.user


def refuse_bad_label(label: str) -> None:
    """Raise unless the token has a label of at most 100 characters, by which its owner recognises it."""
    if not label:
        raise refuse("label_needed", _("Please say what the token is for, such as “overlay of the stream”."), "/label")
    if len(label) > LABEL_LENGTH:
        raise refuse("too_long", _("At most %(most)s characters.") % {"most": LABEL_LENGTH}, "/label")


def refuse_bad_expiry(expires_in: dt.timedelta) -> None:
    """Raise unless the token's lifetime is positive and at most 366 days."""
    if not dt.timedelta(0) < expires_in <= LONGEST:
        message = _("A token is good for 1 to %(days)s days.") % {"days": LONGEST.days}
        raise refuse("bad_expiry", message, "/days")


def refuse_scopes(user: User, scopes: Iterable[Capability], competition: Competition | None) -> None:
    """Raise unless the user has each scope in the competition, or in some competition if none is given."""
    scopes = list(scopes)
    if not scopes:
        raise refuse("scope_needed", _("Choose at least one thing the token may do."), "/scopes")
    for scope in scopes:
        rows = competitions_where(user, scope)
        if not (rows.filter(pk=competition.pk) if competition is not None else rows).exists():
            raise refuse(
                "scope_not_yours",
                _("You may not do this there yourself, so no token of yours can: %(scope)s.")
                % {"scope": capability_name(scope)},
                "/scopes",
            )
