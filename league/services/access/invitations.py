"""Invitations by e-mail: a link that works once and expires; the token is shown once and stored only as a digest."""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Invitation, Membership, Role
from league.platform.errors import Finding, RuleViolationError, conflict, refuse
from league.platform.site_url import site_url
from league.selectors.access.actors import ROLE_CAPABILITIES, Actor, Capability, require
from league.services.access.changes import lock, lock_house, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.access.mails import one_line, reachable
from league.services.access.mails import send_letter as hand_over
from league.services.access.memberships import enrol, put_role, refuse_bad_team
from league.services.access.tokens import in_person
from league.services.live.links import TOKEN_BYTES, digest_of
from league.wording.names import role_title, title_of

GOOD_FOR = dt.timedelta(days=14)
NAME_LENGTH = 150


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A new invitation with its URL, which is shown once; `is_sent` is true if a letter with it went out."""

    invitation: Invitation
    address: str
    is_sent: bool


def invite(
    *,
    competition: Competition,
    email: str,
    role: Role,
    language: str,
    by: Actor,
    site: str = "",
    team: Entrant | None = None,
) -> NewInvitation:
    """Invite a person by e-mail to work for the competition; the mail is sent once the transaction has committed.

    `site` is the base URL at which the inviter uses the service (`site_url(request)`), for the link; `team` is that of
    a captain.
    """
    invitation, token = write_invitation(
        competition=competition, email=email, role=role, language=language, by=by, team=team
    )
    address = f"{site or site_url()}{reverse('pages:invitation', args=[token])}"
    return NewInvitation(invitation, address, send(invitation, address))


@all_or_nothing
def write_invitation(
    *, competition: Competition, email: str, role: Role, language: str, by: Actor, team: Entrant | None = None
) -> tuple[Invitation, str]:
    """Create the invitation and return it with its token; an earlier open one to the same address is withdrawn."""
    require(by, competition, Capability.MANAGE)
    refuse_bad_team(competition, role, team)
    email = email.strip()
    refuse_too_long(Invitation, {"email": email, "language": language})
    try:
        validate_email(email)
    except ValidationError as error:
        raise refuse("bad_email", _("“%(email)s” is no e-mail address.") % {"email": email}, "/email") from error
    lock(competition)
    change = open_change(competition, by)
    waiting(competition).filter(email__iexact=email).update(withdrawn_at=timezone.now())
    token = secrets.token_urlsafe(TOKEN_BYTES)
    invitation = Invitation.objects.create(
        competition=competition,
        email=email,
        role=role,
        team=team,
        language=language,
        # Only the digest: a leaked backup or database gives no working links away.
        digest=digest_of(token),
        made_by=by.user,
        expires_at=timezone.now() + GOOD_FOR,
    )
    change.record("invitation.made", invitation, after={"role": role}, is_public=False)
    return invitation, token


def send(invitation: Invitation, address: str) -> bool:
    """Send the letter in the chosen language; False where no mail server is configured or it refuses the letter."""
    if not settings.SENDS_LETTERS:
        return False
    with translation.override(invitation.language):
        letter = EmailMessage(subject_of(invitation), body_of(invitation, address), to=[invitation.email])
    return hand_over(letter, f"invitation {invitation.pk}")


def subject_of(invitation: Invitation) -> str:
    """Return the subject line of the letter."""
    return one_line(_("Invitation: %(competition)s") % {"competition": title_of(invitation.competition)})


def body_of(invitation: Invitation, address: str) -> str:
    """Return the text of the letter."""
    until = timezone.localtime(invitation.expires_at)
    return _(
        "You are invited to work for “%(competition)s”.\n"
        "Your role: %(role)s\n\n"
        "Open this address to accept. It is for you alone and works once, until %(until)s:\n\n"
        "%(address)s\n\n"
        "If you did not expect this letter, simply leave it.\n"
    ) % {
        "competition": title_of(invitation.competition),
        "role": role_title(invitation),
        "until": f"{until:%Y-%m-%d %H:%M}",
        "address": reachable(address),
    }


def waiting(competition: Competition) -> QuerySet[Invitation]:
    """Return the competition's invitations that may still be accepted, newest first."""
    now = timezone.now()
    return (
        Invitation.objects.filter(competition=competition, accepted_at=None, withdrawn_at=None, expires_at__gt=now)
        .select_related("team__player")
        .order_by("-made_at")
    )


def open_invitation(token: str) -> Invitation | None:
    """Return the invitation of a token if it may still be accepted, else None."""
    rows = Invitation.objects.select_related("competition", "team__player").filter(digest=digest_of(token))
    return rows.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now()).first()


@all_or_nothing
def withdraw_invitation(*, invitation: Invitation, by: Actor) -> None:
    """Withdraw an open invitation; its link stops working."""
    require(by, invitation.competition, Capability.MANAGE)
    lock(invitation.competition)
    if waiting(invitation.competition).filter(pk=invitation.pk).exists():
        change = open_change(invitation.competition, by)
        Invitation.objects.filter(pk=invitation.pk).update(withdrawn_at=timezone.now())
        change.record("invitation.withdrawn", invitation, is_public=False)


@all_or_nothing
def accept(*, token: str, by: Actor) -> Membership:
    """Give the signed-in user the role of the invitation; an existing role is never reduced.

    1. The link works once: of two requests at the same moment only one succeeds.
    2. A member keeps what the present role allows; access to the admin comes with the role.

    Raise ConflictError if the link was used, withdrawn or has expired.
    """
    user = in_person(by)
    invitation = consume_invitation(token, user)
    competition = invitation.competition
    held = Membership.objects.select_related("user", "competition").filter(competition=competition, user=user)
    there = held.first()
    if there is None:
        member = enrol(competition, user, Role(invitation.role), by, invitation.team)
    else:
        member = raise_role(there, Role(invitation.role), by)
    open_change(competition, by).record("invitation.accepted", invitation, after={"user": user.pk}, is_public=False)
    return member


@all_or_nothing
def accept_with_new_account(*, token: str, username: str, password: str, by: Actor) -> User:
    """Create an account for a new user and accept the invitation with it."""
    found = open_invitation(token)
    if found is None:
        raise invitation_gone_error()
    user = User(username=username.strip(), email=found.email)
    refuse_bad_account(user, password)
    user.set_password(password)
    try:
        # A savepoint: without it the IntegrityError of a name taken at the same moment would abort the transaction.
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise name_taken_error(user) from error
    accept(token=token, by=Actor(user=user, door=by.door, request_id=by.request_id))
    return user


def consume_invitation(token: str, user: User) -> Invitation:
    """Mark the invitation as accepted and return it; raise ConflictError if it is not open any more."""
    found = open_invitation(token)
    if found is None:
        raise invitation_gone_error()
    lock_house(found.competition)
    now = timezone.now()
    # Conditional and under the lock: of two requests with the same link exactly one updates a row.
    used = waiting(found.competition).filter(pk=found.pk).update(accepted_at=now, accepted_by=user)
    if not used:
        raise invitation_gone_error()
    return found


def raise_role(member: Membership, role: Role, by: Actor) -> Membership:
    """Return the membership, with the new role if that allows everything the present one does and more.

    Where neither role includes the other, the present one stays.
    """
    return put_role(member, role, by) if ROLE_CAPABILITIES[role] > ROLE_CAPABILITIES[member.role] else member


def is_given(invitation: Invitation, member: Membership) -> bool:
    """Return True if the member's role allows all that the invitation was for."""
    if member.role == Role.DIRECTOR:
        return True
    allows = ROLE_CAPABILITIES[Role(invitation.role)] <= ROLE_CAPABILITIES[Role(member.role)]
    return allows and invitation.team_id in (None, member.team_id)


def invitation_gone_error() -> Exception:
    """Return the error for a link that was used, withdrawn or has expired."""
    return conflict("invitation_gone", _("This invitation has been used, withdrawn, or is too old. Ask for a new one."))


def name_taken_error(user: User) -> Exception:
    """Return the error for a user name that exists already."""
    return conflict("name_taken", _("“%(name)s” is taken. Choose another.") % {"name": user.username}, "/username")


def refuse_bad_account(user: User, password: str) -> None:
    """Raise unless the user name is valid and free, and the password passes the validators."""
    if not user.username or len(user.username) > NAME_LENGTH:
        raise refuse("name_needed", _("Please choose a name to sign in with."), "/username")
    try:
        User.username_validator(user.username)
    except ValidationError as error:
        raise refuse("bad_name", " ".join(error.messages), "/username") from error
    if User.objects.filter(username__iexact=user.username).exists():
        raise name_taken_error(user)
    try:
        validate_password(password, user)
    except ValidationError as error:
        findings = (Finding("weak_password", message, "/password") for message in error.messages)
        raise RuleViolationError(*findings) from error
