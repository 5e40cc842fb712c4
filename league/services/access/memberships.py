"""Members of a competition and their roles; a competition keeps at least one director.

The books of a parlour have one staff: a role given, changed or taken in one of them is so in all.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import Competition, Membership, Role
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, is_master, require
from league.services.access.changes import lock_house, open_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner


@all_or_nothing
def add_member(*, competition: Competition, user: User, role: Role, by: Actor) -> Membership:
    """Give a user a role in the competition."""
    require(by, competition, Capability.MANAGE)
    lock_house(competition)
    if not user.is_active:
        raise refuse("account_shut", _("This account is shut."), "/user")
    if Membership.objects.filter(competition=competition, user=user).exists():
        raise conflict("member_already", _("%(user)s works here already.") % {"user": user.get_username()}, "/user")
    return enrol(competition, user, role, by)


def enrol(competition: Competition, user: User, role: Role, by: Actor) -> Membership:
    """Create the memberships with their log lines; members of a league get access to the admin."""
    member, *_others = [_write_role(book, user, role, by) for book in lock_house(competition)]
    notify_owner(user, News("member.added", competition, role), by=by)
    return member


def _write_role(competition: Competition, user: User, role: Role, by: Actor) -> Membership:
    """Give a user a role in one competition, with its log line; the present role is replaced."""
    member, is_new = Membership.objects.get_or_create(competition=competition, user=user, defaults={"role": role})
    before = None if is_new else {"user": user.pk, "role": member.role}
    member.role = role
    member.save(update_fields=["role"])
    grant_admin_access(member)
    open_change(competition, by).record(
        "member.added" if is_new else "member.changed",
        member,
        before=before,
        after={"user": user.pk, "role": role},
        is_public=False,
    )
    return member


def grant_admin_access(member: Membership) -> None:
    """Give a member access to the admin (`is_staff`).

    At an open table only directors need it, since the counter has pages of its own.
    """
    needs_it = member.role == Role.DIRECTOR or member.competition.kind == Competition.Kind.LEAGUE
    if needs_it and not member.user.is_staff:
        member.user.is_staff = True
        member.user.save(update_fields=["is_staff"])


@all_or_nothing
def change_role(*, member: Membership, role: Role, by: Actor) -> Membership:
    """Change a member's role; the last director keeps the role."""
    competition = member.competition
    require(by, competition, Capability.MANAGE)
    lock_house(competition)
    # Read again under the lock, so that two directors cannot demote each other at the same moment.
    member = reload_membership(member)
    if member.role == role:
        return member
    if member.role == Role.DIRECTOR:
        refuse_without_director(member, by)
    return put_role(member, role, by)


def put_role(member: Membership, role: Role, by: Actor) -> Membership:
    """Write another role with its log line; the caller has checked that it may be given."""
    member, *_others = [_write_role(book, member.user, role, by) for book in lock_house(member.competition)]
    notify_owner(member.user, News("member.changed", member.competition, role), by=by)
    return member


@all_or_nothing
def remove_member(*, member: Membership, by: Actor) -> None:
    """Remove a member; tokens made for this competition alone become worthless with the role."""
    competition = member.competition
    require(by, competition, Capability.MANAGE)
    books = lock_house(competition)
    member = reload_membership(member)
    for one in Membership.objects.filter(competition__in=books, user=member.user).select_related("competition"):
        if one.role == Role.DIRECTOR:
            refuse_without_director(one, by)
        before = {"user": one.user_id, "role": one.role}
        open_change(one.competition, by).record("member.removed", one, before=before, is_public=False)
        one.delete()
    notify_owner(member.user, News("member.removed", competition), by=by)


def reload_membership(member: Membership) -> Membership:
    """Return the membership as stored now; raise ConflictError if it was removed meanwhile."""
    found = Membership.objects.select_related("user", "competition").filter(pk=member.pk).first()
    if found is None:
        raise conflict("member_gone", _("Another organizer has removed this member meanwhile."))
    return found


def refuse_without_director(member: Membership, by: Actor) -> None:
    """Raise if this is the only active director, except for superusers, who look after competitions without one."""
    others = Membership.objects.filter(competition=member.competition_id, role=Role.DIRECTOR, user__is_active=True)
    if not others.exclude(pk=member.pk).exists() and not (by.is_system or is_master(by.user)):
        message = _("This is the only director. Make another member a director first.")
        raise conflict("last_director", message, "/role")
