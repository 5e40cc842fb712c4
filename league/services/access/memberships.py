"""Who works for a competition, and as what; its director looks after it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import Competition, Membership, Role
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, is_master, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, tell


@all_or_nothing
def add_member(*, competition: Competition, user: User, role: Role, by: Actor) -> Membership:
    """Somebody with an account works for the competition from now on."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    if not user.is_active:
        raise refuse("account_shut", _("This account is shut."), "/user")
    if Membership.objects.filter(competition=competition, user=user).exists():
        raise conflict("member_already", _("%(user)s works here already.") % {"user": user.get_username()}, "/user")
    return enrol(competition, user, role, by)


def enrol(competition: Competition, user: User, role: str, by: Actor) -> Membership:
    """Write the membership and its line in the log; whoever works for a league gets a desk."""
    member = Membership.objects.create(competition=competition, user=user, role=role)
    give_desk(member)
    after = {"user": user.pk, "role": role}
    open_change(competition, by).record("member.added", member, after=after, is_public=False)
    tell(user, News("member.added", competition, role), by=by)
    return member


def give_desk(member: Membership) -> None:
    """Let a member in at the desk; at an open table only directors need it: the counter has pages of its own."""
    needs_it = member.role == Role.DIRECTOR or member.competition.kind == Competition.Kind.LEAGUE
    if needs_it and not member.user.is_staff:
        member.user.is_staff = True
        member.user.save(update_fields=["is_staff"])


@all_or_nothing
def change_role(*, member: Membership, role: Role, by: Actor) -> Membership:
    """Another role from now on."""
    competition = member.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    member = standing(member)
    if member.role == role:
        return member
    if member.role == Role.DIRECTOR:
        refuse_without_director(member, by)
    return put_role(member, role, by)


def put_role(member: Membership, role: Role, by: Actor) -> Membership:
    """Write another role and its line in the log; whoever calls this has checked that it may be given."""
    before, member.role = member.role, role
    member.save(update_fields=["role"])
    give_desk(member)
    open_change(member.competition, by).record(
        "member.changed",
        member,
        before={"user": member.user_id, "role": before},
        after={"user": member.user_id, "role": role},
        is_public=False,
    )
    tell(member.user, News("member.changed", member.competition, role), by=by)
    return member


@all_or_nothing
def remove_member(*, member: Membership, by: Actor) -> None:
    """Somebody works for the competition no more; tokens made for it alone are worth nothing without the role."""
    competition = member.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    member = standing(member)
    if member.role == Role.DIRECTOR:
        refuse_without_director(member, by)
    before = {"user": member.user_id, "role": member.role}
    open_change(competition, by).record("member.removed", member, before=before, is_public=False)
    member.delete()
    tell(member.user, News("member.removed", competition), by=by)


def standing(member: Membership) -> Membership:
    """The membership as it stands now."""
    found = Membership.objects.select_related("user", "competition").filter(pk=member.pk).first()
    if found is None:
        raise conflict("member_gone", _("Somebody else has removed this member meanwhile."))
    return found


def refuse_without_director(member: Membership, by: Actor) -> None:
    """A competition keeps a director; superusers look after those that have none."""
    others = Membership.objects.filter(competition=member.competition_id, role=Role.DIRECTOR, user__is_active=True)
    if not others.exclude(pk=member.pk).exists() and not (by.is_system or is_master(by.user)):
        message = _("This is the only director. Make somebody else a director first.")
        raise conflict("last_director", message, "/role")
