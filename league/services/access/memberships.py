"""Members of a competition and their roles; a competition keeps at least one director.

The books of a parlour have one staff: a role given, changed or taken in one of them is so in all.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Membership, Role
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, is_master, require
from league.services.access.changes import lock_house, open_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner


@all_or_nothing
def add_member(
    *, competition: Competition, user: User, role: Role, by: Actor, team: Entrant | None = None
) -> Membership:
    """Give a user a role in the competition; a captain's is for one `team` of it."""
    require(by, competition, Capability.MANAGE)
    refuse_bad_team(competition, role, team)
    lock_house(competition)
    if not user.is_active:
        raise refuse("account_shut", _("This account is shut."), "/user")
    if Membership.objects.filter(competition=competition, user=user).exists():
        raise conflict("member_already", _("%(user)s works here already.") % {"user": user.get_username()}, "/user")
    return enrol(competition, user, role, by, team)


def refuse_bad_team(competition: Competition, role: Role, team: Entrant | None) -> None:
    """Raise unless a captain has a team of the competition, and no other role has one."""
    if role == Role.CAPTAIN and (team is None or team.competition_id != competition.pk or not team.player.is_team):
        raise refuse("team_needed", _("Choose the team whose captain this is."), "/team")
    if role != Role.CAPTAIN and team is not None:
        raise refuse("team_not_needed", _("Only a captain's role is for one team."), "/team")


def enrol(competition: Competition, user: User, role: Role, by: Actor, team: Entrant | None = None) -> Membership:
    """Create the memberships with their log lines; members of a league get access to the admin."""
    member, *_others = [_write_role(book, user, role, by, team) for book in lock_house(competition)]
    notify_owner(user, News("member.added", competition, role), by=by)
    return member


def _write_role(competition: Competition, user: User, role: Role, by: Actor, team: Entrant | None = None) -> Membership:
    """Give a user a role in one competition, with its log line; the present role is replaced."""
    member, is_new = Membership.objects.get_or_create(
        competition=competition, user=user, defaults={"role": role, "team": team}
    )
    before = None if is_new else _said(member)
    member.role, member.team = role, team
    member.save(update_fields=["role", "team"])
    grant_admin_access(member)
    open_change(competition, by).record(
        "member.added" if is_new else "member.changed",
        member,
        before=before,
        after=_said(member),
        is_public=False,
    )
    return member


def _said(member: Membership) -> dict[str, object]:
    """Return a role as the log keeps it."""
    return {"user": member.user_id, "role": member.role, **({"team": member.team_id} if member.team_id else {})}


def grant_admin_access(member: Membership) -> None:
    """Give a member access to the admin (`is_staff`).

    At an open table only directors need it, since the counter has pages of its own, as captains have.
    """
    is_in_league = member.competition.kind == Competition.Kind.LEAGUE and member.role != Role.CAPTAIN
    needs_it = member.role == Role.DIRECTOR or is_in_league
    if needs_it and not member.user.is_staff:
        member.user.is_staff = True
        member.user.save(update_fields=["is_staff"])


@all_or_nothing
def change_role(*, member: Membership, role: Role, by: Actor, team: Entrant | None = None) -> Membership:
    """Change a member's role; the last director keeps the role, and a captain's is for one `team`."""
    competition = member.competition
    require(by, competition, Capability.MANAGE)
    refuse_bad_team(competition, role, team)
    lock_house(competition)
    # Read again under the lock, so that two directors cannot demote each other at the same moment.
    member = reload_membership(member)
    if (member.role, member.team) == (role, team):
        return member
    if member.role == Role.DIRECTOR:
        refuse_without_director(member, by)
    return put_role(member, role, by, team)


def put_role(member: Membership, role: Role, by: Actor, team: Entrant | None = None) -> Membership:
    """Write another role with its log line; the caller has checked that it may be given."""
    member, *_others = [_write_role(book, member.user, role, by, team) for book in lock_house(member.competition)]
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
        before = _said(one)
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
